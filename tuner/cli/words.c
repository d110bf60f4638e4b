/* Configurations in words: see words.h. */
#include "cli/words.h"

#include "base/escape.h"
#include "base/json.h"
#include "device/counters.h"
#include "record/evaluation_json.h"
#include "record/verification.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parameters ---------------------------------------------------------------- */

static const char itself[] = "the baseline";

void at_configuration_write(struct at_strbuf *out, const struct at_spec *spec,
	const uint16_t *configuration, bool wide)
{
	size_t start = out->length;

	if (wide || !spec->has_defaults) {
		at_configuration_format(spec, configuration, out);
		return;
	}
	for (size_t i = 0; i < spec->parameter_count; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];

		if (configuration[i] == spec->defaults[i])
			continue;
		at_strbuf_addf(
			out, "%s%s=", out->length > start ? " " : "", parameter->name);
		at_value_format(parameter->values[configuration[i]], out);
	}
	if (out->length == start)
		at_strbuf_add(out,
			at_spec_is_single(spec) ? "the only configuration" : itself);
}

/* False: the two have different parameters, so nothing may be omitted. */
static bool write_changes(struct at_strbuf *out, const struct at_json *configuration,
	const struct at_json *baseline)
{
	size_t start = out->length, count = 0;
	const char *name;

	for (; (name = at_json_key_at(configuration, count)); count++) {
		const struct at_json *usual = at_json_get(baseline, name);
		struct at_value value =
			at_value_from_json(at_json_get(configuration, name));
		struct at_strbuf text = { 0 };

		if (!usual || !value.type)
			return false;
		if (at_value_equal(value, at_value_from_json(usual)))
			continue;
		at_strbuf_addf(&text, "%s%s=", out->length > start ? " " : "", name);
		at_value_format(value, &text);
		/* the record is not trusted, so control characters are removed */
		at_format_plain(out, at_strbuf_text(&text));
		at_strbuf_release(&text);
	}
	if (out->length == start)
		at_strbuf_add(out, itself);
	return !at_json_key_at(baseline, count);
}

void at_configuration_write_recorded(
	struct at_strbuf *out, const char *json, const char *baseline, bool wide)
{
	struct at_json *configuration = at_json_embedded(json);
	struct at_json *usual = at_json_embedded(wide ? NULL : baseline);
	struct at_strbuf changes = { 0 };
	bool is_written = at_json_kind_of(usual) == AT_JSON_OBJECT &&
			  write_changes(&changes, configuration, usual);

	at_json_free(configuration);
	at_json_free(usual);
	if (is_written)
		at_strbuf_add(out, at_strbuf_text(&changes));
	else
		at_format_configuration(out, json);
	at_strbuf_release(&changes);
}

void at_json_set_instance(struct at_json *object, const struct at_spec *spec,
	const uint16_t *configuration)
{
	struct at_strbuf text = { 0 };

	if (!configuration || !spec->kernel || !at_kernel_varies(spec->kernel))
		return;
	at_spec_write_kernel(spec, spec->kernel, configuration, &text);
	at_json_set(object, "instance", at_strbuf_text(&text));
	at_strbuf_release(&text);
}

/* ---- limits: occupancy, launches, roofline ------------------------------------- */

bool at_limits_has_occupancy(const struct at_facts *facts)
{
	return facts->resident_blocks > 0 && facts->occupancy > 0;
}

void at_limits_write_resources(const struct at_facts *facts, struct at_strbuf *out)
{
	const int64_t blocks = facts->resident_blocks;
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
	at_strbuf_addf(out, "%s%" PRId64 " %s", has_registers ? "; " : "", blocks,
		blocks == 1 ? "block" : "blocks");
	if (facts->threads_per_block > 0)
		at_strbuf_addf(
			out, " of %" PRId64 " threads", facts->threads_per_block);
	at_strbuf_addf(out, " on a multiprocessor, occupancy %s",
		at_format_share(facts->occupancy).text);
	if (facts->limiting_factor[0])
		at_format_plain(out, ", limited by ", facts->limiting_factor);
}

void at_limits_add(struct at_page *page, const struct at_facts *facts,
	const char *launch, const struct at_roofline *roofline, bool is_double)
{
	struct at_strbuf line = { 0 };

	if (facts)
		at_limits_write_resources(facts, &line);
	at_page_entry(page, "resources", &line);
	at_limits_write_launch(launch, &line);
	at_page_entry(page, "launch", &line);
	at_limits_write_speed(roofline, is_double, &line);
	at_page_entry(page, "speed", &line);
}

