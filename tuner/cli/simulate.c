/* autotune simulate: compares strategies on recorded evaluations. */
#include "base/escape.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/output.h"
#include "evaluator/replay/planted.h"
#include "record/recording.h"
#include "search/strategy.h"
#include "session/simulate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 100 runs distinguish areas that differ by some hundredths. */
#define REPEATS_DEFAULT 100
/* A longer search is rarely worth its time, and published figures end here. */
#define EVALUATIONS_DEFAULT 200

struct context {
	const struct at_cli_arguments *arguments;
	struct at_recording **recordings;
	size_t recording_count;
	char **strategies;
	size_t strategy_count;
	struct at_simulate_options options;
	struct at_simulation *simulation;
};

/* ---- figures as text --------------------------------------------------------- */

static void add_padded(struct at_strbuf *out, const char *text, size_t width)
{
	size_t start = out->length;

	at_format_plain(out, text);
	at_format_pad(out, start, width);
}

/* Appends an area and the fractions at the marks: the rest of a line. */
static void write_scores(const struct context *self,
	const struct at_score_estimate *area, const struct at_score_estimate *fraction,
	struct at_strbuf *out)
{
	if (isnan(area->value))
		at_strbuf_addf(out, "%6s %19s", "-", "");
	else
		at_strbuf_addf(out, "%+6.3f (%+.3f to %+.3f)", area->value, area->low,
			area->high);
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++)
		if (at_simulate_marks[m] <= self->simulation->horizon)
			at_strbuf_addf(out, "  %.3f", fraction[m].value);
}

static void write_figures(const struct context *self, const char *strategy,
	const struct at_simulate_figures *figures, size_t width, struct at_strbuf *out)
{
	at_strbuf_add(out, "  ");
	add_padded(out, strategy, width);
	if (!figures->runs) {
		at_strbuf_add(out, "no run came to an end\n");
		return;
	}
	write_scores(self, &figures->area, figures->fraction, out);
	at_strbuf_addf(out, "  %8.3f", figures->strategy_seconds * 1e3);
	if (figures->failed)
		at_strbuf_addf(out, "  %zu runs failed", figures->failed);
	at_strbuf_add_char(out, '\n');
	if (self->options.compilers) {
		at_strbuf_add(out, "  ");
		add_padded(out, "  by time", width);
		write_scores(self, &figures->area_timed, figures->fraction_timed, out);
		at_strbuf_add_char(out, '\n');
	}
	at_strbuf_addf(out,
		"    left to gain: exploration %.2f %%, selection %.2f %%\n",
		figures->exploration * 100, figures->selection * 100);
	if (!figures->stopped)
		return;
	at_strbuf_addf(out,
		"    stopped by itself in %zu of %zu runs, after %.0f evaluations",
		figures->stopped, figures->runs, figures->stopped_evaluations);
	if (figures->stopped_early)
		at_strbuf_addf(out, "; %zu times with %.1f %% left to gain",
			figures->stopped_early, figures->stopped_early_loss * 100);
	at_strbuf_add_char(out, '\n');
}

/* The figures of a recording, or of all (recording_count). */
static void write_table(const struct context *self, size_t recording, size_t width,
	struct at_strbuf *out)
{
	const struct at_simulation *simulation = self->simulation;

	at_strbuf_add(out, "  ");
	add_padded(out, "strategy", width);
	at_strbuf_add(out, "  area (95 %)              ");
	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++)
		if (at_simulate_marks[m] <= simulation->horizon)
			at_strbuf_addf(out, "  %5zu", at_simulate_marks[m]);
	at_strbuf_add(out, "  ms/eval.\n");
	for (size_t s = 0; s < self->strategy_count; s++)
		write_figures(self, self->strategies[s],
			recording < self->recording_count
				? &simulation
					   ->cells[recording * self->strategy_count + s]
					   .figures
				: &simulation->totals[s],
			width, out);
	at_strbuf_add_char(out, '\n');
}

