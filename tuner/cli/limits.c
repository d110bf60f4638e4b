/* Says what limits a kernel's speed: see limits.h. */
#include "cli/limits.h"

#include "base/json.h"
#include "cli/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- occupancy -------------------------------------------------------------- */

bool at_limits_has_occupancy(const struct at_facts *facts)
{
	return facts->resident_blocks > 0 && facts->occupancy > 0;
}

static void add_occupancy(
	const struct at_facts *facts, const char *word, struct at_strbuf *out)
{
	int64_t blocks = facts->resident_blocks;

	at_strbuf_addf(out, "%" PRId64 " %s", blocks, blocks == 1 ? "block" : "blocks");
	if (facts->threads_per_block > 0)
		at_strbuf_addf(
			out, " of %" PRId64 " threads", facts->threads_per_block);
	at_strbuf_addf(out, " on a multiprocessor, %s%s", word,
		at_format_share(facts->occupancy).text);
	if (facts->limiting_factor[0]) {
		at_strbuf_add(out, ", limited by ");
		at_format_plain(out, facts->limiting_factor);
	}
}

void at_limits_write_occupancy(const struct at_facts *facts, struct at_strbuf *out)
{
	if (at_limits_has_occupancy(facts))
		add_occupancy(facts, "", out);
}

void at_limits_write_resources(const struct at_facts *facts, struct at_strbuf *out)
{
	bool has_registers = facts->registers >= 0;

	if (has_registers) {
		at_strbuf_addf(out, "%" PRId64 " registers", facts->registers);
		if (facts->spill_store_bytes > 0)
			at_strbuf_addf(out, ", %s spilled",
				at_format_bytes(facts->spill_store_bytes).text);
		if (facts->shared_bytes > 0)
			at_strbuf_addf(out, ", %s shared",
				at_format_bytes(facts->shared_bytes).text);
	}
	if (!at_limits_has_occupancy(facts))
		return;
	at_strbuf_add(out, has_registers ? "; " : "");
	add_occupancy(facts, "occupancy ", out);
}

/* ---- launches --------------------------------------------------------------- */

/* Begins an item of a list that starts at `start`. */
static struct at_strbuf *next_item(struct at_strbuf *out, size_t start)
{
	if (out->length > start)
		at_strbuf_add(out, ", ");
	return out;
}

static void add_cluster(const struct at_json *cluster, const char *word, size_t start,
	struct at_strbuf *out)
{
	for (size_t i = 0; i < at_json_count(cluster); i++) {
		if (i)
			at_strbuf_add_char(out, 'x');
		else
			at_strbuf_add(next_item(out, start), word);
		at_strbuf_addf(
			out, "%" PRId64, at_json_whole(at_json_at(cluster, i), 0));
	}
}

/* What was not known, or not given, is not in the launch. */
static void add_launch(const struct at_json *launch, struct at_strbuf *out)
{
	const size_t start = out->length;
	const int64_t registers = at_json_whole(at_json_get(launch, "registers"), 0);
	const int64_t shared_bytes =
		at_json_whole(at_json_get(launch, "shared_bytes"), 0) +
		at_json_whole(at_json_get(launch, "static_shared_bytes"), 0);
	const struct at_json *carveout = at_json_get(launch, "carveout");
	const struct at_json *window = at_json_get(launch, "l2_window_percent");

	if (registers > 0)
		at_strbuf_addf(out, "%" PRId64 " registers", registers);
	if (registers > 0 && shared_bytes > 0)
		at_strbuf_addf(next_item(out, start), "%s shared",
			at_format_bytes(shared_bytes).text);
	add_cluster(at_json_get(launch, "cluster"), "cluster ", start, out);
	add_cluster(at_json_get(launch, "preferred_cluster"), "preferred cluster ",
		start, out);
	if (at_json_is_true(at_json_get(launch, "cooperative")))
		at_strbuf_add(next_item(out, start), "cooperative");
	if (at_json_is_true(at_json_get(launch, "dependent")))
		at_strbuf_add(next_item(out, start), "dependent");
	if (carveout)
		at_strbuf_addf(next_item(out, start), "carveout %" PRId64 " %%",
			at_json_whole(carveout, 0));
	if (window)
		at_strbuf_addf(next_item(out, start), "L2 window %" PRId64 " %%",
			at_json_whole(window, 0));
}