/* ---- launches ------------------------------------------------------------------- */

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

/* Unknown and omitted values are absent from the launch. */
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
	struct at_json *launch = at_json_embedded(text);
	const struct at_json *launches = at_json_get(launch, "launches");

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

/* Compute comes first if both are shown. */
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
	const char *separator = "";

	for (size_t i = 0; i < AT_COUNT_OF(sides); i++) {
		if (!isfinite(rate_of(roofline, sides[i])))
			continue;
		at_strbuf_add(out, separator);
		add_rate(roofline, sides[i], out);
		separator = ", ";
		if (roofline->bound != sides[i] || !isfinite(roofline->fraction))
			continue;
		/* the fraction is finite, so the bound is known */
		at_strbuf_addf(out, " (%s of the %s ceiling)",
			at_format_share(roofline->fraction).text,
			roofline->bound == AT_BOUND_MEMORY ? "copy"
			: is_double                        ? "double FMA"
							   : "float FMA");
	}
	/* "; 0.125 flop/B, memory-bound (ridge at 14.3 flop/B)"; only with the rates
	   that it follows from */
	if (!isfinite(roofline->intensity) || !isfinite(roofline->flops_per_second))
		return;
	at_strbuf_addf(out, "; %s", at_format_intensity(roofline->intensity).text);
	if (roofline->bound != AT_BOUND_NONE)
		at_strbuf_addf(out, ", %s (ridge at %s)",
			at_bound_text(roofline->bound),
			at_format_intensity(roofline->ridge).text);
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

/* ---- measurement and verification ---------------------------------------------- */

/* Clocks always move by a step or two of 15 MHz. */
#define DRIFT 0.01
/* Single launches and launches in a graph have different overhead: a few percent of a
   kernel of two microseconds are some ticks of the clock. */
#define GRAPH_OFF 0.05

/* NAN: the key is missing. Comparisons with it are false. */
static double number_of(const struct at_json *object, const char *key)
{
	return at_json_number(at_json_get(object, key), (double)NAN);
}

static uint64_t count_of(const struct at_json *object, const char *key)
{
	double count = number_of(object, key);

	/* a record may contain anything */
	return count >= 0 && count < 1e15 ? (uint64_t)count : 0;
}

static void add_rounds(struct at_strbuf *out, uint64_t rounds, const char *what)
{
	if (rounds)
		at_strbuf_addf(out,
			"; the board was held back in %" PRIu64 " round%s%s", rounds,
			rounds == 1 ? "" : "s", what);
}

/* A second measurement of a short kernel, by launches in a graph, and its agreement. */
static void add_graph(const struct at_json *object, struct at_strbuf *out)
{
	double graph_ns = number_of(object, "graph_ns");
	double empty_ns = number_of(object, "empty_graph_ns");
	double off = number_of(object, "graph_off");

	if (!(graph_ns > 0))
		return;
	at_strbuf_addf(out, "; in a graph %s a launch", at_format_time(graph_ns).text);
	if (empty_ns > 0)
		at_strbuf_addf(
			out, ", and %s of nothing", at_format_time(empty_ns).text);
	if (fabs(off) > GRAPH_OFF)
		at_strbuf_addf(out,
			": with the launch overhead taken off both, that is %.0f %% %s than one by one; one of the two is not the time of the kernel",
			100 * fabs(off), off > 0 ? "more" : "less");
}