static void write_text(const struct context *self, struct at_strbuf *out)
{
	const struct at_simulation *simulation = self->simulation;
	struct at_strbuf foot = { 0 };
	size_t width = sizeof("strategy");

	for (size_t s = 0; s < self->strategy_count; s++)
		if (strlen(self->strategies[s]) + 2 > width)
			width = strlen(self->strategies[s]) + 2;
	for (size_t i = 0; i < self->recording_count; i++) {
		const struct at_recording *recording = self->recordings[i];
		size_t passed = 0;

		for (size_t k = 0; k < recording->count; k++)
			passed += recording->results[k].outcome == AT_OUTCOME_OK;
		at_format_plain(out, recording->name, ": ");
		/* some files name neither */
		at_format_plain(out, recording->kernel);
		if (*recording->device)
			at_strbuf_add(out, *recording->kernel ? " on " : "on ");
		at_format_plain(out, recording->device);
		if (*recording->kernel || *recording->device)
			at_strbuf_add(out, ", ");
		at_strbuf_addf(out, "%s%s", at_format_count(recording->count).text,
			recording->count == 1 ? " configuration" : " configurations");
		if (passed < recording->count)
			at_strbuf_addf(out, "; %s failed",
				at_format_count(recording->count - passed).text);
		at_strbuf_addf(out, "; best %s%s",
			at_format_time(simulation->scores[i].optimum).text,
			recording->is_cut ? "; the file ends too early\n" : "\n");
		write_table(self, i, width, out);
	}
	if (self->recording_count > 1) {
		at_strbuf_addf(out, "all %zu recordings, each weighing the same\n",
			self->recording_count);
		write_table(self, self->recording_count, width, out);
	}
	at_strbuf_addf(&foot, "%zu runs each, ", simulation->repeats);
	if (self->options.compilers)
		at_strbuf_addf(&foot, "%zu compilers in virtual time",
			self->options.compilers);
	else
		at_strbuf_addf(&foot, "%zu in flight", self->options.in_flight);
	at_strbuf_add(&foot,
		". area: 0 is random search, 1 the optimum at once. Then the median fraction of the optimum after so many distinct evaluations");
	if (self->options.compilers)
		at_strbuf_add(&foot,
			", and by time after the time that so many take on average");
	at_strbuf_add(&foot,
		". ms/eval.: processor time of the strategy. Left to gain at the end, on average: the best was never measured (exploration); it was, and lost in finals with noise as recorded (selection).");
	at_format_wrap(
		out, at_strbuf_text(&foot), 0, 0, at_cli_help_columns(STDOUT_FILENO));
	at_strbuf_add_char(out, '\n');
	at_strbuf_release(&foot);
}

/* ---- figures as JSON --------------------------------------------------------- */

static struct at_json *interval_to_json(const struct at_score_estimate *estimate)
{
	struct at_json *array = at_json_array();

	at_json_append(array, at_json_real(estimate->low));
	at_json_append(array, at_json_real(estimate->high));
	return array;
}

/* {"10": ..., "20": ...}: the fractions or their intervals */
static struct at_json *marks_to_json(const struct context *self,
	const struct at_score_estimate *fraction, bool intervals)
{
	struct at_json *object = at_json_object();

	for (size_t m = 0; m < AT_SIMULATE_MARK_COUNT; m++) {
		char key[24];

		if (at_simulate_marks[m] > self->simulation->horizon)
			continue;
		snprintf(key, sizeof(key), "%zu", at_simulate_marks[m]);
		at_json_set(object, key,
			intervals ? interval_to_json(&fraction[m])
				  : at_json_real(fraction[m].value));
	}
	return object;
}

static void set_figures(const struct context *self,
	const struct at_simulate_figures *figures, struct at_json *object)
{
	struct at_json *stopped = at_json_object(), *gap = at_json_object();

	at_json_set(stopped, "runs", figures->stopped);
	at_json_set(stopped, "evaluations", figures->stopped_evaluations);
	at_json_set(stopped, "early_runs", figures->stopped_early);
	at_json_set(stopped, "early_loss", figures->stopped_early_loss);
	at_json_set(gap, "exploration", figures->exploration);
	at_json_set(gap, "selection", figures->selection);
	at_json_set(object, "repeats", figures->runs);
	at_json_set(object, "failed_runs", figures->failed);
	at_json_set(object, "evaluations", self->options.evaluations);
	at_json_set(object, "in_flight",
		at_json_known(self->options.in_flight ? (int64_t)self->options.in_flight
						      : -1));
	at_json_set(object, "jobs",
		at_json_known(self->options.compilers ? (int64_t)self->options.compilers
						      : -1));
	at_json_set(object, "fraction", marks_to_json(self, figures->fraction, false));
	at_json_set(object, "fraction_interval",
		marks_to_json(self, figures->fraction, true));
	at_json_set(object, "area", figures->area.value);
	at_json_set(object, "area_interval", interval_to_json(&figures->area));
	if (self->options.compilers) {
		at_json_set(object, "fraction_timed",
			marks_to_json(self, figures->fraction_timed, false));
		at_json_set(object, "fraction_timed_interval",
			marks_to_json(self, figures->fraction_timed, true));
		at_json_set(object, "area_timed", figures->area_timed.value);
		at_json_set(object, "area_timed_interval",
			interval_to_json(&figures->area_timed));
	}
	at_json_set(object, "stopped", stopped);
	at_json_set(object, "gap", gap);
	at_json_set(
		object, "strategy_seconds_per_evaluation", figures->strategy_seconds);
}

