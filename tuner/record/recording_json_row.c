/* What the rows of both JSON formats have in common: values, times, our own keys. */
#include "record/recording_json_parts.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The units of time that T4 files name. */
static const struct {
	const char *name;
	double seconds;
} units[] = {
	{ "ns", 1e-9 },
	{ "nanoseconds", 1e-9 },
	{ "us", 1e-6 },
	{ "\xc2\xb5s", 1e-6 }, /* the micro sign, and the Greek letter */
	{ "\xce\xbcs", 1e-6 },
	{ "microseconds", 1e-6 },
	{ "ms", 1e-3 },
	{ "msec", 1e-3 },
	{ "milliseconds", 1e-3 },
	{ "miliseconds", 1e-3 }, /* spelled like this by one of the tools */
	{ "s", 1 },
	{ "sec", 1 },
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
		if (strcasecmp(units[i].name, name) != 0)
			continue;
		*seconds = units[i].seconds;
		return true;
	}
	return false;
}

enum at_status json_fail(const struct json_reading *self, const char *what,
	const char *which, struct at_error *err)
{
	char text[400], shown[200];

	snprintf(shown, sizeof(shown), "%s", which);
	at_text_flatten(shown);
	snprintf(text, sizeof(text), what, shown);
	if (!self->row)
		return at_fail(
			err, AT_EINVAL, self->path, self->reader.line, "%s", text);
	return at_fail(err, AT_EINVAL, self->path, self->reader.line,
		"configuration %zu %s", self->row, text);
}

/* The value that a text stands for, in files that have texts for all values. */
static struct at_value value_of_text(const char *text)
{
	struct at_value value = { .type = AT_TYPE_WORD, .word = text };

	if (at_text_integer(text, &value.integer))
		value.type = AT_TYPE_INTEGER;
	else if (at_text_real(text, &value.real))
		value.type = AT_TYPE_REAL;
	return value;
}

static struct at_value value_of(
	const struct json_reading *self, const struct at_json_scalar *scalar)
{
	switch (scalar->kind) {
	case AT_JSON_STRING:
		if (self->has_texts_for_values)
			return value_of_text(scalar->text);
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
	const char *name = self->builder.recording->parameters[parameter].name;
	enum at_json_kind kind = at_json_reader_peek(&self->reader);
	struct at_json_scalar scalar;
	enum at_status status;

	/* which of the two was measured, nobody knows */
	if (at_recording_builder_is_set(&self->builder, parameter))
		return json_fail(self, "has the parameter \"%s\" twice", name, err);
	if (kind == AT_JSON_ARRAY || kind == AT_JSON_OBJECT)
		return json_fail(self,
			kind == AT_JSON_ARRAY
				? "has an array as value of \"%s\": a value is a number, a word, or true or false"
				: "has an object as value of \"%s\": a value is a number, a word, or true or false",
			name, err);
	status = at_json_reader_scalar(&self->reader, &scalar, err);
	if (status)
		return status;
	/* NaN does not equal itself, so such a value could never be looked up */
	if (scalar.kind == AT_JSON_NUMBER && !isfinite(scalar.real))
		return json_fail(
			self, "has a value of \"%s\" that is not finite", name, err);
	return at_recording_builder_set(
		&self->builder, parameter, value_of(self, &scalar), err);
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
		if (!status && at_recording_is_time(time))
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

enum at_status json_read_own(struct json_reading *self, const char *key, bool *is_known,
	struct at_error *err)
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

void json_set_mean(struct json_reading *self)
{
	struct at_recorded *result = self->builder.result;
	const double *samples_ns = self->builder.recording->samples_ns;
	double sum = 0;

	if (!isnan(result->time_ns) || !result->sample_count)
		return;
	for (size_t i = 0; i < result->sample_count; i++)
		sum += samples_ns[result->sample_begin + i];
	result->time_ns = sum / (double)result->sample_count;
}

enum at_status json_end_row(struct json_reading *self, struct at_error *err)
{
	struct at_recorded *result = self->builder.result;
	size_t missing = at_recording_builder_missing(&self->builder);
	enum at_status status;

	/* else the next row would be blamed for having some */
	if (!self->builder.recording->parameter_count)
		return json_fail(self, "has no %s", "parameters", err);
	if (missing != SIZE_MAX)
		return json_fail(self, "has no \"%s\"",
			self->builder.recording->parameters[missing].name, err);
	/* what some files have where it is not known, earlier exports of ours too */
	if (result->compile_seconds < 0)
		result->compile_seconds = NAN;
	if (result->measure_seconds < 0)
		result->measure_seconds = NAN;
	if (result->outcome == AT_OUTCOME_NONE && !isnan(result->time_ns)) {
		result->outcome = AT_OUTCOME_OK;
		self->ok_count++;
	} else if (result->outcome == AT_OUTCOME_NONE) {
		result->outcome = AT_OUTCOME_LAUNCH_FAILED;
		result->reason = "has no time";
		self->untimed_count++;
	}
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

enum at_status json_end_rows(const struct json_reading *self, struct at_error *err)
{
	const char *objective = self->builder.recording->objective;

	if (self->ok_count || !self->untimed_count)
		return AT_OK;
	if (objective && strcmp(objective, "time") != 0)
		return at_fail(err, AT_EINVAL, self->path, 0,
			"no configuration has a \"time\": it was tuned for \"%.200s\", and only times are read",
			objective);
	return at_fail(
		err, AT_EINVAL, self->path, 0, "no configuration has a \"time\"");
}

enum at_status json_read_text(
	struct json_reading *self, const char *key, char **out, struct at_error *err)
{
	const char *text;
	enum at_status status;

	/* a value of another kind is of no use, and is skipped */
	if (at_json_reader_peek(&self->reader) != AT_JSON_STRING)
		return at_json_reader_skip(&self->reader, err);
	status = at_json_reader_string(&self->reader, key, &text, err);
	if (status)
		return status;
	free(*out);
	*out = at_strdup(text);
	return *out ? AT_OK : at_fail_memory(err);
}

enum at_status json_read_objective(struct json_reading *self, struct at_error *err)
{
	struct at_recording *recording = self->builder.recording;
	struct at_strbuf words = { 0 };
	enum at_status status;
	const char *word;

	if (at_json_reader_peek(&self->reader) != AT_JSON_ARRAY)
		return json_read_text(self, "objective", &recording->objective, err);
	status = at_json_reader_enter(&self->reader, AT_JSON_ARRAY, err);
	while (!status && at_json_reader_item(&self->reader, err)) {
		if (at_json_reader_peek(&self->reader) != AT_JSON_STRING) {
			status = at_json_reader_skip(&self->reader, err);
			continue;
		}
		status = at_json_reader_string(&self->reader, "objective", &word, err);
		if (status)
			continue;
		at_strbuf_add(&words, words.length ? ", " : "");
		at_strbuf_add(&words, word);
	}
	if (!status)
		status = err->status;
	if (!status && words.failed)
		status = at_fail_memory(err);
	if (!status && words.length) {
		free(recording->objective);
		recording->objective = at_strbuf_detach(&words);
	}
	at_strbuf_release(&words);
	return status;
}

enum at_status json_read_rows(struct json_reading *self,
	enum at_status (*read_row)(struct json_reading *, struct at_error *),
	struct at_error *err)
{
	enum at_status status = at_json_reader_enter(&self->reader, AT_JSON_ARRAY, err);

	while (!status && at_json_reader_item(&self->reader, err)) {
		self->row++;
		status = at_recording_builder_row(&self->builder, err);
		if (!status)
			status = read_row(self, err);
	}
	return status ? status : err->status;
}