void at_measurement_write(const char *json, struct at_strbuf *out)
{
	struct at_json *object = at_json_embedded(json);

	if (count_of(object, "blocks")) {
		double empty_ns = number_of(object, "empty_ns");
		uint64_t unmoved = count_of(object, "unmoved_blocks");

		at_strbuf_addf(out, "%" PRIu64 " samples in %" PRIu64 " blocks",
			count_of(object, "samples"), count_of(object, "blocks"));
		if (at_json_is_true(at_json_get(object, "undecided")))
			at_strbuf_add(out,
				"; undecided: the budget ended before the confirmation was decided, and the next run repeats it");
		if (unmoved)
			at_strbuf_addf(out,
				"; in %" PRIu64
				" block%s some memory stayed where it was (no room elsewhere?): another place may make more of a difference than the interval says",
				unmoved, unmoved == 1 ? "" : "s");
		if (empty_ns > 0)
			at_strbuf_addf(out, "; a kernel that does nothing takes %s",
				at_format_time(empty_ns).text);
		if (empty_ns > 0 && at_json_is_true(at_json_get(object, "ungated")))
			at_strbuf_add(out,
				"; this driver begins launches before all are queued, so that these times have some of the host's in them");
		add_graph(object, out);
		double first_hz = number_of(object, "first_clock_hz");
		double last_hz = number_of(object, "last_clock_hz");
		double set_hz = number_of(object, "set_clock_hz");
		const char *reasons =
			at_json_text(at_json_get(object, "clock_reasons"));

		if (first_hz > 0 && last_hz > 0 && fabs(last_hz / first_hz - 1) > DRIFT)
			at_strbuf_addf(out, "; the clock went from %s to %s",
				at_format_rate(first_hz, "Hz").text,
				at_format_rate(last_hz, "Hz").text);
		if (reasons)
			at_format_plain(out, "; clocks held by ", reasons);
		if (set_hz > 0)
			at_strbuf_addf(out, "; clock set to at most %s",
				at_format_rate(set_hz, "Hz").text);
		add_rounds(out, count_of(object, "repeated_rounds"), ", taken again");
		add_rounds(out, count_of(object, "throttled_rounds"), " that count");
	}
	at_json_free(object);
}

void at_measurement_add_unfit(struct at_page *page, const struct at_winner *best)
{
	struct at_strbuf text = { 0 };

	at_verification_write_unfit(best, &text);
	if (text.length)
		at_page_say(page, "not for", "%s%s%s",
			at_style(AT_STYLE_BAD, page->color), text.data,
			at_style(AT_STYLE_END, page->color));
	at_strbuf_release(&text);
}

/* The Pareto front of time and energy, fastest first (session/phase_finals.h). */
static void add_front(struct at_page *page, const struct at_json *finalists)
{
	struct at_strbuf line = { 0 }, configuration = { 0 };
	const char *entry = "front";
	double last_ns = 0;

	for (;;) {
		const struct at_json *next = NULL;

		for (size_t i = 0; i < at_json_count(finalists); i++) {
			const struct at_json *one = at_json_at(finalists, i);
			double time_ns = number_of(one, at_objective_time.key);

			if (at_json_is_true(at_json_get(one, "on_front")) &&
				time_ns > last_ns &&
				(!next || time_ns < number_of(next,
							    at_objective_time.key)))
				next = one;
		}
		if (!next)
			return;
		last_ns = number_of(next, at_objective_time.key);
		at_strbuf_addf(&line,
			"%s, %s: ", at_format_value(&at_objective_time, last_ns).text,
			at_format_value(&at_objective_energy,
				number_of(next, at_objective_energy.key))
				.text);
		at_json_write(at_json_get(next, "configuration"), 0, &configuration);
		at_format_configuration(&line, at_strbuf_text(&configuration));
		at_strbuf_release(&configuration);
		at_page_entry(page, entry, &line);
		entry = "";
	}
}

/* The results for time and energy, if the winner was chosen by energy. */
static void add_energy(struct at_page *page, const char *measurement)
{
	struct at_json *object = at_json_embedded(measurement);
	const struct at_json *energy = at_json_get(object, "energy");
	struct at_strbuf line = { 0 };

	add_front(page, at_json_get(energy, "finalists"));
	if (energy)
		at_strbuf_addf(&line, "the idle board draws %.0f W",
			number_of(energy, "idle_watts"));
	if (number_of(energy, "most_celsius") > 0)
		at_strbuf_addf(&line, "; measured at %.0f to %.0f degrees Celsius",
			number_of(energy, "least_celsius"),
			number_of(energy, "most_celsius"));
	at_page_entry(page, "power", &line);
	at_json_free(object);
}

void at_measurement_add(struct at_page *page, const struct at_winner *best)
{
	struct at_strbuf line = { 0 };

	at_measurement_write(best->measurement, &line);
	at_page_entry(page, "measured", &line);
	add_energy(page, best->measurement);
	if (best->is_unverified)
		at_strbuf_add(&line, at_style(AT_STYLE_BAD, page->color));
	at_verification_write(best, &line);
	if (best->is_unverified)
		at_strbuf_addf(&line, "%s; the next run verifies it, or replaces it",
			at_style(AT_STYLE_END, page->color));
	at_page_entry(page, "verified", &line);
	at_verification_write_not_run(best, &line);
	at_page_entry(page, "not run", &line);
	for (size_t i = 0; i < 2; i++) {
		at_verification_write_coverage(best, i, &line);
		at_page_entry(page, i ? "" : "coverage", &line);
	}
}

