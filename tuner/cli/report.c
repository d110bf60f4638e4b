/* autotune report: gathers the record, and writes a page, or text for a terminal. */
#include "cli/report.h"

#include "cli/words.h"
#include "cli/tell.h"
#include "cli/cli.h"
#include "cli/output.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/evaluation_json.h"
#include "record/result.h"
#include "record/verification.h"
#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ==== text: the same contents as the page ==== */

/* Length of the bar of the largest share. */
#define BAR_WIDTH 24
/* The table of two parameters: the first column of cells, and their width. */
#define CELLS_BEGIN 14
#define CELL_WIDTH 10
/* A parameter with more values shows only those with the best times. */
#define ROWS_MOST 12
/* As many nights as "autotune history" shows by default. */
#define NIGHTS_MOST 30
/* Text for a file is as wide as a common terminal. */
#define FILE_COLUMNS 80

/* The numbers of evaluations after which the best time is shown; about logarithmic. */
static const size_t steps[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000,
	10000, 20000, 50000, 100000, 200000, 500000, 1000000 };

/* ---- the winner --------------------------------------------------------------- */

/* Appends the number of evaluations before the winner, its toolchain and driver. */
static void add_origin(struct at_page *page, const struct at_report_part *part)
{
	const struct at_winner *best = &part->group->best;
	struct at_strbuf line = { 0 };

	if (best->evaluation_count > 0)
		at_strbuf_addf(&line, "from %s evaluations; %s passed",
			at_format_count((uint64_t)best->evaluation_count).text,
			at_format_count((uint64_t)best->ok_count).text);
	at_page_entry(page, "chosen", &line);
	if (best->toolchain && *best->toolchain)
		at_format_plain(&line, best->toolchain);
	if (best->driver && *best->driver) {
		at_strbuf_addf(&line, "%sdriver ", line.length ? ", " : "");
		at_format_plain(&line, best->driver);
	}
	at_page_entry(page, "made by", &line);
}

static void add_winner(struct at_page *page, const struct at_report_part *part)
{
	const struct at_group *group = part->group;
	const struct at_winner *best = &group->best;
	struct at_strbuf line = { 0 };

	if (!group->has_winner) {
		at_page_say(page, "winner", "%s", at_group_no_winner(group));
		return;
	}
	at_group_add_winner(page, group);
	if (group->has_baseline && !group->baseline_wins) {
		struct at_score score = at_winner_baseline(best);

		at_strbuf_add(&line,
			isfinite(score.value)
				? at_format_value(best->objective, score.value).text
				: at_format_value(&at_objective_time, group->baseline)
					  .text);
		if (score.low > 0 && score.high > 0)
			at_strbuf_addf(&line, " (95 %% interval %s)",
				at_format_interval(best->objective, &score).text);
		at_page_entry(page, "baseline", &line);
		at_format_configuration(&line, group->defaults.configuration);
		at_page_entry(page, "", &line);
	}
	at_measurement_add(page, best);
	add_origin(page, part);
	for (size_t i = 0; i < part->include_count; i++)
		at_page_say(page, i ? "" : "header", "%s", part->includes[i]);
}

/* ---- the search -------------------------------------------------------------- */

static void add_best_so_far(struct at_page *page, const struct at_report_part *part)
{
	static const struct at_page_column columns[] = { { "    evaluations", 18 },
		{ "search time", 14 }, { "time", 13 }, { "of the baseline's", 0 } };
	const struct at_group *group = part->group;
	size_t count = part->evaluations.count, step = 0;
	struct at_strbuf *out = page->out;
	double best = NAN;

	at_strbuf_add(out, "  best so far after\n");
	at_page_head(page, columns, AT_COUNT_OF(columns));
	for (size_t i = 0; i < count && step < AT_COUNT_OF(steps); i++) {
		best = at_group_better(best, part->evaluations.rows[i]);
		if (i + 1 != steps[step] && i + 1 != count)
			continue;
		step += i + 1 == steps[step];
		at_page_text(page, "    ");
		at_strbuf_add(out, at_format_count(i + 1).text);
		at_page_text(
			page, at_format_seconds(part->evaluations.seconds[i]).text);
		at_page_text(page,
			isfinite(best) ? at_format_value(&at_objective_time, best).text
				       : "none");
		if (isfinite(best) && isfinite(group->baseline))
			at_page_text(
				page, at_format_share(best / group->baseline).text);
		at_page_row_end(page);
	}
}

static void add_failures(struct at_page *page, const struct at_group *group)
{
	enum at_outcome order[AT_OUTCOME_COUNT];
	size_t count = at_outcomes_sort(group->by_outcome, order);
	const char *name = "failed";

	for (size_t i = 0; i < count; i++) {
		const char *first = group->first_detail[order[i]];
		struct at_strbuf line = { 0 };

		if (order[i] == AT_OUTCOME_OK)
			continue;
		at_strbuf_addf(&line, "%s %s: %s%s",
			at_format_count(group->by_outcome[order[i]]).text,
			at_outcome_name(order[i]), at_outcome_text(order[i]),
			*first ? "; first, " : "");
		at_format_plain(&line, first);
		at_page_entry(page, name, &line);
		name = "";
	}
	if (*name)
		at_page_say(page, name, "none");
}

