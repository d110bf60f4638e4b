/* Makes a search space: from a spec's constraints, or from a list of rows. */
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
	self = calloc(1, sizeof(*self));
	if (!self)
		return at_fail_memory(err);
	self->parameter_count = parameter_count;
	self->parameters = calloc(parameter_count + 1, sizeof(*self->parameters));
	self->constants = calloc(parameter_count + 1, sizeof(*self->constants));
	self->columns_of = calloc(parameter_count + 1, sizeof(*self->columns_of));
	self->columns = calloc(parameter_count + 1, sizeof(*self->columns));
	self->groups = calloc(group_count + 1, sizeof(*self->groups));
	self->group_count = group_count;
	if (!self->parameters || !self->constants || !self->columns_of ||
		!self->columns || !self->groups) {
		at_search_space_free(self);
		return at_fail_memory(err);
	}
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

/*
 * The most steps for counting, listing and trying before only some values are searched:
 * four seconds.
 */
#define STEPS_MAX ((uint64_t)3 << 27)

/* Multiplies what is known of the product of the groups by one more group. */
static void add_group(struct at_enumeration *statistics, const struct at_group *group)
{
	bool is_thinned = group->is_thinned && group->least < group->most;
	double count = (double)group->least;

	statistics->valid_least =
		at_saturated_multiply(statistics->valid_least, group->least);
	statistics->valid_most =
		at_saturated_multiply(statistics->valid_most, group->most);
	statistics->estimate *= is_thinned ? group->estimate : count;
	statistics->estimate_low *= is_thinned ? group->estimate_low : count;
	statistics->estimate_high *= is_thinned ? group->estimate_high : count;
	statistics->is_uncounted |= is_thinned;
}

/* No configuration is valid among the values that were tried of an uncounted group. */
static enum at_status fail_uncounted(
	const struct at_enumerator *enumerator, const struct at_group *group)
{
	return at_fail(enumerator->err, AT_EOVERFLOW, enumerator->spec->path, 0,
		"the constraints tie %zu parameters from \"%s\" on so that their configurations can be neither counted nor listed, and of some of their values none is valid: constrain them further or shorten their lists of values",
		group->parameter_count,
		enumerator->spec->parameters[group->parameters[0]].name);
}

/* Makes the groups in turn; each counts what it removes of what earlier ones let
   through. */
static enum at_status make_groups(
	struct at_search_space *self, struct at_enumerator *enumerator)
{
	size_t **orders = calloc(enumerator->group_count + 1, sizeof(*orders));
	enum at_status status = orders ? AT_OK : at_fail_memory(enumerator->err);

	enumerator->statistics->valid_least = enumerator->statistics->valid_most = 1;
	enumerator->statistics->estimate = enumerator->statistics->estimate_low =
		enumerator->statistics->estimate_high = 1;
	self->count = 1;
	for (size_t i = 0; i < enumerator->group_count && self->count && !status; i++) {
		struct at_group *group = &enumerator->groups[i];
		uint64_t others = self->count;

		for (size_t j = i + 1; j < enumerator->group_count; j++)
			others = at_saturated_multiply(
				others, enumerator->groups[j].cartesian);
		orders[i] = calloc(group->parameter_count, sizeof(**orders));
		status = orders[i] ? at_group_diagram(enumerator, group, others,
					     &self->groups[i], orders[i])
				   : at_fail_memory(enumerator->err);
		if (status)
			break;
		if (!group->is_thinned)
			group->least = group->most = at_diagram_count(&self->groups[i]);
		add_group(enumerator->statistics, group);
		self->count = at_saturated_multiply(
			self->count, at_diagram_count(&self->groups[i]));
		if (group->is_thinned && !self->count && group->most)
			status = fail_uncounted(enumerator, group);
	}
	if (!status && self->count)
		add_columns(self, enumerator, orders);
	for (size_t i = 0; orders && i < enumerator->group_count; i++)
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
	status = at_enumeration_init(statistics, spec, err);
	if (!status)
		status = at_enumerate_init(
			&enumerator, spec, slots, 0, spec->constraint_count, err);
	enumerator.statistics = statistics;
	enumerator.watch.limit = STEPS_MAX;
	enumerator.watch.poll = options->poll;
	enumerator.watch.context = options->context;
	enumerator.counts_all = options->counts_all;
	enumerator.watch.is_needed = true;
	if (!status)
		status = at_enumerate_divide(&enumerator, &is_empty);
	enumerator.watch.is_needed = false;
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
	/* Only the filter can end so here: every later part has another way. */
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
	if (is_empty || !self->count)
		statistics->valid_least = statistics->valid_most = 0;
	/* The number is exact, although not all configurations can be searched. */
	if (!statistics->is_uncounted)
		statistics->valid = statistics->valid_least;
	at_enumeration_release(&unwanted);
	*out = self;
	return AT_OK;
}

