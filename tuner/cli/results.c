/* autotune results: shows what is recorded, best first. */
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/results.h"

#include "base/file.h"
#include "space/spec.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* With ten rows a group fits on half a screen. */
#define TOP_DEFAULT 10

static const struct at_cli_option option_top = {
	.name = "top",
	.kind = AT_CLI_WHOLE,
	.value = "N",
	.help = "show the best N evaluations of each space, problem and device; 0 shows all (default: 10)",
	.minimum = 0,
	.maximum = INT64_MAX,
};

static const struct at_cli_option option_all = {
	.name = "all",
	.help = "also show evaluations of an older source, compiler or driver, marked as such",
};

static const struct at_cli_option option_table = {
	.name = "table",
	.help = "print the winners as one table in Markdown, with their gains and the reasons",
};

/* Adds the groups of an operand, which is a space file or the name of a space. */
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
		status = at_recorded_fail_nothing_of(recorded, operand,
			at_cli_given(groups->arguments, &at_option_problem), err);
	return status;
}

/* Says that there are only result files: in the text itself, but on stderr for programs
   and for a table, which goes into a README. */
static void tell_shipped(const struct at_recorded *recorded, bool is_text)
{
	static const char text[] =
		"There is no record in %s: these are its result files, which have winners and baselines alone.";
	struct at_strbuf out = { 0 };

	if (!recorded->is_shipped)
		return;
	at_strbuf_addf(&out, text, recorded->directory);
	if (is_text) {
		at_strbuf_add_char(&out, '\n');
		at_print_folded(&out);
	} else {
		at_say("autotune: %s", at_strbuf_text(&out));
	}
	at_strbuf_release(&out);
}

static void print_all(const struct at_groups *groups,
	const struct at_recorded *recorded, const struct at_cli_arguments *arguments)
{
	struct at_strbuf out = { 0 };

	if (at_cli_given(arguments, &at_option_json)) {
		for (size_t i = 0; i < groups->count; i++)
			at_print_json(at_results_to_json(groups->items[i]));
		return;
	}
	if (at_cli_given(arguments, &option_table)) {
		at_results_write_table(groups, &out);
		at_print(&out);
	} else {
		const struct at_results_view view = {
			.color = at_output_has_color(STDOUT_FILENO),
			.wide = at_cli_given(arguments, &at_option_wide),
			.columns = at_output_is_terminal(STDOUT_FILENO)
					   ? at_output_width(STDOUT_FILENO)
					   : INT_MAX,
		};

		for (size_t i = 0; i < groups->count; i++)
			at_results_write_text(groups->items[i], &view, &out);
		/* The hint is to run "autotune devices", which would create a
		   record. */
		if (!recorded->is_shipped)
			at_results_write_hint(groups, &out);
		at_print_folded(&out);
	}
	at_strbuf_release(&out);
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
			"nothing of this is recorded; \"autotune results\" lists everything");
	if (!status) {
		print_all(groups, recorded, arguments);
		tell_shipped(recorded, !at_cli_given(arguments, &at_option_json) &&
					       !at_cli_given(arguments, &option_table));
	}
	return status;
}

/* --json and --top say how to show evaluations, and the table shows none. */
static enum at_status check_table(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	const struct at_cli_option *const others[] = { &at_option_json, &option_top };

	for (size_t i = 0; i < AT_COUNT_OF(others); i++)
		if (at_cli_given(arguments, &option_table) &&
			at_cli_given(arguments, others[i]))
			return at_fail(err, AT_EINVAL, NULL, 0,
				"--table and --%s exclude each other", others[i]->name);
	return AT_OK;
}

static enum at_exit run_results(const struct at_cli_arguments *arguments)
{
	struct at_groups groups = {
		.top = (size_t)at_cli_whole(arguments, &option_top, TOP_DEFAULT),
		.with_older = at_cli_given(arguments, &option_all),
		.arguments = arguments,
	};
	struct at_recorded recorded;
	struct at_error err = { 0 };
	enum at_status status;

	if (check_table(arguments, &err)) {
		at_say_error(&err);
		return AT_EXIT_USAGE;
	}
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
	&option_all,
	&option_table,
	&at_option_json,
	&at_option_wide,
	NULL,
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
	.operands_maximum = SIZE_MAX,
	.options = options,
	.run = run_results,
};
