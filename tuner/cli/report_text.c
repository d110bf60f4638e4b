/* Writes a report as text for a terminal: the same contents as the page. */
#include "cli/report_text.h"

#include "cli/format.h"
#include "cli/history.h"
#include "cli/limits.h"
#include "cli/measurement.h"
#include "record/proof.h"

#include <math.h>
#include <string.h>

/* After how many evaluations the best time is shown; about logarithmic. */
static const size_t steps[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000,
	10000, 20000, 50000, 100000, 200000, 500000, 1000000 };

/* ---- the winner --------------------------------------------------------------------
 */

static void add_title(struct at_report_text *self)
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

static void add_configuration(struct at_report_text *self, const char *json)
{
	struct at_strbuf line = { 0 };

	at_format_configuration(&line, json);
	at_report_text_entry(self, "", &line);
}

/* Appends what the winner was chosen from, and which toolchain and driver made it. */
static void add_origin(struct at_report_text *self)
{
	const struct at_crown *crown = &self->part->group->crown;
	struct at_strbuf line = { 0 };

	if (crown->evaluation_count > 0) {
		at_strbuf_add(&line, "from ");
		at_format_count(&line, (uint64_t)crown->evaluation_count);
		at_strbuf_add(&line, " evaluations, of which ");
		at_format_count(&line, (uint64_t)crown->ok_count);
		at_strbuf_add(&line, " passed, ");
	}
	if (crown->created_seconds > 0)
		at_format_date(&line, crown->created_seconds);
	at_report_text_entry(self, "chosen", &line);
	if (crown->toolchain && *crown->toolchain)
		at_strbuf_add(&line, crown->toolchain);
	if (crown->driver && *crown->driver)
		at_strbuf_addf(
			&line, "%sdriver %s", line.length ? ", " : "", crown->driver);
	at_report_text_entry(self, "made by", &line);
}

static void add_winner(struct at_report_text *self)
{
	const struct at_group *group = self->part->group;
	const struct at_crown *crown = &group->crown;
	struct at_strbuf line = { 0 };

	if (!group->has_crown) {
		at_report_text_words(self, "winner", at_group_no_winner(group));
		return;
	}
	add_score(&line, crown->objective, crown->score);
	if (group->baseline_wins)
		at_strbuf_add(&line, ": the baseline itself, nothing was faster");
	at_report_text_entry(self, "winner", &line);
	add_configuration(self, group->winner.configuration);
	at_proof_write_unfit(crown, &line);
	at_report_text_entry(self, "not for", &line);
	if (!group->baseline_wins && isfinite(crown->speedup)) {
		at_format_gain(&line, at_crown_speedup(crown));
		at_strbuf_add(&line, " over the baseline");
		at_report_text_entry(self, "gain", &line);
	}
	if (group->has_baseline && !group->baseline_wins) {
		add_score(&line, group->objective,
			(struct at_score){ group->baseline, crown->baseline_low,
				crown->baseline_high });
		at_report_text_entry(self, "baseline", &line);
		add_configuration(self, group->defaults.configuration);
	}
	at_measurement_write(crown->measurement, &line);
	at_report_text_entry(self, "measured", &line);
	at_proof_write(crown, &line);
	at_report_text_entry(self, "verified", &line);
	at_proof_write_not_run(crown, &line);
	at_report_text_entry(self, "not run", &line);
	add_origin(self);
	for (size_t i = 0; i < self->part->include_count; i++)
		at_report_text_words(self, i ? "" : "header", self->part->includes[i]);
}

/* ---- the search --------------------------------------------------------------------
 */

static void add_search_missing(struct at_report_text *self)
{
	const struct at_group *group = self->part->group;

	if (self->part->evaluations.left_out)
		at_report_text_words(
			self, "search", "no evaluation that is recorded can be read");
	else if (group->is_shipped)
		at_report_text_words(self, "search",
			"result files have winners and baselines alone: what else was tried is in the record (autotune.db) of the run. Tune with --results DIR, and report with the same");
	else
		at_report_text_words(self, "search", "no evaluation is recorded");
}

static void add_best_so_far(struct at_report_text *self)
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

		best = at_group_better(group, best, row);
		if (i + 1 != steps[step] && i + 1 != count)
			continue;
		step += i + 1 == steps[step];
		at_strbuf_add(self->out, "    ");
		at_format_count(self->out, i + 1);
		at_format_pad(self->out, start, 18);
		at_format_seconds(self->out, part->evaluations.seconds[i]);
		at_format_pad(self->out, start, 32);
		if (isfinite(best))
			at_format_value(self->out, group->objective, best);
		else
			at_strbuf_add(self->out, "none");
		if (isfinite(best) && isfinite(group->baseline)) {
			at_format_pad(self->out, start, 45);
			at_format_share(self->out, best / group->baseline);
		}
		at_strbuf_add_char(self->out, '\n');
	}
}

/* The most frequent outcome that is not marked in `told`; 0: none is left. */
static size_t most_frequent(const struct at_group *group, const bool *told)
{
	size_t best = 0;

	for (size_t i = 1; i < AT_OUTCOME_COUNT; i++)
		if (group->by_outcome[i] && !told[i] &&
			(!best || group->by_outcome[i] > group->by_outcome[best]))
			best = i;
	return best;
}