static void add_search(struct at_page *page, const struct at_report_part *part)
{
	struct at_strbuf line = { 0 };

	at_page_heading(page, "The search");
	if (!part->evaluations.count) {
		const struct at_group *group = part->group;

		if (part->evaluations.left_out)
			at_page_say(page, "search",
				"no evaluation that is recorded can be read");
		else if (group->is_bundled)
			at_page_say(page, "search",
				"result files have winners and baselines alone: what else was tried is in the record (autotune.db) of the run. Tune with --results DIR, and report with the same");
		else
			at_page_say(page, "search", "no evaluation is recorded");
		return;
	}
	at_strbuf_addf(&line, "%s configurations, %s evaluations passed",
		at_format_count(part->evaluations.count).text,
		at_format_count(part->group->by_outcome[AT_OUTCOME_OK]).text);
	if (part->evaluations.left_out)
		at_strbuf_addf(&line,
			"; not told: %s that were repeated since, or have other parameters",
			at_format_count(part->evaluations.left_out).text);
	at_page_entry(page, "tried", &line);
	if (!at_group_has_failed(part->group))
		add_best_so_far(page, part);
	add_failures(page, part->group);
}

/* ---- what mattered ------------------------------------------------------------- */

static void add_bar(struct at_strbuf *out, double share, double largest)
{
	int length =
		largest > 0 && share > 0 ? (int)(BAR_WIDTH * share / largest + 0.5) : 0;

	for (int i = 0; i < length; i++)
		at_strbuf_add_char(out, '#');
}

static void add_importance(struct at_page *page, const struct at_report_part *part)
{
	const struct at_importance *importance = &part->evaluations.importance;
	static const struct at_page_column columns[] = { { "", 32 }, { "", 7 },
		{ "", 0 } };
	struct at_strbuf line = { 0 };
	double largest = 0;

	for (size_t i = 0; i < importance->count; i++)
		largest = fmax(largest, importance->shares[i]);
	if (!importance->count)
		return;
	at_strbuf_addf(&line,
		"a model as the search uses, of what times vary by; permutation importance on %s evaluations, after learning from %s others; it explains %s",
		at_format_count(importance->judged_count).text,
		at_format_count(importance->learned_count).text,
		at_format_share(fmax(0, importance->explained)).text);
	if (importance->explained < 0.5)
		at_strbuf_add(&line, ", too little to believe it");
	at_page_entry(page, "model", &line);
	page->table = columns;
	for (size_t i = 0; i < importance->count; i++) {
		if (importance->shares[i] < 0.005)
			continue;
		at_page_text(page, "    ");
		at_format_plain(page->out, part->evaluations.parameters[i].name);
		at_page_text(page, at_format_share(importance->shares[i]).text);
		add_bar(at_page_cell(page), importance->shares[i], largest);
		at_page_row_end(page);
	}
}

static void write_value(struct at_strbuf *out, const struct at_value *value)
{
	struct at_strbuf text = { 0 };

	at_value_format(*value, &text);
	at_format_plain(out, at_strbuf_text(&text));
	at_strbuf_release(&text);
}

static double best_with(
	const struct at_report_part *part, size_t parameter, size_t value)
{
	const struct at_report_evaluations *self = &part->evaluations;
	double best = NAN;

	for (size_t i = 0; i < self->count; i++)
		if (self->values[i * self->parameter_count + parameter] == value)
			best = at_group_better(best, self->rows[i]);
	return best;
}

/* "PAD 0: 2.78 ms, 1: 2.91 ms": the best time with each value, a line a parameter. */
static void add_values(struct at_page *page, const struct at_report_part *part)
{
	const struct at_report_evaluations *evaluations = &part->evaluations;
	bool first = true;

	for (size_t p = 0; p < evaluations->parameter_count; p++) {
		const struct at_search_parameter *parameter =
			&evaluations->parameters[p];
		struct at_strbuf line = { 0 };

		if (parameter->value_count < 2)
			continue;
		at_format_plain(&line, parameter->name);
		for (size_t k = 0; k < parameter->value_count; k++) {
			double best = best_with(part, p, k);

			at_strbuf_add(&line, k ? ", " : " ");
			write_value(&line, &parameter->values[k]);
			at_strbuf_add(&line, ": ");
			at_strbuf_add(&line,
				isfinite(best)
					? at_format_value(&at_objective_time, best).text
					: "none passed");
		}
		at_page_entry(page, first ? "best with" : "", &line);
		first = false;
	}
}

/* ---- two parameters ---------------------------------------------------------- */

/* The best time for each pair of values of two parameters. */
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

