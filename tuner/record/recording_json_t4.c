/*
 * Rows of T4 result files, {"results": [{"configuration", "times", ...}, ...]}, and of
 * the files that CLBlast's tuners write, {"results": [{"kernel", "time": 0.52,
 * "parameters": {...}}, ...]}: milliseconds, and only what worked.
 */
#include "record/recording_json_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Reads a configuration; the first one of the file determines the parameters. */
static enum at_status read_t4_configuration(
	struct json_reading *self, struct at_error *err)
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
			status = json_fail(self,
				"has a parameter \"%s\", which the first one has not",
				name, err);
		}
		if (!status)
			status = json_read_parameter(self, parameter, err);
		likely = parameter + 1;
	}
	return status ? status : err->status;
}

/* What is read of a row before it is known what it means. */
struct t4_row {
	double compile, benchmark, validation; /* in the file's unit */
	double unit_seconds; /* of the time among the measurements */
	bool has_time; /* "time" is among them, whatever its value */
};

static enum at_status read_t4_times(
	struct json_reading *self, struct t4_row *row, struct at_error *err)
{
	enum at_status status;
	const char *key;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		/* the schema has the longer names, and Kernel Tuner writes the shorter
		   ones */
		if (!strcmp(key, "compilation") || !strcmp(key, "compilation_time"))
			status = json_read_number(self, &row->compile, err);
		else if (!strcmp(key, "benchmark") || !strcmp(key, "benchmark_time"))
			status = json_read_number(self, &row->benchmark, err);
		else if (!strcmp(key, "validation"))
			status = json_read_number(self, &row->validation, err);
		else if (!strcmp(key, "runtimes"))
			status = json_read_samples(self, err);
		else
			status = at_json_reader_skip(&self->reader, err);
	}
	return status ? status : err->status;
}

/* Whether a measurement in a unit of time, of another name than "time", is the time
   that was tuned for. Files that were made of KTT's call it TotalDuration. */
static bool is_objective(const struct json_reading *self, const char *name)
{
	const char *objective = self->builder.recording->objective;

	return !strcmp(name, "TotalDuration") ||
	       (objective && !strcmp(objective, name));
}

/* Reads [{"name": "time", "value": 3.2, "unit": "ms"}, ...]. A "time" counts before a
   time of another name, in any order, and also where it is none: a failure. */
static enum at_status read_t4_measurements(
	struct json_reading *self, struct t4_row *row, struct at_error *err)
{
	struct at_recorded *result = self->builder.result;
	enum at_status status;

	status = at_json_reader_enter(&self->reader, AT_JSON_ARRAY, err);
	while (!status && at_json_reader_item(&self->reader, err)) {
		double value = NAN, seconds = self->unit_seconds;
		bool is_time = false, is_other = false, is_unit = true,
		     has_unit = false;
		char unit[40] = "";
		const char *key, *text;

		status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
		while (!status && at_json_reader_member(&self->reader, &key, err)) {
			if (!strcmp(key, "name")) {
				status = at_json_reader_string(
					&self->reader, key, &text, err);
				is_time = !status && !strcmp(text, "time");
				is_other =
					!status && !is_time && is_objective(self, text);
			} else if (!strcmp(key, "value")) {
				status = json_read_number(self, &value, err);
			} else if (!strcmp(key, "unit")) {
				status = at_json_reader_string(
					&self->reader, key, &text, err);
				has_unit = !status && json_find_unit(text, &seconds);
				if (!status && !has_unit) {
					/* "" means the unit of the file */
					is_unit = !*text;
					snprintf(unit, sizeof(unit), "%s", text);
				}
			} else {
				status = at_json_reader_skip(&self->reader, err);
			}
		}
		if (!status)
			status = err->status;
		if (!status && is_time && !is_unit)
			status = json_fail(self,
				"has a time in \"%s\": known are ns, us, ms and s",
				unit, err);
		is_other &= has_unit && !row->has_time;
		row->has_time |= is_time;
		if (is_time)
			result->time_ns = NAN;
		if (!status && (is_time || is_other) && at_recording_is_time(value)) {
			result->time_ns = value * (seconds * 1e9);
			self->is_time_objective |= is_other;
			row->unit_seconds = seconds;
		}
	}
	return status ? status : err->status;
}

/*
 * Some files have a unit beside the time, and "times" in the same one without saying
 * so. A row tells which it is if its samples fit the time in one of the two units and
 * not in the other; the rows of a file decide together, since those that failed have no
 * samples, and a compile time in the same unit.
 */