static void add_failures(struct at_report_text *self)
{
	const struct at_group *group = self->part->group;
	bool told[AT_OUTCOME_COUNT] = { [AT_OUTCOME_OK] = true };
	bool any = false;
	size_t i;

	while ((i = most_frequent(group, told)) != 0) {
		struct at_strbuf line = { 0 };

		told[i] = true;
		at_format_count(&line, group->by_outcome[i]);
		at_strbuf_addf(&line, " %s: %s", at_outcome_name((enum at_outcome)i),
			at_outcome_text((enum at_outcome)i));
		if (group->first_detail[i][0]) {
			at_strbuf_add(&line, "; first: ");
			at_strbuf_add(&line, group->first_detail[i]);
		}
		at_report_text_entry(self, any ? "" : "failed", &line);
		any = true;
	}
	if (!any)
		at_report_text_words(self, "failed", "none");
}

static void add_search(struct at_report_text *self)
{
	const struct at_report_part *part = self->part;
	struct at_strbuf line = { 0 };

	at_report_text_heading(self, "The search");
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
	at_report_text_entry(self, "tried", &line);
	if (!at_group_has_failed(part->group))
		add_best_so_far(self);
	add_failures(self);
}

/* ---- where it stands ---------------------------------------------------------------
 */

static void add_baseline_speed(struct at_report_text *self)
{
	const struct at_group *group = self->part->group;
	struct at_strbuf line = { 0 };
	struct at_roofline roofline;

	if (!group->has_baseline || group->baseline_wins)
		return;
	at_roofline(group->defaults.flops, group->defaults.bytes, group->baseline,
		&group->ceilings.ceilings, group->defaults.is_double, &roofline);
	at_limits_write_rates(&roofline, group->defaults.is_double, &line);
	at_report_text_entry(self, "baseline", &line);
}

static void add_stands(struct at_report_text *self)
{
	const struct at_group *group = self->part->group;
	struct at_strbuf line = { 0 };
	struct at_roofline roofline;

	at_report_text_heading(self, "Where it stands");
	if (group->has_crown) {
		at_group_winner_roofline(group, &roofline);
		at_limits_write_rates(&roofline, group->winner.is_double, &line);
		if (!line.length)
			at_strbuf_add(&line,
				"the space does not say what a launch computes and moves: metrics { flops, bytes } do");
		at_report_text_entry(self, "speed", &line);
		add_baseline_speed(self);
		at_limits_write_resources(&group->winner.facts, &line);
		at_report_text_entry(self, "resources", &line);
	}
	if (group->has_ceilings)
		at_limits_write_ceilings(&group->ceilings.ceilings, &line);
	else
		at_strbuf_add(&line,
			"not measured: run \"autotune devices\" once on that machine, with the same --results");
	at_report_text_entry(self, "ceilings", &line);
}

static void add_nights(struct at_report_text *self, const struct at_report *report)
{
	const struct at_report_part *part = self->part;
	const struct at_history_style style = {
		.color = self->color,
		.is_utf8 = at_locale_is_utf8(),
		.columns = self->columns,
	};

	at_report_text_heading(self, "Nights");
	if (!part->board_count)
		at_report_text_words(self, "nights",
			"none are recorded: \"autotune nightly\" measures winners again");
	for (size_t i = 0; i < part->board_count; i++) {
		const struct at_report_board *board = &part->boards[i];
		/* as many nights as "autotune history" shows by default */
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
	struct at_report_text text = { part, color, columns, out };

	add_title(&text);
	add_winner(&text);
	add_search(&text);
	at_report_text_mattered(&text);
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

static void add_device(
	const struct at_group *group, size_t column, struct at_strbuf *out)
{
	const struct at_crown *crown = &group->crown;
	size_t start = out->length;

	at_strbuf_addf(out, "    %s", group->device.slug);
	at_format_pad(out, start, column);
	if (!group->has_crown) {
		at_strbuf_add(out, "no winner\n");
		return;
	}
	at_format_value(out, group->objective, crown->score.value);
	at_format_pad(out, start, column + 10);
	if (crown->score.low > 0 && crown->score.high > 0)
		at_format_interval(out, group->objective, &crown->score);
	at_format_pad(out, start, column + 32);
	at_format_speedup(out, crown->speedup);
	at_strbuf_add_char(out, '\n');
}

void at_report_write_devices(const struct at_report *self, struct at_strbuf *out)
{
	bool any = false;
	size_t width = strlen("device");

	for (size_t i = 0; i < self->count; i++)
		if (strlen(self->parts[i].group->device.slug) > width)
			width = strlen(self->parts[i].group->device.slug);
	for (size_t i = 0; i < self->count; i++) {
		const struct at_group *group = self->parts[i].group;
		bool before = i && is_same_problem(self->parts[i - 1].group, group);
		bool after = i + 1 < self->count &&
			     is_same_problem(self->parts[i + 1].group, group);
		size_t start;

		if (!before && !after)
			continue;
		if (!any) {
			at_strbuf_add(out, "Devices side by side\n");
			start = out->length;
			at_strbuf_add(out, "    device");
			at_format_pad(out, start, width + 6);
			at_strbuf_add(out, "winner    95 % interval         gain\n");
		}
		any = true;
		if (!before) {
			at_strbuf_add(out, "  ");
			at_format_plain(out, group->space);
			at_strbuf_add(out, ", ");
			at_format_plain(out, group->problem);
			at_strbuf_add_char(out, '\n');
		}
		add_device(group, width + 6, out);
	}
}
