/* Makes search spaces, and answers queries. */
#include "space/search_space.h"

#include "base/memory.h"
#include "space/checked.h"
#include "space/search_space_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A space without configurations. The caller fills in the parameters. AT_EOVERFLOW:
   more than AT_DIAGRAM_LEVELS_MAX parameters. */
static enum at_status allocate(size_t parameter_count, size_t group_count,
	struct at_search_space **out, struct at_error *err)
{
	struct at_search_space *self;

	/* Queries have an array of this many levels on the stack. */
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

static void add_column(
	struct at_search_space *self, size_t parameter, size_t group, size_t level)
{
	self->columns_of[parameter] = self->column_count;
	self->columns[self->column_count++] =
		(struct at_column){ parameter, group, level };
}

/*
 * Adds the columns in the order of the file, if every group's levels are in that order.
 * The columns of any other group fill the places of the group's parameters in the order
 * of its levels.
 */
static void add_columns(struct at_search_space *self,
	const struct at_enumerator *enumerator, size_t *const *orders)
{
	for (size_t i = 0; i < self->parameter_count; i++)
		for (size_t j = 0; j < enumerator->group_count; j++) {
			const struct at_group *group = &enumerator->groups[j];

			for (size_t k = 0; k < group->parameter_count; k++)
				if (group->parameters[k] == i)
					add_column(self,
						group->parameters[orders[j][k]], j, k);
		}
}

/* The most steps for making the groups: four seconds. */
#define STEPS_MAX ((uint64_t)3 << 27)

/* Makes the groups in turn; each counts what it removes of what earlier groups left. */
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
		status = allocate(
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

/* ---- from rows that are listed ----------------------------------------------------
 */

/* A row with its width, for qsort(). */
struct row {
	const uint16_t *values;
	size_t width;
	size_t index; /* before sorting */
};

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	for (size_t i = 0; i < a->width; i++)
		if (a->values[i] != b->values[i])
			return a->values[i] < b->values[i] ? -1 : 1;
	return 0;
}

/* Makes the node of sorted rows that agree on all levels above. Recursive, one call per
   level: at most 1024 deep. */
static enum at_status add_rows(struct at_diagram_builder *builder,
	const struct row *rows, size_t count, size_t level, uint32_t *node,
	struct at_error *err)
{
	struct at_diagram_edge *edges = NULL;
	size_t edge_count = 0, capacity = 0;
	enum at_status status = AT_OK;

	*node = count ? AT_DIAGRAM_END : AT_DIAGRAM_NONE;
	if (!count || level == rows->width)
		return AT_OK;
	for (size_t first = 0, end; first < count && !status; first = end) {
		struct at_diagram_edge edge = { .value = rows[first].values[level] };

		for (end = first; end < count && rows[end].values[level] == edge.value;)
			end++;
		status = add_rows(builder, rows + first, end - first, level + 1,
			&edge.child, err);
		AT_GROW(edges, capacity, edge_count + 1);
		edges[edge_count++] = edge;
	}
	if (!status)
		status = at_diagram_add(builder, edges, edge_count, node, err);
	free(edges);
	return status;
}

enum at_status at_search_space_from_rows(const struct at_search_parameter *parameters,
	size_t parameter_count, const uint16_t *rows, size_t count,
	struct at_search_space **out, struct at_error *err)
{
	struct at_search_space *self = NULL;
	struct at_diagram_builder builder;
	struct row *sorted;
	uint32_t root = AT_DIAGRAM_NONE;
	enum at_status status = allocate(parameter_count, 1, &self, err);

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
	sorted = at_calloc(count + 1, sizeof(*sorted));
	for (size_t i = 0; i < count; i++)
		sorted[i] =
			(struct row){ rows + i * parameter_count, parameter_count, i };
	qsort(sorted, count, sizeof(*sorted), compare_rows);
	for (size_t i = 1; i < count && !status; i++)
		if (!compare_rows(&sorted[i - 1], &sorted[i])) {
			const size_t a = sorted[i - 1].index, b = sorted[i].index;

			status = at_fail(err, AT_EINVAL, NULL, 0,
				"configurations %zu and %zu are the same",
				a < b ? a : b, a < b ? b : a);
		}
	if (!status)
		status = at_diagram_begin(
			&builder, &self->groups[0], parameter_count, err);
	if (!status) {
		status = add_rows(&builder, sorted, count, 0, &root, err);
		at_diagram_end(&builder, status ? AT_DIAGRAM_NONE : root);
	}
	free(sorted);
	if (status) {
		at_search_space_free(self);
		return status;
	}
	for (size_t i = 0; i < parameter_count; i++)
		add_column(self, i, 0, i);
	self->count = at_diagram_count(&self->groups[0]);
	*out = self;
	return AT_OK;
}

/* ---- a part of a space, for one of several concurrent runs.

   A range of the configurations is not a product of groups. But the product of the
   groups as one diagram has no more nodes than the groups together, and a range of a
   diagram's rows is a diagram. So queries of a part take as long as those of the whole,
   and every index is a configuration.

   Taking every n-th configuration would be a fairer sample but a bad space: almost no
   two of them differ in only one parameter, and searches depend on such steps. */

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
	status = allocate(whole->parameter_count, 1, &self, err);
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
		/* by group, each in the order of its levels */
		for (size_t group = 0, level = 0; group < whole->group_count; group++)
			for (size_t i = 0; i < whole->column_count; i++)
				if (whole->columns[i].group == group)
					add_column(self, whole->columns[i].parameter, 0,
						level++);
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

/* ---- queries: indices to configurations and back, neighbours, the nearest. All of
   them follow the columns. ---- */

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

static void start(const struct at_search_space *self, uint32_t *nodes)
{
	for (size_t i = 0; i < self->group_count; i++)
		nodes[i] = self->groups[i].root;
}

/*
 * The number of configurations that agree with the columns followed so far is the
 * product of the rows below each group's node. Following an edge of the next column's
 * group leaves that edge's rows, each combined with all remaining rows of the other
 * groups.
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

/* A configuration's position before one of its columns. */
struct place {
	uint32_t node; /* of the column's group */
	uint64_t left; /* configurations that agree so far */
	uint64_t index; /* of the first of these */
};

/* The index of a configuration, or AT_NO_CONFIGURATION. places (may be NULL) gets its
   position before each column. */
static uint64_t follow(const struct at_search_space *self,
	const uint16_t *configuration, struct place *places)
{
	uint32_t nodes[AT_DIAGRAM_LEVELS_MAX];
	uint64_t left = self->count, index = 0;

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
		if (places)
			places[i] = (struct place){ node, left, index };
		nodes[column->group] = edge->child;
		index += edge->before * others;
		left = others * group->nodes[edge->child].count;
	}
	return index;
}

uint64_t at_search_space_find(
	const struct at_search_space *self, const uint16_t *configuration)
{
	if (!self->count)
		return AT_NO_CONFIGURATION;
	for (size_t i = 0; i < self->parameter_count; i++)
		if (self->columns_of[i] == AT_NO_COLUMN &&
			configuration[i] != self->constants[i])
			return AT_NO_CONFIGURATION;
	return follow(self, configuration, NULL);
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
	struct place places[AT_DIAGRAM_LEVELS_MAX];
	size_t found = 0;

	at_search_space_get(self, index, configuration);
	follow(self, configuration, places);
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

	/* The distance is a sum over parameters, so the nearest row of each group is
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
