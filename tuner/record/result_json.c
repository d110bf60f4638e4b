/*
 * Result files as text: written for other programs, and read back, so that the results
 * shipped with a repository can be shown, compared and built into headers
 * (record/result.h lists the keys). One table of fields serves both directions.
 *
 * The files come from others, so every value is checked when it is read. The first
 * wrong value sets self->status, and then the readers do nothing.
 */
#include "record/results.h"

#include "base/escape.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/cell.h"
#include "record/evaluation_json.h"
#include "record/recording_build.h"
#include "record/result.h"
#include "space/device_key.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VERSION 1

/* limits far above any real file, against hostile sizes */
#define NAME_BYTES_MAX 199
#define TEXT_BYTES_MAX 4095
#define PROBLEMS_MAX 10000
#define DEPTH_MAX 20
#define MEMORY_GIB_MAX ((int64_t)1 << 30)
/* for times in ns, factors and fractions: products and quotients stay finite */
#define POSITIVE_MAX 1e30

/* Relative tolerance around an interval: with clock steps it may have no width, and its
   value may be a product of two rounded factors. */
#define ROUNDING 1e-12
/* far above the error of two factors of 15 digits */
#define PRODUCT_ROUNDING 1e-9

/* ---- the fields ---- */

enum kind {
	NAME, /* char *, not empty */
	TEXT, /* char *, "" if missing */
	EMBEDDED, /* char *, a JSON text; "" is null in the file */
	COUNT, /* int64_t from 0 */
	POSITIVE, /* double above 0; NAN is null */
	NUMBER, /* double; NAN is null */
	NEGATED, /* bool; negated in the file; false if missing */
	MOMENT, /* int64_t, seconds since 1970 */
	RESOURCES, /* struct at_facts */
	METRICS, /* char *, a JSON text; writing adds rates */
	BASELINE, /* an object of baseline_fields */
	MEMBER, /* an object of member_fields */
};

/* A key of an object, and its member of struct at_result. */
struct field {
	const char *key;
	enum kind kind;
	size_t offset;
	enum at_cell cell; /* content of an EMBEDDED text */
	bool is_needed; /* null or missing is an error */
};

#define FIELD(key, kind, member) \
	{ \
		key, kind, offsetof(struct at_result, member), AT_CELL_NONE, false \
	}
#define NEEDED(key, kind, member) \
	{ \
		key, kind, offsetof(struct at_result, member), AT_CELL_NONE, true \
	}
#define JSON(key, cell, member) \
	{ \
		key, EMBEDDED, offsetof(struct at_result, member), AT_CELL_##cell, \
			false \
	}

static const struct field problem_fields[] = {
	NEEDED("problem", NAME, best.problem),
	JSON("sizes", VALUES, winner.problem_json),
	{ "configuration", EMBEDDED, offsetof(struct at_result, winner.configuration),
		AT_CELL_VALUES, true },
	NEEDED("time_ns", POSITIVE, best.score.value),
	FIELD("low_ns", POSITIVE, best.score.low),
	FIELD("high_ns", POSITIVE, best.score.high),
	FIELD("speedup", POSITIVE, best.speedup),
	FIELD("speedup_low", POSITIVE, best.speedup_low),
	FIELD("speedup_high", POSITIVE, best.speedup_high),
	FIELD("baseline", BASELINE, baseline),
	NEEDED("evaluation_count", COUNT, best.evaluation_count),
	NEEDED("ok_count", COUNT, best.ok_count),
	JSON("launch", LAUNCH, best.launch),
	JSON("options", OPTIONS, best.options),
	FIELD("metrics", METRICS, best.metrics),
	JSON("measurement", JSON, best.measurement),
	FIELD("resources", RESOURCES, winner.facts),
	JSON("gains", JSON, best.gains),
	FIELD("verified", NEGATED, best.is_unverified),
	JSON("verification", JSON, best.verification),
	FIELD("toolchain", TEXT, best.toolchain),
	FIELD("driver", TEXT, best.driver),
	FIELD("source_hash", TEXT, best.source_hash),
	NEEDED("measured", MOMENT, best.created_seconds),
	FIELD("member", MEMBER, member),
};

static const struct field baseline_fields[] = {
	{ "configuration", EMBEDDED, offsetof(struct at_result, baseline.configuration),
		AT_CELL_VALUES, true },
	FIELD("time_ns", POSITIVE, baseline.time_ns),
	FIELD("low_ns", POSITIVE, baseline.low_ns),
	FIELD("high_ns", POSITIVE, baseline.high_ns),
	FIELD("resources", RESOURCES, baseline.facts),
};

