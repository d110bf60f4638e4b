#include "space/enumerate.h"
#include "space/checked.h"
#include "space/enumerate_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the search as a whole ---- */

static enum at_status fill_domains(struct at_search *self)
{
	for (size_t i = 0; i < self->spec->parameter_count; i++) {
		struct at_domain *domain = &self->domains[i];

		domain->count = self->spec->parameters[i].value_count;
		domain->indices = calloc(domain->count, sizeof(*domain->indices));
		if (!domain->indices)
			return at_fail_memory(self->err);
		for (size_t j = 0; j < domain->count; j++)
			domain->indices[j] = (uint16_t)j;
	}
	return AT_OK;
}

static enum at_status fill_ties(struct at_search *self, size_t first)
{
	for (size_t i = 0; i < self->tie_count; i++) {
		struct at_tie *tie = &self->ties[i];
		size_t slot_count;
		const int *slots;

		tie->constraint = first + i;
		tie->expression = self->spec->constraints[first + i].expression;
		slots = at_expression_slots(tie->expression, &slot_count);
		tie->parameters = calloc(slot_count + 1, sizeof(*tie->parameters));
		if (!tie->parameters)
			return at_fail_memory(self->err);
		/* parameters have the lowest slots, and slots come ascending */
		for (size_t j = 0; j < slot_count; j++)
			if ((size_t)slots[j] < self->spec->parameter_count)
				tie->parameters[tie->parameter_count++] =
					(size_t)slots[j];
	}
	return AT_OK;
}

enum at_status at_search_init(struct at_search *self, const struct at_spec *spec,
	const struct at_value *slots, size_t first, size_t last, struct at_error *err)
{
	enum at_status status;

	*self = (struct at_search){
		.spec = spec,
		.slots = calloc(spec->slot_count + 1, sizeof(*self->slots)),
		.domains = calloc(spec->parameter_count, sizeof(*self->domains)),
		.ties = calloc(last - first + 1, sizeof(*self->ties)),
		.tie_count = last - first,
		.err = err,
	};
	if (!self->slots || !self->domains || !self->ties)
		return at_fail_memory(err);
	memcpy(self->slots, slots, spec->slot_count * sizeof(*slots));
	status = fill_domains(self);
	return status ? status : fill_ties(self, first);
}

void at_search_release(struct at_search *self)
{
	for (size_t i = 0; self->domains && i < self->spec->parameter_count; i++)
		free(self->domains[i].indices);
	for (size_t i = 0; self->ties && i < self->tie_count; i++)
		free(self->ties[i].parameters);
	for (size_t i = 0; i < self->group_count; i++) {
		free(self->groups[i].parameters);
		free(self->groups[i].ties);
		free(self->groups[i].digits);
		free(self->groups[i].rows);
	}
	free(self->slots);
	free(self->domains);
	free(self->ties);
	free(self->groups);
}

enum at_status at_search_run(struct at_search *self, uint64_t *valid)
{
	enum at_status status;
	bool empty;

	*valid = 0;
	status = at_search_filter(self, &empty);
	if (status || empty)
		return status;
	status = at_search_split(self);
	*valid = 1;
	/* one after the other: what a group removes, earlier ones have let through */
	for (size_t i = 0; i < self->group_count && *valid && !status; i++) {
		uint64_t others = *valid;

		for (size_t j = i + 1; j < self->group_count; j++)
			others = at_saturated_multiply(
				others, self->groups[j].cartesian);
		status = at_search_walk(self, &self->groups[i], others);
		*valid = at_saturated_multiply(*valid, self->groups[i].valid);
	}
	return status;
}

void at_search_remove(struct at_search *self, const struct at_tie *tie,
	enum at_evaluated evaluation, uint64_t count)
{
	struct at_enumeration *statistics = self->statistics;
	size_t i = tie->constraint;

