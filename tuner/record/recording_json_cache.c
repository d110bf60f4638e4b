/* Rows of Kernel Tuner's cache files: {"cache": {"16,1": {...}, ...}}. */
#include "record/recording_json_parts.h"

#include <math.h>
#include <string.h>

/* Kernel Tuner's words for failures; its files give no more details. */
static const struct failure cache_failures[] = {
	{ "InvalidConfig", AT_OUTCOME_NOT_APPLICABLE,
		"does not satisfy the constraints (InvalidConfig)" },
	{ "CompilationFailedConfig", AT_OUTCOME_COMPILE_FAILED,
		"does not compile (CompilationFailedConfig)" },
	{ "RuntimeFailedConfig", AT_OUTCOME_LAUNCH_FAILED,
		"the launch failed (RuntimeFailedConfig)" },
	{ NULL, AT_OUTCOME_NONE, NULL },
};

/* Reads "time", or another objective of the file: a number, or the word for a
   failure. */
static enum at_status read_score(
	struct json_reading *self, bool is_time, struct at_error *err)
{
	struct at_recorded *result = self->builder.result;
	struct at_json_scalar scalar;
	enum at_status status = at_json_reader_scalar(&self->reader, &scalar, err);

	if (status)
		return status;
	if (scalar.kind == AT_JSON_STRING)
		return json_set_failure(self, cache_failures, scalar.text, err);
	if (!is_time)
		return AT_OK;
	if (scalar.kind != AT_JSON_NUMBER || isnan(scalar.real) ||
		scalar.real >= FAILED_TIME)
		return json_set_failure(self, cache_failures, "failed", err);
	if (scalar.real <= 0)
		return json_fail(self, "\"%s\" is not above 0", "time", err);
	result->time_ns = json_to_ns(self, scalar.real);
	return AT_OK;
}

static enum at_status read_cache_row(struct json_reading *self, struct at_error *err)
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
			status = json_read_parameter(self, parameter, err);
			likely = parameter + 1;
		} else if (!strcmp(key, "time")) {
			status = read_score(self, true, err);
		} else if (!strcmp(key, "times")) {
			status = json_read_samples(self, err);
		} else if (!strcmp(key, "compile_time")) {
			status = json_read_number(self, &compile, err);
		} else if (!strcmp(key, "benchmark_time")) {
			status = json_read_number(self, &benchmark, err);
		} else if (!strcmp(key, "verification_time")) {
			status = json_read_number(self, &verification, err);
		} else if (objective && !strcmp(key, objective)) {
			status = read_score(self, false, err);
		} else {
			status = json_read_other(self, key, err);
		}
	}
	if (status || err->status)
		return status ? status : err->status;
	result = self->builder.result;
	result->compile_seconds = compile * self->unit_seconds;
	result->measure_seconds =
		json_add_known(benchmark, verification) * self->unit_seconds;
	return json_end_row(self, err);
}

/*
 * Kernel Tuner adds row after row, and the end of the file when tuning is complete. So
 * a file without an end holds what was measured until then; an incomplete last row is
 * dropped.
 */
enum at_status json_read_cache(struct json_reading *self, struct at_error *err)
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