/* before the problem's own */
static const struct field member_fields[] = {
	FIELD("loss", NUMBER, best.loss),
	FIELD("loss_low", NUMBER, best.loss_low),
	FIELD("loss_high", NUMBER, best.loss_high),
};

/* ---- writing ---- */

char *at_result_iso_time(int64_t seconds, char buffer[AT_ISO_TIME_SIZE])
{
	time_t moment = (time_t)seconds;
	struct tm parts;

	if (!gmtime_r(&moment, &parts) ||
		!strftime(buffer, AT_ISO_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts))
		snprintf(buffer, AT_ISO_TIME_SIZE, "unknown");
	return buffer;
}

/* The number as a reader of the file gets it. Derived values are computed from such
   rounded ones, so that reading and rewriting a file does not change it. */
static double as_written(double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.15g", value);
	return strtod(text, NULL);
}

static struct at_json *device_json(const struct at_record_device *device)
{
	/* these change with the driver, the power plan or the board */
	static const enum at_property volatile_properties[] = {
		AT_PROPERTY_MEMORY_BYTES, AT_PROPERTY_CLOCK_HZ,
		AT_PROPERTY_MEMORY_CLOCK_HZ
	};
	struct at_json *object = at_json_object();
	struct at_json *properties = at_json_object();
	int64_t gib = at_device_memory_gib(&device->properties);

	at_json_set(object, "kind", device->kind);
	at_json_set(object, "model", device->model);
	at_json_set(object, "architecture", device->architecture);
	/* not of a CPU: a container may have any part of the memory */
	if (gib && strcmp(device->kind, "host") != 0)
		at_json_set(object, "memory_gib", gib);
	for (int i = 0; i < AT_PROPERTY_COUNT; i++) {
		bool is_written = device->properties.known[i];

		for (size_t k = 0; k < AT_COUNT_OF(volatile_properties); k++)
			is_written &= volatile_properties[k] != (enum at_property)i;
		if (is_written)
			at_json_set(properties, at_property_name((enum at_property)i),
				device->properties.value[i]);
	}
	at_json_set(object, "properties", properties);
	return object;
}

/* The tree of the store's JSON text, such as {"M": 4096}; "" is null. */
static enum at_status embed(
	const char *key, const char *text, struct at_json **out, struct at_error *err)
{
	struct at_error reason = { 0 };

	*out = at_json_null();
	if (!text || !*text)
		return AT_OK;
	at_json_free(*out);
	if (!at_json_parse(text, strlen(text), NULL, out, &reason))
		return AT_OK;
	*out = at_json_null();
	return at_fail(err, AT_EINVAL, NULL, 0,
		"the record's %s is no JSON: %s; found \"%.200s\"", key, reason.text,
		text);
}

/* The recorded amounts of a launch, and the rates that follow. */
static struct at_json *metrics_json(
	const struct at_json *recorded, const struct at_result *result)
{
	static const char *const amounts[] = { "flops", "bytes" };
	static const char *const rates[] = { "gflop_per_second", "gbyte_per_second" };
	double given[] = { NAN, NAN };
	double time_ns = as_written(at_winner_time_ns(&result->best, &result->winner));
	struct at_json *metrics = at_json_object();

	for (size_t i = 0; i < AT_COUNT_OF(amounts); i++) {
		given[i] = as_written(
			at_json_number(at_json_get(recorded, amounts[i]), given[i]));
		if (isnan(given[i]))
			continue;
		at_json_set(metrics, amounts[i], given[i]);
		/* per nanosecond is billions per second */
		at_json_set(metrics, rates[i], given[i] / time_ns);
	}
	if (given[0] > 0 && given[1] > 0)
		at_json_set(metrics, "intensity", given[0] / given[1]);
	return metrics;
}

/* Replaces the baseline's time by that of the finals: its own evaluation was measured
   at another time and is not comparable with the winner. */
static struct at_result with_baseline(const struct at_result *result)
{
	struct at_result shown = *result;

	if (result->best.objective != &at_objective_time)
		return shown;
	shown.best.speedup = as_written(result->best.speedup);
	shown.best.score.value = as_written(result->best.score.value);
	shown.baseline.time_ns = at_winner_baseline(&shown.best).value;
	shown.baseline.low_ns = result->best.baseline_low;
	shown.baseline.high_ns = result->best.baseline_high;
	return shown;
}

/* The winner's values by an objective other than time. */
static struct at_json *objective_json(const struct at_winner *best)
{
	const struct at_score baseline = at_winner_baseline(best);
	struct at_json *out = at_json_object();

	at_json_set(out, "name", best->objective->name);
	at_json_set(out, "unit", best->objective->unit);
	at_json_set(out, "value", best->score.value);
	at_json_set(out, "low", best->score.low);
	at_json_set(out, "high", best->score.high);
	at_json_set(out, "baseline_low", baseline.low);
	at_json_set(out, "baseline_high", baseline.high);
	return out;
}