/* The number of better values of the parameter. */
static size_t rank_of(const struct at_report_part *part, size_t parameter, size_t value)
{
	const struct at_objective *objective = &at_objective_time;
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

/* Appends a value, cut to `columns`. */
static void add_value(struct at_strbuf *out, const struct at_value *value, int columns)
{
	struct at_strbuf text = { 0 };

	write_value(&text, value);
	at_format_fit(out, at_strbuf_text(&text), columns);
	at_strbuf_release(&text);
}

static void add_pair_rows(struct at_page *page, const struct at_report_part *part,
	const struct pairs *pairs, size_t cells_most)
{
	const struct at_search_parameter *parameters = part->evaluations.parameters;
	const struct at_search_parameter *across = &parameters[pairs->across];
	const struct at_search_parameter *down = &parameters[pairs->down];
	struct at_page_column *columns =
		at_calloc(across->value_count + 1, sizeof(*columns));

	columns[0] = (struct at_page_column){ "", CELLS_BEGIN };
	for (size_t k = 0; k < across->value_count; k++)
		columns[k + 1] = (struct at_page_column){
			rank_of(part, pairs->across, k) < cells_most ? "" : NULL,
			-CELL_WIDTH,
		};
	page->table = columns;
	at_page_cell(page);
	for (size_t k = 0; k < across->value_count; k++)
		add_value(at_page_cell(page), &across->values[k], CELL_WIDTH - 1);
	at_page_row_end(page);
	for (size_t r = 0; r < down->value_count; r++) {
		if (rank_of(part, pairs->down, r) >= ROWS_MOST)
			continue;
		at_page_text(page, "    ");
		add_value(page->out, &down->values[r], CELLS_BEGIN - 5);
		for (size_t k = 0; k < across->value_count; k++) {
			double best = pairs->cells[r * across->value_count + k];

			at_page_text(page,
				isfinite(best)
					? at_format_value(&at_objective_time, best).text
					: "-");
		}
		at_page_row_end(page);
	}
	free(columns);
}

/* The best times by the two most important parameters: the heat map of the page. */
static void add_pairs(struct at_page *page, const struct at_report_part *part)
{
	const struct at_report_evaluations *evaluations = &part->evaluations;
	const struct at_search_parameter *parameters = evaluations->parameters;
	int room = page->columns > 40 ? page->columns - CELLS_BEGIN : 40;
	size_t most = (size_t)(room / CELL_WIDTH);
	struct pairs pairs = { .down = most_important(evaluations, SIZE_MAX) };
	struct at_strbuf line = { 0 };

	if (pairs.down == SIZE_MAX)
		return;
	pairs.across = most_important(evaluations, pairs.down);
	if (pairs.across == SIZE_MAX)
		return;
	/* the parameter with more values goes down, where there is more room */
	if (parameters[pairs.across].value_count > parameters[pairs.down].value_count) {
		size_t swapped = pairs.across;

		pairs.across = pairs.down;
		pairs.down = swapped;
	}
	pairs.cells = at_calloc(parameters[pairs.across].value_count *
					parameters[pairs.down].value_count,
		sizeof(*pairs.cells));
	size_t width = evaluations->parameters[pairs.across].value_count;
	size_t height = evaluations->parameters[pairs.down].value_count;

	for (size_t i = 0; i < width * height; i++)
		pairs.cells[i] = NAN;
	for (size_t i = 0; i < evaluations->count; i++) {
		const uint16_t *values =
			evaluations->values + i * evaluations->parameter_count;
		double *cell =
			&pairs.cells[values[pairs.down] * width + values[pairs.across]];

		*cell = at_group_better(*cell, evaluations->rows[i]);
	}
	at_strbuf_addf(&line, "%s (down) and %s (across), the best with both",
		parameters[pairs.down].name, parameters[pairs.across].name);
	if (parameters[pairs.across].value_count > most ||
		parameters[pairs.down].value_count > ROWS_MOST)
		at_strbuf_add(&line, "; of many values those with the best times");
	at_page_entry(page, "together", &line);
	add_pair_rows(page, part, &pairs, most);
	free(pairs.cells);
}

static void add_mattered(struct at_page *page, const struct at_report_part *part)
{
	const struct at_group *group = part->group;
	struct at_strbuf line = { 0 };

	at_page_heading(page, "What mattered");
	if (at_group_has_failed(part->group)) {
		at_page_say(page, "gain", "none: no configuration passed");
		return;
	}
	if (group->has_winner && !group->baseline_wins)
		at_gains_write(&group->best, false, &line);
	if (!line.length)
		at_strbuf_add(&line,
			group->baseline_wins
				? "nothing: the baseline is the winner"
				: "the way from the baseline to the winner is not recorded: a run whose budget is long enough looks into it after its finals");
	at_page_entry(page, "gain", &line);
	at_reasons_add(page, group->defaults.counters, group->winner.counters);
	if (!part->evaluations.count)
		return;
	if (!part->evaluations.importance.count)
		at_page_say(page, "model",
			"too few evaluations passed to learn from, or their times do not vary");
	add_importance(page, part);
	add_values(page, part);
	add_pairs(page, part);
}

/* ---- where it stands --------------------------------------------------------- */

static void add_baseline_speed(struct at_page *page, const struct at_report_part *part)
{
	const struct at_group *group = part->group;
	struct at_strbuf line = { 0 };
	struct at_roofline roofline;

	if (!group->has_baseline || group->baseline_wins)
		return;
	at_roofline(group->defaults.flops, group->defaults.bytes, group->baseline,
		&group->ceilings.ceilings, group->defaults.is_double, &roofline);
	at_limits_write_speed(&roofline, group->defaults.is_double, &line);
	at_page_entry(page, "baseline", &line);
}

static void add_nights(struct at_page *page, const struct at_report_part *part)
{
	at_page_heading(page, "Nights");
	if (!part->board_count)
		at_page_say(page, "nights",
			"none are recorded: \"autotune nightly\" measures winners again");
	for (size_t i = 0; i < part->board_count; i++) {
		struct at_kernel_nights nights = part->boards[i];

		if (nights.count > NIGHTS_MOST) {
			nights.nights += nights.count - NIGHTS_MOST;
			nights.count = NIGHTS_MOST;
		}
		at_history_write_text(&nights, page);
	}
}

void at_report_write_text(const struct at_report_part *part, struct at_page *page)
{
	const struct at_group *group = part->group;
	struct at_strbuf line = { 0 };
	struct at_roofline roofline;

	if (!page->columns)
		page->columns = FILE_COLUMNS;
	at_page_title(page, group->space, group->problem, group->device.model, "");
	add_winner(page, part);
	add_search(page, part);
	add_mattered(page, part);
	at_page_heading(page, "Where it stands");
	if (group->has_winner) {
		at_group_winner_roofline(group, &roofline);
		at_limits_write_speed(&roofline, group->winner.is_double, &line);
		if (!line.length)
			at_strbuf_add(&line,
				"the space does not say what a launch computes and moves: metrics { flops, bytes } do");
		at_page_entry(page, "speed", &line);
		add_baseline_speed(page, part);
	}
	if (group->has_ceilings)
		at_limits_write_ceilings(&group->ceilings.ceilings, &line);
	else
		at_strbuf_add(&line,
			"not measured: run \"autotune devices\" once on that machine, with the same --results");
	at_page_entry(page, "ceilings", &line);
	add_nights(page, part);
	at_strbuf_add_char(page->out, '\n');
}

/* ---- devices side by side ------------------------------------------------------- */

static bool is_same_problem(const struct at_group *a, const struct at_group *b)
{
	return !strcmp(a->space, b->space) && !strcmp(a->problem, b->problem);
}

static void add_device(struct at_page *page, const struct at_group *group)
{
	const struct at_winner *best = &group->best;

	at_strbuf_addf(at_page_cell(page), "    %s", group->device.slug);
	if (!group->has_winner) {
		at_page_text(page, "no winner");
		at_page_row_end(page);
		return;
	}
	at_page_text(page, at_format_value(best->objective, best->score.value).text);
	at_page_text(
		page, best->score.low > 0 && best->score.high > 0
			      ? at_format_interval(best->objective, &best->score).text
			      : "");
	at_page_text(page, at_format_speedup(best->speedup).text);
	at_page_row_end(page);
}

void at_report_write_devices(const struct at_report *self, struct at_page *page)
{
	struct at_page_column columns[] = { { "    device", 12 }, { "winner", 10 },
		{ "95 % interval", 22 }, { "gain", 0 } };
	bool any = false;

	for (size_t i = 0; i < self->count; i++) {
		int width = (int)strlen(self->parts[i].group->device.slug) + 6;

		columns[0].width = width > columns[0].width ? width : columns[0].width;
	}
	for (size_t i = 0; i < self->count; i++) {
		const struct at_group *group = self->parts[i].group;
		bool before = i && is_same_problem(self->parts[i - 1].group, group);
		bool after = i + 1 < self->count &&
			     is_same_problem(self->parts[i + 1].group, group);

		if (!before && !after)
			continue;
		if (!any) {
			at_strbuf_add(page->out, "Devices side by side\n");
			at_page_head(page, columns, AT_COUNT_OF(columns));
		}
		any = true;
		if (!before) {
			at_format_plain(
				page->out, "  ", group->space, ", ", group->problem);
			at_strbuf_add_char(page->out, '\n');
		}
		add_device(page, group);
	}
}

/* ==== JSON; cli/report.h describes the object ==== */

/* The most distinct failure reasons of a group, and their length in bytes: without
   limits compiler messages would dominate a page. */
#define REASONS_MOST 1000
#define REASON_LENGTH 400

static struct at_json *text_of(struct at_strbuf *text)
{
	struct at_json *out =
		text->length ? at_json_string(at_strbuf_text(text)) : at_json_null();

	at_strbuf_release(text);
	return out;
}

static struct at_json *winner_of(const struct at_report_part *part)
{
	const struct at_group *group = part->group;
	const struct at_winner *best = &group->best;
	struct at_strbuf text = { 0 };
	struct at_roofline roofline;
	struct at_json *out, *includes;

	if (!group->has_winner)
		return at_json_null();
	out = at_json_object();
	includes = at_json_array();
	at_json_set(
		out, "configuration", at_json_embedded(group->winner.configuration));
	if (best->objective != &at_objective_time)
		at_json_set_score(out, &at_objective_time,
			at_evaluation_score(&group->winner, &at_objective_time));
	at_json_set_score(out, best->objective, best->score);
	at_json_set_facts(out, &group->winner.facts);
	at_group_winner_roofline(group, &roofline);
	at_json_set_rates(out, &roofline);
	at_json_set_winner(out, best);
	at_measurement_write(best->measurement, &text);
	at_json_set(out, "measured", text_of(&text));
	at_verification_write(best, &text);
	at_json_set(out, "verified_by", text_of(&text));
	at_verification_write_not_run(best, &text);
	at_json_set(out, "not_run", text_of(&text));
	at_verification_write_unfit(best, &text);
	at_json_set(out, "not_for", text_of(&text));
	at_json_set(out, "created_seconds", best->created_seconds);
	at_json_set(out, "evaluation_count", best->evaluation_count);
	at_json_set(out, "ok_count", best->ok_count);
	at_json_set(out, "is_double", group->winner.is_double);
	for (size_t i = 0; i < part->include_count; i++)
		at_json_append(includes, at_json_string(part->includes[i]));
	at_json_set(out, "includes", includes);
	at_reasons_set(out, group->defaults.counters, group->winner.counters);
	return out;
}

static struct at_json *baseline_of(const struct at_group *group)
{
	const struct at_winner *best = &group->best;
	struct at_score score = { group->baseline, best->baseline_low,
		best->baseline_high };
	struct at_roofline roofline;
	struct at_json *out;

	if (!group->has_baseline)
		return at_json_null();
	out = at_json_object();
	at_json_set(
		out, "configuration", at_json_embedded(group->defaults.configuration));
	/* an end of 0 is unknown */
	if (!(score.low > 0) || !(score.high > 0) ||
		best->objective != &at_objective_time)
		score.low = score.high = NAN;
	at_json_set_score(out, &at_objective_time, score);
	at_json_set_facts(out, &group->defaults.facts);
	at_roofline(group->defaults.flops, group->defaults.bytes, group->baseline,
		&group->ceilings.ceilings, group->defaults.is_double, &roofline);
	at_json_set_rates(out, &roofline);
	return out;
}

static struct at_json *outcomes_of(const struct at_group *group)
{
	enum at_outcome order[AT_OUTCOME_COUNT];
	size_t count = at_outcomes_sort(group->by_outcome, order);
	struct at_json *out = at_json_array();

	for (size_t i = 0; i < count; i++) {
		struct at_json *row = at_json_object();
		const char *first = group->first_detail[order[i]];

		at_json_set(row, "name", at_outcome_name(order[i]));
		at_json_set(row, "text", at_outcome_text(order[i]));
		at_json_set(row, "count", group->by_outcome[order[i]]);
		at_json_set(row, "first", *first ? first : NULL);
		at_json_append(out, row);
	}
	return out;
}

static struct at_json *device_of(const struct at_record_device *device)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "slug", device->slug);
	at_json_set(out, "kind", device->kind);
	at_json_set(out, "model", device->model);
	at_json_set(out, "architecture", device->architecture);
	at_json_set(out, "driver", device->driver);
	return out;
}