static void print_json(const struct context *self)
{
	for (size_t c = 0; c < self->recording_count * self->strategy_count; c++) {
		const struct at_simulate_cell *cell = &self->simulation->cells[c];
		const struct at_recording *recording =
			self->recordings[cell->recording];
		struct at_json *object = at_json_object();

		at_json_set(object, "event", "simulation");
		at_json_set(object, "recording", recording->path);
		at_json_set(object, "kernel", recording->kernel);
		at_json_set(object, "device", recording->device);
		at_json_set(object, "configurations", recording->count);
		at_json_set(object, "optimum_ns",
			self->simulation->scores[cell->recording].optimum);
		at_json_set(object, "strategy", self->strategies[cell->strategy]);
		if (self->options.compilers)
			at_json_set(object, "mean_seconds",
				self->simulation->mean_seconds[cell->recording]);
		set_figures(self, &cell->figures, object);
		at_print_json(object);
	}
	for (size_t s = 0; s < self->strategy_count; s++) {
		struct at_json *object = at_json_object();

		at_json_set(object, "event", "simulation_total");
		at_json_set(object, "recordings", self->recording_count);
		at_json_set(object, "strategy", self->strategies[s]);
		set_figures(self, &self->simulation->totals[s], object);
		at_print_json(object);
	}
}

/* ---- --trace: data for other programs that score the runs ---------------------- */

/* {"TILE": 16, ...} */
static struct at_json *configuration(const struct at_recording *recording, size_t row)
{
	struct at_json *object = at_json_object();

	for (size_t i = 0; i < recording->parameter_count; i++) {
		const struct at_search_parameter *parameter = &recording->parameters[i];
		uint16_t value = recording->rows[row * recording->parameter_count + i];

		at_json_set(object, parameter->name,
			at_value_to_json(parameter->values[value]));
	}
	return object;
}

static void write_run(const struct context *view, const struct at_simulate_cell *cell,
	size_t repeat, FILE *file, struct at_strbuf *line)
{
	const struct at_recording *recording = view->recordings[cell->recording];
	const struct at_simulate_run *run = &cell->runs[repeat];
	double best = INFINITY;

	for (size_t i = 0; i < run->count; i++) {
		const struct at_recorded *result =
			&recording->results[run->steps[i].row];
		struct at_json *object = at_json_object();

		if (result->outcome == AT_OUTCOME_OK)
			best = fmin(best, result->time_ns);
		at_json_set(object, "recording", recording->path);
		at_json_set(object, "strategy", view->strategies[cell->strategy]);
		at_json_set(object, "repeat", repeat);
		at_json_set(object, "n", (int64_t)i + 1);
		at_json_set(object, "configuration",
			configuration(recording, run->steps[i].row));
		at_json_set(object, "outcome", at_outcome_name(result->outcome));
		/* null: cost for a failure, best before the first success */
		at_json_set(object, "cost", result->time_ns);
		at_json_set(object, "best", best);
		if (view->simulation->mean_seconds[cell->recording] > 0)
			at_json_set(
				object, "seconds", (double)run->steps[i].at_ns * 1e-9);
		at_strbuf_clear(line);
		at_json_write(object, 0, line);
		at_json_free(object);
		at_strbuf_add_char(line, '\n');
		/* errors are noticed when the file is closed */
		fwrite(at_strbuf_text(line), 1, line->length, file);
	}
}

