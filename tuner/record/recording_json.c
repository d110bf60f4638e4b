/*
 * Reads four formats in JSON: cache files of Kernel Tuner, {"device_name",
 * "kernel_name", "tune_params_keys", "tune_params", "objective", "cache": {"16,1":
 * {...}, ...}}, and T4 result files, {"schema_version", "results": [{"configuration",
 * "times", "invalidity", "measurements", ...}, ...]}, with those of CLBlast's tuners,
 * which are alike; all have times in milliseconds where they name no unit. And KTT's
 * own files, which name theirs.
 * This file reads what surrounds the rows; the key that holds the rows tells the
 * format.
 */
#include "record/recording_json_parts.h"

#include <stdlib.h>
#include <string.h>

static enum at_status read_names(struct json_reading *self, struct at_error *err)
{
	enum at_status status;
	const char *name;

	status = at_json_reader_enter(&self->reader, AT_JSON_ARRAY, err);
	while (!status && at_json_reader_item(&self->reader, err)) {
		status = at_json_reader_string(
			&self->reader, "tune_params_keys", &name, err);
		if (!status)
			status = at_recording_builder_parameter(
				&self->builder, name, err);
	}
	return status ? status : err->status;
}

/* Only the names are used: the values are collected from the rows. */
static enum at_status read_tune_params(struct json_reading *self, struct at_error *err)
{
	bool is_known = self->builder.recording->parameter_count > 0;
	enum at_status status;
	const char *name;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &name, err)) {
		if (!is_known)
			status = at_recording_builder_parameter(
				&self->builder, name, err);
		if (!status)
			status = at_json_reader_skip(&self->reader, err);
	}
	return status ? status : err->status;
}

/* {"timeunit": "milliseconds"}, by which T4 files may have times in another unit; files
   that we wrote also have "kernel", "problem" and "device". KTT, which names itself,
   writes every value of a parameter as a text. */
static enum at_status read_metadata(struct json_reading *self, struct at_error *err)
{
	struct at_recording *recording = self->builder.recording;
	enum at_status status;
	const char *key, *text;

	if (at_json_reader_peek(&self->reader) != AT_JSON_OBJECT)
		return at_json_reader_skip(&self->reader, err);
	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		if (strcmp(key, "timeunit") != 0) {
			bool is_tuner = !strcmp(key, "autotuner");

			if (is_tuner &&
				at_json_reader_peek(&self->reader) == AT_JSON_STRING) {
				status = at_json_reader_string(
					&self->reader, key, &text, err);
				self->has_texts_for_values =
					!status && !strcmp(text, "KTT");
			} else if (!strcmp(key, "kernel"))
				status = json_read_text(
					self, key, &recording->kernel, err);
			else if (!strcmp(key, "problem"))
				status = json_read_text(
					self, key, &recording->problem, err);
			else if (!strcmp(key, "device"))
				status = json_read_text(
					self, key, &recording->device, err);
			else
				status = at_json_reader_skip(&self->reader, err);
			continue;
		}
		status = at_json_reader_string(&self->reader, key, &text, err);
		if (!status && !json_find_unit(text, &self->unit_seconds))
			status = json_fail(
				self, "unknown unit of time \"%s\"", text, err);
		self->names_unit = true;
	}
	return status ? status : err->status;
}

/* JSON that is easily taken for a recording, by a key of its outermost object. */
#define MAKE_CSV "make CSV of it whose first line names the parameters and a time_"
static const struct {
	const char *key;
	const char *text;
} others[] = {
	{ "ConfigurationSpace",
		"is a T1 file, which describes a space and has no times: give the T4 file, or the cache, of what was measured" },
	{ "sections",
		"is the database of CLBlast, which has the best of each kernel alone: give the files that its tuners wrote" },
	{ "benchmarks",
		"holds benchmarks of nvbench or Google Benchmark: " MAKE_CSV "s" },
	{ "history", "is a log of ATF: " MAKE_CSV "ns" },
	{ "configs_timings", "is a cache of Triton: " MAKE_CSV "ms" },
	{ "metadata",
		"has metadata and no results: give the file that has the results" },
};

/*
 * The rows may stand anywhere, and need the names of the parameters, the objective and
 * the unit of time. So they are skipped first, which is cheap, and read when the rest
 * is known.
 */