static enum at_status write_problem(
	struct at_json *object, const struct at_result *result, struct at_error *err);

static enum at_status write_fields(struct at_json *object, const struct field *fields,
	size_t count, const struct at_result *result, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < count; i++) {
		const struct field *field = &fields[i];
		const void *member = (const char *)result + field->offset;
		struct at_json *value = NULL, *recorded;
		char moment[AT_ISO_TIME_SIZE];
		enum at_status own = AT_OK;
		struct at_result shown;
		double real;

		switch (field->kind) {
		case NAME:
		case TEXT:
			value = at_json_string(*(char *const *)member);
			break;
		case EMBEDDED:
			own = embed(field->key, *(char *const *)member, &value, err);
			break;
		case COUNT:
			value = at_json_integer(*(const int64_t *)member);
			break;
		case POSITIVE:
			real = *(const double *)member;
			value = at_json_real(real > 0 ? real : (double)NAN);
			break;
		case NUMBER:
			value = at_json_real(*(const double *)member);
			break;
		case NEGATED:
			value = at_json_boolean(!*(const bool *)member);
			break;
		case MOMENT:
			value = at_json_string(
				at_result_iso_time(*(const int64_t *)member, moment));
			break;
		case RESOURCES:
			value = at_json_resources(member);
			break;
		case METRICS:
			own = embed(field->key, *(char *const *)member, &recorded, err);
			value = metrics_json(recorded, result);
			at_json_free(recorded);
			break;
		case BASELINE:
			if (!result->has_baseline || !result->baseline.configuration) {
				value = at_json_null();
				break;
			}
			shown = with_baseline(result);
			value = at_json_object();
			own = write_fields(value, baseline_fields,
				AT_COUNT_OF(baseline_fields), &shown, err);
			break;
		case MEMBER:
			if (!result->member)
				continue;
			value = at_json_object();
			own = write_fields(value, member_fields,
				AT_COUNT_OF(member_fields), result->member, err);
			if (!own)
				own = write_problem(value, result->member, err);
			break;
		}
		at_json_set(object, field->key, value);
		status = status ? status : own;
	}
	return status;
}

/* If another objective selected the winner, the times are those of its evaluation. */
static enum at_status write_problem(
	struct at_json *object, const struct at_result *result, struct at_error *err)
{
	const bool is_time = result->best.objective == &at_objective_time;
	struct at_result shown = *result;
	enum at_status status;

	if (!is_time)
		shown.best.score =
			at_evaluation_score(&result->winner, &at_objective_time);
	status = write_fields(
		object, problem_fields, AT_COUNT_OF(problem_fields), &shown, err);
	if (!is_time)
		at_json_set(object, "objective", objective_json(&result->best));
	return status;
}

enum at_status at_result_json(const struct at_spec *spec,
	const struct at_record_device *device, const struct at_result *const *results,
	size_t count, const struct at_counterexamples *counterexamples,
	struct at_strbuf *out, struct at_error *err)
{
	struct at_json *root = at_json_object();
	struct at_json *problems = at_json_array();
	enum at_status status = AT_OK;

	at_json_set(root, "version", at_json_integer(VERSION));
	at_json_set(root, "kernel", spec->name);
	at_json_set(root, "function", spec->kernel);
	at_json_set(root, "device", device_json(device));
	for (size_t i = 0; i < count && !status; i++) {
		struct at_json *problem = at_json_object();

		status = write_problem(problem, results[i], err);
		at_json_append(problems, problem);
	}
	at_json_set(root, "problems", problems);
	if (!status) {
		struct at_json *array = NULL, *object, *value;

		/* Adds those of the space and the device, if any. */
		for (size_t k = 0; k < counterexamples->count && !status; k++) {
			const struct at_counterexample *one =
				&counterexamples->items[k];

			if (strcmp(one->space, spec->name) != 0 ||
				strcmp(one->slug, device->slug) != 0 ||
				strcmp(one->kind, device->kind) != 0)
				continue;
			if (!array)
				at_json_set(root, "counterexamples",
					array = at_json_array());
			object = at_json_object();
			status = embed("instance", one->instance, &value, err);
			at_json_set(object, "instance", value);
			if (!status) {
				status = embed("failure", one->failure, &value, err);
				at_json_set(object, "failure", value);
			}
			at_json_append(array, object);
		}
	}
	if (!status)
		at_json_write(root, 2, out);
	at_json_free(root);
	return status;
}

/* ---- reading: errors ------------------------------------------------------- */

struct reading {
	const char *path;
	/* path of the object being read, for errors: "problems[2].baseline." */
	char place[160];
	enum at_status status;
	struct at_error *err;
};