void at_limits_write_launch(const char *text, struct at_strbuf *out)
{
	const size_t start = out->length;
	const struct at_json *launches;
	struct at_json *launch;

	if (!text || !*text || at_json_parse(text, strlen(text), NULL, &launch, NULL))
		return;
	launches = at_json_get(launch, "launches");
	for (size_t i = 0; i < at_json_count(launches); i++) {
		const struct at_json *one = at_json_at(launches, i);
		struct at_strbuf line = { 0 };

		add_launch(one, &line);
		if (line.length)
			at_strbuf_addf(out, "%s%" PRId64 ": %s",
				out->length > start ? "; " : "",
				at_json_whole(at_json_get(one, "launch"), 0),
				at_strbuf_text(&line));
		at_strbuf_release(&line);
	}
	if (!launches)
		add_launch(launch, out);
	at_json_free(launch);
}

/* ---- roofline --------------------------------------------------------------- */

/* "73 % of the float FMA ceiling"; the fraction is finite, so the bound is known. */
static void add_share(
	const struct at_roofline *roofline, bool is_double, struct at_strbuf *out)
{
	const char *ceiling = is_double ? "double FMA" : "float FMA";

	if (roofline->bound == AT_BOUND_MEMORY)
		ceiling = "copy";
	at_strbuf_addf(out, "%s of the %s ceiling",
		at_format_share(roofline->fraction).text, ceiling);
}

/* "; 0.125 flop/B, memory-bound (ridge at 14.3 flop/B)" */
static void add_intensity(const struct at_roofline *roofline, struct at_strbuf *out)
{
	/* Not without the rates from which it follows. */
	if (!isfinite(roofline->intensity) || !isfinite(roofline->flops_per_second))
		return;
	at_strbuf_addf(out, "; %s", at_format_intensity(roofline->intensity).text);
	if (roofline->bound == AT_BOUND_NONE)
		return;
	at_strbuf_addf(out, ", %s (ridge at %s)", at_bound_text(roofline->bound),
		at_format_intensity(roofline->ridge).text);
}

/* Compute comes first wherever both are shown. */
static const enum at_bound sides[] = { AT_BOUND_COMPUTE, AT_BOUND_MEMORY };

static double rate_of(const struct at_roofline *roofline, enum at_bound side)
{
	return side == AT_BOUND_MEMORY ? roofline->bytes_per_second
				       : roofline->flops_per_second;
}

static void add_rate(
	const struct at_roofline *roofline, enum at_bound side, struct at_strbuf *out)
{
	at_strbuf_add(out, at_format_rate(rate_of(roofline, side),
				   side == AT_BOUND_MEMORY ? "B/s" : "FLOP/s")
				   .text);
}

void at_limits_write_rate(const struct at_roofline *roofline, struct at_strbuf *out)
{
	const char *separator = "";

	for (size_t i = 0; i < AT_COUNT_OF(sides); i++) {
		bool counts =
			roofline->bound == AT_BOUND_NONE || roofline->bound == sides[i];

		if (!counts || !isfinite(rate_of(roofline, sides[i])))
			continue;
		at_strbuf_add(out, separator);
		add_rate(roofline, sides[i], out);
		separator = ", ";
	}
}

void at_limits_write_speed(
	const struct at_roofline *roofline, bool is_double, struct at_strbuf *out)
{
	at_limits_write_rate(roofline, out);
	if (isfinite(roofline->fraction)) {
		at_strbuf_add(out, ", ");
		add_share(roofline, is_double, out);
	}
	add_intensity(roofline, out);
}

void at_limits_write_rates(
	const struct at_roofline *roofline, bool is_double, struct at_strbuf *out)
{
	const char *separator = "";

	for (size_t i = 0; i < AT_COUNT_OF(sides); i++) {
		if (!isfinite(rate_of(roofline, sides[i])))
			continue;
		at_strbuf_add(out, separator);
		add_rate(roofline, sides[i], out);
		separator = ", ";
		if (roofline->bound != sides[i] || !isfinite(roofline->fraction))
			continue;
		at_strbuf_add(out, " (");
		add_share(roofline, is_double, out);
		at_strbuf_add_char(out, ')');
	}
	add_intensity(roofline, out);
}

void at_limits_write_ceilings(const struct at_ceilings *ceilings, struct at_strbuf *out)
{
	const struct {
		const char *name;
		const char *unit;
		double rate;
	} rows[] = {
		{ "copy", "B/s", ceilings->copy_bytes_per_second },
		{ "float FMA", "FLOP/s", ceilings->float_flops_per_second },
		{ "double FMA", "FLOP/s", ceilings->double_flops_per_second },
	};
	const char *separator = "";

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		if (!(rows[i].rate > 0))
			continue;
		at_strbuf_addf(out, "%s%s %s", separator, rows[i].name,
			at_format_rate(rows[i].rate, rows[i].unit).text);
		separator = ", ";
	}
}
