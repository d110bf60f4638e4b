/*
 * Makes a group's diagram in the first way that does not take too much: the product of
 * its constraints (search_space_product.c), its rows walked and listed, or some of
 * them.
 */
#include "space/search_space_parts.h"

#include <stdlib.h>

/*
 * Limits where the product has too many states: the words of the rows that are listed,
 * 128 MiB, and the steps of walking them, two or three seconds.
 */
#define ROW_WORDS_MAX ((uint64_t)1 << 24)
#define WALK_STEPS_MAX ((uint64_t)1 << 28)

/* What listed_value() needs to read rows that were walked. */
struct listed {
	const struct at_enumerator *enumerator;
	const struct at_group *group;
};

static uint16_t listed_value(const void *rows, size_t row, size_t level)
{
	const struct listed *listed = rows;
	const struct at_digit *place = &listed->group->digits[level];
	uint64_t word =
		listed->group->rows[row * listed->group->word_count + place->word];
	uint64_t mask = ((uint64_t)1 << place->bits) - 1;

	return listed->enumerator->domains[place->parameter]
		.indices[word >> place->shift & mask];
}

/* Walks the group's rows and makes the diagram of them. AT_EOVERFLOW: there are more
   than ROW_WORDS_MAX allows. */
static enum at_status list_rows(struct at_enumerator *self, struct at_group *group,
	uint64_t others, struct at_diagram *diagram)
{
	const struct listed listed = { self, group };
	enum at_status status;

	self->limit_rows = ROW_WORDS_MAX / group->word_count;
	status = at_enumerate_walk(self, group, others);
	if (!status && group->valid > self->limit_rows)
		status = AT_EOVERFLOW;
	if (!status)
		status = at_rows_diagram(&listed, (size_t)group->valid,
			group->parameter_count, listed_value, diagram, &self->watch,
			self->err);
	free(group->rows);
	group->rows = NULL;
	return status;
}

/*
 * Where the product has too many states because they hardly ever merge, the rows are
 * walked and listed, within a limit of steps.
 */
static enum at_status walk(struct at_enumerator *self, struct at_group *group,
	uint64_t others, struct at_diagram *diagram)
{
	uint64_t limit = self->watch.limit;
	enum at_status status;

	self->watch.limit = self->watch.spent + WALK_STEPS_MAX;
	self->watch.next = 0;
	if (limit && self->watch.limit > limit)
		self->watch.limit = limit;
	status = list_rows(self, group, others, diagram);
	self->watch.limit = limit;
	return status;
}

/*
 * A group that cannot be counted is searched in part. With counts_all its rows are
 * counted all the same, without keeping any.
 */
static enum at_status list_some(struct at_enumerator *self, struct at_group *group,
	uint64_t others, struct at_diagram *diagram)
{
	struct at_enumeration *statistics = self->statistics;
	uint64_t limit = self->watch.limit, found = group->valid;
	enum at_status status = AT_OK;

	self->watch.limit = 0;
	self->watch.is_needed = true;
	self->limit_rows = 0;
	group->valid = 0;
	if (self->counts_all) {
		status = at_enumerate_walk(self, group, others);
		found = group->valid;
	} else {
		status = at_group_estimate(self, group);
	}
	if (!status)
		status = at_group_thin(self, group, &group->is_thinned);
	/* What constraints remove of some values says nothing about the whole. */
	if (group->is_thinned || self->counts_all)
		self->statistics = NULL;
	group->valid = 0;
	if (!status)
		status = list_rows(self, group, others, diagram);
	self->statistics = statistics;
	self->watch.limit = limit;
	self->watch.next = 0;
	self->watch.is_needed = false;
	if (found < group->valid)
		found = group->valid;
	group->least = found;
	group->most = self->counts_all ? found : group->most;
	return status;
}

enum at_status at_group_diagram(struct at_enumerator *self, struct at_group *group,
	uint64_t others, struct at_diagram *diagram, size_t *order)
{
	bool is_file_order = true;
	enum at_status status;

	for (size_t i = 0; i < group->parameter_count; i++)
		order[i] = i;
	group->most = group->cartesian;
	status = at_group_multiply(self, group, order, others, diagram);
	if (status != AT_EOVERFLOW)
		return status;
	at_diagram_release(diagram);
	/* The order in which a walk takes the fewest steps also has few states. */
	status = at_enumerate_order(self, group, order);
	for (size_t i = 0; i < group->parameter_count; i++)
		is_file_order = is_file_order && order[i] == i;
	if (!status)
		status = is_file_order ? AT_EOVERFLOW
				       : at_group_multiply(
						 self, group, order, others, diagram);
	if (status != AT_EOVERFLOW)
		return status;
	at_diagram_release(diagram);
	for (size_t i = 0; i < group->parameter_count; i++)
		order[i] = i;
	status = walk(self, group, others, diagram);
	if (status != AT_EOVERFLOW)
		return status;
	at_diagram_release(diagram);
	return list_some(self, group, others, diagram);
}
