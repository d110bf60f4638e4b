/* Describes how a winner was measured and verified: see measurement.h. */
#include "cli/measurement.h"

#include "base/json.h"
#include "record/verification.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Clocks always move by a step or two of 15 MHz. */
#define DRIFT 0.01
/* Single launches and launches in a graph have different overhead: a few percent of a
   kernel of two microseconds are some ticks of the clock. */
#define GRAPH_OFF 0.05

static uint64_t count_of(const struct at_json *object, const char *key)
{
	double count = at_json_number(at_json_get(object, key), 0);

	/* A record may contain anything. */
	return count >= 0 && count < 1e15 ? (uint64_t)count : 0;
}

static void add_rounds(struct at_strbuf *out, uint64_t rounds, const char *what)
{
	if (rounds)
		at_strbuf_addf(out,
			"; the board was held back in %" PRIu64 " round%s%s", rounds,
			rounds == 1 ? "" : "s", what);
}

static void add_clocks(const struct at_json *object, struct at_strbuf *out)
{
	double first_hz = at_json_number(at_json_get(object, "first_clock_hz"), 0);
	double last_hz = at_json_number(at_json_get(object, "last_clock_hz"), 0);
	double set_hz = at_json_number(at_json_get(object, "set_clock_hz"), 0);
	const char *reasons = at_json_text(at_json_get(object, "clock_reasons"));

	if (first_hz > 0 && last_hz > 0 && fabs(last_hz / first_hz - 1) > DRIFT)
		at_strbuf_addf(out, "; the clock went from %s to %s",
			at_format_rate(first_hz, "Hz").text,
			at_format_rate(last_hz, "Hz").text);
	if (reasons) {
		at_strbuf_add(out, "; clocks held by ");
		at_format_plain(out, reasons);
	}
	if (set_hz > 0)
		at_strbuf_addf(out, "; clock set to at most %s",
			at_format_rate(set_hz, "Hz").text);
}

/* A second measurement of a short kernel, by launches in a graph, and whether it
   agrees. */
static void add_graph(const struct at_json *object, struct at_strbuf *out)
{
	double graph_ns = at_json_number(at_json_get(object, "graph_ns"), 0);
	double empty_ns = at_json_number(at_json_get(object, "empty_graph_ns"), 0);
	double off = at_json_number(at_json_get(object, "graph_off"), 0);

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

static void add(const struct at_json *object, struct at_strbuf *out)
{
	double empty_ns = at_json_number(at_json_get(object, "empty_ns"), 0);

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
	add_clocks(object, out);
	add_rounds(out, count_of(object, "repeated_rounds"), ", taken again");
	add_rounds(out, count_of(object, "throttled_rounds"), " that count");
}

void at_measurement_write(const char *json, struct at_strbuf *out)
{
	struct at_json *object;

	if (!json || !*json || at_json_parse(json, strlen(json), NULL, &object, NULL))
		return;
	if (count_of(object, "blocks"))
		add(object, out);
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

void at_measurement_add(struct at_page *page, const struct at_winner *best)
{
	struct at_strbuf line = { 0 };

	at_measurement_write(best->measurement, &line);
	at_page_entry(page, "measured", &line);
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
