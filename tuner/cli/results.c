/* autotune results: shows the record, best first, as text, JSON or Markdown. The output
   depends on the groups alone, so the same record gives the same bytes. */
#include "cli/cli.h"
#include "cli/words.h"
#include "cli/recorded.h"
#include "cli/output.h"
#include "cli/page.h"
#include "cli/tell.h"

#include "base/escape.h"
#include "record/evaluation_json.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* With ten rows a group fits on half a screen. */
#define TOP_DEFAULT 10
/* The least width for configurations when optional columns are shown. */
#define CONFIGURATION_LEAST 24

/* ---- text -------------------------------------------------------------------- */

enum { TIME, INTERVAL, SPEEDUP, CEILING, OCCUPANCY, CONFIGURATION, COLUMN_COUNT };

static double ceiling_fraction(
	const struct at_group *group, const struct at_evaluation *row)
{
	struct at_roofline roofline;

	at_group_roofline(group, row, &roofline);
	return roofline.fraction;
}

static void add_row(struct at_page *page, const struct at_group *group,
	const struct at_evaluation *row)
{
	bool winner = group->has_winner && row->id == group->best.evaluation_id;
	struct at_score score = at_evaluation_score(row, &at_objective_time);
	double fraction = ceiling_fraction(group, row);
	bool passed = row->outcome == AT_OUTCOME_OK;
	struct at_strbuf *out = at_page_cell(page);

	at_strbuf_addf(out, "%s%s", winner ? "  * " : "    ",
		passed ? at_format_value(&at_objective_time, score.value).text
		       : at_outcome_name(row->outcome));
	/* one or two samples have no meaningful interval */
	at_page_text(page,
		!passed      ? ""
		: row->raced ? "dropped early"
			     : at_format_interval(&at_objective_time, &score).text);
	at_page_text(
		page, passed ? at_format_speedup(at_group_gain(group, row)).text : "");
	at_page_text(page, isfinite(fraction) ? at_format_share(fraction).text : "");
	at_page_text(page, at_limits_has_occupancy(&row->facts)
				   ? at_format_share(row->facts.occupancy).text
				   : "");
	at_page_cell(page);
	at_configuration_write_recorded(
		out, row->configuration, group->baseline_configuration, page->wide);
	if (at_sources_is_older(&group->sources, row))
		at_strbuf_add(out, " (older source)");
	if (!passed && row->detail[0])
		at_format_plain(out, ": ", row->detail);
	at_page_row_end(page);
}

static void add_rows(struct at_page *page, const struct at_group *group)
{
	struct at_page_column columns[COLUMN_COUNT] = { { "    time", 15 },
		{ "95 % interval", 24 }, { "speed-up", 10 }, { "of ceiling", 12 },
		{ "occupancy", 11 }, { "configuration", 0 } };
	bool has[COLUMN_COUNT] = { false };
	/* optional columns are hidden without values, or if they would take a
	   configuration's room, starting from the last */
	int room = page->columns && !page->wide ? page->columns - CONFIGURATION_LEAST
						: INT_MAX;

	for (size_t i = 0; i < group->row_count; i++) {
		has[CEILING] |= isfinite(ceiling_fraction(group, &group->rows[i]));
		has[OCCUPANCY] |= at_limits_has_occupancy(&group->rows[i].facts);
	}
	for (size_t i = TIME; i < CEILING; i++)
		room -= columns[i].width;
	for (size_t i = CEILING; i < CONFIGURATION; i++) {
		if (has[i] && columns[i].width <= room)
			room -= columns[i].width;
		else
			columns[i].heading = NULL;
	}
	at_page_head(page, columns, COLUMN_COUNT);
	for (size_t i = 0; i < group->row_count; i++)
		add_row(page, group, &group->rows[i]);
}

static void add_winner(struct at_page *page, const struct at_group *group)
{
	const struct at_winner *best = &group->best;
	struct at_strbuf line = { 0 };

	at_group_add_winner(page, group);
	/* if the baseline wins there is no gain, whatever an older version recorded */
	if (!group->baseline_wins)
		at_gains_write(best, false, &line);
	at_page_entry(page, "gain", &line);
	at_reasons_add(page, group->defaults.counters, group->winner.counters);
	at_measurement_add(page, best);
}

