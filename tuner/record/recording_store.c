/* Reads our own record as a recording of one space, problem and device. */
#include "record/recording_build.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "record/export.h"
#include "record/sources.h"
#include "record/store.h"

#include <stdlib.h>
#include <string.h>

/* file name of a record in its folder */
#define RECORD_NAME "autotune.db"

/* An evaluation to be read, with its time. */
struct found {
	int64_t created_seconds;
	int64_t id;
};

static int compare_found(const void *a, const void *b)
{
	const struct found *left = a, *right = b;

	if (left->created_seconds != right->created_seconds)
		return left->created_seconds < right->created_seconds ? -1 : 1;
	return (left->id > right->id) - (left->id < right->id);
}

/* ---- one group: a space, a problem and a device ---- */

/* A group's evaluations, to be read one by one with their samples. */
struct group {
	struct at_store *store;
	bool keeps_older;
	size_t older_count; /* left out */
	bool has_sources;
	struct at_sources sources;
	struct found *found;
	size_t count, capacity;
	struct at_error *err;
};

static enum at_status note(void *context, const struct at_evaluation *evaluation)
{
	struct group *self = context;
	enum at_status status = AT_OK;

	if (!self->has_sources)
		status = at_store_sources(self->store, evaluation->device_id,
			evaluation->space, evaluation->problem, &self->sources,
			self->err);
	if (status)
		return status;
	self->has_sources = true;
	if (!self->keeps_older && at_sources_is_older(&self->sources, evaluation)) {
		self->older_count++;
		return AT_OK;
	}
	AT_GROW(self->found, self->capacity, self->count + 1);
	self->found[self->count++] =
		(struct found){ evaluation->created_seconds, evaluation->id };
	return AT_OK;
}

static enum at_status visit_one(struct group *self, int64_t id, bool is_newest,
	at_group_visit *visit, void *context, struct at_error *err)
{
	struct at_evaluation evaluation = { 0 };
	enum at_status status = at_store_get(self->store, id, true, &evaluation, err);

	if (!status)
		status = visit(context, &evaluation,
			at_sources_is_older(&self->sources, &evaluation), is_newest,
			err);
	at_evaluation_release(&evaluation);
	return status;
}

enum at_status at_store_walk_group(struct at_store *store, const char *space,
	const char *problem, const char *slug, bool keeps_older, size_t *older_count,
	at_group_visit *visit, void *context, struct at_error *err)
{
	struct group self = { .store = store, .keeps_older = keeps_older, .err = err };
	enum at_status status =
		at_store_list(store, space, slug, problem, 0, note, &self, err);

	*older_count = self.older_count;
	if (!status && !self.count)
		status =
			self.older_count
				? at_fail(err, AT_EINVAL, NULL, 0,
					  "all %zu evaluations are of an older source, compiler or driver: tune again first",
					  self.older_count)
				: at_fail(err, AT_ENOENT, NULL, 0,
					  "nothing of this is recorded there");
	if (!status) {
		qsort(self.found, self.count, sizeof(*self.found), compare_found);
		status = visit_one(&self, self.found[self.count - 1].id, true, visit,
			context, err);
	}
	for (size_t i = 0; i < self.count && !status; i++)
		status = visit_one(&self, self.found[i].id, false, visit, context, err);
	free(self.found);
	at_sources_release(&self.sources);
	return status;
}

/* ---- as a recording ---- */

/* Reads the record's {"TILE": 16, "CACHE": "ca"} into the current row. is_first: it
   determines the parameters. *fits false: other parameters, so the row is of another
   state of the space. */
static enum at_status add_configuration(struct at_recording_builder *builder,
	const char *text, bool is_first, bool *fits, struct at_error *err)
{
	struct at_recording *recording = builder->recording;
	const struct at_json *value;
	struct at_json *object = NULL;
	enum at_status status =
		at_json_parse(text, strlen(text), recording->path, &object, err);
	size_t likely = 0;
	const char *name;

	*fits = true;
	for (void *place = NULL;
		!status && (value = at_json_next(object, &place, &name));) {
		size_t parameter = at_recording_builder_find(builder, name, likely++);

		if (parameter == SIZE_MAX && is_first) {
			parameter = recording->parameter_count;
			status = at_recording_builder_parameter(builder, name, err);
		}
		if (!status && parameter == SIZE_MAX)
			*fits = false;
		else if (!status)
			status = at_recording_builder_set(
				builder, parameter, at_value_from_json(value), err);
	}
	at_json_free(object);
	*fits = *fits && at_recording_builder_missing(builder) == SIZE_MAX;
	return status;
}

