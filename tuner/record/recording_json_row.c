/* What the rows of both JSON formats have in common: values, times, our own keys. */
#include "record/recording_json_parts.h"

#include <math.h>
#include <string.h>

/* The units of time that T4 files name. */
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
	{ "miliseconds", 1e-3 }, /* spelled like this by one of the tools */
	{ "s", 1 },
	{ "seconds", 1 },
};

/* Only one multiplication rounds, so that what recording_write.c wrote reads back the
   same. */
double json_to_ns(const struct json_reading *self, double value)
{
	return value * (self->unit_seconds * 1e9);
}

bool json_find_unit(const char *name, double *seconds)
{
	for (size_t i = 0; i < AT_COUNT_OF(units); i++) {
		if (strcmp(units[i].name, name) != 0)
			continue;
		*seconds = units[i].seconds;
		return true;
	}
	return false;
}

enum at_status json_fail(const struct json_reading *self, const char *what,
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
		/* Python's None, which is a value like any other */
		return (struct at_value){ .type = AT_TYPE_WORD, .word = "none" };
	case AT_JSON_END:
	case AT_JSON_OBJECT:
	case AT_JSON_ARRAY:
	case AT_JSON_ODD:
		break;
	}
	return (struct at_value){ .type = AT_TYPE_NONE };
}

enum at_status json_read_parameter(
	struct json_reading *self, size_t parameter, struct at_error *err)
{
	struct at_json_scalar scalar;
	enum at_status status = at_json_reader_scalar(&self->reader, &scalar, err);

	if (status)
		return status;
	/* NaN does not equal itself, so such a value could never be looked up */
	if (scalar.kind == AT_JSON_NUMBER && !isfinite(scalar.real))
		return json_fail(self, "\"%s\" is not finite",
			self->builder.recording->parameters[parameter].name, err);
	return at_recording_builder_set(
		&self->builder, parameter, value_of(&scalar), err);
}

enum at_status json_read_number(
	struct json_reading *self, double *out, struct at_error *err)
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

enum at_status json_read_samples(struct json_reading *self, struct at_error *err)
{
	enum at_status status;

	if (at_json_reader_peek(&self->reader) != AT_JSON_ARRAY)
		return at_json_reader_skip(&self->reader, err);
	status = at_json_reader_enter(&self->reader, AT_JSON_ARRAY, err);
	while (!status && at_json_reader_item(&self->reader, err)) {
		double time;

		status = json_read_number(self, &time, err);
		if (!status && time > 0 && time < FAILED_TIME)
			status = at_recording_builder_sample(
				&self->builder, json_to_ns(self, time), err);
	}
	return status ? status : err->status;
}

enum at_status json_set_failure(struct json_reading *self,
	const struct failure *failures, const char *word, struct at_error *err)
{
	struct at_recorded *result = self->builder.result;

	for (; failures->word; failures++) {
		if (strcmp(failures->word, word) != 0)
			continue;
		result->outcome = failures->outcome;
		result->reason = failures->reason;
		return AT_OK;
	}
	/* The word may be ours, written by at_recording_write(). Of any other word all
	   that is known is that the configuration was tried, and has no time. */
	result->outcome = at_outcome_from_name(word);
	if (result->outcome == AT_OUTCOME_NONE || result->outcome == AT_OUTCOME_OK)
		result->outcome = AT_OUTCOME_LAUNCH_FAILED;
	return at_recording_builder_keep(
		&self->builder, *word ? word : "failed", &result->reason, err);
}

double json_add_known(double a, double b)
{
	if (isnan(a))
		return b;
	return isnan(b) ? a : a + b;
}

/* Reads our key "autotune_older_source", a boolean. */
static enum at_status read_older(struct json_reading *self, struct at_error *err)
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

/* Reads "timestamp" and the keys that we add; *is_known false: the key is none of
   them. */
static enum at_status read_own(struct json_reading *self, const char *key,
	bool *is_known, struct at_error *err)
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

enum at_status json_end_row(struct json_reading *self, struct at_error *err)
{
	struct at_recorded *result = self->builder.result;
	size_t missing = at_recording_builder_missing(&self->builder);
	enum at_status status;

	if (missing != SIZE_MAX)
		return json_fail(self, "this configuration has no \"%s\"",
			self->builder.recording->parameters[missing].name, err);
	if (result->outcome == AT_OUTCOME_NONE && !isnan(result->time_ns))
		result->outcome = AT_OUTCOME_OK;
	if (result->outcome == AT_OUTCOME_NONE)
		return json_fail(self, "this configuration has no \"%s\"", "time", err);
	if (result->outcome != AT_OUTCOME_OK) {
		/* some files have a number beside the word for the failure */
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

enum at_status json_read_other(
	struct json_reading *self, const char *key, struct at_error *err)
{
	bool is_known;
	enum at_status status = read_own(self, key, &is_known, err);

	return status || is_known ? status : at_json_reader_skip(&self->reader, err);
}
