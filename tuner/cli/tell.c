/* Shows the events of a session: see tell.h. */
#include "cli/tell.h"

#include "base/clock.h"
#include "cli/events.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/portfolio.h"
#include "cli/summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Ten times a second is as often as a person can follow, and no load for a slow
   line. */
#define REDRAW_NS 100000000
/* Further lanes are only counted, since a display must not fill the screen. */
#define LANES_SHOWN 4

/* ---- texts ---------------------------------------------------------------- */

/*
 * "120 tried", or "120 of 500 tried" where the search is to reach that count: of a
 * space that a time budget cuts short, the size says nothing about progress.
 */
static void write_count(const struct at_lane *lane, struct at_strbuf *out)
{
	const struct at_progress *progress = &lane->progress;
	uint64_t goal = at_lane_goal(lane);

	at_strbuf_add(out, at_format_count(progress->evaluated).text);
	if (goal && (goal < progress->valid_count || !(progress->target_seconds > 0)))
		at_strbuf_addf(out, " of %s", at_format_count(goal).text);
	at_strbuf_add(out, " tried");
}

/* "12s", or "12s of 1m" with a time budget. */
static void write_elapsed(
	const struct at_lane *lane, uint64_t now_ns, struct at_strbuf *out)
{
	at_strbuf_add(
		out, at_format_seconds(at_lane_elapsed_seconds(lane, now_ns)).text);
	if (lane->progress.target_seconds > 0)
		at_strbuf_addf(out, " of %s",
			at_format_seconds(lane->progress.target_seconds).text);
}

/* "1.23 ms  3.21x  51.4 TFLOP/s", with the given separator. */
static void write_best(const struct at_lane *lane, const char *separator,
	const char *speedup_text, struct at_strbuf *out)
{
	at_strbuf_add(out, at_format_value(lane->objective, lane->value).text);
	if (isfinite(lane->speedup))
		at_strbuf_addf(out, "%s%s%s", separator,
			at_format_speedup(lane->speedup).text, speedup_text);
	if (isfinite(lane->flops_per_second)) {
		at_strbuf_addf(out, "%s%s", separator,
			at_format_rate(lane->flops_per_second, "FLOP/s").text);
	} else if (isfinite(lane->bytes_per_second)) {
		at_strbuf_addf(out, "%s%s", separator,
			at_format_rate(lane->bytes_per_second, "B/s").text);
	}
}

void at_progress_write_status(
	const struct at_lane *lane, uint64_t now_ns, bool color, struct at_strbuf *out)
{
	at_strbuf_addf(out, "%s%s%s  ", at_style(AT_STYLE_STRONG, color), lane->label,
		at_style(AT_STYLE_END, color));
	write_count(lane, out);
	at_strbuf_add(out, "  ");
	write_elapsed(lane, now_ns, out);
	if (isfinite(lane->value)) {
		at_strbuf_addf(out, "  %sbest ", at_style(AT_STYLE_GOOD, color));
		write_best(lane, "  ", "", out);
		at_strbuf_add(out, at_style(AT_STYLE_END, color));
	}
}

void at_progress_write_activity(
	const struct at_lane *lane, uint64_t now_ns, bool color, struct at_strbuf *out)
{
	double rate = at_lane_rate(lane, now_ns);
	double left = at_lane_seconds_left(lane, now_ns);

	at_strbuf_addf(out, "  %s%s%s", lane->state,
		lane->state[0] && lane->phase[0] ? ", " : "",
		lane->state[0] || lane->phase[0] ? lane->phase : "searching");
	if (isfinite(left))
		at_strbuf_addf(out, ", %s left", at_format_seconds(left).text);
	if (rate > 0 && !lane->phase[0])
		at_strbuf_addf(out, ", %.*f/s", rate < 9.95 ? 1 : 0, rate);
	if (lane->progress.compiling)
		at_strbuf_addf(
			out, ", %" PRIu64 " compiling", lane->progress.compiling);
	if (lane->configuration.length)
		at_strbuf_addf(out, "  %s%s%s", at_style(AT_STYLE_FAINT, color),
			at_strbuf_text(&lane->configuration),
			at_style(AT_STYLE_END, color));
}

void at_progress_write_incumbent(const struct at_lane *lane, struct at_strbuf *out)
{
	at_strbuf_addf(out, "%s: ", lane->label);
	write_count(lane, out);
	at_strbuf_add(out, ", best ");
	write_best(lane, ", ", " over the baseline", out);
	at_strbuf_addf(out, ": %s\n", at_strbuf_text(&lane->configuration));
}

/* ---- the terminal ---------------------------------------------------------- */

static void add_row(struct at_strbuf *screen, const char *text, int width)
{
	struct at_strbuf shown = { 0 };

	at_format_shown(&shown, text, strcspn(text, "\n"), true);
	at_format_fit(screen, at_strbuf_text(&shown), width);
	at_strbuf_add(screen, "\033[K\n");
	at_strbuf_release(&shown);
}

/* The cursor is always on the row below the display. */
static void wipe(struct at_progress_display *self)
{
	if (self->rows > 0)
		fprintf(stderr, "\033[%dA\r\033[J", self->rows);
	self->rows = 0;
}

static void hide(void *context)
{
	wipe(context);
}

/* Starts the display. From now on at_say() and at_print() hide it before they print. */
static void begin(struct at_progress_display *self)
{
	memset(self, 0, sizeof(*self));
	self->redraws = at_output_is_terminal(STDERR_FILENO);
	self->color = at_output_has_color(STDERR_FILENO);
	at_say_around(hide, self);
}

