/* Reads our own record as a recording: one space, one problem, one device. */
#include "record/recording_build.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "record/sources.h"
#include "record/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the name of a record in its folder */
#define RECORD_NAME "autotune.db"

/* What the user chose; NULL: not given. */
struct choice {
	char *space;
	char *problem;
	char *device; /* slug */
};

/* An evaluation to be read, and its time. */
struct found {
	int64_t created_seconds;
	int64_t id;
};

/* The search for the evaluations of one group (space, problem and device). */
struct walk {
	struct at_store *store;
	struct choice choice;
	const char *path;
	/* the first group that fits, and, if there are several, all of them for the
	   error */
	struct choice first;
	bool is_several;
	struct at_strbuf groups;
	/* the slug of the last device that was looked up */
	char *slug;
	int64_t slug_device_id;
	/* older evaluations are kept and marked; else they are only counted */
	bool keeps_older;
	size_t older_count;
	struct at_sources sources; /* of the first group */
	/* the evaluations of that group */
	struct found *found;
	size_t found_count;
	size_t found_capacity;
	struct at_error *err;
};

static void release_choice(struct choice *choice)
{
	free(choice->space);
	free(choice->problem);
	free(choice->device);
	*choice = (struct choice){ 0 };
}

/* Reads "space=matmul,problem=square_4096". */
static enum at_status parse_choice(
	const char *path, char *text, struct choice *out, struct at_error *err)
{
	static const char *const keys[] = { "space", "problem", "device" };
	char **const values[] = { &out->space, &out->problem, &out->device };
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
		free(*values[i]);
		*values[i] = at_strdup(equals + 1);
	}
	return AT_OK;
}

static enum at_status slug_of(
	struct walk *self, int64_t device_id, const char **out, struct at_error *err)
{
	struct at_record_device device;
	enum at_status status;

	/* evaluations mostly come device by device */
	if (!self->slug || self->slug_device_id != device_id) {
		status = at_store_get_device(self->store, device_id, &device, err);
		if (status)
			return status;
		free(self->slug);
		self->slug = device.slug;
		device.slug = NULL;
		at_record_device_release(&device);
		self->slug_device_id = device_id;
	}
	*out = self->slug;
	return AT_OK;
}

static bool is_first(const struct choice *first, const struct at_evaluation *evaluation,
	const char *slug)
{
	return first->space && !strcmp(first->space, evaluation->space) &&
	       !strcmp(first->problem, evaluation->problem) &&
	       !strcmp(first->device, slug);
}

static enum at_status visit(void *context, const struct at_evaluation *evaluation)
{
	struct walk *self = context;
	const char *slug;
	enum at_status status;

	status = slug_of(self, evaluation->device_id, &slug, self->err);
	if (status)
		return status;
	if (!self->first.space) {
		self->first.space = at_strdup(evaluation->space);
		self->first.problem = at_strdup(evaluation->problem);
		self->first.device = at_strdup(slug);
		status = at_store_sources(self->store, evaluation->device_id,
			evaluation->space, evaluation->problem, &self->sources,
			self->err);
		if (status)
			return status;
	}
	if (!is_first(&self->first, evaluation, slug)) {
		char line[512];

		self->is_several = true;
		snprintf(line, sizeof(line), "; space=%s,problem=%s,device=%s",
			evaluation->space, evaluation->problem, slug);
		/* one message need not list more */
		if (self->groups.length < 400 &&
			!strstr(at_strbuf_text(&self->groups), line))
			at_strbuf_add(&self->groups, line);
		return AT_OK;
	}
	if (!self->keeps_older && at_sources_is_older(&self->sources, evaluation)) {
		self->older_count++;
		return AT_OK;
	}
	status = AT_RESERVE(
		self->found, self->found_capacity, self->found_count + 1, self->err);
	if (!status)
		self->found[self->found_count++] =
			(struct found){ evaluation->created_seconds, evaluation->id };
	return status;
}

/*
 * Reads {"TILE": 16, "CACHE": "ca"}, as the record keeps it, into the current row.
 * is_first: it determines the parameters. *fits is false where it has other ones: then
 * this row is of another state of the space.
 */
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

/* is_first: only the parameters are taken, and no row. */
static enum at_status add_evaluation(struct at_recording_builder *builder,
	const struct at_evaluation *evaluation, bool is_first, struct at_error *err)
{
	enum at_status status = at_recording_builder_row(builder, err);
	bool fits;

	if (!status)
		status = add_configuration(
			builder, evaluation->configuration, is_first, &fits, err);
	if (status)
		return status;
	/* a configuration from before or after the space was edited is left out */
	if (!fits || is_first) {
		at_recording_builder_drop(builder);
		return AT_OK;
	}
	return at_recording_builder_evaluation(builder, evaluation, err);
}

static int compare_found(const void *a, const void *b)
{
	const struct found *left = a, *right = b;

	if (left->created_seconds != right->created_seconds)
		return left->created_seconds < right->created_seconds ? -1 : 1;
	return (left->id > right->id) - (left->id < right->id);
}

static enum at_status add_found(struct walk *self, struct at_recording_builder *builder,
	int64_t id, bool is_first, struct at_error *err)
{
	struct at_recording *recording = builder->recording;
	struct at_evaluation evaluation = { 0 };
	struct at_record_device device = { 0 };
	enum at_status status = at_store_get(self->store, id, true, &evaluation, err);

	if (!status && !recording->device) {
		status = at_store_get_device(
			self->store, evaluation.device_id, &device, err);
		recording->device = device.model;
		device.model = NULL;
		at_record_device_release(&device);
	}
	if (!status)
		status = add_evaluation(builder, &evaluation, is_first, err);
	if (!status && builder->result)
		builder->result->is_older =
			at_sources_is_older(&self->sources, &evaluation);
	at_evaluation_release(&evaluation);
	return status;
}

