/* What a plan says for the record, and what it refuses before any launch. */
#include "evaluator/plan.h"
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>

static bool above(const struct at_properties *properties, enum at_property property,
	int64_t wanted)
{
	return properties->known[property] && wanted > properties->value[property];
}

struct limit {
	enum at_property property;
	int64_t wanted;
	const char *what;
};

enum at_outcome at_plan_check_resources(const struct at_plan *self,
	const struct at_kernel_facts *facts, const struct at_geometry *geometry,
	char *detail, size_t size)
{
	const struct at_properties *properties = &self->device->properties;
	int64_t threads =
		(int64_t)geometry->block[0] * geometry->block[1] * geometry->block[2];
	int64_t fixed = facts->shared_bytes > 0 ? facts->shared_bytes : 0;
	int64_t registers = facts->registers > 0 ? facts->registers * threads : 0;
	const struct limit limits[] = {
		{ AT_PROPERTY_MAX_THREADS_PER_BLOCK, threads, "threads per block" },
		{ AT_PROPERTY_MAX_BLOCK_X, geometry->block[0], "threads in block x" },
		{ AT_PROPERTY_MAX_BLOCK_Y, geometry->block[1], "threads in block y" },
		{ AT_PROPERTY_MAX_BLOCK_Z, geometry->block[2], "threads in block z" },
		{ AT_PROPERTY_MAX_GRID_X, geometry->grid[0], "blocks in grid x" },
		{ AT_PROPERTY_MAX_GRID_Y, geometry->grid[1], "blocks in grid y" },
		{ AT_PROPERTY_MAX_GRID_Z, geometry->grid[2], "blocks in grid z" },
		{ AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK, fixed,
			"bytes of static shared memory" },
		{ AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK,
			fixed + geometry->shared_bytes, "bytes of shared memory" },
		{ AT_PROPERTY_MAX_REGISTERS_PER_BLOCK, registers,
			"registers per block" },
	};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		if (!above(properties, limits[i].property, limits[i].wanted))
			continue;
		snprintf(detail, size, "needs %lld %s, the device has %lld",
			(long long)limits[i].wanted, limits[i].what,
			(long long)properties->value[limits[i].property]);
		return AT_OUTCOME_TOO_MANY_RESOURCES;
	}
	if (facts->max_threads > 0 && threads > facts->max_threads) {
		snprintf(detail, size,
			"launches %lld threads per block, but __launch_bounds__ promises at most %lld",
			(long long)threads, (long long)facts->max_threads);
		return AT_OUTCOME_TOO_MANY_RESOURCES;
	}
	return AT_OUTCOME_OK;
}

bool at_plan_occupancy(const struct at_plan *self, const struct at_kernel_facts *facts,
	const struct at_geometry *geometry, struct at_occupancy *out)
{
	const struct at_occupancy_kernel kernel = {
		.threads = (int64_t)geometry->block[0] * geometry->block[1] *
			   geometry->block[2],
		.registers = facts->registers,
		.static_shared_bytes = facts->shared_bytes,
		.dynamic_shared_bytes = geometry->shared_bytes,
		.max_threads = facts->max_threads,
		.barriers = facts->barriers,
	};

	return at_occupancy(&self->device->properties, &kernel, out);
}

static char *write_and_free(struct at_json *json)
{
	struct at_strbuf text = { 0 };

	at_json_write(json, 0, &text, NULL);
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

/* NAN is not above 0: what the space does not say is not there */
char *at_planned_metrics_json(const struct at_planned *self)
{
	struct at_json *object = at_json_object();

	if (self->flops > 0)
		at_json_set(object, "flops", at_json_real(self->flops));
	if (self->bytes > 0)
		at_json_set(object, "bytes", at_json_real(self->bytes));
	return write_and_free(object);
}
