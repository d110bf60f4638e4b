/* autotune forget: removes unwanted parts of the record. */
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/recorded.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/forget.h"

#include <stdlib.h>
#include <string.h>

/* Converts an age such as "90d" to seconds. */
static enum at_status read_age(const char *text, double *seconds, struct at_error *err)
{
	int64_t whole = 0;
	bool is_age = at_text_time(text, "hdw", 999999, &whole);

	*seconds = (double)whole;
	return is_age ? AT_OK
		      : at_cli_fail_time(
				text, "hdw", "an age as in 90d, 12w or 36h", err);
}

struct forget {
	const struct at_cli_arguments *arguments;
	struct at_recorded recorded;
	struct at_forget_target *targets;
	size_t count;
	size_t capacity;
	int64_t *devices; /* ids of the devices of --device */
	size_t device_count;
	const char *const *problems;
	size_t problem_count;
};

/* ---- targets ------------------------------------------------------------------- */

/* Makes a target of every combination; NULL or 0 stands for all. */
static void make_targets(struct forget *self)
{
	bool by_device = self->recorded.wanted_count > 0;
	size_t devices = by_device ? self->device_count : 1;
	size_t spaces = self->recorded.space_count ? self->recorded.space_count : 1;
	size_t problems = self->problem_count ? self->problem_count : 1;

	for (size_t i = 0; i < spaces * devices * problems; i++) {
		size_t space = i % spaces, rest = i / spaces;
		size_t device = rest % devices, problem = rest / devices;

		AT_GROW(self->targets, self->capacity, self->count + 1);
		self->targets[self->count++] = (struct at_forget_target){
			self->recorded.space_count ? self->recorded.spaces[space]
						   : NULL,
			by_device ? self->devices[device] : 0,
			self->problem_count ? self->problems[problem] : NULL,
		};
	}
}

static enum at_status read_targets(struct forget *self, struct at_error *err)
{
	const struct at_cli_arguments *arguments = self->arguments;
	enum at_status status = at_recorded_open(arguments, &self->recorded, err);

	if (!status && self->recorded.is_bundled)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"there is no record in \"%s\", from which something could go: result files are removed by hand",
			self->recorded.directory);
	if (!status)
		at_store_end_reading(self->recorded.store);
	if (!status)
		status = at_recorded_read_spaces(&self->recorded, arguments, err);
	if (!status)
		at_cli_each(
			arguments, "problem", &self->problems, &self->problem_count);
	if (!status && self->recorded.wanted_count) {
		struct at_store *store = self->recorded.store;
		int64_t *ids;
		size_t count;

		status = at_store_devices(store, &ids, &count, err);
		self->devices = ids;
		for (size_t i = 0; i < count && !status; i++) {
			struct at_record_device device = { 0 };

			status = at_store_get_device(store, ids[i], &device, err);
			if (!status && at_recorded_wants(&self->recorded, &device))
				ids[self->device_count++] = ids[i];
			at_record_device_release(&device);
		}
		if (!status && !self->device_count)
			status = at_fail(err, AT_ENOENT, NULL, 0,
				"no such device is recorded; \"autotune results\" lists everything");
	}
	if (!status)
		make_targets(self);
	return status;
}

/* ---- printing ------------------------------------------------------------------ */

/* Prints how much is or would be removed. AT_ENOENT without a text: nothing. */
static enum at_status show(
	const struct forget *self, const struct at_forgotten *forgotten, bool really)
{
	const struct {
		const char *key, *one;
		int64_t count;
	} kinds[] = {
		{ "evaluations", "evaluation", forgotten->evaluations },
		{ "winners", "winner", forgotten->winners },
		{ "revisits", "revisit", forgotten->revisits },
		{ "counterexamples", "counterexample", forgotten->counterexamples },
		{ "portfolios", "portfolio", forgotten->portfolios },
		{ "ceilings", "measurement of ceilings", forgotten->ceilings },
		{ "runs", "run", forgotten->runs },
		{ "devices", "device", forgotten->devices },
	};
	struct at_json *object = at_json_object();
	struct at_strbuf line = { 0 };
	size_t told = 0, count = 0;

	for (size_t i = 0; i < AT_COUNT_OF(kinds); i++)
		count += kinds[i].count > 0;
	at_json_set(object, "removed", really);
	at_strbuf_add(&line, really ? "forgot " : "would forget ");
	for (size_t i = 0; i < AT_COUNT_OF(kinds); i++) {
		at_json_set(object, kinds[i].key, kinds[i].count);
		if (kinds[i].count)
			at_strbuf_addf(&line, "%s%s %s%s",
				at_text_between(told++, count, " and "),
				at_format_count((uint64_t)kinds[i].count).text,
				kinds[i].one, kinds[i].count == 1 ? "" : "s");
	}
	at_strbuf_add(&line, "\n");
	if (count) {
		at_cli_tell(self->arguments, object, &line);
		return AT_OK;
	}
	at_json_free(object);
	at_strbuf_release(&line);
	return AT_ENOENT;
}

static bool is_meant(const struct forget *self, const struct at_winner *best)
{
	for (size_t i = 0; i < self->count; i++) {
		const struct at_forget_target *target = &self->targets[i];

		if ((!target->space || !strcmp(target->space, best->space)) &&
			(!target->device_id || target->device_id == best->device_id) &&
			(!target->problem || !strcmp(target->problem, best->problem)))
			return true;
	}
	return false;
}

