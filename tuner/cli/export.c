/* autotune export: writes recorded evaluations for other tools. */
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/recorded.h"

#include "base/file.h"
#include "base/text.h"
#include "record/export.h"
#include "space/spec.h"

#include <stdlib.h>
#include <string.h>

static enum at_status check_format(const char *value, struct at_error *err)
{
	if (at_export_from_name(value) != AT_EXPORT_NONE)
		return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"expected t4, csv or kernel-tuner, found \"%s\"", value);
}

struct export
{
	const struct at_cli_arguments *arguments;
	struct at_recorded recorded;
	const char *output; /* NULL: a file per problem and device */
	enum at_export_format format;
};

static bool is_wanted(const struct export *self, const struct at_export_group *group)
{
	return at_recorded_wants(&self->recorded, &group->device) &&
	       at_cli_wants_problem(self->arguments, group->problem);
}

/* SPACE-PROBLEM-DEVICE.csv in the working folder; in the folder of results it would
   look like a result file. Heap. */
static char *usual_path(const struct export *self, const struct at_export_group *group)
{
	char *space = at_text_slug(group->space);
	char *problem = at_text_slug(group->problem);
	struct at_strbuf path = { 0 };

	at_strbuf_addf(&path, "%s-%s-%s.%s", space, problem, group->device.slug,
		at_export_ending(self->format));
	free(space);
	free(problem);
	return at_strbuf_detach(&path);
}

static enum at_status write_group(
	struct export *self, const struct at_export_group *group, struct at_error *err)
{
	bool is_stdout = self->output && !strcmp(self->output, "-");
	struct at_strbuf text = { 0 };
	char *path = NULL;
	enum at_status status =
		at_export_write(self->recorded.store, group, self->format, &text, err);

	if (status)
		goto release;
	if (is_stdout) {
		at_print(&text);
		goto release;
	}
	path = self->output ? at_strdup(self->output) : usual_path(self, group);
	char *folder = at_path_directory(path);
	size_t missing = at_directory_missing(folder);

	status = at_directory_make(folder, err);
	if (!status)
		status = at_file_replace_inside(NULL, path, &text, err);
	if (status)
		at_directory_unmake(folder, missing);
	free(folder);
	if (!status) {
		struct at_json *object = at_json_object();
		struct at_strbuf line = { 0 };

		at_json_set(object, "space", group->space);
		at_json_set(object, "problem", group->problem);
		at_json_set(object, "device", group->device.slug);
		at_json_set(object, "file", path);
		at_strbuf_addf(&line, "%s\n", path);
		at_cli_tell(self->arguments, object, &line);
	}
	free(path);
release:
	at_strbuf_release(&text);
	return status;
}

static enum at_status write_groups(struct export *self, const char *space,
	const struct at_export_groups *groups, struct at_error *err)
{
	enum at_status status = AT_OK;
	size_t count = 0;

	for (size_t i = 0; i < groups->count; i++)
		count += is_wanted(self, &groups->items[i]);
	if (!count)
		return at_recorded_fail_nothing_of(
			&self->recorded, space, groups->count > 0, err);
	if (count > 1 && self->output)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"%zu problems and devices of \"%s\" are recorded, and -o names one file: choose one with --problem and --device",
			count, space);
	for (size_t i = 0; i < groups->count && !status; i++)
		if (is_wanted(self, &groups->items[i]))
			status = write_group(self, &groups->items[i], err);
	return status;
}

static enum at_status export_space(
	void *context, const char *operand, struct at_error *err)
{
	struct export *self = context;
	struct at_export_groups groups = { 0 };
	char *space = NULL;
	enum at_status status = at_recorded_space_name(operand, &space, err);

	if (!status)
		status =
			at_export_list(self->recorded.store, space, NULL, &groups, err);
	if (!status)
		status = write_groups(self, space, &groups, err);
	at_export_release(&groups);
	free(space);
	return status;
}

static enum at_exit run_export(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct export self = {
		.arguments = arguments,
		.output = at_cli_text(arguments, "output", NULL),
		.format = at_export_from_name(at_cli_text(arguments, "format", "")),
	};
	enum at_exit code = AT_EXIT_DONE;

	if (self.format == AT_EXPORT_NONE)
		at_fail(err, AT_EINVAL, NULL, 0,
			"say what to write: --format t4, csv or kernel-tuner");
	else if (self.output && arguments->operand_count > 1)
		at_fail(err, AT_EINVAL, NULL, 0,
			"-o names one file, and there are %zu spaces: give one of them",
			arguments->operand_count);
	if (err->status)
		return AT_EXIT_USAGE;
	if (!at_recorded_open(arguments, &self.recorded, err))
		code = at_cli_each_operand(arguments, export_space, &self);
	at_recorded_close(&self.recorded);
	return code;
}

static const struct at_cli_option options[] = {
	{ "format", AT_CLI_TEXT, "t4|csv|kernel-tuner",
		.help = "write files of this format: t4, the common format of auto-tuners; csv, a table for spreadsheets; kernel-tuner, a cache file of Kernel Tuner",
		.check = check_format },
	{ .name = NULL },
};

const struct at_cli_command at_command_export = {
	.name = "export",
	.operands = "SPACE...",
	.summary = "write recorded evaluations as files for other tools",
	.details =
		"SPACE is a space file or the name of a space. Each problem on each device gets a file of its own in the current folder, SPACE-PROBLEM-DEVICE with the ending of the format, and its name is printed. With -o FILE one problem on one device is written to FILE, or to standard output with \"-o -\". T4 and Kernel Tuner files have the newest evaluation of each configuration; CSV has every evaluation that counts, with its interval, its samples and what the compiler said. Evaluations of an older source, compiler or driver are marked (autotune_older_source, in CSV the column older_source); commands that read the files back leave them out. \"autotune import\" reads all three formats, and \"autotune simulate\" searches in them.\n"
		"\n"
		"  autotune export matmul --format kernel-tuner --problem square_4096 -o -",
	.options = "format output device problem results json quiet",
	.own = options,
	.run = run_export,
};
