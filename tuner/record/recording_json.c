/*
 * Two formats in JSON: the cache files of Kernel Tuner, {"device_name", "kernel_name",
 * "tune_params_keys", "tune_params", "objective", "cache": {"16,1": {...}, ...}}, and
 * T4 result files, {"schema_version", "results": [{"configuration", "times",
 * "invalidity", "measurements", ...}, ...]}. Both have times in milliseconds.
 */
#include "record/recording_build.h"

#include "base/json_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What Kernel Tuner takes for "this failed" where it needs a number, and what older
   files have in place of a word. */
#define FAILED_TIME 1e20

/* What a file says of a configuration that gave no time. */
struct failure {
	const char *word;
	enum at_outcome outcome;
	const char *reason;
};

/* by Kernel Tuner, which says no more than that */
static const struct failure cache_failures[] = {
	{ "InvalidConfig", AT_OUTCOME_NOT_APPLICABLE,
		"does not satisfy the constraints (InvalidConfig)" },
	{ "CompilationFailedConfig", AT_OUTCOME_COMPILE_FAILED,
		"does not compile (CompilationFailedConfig)" },
	{ "RuntimeFailedConfig", AT_OUTCOME_LAUNCH_FAILED,
		"the launch failed (RuntimeFailedConfig)" },
	{ NULL, AT_OUTCOME_NONE, NULL },
};

static const struct failure t4_failures[] = {
	{ "timeout", AT_OUTCOME_TIMED_OUT, "did not end in time (timeout)" },
	{ "compile", AT_OUTCOME_COMPILE_FAILED, "does not compile (compile)" },
	{ "runtime", AT_OUTCOME_LAUNCH_FAILED, "the launch failed (runtime)" },
	{ "correctness", AT_OUTCOME_WRONG_RESULT,
		"gives a wrong result (correctness)" },
	{ "constraints", AT_OUTCOME_NOT_APPLICABLE,
		"does not satisfy the constraints (constraints)" },
	{ NULL, AT_OUTCOME_NONE, NULL },
};

/* Units of time that T4 files name. */
static const struct {
	const char *name;
	double seconds;
} units[] = {
	{ "ns", 1e-9 },
	{ "nanoseconds", 1e-9 },
	{ "us", 1e-6 },
	{ "microseconds", 1e-6 },
	{ "ms", 1e-3 },
	{ "milliseconds", 1e-3 },
	{ "miliseconds", 1e-3 }, /* as one of the writers spells it */
	{ "s", 1 },
	{ "seconds", 1 },
};

/* What a row of ours says beside what its format has words for; strbufs: the words are
   needed when the row is through. */
struct own_words {
	struct at_strbuf outcome;
	struct at_strbuf detail;
};

struct reading {
	struct at_json_reader reader;
	struct at_recording_builder builder;
	const char *path;
	double unit_seconds; /* of the times in the file */
	struct own_words own;
};

/* One rounding, so that what is written reads back the same. */
static double to_ns(const struct reading *self, double value)
{
	return value * (self->unit_seconds * 1e9);
}

/* ---- what both have in common ------------------------------------------------ */

static enum at_status fail_here(const struct reading *self, const char *what,
	const char *which, struct at_error *err)
{
	return at_fail(err, AT_EINVAL, self->path, self->reader.line, what, which);
}

static struct at_value value_of(const struct at_json_scalar *scalar)
{
	switch (scalar->kind) {
	case AT_JSON_STRING:
		return (struct at_value){ .type = AT_TYPE_WORD, .word = scalar->text };
	case AT_JSON_BOOLEAN:
		return (struct at_value){ .type = AT_TYPE_BOOLEAN,
			.integer = scalar->whole };
	case AT_JSON_NUMBER:
		if (scalar->is_whole)
			return (struct at_value){ .type = AT_TYPE_INTEGER,
				.integer = scalar->whole };
		return (struct at_value){ .type = AT_TYPE_REAL, .real = scalar->real };
	case AT_JSON_NULL:
		/* Python's None, a value like any other */
		return (struct at_value){ .type = AT_TYPE_WORD, .word = "none" };
	case AT_JSON_END:
	case AT_JSON_OBJECT:
	case AT_JSON_ARRAY:
	case AT_JSON_ODD:
		break;
	}
	return (struct at_value){ .type = AT_TYPE_NONE };
}