/* "PATH: problems[2].KEY: ..." unless there was an error before. */
static void AT_PRINTF(3, 4)
	fail(struct reading *self, const char *key, const char *format, ...)
{
	char text[600];
	va_list arguments;

	if (self->status)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	self->status = at_fail(self->err, AT_EINVAL, self->path, 0, "%s%.100s: %s",
		self->place, key, text);
}

/* "expected a number; found "x"" */
static void fail_kind(struct reading *self, const char *key, const char *expected,
	const struct at_json *found)
{
	const char *text = at_json_text(found);

	if (!found)
		fail(self, key, "is not there; expected %s", expected);
	else if (text)
		fail(self, key, "expected %s; found \"%.60s\"", expected, text);
	else if (at_json_kind_of(found) == AT_JSON_NUMBER)
		fail(self, key, "expected %s; found %.15g", expected,
			at_json_number(found, 0));
	else
		fail(self, key, "expected %s; found %s", expected,
			at_json_kind_name(at_json_kind_of(found)));
}

/* Fails if a name or a text has a control or an unprintable character: any of it may be
   shown, and terminals obey control characters. So nothing else checks that. */
static void check_tree(struct reading *self, const struct at_json *node, int depth)
{
	const char *text = at_json_text(node), *name;
	const struct at_json *value;

	if (depth == DEPTH_MAX)
		fail(self, "this", "is nested more than %d deep", DEPTH_MAX);
	else if (text && !at_text_is_shown(text, strlen(text)))
		self->status = at_fail(self->err, AT_EINVAL, self->path, 0,
			"has a control character in a text, which no result has");
	for (size_t i = 0; i < at_json_count(node) && !self->status; i++)
		check_tree(self, at_json_at(node, i), depth + 1);
	for (void *place = NULL;
		!self->status && (value = at_json_next(node, &place, &name));) {
		if (!at_text_is_shown(name, strlen(name)))
			self->status = at_fail(self->err, AT_EINVAL, self->path, 0,
				"has a control character in a name, which no result has");
		else
			check_tree(self, value, depth + 1);
	}
}

/* ---- reading: values ---- */

static bool is_null(const struct at_json *node)
{
	enum at_json_kind kind = at_json_kind_of(node);

	return kind == AT_JSON_END || kind == AT_JSON_NULL;
}

/* The value of a key. Earlier versions have other names for two keys. */
static const struct at_json *value_of(const struct at_json *object, const char *key)
{
	static const char *const earlier[][2] = { { "verified", "proved" },
		{ "verification", "proof" } };
	const struct at_json *found = at_json_get(object, key);

	for (size_t i = 0; i < AT_COUNT_OF(earlier) && !found; i++)
		if (!strcmp(key, earlier[i][0]))
			found = at_json_get(object, earlier[i][1]);
	return found;
}

/* The member of this kind. NULL: null or missing and not needed, or after a failure. */
static const struct at_json *get(struct reading *self, const struct at_json *object,
	const char *key, enum at_json_kind kind, bool is_needed)
{
	const struct at_json *found = value_of(object, key);

	if (self->status || (!is_needed && is_null(found)))
		return NULL;
	if (at_json_kind_of(found) == kind)
		return found;
	fail_kind(self, key, at_json_kind_name(kind), found);
	return NULL;
}

/* A text of `least` to `most` bytes, heap. "": null or missing with `least` 0, or after
   a failure. */
static char *read_text(struct reading *self, const struct at_json *object,
	const char *key, size_t least, size_t most)
{
	const struct at_json *found = get(self, object, key, AT_JSON_STRING, least > 0);
	const char *text = found ? at_json_text(found) : "";

	if (strlen(text) < least || strlen(text) > most)
		fail(self, key, "is a text of %zu bytes; expected %zu to %zu",
			strlen(text), least, most);
	return at_strdup(text);
}

/* An integer of at least `least`; -1: null or missing and not needed. */
static int64_t read_count(struct reading *self, const struct at_json *object,
	const char *key, bool is_needed, int64_t least)
{
	const struct at_json *found = value_of(object, key);
	int64_t value = at_json_whole(found, -1);

	if (self->status || (!is_needed && is_null(found)))
		return -1;
	if (value < least)
		fail_kind(self, key, least ? "an integer above 0" : "an integer from 0",
			found);
	return value;
}

static double read_number(struct reading *self, const struct at_json *object,
	const char *key, bool is_needed, bool is_positive)
{
	const struct at_json *found = value_of(object, key);
	double value = at_json_number(found, (double)NAN);

	if (self->status || (!is_needed && is_null(found)))
		return (double)NAN;
	if (is_positive ? !(value >= 1 / POSITIVE_MAX && value <= POSITIVE_MAX)
			: isnan(value))
		fail_kind(self, key, is_positive ? "a number above 0" : "a number",
			found);
	return value;
}

