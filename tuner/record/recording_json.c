/*
 * Recordings as JSON, read and written: T4 files, {"results": [{"configuration",
 * "times", "invalidity", "measurements", ...}, ...]}, and cache files of Kernel Tuner,
 * {"tune_params_keys", "cache": {"16,1": {...}, ...}}. Times are milliseconds unless
 * the file names another unit.
 */
#include "record/recording_build.h"

#include "base/json.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

struct reading {
	struct at_recording_builder builder;
	const char *path;
	double unit_ns; /* time unit of the file, in nanoseconds */
	size_t row; /* number of the current row, from 1; 0: before the rows */
	bool is_time_objective; /* the objective is a time with another name */
	size_t ok_count;
	size_t untimed_count; /* rows with neither a time nor a reason */
};

/* The words for a configuration without a time. The formats lack words for most
   outcomes, so the nearest one is written, and ours in addition, which others ignore.
   The reader takes the first of equal words. */
static const struct {
	enum at_outcome outcome;
	const char *cache;
	const char *t4;
} words[] = {
	{ AT_OUTCOME_LAUNCH_FAILED, "RuntimeFailedConfig", "runtime" },
	{ AT_OUTCOME_NOT_APPLICABLE, "InvalidConfig", "constraints" },
	{ AT_OUTCOME_COMPILE_FAILED, "CompilationFailedConfig", "compile" },
	{ AT_OUTCOME_TIMED_OUT, "RuntimeFailedConfig", "timeout" },
	{ AT_OUTCOME_WRONG_RESULT, "RuntimeFailedConfig", "correctness" },
	{ AT_OUTCOME_TOO_MANY_RESOURCES, "InvalidConfig", "constraints" },
	{ AT_OUTCOME_OUT_OF_BOUNDS, "RuntimeFailedConfig", "correctness" },
	{ AT_OUTCOME_UNSTABLE, "RuntimeFailedConfig", "correctness" },
	{ AT_OUTCOME_TOO_FAST, "RuntimeFailedConfig", "correctness" },
};

/* Names of parameters that at_recording_clash() rejects. */
static const char *const cache_keys[] = { "time", "times", "compile_time",
	"benchmark_time", "verification_time", "timestamp", "autotune_outcome",
	"autotune_detail", "autotune_older_source", "__error__" };

/* Files that a script converts to T4, by a key of their outermost object. */
static const struct {
	const char *key;
	const char *text;
} convertible[] = {
	{ "Results", "is JSON of KTT" AT_RECORDING_CONVERT("ktt") },
	{ "kernel_family",
		"is JSON of a tuner of CLBlast" AT_RECORDING_CONVERT("clblast") },
};

/* ---- reading: values ---------------------------------------------------------- */

static enum at_status fail(const struct reading *self, const char *format,
	const char *what, struct at_error *err)
{
	char shown[200], text[400];

	snprintf(shown, sizeof(shown), "%s", what);
	at_text_flatten(shown);
	snprintf(text, sizeof(text), format, shown);
	return self->row ? at_fail(err, AT_EINVAL, self->path, 0,
				   "configuration %zu %s", self->row, text)
			 : at_fail(err, AT_EINVAL, self->path, 0, "%s", text);
}

/* The nanoseconds in a unit of time; 0: not a unit of time. */
static double unit_ns_of(const char *name)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ns", 1 }, { "nanoseconds", 1 }, { "us", 1e3 },
		{ "\xc2\xb5s", 1e3 }, { "microseconds", 1e3 }, { "ms", 1e6 },
		{ "milliseconds", 1e6 },
		/* spelling of T4's schema */
		{ "miliseconds", 1e6 }, { "s", 1e9 }, { "seconds", 1e9 } };

	for (size_t i = 0; i < AT_COUNT_OF(units); i++)
		if (!strcasecmp(units[i].name, name))
			return units[i].ns;
	return 0;
}

static const char *text_of(const struct at_json *value)
{
	const char *text = at_json_text(value);

	return text ? text : "";
}

/* Replaces *out if the value is a text. */
static void keep_text(const struct at_json *value, char **out)
{
	const char *text = at_json_text(value);

	if (!text)
		return;
	free(*out);
	*out = at_strdup(text);
}

