/*
 * A part of a space, for one of several runs that search it at the same time.
 *
 * A range of the configurations is no product of groups. But the product of the groups
 * as one diagram has no more nodes than they have together, and a range of a diagram's
 * rows is a diagram. So queries of a part take as long as those of the whole, and every
 * index of it is a configuration.
 *
 * Taking every n-th configuration would be a fairer sample but a bad space: almost no
 * two of them differ in only one parameter, and searches depend on such steps.
 */
#include "space/search_space.h"
#include "space/search_space_parts.h"

#include <assert.h>
#include <string.h>

/* Adds the columns group after group, each in the order of its levels. */
static void add_columns(
	struct at_search_space *self, const struct at_search_space *whole)
{
	for (size_t group = 0, level = 0; group < whole->group_count; group++)
		for (size_t i = 0; i < whole->column_count; i++)
			/* the columns of one group come in the order of its levels */
			if (whole->columns[i].group == group)
				at_search_space_add_column(
					self, whole->columns[i].parameter, 0, level++);
}

enum at_status at_search_space_part(const struct at_search_space *whole, uint64_t index,
	uint64_t count, struct at_search_space **out, struct at_error *err)
{
	uint64_t size, larger, first;
	struct at_search_space *self = NULL;
	enum at_status status;

	assert(index < count);
	*out = NULL;
	size = whole->count / count;
	larger = whole->count % count; /* this many parts have one more */
	first = index * size + (index < larger ? index : larger);
	size += index < larger;
	status = at_search_space_allocate(whole->parameter_count, 1, &self, err);
	if (status)
		return status;
	memcpy(self->parameters, whole->parameters,
		whole->parameter_count * sizeof(*self->parameters));
	memcpy(self->constants, whole->constants,
		whole->parameter_count * sizeof(*self->constants));
	self->group_count = 0;
	/* A space without columns is one configuration; there is nothing to cut. */
	if (size && whole->column_count) {
		self->group_count = 1;
		add_columns(self, whole);
		status = at_diagram_chain(
			whole->groups, whole->group_count, &self->groups[0], err);
		if (!status)
			status = at_diagram_cut(
				&self->groups[0], first, first + size, err);
	}
	if (status) {
		at_search_space_free(self);
		return status;
	}
	self->count = size;
	*out = self;
	return AT_OK;
}
