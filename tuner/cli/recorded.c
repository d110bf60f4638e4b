/* Opens the record or the result files for commands that read them, and groups their
   contents: see recorded.h. */
#include "cli/recorded.h"

#include "cli/output.h"
#include "cli/words.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/device.h"
#include "evaluator/workers/probe.h"
#include "record/evaluation_json.h"
#include "record/export.h"
#include "session/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the record ---------------------------------------------------------------- */

/* The slug of device number `index` of a kind on this machine. */
static enum at_status find_slug(struct at_store *store, const char *id,
	const char *kind, unsigned index, char **slug, struct at_error *err)
{
	struct at_device_listing *listings;
	size_t count, i;
	enum at_status status = at_probe_list_devices(NULL, &listings, &count, err);

	if (status)
		return status;
	for (i = 0; i < count; i++)
		if (!strcmp(listings[i].kind, kind) && index < listings[i].count)
			break;
	if (i == count)
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"there is no device %s here; name what is recorded by its model, as in --device nvidia-h200",
			id);
	if (i < count) {
		struct at_record_device device = { 0 }, recorded = { 0 };
		int64_t row = 0;

		/* the slug under which the device is recorded, or would be */
		at_session_record_device(&listings[i].devices[index], &device);
		status = at_store_match_device(store, &device, &row, err);
		if (!status && row)
			status = at_store_get_device(store, row, &recorded, err);
		if (!status)
			*slug = at_strdup(row ? recorded.slug : device.slug);
		at_record_device_release(&recorded);
		at_record_device_release(&device);
	}
	at_probe_free_devices(listings, count);
	return status;
}

static enum at_status want(struct at_store *store, struct at_wanted_device *out,
	const char *text, struct at_error *err)
{
	struct at_device_choice choice;

	if (at_device_resolve(text, &choice, NULL)) {
		out->architecture = text;
		out->slug = at_text_slug(text);
		return AT_OK;
	}
	/* a kind without a number means all its devices, even of other machines */
	if (!choice.all && strchr(text, ':'))
		return find_slug(
			store, text, choice.kind->name, choice.index, &out->slug, err);
	out->kind = at_strdup(choice.kind->name);
	return AT_OK;
}

static void tell_failed(const struct at_results *results)
{
	for (size_t i = 0; i < results->failed_count; i++) {
		const struct at_error *reason = &results->failed[i];

		at_say("autotune: %s; this file is left aside",
			at_format_error(reason).text);
	}
}

enum at_status at_recorded_space_name(
	const char *operand, char **out, struct at_error *err)
{
	struct at_spec *spec = NULL;
	enum at_status status = AT_OK;

	if (strchr(operand, '/') || at_file_exists(operand))
		status = at_spec_load(operand, &spec, err);
	if (status)
		return status;
	*out = at_strdup(spec ? spec->name : operand);
	at_spec_free(spec);
	return AT_OK;
}

bool at_recorded_names(const struct at_recorded *self, const char *space)
{
	size_t i = 0;

	while (i < self->space_count && strcmp(self->spaces[i], space) != 0)
		i++;
	return i < self->space_count || !self->space_count;
}

enum at_status at_recorded_read_spaces(struct at_recorded *self,
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	enum at_status status = AT_OK;

	self->spaces = at_calloc(arguments->operand_count + 1, sizeof(*self->spaces));
	for (size_t i = 0; i < arguments->operand_count && !status; i++) {
		char *space = NULL;

		status = at_recorded_space_name(arguments->operands[i], &space, err);
		/* a space may be named twice, for example by its file */
		if (status || (self->space_count && at_recorded_names(self, space)))
			free(space);
		else
			self->spaces[self->space_count++] = space;
	}
	return status;
}

