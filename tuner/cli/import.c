/* autotune import: adds measurements from elsewhere to the record. */
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/output.h"

#include "base/file.h"
#include "base/json.h"
#include "record/import.h"
#include "record/merge.h"
#include "record/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

struct import {
	const struct at_cli_arguments *arguments;
	struct at_store *store;
	const char *results;
	/* the file in RESULTS, and that it did not exist before */
	char *record;
	bool is_new;
};

static bool is_folder(const char *path)
{
	struct stat facts;

	return !stat(path, &facts) && S_ISDIR(facts.st_mode);
}

/* ---- printing ------------------------------------------------------------------ */

/* "12 evaluations (3 known)" */
static void add_counted(
	struct at_strbuf *out, struct at_merge_count count, const char *what)
{
	at_strbuf_addf(out, "%s %s%s", at_format_count((uint64_t)count.added).text,
		what, count.added == 1 ? "" : "s");
	if (!count.known)
		return;
	at_strbuf_addf(
		out, " (%s more known)", at_format_count((uint64_t)count.known).text);
}

static struct at_json *count_to_json(struct at_merge_count count)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "added", count.added);
	at_json_set(out, "known", count.known);
	return out;
}

void at_note_recording(const char *operand, const struct at_recording *recording)
{
	struct at_strbuf objective = { 0 };

	if (recording->older_count)
		at_say("autotune: %s: %zu evaluations of an older source, compiler or driver are left out",
			operand, recording->older_count);
	if (recording->repeated_count)
		at_say("autotune: %s: left out, since a later one has the same configuration: %zu",
			operand, recording->repeated_count);
	if (recording->outside_count)
		at_say("autotune: %s: the samples of its configurations are not used, since %zu times lie outside of their own",
			operand, recording->outside_count);
	if (strcmp(recording->objective, "time") != 0) {
		at_format_plain(&objective, recording->objective);
		at_say("autotune: %s: was tuned for \"%.200s\"; here only its times count",
			operand, at_strbuf_text(&objective));
	}
	at_strbuf_release(&objective);
}

/* ---- one operand --------------------------------------------------------------- */

static enum at_status import_record(struct import *self, const char *operand,
	const char *path, struct at_error *err)
{
	struct at_merged merged;
	enum at_status status =
		at_store_merge(self->store, path, operand, &merged, err);

	if (!status) {
		const struct {
			const char *key, *what;
			struct at_merge_count count;
			bool is_always_said;
		} counts[] = {
			{ "devices", NULL, merged.devices, false },
			{ "evaluations", "new evaluation", merged.evaluations, true },
			{ "runs", "run", merged.runs, true },
			{ "revisits", "revisit", merged.revisits, false },
			{ "counterexamples", "counterexample", merged.counterexamples,
				false },
			{ "winners", "winner", merged.winners, true },
			{ "ceilings", NULL, merged.ceilings, false },
			{ "portfolios", NULL, merged.portfolios, false },
		};
		struct at_json *out = at_json_object();
		struct at_strbuf line = { 0 };
		const char *separator = ": ";

		at_json_set(out, "import", operand);
		at_format_plain(&line, operand);
		for (size_t i = 0; i < AT_COUNT_OF(counts); i++) {
			at_json_set(out, counts[i].key, count_to_json(counts[i].count));
			if (!counts[i].what ||
				!(counts[i].is_always_said || counts[i].count.added))
				continue;
			at_strbuf_add(&line, separator);
			add_counted(&line, counts[i].count, counts[i].what);
			separator = ", ";
		}
		at_json_set(out, "standing", merged.standing);
		if (merged.standing)
			at_strbuf_addf(&line, ", %s of them stand%s now",
				at_format_count((uint64_t)merged.standing).text,
				merged.standing == 1 ? "s" : "");
		at_strbuf_add_char(&line, '\n');
		at_cli_tell(self->arguments, out, &line);
	}
	return status;
}

static enum at_status import_file(
	struct import *self, const char *operand, struct at_error *err)
{
	const struct at_import_options options = {
		.space = at_cli_text(self->arguments, "space", NULL),
		.problem = at_cli_text(self->arguments, "as-problem", NULL),
		.device = at_cli_text(self->arguments, "model", NULL),
		.origin = operand,
		.version = AT_VERSION,
	};
	struct at_recording *recording = NULL;
	struct at_imported imported = { 0 };
	/* hundreds of megabytes take half a minute */
	bool shows = !at_cli_given(self->arguments, "quiet");
	enum at_status status;