/* ---- gains --------------------------------------------------------------------- */

/* Steps of a smaller factor are within the variation of times, and are not named:
   readers look for the main causes. */
#define SMALL_FACTOR 1.02
/* a rest printed as 1.00x is omitted */
#define NO_FACTOR 1.005

static void add_value(struct at_strbuf *out, const struct at_json *value, bool markdown)
{
	const char *word = at_json_text(value);
	struct at_strbuf text = { 0 };

	if (!word && value) {
		at_json_write(value, 0, &text);
		word = at_strbuf_text(&text);
	}
	if (word && markdown)
		at_escape_markdown(out, word);
	else if (word)
		at_format_plain(out, word);
	at_strbuf_release(&text);
}

/* Shares are of the logarithm of the speedup, so that the product of the steps' factors
   is the speedup. */
static void add_steps(struct at_strbuf *out, const struct at_json *steps,
	double speedup, bool markdown)
{
	const char *separator = "";
	double rest = 0;

	for (size_t i = 0; i < at_json_count(steps); i++) {
		const struct at_json *step = at_json_at(steps, i);
		double share = number_of(step, "share");
		double amount = share * log(speedup);

		if (fabs(amount) < log(SMALL_FACTOR)) {
			rest += amount;
			continue;
		}
		at_strbuf_add(out, separator);
		/* "TILE_M 1 -> 8 with TILE_N 1 -> 8" */
		const struct at_json *from = at_json_get(step, "from");
		const struct at_json *to = at_json_get(step, "to");
		const char *name;

		for (size_t k = 0; (name = at_json_key_at(to, k)); k++) {
			at_strbuf_add(out, k ? " with " : "");
			if (markdown)
				at_escape_markdown_code(out, name);
			else
				at_format_plain(out, name);
			at_strbuf_add_char(out, ' ');
			add_value(out, at_json_get(from, name), markdown);
			at_strbuf_add(out, " -> ");
			add_value(out, at_json_get(to, name), markdown);
		}
		if (isfinite(amount))
			at_strbuf_addf(
				out, ": %s", at_format_speedup(exp(amount)).text);
		separator = "; ";
	}
	if (*separator && fabs(rest) < log(NO_FACTOR))
		return;
	at_strbuf_addf(
		out, "%sthe rest: %s", separator, at_format_speedup(exp(rest)).text);
}

enum at_gains at_gains_write(
	const struct at_winner *best, bool markdown, struct at_strbuf *out)
{
	struct at_json *steps = at_json_embedded(best->gains);
	enum at_gains state = AT_GAINS_UNKNOWN;

	if (at_json_count(steps))
		state = AT_GAINS_STEPS;
	else if (at_json_kind_of(steps) != AT_JSON_NULL)
		state = AT_GAINS_NOTHING;
	if (state == AT_GAINS_STEPS)
		add_steps(out, steps, best->speedup, markdown);
	at_json_free(steps);
	return state;
}

/* ---- reasons ------------------------------------------------------------------- */

/* Figures with a ratio between LESS and 1 / LESS are alike. */
#define LESS 0.8
/* Shares closer than this many points are alike. */
#define POINTS 10.0
/* From this share of a ceiling there is little left to gain. On an H200 a kernel that
   only copies reaches 90 % of DRAM's ceiling, and a matrix product with cuBLAS 84 % of
   the FMA pipes'. */
#define DRAM_CEILING 85.0
#define PIPE_CEILING 80.0
/* Far from all ceilings, this share of the cycles with an instruction, or else of a
   warp's time in one stall, is what limits a launch. */
#define ISSUE_LIMIT 60.0
#define STALL_LIMIT 25.0
/* A sector of the caches. */
#define SECTOR_BYTES 32.0
/* Bank conflicts below this part of all instructions have no visible cost. */
#define FEW_CONFLICTS 0.005
/* sectors a request of the widest loads, 16 bytes a thread */
#define WIDEST 16.5
/* Fewer bytes mean nothing: the launch itself moves some. */
#define FEW_BYTES 1e6

/* The counters of two launches: the explained one, and the baseline. */
struct pair {
	const double *own;
	const double *base;
	const char *kernel;
	struct at_reasons *out;
};