static struct at_json *importance_of(const struct at_report_part *part)
{
	const struct at_importance *importance = &part->evaluations.importance;
	struct at_json *out, *shares;

	if (!importance->count)
		return at_json_null();
	out = at_json_object();
	shares = at_json_array();
	for (size_t i = 0; i < importance->count; i++)
		at_json_append(shares, at_json_real(importance->shares[i]));
	at_json_set(out, "shares", shares);
	at_json_set(out, "learned_count", importance->learned_count);
	at_json_set(out, "judged_count", importance->judged_count);
	at_json_set(out, "explained", importance->explained);
	return out;
}

static struct at_json *group_of(const struct at_report_part *part)
{
	const struct at_group *group = part->group;
	struct at_json *out = at_json_object(), *nights = at_json_array();

	at_json_set(out, "space", group->space);
	at_json_set(out, "problem", group->problem);
	at_json_set(out, "sizes",
		at_json_embedded(!group->winner.problem_json && group->row_count
					 ? group->rows[0].problem_json
					 : group->winner.problem_json));
	at_json_set(out, "device", device_of(&group->device));
	at_json_set(out, "bundled", group->is_bundled);
	at_json_set(out, "ceilings",
		at_ceilings_to_json(group->has_ceilings ? &group->ceilings : NULL));
	at_json_set(out, "winner", winner_of(part));
	if (group->has_winner)
		at_json_set_speedup(out, at_winner_speedup(&group->best));
	at_json_set(out, "baseline", baseline_of(group));
	at_json_set(out, "baseline_wins",
		at_json_boolean(group->has_winner && group->baseline_wins));
	at_json_set(out, "outcomes", outcomes_of(group));
	at_json_set(out, "importance", importance_of(part));
	for (size_t i = 0; i < part->board_count; i++)
		at_json_append(nights, at_history_to_json(&part->boards[i]));
	at_json_set(out, "nights", nights);
	return out;
}