	if (!statistics)
		return;
	statistics->removed[i] = at_saturated_add(statistics->removed[i], count);
	if (evaluation == AT_EVALUATION_DIVISION_BY_ZERO)
		statistics->divisions_by_zero[i] =
			at_saturated_add(statistics->divisions_by_zero[i], count);
}

/* ---- the public side ---- */

static enum at_status init_statistics(
	struct at_enumeration *self, const struct at_spec *spec, struct at_error *err)
{
	self->valid = 0;
	self->cartesian = 1;
	for (size_t i = 0; i < spec->parameter_count; i++)
		self->cartesian = at_saturated_multiply(
			self->cartesian, spec->parameters[i].value_count);
	self->removed = calloc(spec->constraint_count + 1, sizeof(*self->removed));
	self->divisions_by_zero =
		calloc(spec->constraint_count + 1, sizeof(*self->divisions_by_zero));
	return self->removed && self->divisions_by_zero ? AT_OK : at_fail_memory(err);
}

static enum at_status keep_rows(
	const struct at_search *search, uint64_t valid, struct at_configurations *out)
{
	size_t width = search->spec->parameter_count;

	if (valid > search->limit_rows)
		return at_fail(search->err, AT_EOVERFLOW, search->spec->path, 0,
			"the space has %s%" PRIu64
			" configurations, more than the %" PRIu64
			" that can be kept; constrain it further or shorten its lists of values",
			valid == UINT64_MAX ? "more than " : "", valid,
			search->limit_rows);
	if (valid == 0)
		return AT_OK;
	if (valid > SIZE_MAX / sizeof(*out->indices) / width)
		return at_fail_memory(search->err);
	out->indices = malloc((size_t)valid * width * sizeof(*out->indices));
	if (!out->indices)
		return at_fail_memory(search->err);
	out->count = (size_t)valid;
	return at_search_multiply(search, out->indices);
}

enum at_status at_enumerate(const struct at_spec *spec, const struct at_value *slots,
	const struct at_enumerate_options *options, struct at_configurations *out,
	struct at_enumeration *statistics, struct at_error *err)
{
	struct at_search search = { .spec = spec };
	enum at_status status;

	memset(out, 0, sizeof(*out));
	memset(statistics, 0, sizeof(*statistics));
	out->parameter_count = spec->parameter_count;
	status = init_statistics(statistics, spec, err);
	if (!status)
		status = at_search_init(
			&search, spec, slots, 0, spec->constraint_count, err);
	search.statistics = statistics;
	if (!options->count_only)
		search.limit_rows =
			options->limit_rows ? options->limit_rows : UINT32_MAX;
	if (!status)
		status = at_search_run(&search, &statistics->valid);
	if (!status && !options->count_only)
		status = keep_rows(&search, statistics->valid, out);
	at_search_release(&search);
	if (status) {
		at_configurations_release(out);
		at_enumeration_release(statistics);
	}
	return status;
}

void at_configurations_release(struct at_configurations *self)
{
	if (!self)
		return;
	free(self->indices);
	memset(self, 0, sizeof(*self));
}

void at_enumeration_release(struct at_enumeration *self)
{
	if (!self)
		return;
	free(self->removed);
	free(self->divisions_by_zero);
	memset(self, 0, sizeof(*self));
}

const uint16_t *at_configurations_row(
	const struct at_configurations *self, size_t index)
{
	return self->indices + index * self->parameter_count;
}

static int compare_rows(const uint16_t *a, const uint16_t *b, size_t width)
{
	for (size_t i = 0; i < width; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

size_t at_configurations_find(
	const struct at_configurations *self, const uint16_t *configuration)
{
	size_t first = 0, last = self->count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;
		int order = compare_rows(configuration,
			at_configurations_row(self, middle), self->parameter_count);

		if (order == 0)
			return middle;
		if (order < 0)
			last = middle;
		else
			first = middle + 1;
	}
	return SIZE_MAX;
}