static enum at_status read_parameter(
	struct reading *self, size_t parameter, struct at_error *err)
{
	struct at_json_scalar scalar;
	enum at_status status = at_json_reader_scalar(&self->reader, &scalar, err);

	if (status)
		return status;
	/* NaN equals nothing, itself neither: no value that could be looked up */
	if (scalar.kind == AT_JSON_NUMBER && !isfinite(scalar.real))
		return fail_here(self, "\"%s\" is not finite",
			self->builder.recording->parameters[parameter].name, err);
	return at_recording_builder_set(
		&self->builder, parameter, value_of(&scalar), err);
}

/* A number that a row may lack; NAN where it is none. */
static enum at_status read_number(
	struct reading *self, double *out, struct at_error *err)
{
	struct at_json_scalar scalar;
	enum at_json_kind kind = at_json_reader_peek(&self->reader);
	enum at_status status;

	*out = NAN;
	if (kind == AT_JSON_OBJECT || kind == AT_JSON_ARRAY)
		return at_json_reader_skip(&self->reader, err);
	status = at_json_reader_scalar(&self->reader, &scalar, err);
	if (status)
		return status;
	if (scalar.kind == AT_JSON_NUMBER && isfinite(scalar.real))
		*out = scalar.real;
	return AT_OK;
}

/* An array of times; what is no time in it is left out, and so is all else. */
static enum at_status read_samples(struct reading *self, struct at_error *err)
{
	enum at_status status;

	if (at_json_reader_peek(&self->reader) != AT_JSON_ARRAY)
		return at_json_reader_skip(&self->reader, err);
	status = at_json_reader_enter(&self->reader, AT_JSON_ARRAY, err);
	while (!status && at_json_reader_item(&self->reader, err)) {
		double time;

		status = read_number(self, &time, err);
		if (!status && time > 0 && time < FAILED_TIME)
			status = at_recording_builder_sample(
				&self->builder, to_ns(self, time), err);
	}
	return status ? status : err->status;
}

static enum at_status set_failure(struct reading *self, const struct failure *failures,
	const char *word, struct at_error *err)
{
	struct at_recorded *result = self->builder.result;

	for (; failures->word; failures++) {
		if (strcmp(failures->word, word) != 0)
			continue;
		result->outcome = failures->outcome;
		result->reason = failures->reason;
		return AT_OK;
	}
	/* Our own word, as at_recording_write() writes it; else another one, of which
	   nothing is known but that the configuration was tried, and gave no time. */
	result->outcome = at_outcome_from_name(word);
	if (result->outcome == AT_OUTCOME_NONE || result->outcome == AT_OUTCOME_OK)
		result->outcome = AT_OUTCOME_LAUNCH_FAILED;
	return at_recording_builder_keep(
		&self->builder, *word ? word : "failed", &result->reason, err);
}

/* Adds two parts of a time, of which some may not be known. */
static double add_known(double a, double b)
{
	if (isnan(a))
		return b;
	return isnan(b) ? a : a + b;
}

/* "autotune_older_source": true */
static enum at_status read_older(struct reading *self, struct at_error *err)
{
	struct at_json_scalar scalar;
	enum at_status status;

	if (at_json_reader_peek(&self->reader) != AT_JSON_BOOLEAN)
		return at_json_reader_skip(&self->reader, err);
	status = at_json_reader_scalar(&self->reader, &scalar, err);
	if (!status)
		self->builder.result->is_older = scalar.whole != 0;
	return status;
}