/* A JSON text of one line in the record's form, heap; "" for null. It passes the
   record's checks (record/cell.h). */
static char *read_embedded(struct reading *self, const struct at_json *object,
	const char *key, enum at_cell cell, bool is_needed)
{
	const struct at_json *found = value_of(object, key);
	struct at_strbuf text = { 0 };
	const char *wrong;

	if (self->status || (!is_needed && is_null(found)))
		return at_strdup("");
	wrong = at_cell_check_json(found, cell);
	if (wrong)
		fail(self, key, "%s", wrong);
	at_json_write(found, 0, &text);
	return at_strbuf_detach(&text);
}

static void read_facts(struct reading *self, const struct at_json *object,
	const char *key, struct at_facts *out)
{
	const struct at_json *found = get(self, object, key, AT_JSON_OBJECT, false);
	const struct at_json *occupancy;
	char *factor;

	*out = (struct at_facts)AT_FACTS_UNKNOWN;
	if (!found)
		return;
#define READ_FACT(name, kind) out->name = read_count(self, found, #name, false, 0);
	AT_RESOURCE_FACTS(READ_FACT)
#undef READ_FACT
	occupancy = get(self, found, "occupancy", AT_JSON_OBJECT, false);
	if (!occupancy)
		return;
	out->resident_blocks = read_count(self, occupancy, "resident_blocks", true, 1);
	out->occupancy = read_number(self, occupancy, "fraction", true, true);
	if (out->occupancy > 1)
		fail(self, "fraction", "expected up to 1; found %.15g", out->occupancy);
	factor = read_text(self, occupancy, "limiting_factor", 0,
		sizeof(out->limiting_factor) - 1);
	snprintf(out->limiting_factor, sizeof(out->limiting_factor), "%s", factor);
	free(factor);
}

/* Reads the amounts, from which the rates follow. */
static char *read_metrics(struct reading *self, const struct at_json *object,
	struct at_evaluation *winner)
{
	static const char *const names[] = { "flops", "bytes" };
	const struct at_json *found =
		get(self, object, "metrics", AT_JSON_OBJECT, false);
	double *const amounts[] = { &winner->flops, &winner->bytes };
	struct at_json *given = at_json_object();

	for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
		const struct at_json *value = at_json_get(found, names[i]);

		*amounts[i] = at_json_number(value, (double)NAN);
		if (is_null(value))
			continue;
		if (!(*amounts[i] >= 0))
			fail_kind(self, names[i], "a number from 0", value);
		at_json_set(given, names[i], *amounts[i]);
	}
	return at_json_finish(given);
}

static int64_t read_moment(
	struct reading *self, const struct at_json *object, const char *key)
{
	char *text = read_text(self, object, key, 1, 40);
	int64_t seconds = at_recording_seconds(text);

	if ((!seconds && strcmp(text, "1970-01-01T00:00:00Z") != 0) ||
		strlen(text) != 20 || text[10] != 'T' || text[19] != 'Z')
		fail(self, key,
			"expected a moment as 2025-11-21T09:05:00Z; found \"%s\"",
			text);
	free(text);
	return seconds;
}

/* ---- reading: a problem ---- */

static void read_baseline(
	struct reading *self, const struct at_json *problem, struct at_result *out);
static void read_member(
	struct reading *self, const struct at_json *problem, struct at_result *out);

static void read_fields(struct reading *self, const struct at_json *object,
	const struct field *fields, size_t count, struct at_result *out)
{
	for (size_t i = 0; i < count && !self->status; i++) {
		const struct field *field = &fields[i];
		const char *key = field->key;
		void *member = (char *)out + field->offset;
		const struct at_json *found;

		switch (field->kind) {
		case NAME:
			*(char **)member =
				read_text(self, object, key, 1, NAME_BYTES_MAX);
			break;
		case TEXT:
			*(char **)member =
				read_text(self, object, key, 0, TEXT_BYTES_MAX);
			break;
		case EMBEDDED:
			*(char **)member = read_embedded(
				self, object, key, field->cell, field->is_needed);
			break;
		case COUNT:
			*(int64_t *)member = read_count(self, object, key, true, 0);
			break;
		case POSITIVE:
		case NUMBER:
			*(double *)member = read_number(self, object, key,
				field->is_needed, field->kind == POSITIVE);
			break;
		case NEGATED:
			/* older versions lack the key; their winners were verified as
			   it was done then */
			found = get(self, object, key, AT_JSON_BOOLEAN, false);
			*(bool *)member = found && !at_json_is_true(found);
			break;
		case MOMENT:
			*(int64_t *)member = read_moment(self, object, key);
			break;
		case RESOURCES:
			read_facts(self, object, key, member);
			break;
		case METRICS:
			*(char **)member = read_metrics(self, object, &out->winner);
			break;
		/* these depend on other fields */
		case BASELINE:
		case MEMBER:
			break;
		}
	}
}