static void add_group(struct at_page *page, const struct at_group *group)
{
	const struct at_record_device *device = &group->device;
	struct at_strbuf line = { 0 };

	at_strbuf_addf(&line, " (%s%s%s)", device->slug,
		*device->architecture ? ", " : "", device->architecture);
	at_page_title(page, group->space, group->problem, device->model, line.data);
	at_strbuf_release(&line);
	if (group->has_winner)
		add_winner(page, group);
	else
		at_page_say(page, "winner", "%s", at_group_no_winner(group));
	at_summary_write_outcomes(group->by_outcome, group->first_detail, page->out);
	if (group->row_count)
		add_rows(page, group);
	if (group->older_count)
		at_strbuf_addf(page->out,
			"    %s evaluation%s of an older source, compiler or driver%s\n",
			at_format_count(group->older_count).text,
			group->older_count == 1 ? " is" : "s are",
			group->shows_older ? "" : "; --all shows them too");
	at_strbuf_add_char(page->out, '\n');
}

static bool has_metrics(const struct at_group *group)
{
	struct at_roofline roofline;

	for (size_t i = 0; i < group->row_count; i++)
		if (group->rows[i].flops > 0 || group->rows[i].bytes > 0)
			return true;
	if (!group->has_winner)
		return false;
	at_group_winner_roofline(group, &roofline);
	return isfinite(roofline.flops_per_second) ||
	       isfinite(roofline.bytes_per_second);
}

/* Appends advice to measure ceilings, if there are rates to compare with them. */
static void add_hint(const struct at_groups *groups, struct at_strbuf *out)
{
	for (size_t i = 0; i < groups->count; i++) {
		const struct at_group *group = groups->items[i];

		if (group->has_ceilings || !has_metrics(group))
			continue;
		at_strbuf_add(out,
			"run \"autotune devices\" once: it measures the ceilings that these are compared with\n");
		return;
	}
}

/* ---- Markdown ---------------------------------------------------------------- */

static void add_reason(struct at_strbuf *out, const struct at_group *group)
{
	if (group->baseline_wins) {
		at_strbuf_add(out, "nothing: the baseline is the winner");
		return;
	}
	switch (at_gains_write(&group->best, true, out)) {
	case AT_GAINS_UNKNOWN:
		at_strbuf_add(out, "not looked into");
		break;
	case AT_GAINS_NOTHING:
		at_strbuf_add(
			out, "nothing: the winner is no faster than the baseline");
		break;
	case AT_GAINS_STEPS:
		break;
	}
}

/* The baseline's time is the winner's times the speed-up, which finals measure in
   pairs. */
static void add_table_row(struct at_page *page, const struct at_group *group)
{
	const struct at_winner *best = &group->best;
	struct at_strbuf *out = at_page_cell(page);
	struct at_roofline roofline;

	at_escape_markdown_code(out, group->space);
	at_escape_markdown(at_page_cell(page), group->problem);
	at_escape_markdown(at_page_cell(page), group->device.slug);
	if (!group->has_winner) {
		for (size_t i = 0; i < 6; i++)
			at_page_cell(page);
		at_strbuf_add(out, "nothing: there is no winner");
		at_page_row_end(page);
		return;
	}
	at_group_winner_roofline(group, &roofline);
	at_page_text(page, at_format_value(best->objective,
				   at_objective_baseline(best->objective, best->speedup,
					   best->score.value))
				   .text);
	at_page_text(page, at_format_value(best->objective, best->score.value).text);
	at_page_text(page, at_format_speedup(best->speedup).text);
	at_limits_write_rate(&roofline, at_page_cell(page));
	at_page_text(page, isfinite(roofline.fraction)
				   ? at_format_share(roofline.fraction).text
				   : "");
	at_page_cell(page);
	add_reason(out, group);
	at_page_row_end(page);
}