/* ---- evaluations, by columns: a JSON tree would take a hundred megabytes ------- */

enum kind {
	TIME, /* of those that passed */
	FACT, /* negative: unknown */
	SHARE,
	METRIC, /* 0: the space has none */
	FLAG,
};

#define AT(member) offsetof(struct at_evaluation, member)

static const struct column {
	const char *name;
	enum kind kind;
	size_t offset;
} columns[] = {
	{ "time_ns", TIME, AT(time_ns) },
	{ "low_ns", TIME, AT(low_ns) },
	{ "high_ns", TIME, AT(high_ns) },
	{ "raced", FLAG, AT(raced) },
	{ "registers", FACT, AT(facts.registers) },
	{ "local_bytes", FACT, AT(facts.local_bytes) },
	{ "spill_store_bytes", FACT, AT(facts.spill_store_bytes) },
	{ "shared_bytes", FACT, AT(facts.shared_bytes) },
	{ "threads_per_block", FACT, AT(facts.threads_per_block) },
	{ "blocks", FACT, AT(facts.blocks) },
	{ "resident_blocks", FACT, AT(facts.resident_blocks) },
	{ "occupancy", SHARE, AT(facts.occupancy) },
	{ "flops", METRIC, AT(flops) },
	{ "bytes", METRIC, AT(bytes) },
};