static enum at_status write_trace(
	const struct context *view, const char *path, struct at_error *err)
{
	const struct at_simulation *simulation = view->simulation;
	size_t cells = simulation->recording_count * simulation->strategy_count;
	struct at_strbuf line = { 0 };
	FILE *file = fopen(path, "w");
	enum at_status status = AT_OK;
	int is_broken;

	if (!file)
		return at_fail(
			err, AT_EIO, path, 0, "cannot write it: %s", strerror(errno));
	for (size_t c = 0; c < cells; c++)
		for (size_t r = 0; r < simulation->repeats; r++)
			write_run(view, &simulation->cells[c], r, file, &line);
	at_strbuf_release(&line);
	is_broken = ferror(file);
	if (fclose(file) || is_broken)
		status = at_fail(
			err, AT_EIO, path, 0, "cannot write it: %s", strerror(errno));
	return status;
}

/* ---- --plot: one self-contained SVG. Evaluations are on a logarithmic axis, since the
   first twenty matter as much as the last hundred */

/* In pixels; two panels side by side fill a page. */
#define PANEL_WIDTH 460
#define PANEL_HEIGHT 300
#define COLUMNS 2
/* Margins of a panel for the labels of its axes. */
#define LEFT 52
#define RIGHT 12
#define TOP 30
#define BOTTOM 40
#define LEGEND_ROW 20

/* Colours distinguishable with colour blindness (Okabe and Ito 2008, "Color Universal
   Design"). After eight strategies they repeat with dashes. */
static const char *const colors[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
	"#e69f00", "#56b4e9", "#000000", "#b8a800" };
static const char *const dashes[] = { "", "6 3", "2 3" };

struct plot {
	const struct context *context;
	struct at_strbuf *out;
	size_t panel_count;
	double lowest; /* the fraction at the lower end of every panel */
};

static double across(const struct plot *self, size_t evaluations)
{
	double share = log((double)evaluations) /
		       log((double)self->context->simulation->horizon);

	return LEFT + (PANEL_WIDTH - LEFT - RIGHT) * share;
}

static double down(const struct plot *self, double fraction)
{
	double share = (1 - fraction) / (1 - self->lowest);

	/* a curve may leave the axis a little; the panel's frame clips it */
	return TOP + (PANEL_HEIGHT - TOP - BOTTOM) * fmin(share, 1.2);
}

/* In place of a strategy: the exact expectation of random search. */
#define EXPECTED SIZE_MAX

/* A quartile of a strategy on a panel; the last panel has the mean of all. */
static double value_at(
	const struct plot *self, size_t panel, size_t strategy, size_t q, size_t i)
{
	const struct at_simulation *simulation = self->context->simulation;
	bool is_all = panel == simulation->recording_count;
	size_t used = 0;
	double sum = 0;

	for (size_t r = 0; r < simulation->recording_count; r++) {
		const struct at_simulate_cell *cells =
			simulation->cells + r * simulation->strategy_count;

		if ((r != panel && !is_all) ||
			(strategy != EXPECTED && !cells[strategy].figures.runs))
			continue;
		sum += strategy == EXPECTED ? simulation->scores[r].optimum /
						      simulation->scores[r].expected[i]
					    : cells[strategy].quartiles[q][i];
		used++;
	}
	return used ? sum / (double)used : 0;
}

/* Appends the points of a curve, backwards if it continues another curve. */
static void add_points(
	const struct plot *self, size_t panel, size_t strategy, size_t q, bool is_back)
{
	size_t horizon = self->context->simulation->horizon;

	for (size_t k = 0; k < horizon; k++) {
		size_t i = is_back ? horizon - 1 - k : k;

		at_strbuf_addf(self->out, "%c%.1f %.1f", k || is_back ? 'L' : 'M',
			across(self, i + 1),
			down(self, value_at(self, panel, strategy, q, i)));
	}
}

static void add_stroke(const struct plot *self, size_t strategy)
{
	size_t dash = strategy / AT_COUNT_OF(colors) % AT_COUNT_OF(dashes);

	at_strbuf_addf(self->out, "fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"",
		colors[strategy % AT_COUNT_OF(colors)]);
	if (dash)
		at_strbuf_addf(self->out, " stroke-dasharray=\"%s\"", dashes[dash]);
	at_strbuf_add(self->out, "/>\n");
}