static void add_device(struct at_strbuf *out, const struct at_group *group)
{
	const struct at_record_ceilings *ceilings = &group->ceilings;
	const char *driver = ceilings->driver ? ceilings->driver : group->device.driver;
	size_t start;

	at_strbuf_add(out, "- ");
	at_escape_markdown(out, group->device.model);
	at_strbuf_add(out, " (");
	at_escape_markdown(out, group->device.slug);
	at_strbuf_add(out, ", ");
	at_escape_markdown(out, group->device.architecture);
	at_strbuf_add(out, ")");
	if (*driver) {
		at_strbuf_add(out, ", driver ");
		at_escape_markdown(out, driver);
	}
	at_strbuf_add(out, "; ceilings: ");
	start = out->length;
	at_limits_write_ceilings(&ceilings->ceilings, out);
	at_strbuf_add(out, out->length == start ? "not measured\n" : "\n");
}

/* Whether this is the first group of its device. */
static bool is_first(const struct at_groups *groups, size_t index)
{
	for (size_t i = 0; i < index; i++)
		/* not by id, which a device of result files may lack */
		if (!strcmp(groups->items[i]->device.slug,
			    groups->items[index]->device.slug))
			return false;
	return true;
}

/* A row per group, then for each device a line with the ceilings of the shares. */
static void add_table(struct at_page *page, const struct at_groups *groups)
{
	struct at_page_column columns[] = { { "space", 0 }, { "problem", 0 },
		{ "device", 0 }, { "baseline", 0 }, { "winner", 0 }, { "speed-up", 0 },
		{ "rate", 0 }, { "of the ceiling", 0 }, { "what mattered", 0 } };
	size_t devices = 0;

	page->is_markdown = true;
	for (size_t i = 0; i < groups->count; i++)
		devices += is_first(groups, i);
	if (devices < 2)
		columns[2].heading = NULL;
	at_page_head(page, columns, AT_COUNT_OF(columns));
	for (size_t i = 0; i < groups->count; i++)
		add_table_row(page, groups->items[i]);
	at_strbuf_add_char(page->out, '\n');
	for (size_t i = 0; i < groups->count; i++)
		if (is_first(groups, i))
			add_device(page->out, groups->items[i]);
}

/* ---- JSON -------------------------------------------------------------------- */

static struct at_json *row_to_json(
	const struct at_group *group, const struct at_evaluation *row)
{
	struct at_json *out = at_json_object();
	struct at_roofline roofline;

	at_group_roofline(group, row, &roofline);
	at_json_set(out, "configuration", at_json_embedded(row->configuration));
	at_json_set_evaluation(out, row);
	at_json_set(out, "speedup", at_group_gain(group, row));
	at_json_set(out, "winner",
		at_json_boolean(
			group->has_winner && row->id == group->best.evaluation_id));
	at_json_set(out, "older_source", at_sources_is_older(&group->sources, row));
	/* 0: the space has no such metric */
	at_json_set(out, "flops", row->flops > 0 ? row->flops : NAN);
	at_json_set(out, "bytes", row->bytes > 0 ? row->bytes : NAN);
	at_json_set_rates(out, &roofline);
	return out;
}

static struct at_json *winner_to_json(const struct at_group *group)
{
	const struct at_winner *best = &group->best;
	struct at_roofline roofline;
	struct at_json *out;

	if (!group->has_winner)
		return at_json_null();
	at_group_winner_roofline(group, &roofline);
	out = at_json_object();
	at_json_set(
		out, "configuration", at_json_embedded(group->winner.configuration));
	at_json_set_score(out, best->objective, best->score);
	at_json_set_speedup(out, at_winner_speedup(best));
	at_json_set(out, "created_seconds", best->created_seconds);
	at_json_set(out, "older_source", group->winner_is_older);
	at_json_set_facts(out, &group->winner.facts);
	at_json_set_rates(out, &roofline);
	at_json_set_winner(out, best);
	at_reasons_set(out, group->defaults.counters, group->winner.counters);
	return out;
}

static struct at_json *group_to_json(const struct at_group *group)
{
	struct at_json *out = at_json_object();
	struct at_json *rows = at_json_array();