/* is_first: takes only the parameters, no row. */
static enum at_status add_evaluation(struct at_recording_builder *builder,
	const struct at_evaluation *evaluation, bool is_first, struct at_error *err)
{
	enum at_status status;
	bool fits;

	at_recording_builder_row(builder);
	status = add_configuration(
		builder, evaluation->configuration, is_first, &fits, err);
	if (status)
		return status;
	/* drops configurations from before or after an edit of the space */
	if (!fits || is_first) {
		at_recording_builder_drop(builder);
		return AT_OK;
	}
	at_recording_builder_evaluation(builder, evaluation);
	return AT_OK;
}

struct reading {
	struct at_store *store;
	struct at_recording_builder builder;
};

static enum at_status visit(void *context, const struct at_evaluation *evaluation,
	bool is_older, bool is_newest, struct at_error *err)
{
	struct reading *self = context;
	struct at_recording *recording = self->builder.recording;
	struct at_record_device device = { 0 };
	enum at_status status = AT_OK;

	if (is_newest) {
		status = at_store_get_device(
			self->store, evaluation->device_id, &device, err);
		recording->device = device.model;
		device.model = NULL;
		at_record_device_release(&device);
	}
	if (!status)
		status = add_evaluation(&self->builder, evaluation, is_newest, err);
	if (!status && self->builder.result)
		self->builder.result->is_older = is_older;
	return status;
}

/* The newest evaluation determines the parameters. Then all are added in the order of
   time, so that the last one of each configuration counts, and words keep their order:
   re-imported exports are identical. */
static enum at_status read_group(struct at_store *store, const char *path,
	const char *space, const char *problem, const char *slug, bool keeps_older,
	struct at_recording **out, struct at_error *err)
{
	struct reading self = { .store = store };
	struct at_error own = { 0 };
	struct at_strbuf name = { 0 };
	size_t older_count;
	enum at_status status;

	at_strbuf_addf(&name, "%s %s %s", space, problem, slug);
	at_recording_builder_init(&self.builder, path, at_strbuf_text(&name));
	at_strbuf_release(&name);
	self.builder.keeps_older = keeps_older;
	status = at_store_walk_group(store, space, problem, slug, keeps_older,
		&older_count, visit, &self, &own);
	if (status)
		at_fail(err, status, own.file[0] ? own.file : path, own.line, "%s",
			own.text);
	if (!status) {
		self.builder.recording->older_count = older_count;
		self.builder.recording->kernel = at_strdup(space);
		self.builder.recording->problem = at_strdup(problem);
		status = at_recording_builder_finish(&self.builder, out, err);
	}
	/* repeated measurements are normal in a record */
	if (!status)
		(*out)->repeated_count = 0;
	at_recording_builder_release(&self.builder);
	return status;
}

enum at_status at_recording_from_store(struct at_store *store, const char *path,
	const char *space, const char *problem, const char *slug,
	struct at_recording **out, struct at_error *err)
{
	return read_group(store, path, space, problem, slug, true, out, err);
}

/* Adds an evaluation; the caller has the reason. */
static enum at_status add_plain(struct at_recording_builder *builder,
	const struct at_evaluation *evaluation, bool is_first, struct at_error *err)
{
	struct at_evaluation plain = *evaluation;
	struct at_error own = { 0 };
	enum at_status status;

	plain.detail = (char *)"";
	status = add_evaluation(builder, &plain, is_first, &own);
	/* an unreadable configuration is not one of this space */
	if (status && builder->result) {
		at_recording_builder_drop(builder);
		return AT_OK;
	}
	if (status && err)
		*err = own;
	return status;
}

enum at_status at_recording_from_evaluations(const char *path,
	const struct at_evaluation *evaluations, size_t count,
	struct at_recording **out, struct at_error *err)
{
	struct at_recording_builder builder = { 0 };
	struct found *order = at_calloc(count + 1, sizeof(*order));
	enum at_status status = AT_OK;