static void AT_PRINTF(5, 6) add_reason(const struct pair *pair, const char *rule,
	double figure, double baseline, const char *format, ...)
{
	struct at_reasons *out = pair->out;
	struct at_reason *reason;
	va_list arguments;

	AT_GROW(out->items, out->capacity, out->count + 1);
	reason = &out->items[out->count++];
	*reason = (struct at_reason){
		.rule = rule,
		.kernel = pair->kernel,
		.figure = figure,
		.baseline = baseline,
	};
	va_start(arguments, format);
	vsnprintf(reason->text, sizeof(reason->text), format, arguments);
	va_end(arguments);
}

/* Whether `figure` is much less; no ratio, since `than` may be 0. */
static bool is_less(double figure, double than)
{
	return figure < LESS * than;
}

static bool differ(double figure, double baseline)
{
	return is_less(figure, baseline) || is_less(baseline, figure);
}

static bool differ_by_points(double share, double baseline)
{
	return fabs(share - baseline) >= POINTS;
}

/* 4.0, 32, 1.9e+08 becomes 1.9e8: short, with the same width for all sizes. */
static struct at_short number(double value)
{
	struct at_short out;
	int exponent = value > 0 ? (int)floor(log10(value)) : 0;

	if (value == 0)
		snprintf(out.text, sizeof(out.text), "0");
	else if (exponent >= 5)
		snprintf(out.text, sizeof(out.text), "%.1fe%d",
			value / pow(10, exponent), exponent);
	else
		snprintf(out.text, sizeof(out.text), exponent >= 1 ? "%.0f" : "%.1f",
			value);
	return out;
}

static struct at_short bytes(double value)
{
	return at_format_bytes((int64_t)value);
}

/* ---- the rules ------------------------------------------------------------------ */

/*
 * Sectors a request: 4 for loads of 4 bytes by adjacent threads, 16 for loads of 16
 * bytes, 32 if each thread has its own sector. Accesses are coalesced if equally many
 * requests need fewer sectors, or if they fall from above 16 to 16 or fewer a request.
 * Equally many sectors in fewer requests are wider accesses. Otherwise the figure has
 * several causes, and gets no word. A side without requests moves its data by other
 * means, such as TMA.
 */
static void tell_accesses(const struct pair *pair, enum at_counter sectors,
	enum at_counter requests, const char *rule, const char *verb, const char *past)
{
	const double own = pair->own[sectors] / pair->own[requests];
	const double base = pair->base[sectors] / pair->base[requests];
	const double moved = pair->own[sectors], before = pair->base[sectors];
	const char *word = "";

	if (!(pair->own[requests] > 0) || !(pair->base[requests] > 0))
		return;
	if (!differ(pair->own[requests], pair->base[requests]) ||
		(own > WIDEST) != (base > WIDEST))
		word = own < base ? ": coalesced" : ": less coalesced";
	else if (!differ(moved, before) && own <= WIDEST)
		word = own < base ? ": narrower accesses" : ": wider accesses";
	if (differ(own, base))
		add_reason(pair, rule, own, base,
			"%s %s sectors a request where the baseline %s %s%s", verb,
			number(own).text, past, number(base).text, word);
	else if (differ(moved, before) &&
		 fmax(moved, before) * SECTOR_BYTES >= FEW_BYTES)
		add_reason(pair, rule, moved * SECTOR_BYTES, before * SECTOR_BYTES,
			"%s %s of global memory where the baseline %s %s: %s", verb,
			bytes(moved * SECTOR_BYTES).text, past,
			bytes(before * SECTOR_BYTES).text,
			moved < before ? "more reuse on the multiprocessor"
				       : "less reuse on the multiprocessor");
}

/* Events that have a cost unless they are few relative to all instructions. */
static void tell_events(const struct pair *pair, double own, double base,
	const char *rule, const char *what)
{
	if (differ(own, base) &&
		(own > FEW_CONFLICTS * pair->own[AT_COUNTER_INSTRUCTIONS] ||
			base > FEW_CONFLICTS * pair->base[AT_COUNTER_INSTRUCTIONS]))
		add_reason(pair, rule, own, base, "%s: %s where the baseline has %s",
			what, number(own).text, number(base).text);
}

static void tell_moved(const struct pair *pair, enum at_counter read,
	enum at_counter written, double scale, const char *rule, const char *where)
{
	const double own = scale * (pair->own[read] + pair->own[written]);
	const double base = scale * (pair->base[read] + pair->base[written]);

	if (differ(own, base) && fmax(own, base) >= FEW_BYTES)
		add_reason(pair, rule, own, base,
			"moves %s through %s where the baseline moves %s",
			bytes(own).text, where, bytes(base).text);
}