/* The objective: a word, or the first of a list. */
static const struct at_json *objective_of(const struct at_json *value)
{
	return at_json_count(value) ? at_json_at(value, 0) : value;
}

/* The sum of two durations in seconds, or the only one present; NAN: neither. Earlier
   exports have -1 for an unknown duration. */
static double seconds_of(
	const struct reading *self, const struct at_json *a, const struct at_json *b)
{
	double first = at_json_number(a, NAN), second = at_json_number(b, NAN);
	double sum =
		isnan(first) || isnan(second) ? fmax(first, second) : first + second;

	return sum >= 0 ? sum * (self->unit_ns / 1e9) : (double)NAN;
}

static enum at_status set_parameter(struct reading *self, size_t parameter,
	const struct at_json *json, struct at_error *err)
{
	struct at_value value = at_value_from_json(json);

	/* Python's None is a normal value */
	if (at_json_kind_of(json) == AT_JSON_NULL)
		value = (struct at_value){ .type = AT_TYPE_WORD, .word = "none" };
	if (value.type == AT_TYPE_NONE)
		return fail(self,
			"has no number, word, true or false as value of \"%s\"",
			self->builder.recording->parameters[parameter].name, err);
	return at_recording_builder_set(&self->builder, parameter, value, err);
}

/* Skips invalid times, and anything that is not an array. */
static void add_samples(struct reading *self, const struct at_json *times)
{
	for (size_t i = 0; i < at_json_count(times); i++) {
		double time = at_json_number(at_json_at(times, i), NAN);

		if (at_recording_is_time(time))
			at_recording_builder_sample(
				&self->builder, time * self->unit_ns);
	}
}

/* AT_OUTCOME_NONE: in neither format. */
static enum at_outcome outcome_of(const char *word)
{
	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (!strcmp(words[i].cache, word) || !strcmp(words[i].t4, word))
			return words[i].outcome;
	return AT_OUTCOME_NONE;
}

/* An unknown word means that the configuration was tried and has no time. */
static void set_failure(struct reading *self, const char *word)
{
	enum at_outcome outcome = outcome_of(word);

	self->builder.result->outcome = outcome ? outcome : AT_OUTCOME_LAUNCH_FAILED;
	self->builder.result->reason =
		at_recording_builder_keep(&self->builder, *word ? word : "failed");
}

/* ---- reading: rows ------------------------------------------------------------ */

/* Ends a row; without a time it is a failure. row: may have the additional keys of our
   exports. */
static enum at_status end_row(
	struct reading *self, const struct at_json *row, struct at_error *err)
{
	struct at_recorded *result = self->builder.result;
	size_t missing = at_recording_builder_missing(&self->builder);
	const char *detail = text_of(at_json_get(row, "autotune_detail"));
	enum at_outcome own =
		at_outcome_from_name(text_of(at_json_get(row, "autotune_outcome")));

	if (!self->builder.recording->parameter_count)
		return fail(self, "has no %s", "parameters", err);
	if (missing != SIZE_MAX)
		return fail(self, "has no \"%s\"",
			self->builder.recording->parameters[missing].name, err);
	if (result->outcome == AT_OUTCOME_NONE && !isnan(result->time_ns)) {
		result->outcome = AT_OUTCOME_OK;
		self->ok_count++;
	} else if (result->outcome == AT_OUTCOME_NONE) {
		result->outcome = AT_OUTCOME_LAUNCH_FAILED;
		result->reason = "has no time";
		self->untimed_count++;
	}
	if (result->outcome != AT_OUTCOME_OK) {
		/* some files have a number and the word for a failure */
		result->time_ns = NAN;
		result->measure_seconds = 0;
		result->sample_count = 0;
	}
	result->is_older = at_json_is_true(at_json_get(row, "autotune_older_source"));
	result->created_seconds =
		at_recording_seconds(text_of(at_json_get(row, "timestamp")));
	if (result->outcome == AT_OUTCOME_OK)
		return AT_OK;
	if (own && own != AT_OUTCOME_OK)
		result->outcome = own;
	if (*detail)
		result->reason = at_recording_builder_keep(&self->builder, detail);
	return AT_OK;
}

