/* Writes the result file for other programs: record/result.h lists its keys. */
#include "record/result_internal.h"

#include "base/json.h"
#include "record/evaluation_json.h"
#include "space/device_key.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char *at_result_iso_time(int64_t seconds, char buffer[AT_ISO_TIME_SIZE])
{
	time_t moment = (time_t)seconds;
	struct tm parts;

	if (!gmtime_r(&moment, &parts) ||
		!strftime(buffer, AT_ISO_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts))
		snprintf(buffer, AT_ISO_TIME_SIZE, "unknown");
	return buffer;
}

/*
 * The number that a reader of the file gets. Values that are computed from others are
 * computed from these rounded ones, so that reading a file and writing it again does
 * not change it.
 */
static double as_written(double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.15g", value);
	return strtod(text, NULL);
}

/* Whether a property changes with the driver, the power plan or from board to board. */
static bool is_restless(const char *property)
{
	static const char *const names[] = { "memory_bytes", "clock_hz",
		"memory_clock_hz" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(property, names[i]))
			return true;
	return false;
}

static struct at_json *device_json(const struct at_record_device *device)
{
	struct at_json *object = at_json_object();
	struct at_json *properties = at_json_object();
	struct at_properties known;
	int64_t gib;

	at_record_device_properties(device, &known);
	gib = at_device_memory_gib(&known);
	at_json_set(object, "kind", at_json_string(device->kind));
	at_json_set(object, "model", at_json_string(device->model));
	at_json_set(object, "architecture", at_json_string(device->architecture));
	/* the memory of a CPU is left out: a container may have any part of it */
	if (gib && strcmp(device->kind, "host") != 0)
		at_json_set(object, "memory_gib", at_json_integer(gib));
	for (size_t i = 0; i < device->property_count; i++)
		if (!is_restless(device->property_names[i]))
			at_json_set(properties, device->property_names[i],
				at_json_integer(device->property_values[i]));
	at_json_set(object, "properties", properties);
	return object;
}

/* Adds JSON that the store keeps as text, such as {"M": 4096}; "" becomes null. */
static enum at_status embed(
	struct at_json *object, const char *key, const char *text, struct at_error *err)
{
	struct at_error reason = { 0 };
	struct at_json *value;
	enum at_status status;

	if (!text || !*text) {
		at_json_set(object, key, at_json_null());
		return AT_OK;
	}
	status = at_json_parse(text, strlen(text), NULL, &value, &reason);
	if (status)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"the record's %s is no JSON: %s; found \"%.200s\"", key,
			reason.text, text);
	at_json_set(object, key, value);
	return AT_OK;
}

static enum at_status add_score(struct at_json *object, const char *configuration,
	const struct at_objective *objective, struct at_score score,
	struct at_error *err)
{
	enum at_status status = embed(object, "configuration", configuration, err);

	at_json_set_score(object, objective, score);
	return status;
}

static enum at_status add_metrics(struct at_json *object, const struct at_crown *crown,
	const struct at_evaluation *winner, struct at_error *err)
{
	static const char *const amounts[] = { "flops", "bytes" };
	static const char *const rates[] = { "gflop_per_second", "gbyte_per_second" };
	enum at_status status = embed(object, "metrics", crown->metrics, err);
	double given[] = { NAN, NAN };
	double time_ns = as_written(at_crown_time_ns(crown, winner));
	const struct at_json *recorded;
	struct at_json *metrics;

	if (status)
		return status;
	recorded = at_json_get(object, "metrics");
	metrics = at_json_object();
	for (size_t i = 0; i < 2; i++) {
		given[i] = as_written(
			at_json_number(at_json_get(recorded, amounts[i]), given[i]));
		if (isnan(given[i]))
			continue;
		at_json_set(metrics, amounts[i], at_json_real(given[i]));
		/* per nanosecond is billions per second */
		at_json_set(metrics, rates[i], at_json_real(given[i] / time_ns));
	}
	if (given[0] > 0 && given[1] > 0)
		at_json_set(metrics, "intensity", at_json_real(given[0] / given[1]));
	/* replaces what was recorded, so that order and keys are always these */
	at_json_set(object, "metrics", metrics);
	return AT_OK;
}

static struct at_score baseline_as_written(const struct at_crown *crown)
{
	struct at_crown written = *crown;

	written.speedup = as_written(crown->speedup);
	written.score.value = as_written(crown->score.value);
	return at_crown_baseline(&written);
}

