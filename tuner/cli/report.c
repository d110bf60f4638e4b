/* autotune report: gathers what is recorded, and writes a page, or text for a terminal.
 */
#include "cli/report.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "record/result.h"
#include "report/page.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void release_part(struct at_report_part *part)
{
	at_report_evaluations_release(&part->evaluations);
	for (size_t i = 0; i < part->include_count; i++)
		free(part->includes[i]);
	free(part->includes);
	free(part->boards);
}

void at_report_release(struct at_report *self)
{
	for (size_t i = 0; i < self->count; i++)
		release_part(&self->parts[i]);
	free(self->parts);
	at_nights_release(&self->nights);
	at_groups_release(&self->groups);
	memset(self, 0, sizeof(*self));
}

/* ---- evaluations ------------------------------------------------------------------
 */

static enum at_status read_evaluations(
	struct at_report *self, struct at_report_part *part, struct at_error *err)
{
	const struct at_group *group = part->group;

	/* A result file has only winner and baseline, which are no search. Beside a
	   record their ids are below 0. */
	if (self->is_bundled || !group->row_count || group->rows[0].id < 0)
		return AT_OK;
	return at_report_evaluations_init(&part->evaluations, self->directory,
		group->rows, group->row_count, err);
}

/* ---- the header's lines ------------------------------------------------------------
 */

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

	/* An unverified winner is in no header. */
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

/* ---- nights ------------------------------------------------------------------------
 */

static bool is_night_of(const struct at_revisit *night, const struct at_group *group)
{
	return group->device_id && night->device_id == group->device_id &&
	       !strcmp(night->problem, group->problem) &&
	       !strcmp(night->space, group->space);
}

static void collect_boards(struct at_report *self, struct at_report_part *part)
{
	const struct at_nights *nights = &self->nights;
	size_t capacity = 0;

	for (size_t begin = 0, end; begin < nights->count; begin = end) {
		end = at_nights_end(nights, begin);
		if (!is_night_of(nights->items[begin], part->group))
			continue;
		AT_GROW(part->boards, capacity, part->board_count + 1);
		part->boards[part->board_count++] = (struct at_kernel_nights){
			.device = &part->group->device,
			.count = end - begin,
			.nights = nights->items + begin,
		};
	}
	for (size_t i = 0; i < part->board_count; i++)
		part->boards[i].names_board = part->board_count > 1;
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
		if (!status)
			collect_boards(self, part);
	}
	return status;
}

/* ---- the command --------------------------------------------------------------- */

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
	const char *path = at_cli_text(arguments, "output", NULL);
	struct at_strbuf text = { 0 };

	if (path)
		return write_page(report, path, err);
	if (!at_cli_given(arguments, "json")) {
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
	if (at_cli_given(arguments, "json") && at_cli_given(arguments, "output"))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"--json and -o exclude each other: -o writes a page");
	return AT_OK;
}

static enum at_exit run_report(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct at_report report = { 0 };
	struct at_groups groups = { 0 };
	struct at_recorded recorded;
	enum at_status status;

	if (check_form(arguments, err))
		return AT_EXIT_USAGE;
	status = at_groups_open(&groups, &recorded, arguments, err);
	if (!status)
		status = at_report_gather(&report, &groups, &recorded, err);
	if (!status)
		status = tell(arguments, &report, err);
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