/* A row without a time gets the mean of its samples. */
static void set_mean(struct reading *self)
{
	struct at_recorded *result = self->builder.result;
	double sum = 0;

	for (size_t i = 0; i < result->sample_count; i++)
		sum += self->builder.recording->samples_ns[result->sample_begin + i];
	if (isnan(result->time_ns) && result->sample_count)
		result->time_ns = sum / (double)result->sample_count;
}

/* Sets the parameter values among an object's members. In a T4 file these are all
   members, and the first configuration determines the parameters. */
static enum at_status read_values(struct reading *self, const struct at_json *object,
	bool is_t4, struct at_error *err)
{
	const struct at_json *value;
	size_t likely = 0;
	enum at_status status = AT_OK;
	const char *name;

	for (void *place = NULL;
		!status && (value = at_json_next(object, &place, &name));) {
		size_t parameter =
			at_recording_builder_find(&self->builder, name, likely);

		if (parameter == SIZE_MAX && !is_t4)
			continue;
		if (parameter == SIZE_MAX && self->row > 1)
			return fail(self,
				"has a parameter \"%s\", which the first one has not",
				name, err);
		if (parameter == SIZE_MAX) {
			parameter = self->builder.recording->parameter_count;
			status = at_recording_builder_parameter(
				&self->builder, name, err);
		}
		if (!status)
			status = set_parameter(self, parameter, value, err);
		likely = parameter + 1;
	}
	return status;
}

/* "time" in a cache: a number, several, or the word for a failure. */
static void read_cache_time(struct reading *self, const struct at_json *value)
{
	double time = at_json_number(value, NAN);
	const char *text = at_json_text(value);

	if (at_json_kind_of(value) == AT_JSON_ARRAY)
		add_samples(self, value);
	else if (text && !at_text_real(text, &time))
		set_failure(self, text);
	else if (at_recording_is_time(time))
		self->builder.result->time_ns = time * self->unit_ns;
	else
		set_failure(self, "failed");
}

static enum at_status read_cache_row(
	struct reading *self, const struct at_json *row, struct at_error *err)
{
	const char *objective = self->builder.recording->objective, *key;
	struct at_recorded *result = self->builder.result;
	const struct at_json *value;
	enum at_status status = read_values(self, row, false, err);

	if (status)
		return status;
	if (at_json_get(row, "time"))
		read_cache_time(self, at_json_get(row, "time"));
	add_samples(self, at_json_get(row, "times"));
	/* the word for a failure may be at "__error__", at the objective, or at any
	   key */
	for (void *place = NULL; (value = at_json_next(row, &place, &key));) {
		const char *word = at_json_text(value);

		if (word &&
			at_recording_builder_find(&self->builder, key, 0) == SIZE_MAX &&
			(!strcmp(key, "__error__") || outcome_of(word) ||
				(strcmp(key, "time") != 0 && objective &&
					!strcmp(key, objective))))
			set_failure(self, word);
	}
	result->compile_seconds =
		seconds_of(self, at_json_get(row, "compile_time"), NULL);
	result->measure_seconds = seconds_of(self, at_json_get(row, "benchmark_time"),
		at_json_get(row, "verification_time"));
	set_mean(self);
	return end_row(self, row, err);
}

/* Reads [{"name": "time", "value": 3.2, "unit": "ms"}, ...]. "time" takes precedence
   over the objective's name; if it is not a number, the row failed. */
static enum at_status read_t4_measurements(struct reading *self,
	const struct at_json *measurements, const char *objective, bool *has_time,
	struct at_error *err)
{
	*has_time = false;
	for (size_t i = 0; i < at_json_count(measurements); i++) {
		const struct at_json *one = at_json_at(measurements, i);
		const char *name = text_of(at_json_get(one, "name"));
		const char *unit = text_of(at_json_get(one, "unit"));
		double value = at_json_number(at_json_get(one, "value"), NAN);
		double unit_ns = *unit ? unit_ns_of(unit) : self->unit_ns;
		bool is_time = !strcmp(name, "time");

		if (is_time && !unit_ns)
			return fail(self,
				"has a time in \"%s\": known are ns, us, ms and s",
				unit, err);
		if (!is_time && (*has_time || !*unit || !unit_ns ||
					strcmp(name, objective) != 0))
			continue;
		*has_time |= is_time;
		self->is_time_objective |= !is_time;
		self->builder.result->time_ns =
			at_recording_is_time(value) ? value * unit_ns : (double)NAN;
	}
	return AT_OK;
}

