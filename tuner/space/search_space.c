/* Queries of a finished space: indices to configurations and back, neighbours, the
   nearest configuration. All of them follow the columns. */
#include "space/search_space.h"
#include "space/search_space_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void at_search_space_free(struct at_search_space *self)
{
	if (!self)
		return;
	for (size_t i = 0; self->groups && i < self->group_count; i++)
		at_diagram_release(&self->groups[i]);
	free(self->groups);
	free(self->parameters);
	free(self->constants);
	free(self->columns_of);
	free(self->columns);
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
	return self->count;
}

/* Sets each group's node to its root, where no column was followed yet. */
static void start(const struct at_search_space *self, uint32_t *nodes)
{
	for (size_t i = 0; i < self->group_count; i++)
		nodes[i] = self->groups[i].root;
}

/*
 * The number of configurations that agree with the columns followed so far is the
 * product of the rows below each group's node. Following an edge of the next column's
 * group leaves that edge's rows, each combined with all rows that the other groups have
 * left.
 */

void at_search_space_get(
	const struct at_search_space *self, uint64_t index, uint16_t *configuration)
{
	uint32_t nodes[AT_DIAGRAM_LEVELS_MAX];
	uint64_t left = self->count;

	assert(index < self->count);
	memcpy(configuration, self->constants,
		self->parameter_count * sizeof(*configuration));
	start(self, nodes);
	for (size_t i = 0; i < self->column_count; i++) {
		const struct at_column *column = &self->columns[i];
		const struct at_diagram *group = &self->groups[column->group];
		uint32_t node = nodes[column->group];
		uint64_t others = left / group->nodes[node].count;
		const struct at_diagram_edge *edge =
			at_diagram_pick(group, node, index / others);

		configuration[column->parameter] = edge->value;
		nodes[column->group] = edge->child;
		index -= edge->before * others;
		left = others * group->nodes[edge->child].count;
	}
}

uint64_t at_search_space_find(
	const struct at_search_space *self, const uint16_t *configuration)
{
	uint32_t nodes[AT_DIAGRAM_LEVELS_MAX];
	uint64_t left = self->count, index = 0;

	if (!self->count)
		return AT_NO_CONFIGURATION;
	for (size_t i = 0; i < self->parameter_count; i++)
		if (self->columns_of[i] == AT_NO_COLUMN &&
			configuration[i] != self->constants[i])
			return AT_NO_CONFIGURATION;
	start(self, nodes);
	for (size_t i = 0; i < self->column_count; i++) {
		const struct at_column *column = &self->columns[i];
		const struct at_diagram *group = &self->groups[column->group];
		uint32_t node = nodes[column->group];
		uint64_t others = left / group->nodes[node].count;
		const struct at_diagram_edge *edge =
			at_diagram_find(group, node, configuration[column->parameter]);

		if (!edge)
			return AT_NO_CONFIGURATION;
		nodes[column->group] = edge->child;
		index += edge->before * others;
		left = others * group->nodes[edge->child].count;
	}
	return index;
}

uint64_t at_search_space_draw(
	const struct at_search_space *self, struct at_random *random)
{
	return at_random_below(random, self->count);
}

size_t at_search_space_neighbours_max(const struct at_search_space *self)
{
	size_t most = 0;

	for (size_t i = 0; i < self->parameter_count; i++)
		most += self->parameters[i].value_count - 1;
	return most;
}

/* A configuration's position before one of its columns. */
struct place {
	uint32_t node; /* of the column's group */
	uint64_t left; /* configurations that agree with it so far */
	uint64_t index; /* of the first of these */
};

/*
 * The index of the configuration that takes another edge at a column and has the same
 * values in all other columns. The nodes of the other groups are those of the
 * configuration itself (places). AT_NO_CONFIGURATION: it is not in the space.
 */
