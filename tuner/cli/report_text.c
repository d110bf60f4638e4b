/* A report for the terminal: the same story as the page, in lines that fit. */
#include "cli/report.h"

#include "cli/format.h"
#include "cli/gains.h"
#include "cli/history.h"
#include "cli/limits.h"
#include "cli/measurement.h"
#include "record/proof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* where what is told of a name begins */
#define COLUMN 12
/* bars of the largest share */
#define BAR_WIDTH 24
/* steps of the search that are told: evaluations on a logarithmic axis */
static const size_t steps[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000,
	10000, 20000, 50000, 100000, 200000, 500000, 1000000 };

struct text {
	const struct at_report_part *part;
	bool color;
	int columns;
	struct at_strbuf *out;
};

/* "  name      words of the text ...", wrapped; nothing for nothing */
static void add_entry(struct text *self, const char *name, struct at_strbuf *line)
{
	struct at_strbuf plain = { 0 };
	size_t start = self->out->length;

	at_format_plain(&plain, at_strbuf_text(line));
	if (plain.length) {
		at_strbuf_addf(self->out, "  %s", name);
		at_format_pad(self->out, start, COLUMN);
		at_format_wrap(self->out, at_strbuf_text(&plain), COLUMN, COLUMN,
			self->columns);
		at_strbuf_add_char(self->out, '\n');
	}
	self->out->failed |= line->failed;
	at_strbuf_release(&plain);
	at_strbuf_release(line);
}

static void add_words(struct text *self, const char *name, const char *words)
{
	struct at_strbuf line = { 0 };

	at_strbuf_add(&line, words);
	add_entry(self, name, &line);
}

static void add_heading(struct text *self, const char *words)
{
	at_strbuf_addf(self->out, "\n %s%s%s\n", at_style(AT_STYLE_STRONG, self->color),
		words, at_style(AT_STYLE_END, self->color));
}

/* ---- the winner --------------------------------------------------------------------
 */

static void add_title(struct text *self)
{
	const struct at_group *group = self->part->group;
	struct at_strbuf title = { 0 };

	at_format_plain(&title, group->space);
	at_strbuf_add(&title, ", ");
	at_format_plain(&title, group->problem);
	at_strbuf_add(&title, " on ");
	at_format_plain(&title, group->device.model);
	at_strbuf_add(self->out, at_style(AT_STYLE_STRONG, self->color));
	at_format_wrap(self->out, at_strbuf_text(&title), 0, 2, self->columns);
	at_strbuf_addf(self->out, "%s\n", at_style(AT_STYLE_END, self->color));
	at_strbuf_release(&title);
}

static void add_score(struct at_strbuf *line, const struct at_objective *objective,
	struct at_score score)
{
	at_format_value(line, objective, score.value);
	if (score.low > 0 && score.high > 0) {
		at_strbuf_add(line, " (95 % interval ");
		at_format_interval(line, objective, &score);
		at_strbuf_add(line, ")");
	}
}

static void add_configuration(struct text *self, const char *json)
{
	struct at_strbuf line = { 0 };

	at_format_configuration(&line, json);
	add_entry(self, "", &line);
}

static void add_winner(struct text *self)
{
	const struct at_group *group = self->part->group;
	const struct at_crown *crown = &group->crown;
	struct at_strbuf line = { 0 };

	if (!group->has_crown) {
		add_words(self, "winner",
			"none is recorded: no run came to its finals, or nothing passed");
		return;
	}
	add_score(&line, crown->objective, crown->score);
	if (group->baseline_wins)
		at_strbuf_add(&line, ": the baseline itself, nothing was faster");
	add_entry(self, "winner", &line);
	add_configuration(self, group->winner.configuration);
	if (!group->baseline_wins && isfinite(crown->speedup)) {
		at_format_gain(&line, at_crown_speedup(crown));
		at_strbuf_add(&line, " over the baseline");
		add_entry(self, "gain", &line);
	}
	if (group->has_baseline && !group->baseline_wins) {
		add_score(&line, group->objective,
			(struct at_score){ group->baseline, crown->baseline_low,
				crown->baseline_high });
		add_entry(self, "baseline", &line);
		add_configuration(self, group->defaults.configuration);
	}
	at_measurement_write(crown->measurement, &line);
	add_entry(self, "measured", &line);
	at_proof_write(crown, &line);
	add_entry(self, "proved", &line);
	at_proof_write_not_run(crown, &line);
	add_entry(self, "not run", &line);
	for (size_t i = 0; i < self->part->include_count; i++)
		add_words(self, i ? "" : "header", self->part->includes[i]);
}

/* ---- the search --------------------------------------------------------------------
 */

static void add_search_missing(struct text *self)
{
	const struct at_group *group = self->part->group;

	if (self->part->evaluations.left_out)
		add_words(self, "search", "no evaluation that is recorded can be read");
	else if (group->is_shipped)
		add_words(self, "search",
			"result files have winners and baselines alone: what else was tried is in the record (autotune.db) of the run. Tune with --results DIR, and report with the same");
	else
		add_words(self, "search", "no evaluation is recorded");
}