static enum at_status read_t4_row(
	struct reading *self, const struct at_json *row, struct at_error *err)
{
	const struct at_json *times = at_json_get(row, "times");
	const struct at_json *objective = objective_of(at_json_get(row, "objectives"));
	const char *invalidity = text_of(at_json_get(row, "invalidity"));
	struct at_recorded *result = self->builder.result;
	/* the schema has the longer names, Kernel Tuner writes the shorter */
	const struct at_json *compile = at_json_get(times, "compilation_time");
	const struct at_json *benchmark = at_json_get(times, "benchmark_time");
	bool has_time = false;
	enum at_status status =
		read_values(self, at_json_get(row, "configuration"), true, err);

	if (status)
		return status;
	if (!self->builder.recording->objective)
		keep_text(objective, &self->builder.recording->objective);
	add_samples(self, at_json_get(times, "runtimes"));
	status = read_t4_measurements(self, at_json_get(row, "measurements"),
		text_of(objective), &has_time, err);
	if (status)
		return status;
	if (*invalidity && strcmp(invalidity, "correct") != 0)
		set_failure(self, invalidity);
	else if (at_json_number(at_json_get(row, "correctness"), 1) == 0)
		set_failure(self, "correctness");
	result->compile_seconds = seconds_of(
		self, compile ? compile : at_json_get(times, "compilation"), NULL);
	result->measure_seconds = seconds_of(self,
		benchmark ? benchmark : at_json_get(times, "benchmark"),
		at_json_get(times, "validation"));
	if (!has_time)
		set_mean(self);
	return end_row(self, row, err);
}

static enum at_status read_row(struct reading *self, const struct at_json *row,
	bool is_t4, struct at_error *err)
{
	self->row++;
	if (at_json_kind_of(row) != AT_JSON_OBJECT)
		return fail(self, "is %s, and should be an object",
			at_json_kind_name(at_json_kind_of(row)), err);
	at_recording_builder_row(&self->builder);
	return is_t4 ? read_t4_row(self, row, err) : read_cache_row(self, row, err);
}

/* ---- reading: the file -------------------------------------------------------- */

/* The names of a cache's parameters; the rows have the values. */
static enum at_status read_parameters(
	struct reading *self, const struct at_json *root, struct at_error *err)
{
	const struct at_json *names = at_json_get(root, "tune_params_keys");
	const struct at_json *values = at_json_get(root, "tune_params");
	enum at_status status = AT_OK;
	const char *name;

	if (!names && !values)
		return fail(self,
			"has neither \"tune_params_keys\" nor \"%s\": the parameters are not known",
			"tune_params", err);
	for (size_t i = 0; i < at_json_count(names) && !status; i++)
		status = at_recording_builder_parameter(
			&self->builder, text_of(at_json_at(names, i)), err);
	for (void *place = NULL;
		!names && !status && at_json_next(values, &place, &name);)
		status = at_recording_builder_parameter(&self->builder, name, err);
	return status;
}

/* Texts outside of the rows: of a cache, and in the metadata of our T4 files. */
static enum at_status read_texts(
	struct reading *self, const struct at_json *root, struct at_error *err)
{
	struct at_recording *recording = self->builder.recording;
	const struct at_json *metadata = at_json_get(root, "metadata");
	const char *unit = at_json_text(at_json_get(metadata, "timeunit"));
	const struct {
		const struct at_json *value;
		char **out;
	} texts[] = {
		{ at_json_get(root, "device_name"), &recording->device },
		{ at_json_get(root, "kernel_name"), &recording->kernel },
		{ at_json_get(root, "problem_name"), &recording->problem },
		{ at_json_get(metadata, "device"), &recording->device },
		{ at_json_get(metadata, "kernel"), &recording->kernel },
		{ at_json_get(metadata, "problem"), &recording->problem },
		{ objective_of(at_json_get(root, "objective")), &recording->objective },
	};

	for (size_t i = 0; i < AT_COUNT_OF(texts); i++)
		keep_text(texts[i].value, texts[i].out);
	if (!unit)
		return AT_OK;
	self->unit_ns = unit_ns_of(unit);
	return self->unit_ns ? AT_OK
			     : fail(self, "unknown unit of time \"%s\"", unit, err);
}