/* The distance to a ceiling: reports a reached ceiling with its consequence, or else a
   difference from the baseline. */
static void tell_ceiling(const struct pair *pair, enum at_counter counter,
	double ceiling, const char *rule, const char *what, const char *word)
{
	const double own = pair->own[counter], base = pair->base[counter];
	/* and the baseline's is known */
	const bool is_reached = own >= ceiling && base >= 0;

	if (is_reached || differ_by_points(own, base))
		add_reason(pair, rule, own, base,
			"%s at %.0f %% of the ceiling (baseline: %.0f %%)%s%s", what,
			own, base, is_reached ? ": nothing left to gain by " : "",
			is_reached ? word : "");
}

/* is_limit: what limits the winner, so that its figure counts without a difference. */
static void tell_share(const struct pair *pair, enum at_counter counter,
	const char *rule, const char *before, const char *behind, bool is_limit)
{
	const double own = pair->own[counter], base = pair->base[counter];

	if (differ_by_points(own, base) || (is_limit && base >= 0))
		add_reason(pair, rule, own, base,
			"%s %.0f %% %s where the baseline has %.0f %%%s", before, own,
			behind, base, is_limit ? ": this limits it" : "");
}

static const struct stall {
	enum at_counter counter;
	const char *rule, *name;
} stalls[] = {
	{ AT_COUNTER_STALL_LONG_SCOREBOARD, "stall_long_scoreboard",
		"long scoreboard (memory)" },
	{ AT_COUNTER_STALL_SHORT_SCOREBOARD, "stall_short_scoreboard",
		"short scoreboard (shared memory)" },
	{ AT_COUNTER_STALL_MIO_THROTTLE, "stall_mio_throttle",
		"MIO throttle (queue of shared memory)" },
	{ AT_COUNTER_STALL_LG_THROTTLE, "stall_lg_throttle",
		"LG throttle (queue of global memory)" },
	{ AT_COUNTER_STALL_BARRIER, "stall_barrier", "barrier" },
	{ AT_COUNTER_STALL_MATH_PIPE_THROTTLE, "stall_math_pipe_throttle",
		"math pipe throttle (arithmetic)" },
};

static double stall_share(const double *values, const struct stall *stall)
{
	return 100 * values[stall->counter] / values[AT_COUNTER_LATENCY];
}

/* The counter that limits the winner, or AT_COUNTER_COUNT: it is at a ceiling, or no
   counter stands out. */
static enum at_counter limit_of(const double *own)
{
	enum at_counter limit = AT_COUNTER_COUNT;
	double longest = STALL_LIMIT;

	if (own[AT_COUNTER_DRAM_SHARE] >= DRAM_CEILING ||
		own[AT_COUNTER_FMA_SHARE] >= PIPE_CEILING ||
		own[AT_COUNTER_TENSOR_SHARE] >= PIPE_CEILING)
		return AT_COUNTER_COUNT;
	if (own[AT_COUNTER_ISSUE_SHARE] >= ISSUE_LIMIT)
		return AT_COUNTER_ISSUE_SHARE;
	for (size_t i = 0; i < AT_COUNT_OF(stalls); i++)
		if (stall_share(own, &stalls[i]) >= longest) {
			longest = stall_share(own, &stalls[i]);
			limit = stalls[i].counter;
		}
	return limit;
}