static uint64_t step_aside(const struct at_search_space *self, size_t column,
	const struct at_diagram_edge *edge, const uint16_t *configuration,
	const struct place *places)
{
	size_t changed = self->columns[column].group;
	uint64_t left = places[column].left, index = places[column].index;
	uint32_t node = places[column].node;

	for (size_t i = column;;) {
		const struct at_column *at = &self->columns[i];
		const struct at_diagram *group = &self->groups[at->group];
		uint32_t here = at->group == changed ? node : places[i].node;
		uint64_t others = left / group->nodes[here].count;

		if (i > column)
			edge = at_diagram_find(
				group, here, configuration[at->parameter]);
		if (!edge)
			return AT_NO_CONFIGURATION;
		index += edge->before * others;
		left = others * group->nodes[edge->child].count;
		if (at->group == changed)
			node = edge->child;
		if (++i == self->column_count)
			return index;
	}
}

size_t at_search_space_neighbours(const struct at_search_space *self, uint64_t index,
	enum at_neighbours kind, uint64_t *neighbours)
{
	uint16_t configuration[AT_DIAGRAM_LEVELS_MAX];
	uint32_t nodes[AT_DIAGRAM_LEVELS_MAX];
	struct place places[AT_DIAGRAM_LEVELS_MAX];
	uint64_t left = self->count, first = 0;
	size_t found = 0;

	at_search_space_get(self, index, configuration);
	start(self, nodes);
	for (size_t i = 0; i < self->column_count; i++) {
		const struct at_column *column = &self->columns[i];
		const struct at_diagram *group = &self->groups[column->group];
		uint32_t node = nodes[column->group];
		uint64_t others = left / group->nodes[node].count;
		const struct at_diagram_edge *edge =
			at_diagram_find(group, node, configuration[column->parameter]);

		places[i] = (struct place){ node, left, first };
		nodes[column->group] = edge->child;
		first += edge->before * others;
		left = others * group->nodes[edge->child].count;
	}
	for (size_t i = 0; i < self->parameter_count; i++) {
		const struct at_search_parameter *parameter = &self->parameters[i];
		bool any = kind == AT_NEIGHBOURS_ANY ||
			   parameter->type == AT_TYPE_WORD ||
			   parameter->type == AT_TYPE_BOOLEAN;
		size_t column = self->columns_of[i], below = found;
		const struct at_diagram_edge *edge, *end;
		const struct at_diagram *group;

		if (column == AT_NO_COLUMN)
			continue;
		group = &self->groups[self->columns[column].group];
		edge = group->edges + group->nodes[places[column].node].first;
		end = edge + group->nodes[places[column].node].edge_count;
		for (; edge < end; edge++) {
			uint64_t other;

			if (edge->value == configuration[i])
				continue;
			other = step_aside(self, column, edge, configuration, places);
			if (other == AT_NO_CONFIGURATION)
				continue;
			/* Of the values below, only the last one found is adjacent. */
			if (!any && edge->value < configuration[i])
				found = below;
			neighbours[found++] = other;
			if (!any && edge->value > configuration[i])
				break;
		}
	}
	return found;
}

uint64_t at_search_space_nearest(
	const struct at_search_space *self, const uint16_t *configuration)
{
	struct at_diagram_target targets[AT_DIAGRAM_LEVELS_MAX];
	uint16_t values[AT_DIAGRAM_LEVELS_MAX], nearest[AT_DIAGRAM_LEVELS_MAX];

	/* The distance is a sum over parameters, so the nearest row of each group is a
	   part of the nearest configuration. */
	memcpy(nearest, self->constants, self->parameter_count * sizeof(*nearest));
	for (size_t group = 0; group < self->group_count; group++) {
		for (size_t i = 0; i < self->column_count; i++) {
			const struct at_column *column = &self->columns[i];
			const struct at_search_parameter *parameter =
				&self->parameters[column->parameter];

			if (column->group != group)
				continue;
			targets[column->level] = (struct at_diagram_target){
				.value = configuration[column->parameter],
				.span = parameter->type == AT_TYPE_WORD
						? 0
						: (uint16_t)(parameter->value_count -
							     1),
			};
		}
		at_diagram_nearest(&self->groups[group], targets, values);
		for (size_t i = 0; i < self->column_count; i++)
			if (self->columns[i].group == group)
				nearest[self->columns[i].parameter] =
					values[self->columns[i].level];
	}
	return at_search_space_find(self, nearest);
}