static enum at_status read_root(
	struct reading *self, const struct at_json *root, struct at_error *err)
{
	const struct at_json *cache = at_json_get(root, "cache");
	const struct at_json *results = at_json_get(root, "results"), *row;
	const char *tuner =
		text_of(at_json_get(at_json_get(root, "metadata"), "autotuner"));
	char **objective = &self->builder.recording->objective;
	enum at_status status;
	const char *key;

	for (size_t i = 0; i < AT_COUNT_OF(convertible); i++)
		if (at_json_get(root, convertible[i].key))
			return at_fail(err, AT_EINVAL, self->path, 0, "%s",
				convertible[i].text);
	/* its values are all texts */
	if (!strcmp(tuner, "KTT"))
		return at_fail(err, AT_EINVAL, self->path, 0,
			"is a T4 file of KTT" AT_RECORDING_CONVERT("ktt"));
	if (!cache && !results)
		return at_fail(err, AT_EINVAL, self->path, 0,
			"has neither \"results\", as T4 files, nor \"cache\", as files of Kernel Tuner: convert it to one of these, or to CSV with a column time_ns");
	status = read_texts(self, root, err);
	if (!status && cache)
		status = read_parameters(self, root, err);
	for (void *place = NULL; !status && (row = at_json_next(cache, &place, &key));)
		status = read_row(self, row, false, err);
	for (size_t i = 0; !cache && !status && i < at_json_count(results); i++)
		status = read_row(self, at_json_at(results, i), true, err);
	if (status)
		return status;
	self->row = 0;
	/* otherwise the recording has no times */
	if (!self->ok_count && self->untimed_count)
		return fail(self,
			*objective && strcmp(*objective, "time") != 0
				? "no configuration has a \"time\": the objective is \"%s\", and only times are read"
				: "no configuration has a \"time\"",
			*objective ? *objective : "", err);
	if (!self->is_time_objective)
		return AT_OK;
	free(*objective);
	*objective = at_strdup("time");
	return AT_OK;
}

/* Python writes NaN and Infinity, which JSON lacks. They are neither times nor
   parameter values, nor is {}, which replaces them. */
static void replace_odd_numbers(char *text)
{
	static const char *const names[] = { "NaN", "-Infinity", "Infinity" };
	bool is_quoted = false;

	for (; *text; text++) {
		if (*text == '"')
			is_quoted = !is_quoted;
		else if (is_quoted && *text == '\\' && text[1])
			text++;
		if (is_quoted || !strchr("NI-", *text))
			continue;
		for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
			size_t length = strlen(names[i]);

			if (strncmp(text, names[i], length) != 0)
				continue;
			memset(text, ' ', length);
			memcpy(text, "{}", 2);
		}
	}
}

/* Kernel Tuner appends row after row, and the end of the file when tuning is complete.
   So the end is put after the last row that another follows. *size: of the resulting
   text; 0: there is no such row. */
static void end_cache(char *text, size_t *size)
{
	char *at = strstr(text, "\"cache\""), *last = NULL;

	while (at && (at = strstr(at, "},")))
		last = at++;
	if (last)
		last[1] = last[2] = '}';
	*size = last ? (size_t)(last - text) + 3 : 0;
}

enum at_status at_recording_read_json(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err)
{
	struct reading self = { .path = path, .unit_ns = 1e6 };
	struct at_json *root = NULL;
	bool is_cut = false;
	enum at_status status;

	replace_odd_numbers(text);
	status = at_json_parse(text, size, path, &root, err);
	if (status == AT_ESYNTAX) {
		end_cache(text, &size);
		is_cut = size && !at_json_parse(text, size, path, &root, NULL);
		if (!is_cut)
			return status;
		at_error_clear(err);
		status = AT_OK;
	}
	at_recording_builder_init(&self.builder, path, NULL);
	self.builder.recording->is_cut = is_cut;
	if (!status)
		status = read_root(&self, root, err);
	if (!status)
		status = at_recording_builder_finish(&self.builder, out, err);
	at_recording_builder_release(&self.builder);
	at_json_free(root);
	return status;
}

/* ---- writing --------------------------------------------------------------------- */

/* Appends a text, quoted and escaped. */
static void add_text(struct at_strbuf *out, const char *text)
{
	struct at_json *json = at_json_string(text);

	at_json_write(json, 0, out);
	at_json_free(json);
}