/* Comparisons with an unknown figure are false. */
static void tell_launch(const struct pair *pair)
{
	const double own = pair->own[AT_COUNTER_INSTRUCTIONS];
	const double base = pair->base[AT_COUNTER_INSTRUCTIONS];
	const enum at_counter limit = limit_of(pair->own);

	tell_accesses(pair, AT_COUNTER_LOAD_SECTORS, AT_COUNTER_LOAD_REQUESTS,
		"global_loads", "reads", "reads");
	tell_accesses(pair, AT_COUNTER_STORE_SECTORS, AT_COUNTER_STORE_REQUESTS,
		"global_stores", "writes", "writes");
	tell_events(pair,
		pair->own[AT_COUNTER_LOAD_CONFLICTS] +
			pair->own[AT_COUNTER_STORE_CONFLICTS],
		pair->base[AT_COUNTER_LOAD_CONFLICTS] +
			pair->base[AT_COUNTER_STORE_CONFLICTS],
		"shared_conflicts", "shared-memory conflicts");
	tell_events(pair, pair->own[AT_COUNTER_LOCAL_LOADS],
		pair->base[AT_COUNTER_LOCAL_LOADS], "local_loads",
		"loads of local memory, where spilled registers are");
	tell_moved(pair, AT_COUNTER_L2_READ, AT_COUNTER_L2_WRITE, SECTOR_BYTES,
		"l2_bytes", "the L2 cache");
	tell_moved(pair, AT_COUNTER_DRAM_READ, AT_COUNTER_DRAM_WRITE, 1, "dram_bytes",
		"DRAM");
	if (differ(own, base))
		add_reason(pair, "instructions", own, base,
			"executes %s instructions of warps where the baseline executes %s",
			number(own).text, number(base).text);
	tell_share(pair, AT_COUNTER_WARPS_SHARE, "warps", "holds",
		"of the warps that a multiprocessor can hold", false);
	for (size_t i = 0; i < AT_COUNT_OF(stalls); i++) {
		const double own_share = stall_share(pair->own, &stalls[i]);
		const double base_share = stall_share(pair->base, &stalls[i]);
		const bool is_limit = limit == stalls[i].counter;

		if (differ_by_points(own_share, base_share) ||
			(is_limit && base_share >= 0))
			add_reason(pair, stalls[i].rule, own_share, base_share,
				"stalls: %s %.0f %% -> %.0f %%%s", stalls[i].name,
				base_share, own_share,
				is_limit ? ": this limits it" : "");
	}
	tell_share(pair, AT_COUNTER_ISSUE_SHARE, "issue", "issues instructions in",
		"of the cycles", limit == AT_COUNTER_ISSUE_SHARE);
	tell_ceiling(pair, AT_COUNTER_DRAM_SHARE, DRAM_CEILING, "dram_ceiling", "DRAM",
		"memory");
	tell_ceiling(pair, AT_COUNTER_FMA_SHARE, PIPE_CEILING, "fma_ceiling",
		"FMA pipes", "arithmetic of this kind");
	tell_ceiling(pair, AT_COUNTER_TENSOR_SHARE, PIPE_CEILING, "tensor_ceiling",
		"tensor cores", "arithmetic of this kind");
}

/* ---- launches ------------------------------------------------------------------- */

static void read_values(const struct at_json *launch, double *values)
{
	for (int i = 0; i < AT_COUNTER_COUNT; i++)
		values[i] = number_of(launch, at_counter_name((enum at_counter)i));
}

static const char *kernel_of(const struct at_json *launch)
{
	const char *kernel = at_json_text(at_json_get(launch, "kernel"));

	return kernel ? kernel : "";
}

/* The other side's launch to compare with. If a sequence launches a kernel several
   times, the launch with the same number; NULL: that side has none. */
static const struct at_json *partner_of(
	const struct at_json *launches, size_t index, const struct at_json *others)
{
	const char *kernel = kernel_of(at_json_at(launches, index));
	size_t earlier = 0;

	for (size_t i = 0; i < index; i++)
		earlier += !strcmp(kernel, kernel_of(at_json_at(launches, i)));
	for (size_t i = 0; i < at_json_count(others); i++)
		if (!strcmp(kernel, kernel_of(at_json_at(others, i))) && earlier-- == 0)
			return at_json_at(others, i);
	return NULL;
}

/* All launches as one: amounts are added. Ratios are averaged by instructions, and
   shares of a time by time. */
static void read_total(const struct at_json *launches, double *total)
{
	for (int k = 0; k < AT_COUNTER_COUNT; k++) {
		const char *ending = strrchr(at_counter_name((enum at_counter)k), '.');
		const bool is_amount = !strcmp(ending, ".sum");
		const enum at_counter weight = !strcmp(ending, ".ratio")
						       ? AT_COUNTER_INSTRUCTIONS
						       : AT_COUNTER_TIME;
		double sum = 0, weights = 0;

		for (size_t i = 0; i < at_json_count(launches); i++) {
			double values[AT_COUNTER_COUNT];

			read_values(at_json_at(launches, i), values);
			sum += values[k] * (is_amount ? 1 : values[weight]);
			weights += values[weight];
		}
		total[k] = is_amount ? sum : sum / weights;
	}
}