enum at_status at_recorded_fail_nothing_of(const struct at_recorded *self,
	const char *operand, bool narrowed, struct at_error *err)
{
	struct at_export_groups groups = { 0 };
	struct at_strbuf known = { 0 };
	const char **names = NULL, *nearest;
	size_t count = 0;
	enum at_status status = at_export_list(self->store, NULL, NULL, &groups, err);

	if (!status)
		names = at_calloc(groups.count + 1, sizeof(*names));
	/* groups are sorted by space */
	for (size_t i = 0; i < groups.count && !status && !narrowed; i++) {
		if (count && !strcmp(names[count - 1], groups.items[i].space))
			continue;
		at_strbuf_addf(&known, "%s%s",
			count ? ", " : "; recorded: ", groups.items[i].space);
		names[count++] = groups.items[i].space;
	}
	nearest = names ? at_text_nearest(operand, names, count) : NULL;
	/* the nearest name may be the operand itself, whose winners another option
	   excludes */
	if (!status && nearest && strcmp(nearest, operand) != 0)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing is recorded of \"%s\"; did you mean \"%s\"?", operand,
			nearest);
	else if (!status)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing is recorded of \"%s\"%s%s", operand,
			narrowed ? " and this problem or device" : "",
			known.length ? at_strbuf_text(&known) : "");
	free((void *)names);
	at_strbuf_release(&known);
	at_export_release(&groups);
	return status;
}

enum at_status at_recorded_results(struct at_recorded *self, const char *space,
	struct at_results *out, struct at_error *err)
{
	/* then the store already has the files' contents, and failures were reported */
	const char *directory = self->is_bundled ? NULL : self->directory;
	enum at_status status =
		at_results_read(self->store, directory, space, out, err);

	for (size_t i = 0; i < out->count; i++)
		out->items[i].is_bundled |= self->is_bundled;
	tell_failed(out);
	return status;
}

static enum at_status fail_nothing_in(const char *directory, struct at_error *err)
{
	const char *slash = strrchr(directory, '/');
	struct stat facts;
	bool is_there = !stat(directory, &facts);

	if (is_there && !S_ISDIR(facts.st_mode))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"\"%s\" is a file: --results names the folder that it is in, \"%.*s\"",
			directory, slash > directory ? (int)(slash - directory) : 1,
			slash > directory ? directory : ".");
	return at_fail(err, AT_ENOENT, NULL, 0,
		"nothing is recorded in \"%s\" (%s): tune first, or name the folder with --results",
		directory,
		is_there ? "no autotune.db and no result files there"
			 : "there is no such folder");
}

enum at_status at_recorded_open(const struct at_cli_arguments *arguments,
	struct at_recorded *out, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status;
	const char *const *texts;
	size_t count;

	memset(out, 0, sizeof(*out));
	out->directory = at_cli_text(arguments, "results", "results");
	status = at_store_open_reading(out->directory, &out->store, &reason);
	if (status == AT_ENOENT) {
		struct at_results results;

		status = at_results_read(NULL, out->directory, NULL, &results, err);
		tell_failed(&results);
		/* unusable files exist, and were reported */
		if (!status && !results.count && results.failed_count)
			status = at_fail(err, AT_ENOENT, NULL, 0,
				"nothing that is recorded in \"%s\" can be used: there is no autotune.db, and its result files are left aside",
				out->directory);
		else if (!status && !results.count)
			status = fail_nothing_in(out->directory, err);
		if (!status)
			status = at_store_open_memory(out->directory, &out->store, err);
		if (!status)
			status = at_results_record(&results, out->store, err);
		out->is_bundled = true;
		at_results_release(&results);
	} else if (!status) {
		status = at_store_begin_reading(out->store, err);
	} else if (err) {
		*err = reason;
	}
	if (status)
		return status;
	at_cli_each(arguments, "device", &texts, &count);
	out->wanted = at_calloc(count + 1, sizeof(*out->wanted));
	for (size_t i = 0; i < count && !status; i++)
		status = want(
			out->store, &out->wanted[out->wanted_count++], texts[i], err);
	free((void *)texts);
	return status;
}

bool at_recorded_is_empty(const char *directory)
{
	struct at_store *store = NULL;
	struct at_results results = { 0 };
	struct at_error err = { 0 };
	bool is_empty = at_store_open_reading(directory, &store, &err) == AT_ENOENT;

	if (is_empty) {
		is_empty = !at_results_read(NULL, directory, NULL, &results, NULL) &&
			   !results.count && !results.failed_count;
		at_results_release(&results);
	}
	at_store_close(store);
	return is_empty;
}