static void add_value(struct at_strbuf *out, struct at_value value)
{
	if (value.type == AT_TYPE_WORD)
		add_text(out, value.word);
	else
		at_value_format(value, out);
}

/* Appends the shortest number that reads back equal. */
static void add_real(struct at_strbuf *out, double value)
{
	char text[32];

	at_text_shortest_real(value, text, sizeof(text));
	at_strbuf_add(out, text);
}

/* Appends milliseconds that read back as the same nanoseconds: dividing by 1e6 rounds,
   so a neighbouring double may be the right one. */
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
	at_strbuf_addf(out, ", \"%s\": ", key);
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

static const char *word_of(enum at_outcome outcome, bool is_t4)
{
	size_t i = 0;

	while (i < AT_COUNT_OF(words) && words[i].outcome != outcome)
		i++;
	i = i < AT_COUNT_OF(words) ? i : 0;
	return is_t4 ? words[i].t4 : words[i].cache;
}

/* Appends our own keys for a failure. */
static void add_failure(struct at_strbuf *out, const struct at_recorded *result)
{
	if (result->outcome == AT_OUTCOME_OK)
		return;
	at_strbuf_addf(out, ", \"autotune_outcome\": \"%s\", \"autotune_detail\": ",
		at_outcome_name(result->outcome));
	add_text(out, result->reason);
}

static void add_origin(struct at_strbuf *out, const struct at_recorded *result)
{
	time_t when = (time_t)result->created_seconds;
	struct tm parts;
	char text[32];

	if (result->is_older)
		at_strbuf_add(out, ", \"autotune_older_source\": true");
	if (when <= 0 || !gmtime_r(&when, &parts))
		return;
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S+00:00", &parts);
	at_strbuf_addf(out, ", \"timestamp\": \"%s\"", text);
}

/* Appends "BLOCK": 32, "CACHE": "ca". */
static void add_configuration(
	const struct at_recording *self, size_t row, struct at_strbuf *out)
{
	const uint16_t *indices = self->rows + row * self->parameter_count;

	for (size_t i = 0; i < self->parameter_count; i++) {
		at_strbuf_add(out, i ? ", " : "");
		add_text(out, self->parameters[i].name);
		at_strbuf_add(out, ": ");
		add_value(out, self->parameters[i].values[indices[i]]);
	}
}

/* Appends 100000.0 instead of the shorter 1e+05. */
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

static void add_cache_row(
	const struct at_recording *self, size_t row, struct at_strbuf *out)
{
	const struct at_recorded *result = &self->results[row];
	const uint16_t *indices = self->rows + row * self->parameter_count;
	struct at_strbuf key = { 0 };

	/* values like Python's str(), by which Kernel Tuner finds configurations */
	for (size_t i = 0; i < self->parameter_count; i++) {
		const struct at_value value = self->parameters[i].values[indices[i]];

		at_strbuf_add(&key, i ? "," : "");
		if (value.type == AT_TYPE_BOOLEAN)
			at_strbuf_add(&key, value.integer ? "True" : "False");
		else if (value.type == AT_TYPE_REAL && fabs(value.real) >= 1e-4 &&
			 fabs(value.real) < 1e16)
			add_plain_real(&key, value.real);
		else
			at_value_format(value, &key);
	}
	add_text(out, at_strbuf_text(&key));
	at_strbuf_release(&key);
	at_strbuf_add(out, ": {");
	add_configuration(self, row, out);
	at_strbuf_add(out, ", \"time\": ");
	if (result->outcome == AT_OUTCOME_OK)
		add_time(out, result->time_ns);
	else
		add_text(out, word_of(result->outcome, false));
	add_failure(out, result);
	if (result->sample_count) {
		at_strbuf_add(out, ", \"times\": ");
		add_times(self, result, out);
	}
	add_seconds(out, "compile_time", result->compile_seconds);
	add_seconds(out, "benchmark_time", result->measure_seconds);
	/* The benchmark time includes verification; the key must exist, since
	   simulations with a time limit add it. */
	if (!isnan(result->measure_seconds))
		add_seconds(out, "verification_time", 0);
	add_origin(out, result);
	at_strbuf_add_char(out, '}');
}

