/* Writes a report as text for a terminal: the same contents as the page. */
#include "cli/report.h"

#include "cli/words.h"
#include "cli/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length of the bar of the largest share. */
#define BAR_WIDTH 24
/* The table of two parameters: where cells begin, and their width. */
#define CELLS_BEGIN 14
#define CELL_WIDTH 10
/* Of a parameter with more values only those with the best times are shown. */
#define ROWS_MOST 12
/* As many nights as "autotune history" shows by default. */
#define NIGHTS_MOST 30
/* Where a file gets the text, entries are as wide as on a common terminal. */
#define FILE_COLUMNS 80

/* After how many evaluations the best time is shown; about logarithmic. */
static const size_t steps[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000,
	10000, 20000, 50000, 100000, 200000, 500000, 1000000 };

/* ---- the winner --------------------------------------------------------------- */

/* Appends what the winner was chosen from, and which toolchain and driver made it. */
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
		struct at_score score = { group->baseline, best->baseline_low,
			best->baseline_high };

		at_strbuf_add(
			&line, at_format_value(group->objective, group->baseline).text);
		if (score.low > 0 && score.high > 0)
			at_strbuf_addf(&line, " (95 %% interval %s)",
				at_format_interval(group->objective, &score).text);
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

static void add_search_missing(struct at_page *page, const struct at_report_part *part)
{
	const struct at_group *group = part->group;

	if (part->evaluations.left_out)
		at_page_say(
			page, "search", "no evaluation that is recorded can be read");
	else if (group->is_bundled)
		at_page_say(page, "search",
			"result files have winners and baselines alone: what else was tried is in the record (autotune.db) of the run. Tune with --results DIR, and report with the same");
	else
		at_page_say(page, "search", "no evaluation is recorded");
}

static void add_best_so_far(struct at_page *page, const struct at_report_part *part)
{
	static const struct at_column columns[] = { { "    evaluations", 18 },
		{ "search time", 14 }, { "time", 13 }, { "of the baseline's", 0 } };
	const struct at_group *group = part->group;
	size_t count = part->evaluations.count, step = 0;
	struct at_strbuf *out = page->out;
	double best = NAN;

	at_strbuf_add(out, "  best so far after\n");
	at_page_head(page, columns, AT_COUNT_OF(columns));
	for (size_t i = 0; i < count && step < AT_COUNT_OF(steps); i++) {
		best = at_group_better(group, best, part->evaluations.rows[i]);
		if (i + 1 != steps[step] && i + 1 != count)
			continue;
		step += i + 1 == steps[step];
		at_page_text(page, "    ");
		at_strbuf_add(out, at_format_count(i + 1).text);
		at_page_text(
			page, at_format_seconds(part->evaluations.seconds[i]).text);
		if (isfinite(best))
			at_page_text(
				page, at_format_value(group->objective, best).text);
		else
			at_page_text(page, "none");
		if (isfinite(best) && isfinite(group->baseline))
			at_page_text(
				page, at_format_share(best / group->baseline).text);
		at_page_row_end(page);
	}
}

static void add_failures(struct at_page *page, const struct at_group *group)
{
	bool told[AT_OUTCOME_COUNT] = { [AT_OUTCOME_OK] = true };
	const char *name = "failed";
	size_t i;

	while ((i = at_summary_most_frequent(group->by_outcome, told)) <
		AT_OUTCOME_COUNT) {
		struct at_strbuf line = { 0 };

		told[i] = true;
		at_strbuf_addf(&line, "%s %s: %s",
			at_format_count(group->by_outcome[i]).text,
			at_outcome_name((enum at_outcome)i),
			at_outcome_text((enum at_outcome)i));
		if (group->first_detail[i][0]) {
			at_strbuf_add(&line, "; first: ");
			at_format_plain(&line, group->first_detail[i]);
		}
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
		add_search_missing(page, part);
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
	static const struct at_column columns[] = { { "", 32 }, { "", 7 }, { "", 0 } };
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
			best = at_group_better(part->group, best, self->rows[i]);
	return best;
}

/* "PAD 0: 2.78 ms, 1: 2.91 ms": the best with each value, a line a parameter. */
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
			if (isfinite(best))
				at_strbuf_add(&line,
					at_format_value(part->group->objective, best)
						.text);
			else
				at_strbuf_add(&line, "none passed");
		}
		at_page_entry(page, first ? "best with" : "", &line);
		first = false;
	}
}

/* ---- two parameters ---------------------------------------------------------- */

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
	struct at_column *columns =
		at_calloc(across->value_count + 1, sizeof(*columns));

	columns[0] = (struct at_column){ "", CELLS_BEGIN };
	for (size_t k = 0; k < across->value_count; k++)
		columns[k + 1] = (struct at_column){
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

			if (isfinite(best))
				at_page_text(page,
					at_format_value(part->group->objective, best)
						.text);
			else
				at_page_text(page, "-");
		}
		at_page_row_end(page);
	}
	free(columns);
}

/* The best by the two most important parameters, which the page shows as a heat
   map. */
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
	/* The parameter with more values goes down: there is more room than across. */
	if (parameters[pairs.across].value_count > parameters[pairs.down].value_count) {
		size_t swapped = pairs.across;

		pairs.across = pairs.down;
		pairs.down = swapped;
	}
	pairs.cells = at_calloc(parameters[pairs.across].value_count *
					parameters[pairs.down].value_count,
		sizeof(*pairs.cells));
	fill_pairs(part, &pairs);
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
	at_limits_write_rates(&roofline, group->defaults.is_double, &line);
	at_page_entry(page, "baseline", &line);
}

static void add_stands(struct at_page *page, const struct at_report_part *part)
{
	const struct at_group *group = part->group;
	struct at_strbuf line = { 0 };
	struct at_roofline roofline;

	at_page_heading(page, "Where it stands");
	if (group->has_winner) {
		at_group_winner_roofline(group, &roofline);
		at_limits_write_rates(&roofline, group->winner.is_double, &line);
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

	if (!page->columns)
		page->columns = FILE_COLUMNS;
	at_page_title(page, group->space, group->problem, group->device.model, "");
	add_winner(page, part);
	add_search(page, part);
	add_mattered(page, part);
	add_stands(page, part);
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
	at_page_text(page, at_format_value(group->objective, best->score.value).text);
	at_page_cell(page);
	if (best->score.low > 0 && best->score.high > 0)
		at_strbuf_add(page->out,
			at_format_interval(group->objective, &best->score).text);
	at_page_text(page, at_format_speedup(best->speedup).text);
	at_page_row_end(page);
}

void at_report_write_devices(const struct at_report *self, struct at_page *page)
{
	struct at_column columns[] = { { "    device", 12 }, { "winner", 10 },
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
			at_strbuf_add(page->out, "  ");
			at_format_plain(page->out, group->space);
			at_strbuf_add(page->out, ", ");
			at_format_plain(page->out, group->problem);
			at_strbuf_add_char(page->out, '\n');
		}
		add_device(page, group);
	}
}