/* The keys that we add, and "timestamp"; *is_known false: it is none of them */
static enum at_status read_own(
	struct reading *self, const char *key, bool *is_known, struct at_error *err)
{
	bool is_moment = !strcmp(key, "timestamp");
	bool is_outcome = !strcmp(key, "autotune_outcome");
	struct at_strbuf *word = is_outcome ? &self->own.outcome : &self->own.detail;
	enum at_status status;
	const char *text;

	if (!strcmp(key, "autotune_older_source")) {
		*is_known = true;
		return read_older(self, err);
	}
	*is_known = is_moment || is_outcome || !strcmp(key, "autotune_detail");
	if (!*is_known)
		return AT_OK;
	if (at_json_reader_peek(&self->reader) != AT_JSON_STRING)
		return at_json_reader_skip(&self->reader, err);
	status = at_json_reader_string(&self->reader, key, &text, err);
	if (status)
		return status;
	if (is_moment) {
		self->builder.result->created_seconds = at_recording_seconds(text);
		return AT_OK;
	}
	at_strbuf_clear(word);
	at_strbuf_add(word, text);
	return word->failed ? at_fail_memory(err) : AT_OK;
}

/* Ends a row: what is not consistent in it is put right, or refused. */
static enum at_status end_row(struct reading *self, struct at_error *err)
{
	struct at_recorded *result = self->builder.result;
	size_t missing = at_recording_builder_missing(&self->builder);
	enum at_status status;

	if (missing != SIZE_MAX)
		return fail_here(self, "this configuration has no \"%s\"",
			self->builder.recording->parameters[missing].name, err);
	if (result->outcome == AT_OUTCOME_NONE && !isnan(result->time_ns))
		result->outcome = AT_OUTCOME_OK;
	if (result->outcome == AT_OUTCOME_NONE)
		return fail_here(self, "this configuration has no \"%s\"", "time", err);
	if (result->outcome != AT_OUTCOME_OK) {
		/* some files keep a number beside the word */
		result->time_ns = NAN;
		result->measure_seconds = 0;
		result->sample_count = 0;
	}
	status = at_recording_builder_outcome(&self->builder,
		at_strbuf_text(&self->own.outcome), at_strbuf_text(&self->own.detail),
		err);
	at_strbuf_clear(&self->own.outcome);
	at_strbuf_clear(&self->own.detail);
	return status;
}

/* A key of a row that its format does not have, or that nobody wants. */
static enum at_status read_other(
	struct reading *self, const char *key, struct at_error *err)
{
	bool is_known;
	enum at_status status = read_own(self, key, &is_known, err);

	return status || is_known ? status : at_json_reader_skip(&self->reader, err);
}

/* ---- Kernel Tuner's cache ---------------------------------------------------- */

/* "time", or what else the file was tuned for: a number, or the word for a failure */
static enum at_status read_score(
	struct reading *self, bool is_time, struct at_error *err)
{
	struct at_recorded *result = self->builder.result;
	struct at_json_scalar scalar;
	enum at_status status = at_json_reader_scalar(&self->reader, &scalar, err);

	if (status)
		return status;
	if (scalar.kind == AT_JSON_STRING)
		return set_failure(self, cache_failures, scalar.text, err);
	if (!is_time)
		return AT_OK;
	if (scalar.kind != AT_JSON_NUMBER || isnan(scalar.real) ||
		scalar.real >= FAILED_TIME)
		return set_failure(self, cache_failures, "failed", err);
	if (scalar.real <= 0)
		return fail_here(self, "\"%s\" is not above 0", "time", err);
	result->time_ns = to_ns(self, scalar.real);
	return AT_OK;
}

static enum at_status read_cache_row(struct reading *self, struct at_error *err)
{
	struct at_recorded *result;
	double compile = NAN, benchmark = NAN, verification = NAN;
	const char *key, *objective = self->builder.recording->objective;
	size_t likely = 0;
	enum at_status status;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		size_t parameter =
			at_recording_builder_find(&self->builder, key, likely);

