/* Makes the enumerator; parts one and two, filter and split; empty statistics. */
#include "space/enumerate.h"

#include "base/memory.h"
#include "space/checked.h"
#include "space/enumerate_parts.h"

#include <stdlib.h>
#include <string.h>

/*
 * The enumerator.
 */

void at_enumerate_init(struct at_enumerator *self, const struct at_spec *spec,
	const struct at_value *slots, size_t first, size_t last, struct at_error *err)
{
	*self = (struct at_enumerator){
		.spec = spec,
		.slots = at_calloc(spec->slot_count + 1, sizeof(*self->slots)),
		.domains = at_calloc(spec->parameter_count, sizeof(*self->domains)),
		.ties = at_calloc(last - first + 1, sizeof(*self->ties)),
		.tie_count = last - first,
		.err = err,
	};
	memcpy(self->slots, slots, spec->slot_count * sizeof(*slots));
	for (size_t i = 0; i < spec->parameter_count; i++) {
		struct at_value_set *domain = &self->domains[i];

		domain->count = spec->parameters[i].value_count;
		domain->indices = at_calloc(domain->count, sizeof(*domain->indices));
		for (size_t j = 0; j < domain->count; j++)
			domain->indices[j] = (uint16_t)j;
	}
	for (size_t i = 0; i < self->tie_count; i++) {
		struct at_tie *tie = &self->ties[i];
		size_t used_count;
		const int *used;

		tie->constraint = first + i;
		tie->expression = spec->constraints[first + i].expression;
		tie->cost = at_expression_cost(tie->expression);
		used = at_expression_slots(tie->expression, &used_count);
		tie->parameters = at_calloc(used_count + 1, sizeof(*tie->parameters));
		/*
		 * Parameters have the lowest slots, and slots come ascending. So the
		 * parameters of a tie ascend, which everything below relies on.
		 */
		for (size_t j = 0; j < used_count; j++)
			if ((size_t)used[j] < spec->parameter_count)
				tie->parameters[tie->parameter_count++] =
					(size_t)used[j];
	}
}

void at_enumerate_release(struct at_enumerator *self)
{
	for (size_t i = 0; self->domains && i < self->spec->parameter_count; i++)
		free(self->domains[i].indices);
	for (size_t i = 0; self->ties && i < self->tie_count; i++)
		free(self->ties[i].parameters);
	for (size_t i = 0; i < self->group_count; i++) {
		free(self->groups[i].parameters);
		free(self->groups[i].ties);
	}
	free(self->slots);
	free(self->domains);
	free(self->ties);
	free(self->groups);
}

/*
 * Part one, filter: decides what depends on one parameter alone. That takes one
 * evaluation a value, where the walk would need one a combination of values.
 */

/* The analyzer believes that the enumerator's ties leak; at_enumerate_release() frees
   them. */
/* NOLINTBEGIN(clang-analyzer-unix.Malloc) */

/* Removes parameters with one value left from the tie and binds them. */
static void drop_constants(struct at_enumerator *self, struct at_tie *tie)
{
	size_t kept = 0;

	for (size_t i = 0; i < tie->parameter_count; i++) {
		size_t parameter = tie->parameters[i];

		if (self->domains[parameter].count > 1)
			tie->parameters[kept++] = parameter;
		else
			at_enumerate_bind(self, parameter, 0);
	}
	tie->parameter_count = kept;
}

/* A constraint without open parameters: all configurations satisfy it, or none does. */
static enum at_status filter_everything(
	struct at_enumerator *self, struct at_tie *tie, bool *empty)
{
	int unbound_slot = -1;
	uint64_t all = 1;
	bool holds = false;
	enum at_evaluated evaluation =
		at_expression_test(tie->expression, self->slots, &holds, &unbound_slot);

	if (!evaluation && holds)
		return AT_OK;
	/* Only what earlier constraints left counts as removed by this one. */
	for (size_t i = 0; i < self->spec->parameter_count; i++)
		all = at_saturated_multiply(all, self->domains[i].count);
	at_enumerate_remove(self, tie, evaluation, all);
	*empty = true;
	return at_enumerate_check(self, tie, evaluation, unbound_slot);
}

/* A constraint of one parameter: keeps the values that satisfy it. */
static enum at_status filter_domain(
	struct at_enumerator *self, struct at_tie *tie, bool *empty)
{
	size_t parameter = tie->parameters[0];
	struct at_value_set *domain = &self->domains[parameter];
	enum at_status status = AT_OK;
	uint64_t others = 1;
	size_t kept = 0;

	for (size_t i = 0; i < self->spec->parameter_count; i++)
		if (i != parameter)
			others = at_saturated_multiply(others, self->domains[i].count);
	for (size_t i = 0; i < domain->count && !status; i++) {
		int unbound_slot = -1;
		bool holds = false;
		enum at_evaluated evaluation;

		status = at_enumerate_spend(self, tie->cost);
		if (status)
			return status;
		at_enumerate_bind(self, parameter, i);
		evaluation = at_expression_test(
			tie->expression, self->slots, &holds, &unbound_slot);
		if (!evaluation && holds) {
			domain->indices[kept++] = domain->indices[i];
			continue;
		}
		at_enumerate_remove(self, tie, evaluation, others);
		status = at_enumerate_check(self, tie, evaluation, unbound_slot);
	}
	domain->count = kept;
	*empty = kept == 0;
	return status;
}

/*
 * Filtering may leave a domain with one value, which turns constraints of two
 * parameters into constraints of one. So it repeats until a round changes nothing. Each
 * constraint is done once, so there are at most tie_count rounds.
 */
