/* A recording as a cache file of Kernel Tuner. */
#include "record/recording.h"

#include "base/json.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_key(struct at_strbuf *out, const char *key)
{
	at_strbuf_addf(out, "\"%s\": ", key);
}

/* Quoted and escaped. */
static enum at_status add_text(
	struct at_strbuf *out, const char *text, struct at_error *err)
{
	struct at_json *json = at_json_string(text);
	enum at_status status = at_json_write(json, 0, out, err);

	at_json_free(json);
	return status;
}

static enum at_status add_value(
	struct at_strbuf *out, struct at_value value, struct at_error *err)
{
	if (value.type == AT_TYPE_WORD)
		return add_text(out, value.word, err);
	at_value_format(value, out);
	return AT_OK;
}

/* The shortest that reads back as the same; the file is in milliseconds. */
static void add_real(struct at_strbuf *out, double value)
{
	char text[32];

	at_text_shortest_real(value, text, sizeof(text));
	at_strbuf_add(out, text);
}

static void add_seconds(struct at_strbuf *out, const char *key, double seconds)
{
	if (isnan(seconds))
		return;
	at_strbuf_add(out, ", ");
	add_key(out, key);
	add_real(out, seconds * 1e3);
}

/* What Kernel Tuner has no word for gets ours, which the reader knows. */
static const char *failure_word(enum at_outcome outcome)
{
	if (outcome == AT_OUTCOME_NOT_APPLICABLE)
		return "InvalidConfig";
	if (outcome == AT_OUTCOME_COMPILE_FAILED)
		return "CompilationFailedConfig";
	if (outcome == AT_OUTCOME_LAUNCH_FAILED)
		return "RuntimeFailedConfig";
	return at_outcome_name(outcome);
}

static enum at_status add_row(const struct at_recording *self, size_t row,
	struct at_strbuf *out, struct at_error *err)
{
	const struct at_recorded *result = &self->results[row];
	const uint16_t *indices = self->rows + row * self->parameter_count;
	struct at_strbuf key = { 0 };
	enum at_status status;

	for (size_t i = 0; i < self->parameter_count; i++) {
		at_strbuf_add(&key, i ? "," : "");
		at_value_format(self->parameters[i].values[indices[i]], &key);
	}
	status = key.failed ? at_fail_memory(err)
			    : add_text(out, at_strbuf_text(&key), err);
	at_strbuf_release(&key);
	at_strbuf_add(out, ": {");
	for (size_t i = 0; i < self->parameter_count && !status; i++) {
		status = add_text(out, self->parameters[i].name, err);
		at_strbuf_add(out, ": ");
		if (!status)
			status = add_value(
				out, self->parameters[i].values[indices[i]], err);
		at_strbuf_add(out, ", ");
	}
	add_key(out, "time");
	if (result->outcome == AT_OUTCOME_OK)
		add_real(out, result->time_ns * 1e-6);
	else
		at_strbuf_addf(out, "\"%s\"", failure_word(result->outcome));
	if (result->sample_count) {
		at_strbuf_add(out, ", ");
		add_key(out, "times");
		for (size_t i = 0; i < result->sample_count; i++) {
			at_strbuf_add(out, i ? ", " : "[");
			add_real(
				out, self->samples_ns[result->sample_begin + i] * 1e-6);
		}
		at_strbuf_add_char(out, ']');
	}
	add_seconds(out, "compile_time", result->compile_seconds);
	add_seconds(out, "benchmark_time", result->measure_seconds);
	at_strbuf_add_char(out, '}');
	return status;
}

enum at_status at_recording_write(
	const struct at_recording *self, struct at_strbuf *out, struct at_error *err)
{
	const char *const heads[][2] = {
		{ "device_name", self->device },
		{ "kernel_name", self->kernel },
		{ "objective", self->objective },
	};
	enum at_status status = AT_OK;

	at_strbuf_add(out, "{\n");
	for (size_t i = 0; i < AT_COUNT_OF(heads) && !status; i++) {
		add_key(out, heads[i][0]);
		status = add_text(out, heads[i][1], err);
		at_strbuf_add(out, ",\n");
	}
	add_key(out, "tune_params_keys");
	for (size_t i = 0; i < self->parameter_count && !status; i++) {
		at_strbuf_add(out, i ? ", " : "[");
		status = add_text(out, self->parameters[i].name, err);
	}
	at_strbuf_add(out, "],\n");
	add_key(out, "tune_params");
	for (size_t i = 0; i < self->parameter_count && !status; i++) {
		const struct at_search_parameter *parameter = &self->parameters[i];

		at_strbuf_add(out, i ? ", " : "{");
		status = add_text(out, parameter->name, err);
		at_strbuf_add(out, ": [");
		for (size_t k = 0; k < parameter->value_count && !status; k++) {
			at_strbuf_add(out, k ? ", " : "");
			status = add_value(out, parameter->values[k], err);
		}
		at_strbuf_add_char(out, ']');
	}
	at_strbuf_add(out, "},\n");
	add_key(out, "cache");
	for (size_t i = 0; i < self->count && !status; i++) {
		at_strbuf_add(out, i ? ",\n" : "{\n");
		status = add_row(self, i, out, err);
	}
	at_strbuf_add(out, "}\n}\n");
	if (!status && out->failed)
		status = at_fail_memory(err);
	return status;
}
