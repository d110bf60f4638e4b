/* Writes a recording as a cache file of Kernel Tuner, and as a T4 file. */
#include "record/recording.h"

#include "base/json.h"
#include "base/text.h"

#include "base/outcome.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void add_key(struct at_strbuf *out, const char *key)
{
	at_strbuf_addf(out, "\"%s\": ", key);
}

/* Appends a text, quoted and escaped. */
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

/* Appends the shortest number that reads back as the same. */
static void add_real(struct at_strbuf *out, double value)
{
	char text[32];

	at_text_shortest_real(value, text, sizeof(text));
	at_strbuf_add(out, text);
}

/* Appends milliseconds that give the same nanoseconds when they are read back: dividing
   by 1e6 rounds, so a neighbouring double may be the right one. */
static void add_time(struct at_strbuf *out, double ns)
{
	double ms = ns / 1e6;

	if (ms * 1e6 < ns && nextafter(ms, INFINITY) * 1e6 <= ns)
		ms = nextafter(ms, INFINITY);
	else if (ms * 1e6 > ns && nextafter(ms, 0) * 1e6 >= ns)
		ms = nextafter(ms, 0);
	add_real(out, ms);
}

static void add_seconds(struct at_strbuf *out, const char *key, double seconds)
{
	if (isnan(seconds))
		return;
	at_strbuf_add(out, ", ");
	add_key(out, key);
	add_real(out, seconds * 1e3);
}

static void add_times(const struct at_recording *self, const struct at_recorded *result,
	struct at_strbuf *out)
{
	at_strbuf_add_char(out, '[');
	for (size_t i = 0; i < result->sample_count; i++) {
		at_strbuf_add(out, i ? ", " : "");
		add_time(out, self->samples_ns[result->sample_begin + i]);
	}
	at_strbuf_add_char(out, ']');
}

static void add_timestamp(struct at_strbuf *out, int64_t seconds)
{
	time_t when = (time_t)seconds;
	struct tm parts;
	char text[32];

	if (seconds <= 0 || !gmtime_r(&when, &parts))
		return;
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S+00:00", &parts);
	at_strbuf_addf(out, ", \"timestamp\": \"%s\"", text);
}

/* The formats have no words for most outcomes. So the nearest word of each format is
   written, and beside it ours, which our readers use and others ignore. */
static const struct {
	enum at_outcome outcome;
	const char *cache;
	const char *t4;
} words[] = {
	{ AT_OUTCOME_NOT_APPLICABLE, "InvalidConfig", "constraints" },
	{ AT_OUTCOME_COMPILE_FAILED, "CompilationFailedConfig", "compile" },
	{ AT_OUTCOME_TOO_MANY_RESOURCES, "InvalidConfig", "constraints" },
	{ AT_OUTCOME_TIMED_OUT, "RuntimeFailedConfig", "timeout" },
	{ AT_OUTCOME_WRONG_RESULT, "RuntimeFailedConfig", "correctness" },
	{ AT_OUTCOME_OUT_OF_BOUNDS, "RuntimeFailedConfig", "correctness" },
	{ AT_OUTCOME_UNSTABLE, "RuntimeFailedConfig", "correctness" },
	{ AT_OUTCOME_TOO_FAST, "RuntimeFailedConfig", "correctness" },
};

static const char *failure_word(enum at_outcome outcome, bool is_t4)
{
	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (words[i].outcome == outcome)
			return is_t4 ? words[i].t4 : words[i].cache;
	return is_t4 ? "runtime" : "RuntimeFailedConfig";
}

/* Appends our own keys for a configuration that failed. */
static enum at_status add_failure(
	const struct at_recorded *result, struct at_strbuf *out, struct at_error *err)
{
	if (result->outcome == AT_OUTCOME_OK)
		return AT_OK;
	at_strbuf_addf(out, ", \"autotune_outcome\": \"%s\", \"autotune_detail\": ",
		at_outcome_name(result->outcome));
	return add_text(out, result->reason, err);
}

static void add_older(const struct at_recorded *result, struct at_strbuf *out)
{
	if (result->is_older)
		at_strbuf_add(out, ", \"autotune_older_source\": true");
}

/* Appends "BLOCK": 32, "CACHE": "ca". */
static enum at_status add_configuration(const struct at_recording *self, size_t row,
	struct at_strbuf *out, struct at_error *err)
{
	const uint16_t *indices = self->rows + row * self->parameter_count;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < self->parameter_count && !status; i++) {
		at_strbuf_add(out, i ? ", " : "");
		status = add_text(out, self->parameters[i].name, err);
		at_strbuf_add(out, ": ");
		if (!status)
			status = add_value(
				out, self->parameters[i].values[indices[i]], err);
	}
	return status;
}

