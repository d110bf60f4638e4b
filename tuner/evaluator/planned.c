/* Makes one configuration concrete, and writes what the record keeps of it as JSON. */
#include "evaluator/plan_internal.h"
#include "base/json.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a buffer, or a field of one, holds doubles. */
static bool is_double(const struct at_spec *spec)
{
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];

		if (argument->owner)
			argument = &spec->arguments[argument->owner - 1];
		if (argument->access != AT_ACCESS_NONE &&
			spec->arguments[i].element == AT_ELEMENT_F64)
			return true;
	}
	return false;
}

/* Bytes of all arguments of a launch, as at_work has them. */
static double argument_bytes(const struct at_measure_setup *setup)
{
	double bytes = 0;

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const struct at_measure_argument *argument = &setup->arguments[i];
		double own = (double)setup->bindings[i].count * argument->lanes *
			     (double)at_element_bytes(argument->element);

		switch (argument->access) {
		case AT_ACCESS_IN:
		case AT_ACCESS_OUT:
			bytes += own;
			break;
		case AT_ACCESS_INOUT:
			bytes += 2 * own;
			break;
		case AT_ACCESS_NONE:
		case AT_ACCESS_SCRATCH:
			break;
		}
	}
	return bytes;
}

/* The numbers in the buffers and in the fields of structures. */
static enum at_floor_numbers numbers_of(const struct at_measure_setup *setup)
{
	enum at_floor_numbers numbers = AT_FLOOR_REALS_16;

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const struct at_measure_argument *argument = &setup->arguments[i];

		/* a structure is plain bytes; its fields follow */
		if (argument->has_fields || at_data_access(setup, i) == AT_ACCESS_NONE)
			continue;
		if (at_element_kind(argument->element) != AT_ELEMENT_KIND_REAL)
			return AT_FLOOR_ANY_NUMBERS;
		if (at_element_bytes(argument->element) < 2)
			numbers = AT_FLOOR_REALS;
	}
	return numbers;
}

static int line_of(const struct at_expression *metric)
{
	return metric ? at_expression_line(metric) : 0;
}

static void find_floor(const struct at_plan *self, struct at_planned *out)
{
	const struct at_device_info *device = self->device;
	const struct at_measure_setup *setup = &self->setup;
	const struct at_work work = {
		.flops = out->flops,
		.bytes = out->bytes,
		.argument_bytes = argument_bytes(setup),
		.is_warm = setup->cache == AT_CACHE_WARM,
		.flops_line = line_of(self->spec->flops),
		.bytes_line = line_of(self->spec->bytes),
	};
	struct at_peaks peaks;

	at_peaks_of(&device->properties, device->max_clock_hz,
		device->max_memory_clock_hz, numbers_of(setup), &peaks);
	at_floor_of(&work, &peaks, &out->floor);
}

/* One that cannot be evaluated is just not known (NAN). */
static double evaluate_metric(const struct at_plan *self,
	const struct at_expression *metric, const char *what)
{
	double value;

	if (!metric ||
		at_spec_real(self->spec, metric, self->slots, what, 0, &value, NULL))
		return NAN;
	return value > 0 ? value : NAN;
}

enum at_status at_plan_configuration(struct at_plan *self,
	const uint16_t *configuration, struct at_planned *out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	const struct at_measure_setup *setup;
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	/* must come first, since it binds the slots to the defaults */
	status = at_plan_borrow_setup(self, &setup, NULL, err);
	if (status)
		return status;
	status =
		at_plan_compile(self, configuration, AT_UNIT_TUNED, &out->compile, err);
	if (status)
		goto release;
	out->outcome = AT_OUTCOME_OK;
	status = at_plan_request(self, configuration, &out->request, &reason);
	/* AT_EINVAL is the configuration's own fault; other errors say nothing about
	   it */
	if (status == AT_EINVAL) {
		out->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(out->detail, sizeof(out->detail), "%.*s",
			(int)sizeof(out->detail) - 1, reason.text);
		status = AT_OK;
	} else if (status) {
		at_fail(err, status, reason.file, reason.line, "%s", reason.text);
		goto release;
	}
	out->flops = evaluate_metric(self, spec->flops, "metrics.flops");
	out->bytes = evaluate_metric(self, spec->bytes, "metrics.bytes");
	out->is_double = is_double(spec);
	find_floor(self, out);
	at_plan_identify(self, out);
release:
	if (status)
		at_planned_release(out);
	return status;
}

void at_planned_release(struct at_planned *self)
{
	if (!self)
		return;
	at_compile_request_release(&self->compile);
	at_measure_request_release(&self->request);
	memset(self, 0, sizeof(*self));
}

enum at_status at_planned_new(struct at_plan *self, const uint16_t *configuration,
	struct at_planned **out, struct at_error *err)
{
	struct at_planned *planned = at_calloc(1, sizeof(*planned));
	enum at_status status = AT_OK;

	status = at_plan_configuration(self, configuration, planned, err);
	if (status)
		free(planned);
	else
		*out = planned;
	return status;
}

void at_planned_free(struct at_planned *self)
{
	if (!self)
		return;
	at_planned_release(self);
	free(self);
}

static char *write_and_free(struct at_json *json)
{
	struct at_strbuf text = { 0 };

	at_json_write(json, 0, &text);
	at_json_free(json);
	return at_strbuf_detach(&text);
}

static struct at_json *dimensions(const uint32_t *values)
{
	struct at_json *array = at_json_array();

	for (int i = 0; i < 3; i++)
		at_json_append(array, at_json_integer(values[i]));
	return array;
}

char *at_planned_launch_json(const struct at_planned *self)
{
	const struct at_geometry *geometry = &self->request.kernel.geometry;
	struct at_json *object = at_json_object();

	/* an instance of a C++ template has another name in each configuration */
	if (self->compile.kernel_count && strchr(self->compile.kernels[0], '<'))
		at_json_set(object, "kernel", at_json_string(self->compile.kernels[0]));
	at_json_set(object, "block", dimensions(geometry->block));
	at_json_set(object, "grid", dimensions(geometry->grid));
	at_json_set(object, "shared_bytes", at_json_integer(geometry->shared_bytes));
	return write_and_free(object);
}

char *at_planned_options_json(const struct at_planned *self)
{
	struct at_json *array = at_json_array();

	for (size_t i = 0; i < self->compile.option_count; i++)
		at_json_append(array, at_json_string(self->compile.options[i]));
	return write_and_free(array);
}

/* A metric that the space does not give is NAN, which is not above 0, and is left
   out. */
char *at_planned_metrics_json(const struct at_planned *self)
{
	struct at_json *object = at_json_object();

	if (self->flops > 0)
		at_json_set(object, "flops", at_json_real(self->flops));
	if (self->bytes > 0)
		at_json_set(object, "bytes", at_json_real(self->bytes));
	return write_and_free(object);
}