/* NAN: unknown. */
static double value_at(const struct column *column, const struct at_evaluation *row)
{
	const char *at = (const char *)row + column->offset;
	int64_t fact;
	double real;

	switch (column->kind) {
	case TIME:
		memcpy(&real, at, sizeof(real));
		return row->outcome == AT_OUTCOME_OK ? real : (double)NAN;
	case FACT:
		memcpy(&fact, at, sizeof(fact));
		return fact < 0 ? (double)NAN : (double)fact;
	case METRIC:
		memcpy(&real, at, sizeof(real));
		return real > 0 ? real : (double)NAN;
	case FLAG:
		return *(const bool *)at;
	case SHARE:
		break;
	}
	memcpy(&real, at, sizeof(real));
	return real;
}

static void add_number(double value, struct at_strbuf *out)
{
	if (isfinite(value))
		at_strbuf_addf(out, "%.7g", value);
	else
		at_strbuf_add(out, "null");
}

static void add_column(const struct column *column, const struct at_report_part *part,
	struct at_strbuf *out)
{
	size_t count = part->evaluations.count;
	double first = value_at(column, part->evaluations.rows[0]);
	bool constant = true;

	for (size_t i = 1; i < count && constant; i++) {
		double value = value_at(column, part->evaluations.rows[i]);

		constant = isfinite(first) == isfinite(value) &&
			   !(value < first || value > first);
	}
	if (constant && !isfinite(first))
		return;
	at_strbuf_addf(out, ",\"%s\":", column->name);
	if (constant) {
		add_number(first, out);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		at_strbuf_add_char(out, i ? ',' : '[');
		add_number(value_at(column, part->evaluations.rows[i]), out);
	}
	at_strbuf_add_char(out, ']');
}

static void add_json(struct at_json *value, struct at_strbuf *out)
{
	at_json_write(value, 0, out);
	at_json_free(value);
}

/* Cuts a text to REASON_LENGTH at a character's end: a page needs no whole log. */
static struct at_json *short_text(const char *text)
{
	size_t length = strlen(text);
	struct at_json *out;
	char *copy;

	if (length > REASON_LENGTH) {
		length = REASON_LENGTH;
		while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
			length--;
	}
	copy = at_strndup(text, length);
	out = at_json_string(copy);
	free(copy);
	return out;
}

/* The reason's number for each evaluation; -1: it did not fail, gives no reason, or
   there are too many reasons. */
static void add_reasons(const struct at_report_part *part, struct at_strbuf *out)
{
	const char *known[REASONS_MOST];
	struct at_json *reasons = at_json_array();
	size_t known_count = 0;

	at_strbuf_add(out, ",\"reason\":[");
	for (size_t i = 0; i < part->evaluations.count; i++) {
		const struct at_evaluation *row = part->evaluations.rows[i];
		const char *text = row->detail ? row->detail : "";
		size_t at = known_count;

		at_strbuf_add(out, i ? "," : "");
		if (row->outcome == AT_OUTCOME_OK || !text[0]) {
			at_strbuf_add(out, "-1");
			continue;
		}
		while (at > 0 && strcmp(known[at - 1], text) != 0)
			at--;
		if (!at && known_count < REASONS_MOST) {
			at_json_append(reasons, short_text(text));
			known[known_count++] = text;
			at = known_count;
		}
		at_strbuf_addf(out, "%d", (int)at - 1);
	}
	at_strbuf_add(out, "],\"reasons\":");
	add_json(reasons, out);
}

