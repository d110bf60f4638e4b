/* Rows of Kernel Tuner's cache files: {"cache": {"16,1": {...}, ...}}. */
#include "record/recording_json_parts.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* Kernel Tuner's words for failures; its files give no more details. Since version 1.1
   they stand under "__error__" and the row has no time; before, they stood in place of
   the time or of another objective. */
static const struct failure cache_failures[] = {
	{ "InvalidConfig", AT_OUTCOME_NOT_APPLICABLE,
		"does not satisfy the constraints (InvalidConfig)" },
	{ "CompilationFailedConfig", AT_OUTCOME_COMPILE_FAILED,
		"does not compile (CompilationFailedConfig)" },
	{ "RuntimeFailedConfig", AT_OUTCOME_LAUNCH_FAILED,
		"the launch failed (RuntimeFailedConfig)" },
	{ "ErrorConfig", AT_OUTCOME_LAUNCH_FAILED, "failed (ErrorConfig)" },
	{ NULL, AT_OUTCOME_NONE, NULL },
};

static bool is_failure(const char *word)
{
	for (const struct failure *at = cache_failures; at->word; at++)
		if (!strcmp(at->word, word))
			return true;
	return false;
}

/* Reads "time": a number, the word for a failure, or several times. */
static enum at_status read_time(struct json_reading *self, struct at_error *err)
{
	struct at_json_scalar scalar;
	enum at_status status;

	if (at_json_reader_peek(&self->reader) == AT_JSON_ARRAY)
		return json_read_samples(self, err);
	status = at_json_reader_scalar(&self->reader, &scalar, err);
	if (status)
		return status;
	if (scalar.kind == AT_JSON_STRING) {
		if (!at_text_real(scalar.text, &scalar.real))
			return json_set_failure(self, cache_failures, scalar.text, err);
		scalar.kind = AT_JSON_NUMBER;
	}
	/* a value that is no time does not say why the row has none */
	if (scalar.kind != AT_JSON_NUMBER || !at_recording_is_time(scalar.real))
		return json_set_failure(self, cache_failures, "failed", err);
	self->builder.result->time_ns = json_to_ns(self, scalar.real);
	return AT_OK;
}

/* Reads any other key: a metric, which may be the file's objective, or "__error__".
   Only the word for a failure matters. */
static enum at_status read_metric(
	struct json_reading *self, const char *key, struct at_error *err)
{
	const char *objective = self->builder.recording->objective;
	bool is_own =
		!strcmp(key, "__error__") || (objective && !strcmp(key, objective));
	struct at_json_scalar scalar;
	enum at_status status;

	if (at_json_reader_peek(&self->reader) != AT_JSON_STRING)
		return at_json_reader_skip(&self->reader, err);
	status = at_json_reader_scalar(&self->reader, &scalar, err);
	if (status || (!is_own && !is_failure(scalar.text)))
		return status;
	return json_set_failure(self, cache_failures, scalar.text, err);
}

static enum at_status read_cache_row(struct json_reading *self, struct at_error *err)
{
	struct at_recorded *result;
	double compile = NAN, benchmark = NAN, verification = NAN;
	const char *key;
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
			status = read_time(self, err);
		} else if (!strcmp(key, "times")) {
			status = json_read_samples(self, err);
		} else if (!strcmp(key, "compile_time")) {
			status = json_read_number(self, &compile, err);
		} else if (!strcmp(key, "benchmark_time")) {
			status = json_read_number(self, &benchmark, err);
		} else if (!strcmp(key, "verification_time")) {
			status = json_read_number(self, &verification, err);
		} else {
			bool is_known;

			status = json_read_own(self, key, &is_known, err);
			if (!status && !is_known)
				status = read_metric(self, key, err);
		}
	}
	if (status || err->status)
		return status ? status : err->status;
	result = self->builder.result;
	result->compile_seconds = compile * self->unit_seconds;
	result->measure_seconds =
		json_add_known(benchmark, verification) * self->unit_seconds;
	json_set_mean(self);
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
		self->row++;
		status = at_recording_builder_row(&self->builder, err);
		if (!status)
			status = read_cache_row(self, err);
		if (status && self->reader.is_cut)
			at_recording_builder_drop(&self->builder);
		at_strbuf_clear(&self->own.outcome);
		at_strbuf_clear(&self->own.detail);
	}
	if (!self->reader.is_cut && (status || err->status))
		return status ? status : err->status;
	self->builder.recording->is_cut = self->reader.is_cut;
	at_error_clear(err);
	return json_end_rows(self, err);
}
