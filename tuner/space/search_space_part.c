/*
 * A part of a space, for one of several who search it at once.
 *
 * A range of configurations is no product of groups; but groups that follow each other
 * in one diagram have no more nodes than they had apart, and a range of a diagram's
 * rows is a diagram: all that is asked of a part takes as long as of the whole, and
 * nothing is drawn in vain.
 *
 * Every n-th configuration would be a fairer sample, and a bad space: almost no two of
 * them differ in one parameter only, and searches live by such steps.
 */
#include "space/search_space.h"
#include "space/search_space_parts.h"

#include <assert.h>
#include <string.h>

/* group after group, each in the order of its levels */
static void add_columns(
	struct at_search_space *self, const struct at_search_space *whole)
{
	for (size_t group = 0, level = 0; group < whole->group_count; group++)
		for (size_t i = 0; i < whole->column_count; i++)
			/* of one group the columns come by level */
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
	larger = whole->count % count; /* so many have one more */
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
	/* without any column it is one configuration: there is nothing to cut */
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