static void add_best_so_far(struct text *self)
{
	const struct at_report_part *part = self->part;
	const struct at_group *group = part->group;
	size_t count = part->evaluations.count, step = 0;
	double best = NAN;

	at_strbuf_add(self->out,
		"  best so far after\n    evaluations   search time   time         of the baseline's\n");
	for (size_t i = 0; i < count && step < AT_COUNT_OF(steps); i++) {
		const struct at_evaluation *row = part->evaluations.rows[i];
		size_t start = self->out->length;

		if (row->outcome == AT_OUTCOME_OK && !(row->time_ns >= best))
			best = row->time_ns;
		if (i + 1 != steps[step] && i + 1 != count)
			continue;
		step += i + 1 == steps[step];
		at_strbuf_add(self->out, "    ");
		at_format_count(self->out, i + 1);
		at_format_pad(self->out, start, 18);
		at_format_seconds(self->out, part->evaluations.seconds[i]);
		at_format_pad(self->out, start, 32);
		if (isfinite(best))
			at_format_time(self->out, best);
		else
			at_strbuf_add(self->out, "none");
		if (isfinite(best) && isfinite(group->baseline)) {
			at_format_pad(self->out, start, 45);
			at_format_share(self->out, best / group->baseline);
		}
		at_strbuf_add_char(self->out, '\n');
	}
}

static void add_failures(struct text *self)
{
	const struct at_group *group = self->part->group;
	bool any = false;

	for (size_t i = 0; i < AT_OUTCOME_COUNT; i++) {
		struct at_strbuf line = { 0 };

		if (i == AT_OUTCOME_OK || !group->by_outcome[i])
			continue;
		at_format_count(&line, group->by_outcome[i]);
		at_strbuf_addf(&line, " %s: %s", at_outcome_name((enum at_outcome)i),
			at_outcome_text((enum at_outcome)i));
		if (group->first_detail[i][0]) {
			at_strbuf_add(&line, "; first: ");
			at_strbuf_add(&line, group->first_detail[i]);
		}
		add_entry(self, any ? "" : "failed", &line);
		any = true;
	}
	if (!any)
		add_words(self, "failed", "none");
}

static void add_search(struct text *self)
{
	const struct at_report_part *part = self->part;
	struct at_strbuf line = { 0 };

	add_heading(self, "The search");
	if (!part->evaluations.count) {
		add_search_missing(self);
		return;
	}
	at_format_count(&line, part->evaluations.count);
	at_strbuf_add(&line, " configurations, ");
	at_format_count(&line, part->group->by_outcome[AT_OUTCOME_OK]);
	at_strbuf_add(&line, " evaluations passed");
	if (part->evaluations.left_out) {
		at_strbuf_add(&line, "; not told: ");
		at_format_count(&line, part->evaluations.left_out);
		at_strbuf_add(
			&line, " that were repeated since, or have other parameters");
	}
	add_entry(self, "tried", &line);
	add_best_so_far(self);
	add_failures(self);
}

/* ---- what mattered -----------------------------------------------------------------
 */

static void add_bar(struct at_strbuf *out, double share, double largest)
{
	int length =
		largest > 0 && share > 0 ? (int)(BAR_WIDTH * share / largest + 0.5) : 0;

	for (int i = 0; i < length; i++)
		at_strbuf_add_char(out, '#');
}

static void add_importance(struct text *self)
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
	add_entry(self, "model", &line);
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

static bool has_time(const struct at_evaluation *row)
{
	return row->outcome == AT_OUTCOME_OK && isfinite(row->time_ns);
}

static double best_with(
	const struct at_report_evaluations *self, size_t parameter, size_t value)
{
	double best = NAN;

	for (size_t i = 0; i < self->count; i++)
		if (self->values[i * self->parameter_count + parameter] == value &&
			has_time(self->rows[i]) && !(self->rows[i]->time_ns >= best))
			best = self->rows[i]->time_ns;
	return best;
}

/* "PAD 0 2.78 ms, 1 2.91 ms": the best with each value, one line a parameter */
static void add_values(struct text *self)
{
	const struct at_report_evaluations *evaluations = &self->part->evaluations;
	bool first = true;

	for (size_t p = 0; p < evaluations->parameter_count; p++) {
		const struct at_search_parameter *parameter =
			&evaluations->parameters[p];
		struct at_strbuf line = { 0 };

		if (parameter->value_count < 2)
			continue;
		at_strbuf_addf(&line, "%s:", parameter->name);
		for (size_t k = 0; k < parameter->value_count; k++) {
			double best = best_with(evaluations, p, k);

			at_strbuf_add(&line, k ? ", " : " ");
			write_value(&line, &parameter->values[k]);
			at_strbuf_add_char(&line, ' ');
			if (isfinite(best))
				at_format_time(&line, best);
			else
				at_strbuf_add(&line, "none passed");
		}
		add_entry(self, first ? "best with" : "", &line);
		first = false;
	}
}