	at_recording_builder_init(&builder, path, path);
	for (size_t i = 0; i < count; i++)
		order[i] = (struct found){ evaluations[i].created_seconds, (int64_t)i };
	qsort(order, count, sizeof(*order), compare_found);
	/* as in read_group(), the newest determines the parameters */
	if (count)
		status = add_plain(
			&builder, &evaluations[order[count - 1].id], true, err);
	for (size_t i = 0; i < count && !status; i++)
		status = add_plain(&builder, &evaluations[order[i].id], false, err);
	if (!status)
		status = at_recording_builder_finish(&builder, out, err);
	at_recording_builder_release(&builder);
	free(order);
	return status;
}

/* ---- from a path ---- */

/* Parses "space=matmul,problem=square_4096,device=nvidia-h200" into three values, which
   point into the text; NULL: not given. */
static enum at_status parse_choice(
	const char *path, char *text, const char *values[3], struct at_error *err)
{
	static const char *const keys[] = { "space", "problem", "device" };
	char *rest = NULL;

	for (char *part = strtok_r(text, ",", &rest); part;
		part = strtok_r(NULL, ",", &rest)) {
		char *equals = strchr(part, '=');
		size_t i = 0;

		if (equals)
			*equals = '\0';
		while (i < AT_COUNT_OF(keys) && strcmp(keys[i], part) != 0)
			i++;
		if (i == AT_COUNT_OF(keys) || !equals || !equals[1])
			return at_fail(err, AT_EINVAL, path, 0,
				"expected space=NAME, problem=NAME or device=MODEL after the comma, found \"%s\"",
				part);
		values[i] = equals + 1;
	}
	return AT_OK;
}

/* Finds the only group that matches the choice. */
static enum at_status choose(const struct at_export_groups *groups,
	const char *const values[3], const char *path, const char *file,
	const struct at_export_group **out, struct at_error *err)
{
	struct at_strbuf fitting = { 0 };
	enum at_status status = AT_OK;
	size_t count = 0;

	for (size_t i = 0; i < groups->count; i++) {
		const struct at_export_group *group = &groups->items[i];

		if ((values[0] && strcmp(values[0], group->space) != 0) ||
			(values[1] && strcmp(values[1], group->problem) != 0) ||
			(values[2] && strcmp(values[2], group->device.slug) != 0))
			continue;
		*out = group;
		/* enough for one message */
		if (fitting.length < 400)
			at_strbuf_addf(&fitting, "%sspace=%s,problem=%s,device=%s",
				count ? "; " : "", group->space, group->problem,
				group->device.slug);
		count++;
	}
	if (!count)
		status = at_fail(
			err, AT_ENOENT, path, 0, "nothing of this is recorded there");
	else if (count > 1)
		status = at_fail(err, AT_EINVAL, file, 0,
			"choose one with \"%s,space=...,problem=...,device=...\": %s",
			RECORD_NAME, at_strbuf_text(&fitting));
	at_strbuf_release(&fitting);
	return status;
}

enum at_status at_recording_read_store(
	const char *path, struct at_recording **out, struct at_error *err)
{
	char *file = at_strdup(path), *folder, *comma;
	const struct at_export_group *group = NULL;
	struct at_export_groups groups = { 0 };
	const char *values[3] = { NULL };
	struct at_store *store = NULL;
	enum at_status status = AT_OK;

	comma = at_file_exists(path) ? NULL : strchr(file, ',');
	if (comma)
		*comma++ = '\0';
	if (strcmp(at_path_name(file), RECORD_NAME) != 0)
		status = at_fail(err, AT_EINVAL, file, 0,
			"is a database, and a record is called %s", RECORD_NAME);
	if (!status && comma)
		status = parse_choice(file, comma, values, err);
	folder = at_path_directory(file);
	if (!status)
		status = at_store_open_reading(folder, &store, err);
	if (!status)
		status = at_export_list(store, NULL, NULL, &groups, err);
	if (!status)
		status = choose(&groups, values, path, file, &group, err);
	if (!status)
		status = read_group(store, path, group->space, group->problem,
			group->device.slug, false, out, err);
	at_export_release(&groups);
	at_store_close(store);
	free(folder);
	free(file);
	return status;
}