static void add_panel(const struct plot *self, size_t panel, double head)
{
	const struct at_simulation *simulation = self->context->simulation;
	bool is_all = panel == simulation->recording_count;
	struct at_strbuf *out = self->out;
	size_t row = panel / COLUMNS;
	double step = 1 - self->lowest > 0.5 ? 0.2 : 0.1;
	static const size_t ticks[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000,
		5000, 10000, 100000, 1000000 };

	at_strbuf_addf(out, "<g transform=\"translate(%zu %.0f)\">\n",
		panel % COLUMNS * PANEL_WIDTH, head + (double)(row * PANEL_HEIGHT));
	at_strbuf_addf(out, "<text x=\"%d\" y=\"18\" class=\"title\">", LEFT);
	at_escape_xml(out,
		is_all ? "all, on average" : self->context->recordings[panel]->name);
	at_strbuf_add(out, "</text>\n");
	for (size_t i = 0; i < AT_COUNT_OF(ticks) && ticks[i] <= simulation->horizon;
		i++)
		at_strbuf_addf(out,
			"<path d=\"M%.1f %d V%d\" class=\"grid\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%zu</text>\n",
			across(self, ticks[i]), TOP, PANEL_HEIGHT - BOTTOM,
			across(self, ticks[i]), PANEL_HEIGHT - BOTTOM + 14, ticks[i]);
	for (int i = 0; 1 - i * step > self->lowest - 1e-9; i++) {
		double at = 1 - i * step;

		at_strbuf_addf(out,
			"<path d=\"M%d %.1f H%d\" class=\"grid\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f</text>\n",
			LEFT, down(self, at), PANEL_WIDTH - RIGHT, LEFT - 6,
			down(self, at) + 4, fabs(at));
	}
	at_strbuf_addf(out,
		"<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">evaluations (logarithmic)</text>\n<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">fraction of the optimum</text>\n",
		(LEFT + PANEL_WIDTH - RIGHT) / 2, PANEL_HEIGHT - BOTTOM + 30,
		(TOP + PANEL_HEIGHT - BOTTOM) / 2);
	at_strbuf_add(out, "<g clip-path=\"url(#panel)\">\n");
	for (size_t s = 0; s < simulation->strategy_count; s++) {
		at_strbuf_add(out, "<path d=\"");
		add_points(self, panel, s, 0, false);
		add_points(self, panel, s, 2, true);
		at_strbuf_addf(out, "Z\" fill=\"%s\" fill-opacity=\"0.13\"/>\n",
			colors[s % AT_COUNT_OF(colors)]);
	}
	at_strbuf_add(out, "<path d=\"");
	add_points(self, panel, EXPECTED, 0, false);
	at_strbuf_add(out, "\" class=\"expected\"/>\n");
	for (size_t s = 0; s < simulation->strategy_count; s++) {
		at_strbuf_add(out, "<path d=\"");
		add_points(self, panel, s, 1, false);
		at_strbuf_add(out, "\" ");
		add_stroke(self, s);
	}
	at_strbuf_add(out, "</g>\n</g>\n");
}

static void add_legend(const struct plot *self)
{
	const struct at_simulation *simulation = self->context->simulation;

	for (size_t s = 0; s <= simulation->strategy_count; s++) {
		double y = LEGEND_ROW * (double)(s + 1);

		at_strbuf_addf(self->out, "<path d=\"M%d %.0f h28\" ", LEFT, y - 4);
		if (s < simulation->strategy_count) {
			add_stroke(self, s);
			at_strbuf_addf(
				self->out, "<text x=\"%d\" y=\"%.0f\">", LEFT + 36, y);
			at_escape_xml(self->out, self->context->strategies[s]);
			at_strbuf_addf(self->out, ", area %+.3f",
				simulation->totals[s].area.value);
		} else {
			at_strbuf_addf(self->out,
				"class=\"expected\"/>\n<text x=\"%d\" y=\"%.0f\">expected of random search",
				LEFT + 36, y);
		}
		at_strbuf_add(self->out, "</text>\n");
	}
	at_strbuf_addf(self->out,
		"<text x=\"%d\" y=\"%d\" text-anchor=\"end\">lines: median of %zu runs; bands: their middle half</text>\n",
		COLUMNS * PANEL_WIDTH - RIGHT, LEGEND_ROW, simulation->repeats);
}

/* A tenth below the lower quartile of the slowest strategy after ten evaluations.
   Earlier values are of little interest and would compress the rest. */
static double find_lowest(const struct plot *self)
{
	const struct at_simulation *simulation = self->context->simulation;
	size_t at = simulation->horizon < 10 ? simulation->horizon - 1 : 9;
	double lowest = 0.9;

	for (size_t p = 0; p < self->panel_count; p++)
		for (size_t s = 0; s < simulation->strategy_count; s++)
			lowest = fmin(lowest, value_at(self, p, s, 0, at));
	return fmax(0, floor(lowest * 10) / 10 - 0.1);
}