/*
 * Rows given in any order, sorted by one parameter after the other, the last one first
 * (Knuth, "The Art of Computer Programming", volume 3, 5.2.5).
 */
struct sorted {
	const uint16_t *rows;
	size_t parameter_count;
	size_t *order; /* indices of rows, ascending */
};

static uint16_t sorted_value(const void *rows, size_t row, size_t level)
{
	const struct sorted *sorted = rows;

	return sorted->rows[sorted->order[row] * sorted->parameter_count + level];
}

static enum at_status sort(struct sorted *self,
	const struct at_search_parameter *parameters, size_t count,
	struct at_error *err)
{
	size_t *to = calloc(count + 1, sizeof(*to)), *starts = NULL;

	if (!to)
		return at_fail_memory(err);
	for (size_t i = 0; i < count; i++)
		self->order[i] = i;
	for (size_t level = self->parameter_count; level-- > 0;) {
		size_t value_count = parameters[level].value_count, *from = self->order;

		starts = calloc(value_count + 1, sizeof(*starts));
		if (!starts) {
			free(to);
			return at_fail_memory(err);
		}
		for (size_t i = 0; i < count; i++)
			starts[sorted_value(self, i, level) + 1]++;
		for (size_t i = 1; i < value_count; i++)
			starts[i] += starts[i - 1];
		for (size_t i = 0; i < count; i++)
			to[starts[sorted_value(self, i, level)]++] = from[i];
		free(starts);
		self->order = to;
		to = from;
	}
	free(to);
	return AT_OK;
}

static bool is_same_row(const struct sorted *self, size_t row, size_t other)
{
	for (size_t i = 0; i < self->parameter_count; i++)
		if (sorted_value(self, row, i) != sorted_value(self, other, i))
			return false;
	return true;
}

enum at_status at_search_space_from_rows(const struct at_search_parameter *parameters,
	size_t parameter_count, const uint16_t *rows, size_t count,
	struct at_search_space **out, struct at_error *err)
{
	struct sorted sorted = { rows, parameter_count, NULL };
	struct at_search_space *self = NULL;
	enum at_status status =
		at_search_space_allocate(parameter_count, 1, &self, err);

	*out = NULL;
	if (status)
		return status;
	memcpy(self->parameters, parameters, parameter_count * sizeof(*parameters));
	for (size_t i = 0; i < count * parameter_count && !status; i++)
		if (rows[i] >= parameters[i % parameter_count].value_count)
			status = at_fail(err, AT_EINVAL, NULL, 0,
				"configuration %zu has no value number %u of %s",
				i / parameter_count, (unsigned)rows[i],
				parameters[i % parameter_count].name);
	sorted.order = calloc(count + 1, sizeof(*sorted.order));
	if (!status && !sorted.order)
		status = at_fail_memory(err);
	if (!status)
		status = sort(&sorted, parameters, count, err);
	for (size_t i = 1; i < count && !status; i++)
		if (is_same_row(&sorted, i - 1, i))
			status = at_fail(err, AT_EINVAL, NULL, 0,
				"configurations %zu and %zu are the same",
				sorted.order[i - 1], sorted.order[i]);
	if (!status)
		status = at_rows_diagram(&sorted, count, parameter_count, sorted_value,
			&self->groups[0], NULL, err);
	free(sorted.order);
	if (status) {
		at_search_space_free(self);
		return status;
	}
	for (size_t i = 0; i < parameter_count; i++)
		at_search_space_add_column(self, i, 0, i);
	self->count = at_diagram_count(&self->groups[0]);
	*out = self;
	return AT_OK;
}
