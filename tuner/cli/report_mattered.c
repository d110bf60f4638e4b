/* The section "What mattered" of a report as text (cli/report_text.h). */
#include "cli/report_text.h"

#include "base/memory.h"
#include "cli/format.h"
#include "cli/gains.h"

#include <math.h>
#include <stdlib.h>

/* Length of the bar of the largest share. */
#define BAR_WIDTH 24
/* The table of two parameters: the column where cells begin, and their width. */
#define CELLS_BEGIN 14
#define CELL_WIDTH 10
/* Of a parameter with more values only those with the best times are shown. */
#define ROWS_MOST 12

static void add_bar(struct at_strbuf *out, double share, double largest)
{
	int length =
		largest > 0 && share > 0 ? (int)(BAR_WIDTH * share / largest + 0.5) : 0;

	for (int i = 0; i < length; i++)
		at_strbuf_add_char(out, '#');
}

static void add_importance(struct at_report_text *self)
{
	const struct at_importance *importance = &self->part->evaluations.importance;
	const struct at_report_evaluations *evaluations = &self->part->evaluations;
	struct at_strbuf line = { 0 };
	double largest = 0;

	for (size_t i = 0; i < importance->count; i++)
		largest = fmax(largest, importance->shares[i]);
	if (!importance->count)
		return;
	at_strbuf_add(&line,
		"a model as the search uses, of what times vary by; permutation importance on ");
	at_format_count(&line, importance->judged_count);
	at_strbuf_add(&line, " evaluations, after learning from ");
	at_format_count(&line, importance->learned_count);
	at_strbuf_add(&line, " others; it explains ");
	at_format_share(&line, fmax(0, importance->explained));
	if (importance->explained < 0.5)
		at_strbuf_add(&line, ", too little to believe it");
	at_report_text_entry(self, "model", &line);
	for (size_t i = 0; i < importance->count; i++) {
		size_t start = self->out->length;

		if (importance->shares[i] < 0.005)
			continue;
		at_strbuf_add(self->out, "    ");
		at_format_plain(self->out, evaluations->parameters[i].name);
		at_format_pad(self->out, start, 32);
		at_format_share(self->out, importance->shares[i]);
		at_format_pad(self->out, start, 39);
		add_bar(self->out, importance->shares[i], largest);
		at_strbuf_add_char(self->out, '\n');
	}
}

static void write_value(struct at_strbuf *out, const struct at_value *value)
{
	switch (value->type) {
	case AT_TYPE_INTEGER:
		at_strbuf_addf(out, "%lld", (long long)value->integer);
		break;
	case AT_TYPE_REAL:
		at_strbuf_addf(out, "%g", value->real);
		break;
	case AT_TYPE_BOOLEAN:
		at_strbuf_add(out, value->integer ? "true" : "false");
		break;
	case AT_TYPE_WORD:
		at_format_plain(out, value->word);
		break;
	case AT_TYPE_NONE:
		break;
	}
}

static double best_with(
	const struct at_report_part *part, size_t parameter, size_t value)
{
	const struct at_report_evaluations *self = &part->evaluations;
	double best = NAN;

	for (size_t i = 0; i < self->count; i++)
		if (self->values[i * self->parameter_count + parameter] == value)
			best = at_group_better(part->group, best, self->rows[i]);
	return best;
}

/* "PAD 0: 2.78 ms, 1: 2.91 ms": the best with each value, a line a parameter. */
static void add_values(struct at_report_text *self)
{
	const struct at_report_evaluations *evaluations = &self->part->evaluations;
	bool first = true;

	for (size_t p = 0; p < evaluations->parameter_count; p++) {
		const struct at_search_parameter *parameter =
			&evaluations->parameters[p];
		struct at_strbuf line = { 0 };

		if (parameter->value_count < 2)
			continue;
		at_strbuf_add(&line, parameter->name);
		for (size_t k = 0; k < parameter->value_count; k++) {
			double best = best_with(self->part, p, k);

			at_strbuf_add(&line, k ? ", " : " ");
			write_value(&line, &parameter->values[k]);
			at_strbuf_add(&line, ": ");
			if (isfinite(best))
				at_format_value(
					&line, self->part->group->objective, best);
			else
				at_strbuf_add(&line, "none passed");
		}
		at_report_text_entry(self, first ? "best with" : "", &line);
		first = false;
	}
}

/* ---- two parameters ----------------------------------------------------------------
 */

/* The best for each pair of values of two parameters. */
struct pairs {
	size_t across, down; /* indices of the parameters */
	double *cells; /* a row for each value of `down`; NAN: none passed */
};

/* The most important parameter other than `other`; SIZE_MAX: none has two values. */
static size_t most_important(
	const struct at_report_evaluations *evaluations, size_t other)
{
	const struct at_importance *importance = &evaluations->importance;
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < evaluations->parameter_count; i++) {
		if (i == other || evaluations->parameters[i].value_count < 2)
			continue;
		if (best == SIZE_MAX ||
			(importance->count &&
				importance->shares[i] > importance->shares[best]))
			best = i;
	}
	return best;
}

static void fill_pairs(const struct at_report_part *part, struct pairs *self)
{
	const struct at_report_evaluations *evaluations = &part->evaluations;
	size_t width = evaluations->parameters[self->across].value_count;
	size_t height = evaluations->parameters[self->down].value_count;

	for (size_t i = 0; i < width * height; i++)
		self->cells[i] = NAN;
	for (size_t i = 0; i < evaluations->count; i++) {
		const uint16_t *values =
			evaluations->values + i * evaluations->parameter_count;
		double *cell =
			&self->cells[values[self->down] * width + values[self->across]];

		*cell = at_group_better(part->group, *cell, evaluations->rows[i]);
	}
}