void at_recorded_close(struct at_recorded *self)
{
	for (size_t i = 0; i < self->wanted_count; i++) {
		free(self->wanted[i].kind);
		free(self->wanted[i].slug);
	}
	for (size_t i = 0; i < self->space_count; i++)
		free(self->spaces[i]);
	free(self->spaces);
	free(self->wanted);
	at_store_close(self->store);
	memset(self, 0, sizeof(*self));
}

bool at_recorded_wants(
	const struct at_recorded *self, const struct at_record_device *device)
{
	for (size_t i = 0; i < self->wanted_count; i++) {
		const struct at_wanted_device *wanted = &self->wanted[i];

		if (wanted->kind && strcmp(wanted->kind, device->kind) != 0)
			continue;
		if (!wanted->slug || !strcmp(wanted->slug, device->slug) ||
			(wanted->architecture &&
				!strcmp(wanted->architecture, device->architecture)))
			return true;
	}
	return self->wanted_count == 0;
}

/* ---- groups -------------------------------------------------------------------- */

static void group_free(struct at_group *self)
{
	for (size_t i = 0; i < self->row_count; i++)
		at_evaluation_release(&self->rows[i]);
	free(self->rows);
	at_record_device_release(&self->device);
	at_record_ceilings_release(&self->ceilings);
	at_evaluation_release(&self->winner);
	at_evaluation_release(&self->defaults);
	at_sources_release(&self->sources);
	if (self->has_winner)
		at_winner_release(&self->best);
	free(self->baseline_configuration);
	free(self->space);
	free(self->problem);
	free(self);
}

void at_groups_release(struct at_groups *self)
{
	for (size_t i = 0; i < self->count; i++)
		group_free(self->items[i]);
	free(self->items);
	memset(self, 0, sizeof(*self));
}

static struct at_group *find(const struct at_groups *self, const char *space,
	const char *problem, int64_t device_id)
{
	for (size_t i = 0; i < self->count; i++) {
		struct at_group *group = self->items[i];

		if (group->device_id == device_id && !strcmp(group->problem, problem) &&
			!strcmp(group->space, space))
			return group;
	}
	return NULL;
}

static enum at_status add(struct at_groups *self, const char *space,
	const char *problem, int64_t device_id, struct at_group **out,
	struct at_error *err)
{
	struct at_group *group;
	enum at_status status = AT_OK;

	AT_GROW(self->items, self->capacity, self->count + 1);

	group = at_calloc(1, sizeof(*group));
	group->space = at_strdup(space);
	group->problem = at_strdup(problem);
	group->device_id = device_id;
	group->baseline = NAN;
	group->shows_older = self->with_older;
	status = at_store_sources(
		self->store, device_id, space, problem, &group->sources, err);
	if (status) {
		group_free(group);
		return status;
	}
	self->items[self->count++] = group;
	*out = group;
	return AT_OK;
}

/* Counts an evaluation and copies it as a row: the walk's texts are valid only during
   the visit. */
static void add_row(struct at_groups *self, struct at_group *group,
	const struct at_evaluation *evaluation)
{
	bool is_older = at_sources_is_older(&group->sources, evaluation);

	if (is_older)
		group->older_count++;
	else
		group->by_outcome[evaluation->outcome]++;
	if (is_older && !self->with_older)
		return;
	if (self->top && group->row_count >= self->top)
		return;
	AT_GROW(group->rows, group->row_capacity, group->row_count + 1);
	at_evaluation_copy(evaluation, &group->rows[group->row_count]);
	group->row_count++;
}

static void keep_detail(char *kept, const struct at_evaluation *evaluation)
{
	struct at_strbuf text = { 0 };

	if (kept[0] || !evaluation->detail || !*evaluation->detail)
		return;
	/* the baseline is not known yet: all parameters */
	at_configuration_write_recorded(&text, evaluation->configuration, NULL, true);
	at_strbuf_addf(&text, ": %s", evaluation->detail);
	snprintf(kept, AT_LANE_DETAIL_SIZE, "%s", text.data);
	at_strbuf_release(&text);
}

/* The context of visit(). */
struct collecting {
	struct at_groups *groups;
	struct at_error *err;
};