static void add_mattered(struct text *self)
{
	const struct at_group *group = self->part->group;
	struct at_strbuf line = { 0 };

	add_heading(self, "What mattered");
	if (group->has_crown && !group->baseline_wins)
		at_gains_write(group->crown.gains, false, &line);
	if (!line.length)
		at_strbuf_add(&line,
			group->baseline_wins
				? "nothing: the baseline is the winner"
				: "the way from the baseline to the winner is not recorded: a run whose budget is long enough looks into it after its finals");
	add_entry(self, "gain", &line);
	if (!self->part->evaluations.count)
		return;
	if (!self->part->evaluations.importance.count)
		add_words(self, "model",
			"too few evaluations passed to learn from, or their times do not vary");
	add_importance(self);
	add_values(self);
}

/* ---- where it stands ---------------------------------------------------------------
 */

static void add_stands(struct text *self)
{
	const struct at_group *group = self->part->group;
	struct at_strbuf line = { 0 };
	struct at_roofline roofline;

	add_heading(self, "Where it stands");
	if (group->has_crown) {
		at_group_winner_roofline(group, &roofline);
		at_limits_write_rates(&roofline, group->winner.is_double, &line);
		if (!line.length)
			at_strbuf_add(&line,
				"the space does not say what a launch computes and moves: metrics { flops, bytes } do");
		add_entry(self, "speed", &line);
		at_limits_write_resources(&group->winner.facts, &line);
		add_entry(self, "resources", &line);
	}
	if (group->has_ceilings)
		at_limits_write_ceilings(&group->ceilings.ceilings, &line);
	else
		at_strbuf_add(&line,
			"not measured: run \"autotune devices\" once on that machine, with the same --results");
	add_entry(self, "ceilings", &line);
}

static void add_nights(struct text *self, const struct at_report *report)
{
	const struct at_report_part *part = self->part;
	const struct at_history_style style = {
		.color = self->color,
		.is_utf8 = at_locale_is_utf8(),
		.columns = self->columns,
	};

	add_heading(self, "Nights");
	if (!part->board_count)
		add_words(self, "nights",
			"none are recorded: \"autotune nightly\" measures winners again");
	for (size_t i = 0; i < part->board_count; i++) {
		const struct at_report_board *board = &part->boards[i];
		/* as "autotune history" shows */
		size_t last = board->count > 30 ? 30 : board->count;
		struct at_kernel_nights nights = {
			.device = &part->group->device,
			.names_board = part->board_count > 1,
			.count = last,
			.nights = report->nights + board->begin + board->count - last,
		};
		struct at_strbuf text = { 0 };

		at_history_write_text(&nights, &style, &text);
		at_strbuf_add(self->out, at_strbuf_text(&text));
		at_strbuf_release(&text);
	}
}

void at_report_write_text(const struct at_report *self,
	const struct at_report_part *part, bool color, int columns,
	struct at_strbuf *out)
{
	struct text text = { part, color, columns, out };

	add_title(&text);
	add_winner(&text);
	add_search(&text);
	add_mattered(&text);
	add_stands(&text);
	add_nights(&text, self);
	at_strbuf_add_char(out, '\n');
}

/* ---- devices side by side -----------------------------------------------------------
 */

static bool is_same_problem(const struct at_group *a, const struct at_group *b)
{
	return !strcmp(a->space, b->space) && !strcmp(a->problem, b->problem);
}

void at_report_write_devices(const struct at_report *self, struct at_strbuf *out)
{
	bool any = false;

	for (size_t i = 0; i < self->count; i++) {
		const struct at_group *group = self->parts[i].group;
		bool before = i && is_same_problem(self->parts[i - 1].group, group);
		bool after = i + 1 < self->count &&
			     is_same_problem(self->parts[i + 1].group, group);
		size_t start;

		if (!before && !after)
			continue;
		if (!any)
			at_strbuf_add(out,
				"Devices side by side\n    device                        time         over the baseline\n");
		any = true;
		if (!before) {
			at_strbuf_add(out, "  ");
			at_format_plain(out, group->space);
			at_strbuf_add(out, ", ");
			at_format_plain(out, group->problem);
			at_strbuf_add_char(out, '\n');
		}
		start = out->length;
		at_strbuf_addf(out, "    %s", group->device.slug);
		at_format_pad(out, start, 34);
		if (group->has_crown)
			at_format_value(
				out, group->objective, group->crown.score.value);
		else
			at_strbuf_add(out, "no winner");
		at_format_pad(out, start, 47);
		if (group->has_crown)
			at_format_speedup(out, group->crown.speedup);
		at_strbuf_add_char(out, '\n');
	}
}