/* Wipes the display off the terminal. */
static void end(struct at_progress_display *self)
{
	wipe(self);
	at_say_around(NULL, NULL);
}

static int draw_lanes(const struct at_progress_display *self,
	const struct at_lanes *lanes, uint64_t now_ns, int width,
	struct at_strbuf *screen)
{
	struct at_strbuf line = { 0 };
	size_t shown = lanes->count < LANES_SHOWN ? lanes->count : LANES_SHOWN;
	int rows = 0;

	for (size_t i = 0; i < shown; i++, rows += 2) {
		at_strbuf_clear(&line);
		at_progress_write_status(lanes->items[i], now_ns, self->color, &line);
		add_row(screen, at_strbuf_text(&line), width);
		at_strbuf_clear(&line);
		at_progress_write_activity(lanes->items[i], now_ns, self->color, &line);
		add_row(screen, at_strbuf_text(&line), width);
	}
	if (lanes->count > shown) {
		at_strbuf_clear(&line);
		at_strbuf_addf(&line, "and %zu more", lanes->count - shown);
		add_row(screen, at_strbuf_text(&line), width);
		rows++;
	}
	at_strbuf_release(&line);
	return rows;
}

/* Draws at most ten times a second; does nothing where stderr is no terminal. */
static void draw(
	struct at_progress_display *self, const struct at_lanes *lanes, uint64_t now_ns)
{
	struct at_strbuf screen = { 0 };
	int rows;

	if (!self->redraws || (!self->rows && !lanes->count) ||
		(self->rows && now_ns - self->drawn_ns < REDRAW_NS))
		return;
	/* One column stays free, since some terminals wrap after the last one. */
	rows = draw_lanes(
		self, lanes, now_ns, at_output_width(STDERR_FILENO) - 1, &screen);
	if (self->rows > 0)
		fprintf(stderr, "\033[%dA\r", self->rows);
	fprintf(stderr, "%s\033[J", at_strbuf_text(&screen));
	fflush(stderr);
	self->rows = rows;
	self->drawn_ns = now_ns;
	at_strbuf_release(&screen);
}

/* ---- events ------------------------------------------------------------------- */

void at_teller_begin(struct at_teller *self)
{
	begin(&self->display);
}

void at_teller_end(struct at_teller *self)
{
	end(&self->display);
	at_lanes_release(&self->lanes);
}

void at_teller_tick(void *context)
{
	struct at_teller *self = context;

	if (!self->quiet)
		draw(&self->display, &self->lanes, at_clock_now_ns());
}

static void tell_portfolio(const struct at_teller *self, const struct at_event *event)
{
	struct at_strbuf text = { 0 };

	if (self->quiet || self->json)
		return;
	at_portfolio_write_text(event, self->lanes.wide, &text);
	at_print_folded(&text);
}

/* A note is about a problem on a device, or about the whole run. */
static void tell_note(const struct at_teller *self, const struct at_event *event,
	const struct at_lane *lane)
{
	if (self->quiet || !event->text)
		return;
	if (lane && event->problem)
		at_say("%s: %s", lane->label, event->text);
	else
		at_say("autotune: %s", event->text);
}

/* Without a display, a run that waits must not look like one that hangs. */
static void tell_state(const struct at_teller *self, struct at_lane *lane)
{
	/* Runs that take turns on a device would repeat the same line. */
	if (self->quiet || self->display.redraws || !lane->state[0] ||
		!strcmp(lane->state, lane->told_state))
		return;
	snprintf(lane->told_state, sizeof(lane->told_state), "%s", lane->state);
	at_say("%s: %s", lane->label, lane->state);
}

void at_teller_listen(void *context, const struct at_event *event)
{
	struct at_teller *self = context;
	struct at_json *object;
	struct at_strbuf text = { 0 };
	struct at_page page;
	struct at_lane *lane;
	struct at_best best;

	if (self->json && at_event_to_json(event, &object))
		at_print_json(object);
	if (event->kind == AT_EVENT_PORTFOLIO) {
		tell_portfolio(self, event);
		return;
	}
	if (!event->problem) {
		tell_note(self, event, NULL);
		return;
	}
	lane = at_lanes_find(&self->lanes, event);
	at_lane_update(lane, event, at_clock_now_ns());
	switch (event->kind) {
	case AT_EVENT_INCUMBENT:
		/* A display shows the incumbent itself. */
		if (!self->quiet && !self->display.redraws) {
			at_progress_write_incumbent(lane, &text);
			at_say_block(&text);
		}
		break;
	case AT_EVENT_NOTE:
		tell_note(self, event, lane);
		break;
	case AT_EVENT_SUMMARY:
		if (!self->quiet && !self->json) {
			page = at_page_of_stdout(&text);
			page.wide = lane->wide;
			at_summary_write(event, lane, &page);
			at_print_folded(&text);
		} else if (!self->json && !at_event_best(event, &best)) {
			/* the exit code names neither problem nor reason */
			at_summary_write_failure(event, lane, &text);
			at_say_block(&text);
		}
		at_lanes_remove(&self->lanes, lane);
		break;
	case AT_EVENT_STATE:
		tell_state(self, lane);
		break;
	case AT_EVENT_NONE:
	case AT_EVENT_BEGIN:
	case AT_EVENT_EVALUATION:
	case AT_EVENT_PHASE:
	case AT_EVENT_REVISIT: /* cli/nightly.c shows revisits */
	case AT_EVENT_COUNTERS: /* cli/explain.c shows these */
	case AT_EVENT_PORTFOLIO:
		break;
	}
	at_strbuf_release(&text);
	at_teller_tick(self);
}