static enum at_status visit(void *context, const struct at_evaluation *evaluation)
{
	const struct collecting *collecting = context;
	struct at_groups *self = collecting->groups;
	struct at_group *group;
	enum at_status status = AT_OK;

	if (!at_cli_wants_problem(self->arguments, evaluation->problem))
		return AT_OK;
	group = find(
		self, evaluation->space, evaluation->problem, evaluation->device_id);
	if (!group)
		status = add(self, evaluation->space, evaluation->problem,
			evaluation->device_id, &group, collecting->err);
	if (status)
		return status;
	if (!at_sources_is_older(&group->sources, evaluation))
		keep_detail(group->first_detail[evaluation->outcome], evaluation);
	add_row(self, group, evaluation);
	return AT_OK;
}

/* ---- result files --------------------------------------------------------------- */

/* Ids of evaluations from result files, which are in no record. */
enum { BUNDLED_WINNER = -1, BUNDLED_BASELINE = -2 };

static struct at_group *find_bundled(
	const struct at_groups *self, const struct at_result *result)
{
	for (size_t i = 0; i < self->count; i++) {
		struct at_group *group = self->items[i];

		if (group->is_bundled && !strcmp(group->space, result->best.space) &&
			!strcmp(group->problem, result->best.problem) &&
			!strcmp(group->device.slug, result->device.slug) &&
			!strcmp(group->device.kind, result->device.kind))
			return group;
	}
	return NULL;
}

/* Moves the result's baseline into the group. */
static void take_baseline(struct at_group *self, struct at_result *result)
{
	const struct at_winner *best = &self->best;

	if (!result->has_baseline)
		return;
	/* the baseline's time in the finals if known, since the winner's time and
	   speed-up are also from the finals */
	self->baseline = best->objective == &at_objective_time
				 ? at_winner_baseline(best).value
				 : (double)NAN;
	if (!isfinite(self->baseline))
		self->baseline =
			at_evaluation_score(&result->baseline, &at_objective_time)
				.value;
	/* not by id, since either may have been measured again */
	self->baseline_wins =
		!strcmp(result->baseline.configuration, result->winner.configuration);
	free(self->baseline_configuration);
	self->baseline_configuration = at_strdup(result->baseline.configuration);
	self->defaults = result->baseline;
	self->has_baseline = true;
	memset(&result->baseline, 0, sizeof(result->baseline));
}

static enum at_status add_bundled(struct at_groups *self, struct at_recorded *recorded,
	struct at_result *result, struct at_error *err)
{
	struct at_winner *best = &result->best;
	struct at_group *group = NULL;
	enum at_status status = AT_OK;
	int64_t id;

	if (!at_cli_wants_problem(self->arguments, best->problem) ||
		find_bundled(self, result))
		return AT_OK;
	status = at_store_find_device(
		recorded->store, result->device.slug, result->device.kind, &id, err);
	if (!status && id)
		group = find(self, best->space, best->problem, id);
	result->winner.id = best->evaluation_id = BUNDLED_WINNER;
	result->baseline.id = BUNDLED_BASELINE;
	if (!status && !group) {
		status = add(self, best->space, best->problem, id, &group, err);
		if (!status)
			add_row(self, group, &result->winner);
		if (!status && result->has_baseline &&
			strcmp(result->baseline.configuration,
				result->winner.configuration) != 0)
			add_row(self, group, &result->baseline);
	}
	if (!status) {
		/* move the result's device, winner and evaluation into the group */
		group->is_bundled = true;
		group->has_winner = true;
		group->best = result->best;
		group->device = result->device;
		take_baseline(group, result);
		group->winner = result->winner;
		memset(&result->best, 0, sizeof(result->best));
		memset(&result->device, 0, sizeof(result->device));
		memset(&result->winner, 0, sizeof(result->winner));
	}
	return status;
}

/* ---- collecting ---------------------------------------------------------------- */

enum at_status at_groups_collect(struct at_groups *self, struct at_recorded *recorded,
	const char *space, struct at_error *err)
{
	struct collecting collecting = { self, err };
	enum at_status status;

	self->store = recorded->store;
	status = at_store_list(
		recorded->store, space, NULL, NULL, 0, visit, &collecting, err);

	/* without a record the store already has the contents of the result files */
	if (!status && !recorded->is_bundled) {
		struct at_results results;

		status = at_recorded_results(recorded, space, &results, err);
		for (size_t i = 0; i < results.count && !status; i++)
			if (results.items[i].is_bundled)
				status = add_bundled(
					self, recorded, &results.items[i], err);
		at_results_release(&results);
	}
	return status;
}