/*
 * Appends convergence curves as one SVG: a panel for each recording and one for all,
 * with the median of each strategy and its quartiles.
 */
static void write_plot(const struct context *context, struct at_strbuf *out)
{
	const struct at_simulation *simulation = context->simulation;
	struct plot self = {
		.context = context,
		.out = out,
		/* a single recording needs no panel of all */
		.panel_count =
			simulation->recording_count + (simulation->recording_count > 1),
	};
	double head = LEGEND_ROW * (double)(simulation->strategy_count + 2);
	size_t rows = (self.panel_count + COLUMNS - 1) / COLUMNS;

	self.lowest = find_lowest(&self);
	at_strbuf_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n<style>.grid{stroke:#ddd}.title{font-weight:bold}.expected{fill:none;stroke:#888;stroke-dasharray:4 3}</style>\n<clipPath id=\"panel\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		COLUMNS * PANEL_WIDTH, head + (double)rows * PANEL_HEIGHT,
		COLUMNS * PANEL_WIDTH, head + (double)rows * PANEL_HEIGHT, LEFT,
		TOP - 2, PANEL_WIDTH - LEFT - RIGHT + 2,
		PANEL_HEIGHT - TOP - BOTTOM + 3);
	add_legend(&self);
	for (size_t p = 0; p < self.panel_count; p++)
		add_panel(&self, p, head);
	at_strbuf_add(out, "</svg>\n");
}

/* ---- the command ------------------------------------------------------------- */

static void add_strategy(struct context *self, const char *text, size_t length)
{
	char **more = at_realloc(
		self->strategies, (self->strategy_count + 1) * sizeof(*more));

	self->strategies = more;
	more[self->strategy_count] = at_strndup(text, length);
	self->strategy_count++;
}

static enum at_status read_recordings(struct context *self, struct at_error *err)
{
	size_t count = self->arguments->operand_count;
	enum at_status status = AT_OK;

	self->recordings = at_calloc(count + 1, sizeof(*self->recordings));
	for (size_t i = 0; i < count; i++) {
		/* hundreds of megabytes take seconds */
		at_output_status("reading %zu of %zu recordings", i + 1, count);
		status = at_replay_load(
			self->arguments->operands[i], &self->recordings[i], err);
		if (status)
			break;
		self->recording_count++;
		at_note_recording(self->arguments->operands[i], self->recordings[i]);
	}
	at_output_status(NULL);
	return status;
}

static void show_progress(void *context, size_t done, size_t total)
{
	(void)context;
	at_output_status(done < total ? "%zu of %zu runs" : NULL, done, total);
}

/* Reports the first failure of each strategy on each recording. */
static void tell_failures(const struct context *self)
{
	for (size_t c = 0; c < self->recording_count * self->strategy_count; c++) {
		const struct at_simulate_cell *cell = &self->simulation->cells[c];

		for (size_t r = 0; r < self->options.repeats; r++) {
			if (!*cell->runs[r].failure)
				continue;
			at_say("autotune: %s on %s: %zu of %zu runs failed; run %zu: %s",
				self->strategies[cell->strategy],
				self->recordings[cell->recording]->name,
				cell->figures.failed, self->options.repeats, r,
				cell->runs[r].failure);
			break;
		}
	}
}

static enum at_status write_files(const struct context *self, struct at_error *err)
{
	const char *trace = at_cli_text(self->arguments, "trace", NULL);
	const char *plot = at_cli_text(self->arguments, "plot", NULL);
	struct at_strbuf text = { 0 };
	enum at_status status = AT_OK;

	if (trace)
		status = write_trace(self, trace, err);
	if (status || !plot)
		return status;
	write_plot(self, &text);
	status = at_file_replace_inside(NULL, plot, &text, err);
	at_strbuf_release(&text);
	return status;
}