static void vote_for_unit(struct json_reading *self, double unit_seconds)
{
	const struct at_recorded *result = self->builder.result;
	const double *samples_ns;
	double least = INFINITY, most = 0, ratio = unit_seconds / self->unit_seconds;

	if (!result->sample_count || isnan(result->time_ns))
		return;
	samples_ns = self->builder.recording->samples_ns + result->sample_begin;
	for (size_t i = 0; i < result->sample_count; i++) {
		least = fmin(least, samples_ns[i]);
		most = fmax(most, samples_ns[i]);
	}
	if (result->time_ns >= .5 * least && result->time_ns <= 2 * most) {
		self->stated_unit_votes++;
	} else if (result->time_ns >= least * ratio * (1 - 1e-3) &&
		   result->time_ns <= most * ratio * (1 + 1e-3) &&
		   (!self->guessed_ratio || self->guessed_ratio == ratio)) {
		self->guessed_ratio = ratio;
		self->guessed_unit_votes++;
	}
}

/* Multiplies what rows have in the unit of the file by the ratio of the guessed one. */
static void apply_guess(struct json_reading *self)
{
	struct at_recording *recording = self->builder.recording;

	if (self->guessed_unit_votes <= self->stated_unit_votes)
		return;
	for (size_t i = 0; i < recording->count; i++) {
		struct at_recorded *result = &recording->results[i];

		result->compile_seconds *= self->guessed_ratio;
		result->measure_seconds *= self->guessed_ratio;
		if (self->are_means[i])
			result->time_ns *= self->guessed_ratio;
	}
	for (size_t i = 0; i < self->builder.sample_count; i++)
		recording->samples_ns[i] *= self->guessed_ratio;
}

static enum at_status read_t4_row(struct json_reading *self, struct at_error *err)
{
	struct t4_row row = { NAN, NAN, NAN, self->unit_seconds, false };
	size_t number = self->builder.recording->count - 1;
	struct at_recorded *result = self->builder.result;
	double correctness = NAN, plain_time = NAN;
	const char *key, *word;
	bool is_known, is_plain = false;
	enum at_status status;

	status = at_json_reader_enter(&self->reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&self->reader, &key, err)) {
		if (!strcmp(key, "configuration") || !strcmp(key, "parameters")) {
			is_plain = *key == 'p';
			status = read_t4_configuration(self, err);
		} else if (!strcmp(key, "time")) {
			status = json_read_number(self, &plain_time, err);
		} else if (!strcmp(key, "times")) {
			status = read_t4_times(self, &row, err);
		} else if (!strcmp(key, "measurements")) {
			status = read_t4_measurements(self, &row, err);
		} else if (!strcmp(key, "invalidity")) {
			status = at_json_reader_string(&self->reader, key, &word, err);
			if (!status && strcmp(word, "correct") != 0)
				status = json_set_failure(self, t4_failures, word, err);
		} else if (!strcmp(key, "correctness")) {
			status = json_read_number(self, &correctness, err);
		} else if (!strcmp(key, "objectives") &&
			   !self->builder.recording->objective) {
			status = json_read_objective(self, err);
		} else {
			status = json_read_own(self, key, &is_known, err);
			if (!status && !is_known)
				status = at_json_reader_skip(&self->reader, err);
		}
	}
	if (status || err->status)
		return status ? status : err->status;
	/* a result that is not correct has no time, whatever else the row says */
	if (result->outcome == AT_OUTCOME_NONE && correctness == 0) {
		status = json_set_failure(self, t4_failures, "correctness", err);
		if (status)
			return status;
	}
	/* T4 has its times elsewhere, and none of this name; a file of an unknown tool
	   with rows like CLBlast's may have them in any unit */
	if (is_plain && isnan(result->time_ns) && at_recording_is_time(plain_time)) {
		if (!self->is_clblast && !self->names_unit)
			return json_fail(self,
				"has a \"%s\" whose unit is not known: name it in the file, as in \"metadata\": {\"timeunit\": \"ms\"}",
				"time", err);
		result->time_ns = json_to_ns(self, plain_time);
	}
	vote_for_unit(self, row.unit_seconds);
	result->compile_seconds = row.compile * self->unit_seconds;
	result->measure_seconds =
		json_add_known(row.benchmark, row.validation) * self->unit_seconds;
	status = AT_RESERVE(self->are_means, self->mean_capacity, number + 1, err);
	if (status)
		return status;
	/* a "time" that is none is not replaced by the mean of samples */
	self->are_means[number] = isnan(result->time_ns) && !row.has_time;
	if (self->are_means[number])
		json_set_mean(self);
	return json_end_row(self, err);
}

enum at_status json_read_results(struct json_reading *self, struct at_error *err)
{
	enum at_status status = json_read_rows(self, read_t4_row, err);

	if (status)
		return status;
	apply_guess(self);
	if (self->is_time_objective) {
		char **objective = &self->builder.recording->objective;

		free(*objective);
		*objective = at_strdup("time");
		if (!*objective)
			return at_fail_memory(err);
	}
	return json_end_rows(self, err);
}