static enum at_status filter(struct at_enumerator *self, bool *empty)
{
	enum at_status status = AT_OK;
	bool changed = true;

	*empty = false;
	while (changed && !*empty && !status) {
		changed = false;
		for (size_t i = 0; i < self->tie_count && !*empty && !status; i++) {
			struct at_tie *tie = &self->ties[i];

			status = at_enumerate_spend(self, 1);
			if (status || tie->done)
				continue;
			drop_constants(self, tie);
			status = at_enumerate_spend(
				self, tie->cost + tie->parameter_count);
			if (tie->parameter_count > 1)
				continue;
			tie->done = changed = true;
			if (status)
				break;
			if (tie->parameter_count == 0)
				status = filter_everything(self, tie, empty);
			else
				status = filter_domain(self, tie, empty);
		}
	}
	return status;
}

/* NOLINTEND(clang-analyzer-unix.Malloc) */

/*
 * Part two, split: finds groups of parameters that no constraint ties to the rest.
 * Walking two groups of a thousand rows takes two thousand steps; together they would
 * take a million.
 */

/*
 * The root of the set that a parameter is in. Sets are trees of indices; their paths
 * are halved on the way (Tarjan and van Leeuwen 1984, "Worst-case analysis of set union
 * algorithms").
 */
static size_t root_of(size_t *parents, size_t parameter)
{
	while (parents[parameter] != parameter) {
		parents[parameter] = parents[parents[parameter]];
		parameter = parents[parameter];
	}
	return parameter;
}

/* parameter_count and tie_count have the sizes; they are counted again while
   filling. */
static void allocate_groups(struct at_enumerator *self)
{
	for (size_t i = 0; i < self->group_count; i++) {
		struct at_group *group = &self->groups[i];

		group->parameters =
			at_calloc(group->parameter_count, sizeof(*group->parameters));
		group->ties = at_calloc(group->tie_count + 1, sizeof(*group->ties));
		group->parameter_count = group->tie_count = 0;
		group->cartesian = 1;
	}
}

/*
 * Groups come in the order of their first parameter, so that the statistics, and which
 * failing constraint is reported, are the same in every run. Constants are in no group:
 * they are bound already. All parameters of a tie are in one group, so the first tells
 * which.
 */
static void fill_groups(struct at_enumerator *self, size_t *parents, size_t *group_of)
{
	size_t count = self->spec->parameter_count;

	for (size_t i = 0; i < count; i++)
		group_of[i] = SIZE_MAX;
	for (size_t i = 0; i < count; i++) {
		size_t root = root_of(parents, i);

		if (self->domains[i].count == 1)
			continue;
		if (group_of[root] == SIZE_MAX)
			group_of[root] = self->group_count++;
		self->groups[group_of[root]].parameter_count++;
	}
	for (size_t i = 0; i < self->tie_count; i++)
		if (!self->ties[i].done)
			self->groups[group_of[root_of(
					     parents, self->ties[i].parameters[0])]]
				.tie_count++;
	allocate_groups(self);
	for (size_t i = 0; i < count; i++) {
		struct at_group *group;

		if (self->domains[i].count == 1)
			continue;
		group = &self->groups[group_of[root_of(parents, i)]];
		group->parameters[group->parameter_count++] = i;
		group->cartesian =
			at_saturated_multiply(group->cartesian, self->domains[i].count);
	}
	for (size_t i = 0; i < self->tie_count; i++) {
		struct at_tie *tie = &self->ties[i];
		struct at_group *group;

		if (tie->done)
			continue;
		group = &self->groups[group_of[root_of(parents, tie->parameters[0])]];
		group->ties[group->tie_count++] = tie;
	}
}

static enum at_status split(struct at_enumerator *self)
{
	size_t count = self->spec->parameter_count;
	size_t *parents = at_calloc(count + 1, sizeof(*parents));
	size_t *group_of = at_calloc(count + 1, sizeof(*group_of)); /* of a root */
	enum at_status status = AT_OK;

	self->groups = at_calloc(count + 1, sizeof(*self->groups));
	for (size_t i = 0; i < count; i++)
		parents[i] = i;
	for (size_t i = 0; i < self->tie_count && !status; i++) {
		const struct at_tie *tie = &self->ties[i];

		status = at_enumerate_spend(self, 1 + tie->parameter_count);
		for (size_t j = 1; j < tie->parameter_count && !tie->done; j++)
			parents[root_of(parents, tie->parameters[j])] =
				root_of(parents, tie->parameters[0]);
	}
	if (!status)
		fill_groups(self, parents, group_of);
	free(parents);
	free(group_of);
	return status;
}

/*
 * The whole.
 */

enum at_status at_enumerate_divide(struct at_enumerator *self, bool *is_empty)
{
	enum at_status status = filter(self, is_empty);

	return status || *is_empty ? status : split(self);
}

void at_enumeration_init(struct at_enumeration *self, const struct at_spec *spec)
{
	*self = (struct at_enumeration){
		.cartesian = 1,
		.removed =
			at_calloc(spec->constraint_count + 1, sizeof(*self->removed)),
		.divisions_by_zero = at_calloc(
			spec->constraint_count + 1, sizeof(*self->divisions_by_zero)),
	};
	for (size_t i = 0; i < spec->parameter_count; i++)
		self->cartesian = at_saturated_multiply(
			self->cartesian, spec->parameters[i].value_count);
}

void at_enumeration_release(struct at_enumeration *self)
{
	if (!self)
		return;
	free(self->removed);
	free(self->divisions_by_zero);
	memset(self, 0, sizeof(*self));
}