static enum at_exit run_simulate(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct context self = {
		.arguments = arguments,
		.options = {
			.repeats = (size_t)at_cli_whole(
				arguments, "repeats", REPEATS_DEFAULT),
			.evaluations = (size_t)at_cli_whole(arguments,
				"evaluations", EVALUATIONS_DEFAULT),
			.compilers = (size_t)at_cli_whole(arguments, "jobs", 0),
			.seed = (uint64_t)at_cli_whole(arguments, "seed", 0),
			.progress = show_progress,
		},
	};
	struct at_strbuf text = { 0 };
	enum at_exit code = AT_EXIT_FAILED;
	enum at_status status = AT_OK;
	const struct at_strategy_kind *kind;
	const char *const *given = NULL;
	size_t count = 0;

	at_cli_each(self.arguments, "strategy", &given, &count);
	for (size_t i = 0; i < count; i++)
		for (const char *at = given[i];; at++) {
			size_t length = at_cli_strategy_length(at);

			add_strategy(&self, at, length);
			at += length;
			if (!*at)
				break;
		}
	for (size_t i = 0; !count && (kind = at_strategy_kind_at(i)); i++)
		add_strategy(&self, kind->name, strlen(kind->name));
	free((void *)given);
	status = read_recordings(&self, err);
	self.options.in_flight = (size_t)at_cli_whole(
		arguments, "in-flight", self.options.compilers ? 0 : 1);
	self.options.strategies = (const char *const *)self.strategies;
	self.options.strategy_count = self.strategy_count;
	if (!status)
		status = at_simulate(
			(const struct at_recording *const *)self.recordings,
			self.recording_count, &self.options, &self.simulation, err);
	if (!status) {
		if (at_cli_given(arguments, "json")) {
			print_json(&self);
		} else {
			write_text(&self, &text);
			at_print_folded(&text);
		}
		tell_failures(&self);
		status = write_files(&self, err);
	}
	if (!status)
		code = AT_EXIT_DONE;
	for (size_t s = 0; s < self.strategy_count && !status; s++)
		if (self.simulation->totals[s].failed)
			code = AT_EXIT_FAILED;
	at_strbuf_release(&text);
	at_simulation_free(self.simulation);
	for (size_t i = 0; i < self.recording_count; i++)
		at_recording_free(self.recordings[i]);
	free(self.recordings);
	for (size_t i = 0; i < self.strategy_count; i++)
		free(self.strategies[i]);
	free(self.strategies);
	return code;
}

/* A line of the help for each kind of planted space. */
#define KIND_LINE(name, text, ...) "\n  " #name ": " text

static const struct at_cli_option options[] = {
	{ "repeats", AT_CLI_WHOLE, "N",
		.help = "search each recording N times with each strategy (default: 100)",
		.minimum = 1, .maximum = 100000 },
	{ "evaluations", AT_CLI_WHOLE, "N",
		.help = "end each search after N distinct evaluations (default: 200)",
		.minimum = 1, .maximum = 1000000 },
	{ "in-flight", AT_CLI_WHOLE, "N",
		.help = "evaluate N configurations at once (default: 1; with --jobs, as many as keep everything busy). Without --jobs, results arrive in the order asked",
		.minimum = 1, .maximum = 1000000 },
	{ "trace", AT_CLI_TEXT, "FILE",
		.help = "write every evaluation of every search to this file, one JSON object per line",
		.check = at_cli_check_not_empty },
	{ "plot", AT_CLI_TEXT, "FILE.svg",
		.help = "draw convergence curves into this file",
		.check = at_cli_check_not_empty },
	{ .name = NULL },
};

const struct at_cli_command at_command_simulate = {
	.name = "simulate",
	.operands = "RECORDING...",
	.summary = "compare search strategies on recordings; no device is needed",
	.details =
		"RECORDING is one of three: a T4 file, a cache file of Kernel Tuner, or CSV, compressed by gzip or not; a record of autotune, as results/autotune.db,space=NAME,problem=NAME,device=MODEL, where a key may be left out if the record leaves no choice, and evaluations of an older source are not used; or planted:KIND[,seed=N][,size=N], a space that is made from a seed, of about 10000 configurations if no size is given. Each search is a process of its own; as many run at once as there are cores that autotune may use.\n"
		"\n"
		"  autotune simulate convolution.json.gz\n"
		"  autotune simulate *.json.gz --strategy random,auto --in-flight 16 --json\n"
		"  autotune simulate planted:cliffs,seed=3 --plot curves.svg\n"
		"\n"
		"Kinds of planted spaces:" AT_PLANTED_KINDS(KIND_LINE),
	.options = "strategy repeats evaluations in-flight jobs seed json trace plot",
	.own = options,
	.run = run_simulate,
};
