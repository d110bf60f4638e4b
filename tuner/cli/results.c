/* autotune results: what is recorded, best first. */
#include "cli/cli.h"
#include "cli/events.h"
#include "cli/format.h"
#include "cli/groups.h"
#include "cli/output.h"
#include "cli/summary.h"

#include "base/file.h"
#include "space/spec.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOP_DEFAULT 10

/* columns of the table, counted from the start of a line */
#define INTERVAL_COLUMN 15
#define SPEEDUP_COLUMN 39
#define CONFIGURATION_COLUMN 49

static const struct at_cli_option option_top = {
	.name = "top",
	.kind = AT_CLI_WHOLE,
	.value = "N",
	.help = "so many evaluations of each space, problem and device; 0: all (10)",
	.minimum = 0,
	.maximum = INT64_MAX,
};

/* ---- JSON ---------------------------------------------------------------- */

static void set_times(
	struct at_json *out, double time_ns, double low_ns, double high_ns)
{
	at_json_set(out, "time_ns", at_json_real(time_ns));
	at_json_set(out, "low_ns", at_json_real(low_ns));
	at_json_set(out, "high_ns", at_json_real(high_ns));
}

static struct at_json *row_to_json(
	const struct at_group *group, const struct at_group_row *row)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "configuration", at_json_embedded(row->configuration));
	at_json_set(out, "outcome", at_json_string(at_outcome_name(row->outcome)));
	set_times(out, row->time_ns, row->low_ns, row->high_ns);
	at_json_set(out, "speedup", at_json_real(group->baseline_ns / row->time_ns));
	at_json_set(out, "raced", at_json_boolean(row->raced));
	at_json_set(out, "detail", at_json_string(row->detail));
	at_json_set(out, "winner",
		at_json_boolean(
			group->has_crown && row->id == group->crown.evaluation_id));
	return out;
}

static struct at_json *crown_to_json(
	const struct at_group *group, const char *configuration)
{
	const struct at_crown *crown = &group->crown;
	struct at_json *out;

	if (!group->has_crown)
		return at_json_null();
	out = at_json_object();
	at_json_set(out, "configuration", at_json_embedded(configuration));
	set_times(out, crown->time_ns, crown->low_ns, crown->high_ns);
	at_json_set(out, "speedup", at_json_real(crown->speedup));
	at_json_set(out, "launch", at_json_embedded(crown->launch));
	at_json_set(out, "toolchain",
		at_json_string(crown->toolchain ? crown->toolchain : ""));
	at_json_set(out, "driver", at_json_string(crown->driver ? crown->driver : ""));
	at_json_set(out, "created_seconds", at_json_integer(crown->created_seconds));
	return out;
}

static void print_group_json(const struct at_group *group, const char *winner)
{
	struct at_json *out = at_json_object();
	struct at_json *rows = at_json_array();

	for (size_t i = 0; i < group->row_count; i++)
		at_json_append(rows, row_to_json(group, &group->rows[i]));
	at_json_set(out, "space", at_json_string(group->space));
	at_json_set(out, "problem", at_json_string(group->problem));
	at_json_set(out, "device", at_json_string(group->device.slug));
	at_json_set(out, "model", at_json_string(group->device.model));
	at_json_set(out, "architecture", at_json_string(group->device.architecture));
	at_json_set(out, "outcomes", at_json_outcomes(group->by_outcome));
	at_json_set(out, "baseline_ns", at_json_real(group->baseline_ns));
	at_json_set(out, "winner", crown_to_json(group, winner));
	at_json_set(out, "evaluations", rows);
	at_print_json(out);
}

/* ---- tables --------------------------------------------------------------- */

static void add_row(struct at_strbuf *out, const struct at_group *group,
	const struct at_group_row *row)
{
	bool winner = group->has_crown && row->id == group->crown.evaluation_id;
	size_t start = out->length;

	at_strbuf_add(out, winner ? "  * " : "    ");
	if (row->outcome == AT_OUTCOME_OK) {
		at_format_time(out, row->time_ns);
		at_format_pad(out, start, INTERVAL_COLUMN);
		at_format_interval(out, row->low_ns, row->high_ns);
		at_format_pad(out, start, SPEEDUP_COLUMN);
		at_format_speedup(out, group->baseline_ns / row->time_ns);
	} else {
		at_strbuf_add(out, at_outcome_name(row->outcome));
	}
	at_format_pad(out, start, CONFIGURATION_COLUMN);
	at_format_configuration(out, row->configuration);
	if (row->outcome != AT_OUTCOME_OK && row->detail[0]) {
		at_strbuf_add(out, ": ");
		at_format_plain(out, row->detail);
	}
	at_strbuf_add_char(out, '\n');
}

static void add_title(struct at_strbuf *out, const struct at_group *group, bool color)
{
	at_strbuf_add(out, at_style(AT_STYLE_STRONG, color));
	at_format_plain(out, group->space);
	at_strbuf_add(out, ", ");
	at_format_plain(out, group->problem);
	at_strbuf_add(out, " on ");
	at_format_plain(out, group->device.model);
	at_strbuf_addf(out, "%s (%s, %s)\n", at_style(AT_STYLE_END, color),
		group->device.slug, group->device.architecture);
}

static void add_winner(
	struct at_strbuf *out, const struct at_group *group, const char *configuration)
{
	const struct at_crown *crown = &group->crown;

