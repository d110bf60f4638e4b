/* autotune report: writes what is recorded as a page, or as text for a terminal. */
#include "cli/report.h"

#include "base/file.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "report/page.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void print_text(const struct at_report *report)
{
	struct at_strbuf out = { 0 };
	struct at_page page = at_page_of_stdout(&out);

	for (size_t i = 0; i < report->count; i++)
		at_report_write_text(&report->parts[i], &page);
	at_report_write_devices(report, &page);
	at_print_folded(&out);
}

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
	const char *path = at_cli_text(arguments, &at_option_output, NULL);
	struct at_strbuf text = { 0 };

	if (path)
		return write_page(report, path, err);
	if (!at_cli_given(arguments, &at_option_json)) {
		print_text(report);
		return AT_OK;
	}
	at_report_write_json(report, (int64_t)time(NULL), NULL, &text);
	at_strbuf_add_char(&text, '\n');
	at_print(&text);
	return AT_OK;
}

/* --json is for programs, and -o writes a page for people. */
static enum at_status check_form(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	if (at_cli_given(arguments, &at_option_json) &&
		at_cli_given(arguments, &at_option_output))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"--json and -o exclude each other: -o writes a page");
	return AT_OK;
}

static enum at_exit run_report(const struct at_cli_arguments *arguments)
{
	struct at_report report = { 0 };
	struct at_groups groups = { 0 };
	struct at_recorded recorded;
	struct at_error err = { 0 };
	enum at_status status;

	if (check_form(arguments, &err)) {
		at_say_error(&err);
		return AT_EXIT_USAGE;
	}
	status = at_groups_open(&groups, &recorded, arguments, &err);
	if (!status)
		status = at_report_gather(&report, &groups, &recorded, &err);
	if (!status)
		status = tell(arguments, &report, &err);
	if (status)
		at_say_error(&err);
	at_groups_release(&groups);
	at_report_release(&report);
	at_recorded_close(&recorded);
	return status ? AT_EXIT_FAILED : AT_EXIT_DONE;
}

static const struct at_cli_option *const options[] = {
	&at_option_device,
	&at_option_problem,
	&at_option_results,
	&at_option_output,
	&at_option_json,
	NULL,
};

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
	.operands_maximum = SIZE_MAX,
	.options = options,
	.run = run_report,
};