/* Appends 100000.0 where the shortest form would be 1e+05. */
static void add_plain_real(struct at_strbuf *out, double value)
{
	char text[64];

	for (int digits = 1; digits <= 24; digits++) {
		snprintf(text, sizeof(text), "%.*f", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	at_strbuf_add(out, text);
}

/* Appends a value as Python's str() writes it: Kernel Tuner finds configurations by
   that. */
static void add_python(struct at_strbuf *out, struct at_value value)
{
	if (value.type == AT_TYPE_BOOLEAN)
		at_strbuf_add(out, value.integer ? "True" : "False");
	else if (value.type == AT_TYPE_REAL && fabs(value.real) >= 1e-4 &&
		 fabs(value.real) < 1e16)
		add_plain_real(out, value.real);
	else
		at_value_format(value, out);
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
		add_python(&key, self->parameters[i].values[indices[i]]);
	}
	status = key.failed ? at_fail_memory(err)
			    : add_text(out, at_strbuf_text(&key), err);
	at_strbuf_release(&key);
	at_strbuf_add(out, ": {");
	if (!status)
		status = add_configuration(self, row, out, err);
	at_strbuf_add(out, ", ");
	add_key(out, "time");
	if (result->outcome == AT_OUTCOME_OK)
		add_time(out, result->time_ns);
	else
		at_strbuf_addf(out, "\"%s\"", failure_word(result->outcome, false));
	if (!status)
		status = add_failure(result, out, err);
	if (result->sample_count) {
		at_strbuf_add(out, ", ");
		add_key(out, "times");
		add_times(self, result, out);
	}
	add_seconds(out, "compile_time", result->compile_seconds);
	add_seconds(out, "benchmark_time", result->measure_seconds);
	/* Verification is part of the benchmark time here; the key must exist, since
	   simulations with a time limit add it. */
	if (!isnan(result->measure_seconds))
		add_seconds(out, "verification_time", 0);
	add_older(result, out);
	add_timestamp(out, result->created_seconds);
	at_strbuf_add_char(out, '}');
	return status;
}

const char *at_recording_clash(const struct at_recording *self)
{
	static const char *const keys[] = { "time", "times", "compile_time",
		"benchmark_time", "verification_time", "timestamp", "autotune_outcome",
		"autotune_detail", "autotune_older_source", "__error__" };

	for (size_t i = 0; i < self->parameter_count; i++)
		for (size_t k = 0; k < AT_COUNT_OF(keys); k++)
			if (!strcmp(self->parameters[i].name, keys[k]))
				return keys[k];
	return NULL;
}

enum at_status at_recording_write(
	const struct at_recording *self, struct at_strbuf *out, struct at_error *err)
{
	const char *const heads[][2] = {
		{ "device_name", self->device },
		{ "kernel_name", self->kernel },
		/* a key of our own, which Kernel Tuner ignores */
		{ "problem_name", self->problem },
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

/* ---- T4 ---------------------------------------------------------------------- */

/* Appends what is known of a row besides the time: {"name", "value", "unit"}. */
#define ADD_KNOWN(name) \
	if (facts->name >= 0) \
		at_strbuf_addf(out, \
			", {\"name\": \"" #name "\", \"value\": %" PRId64 \
			", \"unit\": \"\"}", \
			facts->name);
#define ADD(name, kind) ADD_##kind(name)

static void add_measurements(
	const struct at_recording *self, size_t row, struct at_strbuf *out)
{
	const struct at_recorded *result = &self->results[row];

	at_strbuf_add(out, ", \"measurements\": [");
	if (result->outcome == AT_OUTCOME_OK) {
		at_strbuf_add(out, "{\"name\": \"time\", \"value\": ");
		add_time(out, result->time_ns);
		at_strbuf_add(out, ", \"unit\": \"ms\"}");
		if (self->facts) {
			const struct at_facts *facts = &self->facts[row];

			AT_RESOURCE_FACTS(ADD)
		}
	}
	at_strbuf_add_char(out, ']');
}

static enum at_status add_t4_row(const struct at_recording *self, size_t row,
	struct at_strbuf *out, struct at_error *err)
{
	const struct at_recorded *result = &self->results[row];
	bool is_ok = result->outcome == AT_OUTCOME_OK;
	enum at_status status;

	at_strbuf_add(out, "{\"configuration\": {");
	status = add_configuration(self, row, out, err);
	at_strbuf_add(out, "}, \"times\": {\"runtimes\": ");
	add_times(self, result, out);
	add_seconds(out, "compilation_time", result->compile_seconds);
	add_seconds(out, "benchmark_time", result->measure_seconds);
	at_strbuf_addf(out, "}, \"invalidity\": \"%s\", \"correctness\": %d",
		is_ok ? "correct" : failure_word(result->outcome, true), is_ok);
	add_measurements(self, row, out);
	at_strbuf_add(out, ", \"objectives\": [\"time\"]");
	if (!status)
		status = add_failure(result, out, err);
	add_older(result, out);
	add_timestamp(out, result->created_seconds);
	at_strbuf_add_char(out, '}');
	return status;
}

enum at_status at_recording_write_t4(
	const struct at_recording *self, struct at_strbuf *out, struct at_error *err)
{
	enum at_status status;

	at_strbuf_add(out,
		"{\"schema_version\": \"1.0.0\",\n\"metadata\": {\"timeunit\": \"milliseconds\", \"kernel\": ");
	status = add_text(out, self->kernel, err);
	at_strbuf_add(out, ", \"device\": ");
	if (!status)
		status = add_text(out, self->device, err);
	at_strbuf_add(out, ", \"problem\": ");
	if (!status)
		status = add_text(out, self->problem, err);
	at_strbuf_add(out, "},\n\"results\": [\n");
	for (size_t i = 0; i < self->count && !status; i++) {
		at_strbuf_add(out, i ? ",\n" : "");
		status = add_t4_row(self, i, out, err);
	}
	at_strbuf_add(out, "]}\n");
	if (!status && out->failed)
		status = at_fail_memory(err);
	return status;
}