		if (parameter != SIZE_MAX) {
			status = read_parameter(self, parameter, err);
			likely = parameter + 1;
		} else if (!strcmp(key, "time")) {
			status = read_score(self, true, err);
		} else if (!strcmp(key, "times")) {
			status = read_samples(self, err);
		} else if (!strcmp(key, "compile_time")) {
			status = read_number(self, &compile, err);
		} else if (!strcmp(key, "benchmark_time")) {
			status = read_number(self, &benchmark, err);
		} else if (!strcmp(key, "verification_time")) {
			status = read_number(self, &verification, err);
		} else if (objective && !strcmp(key, objective)) {
			status = read_score(self, false, err);
		} else {
			status = read_other(self, key, err);
		}
	}
	if (status || err->status)
		return status ? status : err->status;
	result = self->builder.result;
	result->compile_seconds = compile * self->unit_seconds;
	result->measure_seconds =
		add_known(benchmark, verification) * self->unit_seconds;
	return end_row(self, err);
}

/*
 * Kernel Tuner adds a row at a time, and the end when it is through: a file without an
 * end holds what was measured until then. A row that is not whole is left out.
 */
static enum at_status read_cache(struct reading *self, struct at_error *err)
{
	const char *key;
	enum at_status status;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		status = at_recording_builder_row(&self->builder, err);
		if (!status)
			status = read_cache_row(self, err);
		if (status && self->reader.is_cut)
			at_recording_builder_drop(&self->builder);
		at_strbuf_clear(&self->own.outcome);
		at_strbuf_clear(&self->own.detail);
	}
	if (!self->reader.is_cut)
		return status ? status : err->status;
	self->builder.recording->is_cut = true;
	at_error_clear(err);
	return AT_OK;
}

static enum at_status read_names(struct reading *self, struct at_error *err)
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

/* The names alone: the values are those that rows have. */
static enum at_status read_tune_params(struct reading *self, struct at_error *err)
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

static enum at_status read_text(
	struct reading *self, const char *key, char **out, struct at_error *err)
{
	const char *text;
	enum at_status status;

	/* of an unknown kind: what is not a text is not shown */
	if (at_json_reader_peek(&self->reader) != AT_JSON_STRING)
		return at_json_reader_skip(&self->reader, err);
	status = at_json_reader_string(&self->reader, key, &text, err);
	if (status)
		return status;
	free(*out);
	*out = at_strdup(text);
	return *out ? AT_OK : at_fail_memory(err);
}

/* ---- T4 ---------------------------------------------------------------------- */

static bool find_unit(const char *name, double *seconds)
{
	for (size_t i = 0; i < AT_COUNT_OF(units); i++) {
		if (strcmp(units[i].name, name) != 0)
			continue;
		*seconds = units[i].seconds;
		return true;
	}
	return false;
}

/* Parameters are what the first configuration has. */
static enum at_status read_t4_configuration(struct reading *self, struct at_error *err)
{
	bool is_first = self->builder.recording->count == 1;
	size_t likely = 0;
	enum at_status status;
	const char *name;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &name, err)) {
		size_t parameter =
			at_recording_builder_find(&self->builder, name, likely);

		if (parameter == SIZE_MAX && is_first) {
			parameter = self->builder.recording->parameter_count;
			status = at_recording_builder_parameter(
				&self->builder, name, err);
		} else if (parameter == SIZE_MAX) {
			status = fail_here(self,
				"the first configuration has no parameter \"%s\"", name,
				err);
		}
		if (!status)
			status = read_parameter(self, parameter, err);
		likely = parameter + 1;
	}
	return status ? status : err->status;
}

struct t4_times {
	double compile;
	double benchmark;
	double validation;
};

