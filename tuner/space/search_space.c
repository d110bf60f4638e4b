#define _GNU_SOURCE
#include "space/search_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct at_search_space {
	struct at_search_parameter *parameters;
	size_t parameter_count;
	struct at_configurations rows;
};

static int compare_rows(const void *a, const void *b, void *count)
{
	const uint16_t *left = a, *right = b;

	for (size_t i = 0; i < *(size_t *)count; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

static struct at_search_space *new_space(size_t parameter_count)
{
	struct at_search_space *self = calloc(1, sizeof(*self));

	if (!self)
		return NULL;
	self->parameter_count = parameter_count;
	self->parameters = calloc(parameter_count + 1, sizeof(*self->parameters));
	if (!self->parameters) {
		free(self);
		return NULL;
	}
	return self;
}

enum at_status at_search_space_new(const struct at_spec *spec,
	const struct at_value *slots, struct at_search_space **out,
	struct at_enumeration *statistics, struct at_error *err)
{
	const struct at_enumerate_options how = { 0 };
	struct at_enumeration ignored = { 0 };
	struct at_search_space *self = new_space(spec->parameter_count);
	enum at_status status;

	if (!self)
		return at_fail_memory(err);
	for (size_t i = 0; i < spec->parameter_count; i++)
		self->parameters[i] = (struct at_search_parameter){
			spec->parameters[i].name, spec->parameters[i].type,
			spec->parameters[i].value_count, spec->parameters[i].values
		};
	status = at_enumerate(spec, slots, &how, &self->rows,
		statistics ? statistics : &ignored, err);
	at_enumeration_release(&ignored);
	if (status) {
		at_search_space_free(self);
		return status;
	}
	*out = self;
	return AT_OK;
}

enum at_status at_search_space_from_rows(const struct at_search_parameter *parameters,
	size_t parameter_count, const uint16_t *rows, size_t count,
	struct at_search_space **out, struct at_error *err)
{
	struct at_search_space *self = new_space(parameter_count);

	if (!self)
		return at_fail_memory(err);
	memcpy(self->parameters, parameters, parameter_count * sizeof(*parameters));
	self->rows.parameter_count = parameter_count;
	self->rows.count = count;
	self->rows.indices = malloc((count * parameter_count + 1) * sizeof(*rows));
	if (!self->rows.indices) {
		at_search_space_free(self);
		return at_fail_memory(err);
	}
	memcpy(self->rows.indices, rows, count * parameter_count * sizeof(*rows));
	qsort_r(self->rows.indices, count, parameter_count * sizeof(*rows),
		compare_rows, &parameter_count);
	for (size_t i = 1; i < count; i++)
		if (!compare_rows(self->rows.indices + (i - 1) * parameter_count,
			    self->rows.indices + i * parameter_count,
			    &parameter_count)) {
			at_search_space_free(self);
			return at_fail(err, AT_EINVAL, NULL, 0,
				"a configuration is there twice");
		}
	*out = self;
	return AT_OK;
}

void at_search_space_free(struct at_search_space *self)
{
	if (!self)
		return;
	at_configurations_release(&self->rows);
	free(self->parameters);
	free(self);
}

size_t at_search_space_parameter_count(const struct at_search_space *self)
{
	return self->parameter_count;
}

const struct at_search_parameter *at_search_space_parameter(
	const struct at_search_space *self, size_t parameter)
{
	return &self->parameters[parameter];
}

uint64_t at_search_space_count(const struct at_search_space *self)
{
	return self->rows.count;
}

void at_search_space_get(
	const struct at_search_space *self, uint64_t index, uint16_t *configuration)
{
	memcpy(configuration, at_configurations_row(&self->rows, index),
		self->parameter_count * sizeof(*configuration));
}

uint64_t at_search_space_find(
	const struct at_search_space *self, const uint16_t *configuration)
{
	size_t index = at_configurations_find(&self->rows, configuration);

	return index == SIZE_MAX ? AT_NO_CONFIGURATION : index;
}

uint64_t at_search_space_draw(
	const struct at_search_space *self, struct at_random *random)
{
	return at_random_below(random, self->rows.count);
}

size_t at_search_space_neighbours_max(const struct at_search_space *self)
{
	size_t most = 0;

	for (size_t i = 0; i < self->parameter_count; i++)
		most += self->parameters[i].value_count - 1;
	return most;
}

size_t at_search_space_neighbours(const struct at_search_space *self, uint64_t index,
	enum at_neighbours kind, uint64_t *neighbours)
{
	uint16_t configuration[256];
	size_t found = 0;

	at_search_space_get(self, index, configuration);
	for (size_t i = 0; i < self->parameter_count; i++) {
		const struct at_search_parameter *parameter = &self->parameters[i];
		uint16_t value = configuration[i];
		bool any = kind == AT_NEIGHBOURS_ANY ||
			   parameter->type == AT_TYPE_WORD ||
			   parameter->type == AT_TYPE_BOOLEAN;

		for (size_t j = value; j-- > 0;) {
			uint64_t other;

			configuration[i] = (uint16_t)j;
			other = at_search_space_find(self, configuration);
			if (other == AT_NO_CONFIGURATION)
				continue;
			neighbours[found++] = other;
			if (!any)
				break;
		}
		for (size_t j = (size_t)value + 1; j < parameter->value_count; j++) {
			uint64_t other;

			configuration[i] = (uint16_t)j;
			other = at_search_space_find(self, configuration);
			if (other == AT_NO_CONFIGURATION)
				continue;
			neighbours[found++] = other;
			if (!any)
				break;
		}
		configuration[i] = value;
	}
	return found;
}

uint64_t at_search_space_nearest(
	const struct at_search_space *self, const uint16_t *configuration)
{
	double least = INFINITY;
	uint64_t nearest = 0;

	for (uint64_t i = 0; i < self->rows.count; i++) {
		const uint16_t *row = at_configurations_row(&self->rows, i);
		double distance = 0;

		for (size_t j = 0; j < self->parameter_count; j++) {
			const struct at_search_parameter *parameter =
				&self->parameters[j];

			if (parameter->type == AT_TYPE_WORD)
				distance += row[j] != configuration[j];
			else if (parameter->value_count > 1)
				distance += fabs((double)row[j] - configuration[j]) /
					    (double)(parameter->value_count - 1);
		}
		if (distance < least) {
			least = distance;
			nearest = i;
		}
	}
	return nearest;
}