/* How many values of the parameter come before this one, the best first. */
static size_t rank_of(const struct at_report_part *part, size_t parameter, size_t value)
{
	const struct at_objective *objective = part->group->objective;
	double best = best_with(part, parameter, value);
	size_t rank = 0;

	for (size_t k = 0; k < part->evaluations.parameters[parameter].value_count;
		k++) {
		double other = best_with(part, parameter, k);

		rank += k != value &&
			(at_objective_better(objective, other, best) ||
				(k < value &&
					!at_objective_better(objective, best, other)));
	}
	return rank;
}

static void add_cell(struct at_strbuf *out, size_t start, size_t column,
	const struct at_objective *objective, double best)
{
	struct at_strbuf text = { 0 };

	if (isfinite(best))
		at_format_value(&text, objective, best);
	else
		at_strbuf_add_char(&text, '-');
	at_format_pad(out, start, column + CELL_WIDTH - text.length);
	at_strbuf_add(out, at_strbuf_text(&text));
	at_strbuf_release(&text);
}

/* Appends a value, cut to `columns`. */
static void add_value(struct at_strbuf *out, const struct at_value *value, int columns)
{
	struct at_strbuf text = { 0 };

	write_value(&text, value);
	at_format_fit(out, at_strbuf_text(&text), columns);
	at_strbuf_release(&text);
}

static void add_pair_rows(
	struct at_report_text *self, const struct pairs *pairs, size_t cells_most)
{
	const struct at_report_evaluations *evaluations = &self->part->evaluations;
	const struct at_search_parameter *across =
		&evaluations->parameters[pairs->across];
	const struct at_search_parameter *down = &evaluations->parameters[pairs->down];
	size_t start = self->out->length, column = CELLS_BEGIN;

	for (size_t k = 0; k < across->value_count; k++) {
		struct at_strbuf name = { 0 };

		if (rank_of(self->part, pairs->across, k) >= cells_most)
			continue;
		add_value(&name, &across->values[k], CELL_WIDTH - 1);
		at_format_pad(self->out, start, column + CELL_WIDTH - name.length);
		at_strbuf_add(self->out, at_strbuf_text(&name));
		at_strbuf_release(&name);
		column += CELL_WIDTH;
	}
	at_strbuf_add_char(self->out, '\n');
	for (size_t r = 0; r < down->value_count; r++) {
		if (rank_of(self->part, pairs->down, r) >= ROWS_MOST)
			continue;
		start = self->out->length;
		column = CELLS_BEGIN;
		at_strbuf_add(self->out, "    ");
		add_value(self->out, &down->values[r], CELLS_BEGIN - 5);
		for (size_t k = 0; k < across->value_count; k++) {
			if (rank_of(self->part, pairs->across, k) >= cells_most)
				continue;
			add_cell(self->out, start, column, self->part->group->objective,
				pairs->cells[r * across->value_count + k]);
			column += CELL_WIDTH;
		}
		at_strbuf_add_char(self->out, '\n');
	}
}

/* The best by the two most important parameters, which the page shows as a heat
   map. */
static void add_pairs(struct at_report_text *self)
{
	const struct at_report_evaluations *evaluations = &self->part->evaluations;
	const struct at_search_parameter *parameters = evaluations->parameters;
	size_t most = (size_t)(self->columns > 40 ? self->columns - CELLS_BEGIN : 40) /
		      CELL_WIDTH;
	struct pairs pairs = { .down = most_important(evaluations, SIZE_MAX) };
	struct at_strbuf line = { 0 };

	if (pairs.down == SIZE_MAX)
		return;
	pairs.across = most_important(evaluations, pairs.down);
	if (pairs.across == SIZE_MAX)
		return;
	/* The parameter with more values goes down: there is more room than across. */
	if (parameters[pairs.across].value_count > parameters[pairs.down].value_count) {
		size_t swapped = pairs.across;

		pairs.across = pairs.down;
		pairs.down = swapped;
	}
	pairs.cells = at_calloc(parameters[pairs.across].value_count *
					parameters[pairs.down].value_count,
		sizeof(*pairs.cells));
	fill_pairs(self->part, &pairs);
	at_strbuf_addf(&line, "%s (down) and %s (across), the best with both",
		parameters[pairs.down].name, parameters[pairs.across].name);
	if (parameters[pairs.across].value_count > most ||
		parameters[pairs.down].value_count > ROWS_MOST)
		at_strbuf_add(&line, "; of many values those with the best times");
	at_report_text_entry(self, "together", &line);
	add_pair_rows(self, &pairs, most);
	free(pairs.cells);
}

void at_report_text_mattered(struct at_report_text *self)
{
	const struct at_group *group = self->part->group;
	struct at_strbuf line = { 0 };

	at_report_text_heading(self, "What mattered");
	if (at_group_has_failed(self->part->group)) {
		at_report_text_words(self, "gain", "none: no configuration passed");
		return;
	}
	if (group->has_crown && !group->baseline_wins)
		at_gains_write(&group->crown, false, &line);
	if (!line.length)
		at_strbuf_add(&line,
			group->baseline_wins
				? "nothing: the baseline is the winner"
				: "the way from the baseline to the winner is not recorded: a run whose budget is long enough looks into it after its finals");
	at_report_text_entry(self, "gain", &line);
	if (!self->part->evaluations.count)
		return;
	if (!self->part->evaluations.importance.count)
		at_report_text_words(self, "model",
			"too few evaluations passed to learn from, or their times do not vary");
	add_importance(self);
	add_values(self);
	add_pairs(self);
}
