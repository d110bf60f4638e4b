/* The defaults of a space as results, for a space without any record. */
#include "record/results.h"

#include "base/memory.h"
#include "record/result.h"
#include "space/properties.h"

#include <stdlib.h>
#include <string.h>

/* Compute capability 1.0, below that of any GPU, so that choose() prefers every
   recorded configuration. */
#define CAPABILITY 10

/* Stands for no device: all its other properties are unknown. */
static void fill_device(struct at_record_device *device)
{
	device->kind = at_strdup("cuda");
	device->model = at_strdup("no device");
	device->slug = at_strdup("no-device");
	device->architecture = at_strdup("");
	device->driver = at_strdup("");
	device->uuid = at_strdup("");
	device->property_names = at_calloc(1, sizeof(*device->property_names));
	device->property_values = at_calloc(1, sizeof(*device->property_values));
	device->property_names[0] = at_property_name(AT_PROPERTY_COMPUTE_CAPABILITY);
	device->property_values[0] = CAPABILITY;
	device->property_count = 1;
}

static void fill(struct at_result *result, const struct at_spec *spec,
	const struct at_problem *problem)
{
	fill_device(&result->device);

	result->has_baseline = true;
	result->baseline.outcome = AT_OUTCOME_OK;
	result->baseline.configuration = at_configuration_to_json(spec, spec->defaults);
	result->baseline.problem_json = at_problem_to_json(spec, problem);
	result->crown.space = at_strdup(spec->name);
	result->crown.problem = at_strdup(problem->name);
}

enum at_status at_results_add_defaults(
	struct at_results *self, const struct at_spec *spec, struct at_error *err)
{
	if (!spec->has_defaults)
		return at_fail(err, AT_ENOENT, spec->path, 0,
			"nothing is recorded, and the space has no defaults to do with instead");
	for (size_t i = 0; i < spec->problem_count; i++) {
		const struct at_problem *problem = &spec->problems[i];
		struct at_result *result;

		if (problem->on && strcmp(problem->on, "cuda") != 0)
			continue;
		AT_GROW(self->items, self->capacity, self->count + 1);
		result = &self->items[self->count++];
		memset(result, 0, sizeof(*result));
		fill(result, spec, problem);
	}
	return AT_OK;
}