/*
 * The newest evaluation determines the parameters. Then all are added in the order of
 * time, so that the last one of each configuration counts, and words are in the order
 * in which they came: exports that are imported again are the same.
 */
static enum at_status read_group(
	struct walk *self, struct at_recording **out, struct at_error *err)
{
	struct at_recording_builder builder = { 0 };
	struct at_strbuf name = { 0 };
	size_t count = self->found_count;
	enum at_status status;

	qsort(self->found, count, sizeof(*self->found), compare_found);
	at_strbuf_addf(&name, "%s %s %s", self->first.space, self->first.problem,
		self->first.device);
	status = at_recording_builder_init(
		&builder, self->path, at_strbuf_text(&name), err);
	at_strbuf_release(&name);
	builder.keeps_older = self->keeps_older;
	if (!status)
		status =
			add_found(self, &builder, self->found[count - 1].id, true, err);
	for (size_t i = 0; i < count && !status; i++)
		status = add_found(self, &builder, self->found[i].id, false, err);
	if (!status) {
		builder.recording->older_count = self->older_count;
		builder.recording->kernel = self->first.space;
		builder.recording->problem = self->first.problem;
		self->first.space = self->first.problem = NULL;
		status = at_recording_builder_finish(&builder, out, err);
	}
	/* a record keeps what was measured again, and nobody wonders at that */
	if (!status)
		(*out)->repeated_count = 0;
	at_recording_builder_release(&builder);
	return status;
}

/* Adds an evaluation whose reason the caller has. */
static enum at_status add_plain(struct at_recording_builder *builder,
	const struct at_evaluation *evaluation, bool is_first, struct at_error *err)
{
	struct at_evaluation plain = *evaluation;
	struct at_error own = { 0 };
	enum at_status status;

	plain.detail = (char *)"";
	status = add_evaluation(builder, &plain, is_first, &own);
	/* a configuration that cannot be read is not one of this space */
	if (status && status != AT_ENOMEM && builder->result) {
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
	enum at_status status = at_recording_builder_init(&builder, path, path, err);

	for (size_t i = 0; i < count && !status; i++)
		order[i] = (struct found){ evaluations[i].created_seconds, (int64_t)i };
	if (!status)
		qsort(order, count, sizeof(*order), compare_found);
	/* as in read_group(), the newest one determines the parameters */
	if (!status && count)
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

static void release_walk(struct walk *self)
{
	release_choice(&self->choice);
	release_choice(&self->first);
	at_strbuf_release(&self->groups);
	free(self->slug);
	at_sources_release(&self->sources);
	free(self->found);
}

enum at_status at_recording_from_store(struct at_store *store, const char *path,
	const char *space, const char *problem, const char *slug,
	struct at_recording **out, struct at_error *err)
{
	struct at_error own = { 0 };
	struct walk self = {
		.store = store, .path = path, .keeps_older = true, .err = &own
	};
	enum at_status status =
		at_store_list(store, space, slug, problem, 0, visit, &self, &own);

	if (!status && !self.found_count)
		status = at_fail(
			&own, AT_ENOENT, path, 0, "nothing of this is recorded there");
	if (!status)
		status = read_group(&self, out, &own);
	release_walk(&self);
	if (status && err && !err->status)
		*err = own;
	return status;
}

enum at_status at_recording_read_store(
	const char *path, struct at_recording **out, struct at_error *err)
{
	/* own: the code below needs the status even where err is NULL */
	struct at_error own = { 0 };
	struct walk self = { .path = path, .err = &own };
	char *file = at_strdup(path), *folder = NULL, *comma, *slash;
	enum at_status status = AT_OK;

	comma = at_file_exists(path) ? NULL : strchr(file, ',');
	if (comma)
		*comma++ = '\0';
	slash = strrchr(file, '/');
	if (strcmp(slash ? slash + 1 : file, RECORD_NAME) != 0)
		status = at_fail(&own, AT_EINVAL, file, 0,
			"is a database, and a record is called %s", RECORD_NAME);
	if (!status && comma)
		status = parse_choice(file, comma, &self.choice, &own);
	folder = at_path_directory(file);
	if (!status)
		status = at_store_open_reading(folder, &self.store, &own);
	if (!status)
		status = at_store_list(self.store, self.choice.space,
			self.choice.device, self.choice.problem, 0, visit, &self, &own);
	if (!status && !self.found_count && self.older_count && !self.is_several)
		status = at_fail(&own, AT_EINVAL, path, 0,
			"all %zu evaluations are of an older source, compiler or driver: tune again first",
			self.older_count);
	if (!status && !self.found_count && !self.is_several)
		status = at_fail(
			&own, AT_ENOENT, path, 0, "nothing of this is recorded there");
	if (!status && self.is_several)
		status = at_fail(&own, AT_EINVAL, file, 0,
			"choose one with \"%s,space=...,problem=...,device=...\": space=%s,problem=%s,device=%s%s",
			RECORD_NAME, self.first.space, self.first.problem,
			self.first.device, at_strbuf_text(&self.groups));
	if (!status)
		status = read_group(&self, out, &own);
	at_store_close(self.store);
	release_walk(&self);
	free(folder);
	free(file);
	if (status && err && !err->status)
		*err = own;
	return status;
}