	for (size_t i = 0; i < group->row_count; i++)
		at_json_append(rows, row_to_json(group, &group->rows[i]));
	at_json_set(out, "space", group->space);
	at_json_set(out, "problem", group->problem);
	at_json_set(out, "device", group->device.slug);
	at_json_set(out, "model", group->device.model);
	at_json_set(out, "architecture", group->device.architecture);
	at_json_set(out, "bundled", group->is_bundled);
	at_json_set(out, "ceilings",
		at_ceilings_to_json(group->has_ceilings ? &group->ceilings : NULL));
	at_json_set(out, "outcomes", at_json_outcomes(group->by_outcome));
	at_json_set(out, "older_source_count", group->older_count);
	at_json_set(out, at_objective_time.baseline_key, group->baseline);
	at_json_set(out, "winner", winner_to_json(group));
	at_json_set(out, "evaluations", rows);
	return out;
}

/* ---- the command ------------------------------------------------------------- */

#define ONLY_FILES \
	"There is no record in %s: these are its result files, which have winners and baselines alone."

/* --json and --top are about evaluations, which the table omits. */
static enum at_status check_table(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	static const char *const others[] = { "json", "top" };

	for (size_t i = 0; i < AT_COUNT_OF(others); i++)
		if (at_cli_given(arguments, "table") &&
			at_cli_given(arguments, others[i]))
			return at_fail(err, AT_EINVAL, NULL, 0,
				"--table and --%s exclude each other", others[i]);
	return AT_OK;
}

static enum at_exit run_results(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct at_groups groups = {
		.top = (size_t)at_cli_whole(arguments, "top", TOP_DEFAULT),
		.with_older = at_cli_given(arguments, "all"),
	};
	struct at_strbuf note = { 0 };
	struct at_recorded recorded;
	enum at_status status;

	if (check_table(arguments, err))
		return AT_EXIT_USAGE;
	status = at_groups_open(&groups, &recorded, arguments, err);
	if (!status) {
		struct at_strbuf out = { 0 };
		struct at_page page = at_page_of_stdout(&out);

		page.wide = at_cli_given(arguments, "wide");
		if (at_cli_given(arguments, "json")) {
			for (size_t i = 0; i < groups.count; i++)
				at_print_json(group_to_json(groups.items[i]));
		} else if (at_cli_given(arguments, "table")) {
			add_table(&page, &groups);
			at_print(&out);
		} else {
			for (size_t i = 0; i < groups.count; i++)
				add_group(&page, groups.items[i]);
			/* the hint's "autotune devices" would create a record */
			if (!recorded.is_bundled)
				add_hint(&groups, &out);
			at_print_folded(&out);
		}
		at_strbuf_release(&out);
	}
	/* in the text itself, but on stderr for programs and for a table, which goes
	   into a README */
	if (!status && recorded.is_bundled &&
		(at_cli_given(arguments, "json") || at_cli_given(arguments, "table"))) {
		at_say("autotune: " ONLY_FILES, recorded.directory);
	} else if (!status && recorded.is_bundled) {
		at_strbuf_addf(&note, ONLY_FILES "\n", recorded.directory);
		at_print_folded(&note);
	}
	at_groups_release(&groups);
	at_recorded_close(&recorded);
	return AT_EXIT_DONE;
}

static const struct at_cli_option options[] = {
	{ "top", AT_CLI_WHOLE, "N",
		.help = "show the best N evaluations of each space, problem and device; 0 shows all (default: 10)",
		.minimum = 0, .maximum = INT64_MAX },
	{ "all",
		.help = "also show evaluations of an older source, compiler or driver, marked as such" },
	{ "table",
		.help = "print the winners as one table in Markdown, with their gains and the reasons" },
	{ .name = NULL },
};

const struct at_cli_command at_command_results = {
	.name = "results",
	.operands = "[SPACE...]",
	.summary = "show winners, the best evaluations, and what failed and why",
	.details =
		"SPACE is a space file or the name of a space; without one everything is shown. Evaluations that a run would not use again, because the space, its template, a reference file, the compiler or the driver has changed, are only counted; --all shows them. The winner (*) is the one that won the finals, which need not be the fastest of the single evaluations. \"of ceiling\" is the share of the ceiling that \"autotune devices\" measured: of bytes or of operations, whichever bounds the kernel. A gain lists the changes from the baseline to the winner, at each step the one that helps most, each with its share of the speed-up.\n"
		"\n"
		"  autotune results matmul --top 3\n"
		"  autotune results --table --device nvidia-h200",
	.options = "device problem results top all table json wide",
	.own = options,
	.run = run_results,
};
