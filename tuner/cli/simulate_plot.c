/*
 * autotune simulate --plot: convergence curves as one self-contained SVG. Evaluations
 * are on a logarithmic axis, since the first twenty matter as much as the last
 * hundred.
 */
#include "cli/simulate.h"

#include "base/escape.h"

#include <math.h>
#include <stdlib.h>

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

/* Colours that people with colour blindness can distinguish (Okabe and Ito 2008, "Color
   Universal Design"). Beyond eight strategies they repeat with dashes. */
static const char *const colors[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
	"#e69f00", "#56b4e9", "#000000", "#b8a800" };
static const char *const dashes[] = { "", "6 3", "2 3" };

struct plot {
	const struct at_simulate_view *view;
	struct at_strbuf *out;
	size_t panel_count;
	double lowest; /* the fraction at the lower end of every panel */
};

static double across(const struct plot *self, size_t evaluations)
{
	double share =
		log((double)evaluations) / log((double)self->view->simulation->horizon);

	return LEFT + (PANEL_WIDTH - LEFT - RIGHT) * share;
}

static double down(const struct plot *self, double fraction)
{
	double share = (1 - fraction) / (1 - self->lowest);

	/* A curve may leave the axis a little; the panel's frame clips it. */
	return TOP + (PANEL_HEIGHT - TOP - BOTTOM) * fmin(share, 1.2);
}

/* A quartile of a strategy on a panel; the last panel has the mean of all. */
static double quartile(
	const struct plot *self, size_t panel, size_t strategy, size_t q, size_t i)
{
	const struct at_simulation *simulation = self->view->simulation;
	size_t first = panel, end = panel + 1, used = 0;
	double sum = 0;

	if (panel == simulation->recording_count) {
		first = 0;
		end = simulation->recording_count;
	}
	for (size_t r = first; r < end; r++) {
		const struct at_simulate_cell *cell =
			&simulation->cells[r * simulation->strategy_count + strategy];

		if (!cell->figures.runs)
			continue;
		sum += cell->quartiles[q][i];
		used++;
	}
	return used ? sum / (double)used : 0;
}

/* The exact expectation of random search. */
static double expected(const struct plot *self, size_t panel, size_t i)
{
	const struct at_simulation *simulation = self->view->simulation;
	size_t first = panel, end = panel + 1;
	double sum = 0;

	if (panel == simulation->recording_count) {
		first = 0;
		end = simulation->recording_count;
	}
	for (size_t r = first; r < end; r++)
		sum += simulation->scores[r].optimum /
		       simulation->scores[r].expected[i];
	return sum / (double)(end - first);
}

static void add_axes(const struct plot *self, const char *title)
{
	static const size_t ticks[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000,
		5000, 10000, 100000, 1000000 };
	size_t horizon = self->view->simulation->horizon;
	struct at_strbuf *out = self->out;
	double step = 1 - self->lowest > 0.5 ? 0.2 : 0.1;

	at_strbuf_addf(out, "<text x=\"%d\" y=\"18\" class=\"title\">", LEFT);
	at_escape_xml(out, title);
	at_strbuf_add(out, "</text>\n");
	for (size_t i = 0; i < AT_COUNT_OF(ticks) && ticks[i] <= horizon; i++)
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
}

static void add_band(const struct plot *self, size_t panel, size_t strategy)
{
	size_t horizon = self->view->simulation->horizon;

	at_strbuf_add(self->out, "<path d=\"");
	for (size_t i = 0; i < horizon; i++)
		at_strbuf_addf(self->out, "%c%.1f %.1f", i ? 'L' : 'M',
			across(self, i + 1),
			down(self, quartile(self, panel, strategy, 0, i)));
	for (size_t i = horizon; i-- > 0;)
		at_strbuf_addf(self->out, "L%.1f %.1f", across(self, i + 1),
			down(self, quartile(self, panel, strategy, 2, i)));
	at_strbuf_addf(self->out, "Z\" fill=\"%s\" fill-opacity=\"0.13\"/>\n",
		colors[strategy % AT_COUNT_OF(colors)]);
}

/* Appends the style of a strategy's line. */
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
	const struct at_simulation *simulation = self->view->simulation;
	bool is_all = panel == simulation->recording_count;
	size_t row = panel / COLUMNS;

	at_strbuf_addf(self->out, "<g transform=\"translate(%zu %.0f)\">\n",
		panel % COLUMNS * PANEL_WIDTH, head + (double)(row * PANEL_HEIGHT));
	add_axes(
		self, is_all ? "all, on average" : self->view->recordings[panel]->name);
	at_strbuf_add(self->out, "<g clip-path=\"url(#panel)\">\n");
	for (size_t s = 0; s < simulation->strategy_count; s++)
		add_band(self, panel, s);
	at_strbuf_add(self->out, "<path d=\"");
	for (size_t i = 0; i < simulation->horizon; i++)
		at_strbuf_addf(self->out, "%c%.1f %.1f", i ? 'L' : 'M',
			across(self, i + 1), down(self, expected(self, panel, i)));
	at_strbuf_add(self->out, "\" class=\"expected\"/>\n");
	for (size_t s = 0; s < simulation->strategy_count; s++) {
		at_strbuf_add(self->out, "<path d=\"");
		for (size_t i = 0; i < simulation->horizon; i++)
			at_strbuf_addf(self->out, "%c%.1f %.1f", i ? 'L' : 'M',
				across(self, i + 1),
				down(self, quartile(self, panel, s, 1, i)));
		at_strbuf_add(self->out, "\" ");
		add_stroke(self, s);
	}
	at_strbuf_add(self->out, "</g>\n</g>\n");
}

static void add_legend(const struct plot *self)
{
	const struct at_simulation *simulation = self->view->simulation;

	for (size_t s = 0; s <= simulation->strategy_count; s++) {
		double y = LEGEND_ROW * (double)(s + 1);

		at_strbuf_addf(self->out, "<path d=\"M%d %.0f h28\" ", LEFT, y - 4);
		if (s < simulation->strategy_count) {
			add_stroke(self, s);
			at_strbuf_addf(
				self->out, "<text x=\"%d\" y=\"%.0f\">", LEFT + 36, y);
			at_escape_xml(self->out, self->view->strategies[s]);
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

/* A tenth below the lower quartile of the slowest strategy after ten evaluations. What
   comes before is of little interest and would compress the rest. */
static double find_lowest(const struct plot *self)
{
	const struct at_simulation *simulation = self->view->simulation;
	size_t at = simulation->horizon < 10 ? simulation->horizon - 1 : 9;
	double lowest = 0.9;

	for (size_t p = 0; p < self->panel_count; p++)
		for (size_t s = 0; s < simulation->strategy_count; s++)
			lowest = fmin(lowest, quartile(self, p, s, 0, at));
	return fmax(0, floor(lowest * 10) / 10 - 0.1);
}

void at_simulate_write_plot(const struct at_simulate_view *view, struct at_strbuf *out)
{
	const struct at_simulation *simulation = view->simulation;
	struct plot self = {
		.view = view,
		.out = out,
		/* The panel of all recordings is left out where there is only one. */
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