static enum at_status read_file(struct json_reading *self, struct at_error *err)
{
	struct at_json_reader cache = { 0 }, results = { 0 }, ktt = { 0 };
	bool has_rows_of_others[AT_COUNT_OF(others)] = { false };
	bool has_device = false, has_problems = false;
	struct at_recording *recording = self->builder.recording;
	enum at_status status;
	const char *key;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		self->is_clblast |= !strcmp(key, "kernel_family") ||
				    !strncmp(key, "clblast_", strlen("clblast_"));
		/* the second ones are CLBlast's */
		if (!strcmp(key, "device_name") ||
			!strcmp(key, "clblast_device_name")) {
			status = json_read_text(self, key, &recording->device, err);
		} else if (!strcmp(key, "kernel_name") ||
			   !strcmp(key, "kernel_family")) {
			status = json_read_text(self, key, &recording->kernel, err);
		} else if (!strcmp(key, "problem_name")) {
			status = json_read_text(self, key, &recording->problem, err);
		} else if (!strcmp(key, "objective")) {
			status = json_read_objective(self, err);
		} else if (!strcmp(key, "tune_params_keys") &&
			   !recording->parameter_count) {
			status = read_names(self, err);
		} else if (!strcmp(key, "tune_params")) {
			status = read_tune_params(self, err);
		} else if (!strcmp(key, "Metadata") &&
			   at_json_reader_peek(&self->reader) == AT_JSON_OBJECT) {
			status = json_read_ktt_metadata(self, err);
		} else if (!strcmp(key, "metadata")) {
			has_rows_of_others[AT_COUNT_OF(others) - 1] = true;
			status = read_metadata(self, err);
		} else {
			if (!strcmp(key, "cache"))
				cache = self->reader;
			else if (!strcmp(key, "results"))
				results = self->reader;
			else if (!strcmp(key, "Results"))
				ktt = self->reader;
			for (size_t i = 0; i < AT_COUNT_OF(others); i++)
				has_rows_of_others[i] |= !strcmp(key, others[i].key);
			has_device = has_device || !strcmp(key, "device");
			has_problems = has_problems || !strcmp(key, "problems");
			if (!strcmp(key, "device") && !recording->device)
				status = json_read_text(
					self, key, &recording->device, err);
			else
				status = at_json_reader_skip(&self->reader, err);
		}
	}
	if (!status)
		status = err->status;
	if (status && !(self->reader.is_cut && cache.at))
		return status;
	if (!status && at_json_reader_peek(&self->reader) != AT_JSON_END)
		return at_fail(err, AT_ESYNTAX, self->path, self->reader.line,
			cache.at || results.at || ktt.at
				? "goes on behind the end of its JSON object: are these two files in one?"
				: "holds one JSON object after another, as logs of TVM do: " MAKE_CSV
				  "s");
	/* of a cache that ends too early json_read_cache() takes the complete rows */
	at_error_clear(err);
	if (cache.at) {
		self->reader = cache;
		if (!recording->parameter_count)
			return at_fail(err, AT_EINVAL, self->path, 0,
				"has neither \"tune_params_keys\" nor \"tune_params\": the parameters are not known");
		return json_read_cache(self, err);
	}
	if (results.at) {
		self->reader = results;
		return json_read_results(self, err);
	}
	if (has_device && has_problems)
		return at_fail(err, AT_EINVAL, self->path, 0,
			"is a result file of autotune, which has winners alone: what was measured is in the record, autotune.db");
	if (ktt.at) {
		self->reader = ktt;
		return json_read_ktt_results(self, err);
	}
	for (size_t i = 0; i < AT_COUNT_OF(others); i++)
		if (has_rows_of_others[i])
			return at_fail(
				err, AT_EINVAL, self->path, 0, "%s", others[i].text);
	return at_fail(err, AT_EINVAL, self->path, 0,
		"has neither \"cache\", as Kernel Tuner's files, nor \"results\", as T4 files; of anything else make CSV whose first line names the parameters and a time_ms");
}

enum at_status at_recording_read_json(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err)
{
	/* own: the code below needs the status even where err is NULL */
	struct at_error own = { 0 };
	struct json_reading self = { .path = path, .unit_seconds = 1e-3 };
	enum at_status status;

	at_json_reader_init(&self.reader, text, size, path);
	if (at_json_reader_peek(&self.reader) == AT_JSON_ARRAY)
		return at_fail(err, AT_EINVAL, path, self.reader.line,
			"is a list of results, as the value that tune_kernel() returns: give the cache file of Kernel Tuner or a T4 file, which name the parameters, or CSV");
	if (at_json_reader_peek(&self.reader) != AT_JSON_OBJECT)
		return at_fail(err, AT_ESYNTAX, path, self.reader.line,
			"is no recording: neither a JSON object, nor CSV whose first line names a time_ns, time_us, time_ms or time_s, nor a record of autotune");
	status = at_recording_builder_init(&self.builder, path, NULL, &own);
	if (!status)
		status = read_file(&self, &own);
	if (!status)
		status = at_recording_builder_finish(&self.builder, out, &own);
	at_recording_builder_release(&self.builder);
	at_strbuf_release(&self.own.outcome);
	at_strbuf_release(&self.own.detail);
	free(self.are_means);
	if (status && err && !err->status)
		*err = own;
	return status;
}