	at_strbuf_add(out, "  winner ");
	at_format_time(out, crown->time_ns);
	if (isfinite(crown->low_ns) && isfinite(crown->high_ns)) {
		at_strbuf_add(out, " (95 % interval ");
		at_format_interval(out, crown->low_ns, crown->high_ns);
		at_strbuf_add(out, ")");
	}
	if (isfinite(crown->speedup)) {
		at_strbuf_add(out, ", ");
		at_format_speedup(out, crown->speedup);
		at_strbuf_add(out, " over the baseline");
	}
	at_strbuf_add(out, ", crowned ");
	at_format_date(out, crown->created_seconds);
	at_strbuf_add(out, "\n  ");
	at_format_configuration(out, configuration);
	at_strbuf_add(out, "\n");
}

static void print_group(const struct at_group *group, const char *winner, bool color)
{
	struct at_strbuf out = { 0 };
	size_t start;

	add_title(&out, group, color);
	if (group->has_crown)
		add_winner(&out, group, winner);
	at_summary_write_outcomes(group->by_outcome, group->first_detail, &out);
	start = out.length;
	at_strbuf_add(&out, "    time");
	at_format_pad(&out, start, INTERVAL_COLUMN);
	at_strbuf_add(&out, "95 % interval");
	at_format_pad(&out, start, SPEEDUP_COLUMN);
	at_strbuf_add(&out, "speed-up");
	at_format_pad(&out, start, CONFIGURATION_COLUMN);
	at_strbuf_add(&out, "configuration\n");
	for (size_t i = 0; i < group->row_count; i++)
		add_row(&out, group, &group->rows[i]);
	at_strbuf_add_char(&out, '\n');
	at_print(&out);
	at_strbuf_release(&out);
}

/* ---- the command ----------------------------------------------------------- */

/* An operand is a space file, or the bare name of a space. */
static enum at_status collect(struct at_groups *groups, struct at_recorded *recorded,
	const char *operand, struct at_error *err)
{
	struct at_spec *spec;
	enum at_status status;
	size_t before = groups->count;

	if (!strchr(operand, '/') && !at_file_exists(operand)) {
		status = at_groups_collect(groups, recorded, operand, err);
	} else {
		status = at_spec_load(operand, &spec, err);
		if (status)
			return status;
		status = at_groups_collect(groups, recorded, spec->name, err);
		at_spec_free(spec);
	}
	if (!status && groups->count == before)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing is recorded of \"%s\"%s", operand,
			at_cli_given(groups->arguments, &at_option_problem)
				? " and this problem"
				: "");
	return status;
}

static enum at_status print_all(const struct at_groups *groups, struct at_store *store,
	bool json, struct at_error *err)
{
	bool color = at_output_has_color(STDOUT_FILENO);

	for (size_t i = 0; i < groups->count; i++) {
		const struct at_group *group = groups->items[i];
		struct at_evaluation winner = { 0 };
		enum at_status status = AT_OK;

		/* it need not be among the rows */
		if (group->has_crown)
			status = at_store_get(
				store, group->crown.evaluation_id, false, &winner, err);
		if (status)
			return status;
		if (json)
			print_group_json(group, winner.configuration);
		else
			print_group(group,
				winner.configuration ? winner.configuration : "",
				color);
		at_evaluation_release(&winner);
	}
	return AT_OK;
}

static enum at_status show(const struct at_cli_arguments *arguments,
	struct at_groups *groups, struct at_recorded *recorded, struct at_error *err)
{
	enum at_status status = AT_OK;

	if (!arguments->operand_count)
		status = at_groups_collect(groups, recorded, NULL, err);
	for (size_t i = 0; i < arguments->operand_count && !status; i++)
		status = collect(groups, recorded, arguments->operands[i], err);
	if (!status)
		status = at_groups_complete(groups, recorded, err);
	if (!status && !groups->count)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing of this is recorded; \"autotune results\" lists "
			"everything");
	if (!status)
		status = print_all(groups, recorded->store,
			at_cli_given(arguments, &at_option_json), err);
	return status;
}

static enum at_exit run_results(const struct at_cli_arguments *arguments)
{
	struct at_groups groups = {
		.top = (size_t)at_cli_whole(arguments, &option_top, TOP_DEFAULT),
		.arguments = arguments,
	};
	struct at_recorded recorded;
	struct at_error err = { 0 };
	enum at_status status;

	status = at_recorded_open(arguments, &recorded, &err);
	if (!status)
		status = show(arguments, &groups, &recorded, &err);
	if (status)
		at_say_error(&err);
	at_groups_release(&groups);
	at_recorded_close(&recorded);
	return status ? AT_EXIT_FAILED : AT_EXIT_DONE;
}

static const struct at_cli_option *const options[] = {
	&at_option_device,
	&at_option_problem,
	&at_option_results,
	&option_top,
	&at_option_json,
	NULL,
};

const struct at_cli_command at_command_results = {
	.name = "results",
	.operands = "[SPACE...]",
	.summary = "what is recorded, best first, and what failed and why",
	.details = "SPACE is a space file or the name of a space; without one "
		   "everything is "
		   "shown. The winner (*) is what the finals crowned, which need not "
		   "be the "
		   "fastest of the single evaluations.",
	.operands_maximum = SIZE_MAX,
	.options = options,
	.run = run_results,
};
