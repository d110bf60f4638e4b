/* autotune report: what is recorded, told as a page or for the terminal. */
#include "cli/report.h"

#include "base/file.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "space/spec.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* An operand is a space file, or the bare name of a space. */
static enum at_status collect(struct at_groups *groups, struct at_recorded *recorded,
	const char *operand, struct at_error *err)
{
	struct at_spec *spec = NULL;
	enum at_status status = AT_OK;
	size_t before = groups->count;

	if (strchr(operand, '/') || at_file_exists(operand))
		status = at_spec_load(operand, &spec, err);
	if (!status)
		status = at_groups_collect(
			groups, recorded, spec ? spec->name : operand, err);
	if (!status && groups->count == before)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing is recorded of \"%s\"; \"autotune results\" lists everything",
			operand);
	at_spec_free(spec);
	return status;
}

static enum at_status gather(const struct at_cli_arguments *arguments,
	struct at_recorded *recorded, struct at_report *report, struct at_error *err)
{
	struct at_groups groups = { .arguments = arguments };
	enum at_status status = AT_OK;

	if (!arguments->operand_count)
		status = at_groups_collect(&groups, recorded, NULL, err);
	for (size_t i = 0; i < arguments->operand_count && !status; i++) {
		bool again = false;

		/* a space that was named twice is told once */
		for (size_t k = 0; k < i; k++)
			again |=
				!strcmp(arguments->operands[i], arguments->operands[k]);
		if (!again)
			status =
				collect(&groups, recorded, arguments->operands[i], err);
	}
	if (!status)
		status = at_groups_complete(&groups, recorded, err);
	if (!status && !groups.count)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing of this is recorded; \"autotune results\" lists everything");
	if (!status)
		status = at_report_gather(report, &groups, recorded, err);
	at_groups_release(&groups);
	return status;
}

static void print_text(const struct at_report *report)
{
	bool color = at_output_has_color(STDOUT_FILENO);
	int columns = at_output_width(STDOUT_FILENO);
	struct at_strbuf out = { 0 };

	for (size_t i = 0; i < report->count; i++)
		at_report_write_text(report, &report->parts[i], color, columns, &out);
	at_report_write_devices(report, &out);
	at_print(&out);
	at_strbuf_release(&out);
}

static enum at_status tell(const struct at_cli_arguments *arguments,
	const struct at_report *report, struct at_error *err)
{
	struct at_strbuf text = { 0 };
	enum at_status status = AT_OK;

	if (!at_cli_given(arguments, &at_option_json)) {
		print_text(report);
		return AT_OK;
	}
	at_report_write_json(report, (int64_t)time(NULL), &text);
	at_strbuf_add_char(&text, '\n');
	if (text.failed)
		status = at_fail_memory(err);
	else
		at_print(&text);
	at_strbuf_release(&text);
	return status;
}

static enum at_exit run_report(const struct at_cli_arguments *arguments)
{
	struct at_report report = { 0 };
	struct at_recorded recorded;
	struct at_error err = { 0 };
	enum at_status status = at_recorded_open(arguments, &recorded, &err);

	if (!status)
		status = gather(arguments, &recorded, &report, &err);
	if (!status)
		status = tell(arguments, &report, &err);
	if (status)
		at_say_error(&err);
	at_report_release(&report);
	at_recorded_close(&recorded);
	return status ? AT_EXIT_FAILED : AT_EXIT_DONE;
}

static const struct at_cli_option *const options[] = {
	&at_option_device,
	&at_option_problem,
	&at_option_results,
	&at_option_json,
	NULL,
};

const struct at_cli_command at_command_report = {
	.name = "report",
	.operands = "[SPACE...]",
	.summary = "what is recorded, explained",
	.details =
		"SPACE is a space file or the name of a space; without one everything is told.\n",
	.operands_maximum = SIZE_MAX,
	.options = options,
	.run = run_report,
};