/* Checks low <= value <= high, with both ends or neither. key: of the value */
static void check_interval(struct reading *self, const char *key, const char *low_key,
	const char *high_key, struct at_score score)
{
	if (isnan(score.low) != isnan(score.high))
		fail(self, isnan(score.low) ? low_key : high_key,
			"is not there, but the other end of the interval is");
	else if (score.low > score.high || score.value < score.low * (1 - ROUNDING) ||
		 score.value > score.high * (1 + ROUNDING))
		fail(self, key, "%.15g is not in its interval, %s %.15g to %s %.15g",
			score.value, low_key, score.low, high_key, score.high);
}

static void begin_evaluation(struct at_evaluation *out)
{
	*out = (struct at_evaluation){ AT_EVALUATION_UNKNOWN, .outcome = AT_OUTCOME_OK,
		.detail = at_strdup(""), .board = at_strdup("") };
}

static void end_evaluation(
	const struct at_result *result, const char *sizes, struct at_evaluation *out)
{
	out->created_seconds = result->best.created_seconds;
	out->space = at_strdup(result->best.space);
	out->problem = at_strdup(result->best.problem);
	if (!out->problem_json)
		out->problem_json = at_strdup(sizes);
}

/* In files with an interval of the speed-up, the baseline's time is that of the finals,
   and must equal the speed-up times the winner's time. In older files it is the time of
   the baseline's evaluation: its interval is not that of the finals and is dropped. */
static void read_baseline(
	struct reading *self, const struct at_json *problem, struct at_result *out)
{
	const struct at_json *found =
		get(self, problem, "baseline", AT_JSON_OBJECT, false);
	struct at_evaluation *baseline = &out->baseline;
	struct at_winner *best = &out->best;
	double expected;

	if (!found)
		return;
	out->has_baseline = true;
	begin_evaluation(baseline);
	end_evaluation(out, out->winner.problem_json, baseline);
	snprintf(self->place + strlen(self->place),
		sizeof(self->place) - strlen(self->place), "baseline.");
	read_fields(self, found, baseline_fields, AT_COUNT_OF(baseline_fields), out);
	check_interval(self, "time_ns", "low_ns", "high_ns",
		(struct at_score){
			baseline->time_ns, baseline->low_ns, baseline->high_ns });
	if (best->objective != &at_objective_time)
		return;
	expected = at_objective_baseline(
		best->objective, best->speedup, best->score.value);
	if (expected > POSITIVE_MAX)
		fail(self, "time_ns",
			"%.15g, the speed-up times the winner's time, is no time",
			expected);
	if (!at_json_get(problem, "speedup_low"))
		return;
	best->baseline_low = baseline->low_ns;
	best->baseline_high = baseline->high_ns;
	if (isnan(baseline->time_ns) != isnan(expected))
		fail(self, "time_ns", "is %sthere, and the speed-up is %sthere",
			isnan(baseline->time_ns) ? "not " : "",
			isnan(expected) ? "not " : "");
	else if (fabs(baseline->time_ns - expected) > PRODUCT_ROUNDING * expected)
		fail(self, "time_ns",
			"%.15g is not the speed-up times the winner's time, %.15g",
			baseline->time_ns, expected);
}

/* Replaces the score, so far the time, if the file names another objective. */
static void read_objective(
	struct reading *self, const struct at_json *problem, struct at_winner *best)
{
	const struct at_json *found =
		get(self, problem, "objective", AT_JSON_OBJECT, false);
	char *name;

	if (!found)
		return;
	name = read_text(self, found, "name", 1, NAME_BYTES_MAX);
	best->objective = at_objective_find(name);
	if (!best->objective || best->objective == &at_objective_time) {
		fail(self, "objective", "this version does not know \"%.60s\"", name);
		best->objective = &at_objective_time;
	}
	free(name);
	best->score = (struct at_score){
		read_number(self, found, "value", true, true),
		read_number(self, found, "low", false, true),
		read_number(self, found, "high", false, true),
	};
	check_interval(self, "value", "low", "high", best->score);
	best->baseline_low = read_number(self, found, "baseline_low", false, true);
	best->baseline_high = read_number(self, found, "baseline_high", false, true);
}