static enum at_status complete_group(
	struct at_group *group, struct at_store *store, struct at_error *err)
{
	struct at_result result = { 0 };
	enum at_status status = at_store_get_ceilings(
		store, group->device_id, &group->ceilings, &group->has_ceilings, err);

	if (!status && !group->is_bundled)
		status = at_store_find_winner(store, group->device_id, group->space,
			group->problem, &group->best, &group->has_winner, err);
	if (status || group->is_bundled || !group->has_winner)
		return status;
	group->winner_is_older =
		at_sources_is_older_winner(&group->sources, &group->best);
	/* the winner's evaluations need not be among the rows */
	status = at_store_get(
		store, group->best.evaluation_id, false, &group->winner, err);
	if (status || !group->best.baseline_id)
		return status;
	status = at_store_get(
		store, group->best.baseline_id, false, &result.baseline, err);
	if (status)
		return status;
	result.has_baseline = true;
	result.winner = group->winner; /* borrowed */
	take_baseline(group, &result);
	return AT_OK;
}

static bool is_gpu(const struct at_group *self)
{
	return !strcmp(self->device.kind, "cuda");
}

static bool is_on_gpu(const struct at_groups *self, const struct at_group *group)
{
	for (size_t i = 0; i < self->count; i++)
		if (is_gpu(self->items[i]) &&
			!strcmp(self->items[i]->space, group->space) &&
			!strcmp(self->items[i]->problem, group->problem))
			return true;
	return false;
}

/* GPUs come first; the groups of a problem stay together. */
static int compare(const void *a, const void *b)
{
	const struct at_group *left = *(const struct at_group *const *)a;
	const struct at_group *right = *(const struct at_group *const *)b;
	int order = strcmp(left->space, right->space);

	if (!order)
		order = right->is_on_gpu - left->is_on_gpu;
	if (!order)
		order = strcmp(left->problem, right->problem);
	if (!order)
		order = is_gpu(right) - is_gpu(left);
	if (!order)
		order = strcmp(left->device.slug, right->device.slug);
	/* the same model may be recorded as two kinds of device */
	return order ? order : strcmp(left->device.kind, right->device.kind);
}

enum at_status at_groups_complete(
	struct at_groups *self, struct at_recorded *recorded, struct at_error *err)
{
	enum at_status status = AT_OK;
	size_t kept = 0, i;

	for (i = 0; i < self->count && !status; i++) {
		struct at_group *group = self->items[i];

		if (!group->is_bundled)
			status = at_store_get_device(
				recorded->store, group->device_id, &group->device, err);
		if (!status && !at_recorded_wants(recorded, &group->device)) {
			group_free(group);
			continue;
		}
		if (!status)
			status = complete_group(group, recorded->store, err);
		group->is_bundled |= recorded->is_bundled;
		self->items[kept++] = group;
	}
	for (; i < self->count; i++)
		self->items[kept++] = self->items[i];
	self->count = kept;
	/* after an error the devices of some are not known */
	for (i = 0; i < kept && !status; i++)
		self->items[i]->is_on_gpu = is_on_gpu(self, self->items[i]);
	if (!status && kept)
		qsort(self->items, kept, sizeof(*self->items), compare);
	return status;
}

enum at_status at_groups_open(struct at_groups *self, struct at_recorded *recorded,
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	enum at_status status = at_recorded_open(arguments, recorded, err);

	self->arguments = arguments;
	if (!status)
		status = at_recorded_read_spaces(recorded, arguments, err);
	if (!status && !recorded->space_count)
		status = at_groups_collect(self, recorded, NULL, err);
	for (size_t i = 0; i < recorded->space_count && !status; i++) {
		size_t before = self->count;

		status = at_groups_collect(self, recorded, recorded->spaces[i], err);
		if (!status && self->count == before)
			status = at_recorded_fail_nothing_of(recorded,
				recorded->spaces[i], at_cli_given(arguments, "problem"),
				err);
	}
	if (!status)
		status = at_groups_complete(self, recorded, err);
	if (!status && !self->count)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing of this is recorded; \"autotune results\" lists everything");
	return status;
}