static enum at_status read_t4_times(
	struct reading *self, struct t4_times *times, struct at_error *err)
{
	enum at_status status;
	const char *key;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		/* the schema has the longer name, Kernel Tuner writes the shorter */
		if (!strcmp(key, "compilation") || !strcmp(key, "compilation_time"))
			status = read_number(self, &times->compile, err);
		else if (!strcmp(key, "benchmark") || !strcmp(key, "benchmark_time"))
			status = read_number(self, &times->benchmark, err);
		else if (!strcmp(key, "validation"))
			status = read_number(self, &times->validation, err);
		else if (!strcmp(key, "runtimes"))
			status = read_samples(self, err);
		else
			status = at_json_reader_skip(&self->reader, err);
	}
	return status ? status : err->status;
}

/* [{"name": "time", "value": 3.2, "unit": "ms"}, ...] */
static enum at_status read_t4_measurements(struct reading *self, struct at_error *err)
{
	enum at_status status;

	status = at_json_reader_enter(&self->reader, AT_JSON_ARRAY, err);
	while (!status && at_json_reader_item(&self->reader, err)) {
		double value = NAN, seconds = self->unit_seconds;
		bool is_time = false;
		const char *key, *text;

		status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
		while (!status && at_json_reader_member(&self->reader, &key, err)) {
			if (!strcmp(key, "name")) {
				status = at_json_reader_string(
					&self->reader, key, &text, err);
				is_time = !status && !strcmp(text, "time");
			} else if (!strcmp(key, "value")) {
				status = read_number(self, &value, err);
			} else if (!strcmp(key, "unit")) {
				status = at_json_reader_string(
					&self->reader, key, &text, err);
				/* "" and what is no unit of time: as all others */
				if (!status)
					find_unit(text, &seconds);
			} else {
				status = at_json_reader_skip(&self->reader, err);
			}
		}
		if (!status)
			status = err->status;
		if (!status && is_time && value > 0 && value < FAILED_TIME)
			self->builder.result->time_ns = value * (seconds * 1e9);
	}
	return status ? status : err->status;
}

static enum at_status read_t4_row(struct reading *self, struct at_error *err)
{
	struct t4_times times = { NAN, NAN, NAN };
	struct at_recorded *result = self->builder.result;
	const char *key, *word;
	enum at_status status;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		if (!strcmp(key, "configuration")) {
			status = read_t4_configuration(self, err);
		} else if (!strcmp(key, "times")) {
			status = read_t4_times(self, &times, err);
		} else if (!strcmp(key, "measurements")) {
			status = read_t4_measurements(self, err);
		} else if (!strcmp(key, "invalidity")) {
			status = at_json_reader_string(&self->reader, key, &word, err);
			if (!status && strcmp(word, "correct") != 0)
				status = set_failure(self, t4_failures, word, err);
		} else {
			status = read_other(self, key, err);
		}
	}
	if (status || err->status)
		return status ? status : err->status;
	result->compile_seconds = times.compile * self->unit_seconds;
	result->measure_seconds =
		add_known(times.benchmark, times.validation) * self->unit_seconds;
	/* a file may have the runs alone */
	if (isnan(result->time_ns) && result->sample_count) {
		double sum = 0;

		for (size_t i = 0; i < result->sample_count; i++)
			sum += self->builder.recording
				       ->samples_ns[result->sample_begin + i];
		result->time_ns = sum / (double)result->sample_count;
	}
	return end_row(self, err);
}

static enum at_status read_results(struct reading *self, struct at_error *err)
{
	enum at_status status;

	status = at_json_reader_enter(&self->reader, AT_JSON_ARRAY, err);
	while (!status && at_json_reader_item(&self->reader, err)) {
		status = at_recording_builder_row(&self->builder, err);
		if (!status)
			status = read_t4_row(self, err);
	}
	return status ? status : err->status;
}

/* {"timeunit": "milliseconds"}, where a T4 file has other times than Kernel Tuner's; in
   ours also "kernel", "problem" and "device" */
static enum at_status read_metadata(struct reading *self, struct at_error *err)
{
	struct at_recording *recording = self->builder.recording;
	enum at_status status;
	const char *key, *text;

