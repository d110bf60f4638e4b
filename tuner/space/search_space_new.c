/* Makes a search space from a spec's constraints. */
#include "base/memory.h"
#include "space/checked.h"
#include "space/search_space_parts.h"

#include <stdlib.h>
#include <string.h>

enum at_status at_search_space_allocate(size_t parameter_count, size_t group_count,
	struct at_search_space **out, struct at_error *err)
{
	struct at_search_space *self;

	/* Queries keep an array of this many levels on the stack. */
	if (parameter_count > AT_DIAGRAM_LEVELS_MAX)
		return at_fail(err, AT_EOVERFLOW, NULL, 0,
			"%zu parameters are more than the %d that a space may have",
			parameter_count, AT_DIAGRAM_LEVELS_MAX);
	self = at_calloc(1, sizeof(*self));
	self->parameter_count = parameter_count;
	self->parameters = at_calloc(parameter_count + 1, sizeof(*self->parameters));
	self->constants = at_calloc(parameter_count + 1, sizeof(*self->constants));
	self->columns_of = at_calloc(parameter_count + 1, sizeof(*self->columns_of));
	self->columns = at_calloc(parameter_count + 1, sizeof(*self->columns));
	self->groups = at_calloc(group_count + 1, sizeof(*self->groups));
	self->group_count = group_count;
	for (size_t i = 0; i < parameter_count; i++)
		self->columns_of[i] = AT_NO_COLUMN;
	*out = self;
	return AT_OK;
}

void at_search_space_add_column(
	struct at_search_space *self, size_t parameter, size_t group, size_t level)
{
	self->columns_of[parameter] = self->column_count;
	self->columns[self->column_count++] =
		(struct at_column){ parameter, group, level };
}

/*
 * Adds the columns in the order of the file, where every group's levels are in that
 * order. In a group whose levels are in another order, the columns take the places of
 * the group's parameters in the order of its levels.
 */
static void add_columns(struct at_search_space *self,
	const struct at_enumerator *enumerator, size_t *const *orders)
{
	for (size_t i = 0; i < self->parameter_count; i++)
		for (size_t j = 0; j < enumerator->group_count; j++) {
			const struct at_group *group = &enumerator->groups[j];

			for (size_t k = 0; k < group->parameter_count; k++)
				if (group->parameters[k] == i)
					at_search_space_add_column(self,
						group->parameters[orders[j][k]], j, k);
		}
}

/* The most steps of making the groups: four seconds. */
#define STEPS_MAX ((uint64_t)3 << 27)

/* Makes the groups in turn; each counts what it removes of what earlier ones let
   through. */
static enum at_status make_groups(
	struct at_search_space *self, struct at_enumerator *enumerator)
{
	size_t **orders = at_calloc(enumerator->group_count + 1, sizeof(*orders));
	enum at_status status = AT_OK;

	self->count = 1;
	for (size_t i = 0; i < enumerator->group_count && self->count && !status; i++) {
		struct at_group *group = &enumerator->groups[i];
		uint64_t others = self->count;

		for (size_t j = i + 1; j < enumerator->group_count; j++)
			others = at_saturated_multiply(
				others, enumerator->groups[j].cartesian);
		orders[i] = at_calloc(group->parameter_count, sizeof(**orders));
		status = at_group_diagram(
			enumerator, group, others, &self->groups[i], orders[i]);
		if (status)
			break;
		self->count = at_saturated_multiply(
			self->count, at_diagram_count(&self->groups[i]));
	}
	if (!status && self->count)
		add_columns(self, enumerator, orders);
	for (size_t i = 0; i < enumerator->group_count; i++)
		free(orders[i]);
	free(orders);
	return status;
}

enum at_status at_search_space_new(const struct at_spec *spec,
	const struct at_value *slots, struct at_search_space **out,
	struct at_enumeration *statistics, struct at_error *err)
{
	const struct at_search_space_options none = { 0 };

	return at_search_space_new_with(spec, slots, &none, out, statistics, err);
}

enum at_status at_search_space_new_with(const struct at_spec *spec,
	const struct at_value *slots, const struct at_search_space_options *options,
	struct at_search_space **out, struct at_enumeration *statistics,
	struct at_error *err)
{
	struct at_enumerator enumerator = { .spec = spec };
	struct at_enumeration unwanted = { 0 };
	struct at_search_space *self = NULL;
	enum at_status status;
	bool is_empty = false;

	if (!statistics)
		statistics = &unwanted;
	*out = NULL;
	at_enumeration_init(statistics, spec);
	at_enumerate_init(&enumerator, spec, slots, 0, spec->constraint_count, err);
	enumerator.statistics = statistics;
	enumerator.watch.limit = STEPS_MAX;
	enumerator.watch.poll = options->poll;
	enumerator.watch.context = options->context;
	status = at_enumerate_divide(&enumerator, &is_empty);
	if (!status)
		status = at_search_space_allocate(
			spec->parameter_count, enumerator.group_count, &self, err);
	for (size_t i = 0; i < spec->parameter_count && !status; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];

		self->parameters[i] = (struct at_search_parameter){ parameter->name,
			parameter->type, parameter->value_count, parameter->values };
		self->constants[i] = enumerator.domains[i].indices[0];
	}
	if (!status && !is_empty)
		status = make_groups(self, &enumerator);
	if (!status && self->count == UINT64_MAX)
		status = at_fail(err, AT_EOVERFLOW, spec->path, 0,
			"the space has more configurations than 64 bits count: constrain it further or shorten its lists of values");
	/* The first error wins, so this is the filter's. */
	if (status == AT_EOVERFLOW)
		at_fail(err, AT_EOVERFLOW, spec->path, 0,
			"the %zu constraints take too long to be held against all values: shorten them or the lists of values",
			spec->constraint_count);
	at_enumerate_release(&enumerator);
	if (status) {
		at_search_space_free(self);
		at_enumeration_release(statistics);
		return status;
	}
	statistics->valid = self->count;
	at_enumeration_release(&unwanted);
	*out = self;
	return AT_OK;
}
