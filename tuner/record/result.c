/* From the crowns in the store to the two files. */
#include "record/result_internal.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>

/* What both texts are made of: one entry a problem, in the order of the spec. */
struct results {
	struct at_record_device device;
	size_t count;
	struct at_crown *crowns;
	struct at_evaluation *winners;
	struct at_evaluation *baselines; /* id 0: none */
};

static void release(struct results *self)
{
	for (size_t i = 0; i < self->count; i++) {
		at_crown_release(&self->crowns[i]);
		at_evaluation_release(&self->winners[i]);
		at_evaluation_release(&self->baselines[i]);
	}
	free(self->crowns);
	free(self->winners);
	free(self->baselines);
	at_record_device_release(&self->device);
}

static enum at_status gather(struct results *self, struct at_store *store,
	const struct at_spec *spec, int64_t device_id, struct at_error *err)
{
	uint16_t *scratch = calloc(spec->parameter_count + 1, sizeof(*scratch));
	enum at_status status;

	self->crowns = calloc(spec->problem_count, sizeof(*self->crowns));
	self->winners = calloc(spec->problem_count, sizeof(*self->winners));
	self->baselines = calloc(spec->problem_count, sizeof(*self->baselines));
	if (!scratch || !self->crowns || !self->winners || !self->baselines) {
		status = at_fail_memory(err);
		goto free_scratch;
	}
	status = at_store_get_device(store, device_id, &self->device, err);
	for (size_t i = 0; i < spec->problem_count && !status; i++) {
		struct at_crown *crown = &self->crowns[self->count];
		struct at_evaluation *winner = &self->winners[self->count];
		bool found = false, fits = false;

		status = at_store_find_crown(store, device_id, spec->name,
			spec->problems[i].name, crown, &found, err);
		if (status || !found)
			continue;
		/* from here on release() sees to it */
		self->count++;
		status = at_store_get(store, crown->evaluation_id, false, winner, err);
		if (!status)
			status = at_configuration_from_json(
				spec, winner->configuration, scratch, &fits, err);
		if (!status && fits && crown->baseline_id)
			status = at_store_get(store, crown->baseline_id, false,
				&self->baselines[self->count - 1], err);
		/* a parameter or a value of it is gone: it cannot be compiled */
		if (!status && !fits) {
			at_crown_release(crown);
			at_evaluation_release(winner);
			self->count--;
		}
	}
	if (!status && !self->count)
		status = at_fail(err, AT_ENOENT, spec->path, 0,
			"nothing is recorded for \"%s\" on %s that fits this file: tune it there first",
			spec->name, self->device.model);
free_scratch:
	free(scratch);
	return status;
}

char *at_result_path(const char *directory, const char *kernel, const char *ending)
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

/* Drops what is not proved: nobody compiles it in by mistake. */
static void drop_unproved(struct results *self)
{
	size_t kept = 0;

	for (size_t i = 0; i < self->count; i++) {
		if (self->crowns[i].is_unproved) {
			at_crown_release(&self->crowns[i]);
			at_evaluation_release(&self->winners[i]);
			at_evaluation_release(&self->baselines[i]);
			continue;
		}
		self->crowns[kept] = self->crowns[i];
		self->winners[kept] = self->winners[i];
		self->baselines[kept++] = self->baselines[i];
	}
	self->count = kept;
}

enum at_status at_result_write(struct at_store *store,
	const struct at_result_options *options, const struct at_spec *spec,
	int64_t device_id, char **written, struct at_error *err)
{
	char *directory = NULL, *json_path = NULL, *path = NULL;
	struct at_strbuf json = { 0 }, header = { 0 };
	struct results results = { 0 };
	enum at_status status;

	if (written)
		*written = NULL;
	status = gather(&results, store, spec, device_id, err);
	if (status)
		goto release;
	directory = at_path_join(options->directory, results.device.slug);
	if (directory)
		json_path = at_result_path(directory, spec->name, ".json");
	if (directory)
		path = options->header_path
			       ? at_strdup(options->header_path)
			       : at_result_path(directory, spec->name, ".h");
	if (!json_path || !path) {
		status = at_fail_memory(err);
		goto release;
	}
	/* both texts before either file, so that they do not part */
	status = at_result_json(spec, &results.device, results.crowns, results.winners,
		results.baselines, results.count, &json, err);
	if (!status && !options->with_unproved)
		drop_unproved(&results);
	if (!status && results.count)
		status = at_result_header(spec, &results.device, results.crowns,
			results.winners, results.count, &header, err);
	if (!status)
		status = at_directory_make(directory, err);
	if (!status)
		status = at_file_replace(
			json_path, at_strbuf_text(&json), json.length, err);
	if (!status && results.count)
		status = at_file_replace(
			path, at_strbuf_text(&header), header.length, err);
	if (!status && results.count && written) {
		*written = path;
		path = NULL;
	}
release:
	at_strbuf_release(&json);
	at_strbuf_release(&header);
	free(path);
	free(json_path);
	free(directory);
	release(&results);
	return status;
}