	if (at_json_reader_peek(&self->reader) != AT_JSON_OBJECT)
		return at_json_reader_skip(&self->reader, err);
	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		if (strcmp(key, "timeunit") != 0) {
			if (!strcmp(key, "kernel"))
				status = read_text(self, key, &recording->kernel, err);
			else if (!strcmp(key, "problem"))
				status = read_text(self, key, &recording->problem, err);
			else if (!strcmp(key, "device"))
				status = read_text(self, key, &recording->device, err);
			else
				status = at_json_reader_skip(&self->reader, err);
			continue;
		}
		status = at_json_reader_string(&self->reader, key, &text, err);
		if (!status && !find_unit(text, &self->unit_seconds))
			status = fail_here(
				self, "unknown unit of time \"%s\"", text, err);
	}
	return status ? status : err->status;
}

/* ---- whole files ------------------------------------------------------------- */

/*
 * The rows are read when everything else is known, wherever they stand: they need the
 * names of the parameters, the objective, the unit of time. Skipping them first is
 * cheap.
 */
static enum at_status read_file(struct reading *self, struct at_error *err)
{
	struct at_json_reader cache = { 0 }, results = { 0 };
	struct at_recording *recording = self->builder.recording;
	enum at_status status;
	const char *key;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		if (!strcmp(key, "device_name")) {
			status = read_text(self, key, &recording->device, err);
		} else if (!strcmp(key, "kernel_name")) {
			status = read_text(self, key, &recording->kernel, err);
		} else if (!strcmp(key, "problem_name")) {
			status = read_text(self, key, &recording->problem, err);
		} else if (!strcmp(key, "objective")) {
			status = read_text(self, key, &recording->objective, err);
		} else if (!strcmp(key, "tune_params_keys") &&
			   !recording->parameter_count) {
			status = read_names(self, err);
		} else if (!strcmp(key, "tune_params")) {
			status = read_tune_params(self, err);
		} else if (!strcmp(key, "metadata")) {
			status = read_metadata(self, err);
		} else {
			if (!strcmp(key, "cache"))
				cache = self->reader;
			else if (!strcmp(key, "results"))
				results = self->reader;
			status = at_json_reader_skip(&self->reader, err);
		}
	}
	if (!status)
		status = err->status;
	if (status && !(self->reader.is_cut && cache.at))
		return status;
	/* of a cache that ends too early read_cache() takes what is whole */
	at_error_clear(err);
	if (cache.at) {
		self->reader = cache;
		if (!recording->parameter_count)
			return at_fail(err, AT_EINVAL, self->path, 0,
				"has neither \"tune_params_keys\" nor \"tune_params\": the parameters are not known");
		return read_cache(self, err);
	}
	if (results.at) {
		self->reader = results;
		return read_results(self, err);
	}
	return at_fail(err, AT_EINVAL, self->path, 0,
		"has neither \"cache\", as Kernel Tuner's files, nor \"results\", as T4 files");
}

enum at_status at_recording_read_json(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err)
{
	/* what follows reads its status here also where the caller wants no text */
	struct at_error own = { 0 };
	struct reading self = { .path = path, .unit_seconds = 1e-3 };
	enum at_status status;

	at_json_reader_init(&self.reader, text, size, path);
	if (at_json_reader_peek(&self.reader) != AT_JSON_OBJECT)
		return at_fail(err, AT_ESYNTAX, path, self.reader.line,
			"is no recording: neither a JSON object nor a record of autotune");
	status = at_recording_builder_init(&self.builder, path, NULL, &own);
	if (!status)
		status = read_file(&self, &own);
	if (!status)
		status = at_recording_builder_finish(&self.builder, out, &own);
	at_recording_builder_release(&self.builder);
	at_strbuf_release(&self.own.outcome);
	at_strbuf_release(&self.own.detail);
	if (status && err && !err->status)
		*err = own;
	return status;
}