/* ---- removing ------------------------------------------------------------------ */

static enum at_status forget_all(struct forget *self, bool really, struct at_error *err)
{
	bool age = at_cli_given(self->arguments, "older-than");
	struct at_store *store = self->recorded.store;
	int64_t before_seconds = 0;
	struct at_forgotten forgotten;
	struct at_winner *winners;
	char **slugs = NULL;
	size_t count;
	enum at_status status = at_store_winners(store, NULL, 0, &winners, &count, err);

	/* the slug of each winner's device, which is the folder of its result file;
	   NULL for winners that stay */
	slugs = at_calloc(count + 1, sizeof(*slugs));
	for (size_t i = 0; i < count && !status; i++) {
		struct at_record_device device = { 0 };

		if (!is_meant(self, &winners[i]))
			continue;
		status = at_store_get_device(store, winners[i].device_id, &device, err);
		slugs[i] = device.slug;
		device.slug = NULL;
		at_record_device_release(&device);
	}
	if (age)
		before_seconds =
			at_clock_wall_seconds() -
			(int64_t)at_cli_number(self->arguments, "older-than", 0);
	/* 0 would mean any age; with a clock at 1970 nothing is that old */
	if (age && before_seconds < 1)
		before_seconds = 1;
	if (!status)
		status = at_store_forget(store, self->targets, self->count,
			before_seconds, really, &forgotten, err);
	if (!status && show(self, &forgotten, really))
		status =
			self->recorded.space_count == 1 && !age
				? at_recorded_fail_nothing_of(&self->recorded,
					  self->recorded.spaces[0],
					  self->problem_count || self->device_count,
					  err)
				: at_fail(err, AT_ENOENT, NULL, 0,
					  "nothing of this is recorded; \"autotune results\" lists everything");
	/* winners are sorted by device and space, so each file is named once */
	for (size_t i = 0; i < count && !status && really && !age; i++)
		if (slugs[i] &&
			(!i || winners[i].device_id != winners[i - 1].device_id ||
				strcmp(winners[i].space, winners[i - 1].space) != 0)) {
			struct at_strbuf path = { 0 };

			/* Result files are in version control and builds, so they are
			   not changed, but while they exist they still provide these
			   winners. */
			at_strbuf_addf(&path, "%s/%s/%s.json", self->recorded.directory,
				slugs[i], winners[i].space);
			if (at_file_may_exist(path.data))
				at_say("autotune: %s still has winners of it: remove it, or let a tuning write it anew",
					path.data);
			at_strbuf_release(&path);
		}
	if (!status && really && forgotten.evaluations) {
		struct at_error reason = { 0 };

		/* the evaluations are removed even if the file cannot shrink */
		if (at_store_compact(store, &reason))
			at_say("autotune: the file keeps its size: %s",
				at_format_error(&reason).text);
	}
	for (size_t i = 0; i < count; i++)
		free(slugs[i]);
	free(slugs);
	at_store_free_winners(winners, count);
	return status;
}

static enum at_exit run_forget(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	static const char *const names[] = { "device", "problem", "older-than" };
	bool really = at_cli_given(arguments, "yes");
	struct forget self = { .arguments = arguments };
	bool is_named = arguments->operand_count > 0;
	enum at_status status;

	for (size_t i = 0; i < AT_COUNT_OF(names); i++)
		is_named = is_named || at_cli_given(arguments, names[i]);
	if (!is_named) {
		at_fail(err, AT_EINVAL, NULL, 0,
			"say what: a SPACE, --device, --problem or --older-than; for everything remove the folder of results");
		return AT_EXIT_USAGE;
	}
	status = read_targets(&self, err);
	if (!status)
		status = forget_all(&self, really, err);
	if (!status && !really)
		at_say("autotune: nothing was removed: say it again with --yes");
	free(self.devices);
	free((void *)self.problems);
	free(self.targets);
	at_recorded_close(&self.recorded);
	if (status)
		return AT_EXIT_FAILED;
	return really ? AT_EXIT_DONE : AT_EXIT_USAGE;
}

static const struct at_cli_option options[] = {
	{ "older-than", AT_CLI_TEXT, "90d|12w|36h",
		.help = "remove only what was measured longer ago than this; current winners, and what they refer to, are kept",
		.read = read_age },
	{ "yes",
		.help = "do the removal; without this option the command only shows what would be removed" },
	{ .name = NULL },
};

const struct at_cli_command at_command_forget = {
	.name = "forget",
	.operands = "[SPACE...]",
	.summary = "remove from the record what is no longer wanted",
	.details =
		"SPACE is a space file or the name of a space. Removes everything of the spaces, devices and problems that are named: evaluations, winners with their history, nights, portfolios; of a device that is named without a space also its ceilings. Without --yes nothing is removed: the command shows how much would be, and the exit code is 2. Result files and headers stay; those that still have a removed winner are named. Do not remove what is being tuned at the same time.\n"
		"\n"
		"  autotune forget matmul --device host\n"
		"  autotune forget --older-than 90d --yes",
	.options = "device problem older-than yes results json quiet",
	.own = options,
	.run = run_forget,
};