static void add_evaluations(const struct at_report_part *part, struct at_strbuf *out)
{
	if (!part->evaluations.count) {
		at_strbuf_add(out, "null");
		return;
	}
	at_strbuf_addf(out, "{\"count\":%zu,\"left_out\":%zu,\"pauses\":%zu,",
		part->evaluations.count, part->evaluations.left_out,
		part->evaluations.pause_count);
	struct at_json *parameters = at_json_array();

	for (size_t i = 0; i < part->evaluations.parameter_count; i++) {
		const struct at_search_parameter *parameter =
			&part->evaluations.parameters[i];
		struct at_json *row = at_json_object(), *values = at_json_array();

		for (size_t k = 0; k < parameter->value_count; k++)
			at_json_append(values, at_value_to_json(parameter->values[k]));
		at_json_set(row, "name", parameter->name);
		at_json_set(row, "values", values);
		at_json_append(parameters, row);
	}
	at_strbuf_add(out, "\"parameters\":");
	add_json(parameters, out);
	const struct at_report_evaluations *evaluations = &part->evaluations;
	size_t width = evaluations->parameter_count;

	at_strbuf_add(out, ",\"values\":[");
	for (size_t p = 0; p < width; p++) {
		at_strbuf_add(out, p ? ",[" : "[");
		for (size_t i = 0; i < evaluations->count; i++)
			at_strbuf_addf(out, "%s%u", i ? "," : "",
				evaluations->values[i * width + p]);
		at_strbuf_add_char(out, ']');
	}
	at_strbuf_add_char(out, ']');
	struct at_json *names = at_json_array();

	for (size_t i = 0; i < AT_OUTCOME_COUNT; i++)
		at_json_append(
			names, at_json_string(at_outcome_name((enum at_outcome)i)));
	at_strbuf_add(out, ",\"outcomes\":");
	add_json(names, out);
	for (size_t i = 0; i < part->evaluations.count; i++)
		at_strbuf_addf(out, "%s%d", i ? "," : ",\"outcome\":[",
			(int)part->evaluations.rows[i]->outcome);
	at_strbuf_add_char(out, ']');
	add_reasons(part, out);
	for (size_t i = 0; i < part->evaluations.count; i++)
		at_strbuf_addf(out, "%s%.0f", i ? "," : ",\"seconds\":[",
			part->evaluations.seconds[i]);
	at_strbuf_add_char(out, ']');
	for (size_t i = 0; i < AT_COUNT_OF(columns); i++)
		add_column(&columns[i], part, out);
	at_strbuf_add_char(out, '}');
}

/* ---- the whole object ---------------------------------------------------------- */

/* Writes the object without its last brace, so that members can be added. */
static void add_open(struct at_json *object, struct at_strbuf *out)
{
	add_json(object, out);
	while (out->length && out->data[out->length - 1] != '}')
		out->length--;
	if (out->length)
		out->data[--out->length] = '\0';
}

/* Escapes '<', which occurs only in JSON strings; the escape is equivalent. */
static void escape(struct at_strbuf *text)
{
	struct at_strbuf out = { 0 };
	const char *at = at_strbuf_text(text), *next;

	for (; (next = strchr(at, '<')); at = next + 1) {
		at_strbuf_add_bytes(&out, at, (size_t)(next - at));
		at_strbuf_add(&out, "\\u003c");
	}
	at_strbuf_add(&out, at);
	at_strbuf_release(text);
	*text = out;
}

void at_report_write_json(const struct at_report *self, int64_t created_seconds,
	struct at_strbuf *blocks, struct at_strbuf *out)
{
	struct at_json *head = at_json_object();
	struct at_strbuf text = { 0 };

	at_json_set(head, "version", at_json_integer(1));
	at_json_set(head, "program", "autotune " AT_VERSION);
	at_json_set(head, "created_seconds", created_seconds);
	at_json_set(head, "record", self->directory);
	at_json_set(head, "bundled", self->is_bundled);
	at_json_set(head, "reasons_most", at_json_integer(REASONS_MOST));
	add_open(head, &text);
	at_strbuf_add(&text, ",\"groups\":[");
	for (size_t i = 0; i < self->count; i++) {
		if (i)
			at_strbuf_add_char(&text, ',');
		add_open(group_of(&self->parts[i]), &text);
		at_strbuf_add(&text, ",\"evaluations\":");
		if (!blocks)
			add_evaluations(&self->parts[i], &text);
		else
			at_strbuf_add(&text,
				self->parts[i].evaluations.count ? "true" : "null");
		if (blocks && self->parts[i].evaluations.count)
			add_evaluations(&self->parts[i], &blocks[i]);
		if (blocks)
			escape(&blocks[i]);
		at_strbuf_add_char(&text, '}');
	}
	at_strbuf_add(&text, "]}");
	escape(&text);
	at_strbuf_add(out, at_strbuf_text(&text));
	at_strbuf_release(&text);
}

/* ==== gathering, and the command ==== */

void at_report_release(struct at_report *self)
{
	for (size_t i = 0; i < self->count; i++) {
		struct at_report_part *part = &self->parts[i];

		at_report_evaluations_release(&part->evaluations);
		for (size_t k = 0; k < part->include_count; k++)
			free(part->includes[k]);
		free(part->includes);
	}
	free(self->parts);
	at_nights_release(&self->nights);
	at_groups_release(&self->groups);
	memset(self, 0, sizeof(*self));
}

static enum at_status read_evaluations(
	struct at_report *self, struct at_report_part *part, struct at_error *err)
{
	const struct at_group *group = part->group;

	/* a result file has only winner and baseline, which are no search; next to a
	   record their ids are negative */
	if (self->is_bundled || !group->row_count || group->rows[0].id < 0)
		return AT_OK;
	return at_report_evaluations_init(&part->evaluations, self->directory,
		group->rows, group->row_count, err);
}

static void add_include(struct at_report_part *part, struct at_strbuf *line)
{
	char *text = at_strbuf_detach(line);

	part->includes[part->include_count++] = text;
}