/* Adds the portfolio's member for this problem, as an object like a problem. */
static enum at_status add_member(
	struct at_json *object, const struct at_result *member, struct at_error *err);

static enum at_status fill_problem(
	struct at_json *object, const struct at_result *result, struct at_error *err)
{
	const struct at_crown *crown = &result->crown;
	const struct at_evaluation *winner = &result->winner;
	const struct at_evaluation *baseline = &result->baseline;
	bool has_baseline = result->has_baseline && baseline->configuration;
	struct at_json *inner = has_baseline ? at_json_object() : at_json_null();
	char measured[AT_ISO_TIME_SIZE];
	enum at_status status;

	at_json_set(object, "problem", at_json_string(crown->problem));
	status = embed(object, "sizes", winner->problem_json, err);
	if (!status)
		status = add_score(object, winner->configuration, crown->objective,
			crown->score, err);
	at_json_set_speedup(object, at_crown_speedup(crown));
	/* the baseline's value in the finals: that of its own evaluation was measured
	   at another time, and does not go with the winner's */
	if (!status && has_baseline)
		status = add_score(inner, baseline->configuration, crown->objective,
			baseline_as_written(crown), err);
	if (has_baseline)
		at_json_set(inner, "resources", at_json_resources(&baseline->facts));
	at_json_set(object, "baseline", inner);
	at_json_set(
		object, "evaluation_count", at_json_integer(crown->evaluation_count));
	at_json_set(object, "ok_count", at_json_integer(crown->ok_count));
	if (!status)
		status = embed(object, "launch", crown->launch, err);
	if (!status)
		status = embed(object, "options", crown->options, err);
	if (!status)
		status = add_metrics(object, crown, winner, err);
	if (!status)
		status = embed(object, "measurement", crown->measurement, err);
	at_json_set(object, "resources", at_json_resources(&winner->facts));
	if (!status)
		status = embed(object, "gains", crown->gains, err);
	at_json_set(object, "proved", at_json_boolean(!crown->is_unproved));
	if (!status)
		status = embed(object, "proof", crown->proof, err);
	at_json_set(object, "toolchain", at_json_string(crown->toolchain));
	at_json_set(object, "driver", at_json_string(crown->driver));
	at_json_set(object, "source_hash", at_json_string(crown->source_hash));
	at_json_set(object, "measured",
		at_json_string(at_result_iso_time(crown->created_seconds, measured)));
	if (!status && result->member)
		status = add_member(object, result->member, err);
	return status;
}

static enum at_status add_member(
	struct at_json *object, const struct at_result *member, struct at_error *err)
{
	const struct at_crown *crown = &member->crown;
	struct at_json *inner = at_json_object();
	enum at_status status;

	at_json_set(inner, "loss", at_json_real(crown->loss));
	at_json_set(inner, "loss_low", at_json_real(crown->loss_low));
	at_json_set(inner, "loss_high", at_json_real(crown->loss_high));
	status = fill_problem(inner, member, err);
	at_json_set(object, "member", inner);
	return status;
}

/* Adds those of the space and the device; nothing where there are none. */
static enum at_status add_counterexamples(struct at_json *root,
	const struct at_spec *spec, const struct at_record_device *device,
	const struct at_counterexamples *all, struct at_error *err)
{
	struct at_json *array = NULL;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < all->count && !status; i++) {
		const struct at_counterexample *one = &all->items[i];
		struct at_json *object;

		if (strcmp(one->space, spec->name) != 0 ||
			strcmp(one->slug, device->slug) != 0 ||
			strcmp(one->kind, device->kind) != 0)
			continue;
		if (!array)
			at_json_set(root, "counterexamples", array = at_json_array());
		object = at_json_object();
		status = embed(object, "instance", one->instance, err);
		if (!status)
			status = embed(object, "failure", one->failure, err);
		at_json_append(array, object);
	}
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

	at_json_set(root, "version", at_json_integer(1));
	at_json_set(root, "kernel", at_json_string(spec->name));
	at_json_set(root, "function",
		spec->kernel ? at_json_string(spec->kernel) : at_json_null());
	at_json_set(root, "device", device_json(device));
	for (size_t i = 0; i < count && !status; i++) {
		struct at_json *problem = at_json_object();

		status = fill_problem(problem, results[i], err);
		at_json_append(problems, problem);
	}
	at_json_set(root, "problems", problems);
	if (!status)
		status = add_counterexamples(root, spec, device, counterexamples, err);
	if (!status)
		at_json_write(root, 2, out);
	at_json_free(root);
	return status;
}