static void read_problem(struct reading *self, const struct at_json *problem,
	const char *space, struct at_result *out)
{
	struct at_winner *best = &out->best;
	struct at_evaluation *winner = &out->winner;

	out->is_bundled = true;
	best->objective = &at_objective_time;
	best->space = at_strdup(space);
	best->part = at_strdup("");
	begin_evaluation(winner);
	read_fields(self, problem, problem_fields, AT_COUNT_OF(problem_fields), out);
	check_interval(self, "time_ns", "low_ns", "high_ns", best->score);
	check_interval(self, "speedup", "speedup_low", "speedup_high",
		(struct at_score){
			best->speedup, best->speedup_low, best->speedup_high });
	if (best->ok_count > best->evaluation_count)
		fail(self, "ok_count", "%" PRId64 " of %" PRId64 " evaluations",
			best->ok_count, best->evaluation_count);
	if (self->status)
		return;
	end_evaluation(out, "", winner);
	winner->time_ns = best->score.value;
	winner->low_ns = best->score.low;
	winner->high_ns = best->score.high;
	best->baseline_low = best->baseline_high = (double)NAN;
	read_objective(self, problem, best);
	read_baseline(self, problem, out);
	read_member(self, problem, out);
}

/* Reads the problem's portfolio member, if there is one. */
static void read_member(
	struct reading *self, const struct at_json *problem, struct at_result *out)
{
	const struct at_json *found =
		get(self, problem, "member", AT_JSON_OBJECT, false);
	struct at_winner *best;
	char *end = strstr(self->place, "].");

	if (!found || !end)
		return;
	out->member = at_calloc(1, sizeof(*out->member));
	best = &out->member->best;
	/* replaces "baseline.", which has been read */
	snprintf(end, sizeof(self->place) - (size_t)(end - self->place), "].member.");
	read_fields(
		self, found, member_fields, AT_COUNT_OF(member_fields), out->member);
	read_problem(self, found, out->best.space, out->member);
	if (!self->status && strcmp(best->problem, out->best.problem) != 0)
		fail(self, "problem", "\"%.100s\" is another problem's member",
			best->problem);
	if (!self->status && best->is_unverified)
		fail(self, "verified",
			"a winner that is not verified serves no problem");
}

/* ---- reading: the device ---- */

/* The device's slug, heap. The file's folder must have the device's present name, its
   name in an older version, or its name if the slug is taken: in any other folder the
   results would count for another device. folder NULL: any place. */
static char *find_slug(
	struct reading *self, const struct at_record_device *device, const char *folder)
{
	const struct at_properties *properties = &device->properties;
	char *plain, *apart, *before;

	plain = at_device_slug(device->kind, device->model, properties);
	if (!folder)
		return plain;
	apart = at_device_slug_apart(device->kind, device->model, properties);
	before = at_device_slug_before(device->kind, device->model, properties);
	if (!strcmp(apart, folder)) {
		free(plain);
		plain = at_strdup(folder);
	} else if (strcmp(plain, folder) != 0 && strcmp(before, folder) != 0) {
		fail(self, "model",
			"is \"%s\", whose results belong into the folder %s, not %.100s",
			device->model, plain, folder);
	}
	free(before);
	free(apart);
	return plain;
}

