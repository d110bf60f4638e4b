/* Shows the progress of a run on stderr: see progress.h. */
#include "cli/progress.h"

#include "cli/format.h"
#include "cli/output.h"

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

void at_progress_begin(struct at_progress_display *self)
{
	memset(self, 0, sizeof(*self));
	self->redraws = at_output_is_terminal(STDERR_FILENO);
	self->color = at_output_has_color(STDERR_FILENO);
	at_say_around(hide, self);
}

void at_progress_end(struct at_progress_display *self)
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

void at_progress_draw(
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
