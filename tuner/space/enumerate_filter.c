/* Parts one and two: what can be decided a parameter at a time, and groups. */
#include "space/checked.h"
#include "space/enumerate_parts.h"

#include <stdlib.h>

uint64_t at_search_cartesian(const struct at_search *self)
{
	uint64_t product = 1;

	for (size_t i = 0; i < self->spec->parameter_count; i++)
		product = at_saturated_multiply(product, self->domains[i].count);
	return product;
}

/* a parameter with one value left is a constant from here on */
static void drop_constants(struct at_search *self, struct at_tie *tie)
{
	size_t kept = 0;

	for (size_t i = 0; i < tie->parameter_count; i++) {
		size_t parameter = tie->parameters[i];

		if (self->domains[parameter].count > 1)
			tie->parameters[kept++] = parameter;
		else
			at_search_bind(self, parameter, 0);
	}
	tie->parameter_count = kept;
}

static enum at_status filter_everything(
	struct at_search *self, struct at_tie *tie, bool *empty)
{
	int unbound_slot = -1;
	bool holds = false;
	enum at_evaluated evaluation =
		at_expression_test(tie->expression, self->slots, &holds, &unbound_slot);

	if (!evaluation && holds)
		return AT_OK;
	at_search_remove(self, tie, evaluation, at_search_cartesian(self));
	*empty = true;
	return at_search_check(self, tie, evaluation, unbound_slot);
}

static enum at_status filter_domain(
	struct at_search *self, struct at_tie *tie, bool *empty)
{
	size_t parameter = tie->parameters[0];
	struct at_domain *domain = &self->domains[parameter];
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

		at_search_bind(self, parameter, i);
		evaluation = at_expression_test(
			tie->expression, self->slots, &holds, &unbound_slot);
		if (!evaluation && holds) {
			domain->indices[kept++] = domain->indices[i];
			continue;
		}
		at_search_remove(self, tie, evaluation, others);
		status = at_search_check(self, tie, evaluation, unbound_slot);
	}
	domain->count = kept;
	*empty = kept == 0;
	return status;
}

enum at_status at_search_filter(struct at_search *self, bool *empty)
{
	enum at_status status = AT_OK;
	bool changed = true;

	*empty = false;
	while (changed && !*empty && !status) {
		changed = false;
		for (size_t i = 0; i < self->tie_count && !*empty && !status; i++) {
			struct at_tie *tie = &self->ties[i];

			if (tie->done)
				continue;
			drop_constants(self, tie);
			if (tie->parameter_count > 1)
				continue;
			tie->done = changed = true;
			if (tie->parameter_count == 0)
				status = filter_everything(self, tie, empty);
			else
				status = filter_domain(self, tie, empty);
		}
	}
	return status;
}

/* the root of a parameter's set; sets are trees of indices */
static size_t root_of(size_t *parents, size_t parameter)
{
	while (parents[parameter] != parameter) {
		parents[parameter] = parents[parents[parameter]];
		parameter = parents[parameter];
	}
	return parameter;
}

static enum at_status fill_group(
	struct at_search *self, struct at_group *group, size_t *parents, size_t root)
{
	group->parameters =
		calloc(self->spec->parameter_count, sizeof(*group->parameters));
	group->ties = calloc(self->tie_count + 1, sizeof(*group->ties));
	if (!group->parameters || !group->ties)
		return at_fail_memory(self->err);
	group->cartesian = 1;
	for (size_t i = 0; i < self->spec->parameter_count; i++) {
		if (self->domains[i].count == 1 || root_of(parents, i) != root)
			continue;
		group->parameters[group->parameter_count++] = i;
		group->cartesian =
			at_saturated_multiply(group->cartesian, self->domains[i].count);
	}
	for (size_t i = 0; i < self->tie_count; i++)
		if (!self->ties[i].done &&
			root_of(parents, self->ties[i].parameters[0]) == root)
			group->ties[group->tie_count++] = &self->ties[i];
	return at_group_layout(self, group);
}

enum at_status at_search_split(struct at_search *self)
{
	size_t count = self->spec->parameter_count;
	size_t *parents = calloc(count, sizeof(*parents));
	enum at_status status = AT_OK;

	self->groups = calloc(count, sizeof(*self->groups));
	if (!parents || !self->groups)
		status = at_fail_memory(self->err);
	for (size_t i = 0; i < count && !status; i++)
		parents[i] = i;
	for (size_t i = 0; i < self->tie_count && !status; i++) {
		const struct at_tie *tie = &self->ties[i];

		for (size_t j = 1; j < tie->parameter_count && !tie->done; j++)
			parents[root_of(parents, tie->parameters[j])] =
				root_of(parents, tie->parameters[0]);
	}
	/* in the order of their first parameter */
	for (size_t i = 0; i < count && !status; i++) {
		size_t root = root_of(parents, i);
		bool first = self->domains[i].count > 1;

		for (size_t j = 0; j < i; j++)
			first = first && (root_of(parents, j) != root ||
						 self->domains[j].count == 1);
		if (first)
			status = fill_group(self, &self->groups[self->group_count++],
				parents, root);
	}
	free(parents);
	return status;
}
