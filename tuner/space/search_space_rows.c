/* Makes a search space of rows that are listed. */
#include "space/search_space_parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/*
 * Rows given in any order, sorted by one parameter after the other, the last one first
 * (Knuth, "The Art of Computer Programming", volume 3, 5.2.5).
 */
struct sorted {
	const uint16_t *rows;
	size_t parameter_count;
	size_t *order; /* indices of rows, ascending */
};

static uint16_t sorted_value(const struct sorted *sorted, size_t row, size_t level)
{
	return sorted->rows[sorted->order[row] * sorted->parameter_count + level];
}

struct level {
	size_t row; /* the first one that is in no child yet */
	size_t end; /* of the rows that agree on all levels above */
	struct at_diagram_edge *edges;
	size_t edge_count;
	size_t edge_capacity;
};

/*
 * Depth first, without recursion. A node is added after all its children, so that at
 * any time one node a level is unfinished.
 */
static enum at_status make_diagram(const struct sorted *rows, size_t count,
	struct at_diagram *diagram, struct at_error *err)
{
	const size_t level_count = rows->parameter_count;
	struct at_diagram_builder builder = { 0 };
	struct level *levels = at_calloc(level_count + 1, sizeof(*levels));
	uint32_t node = AT_DIAGRAM_NONE;
	size_t depth = 0;
	enum at_status status;

	status = at_diagram_begin(&builder, diagram, level_count, err);
	levels[0].end = count;
	if (level_count == 0)
		node = count ? AT_DIAGRAM_END : AT_DIAGRAM_NONE;
	while (!status && level_count) {
		struct level *level = &levels[depth];
		struct at_diagram_edge *edge;
		size_t run = level->row;

		if (run == level->end) {
			status = at_diagram_add(
				&builder, level->edges, level->edge_count, &node, err);
			if (status || depth == 0)
				break;
			level--;
			depth--;
			level->edges[level->edge_count - 1].child = node;
			continue;
		}
		AT_GROW(level->edges, level->edge_capacity, level->edge_count + 1);
		edge = &level->edges[level->edge_count++];
		*edge = (struct at_diagram_edge){ .child = AT_DIAGRAM_END,
			.value = sorted_value(rows, run, depth) };
		while (level->row < level->end &&
			sorted_value(rows, level->row, depth) == edge->value)
			level->row++;
		if (depth + 1 == level_count)
			continue;
		levels[++depth].row = run;
		levels[depth].end = level->row;
		levels[depth].edge_count = 0;
	}
	at_diagram_end(&builder, status ? AT_DIAGRAM_NONE : node);
	for (size_t i = 0; i < level_count; i++)
		free(levels[i].edges);
	free(levels);
	return status;
}

static void sort(
	struct sorted *self, const struct at_search_parameter *parameters, size_t count)
{
	size_t *to = at_calloc(count + 1, sizeof(*to)), *starts = NULL;

	for (size_t i = 0; i < count; i++)
		self->order[i] = i;
	for (size_t level = self->parameter_count; level-- > 0;) {
		size_t value_count = parameters[level].value_count, *from = self->order;

		starts = at_calloc(value_count + 1, sizeof(*starts));
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
	sorted.order = at_calloc(count + 1, sizeof(*sorted.order));
	if (!status)
		sort(&sorted, parameters, count);
	for (size_t i = 1; i < count && !status; i++)
		if (is_same_row(&sorted, i - 1, i))
			status = at_fail(err, AT_EINVAL, NULL, 0,
				"configurations %zu and %zu are the same",
				sorted.order[i - 1], sorted.order[i]);
	if (!status)
		status = make_diagram(&sorted, count, &self->groups[0], err);
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