/* Compilers get an architecture, and file names a kind. */
static void check_identifier(struct reading *self, const char *key, const char *name)
{
	if (strspn(name,
		    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") !=
		strlen(name))
		fail(self, key, "expected names as C has them; found \"%.60s\"", name);
}

static void read_device(struct reading *self, const struct at_json *root,
	const char *slug, struct at_record_device *out)
{
	const struct at_json *device = get(self, root, "device", AT_JSON_OBJECT, true);

	snprintf(self->place, sizeof(self->place), "device.");
	out->kind = read_text(self, device, "kind", 1, 15);
	check_identifier(self, "kind", out->kind);
	out->model = read_text(self, device, "model", 1, 127);
	/* a recording has none */
	out->architecture = read_text(self, device, "architecture", 0, 15);
	check_identifier(self, "architecture", out->architecture);
	const struct at_json *found =
		get(self, device, "properties", AT_JSON_OBJECT, true);
	int64_t gib = read_count(self, device, "memory_gib", false, 1);

	if (gib > MEMORY_GIB_MAX)
		fail(self, "memory_gib", "is more than any device has");
	snprintf(self->place, sizeof(self->place), "device.properties.");
	for (int i = 0; i < AT_PROPERTY_COUNT && !self->status; i++) {
		enum at_property property = (enum at_property)i;
		int64_t value =
			read_count(self, found, at_property_name(property), false, 0);

		if (value >= 0)
			at_properties_set(&out->properties, property, value);
	}
	snprintf(self->place, sizeof(self->place), "device.");
	/* in bytes, so that the writer gets the same number */
	if (gib >= 0 && !out->properties.known[AT_PROPERTY_MEMORY_BYTES])
		at_properties_set(
			&out->properties, AT_PROPERTY_MEMORY_BYTES, gib << 30);
	if (self->status)
		return;
	out->slug = find_slug(self, out, slug);
	out->uuid = at_strdup("");
	out->driver = at_strdup("");
	self->place[0] = '\0';
}

/* ---- reading: the file ---- */

static void read_problems(struct reading *self, const struct at_json *root,
	const struct at_record_device *device, const char *space,
	struct at_results *out)
{
	const struct at_json *problems =
		get(self, root, "problems", AT_JSON_ARRAY, true);
	size_t count = at_json_count(problems), first = out->count;

	if (count > PROBLEMS_MAX)
		fail(self, "problems", "has more than %d of them", PROBLEMS_MAX);
	for (size_t i = 0; i < count && !self->status; i++) {
		struct at_result *result;

		AT_GROW(out->items, out->capacity, out->count + 1);
		result = &out->items[out->count++];
		memset(result, 0, sizeof(*result));
		snprintf(self->place, sizeof(self->place), "problems[%zu].", i);
		read_problem(self, at_json_at(problems, i), space, result);
		if (self->status)
			return;
		result->device = (struct at_record_device){
			.kind = at_strdup(device->kind),
			.model = at_strdup(device->model),
			.slug = at_strdup(device->slug),
			.architecture = at_strdup(device->architecture),
			.driver = at_strdup(result->best.driver),
			.uuid = at_strdup(device->uuid),
			.properties = device->properties,
		};
		snprintf(self->place, sizeof(self->place), "problems[%zu].", i);
		for (size_t k = first; k + 1 < out->count; k++)
			if (!strcmp(out->items[k].best.problem, result->best.problem))
				fail(self, "problem", "\"%.100s\" is there twice",
					result->best.problem);
	}
	if (self->status)
		return;
	self->place[0] = '\0';
	if (!count)
		fail(self, "problems", "is empty");
}

static void read_counterexamples(struct reading *self, const struct at_json *root,
	const struct at_record_device *device, const char *space,
	struct at_counterexamples *out)
{
	const struct at_json *found =
		get(self, root, "counterexamples", AT_JSON_ARRAY, false);

	for (size_t i = 0; i < at_json_count(found) && !self->status; i++) {
		const struct at_json *object = at_json_at(found, i);

		snprintf(self->place, sizeof(self->place), "counterexamples[%zu].", i);
		AT_GROW(out->items, out->capacity, out->count + 1);
		out->items[out->count++] = (struct at_counterexample){
			.instance = read_embedded(
				self, object, "instance", AT_CELL_JSON, false),
			.failure = read_embedded(
				self, object, "failure", AT_CELL_JSON, false),
			.space = at_strdup(space),
			.slug = at_strdup(device->slug),
			.kind = at_strdup(device->kind),
		};
	}
}

static void check_version(struct reading *self, const struct at_json *root)
{
	const struct at_json *found = at_json_get(root, "version");
	int64_t version = at_json_whole(found, 0);

	if (at_json_kind_of(root) != AT_JSON_OBJECT)
		fail(self, "version", "expected a result file, an object; found %s",
			at_json_kind_name(at_json_kind_of(root)));
	else if (version > VERSION)
		fail(self, "version",
			"was written by a newer autotune (version %" PRId64
			" of result files, this program knows %d): use that one",
			version, VERSION);
	else if (version != VERSION)
		fail_kind(self, "version", "1, as result files have", found);
}

enum at_status at_bundled_parse(const char *text, size_t size, const char *path,
	const char *slug, struct at_results *out, struct at_error *err)
{
	struct reading self = { .path = path, .err = err };
	struct at_record_device device = { 0 };
	struct at_json *root = NULL;
	size_t first = out->count, first_case = out->counterexamples.count;
	char *space;

	self.status = at_json_parse(text, size, path, &root, err);
	if (!self.status)
		check_version(&self, root);
	if (!self.status)
		check_tree(&self, root, 0);
	space = read_text(&self, root, "kernel", 1, NAME_BYTES_MAX);
	read_device(&self, root, slug, &device);
	if (!self.status)
		read_problems(&self, root, &device, space, out);
	if (!self.status)
		read_counterexamples(
			&self, root, &device, space, &out->counterexamples);
	while (self.status && out->counterexamples.count > first_case)
		at_counterexample_release(
			&out->counterexamples.items[--out->counterexamples.count]);
	while (self.status && out->count > first)
		at_result_release(&out->items[--out->count]);
	at_record_device_release(&device);
	free(space);
	at_json_free(root);
	return self.status;
}