/* Lines such as "#define MATMUL_DEVICE NVIDIA_H200"; record/result.h explains them. */
static void write_includes(struct at_report *self, struct at_report_part *part)
{
	const struct at_group *group = part->group;
	char *kernel, *device, *problem, *path;
	struct at_strbuf line = { 0 };

	/* headers omit an unverified winner */
	if (!group->has_winner || group->best.is_unverified)
		return;
	kernel = at_text_macro(group->space);
	device = at_text_macro(group->device.slug);
	problem = at_text_macro(group->problem);
	path = at_path_of_name(self->directory, group->space, ".h");
	part->includes = at_calloc(3, sizeof(*part->includes));
	at_strbuf_addf(&line, "#define %s_DEVICE %s", kernel, device);
	add_include(part, &line);
	at_strbuf_addf(&line, "#define %s_PROBLEM %s", kernel, problem);
	add_include(part, &line);
	at_strbuf_addf(&line, "#include \"%s\"", path);
	add_include(part, &line);
	free(kernel);
	free(device);
	free(problem);
	free(path);
}

/* ---- all of it ----------------------------------------------------------------- */

enum at_status at_report_gather(struct at_report *self, struct at_groups *groups,
	struct at_recorded *recorded, struct at_error *err)
{
	enum at_status status;

	*self = (struct at_report){
		.directory = recorded->directory,
		.is_bundled = recorded->is_bundled,
		.groups = *groups,
	};
	memset(groups, 0, sizeof(*groups));
	self->parts = at_calloc(self->groups.count + 1, sizeof(*self->parts));
	status = at_nights_read(&self->nights, recorded->store, err);
	for (size_t i = 0; i < self->groups.count && !status; i++) {
		struct at_report_part *part = &self->parts[self->count++];

		part->group = self->groups.items[i];
		status = read_evaluations(self, part, err);
		if (!status)
			write_includes(self, part);
		/* the boards of one problem are adjacent */
		for (size_t k = 0; k < self->nights.kernel_count && !status; k++) {
			const struct at_kernel_nights *kernel =
				&self->nights.kernels[k];
			const struct at_revisit *night = kernel->nights[0];

			if (part->group->device_id &&
				night->device_id == part->group->device_id &&
				!strcmp(night->problem, part->group->problem) &&
				!strcmp(night->space, part->group->space) &&
				!part->board_count++)
				part->boards = kernel;
		}
	}
	return status;
}

/* ---- the command --------------------------------------------------------------- */

static enum at_status write_page(
	const struct at_report *report, const char *path, struct at_error *err)
{
	struct at_strbuf json = { 0 }, page = { 0 };
	struct at_strbuf *blocks = at_calloc(report->count, sizeof(*blocks));
	enum at_status status = AT_OK;

	at_report_write_json(report, (int64_t)time(NULL), blocks, &json);
	at_report_page_write(at_strbuf_text(&json), blocks, report->count, &page);
	if (!strcmp(path, "-"))
		at_print(&page);
	else
		status = at_file_replace_inside(NULL, path, &page, err);
	for (size_t i = 0; i < report->count; i++)
		at_strbuf_release(&blocks[i]);
	free(blocks);
	at_strbuf_release(&json);
	at_strbuf_release(&page);
	return status;
}

static enum at_status tell(const struct at_cli_arguments *arguments,
	const struct at_report *report, struct at_error *err)
{
	const char *path = at_cli_text(arguments, "output", NULL);
	struct at_strbuf text = { 0 };
	struct at_page page = at_page_of_stdout(&text);

	if (path)
		return write_page(report, path, err);
	if (!at_cli_given(arguments, "json")) {
		for (size_t i = 0; i < report->count; i++)
			at_report_write_text(&report->parts[i], &page);
		at_report_write_devices(report, &page);
		at_print_folded(&text);
		return AT_OK;
	}
	at_report_write_json(report, (int64_t)time(NULL), NULL, &text);
	at_strbuf_add_char(&text, '\n');
	at_print(&text);
	return AT_OK;
}

static enum at_exit run_report(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct at_report report = { 0 };
	struct at_groups groups = { 0 };
	struct at_recorded recorded;
	enum at_status status;

	if (at_cli_given(arguments, "json") && at_cli_given(arguments, "output")) {
		at_fail(err, AT_EINVAL, NULL, 0,
			"--json and -o exclude each other: -o writes a page");
		return AT_EXIT_USAGE;
	}
	status = at_groups_open(&groups, &recorded, arguments, err);
	if (!status)
		status = at_report_gather(&report, &groups, &recorded, err);
	if (!status)
		tell(arguments, &report, err);
	at_groups_release(&groups);
	at_report_release(&report);
	at_recorded_close(&recorded);
	return AT_EXIT_DONE;
}

const struct at_cli_command at_command_report = {
	.name = "report",
	.operands = "[SPACE...]",
	.summary = "explain what is recorded: a page with plots, or text",
	.details =
		"SPACE is a space file or the name of a space; without one everything is shown. With -o FILE it writes one page for a browser, which needs no network and no other file. The page shows the winner against the baseline and how it was verified, with the lines that include its header; the search, evaluation by evaluation, and what failed; which parameters mattered, by the ablation, by a model, and by the times for each parameter and each pair; where the winner stands under the measured ceilings; other devices; and nights. Without -o it prints the same story as text. Result files have only winners and baselines: then the page says what is missing and how to get it.\n"
		"\n"
		"  autotune report spaces/matmul.cfg -o report.html\n"
		"  autotune report --device nvidia-h200 -o h200.html\n"
		"  autotune report matmul",
	.options = "device problem results output json",
	.run = run_report,
};