	if (shows)
		at_output_status("reading");
	status = at_recording_read(operand, &recording, err);
	if (shows && !status)
		at_output_status("adding %zu evaluations", recording->count);
	if (!status)
		status = at_store_import(
			self->store, recording, &options, &imported, err);
	if (shows)
		at_output_status(NULL);
	if (!status) {
		const struct at_merge_count count = { imported.added, imported.known };
		struct at_json *out = at_json_object();
		struct at_strbuf line = { 0 };

		at_json_set(out, "import", operand);
		at_json_set(out, "device", imported.slug);
		at_json_set(out, "evaluations", count_to_json(count));
		at_format_plain(&line, operand, ": ");
		add_counted(&line, count, "new evaluation");
		at_strbuf_addf(&line, " of device %s\n", imported.slug);
		at_cli_tell(self->arguments, out, &line);
	}
	if (!status)
		at_note_recording(operand, recording);
	if (!status && recording->is_cut)
		at_say("autotune: %s: ends too early; what is whole was taken",
			operand);
	free(imported.slug);
	at_recording_free(recording);
	return status;
}

static bool is_same(const char *one, const char *other)
{
	struct stat first, second;

	return !stat(one, &first) && !stat(other, &second) &&
	       first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static enum at_status import_operand(
	void *context, const char *operand, struct at_error *err)
{
	struct import *self = context;
	enum at_status status;
	char *path;

	if (self->is_new && is_same(operand, self->record))
		return at_fail(err, AT_ENOENT, operand, 0,
			"there is no record: name a folder of results, or a file");
	if (!is_folder(operand) && at_recording_is_record(operand))
		return import_record(self, operand, operand, err);
	if (!is_folder(operand))
		return import_file(self, operand, err);
	path = at_path_join(operand, "autotune.db");
	/* a record that was just created is that of --results, and empty */
	if (at_file_may_exist(path) &&
		!(self->is_new && is_same(operand, self->results)))
		status = import_record(self, operand, path, err);
	else
		status = at_fail(err, AT_ENOENT, operand, 0,
			"has no autotune.db: name a folder of results, or a file");
	free(path);
	return status;
}

static enum at_exit run_import(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	const char *results = at_cli_text(arguments, "results", "results");
	struct import self = { .arguments = arguments, .results = results };
	enum at_exit code = AT_EXIT_FAILED;

	self.record = at_path_join(results, "autotune.db");
	self.is_new = !at_file_may_exist(self.record);
	if (!at_store_open(results, &self.store, err))
		code = at_cli_each_operand(arguments, import_operand, &self);
	if (code == AT_EXIT_DONE)
		at_store_close(self.store);
	else
		at_store_close_failed(self.store);
	free(self.record);
	return code;
}

static const struct at_cli_option options[] = {
	{ "space", AT_CLI_TEXT, "NAME",
		.help = "name the space of a file of another tool, if the file does not",
		.check = at_cli_check_not_empty },
	{ "model", AT_CLI_TEXT, "NAME",
		.help = "name the model of device of such a file, if the file does not, such as \"NVIDIA A100\"",
		.check = at_cli_check_not_empty },
	{ "as-problem", AT_CLI_TEXT, "NAME",
		.help = "name the problem of such a file, if the file does not; a search of a problem with this name learns most from it",
		.check = at_cli_check_not_empty },
	{ .name = NULL },
};

const struct at_cli_command at_command_import = {
	.name = "import",
	.operands = "OTHER...",
	.summary = "add what was measured elsewhere to the record",
	.details =
		"OTHER is a folder of results, or its autotune.db: everything in it is added to the record of --results, together with where it is from. What the record already has is not added again, and a record that does not make sense is refused as a whole. If both records have a winner, the one whose history has the other one stands; of the winners of shards of one search, the better one stands until the next \"autotune tune\" has finals with all of them. Headers stay as they are until \"autotune header\" writes them.\n"
		"\n"
		"OTHER may also be a file of another tool, compressed by gzip or not: a T4 file, a cache file of Kernel Tuner, or CSV whose first line names the parameters and then time_ns. The script share/autotune/to_t4.py makes T4 files of JSON of KTT and CLBlast and of other CSV. The contents of the file become evaluations of a device of its own, imported-MODEL: \"autotune results\" shows them, and a search of the space learns from them, but they are never taken for measurements made here, and never become winners.\n"
		"\n"
		"  autotune import shards/*/ --results results\n"
		"  autotune import gemm-a100.json.gz --space gemm",
	.options = "space as-problem model results json quiet",
	.own = options,
	.run = run_import,
};