void at_reasons_find(const char *baseline, const char *counters, struct at_reasons *out)
{
	double own[AT_COUNTER_COUNT], base[AT_COUNTER_COUNT];
	size_t count, base_count;
	bool is_same;

	memset(out, 0, sizeof(*out));
	out->baseline = at_json_embedded(baseline);
	out->counters = at_json_embedded(counters);
	count = at_json_count(out->counters);
	base_count = at_json_count(out->baseline);
	is_same = count == base_count;
	for (size_t i = 0; i < count && is_same; i++)
		is_same = partner_of(out->counters, i, out->baseline) != NULL;
	for (size_t i = 0; i < count && is_same; i++) {
		const struct at_json *launch = at_json_at(out->counters, i);

		read_values(launch, own);
		read_values(partner_of(out->counters, i, out->baseline), base);
		tell_launch(&(struct pair){
			own, base, count > 1 ? kernel_of(launch) : "", out });
	}
	if (is_same || !count || !base_count)
		return;
	read_total(out->counters, own);
	read_total(out->baseline, base);
	tell_launch(&(struct pair){ own, base, "", out });
}

void at_reasons_release(struct at_reasons *self)
{
	free(self->items);
	at_json_free(self->baseline);
	at_json_free(self->counters);
	memset(self, 0, sizeof(*self));
}

void at_reasons_add(struct at_page *page, const char *baseline, const char *counters)
{
	struct at_reasons reasons;
	struct at_strbuf line = { 0 };

	at_reasons_find(baseline, counters, &reasons);
	for (size_t i = 0; i < reasons.count; i++) {
		const struct at_reason *reason = &reasons.items[i];

		if (*reason->kernel)
			at_format_plain(&line, reason->kernel, ": ");
		at_strbuf_add(&line, reason->text);
		at_page_entry(page, i ? "" : "why", &line);
	}
	at_reasons_release(&reasons);
}

static struct at_json *to_json(const char *baseline, const char *counters)
{
	struct at_json *array = at_json_array();
	struct at_reasons reasons;

	at_reasons_find(baseline, counters, &reasons);
	for (size_t i = 0; i < reasons.count; i++) {
		const struct at_reason *reason = &reasons.items[i];
		struct at_json *object = at_json_object();

		at_json_set(object, "rule", reason->rule);
		at_json_set(object, "kernel", *reason->kernel ? reason->kernel : NULL);
		at_json_set(object, "figure", reason->figure);
		at_json_set(object, "baseline", reason->baseline);
		at_json_set(object, "text", reason->text);
		at_json_append(array, object);
	}
	at_reasons_release(&reasons);
	return array;
}

void at_reasons_set(struct at_json *out, const char *baseline, const char *counters)
{
	const bool are_known = counters && *counters;

	at_json_set(out, "reasons",
		are_known ? to_json(baseline, counters) : at_json_null());
	at_json_set(out, "counters", at_json_embedded(counters));
	at_json_set(out, "baseline_counters", at_json_embedded(baseline));
}

/* ---- ceilings ------------------------------------------------------------------ */

/* The length of "2026-11-21" in "2026-11-21 14:05 UTC". */
#define DAY_LENGTH 10

static double ridge(const struct at_ceilings *ceilings)
{
	struct at_roofline roofline;

	at_roofline(NAN, NAN, NAN, ceilings, false, &roofline);
	return roofline.ridge;
}

void at_ceilings_format(
	struct at_strbuf *out, const struct at_record_ceilings *ceilings)
{
	const struct at_ceilings *rates = &ceilings->ceilings;

	at_strbuf_addf(out,
		"copy %s, FMA %s float, %s double; ridge at %.1f flop/B; measured %.*s",
		at_format_rate(rates->copy_bytes_per_second, "B/s").text,
		at_format_rate(rates->float_flops_per_second, "FLOP/s").text,
		at_format_rate(rates->double_flops_per_second, "FLOP/s").text,
		ridge(rates), DAY_LENGTH,
		at_format_date(ceilings->created_seconds).text);
}

/* A rate of 0 was not measured. */
static double known_rate(double per_second)
{
	return per_second > 0 ? per_second : (double)NAN;
}

struct at_json *at_ceilings_to_json(const struct at_record_ceilings *ceilings)
{
	const struct at_ceilings *rates;
	struct at_json *out;

	if (!ceilings)
		return at_json_null();
	rates = &ceilings->ceilings;
	out = at_json_object();
	at_json_set(
		out, "copy_bytes_per_second", known_rate(rates->copy_bytes_per_second));
	at_json_set(out, "float_flops_per_second",
		known_rate(rates->float_flops_per_second));
	at_json_set(out, "double_flops_per_second",
		known_rate(rates->double_flops_per_second));
	at_json_set(out, "ridge", ridge(rates));
	at_json_set(out, "driver", ceilings->driver);
	at_json_set(out, "created_seconds", ceilings->created_seconds);
	return out;
}
