/* The defaults of a space as results, for a space without any record. */
#include "record/results.h"

#include "record/result.h"
#include "space/properties.h"

#include <stdlib.h>
#include <string.h>

/* Compute capability 1.0, below that of any GPU, so that choose() prefers every
   recorded configuration. */
#define CAPABILITY 10

/* Stands for no device: all its other properties are unknown. */
static enum at_status fill_device(struct at_record_device *device, struct at_error *err)
{
	device->kind = at_strdup("cuda");
	device->model = at_strdup("no device");
	device->slug = at_strdup("no-device");
	device->architecture = at_strdup("");
	device->driver = at_strdup("");
	device->uuid = at_strdup("");
	device->property_names = calloc(1, sizeof(*device->property_names));
	device->property_values = calloc(1, sizeof(*device->property_values));
	if (!device->kind || !device->model || !device->slug || !device->architecture ||
		!device->driver || !device->uuid || !device->property_names ||
		!device->property_values)
		return at_fail_memory(err);
	device->property_names[0] = at_property_name(AT_PROPERTY_COMPUTE_CAPABILITY);
	device->property_values[0] = CAPABILITY;
	device->property_count = 1;
	return AT_OK;
}

static enum at_status fill(struct at_result *result, const struct at_spec *spec,
	const struct at_problem *problem, struct at_error *err)
{
	enum at_status status = fill_device(&result->device, err);

	if (status)
		return status;
	result->has_baseline = true;
	result->baseline.outcome = AT_OUTCOME_OK;
	result->baseline.configuration = at_configuration_to_json(spec, spec->defaults);
	result->baseline.problem_json = at_problem_to_json(spec, problem);
	result->crown.space = at_strdup(spec->name);
	result->crown.problem = at_strdup(problem->name);
	if (!result->baseline.configuration || !result->baseline.problem_json ||
		!result->crown.space || !result->crown.problem)
		return at_fail_memory(err);
	return AT_OK;
}

enum at_status at_results_add_defaults(
	struct at_results *self, const struct at_spec *spec, struct at_error *err)
{
	enum at_status status = AT_OK;

	if (!spec->has_defaults)
		return at_fail(err, AT_ENOENT, spec->path, 0,
			"nothing is recorded, and the space has no defaults to do with instead");
	for (size_t i = 0; i < spec->problem_count && !status; i++) {
		const struct at_problem *problem = &spec->problems[i];
		struct at_result *result;

		if (problem->on && strcmp(problem->on, "cuda") != 0)
			continue;
		status = AT_RESERVE(self->items, self->capacity, self->count + 1, err);
		if (status)
			break;
		result = &self->items[self->count++];
		memset(result, 0, sizeof(*result));
		status = fill(result, spec, problem, err);
	}
	return status;
}
