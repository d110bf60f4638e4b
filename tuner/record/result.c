/* From the crowns in the store to the two files. */
#include "record/result.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What both texts are made of: one entry a problem, in the order of the spec. */
struct results {
	struct at_record_device device;
	struct at_crown *crowns; /* as the store gave them */
	size_t crown_count;
	size_t count;
	struct at_crown *chosen; /* shallow copies of some of them */
	struct at_evaluation *winners;
	struct at_evaluation *baselines;
};

static void release(struct results *self)
{
	for (size_t i = 0; i < self->count; i++) {
		at_evaluation_release(&self->winners[i]);
		at_evaluation_release(&self->baselines[i]);
	}
	free(self->winners);
	free(self->baselines);
	free(self->chosen);
	at_store_free_crowns(self->crowns, self->crown_count);
	at_record_device_release(&self->device);
}

static const struct at_crown *find_crown(
	const struct results *self, const char *problem)
{
	for (size_t i = 0; i < self->crown_count; i++)
		if (!strcmp(self->crowns[i].problem, problem))
			return &self->crowns[i];
	return NULL;
}

/* Takes a crown in, unless its configuration no longer fits the spec. */
static enum at_status take(struct results *self, struct at_store *store,
	const struct at_spec *spec, const struct at_crown *crown, uint16_t *scratch,
	struct at_error *err)
{
	struct at_evaluation *winner = &self->winners[self->count];
	struct at_evaluation *baseline = &self->baselines[self->count];
	enum at_status status;

	status = at_store_get(store, crown->evaluation_id, false, winner, err);
	if (status)
		return status;
	if (!at_configuration_from_json(spec, winner->configuration, scratch)) {
		at_evaluation_release(winner);
		return AT_OK;
	}
	self->chosen[self->count++] = *crown;
	if (crown->baseline_id)
		status = at_store_get(store, crown->baseline_id, false, baseline, err);
	return status;
}

static enum at_status gather(struct results *self, struct at_store *store,
	const struct at_spec *spec, int64_t device_id, struct at_error *err)
{
	uint16_t *scratch = calloc(spec->parameter_count + 1, sizeof(*scratch));
	enum at_status status;

	self->chosen = calloc(spec->problem_count, sizeof(*self->chosen));
	self->winners = calloc(spec->problem_count, sizeof(*self->winners));
	self->baselines = calloc(spec->problem_count, sizeof(*self->baselines));
	if (!scratch || !self->chosen || !self->winners || !self->baselines) {
		status = at_fail_memory(err);
		goto free_scratch;
	}
	status = at_store_get_device(store, device_id, &self->device, err);
	if (!status)
		status = at_store_crowns(store, spec->name, device_id, &self->crowns,
			&self->crown_count, err);
	for (size_t i = 0; i < spec->problem_count && !status; i++) {
		const struct at_crown *crown = find_crown(self, spec->problems[i].name);

		if (crown)
			status = take(self, store, spec, crown, scratch, err);
	}
	if (!status && !self->count)
		status = at_fail(err, AT_ENOENT, spec->path, 0,
			"nothing is recorded for \"%s\" on %s that fits this file: tune it there first",
			spec->name, self->device.model);
free_scratch:
	free(scratch);
	return status;
}

/* <directory>/<kernel><ending>, with nothing in the name that leads elsewhere */
static char *file_path(const char *directory, const char *kernel, const char *ending)
{
	struct at_strbuf name = { 0 };
	char *path = NULL;

	for (const char *c = kernel; *c; c++) {
		bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
			     (*c >= '0' && *c <= '9') || *c == '_' || *c == '-' ||
			     (*c == '.' && c > kernel);

		at_strbuf_add_char(&name, plain ? *c : '-');
	}
	at_strbuf_add(&name, ending);
	if (!name.failed)
		path = at_path_join(directory, name.data);
	at_strbuf_release(&name);
	return path;
}

static enum at_status write_text(
	const char *path, const struct at_strbuf *text, struct at_error *err)
{
	return at_file_replace(path, at_strbuf_text(text), text->length, err);
}

static enum at_status write_both(const struct results *self, const struct at_spec *spec,
	const char *json_path, const char *header_path, struct at_error *err)
{
	struct at_strbuf json = { 0 }, header = { 0 };
	enum at_status status;

	status = at_result_json(spec, &self->device, self->chosen, self->winners,
		self->baselines, self->count, &json, err);
	if (!status)
		status = at_result_header(spec, &self->device, self->chosen,
			self->winners, self->count, &header, err);
	/* both texts before either file, so that they do not part */
	if (!status)
		status = write_text(json_path, &json, err);
	if (!status)
		status = write_text(header_path, &header, err);
	at_strbuf_release(&json);
	at_strbuf_release(&header);
	return status;
}

enum at_status at_result_write(struct at_store *store, const char *results_directory,
	const struct at_spec *spec, int64_t device_id, const char *header_path,
	char **written, struct at_error *err)
{
	char *directory = NULL, *json = NULL, *header = NULL;
	struct results results = { 0 };
	enum at_status status;

	status = gather(&results, store, spec, device_id, err);
	if (status)
		goto release;
	directory = at_path_join(results_directory, results.device.slug);
	if (directory)
		json = file_path(directory, spec->name, ".json");
	if (directory)
		header = header_path ? at_strdup(header_path)
				     : file_path(directory, spec->name, ".h");
	if (!json || !header) {
		status = at_fail_memory(err);
		goto release;
	}
	status = at_directory_make(directory, err);
	if (!status)
		status = write_both(&results, spec, json, header, err);
	if (!status && written) {
		*written = header;
		header = NULL;
	}
release:
	free(header);
	free(json);
	free(directory);
	release(&results);
	return status;
}