void at_group_roofline(const struct at_group *self, const struct at_evaluation *row,
	struct at_roofline *out)
{
	at_roofline(row->flops, row->bytes, row->time_ns, &self->ceilings.ceilings,
		row->is_double, out);
}

double at_group_better(double best, const struct at_evaluation *row)
{
	double value = at_evaluation_score(row, &at_objective_time).value;

	return at_objective_better(&at_objective_time, value, best) ? value : best;
}

bool at_group_has_failed(const struct at_group *self)
{
	size_t failed = 0;

	for (size_t i = 0; i < AT_OUTCOME_COUNT; i++)
		failed += i != AT_OUTCOME_OK ? self->by_outcome[i] : 0;
	return failed && !self->by_outcome[AT_OUTCOME_OK];
}

const char *at_group_no_winner(const struct at_group *self)
{
	if (!strcmp(self->device.kind, "imported"))
		return "none: what was measured elsewhere and imported has no finals";
	if (at_group_has_failed(self))
		return "none: no configuration passed";
	return "none: no run came to its finals; tune it again, and it goes on";
}

double at_group_gain(const struct at_group *self, const struct at_evaluation *row)
{
	/* two measurements of the baseline differ only by noise */
	if (isfinite(self->baseline) && self->baseline_configuration &&
		!strcmp(row->configuration, self->baseline_configuration))
		return 1;
	return at_objective_gain(&at_objective_time, self->baseline,
		at_evaluation_score(row, &at_objective_time).value);
}

void at_group_winner_roofline(const struct at_group *self, struct at_roofline *out)
{
	struct at_ceilings ceilings = self->ceilings.ceilings;
	const struct at_evaluation *winner = &self->winner;
	double flops = winner->flops, bytes = winner->bytes;
	const char *metrics = self->best.metrics;

	/* An older evaluation has no metrics, but its record has. Whether its
	   operations are on doubles is then unknown, so neither ceiling of operations
	   applies. */
	if (!(flops > 0) && !(bytes > 0) && metrics) {
		struct at_json *given = at_json_embedded(metrics);

		flops = at_json_number(at_json_get(given, "flops"), (double)NAN);
		bytes = at_json_number(at_json_get(given, "bytes"), (double)NAN);
		ceilings.float_flops_per_second = ceilings.double_flops_per_second = 0;
		at_json_free(given);
	}
	at_roofline(flops, bytes, at_winner_time_ns(&self->best, winner), &ceilings,
		winner->is_double, out);
}

void at_group_add_winner(struct at_page *page, const struct at_group *group)
{
	const struct at_winner *best = &group->best;
	struct at_strbuf line = { 0 };
	struct at_roofline roofline;

	at_strbuf_add(&line, at_format_value(best->objective, best->score.value).text);
	if (isfinite(best->score.low) && isfinite(best->score.high))
		at_strbuf_addf(&line, " (95 %% interval %s)",
			at_format_interval(best->objective, &best->score).text);
	if (group->baseline_wins) {
		at_strbuf_add(&line, ", the baseline itself");
	} else if (isfinite(best->speedup)) {
		at_strbuf_addf(&line, ", %s over the baseline",
			at_format_gain(at_winner_speedup(best)).text);
	}
	at_strbuf_addf(
		&line, ", recorded %s", at_format_date(best->created_seconds).text);
	if (group->is_bundled)
		at_strbuf_add(&line, "; of a result file");
	if (group->winner_is_older)
		at_strbuf_add(&line, "; of an older source: tune it again");
	at_page_entry(page, "winner", &line);
	at_configuration_write_recorded(&line, group->winner.configuration,
		group->baseline_configuration, page->wide || group->baseline_wins);
	at_page_entry(page, "", &line);
	at_measurement_add_unfit(page, best);
	at_group_winner_roofline(group, &roofline);
	at_limits_add(page, &group->winner.facts, best->launch, &roofline,
		group->winner.is_double);
}