const char *at_recording_clash(const struct at_recording *self)
{
	for (size_t i = 0; i < self->parameter_count; i++)
		for (size_t k = 0; k < AT_COUNT_OF(cache_keys); k++)
			if (!strcmp(self->parameters[i].name, cache_keys[k]))
				return cache_keys[k];
	return NULL;
}

void at_recording_write(const struct at_recording *self, struct at_strbuf *out)
{
	const char *const heads[][2] = {
		{ "device_name", self->device },
		{ "kernel_name", self->kernel },
		/* our own key, ignored by Kernel Tuner */
		{ "problem_name", self->problem },
		{ "objective", self->objective },
	};

	at_strbuf_add(out, "{\n");
	for (size_t i = 0; i < AT_COUNT_OF(heads); i++) {
		at_strbuf_addf(out, "\"%s\": ", heads[i][0]);
		add_text(out, heads[i][1]);
		at_strbuf_add(out, ",\n");
	}
	at_strbuf_add(out, "\"tune_params_keys\": [");
	for (size_t i = 0; i < self->parameter_count; i++) {
		at_strbuf_add(out, i ? ", " : "");
		add_text(out, self->parameters[i].name);
	}
	at_strbuf_add(out, "],\n\"tune_params\": ");
	for (size_t i = 0; i < self->parameter_count; i++) {
		const struct at_search_parameter *parameter = &self->parameters[i];

		at_strbuf_add(out, i ? ", " : "{");
		add_text(out, parameter->name);
		at_strbuf_add(out, ": [");
		for (size_t k = 0; k < parameter->value_count; k++) {
			at_strbuf_add(out, k ? ", " : "");
			add_value(out, parameter->values[k]);
		}
		at_strbuf_add_char(out, ']');
	}
	at_strbuf_add(out, "},\n\"cache\": ");
	for (size_t i = 0; i < self->count; i++) {
		at_strbuf_add(out, i ? ",\n" : "{\n");
		add_cache_row(self, i, out);
	}
	at_strbuf_add(out, "}\n}\n");
}

/* Appends the known facts of a row: {"name", "value", "unit"}. */
#define ADD_KNOWN(name) \
	if (facts->name >= 0) \
		at_strbuf_addf(out, \
			", {\"name\": \"" #name "\", \"value\": %" PRId64 \
			", \"unit\": \"\"}", \
			facts->name);
#define ADD(name, kind) ADD_##kind(name)

void at_recording_write_t4(const struct at_recording *self, struct at_strbuf *out)
{
	at_strbuf_add(out,
		"{\"schema_version\": \"1.0.0\",\n\"metadata\": {\"timeunit\": \"milliseconds\", \"kernel\": ");
	add_text(out, self->kernel);
	at_strbuf_add(out, ", \"device\": ");
	add_text(out, self->device);
	at_strbuf_add(out, ", \"problem\": ");
	add_text(out, self->problem);
	at_strbuf_add(out, "},\n\"results\": [\n");
	for (size_t i = 0; i < self->count; i++) {
		const struct at_recorded *result = &self->results[i];
		const struct at_facts *facts = &result->facts;
		bool is_ok = result->outcome == AT_OUTCOME_OK;

		at_strbuf_addf(out, "%s{\"configuration\": {", i ? ",\n" : "");
		add_configuration(self, i, out);
		at_strbuf_add(out, "}, \"times\": {\"runtimes\": ");
		add_times(self, result, out);
		add_seconds(out, "compilation_time", result->compile_seconds);
		add_seconds(out, "benchmark_time", result->measure_seconds);
		at_strbuf_addf(out,
			"}, \"invalidity\": \"%s\", \"correctness\": %d, \"measurements\": [",
			is_ok ? "correct" : word_of(result->outcome, true), is_ok);
		if (is_ok) {
			at_strbuf_add(out, "{\"name\": \"time\", \"value\": ");
			add_time(out, result->time_ns);
			at_strbuf_add(out, ", \"unit\": \"ms\"}");
			AT_RESOURCE_FACTS(ADD)
		}
		at_strbuf_add(out, "], \"objectives\": [\"time\"]");
		add_failure(out, result);
		add_origin(out, result);
		at_strbuf_add_char(out, '}');
	}
	at_strbuf_add(out, "]}\n");
}
