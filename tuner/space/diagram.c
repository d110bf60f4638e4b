/* Decision diagrams: building, looking up rows, the nearest row. See diagram.h. */
#include "space/diagram.h"

#include "base/memory.h"
#include "space/checked.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum at_status at_diagram_begin(struct at_diagram_builder *self,
	struct at_diagram *diagram, size_t level_count, struct at_error *err)
{
	enum at_status status;

	*self = (struct at_diagram_builder){ .diagram = diagram };
	*diagram = (struct at_diagram){ .level_count = level_count,
		.root = AT_DIAGRAM_NONE };
	status = AT_RESERVE(diagram->nodes, diagram->node_capacity, 1, err);
	if (status)
		return status;
	diagram->nodes[AT_DIAGRAM_END] = (struct at_diagram_node){ .count = 1 };
	diagram->node_count = 1;
	return AT_OK;
}

enum at_status at_diagram_add(struct at_diagram_builder *self,
	struct at_diagram_edge *edges, size_t count, uint32_t *node,
	struct at_error *err)
{
	struct at_diagram *diagram = self->diagram;
	struct at_diagram_node added = { .first = (uint32_t)diagram->edge_count,
		.edge_count = (uint32_t)count };
	enum at_status status = AT_OK;

	*node = AT_DIAGRAM_NONE;
	if (!count)
		return AT_OK;
	if (diagram->edge_count + count > UINT32_MAX)
		return at_fail_memory(err);
	for (size_t i = 0; i < count; i++) {
		edges[i].before = added.count;
		added.count = at_saturated_add(
			added.count, diagram->nodes[edges[i].child].count);
	}
	status = AT_RESERVE(
		diagram->edges, diagram->edge_capacity, added.first + count, err);
	if (!status)
		status = AT_RESERVE(diagram->nodes, diagram->node_capacity,
			diagram->node_count + 1, err);
	if (status)
		return status;
	/*
	 * Copied field by field into cleared memory, because padding bytes are hashed
	 * too. Nodes of different levels never have equal edges, since their children
	 * differ, down to the last level, whose child is the end.
	 */
	memset(diagram->edges + added.first, 0, count * sizeof(*edges));
	for (size_t i = 0; i < count; i++) {
		diagram->edges[added.first + i].before = edges[i].before;
		diagram->edges[added.first + i].child = edges[i].child;
		diagram->edges[added.first + i].value = edges[i].value;
	}
	at_hash_index_put(&self->nodes,
		at_hash_bytes(diagram->edges + added.first, count * sizeof(*edges)),
		(uint32_t)diagram->node_count, node);
	if (*node != diagram->node_count)
		return AT_OK;
	diagram->nodes[diagram->node_count++] = added;
	diagram->edge_count += count;
	return AT_OK;
}

void at_diagram_end(struct at_diagram_builder *self, uint32_t root)
{
	at_hash_index_release(&self->nodes);
	self->diagram->root = root;
}

void at_diagram_release(struct at_diagram *self)
{
	free(self->nodes);
	free(self->edges);
	*self = (struct at_diagram){ .root = AT_DIAGRAM_NONE };
}

uint64_t at_diagram_count(const struct at_diagram *self)
{
	return self->root == AT_DIAGRAM_NONE ? 0 : self->nodes[self->root].count;
}

const struct at_diagram_edge *at_diagram_find(
	const struct at_diagram *self, uint32_t node, uint16_t value)
{
	const struct at_diagram_edge *edges = self->edges + self->nodes[node].first;
	size_t first = 0, last = self->nodes[node].edge_count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (edges[middle].value == value)
			return &edges[middle];
		if (edges[middle].value < value)
			first = middle + 1;
		else
			last = middle;
	}
	return NULL;
}

const struct at_diagram_edge *at_diagram_pick(
	const struct at_diagram *self, uint32_t node, uint64_t row)
{
	const struct at_diagram_edge *edges = self->edges + self->nodes[node].first;
	size_t first = 0, last = self->nodes[node].edge_count - 1;

	while (first < last) {
		size_t middle = first + (last - first + 1) / 2;

		if (edges[middle].before <= row)
			first = middle;
		else
			last = middle - 1;
	}
	return &edges[first];
}

/*
 * The nearest row is found depth first, nearest value first; a path is abandoned once
 * it costs as much as the best row so far (Land and Doig 1960, branch and bound). The
 * minimum cost below a node is stored for other paths to the node.
 */

/* Nodes with stored bounds, by number modulo this: 32 KiB of stack. */
#define BOUNDS 2048

/* The most edges tried: some tenths of a millisecond. Spaces of real kernels take some
   tens to some thousands; long lists limited by one product take more. */
#define STEPS_MAX 20000

struct nearest {
	const struct at_diagram *diagram;
	const struct at_diagram_target *targets;
	uint16_t *values; /* of the best row so far */
	uint16_t *way; /* the row being tried */
	double least; /* the cost of the best row */
	unsigned steps;
	struct {
		double at_least;
		uint32_t node;
	} bounds[BOUNDS];
};

static double step_cost(const struct at_diagram_target *target, uint16_t value)
{
	int apart = abs((int)value - (int)target->value);

	return target->span ? (double)apart / target->span : apart != 0;
}

/* Tries the rows below a node. so_far: the cost of the levels above. */
static void go_on(struct nearest *self, size_t level, uint32_t node, double so_far)
{
	const struct at_diagram *diagram = self->diagram;
	const struct at_diagram_target *target = &self->targets[level];
	const struct at_diagram_edge *edges =
		diagram->edges + diagram->nodes[node].first;
	size_t count = diagram->nodes[node].edge_count, below = 0, above;
	size_t slot = node % BOUNDS;

	if (level == diagram->level_count) {
		if (so_far < self->least) {
			self->least = so_far;
			memcpy(self->values, self->way, level * sizeof(*self->way));
		}
		return;
	}
	if (self->bounds[slot].node == node &&
		so_far + self->bounds[slot].at_least >= self->least)
		return;
	/* Outwards from the wanted value: edges[0..below) and edges[above..count)
	   remain. */
	while (below < count && edges[below].value < target->value)
		below++;
	above = below;
	while (below > 0 || above < count) {
		double cost_below =
			below ? step_cost(target, edges[below - 1].value) : INFINITY;
		double cost_above = above < count
					    ? step_cost(target, edges[above].value)
					    : INFINITY;
		bool is_below = cost_below < cost_above;
		double cost = so_far + (is_below ? cost_below : cost_above);
		const struct at_diagram_edge *edge =
			&edges[is_below ? --below : above++];

		if (cost >= self->least)
			break;
		/* The search does not end before it has a row. */
		if (++self->steps > STEPS_MAX && isfinite(self->least))
			return;
		self->way[level] = edge->value;
		go_on(self, level + 1, edge->child, cost);
	}
	/* All rows below the node were tried, and none costs less than the present
	   best. */
	if (self->steps <= STEPS_MAX) {
		self->bounds[slot].node = node;
		self->bounds[slot].at_least = self->least - so_far;
	}
}

void at_diagram_nearest(const struct at_diagram *self,
	const struct at_diagram_target *targets, uint16_t *values)
{
	uint16_t way[AT_DIAGRAM_LEVELS_MAX];
	struct nearest nearest = { .diagram = self,
		.targets = targets,
		.values = values,
		.way = way,
		.least = INFINITY };

	go_on(&nearest, 0, self->root, 0);
}

/* ---- diagrams from diagrams: their product, and a range of their rows ---------- */

/* Puts `from` in front of the node `tail`: the ends of its rows become `tail`, which
   has tail_count rows below it. */
static void append(struct at_diagram *self, const struct at_diagram *from,
	uint32_t tail, uint64_t tail_count)
{
	/* Node 0 of `from`, the end, is not copied. */
	uint32_t moved = (uint32_t)self->node_count - 1;

	for (size_t i = 0; i < from->edge_count; i++) {
		struct at_diagram_edge edge = from->edges[i];

		edge.before = at_saturated_multiply(edge.before, tail_count);
		edge.child = edge.child == AT_DIAGRAM_END ? tail : edge.child + moved;
		self->edges[self->edge_count + i] = edge;
	}
	for (size_t i = 1; i < from->node_count; i++) {
		struct at_diagram_node node = from->nodes[i];

		node.count = at_saturated_multiply(node.count, tail_count);
		node.first += (uint32_t)self->edge_count;
		self->nodes[self->node_count++] = node;
	}
	self->edge_count += from->edge_count;
	self->level_count += from->level_count;
	self->root = from->root == AT_DIAGRAM_END ? tail : from->root + moved;
}

enum at_status at_diagram_chain(const struct at_diagram *diagrams, size_t count,
	struct at_diagram *out, struct at_error *err)
{
	size_t nodes = 1, edges = 0;

	*out = (struct at_diagram){ .root = AT_DIAGRAM_END };
	for (size_t i = 0; i < count; i++) {
		assert(diagrams[i].root != AT_DIAGRAM_NONE);
		nodes += diagrams[i].node_count;
		edges += diagrams[i].edge_count;
	}
	if (nodes >= UINT32_MAX || edges >= UINT32_MAX)
		return at_fail_memory(err);
	AT_GROW(out->nodes, out->node_capacity, nodes);
	if (edges)
		AT_GROW(out->edges, out->edge_capacity, edges);
	out->nodes[AT_DIAGRAM_END] = (struct at_diagram_node){ .count = 1 };
	out->node_count = 1;
	for (size_t i = count; i-- > 0;)
		append(out, &diagrams[i], out->root, at_diagram_count(out));
	return AT_OK;
}

/* Adds a node with some of the rows of another. These nodes are not shared. */
static void add_node(struct at_diagram *self, struct at_diagram_edge *edges,
	size_t count, uint32_t *out)
{
	struct at_diagram_node node = { .first = (uint32_t)self->edge_count,
		.edge_count = (uint32_t)count };

	AT_GROW(self->edges, self->edge_capacity, self->edge_count + count);
	AT_GROW(self->nodes, self->node_capacity, self->node_count + 1);
	for (size_t i = 0; i < count; i++) {
		edges[i].before = node.count;
		node.count += self->nodes[edges[i].child].count;
		self->edges[self->edge_count++] = edges[i];
	}
	*out = (uint32_t)self->node_count;
	self->nodes[self->node_count++] = node;
}

/* Recursive, one call per level: at most 1024 deep. */
static enum at_status cut(struct at_diagram *self, uint32_t node, uint64_t first,
	uint64_t end, uint32_t *out, struct at_error *err)
{
	size_t count = self->nodes[node].edge_count, kept = 0;
	struct at_diagram_edge *edges;
	enum at_status status = AT_OK;

	*out = node;
	if (first == 0 && end == self->nodes[node].count)
		return AT_OK;
	edges = at_calloc(count + 1, sizeof(*edges));
	for (size_t i = 0; i < count && !status; i++) {
		/* A copy, since adding edges may move the array. */
		struct at_diagram_edge edge = self->edges[self->nodes[node].first + i];
		uint64_t rows = self->nodes[edge.child].count;
		uint64_t from = first > edge.before ? first - edge.before : 0;
		uint64_t to = end > edge.before ? end - edge.before : 0;

		if (to > rows)
			to = rows;
		if (from >= to)
			continue;
		status = cut(self, edge.child, from, to, &edge.child, err);
		edges[kept++] = edge;
	}
	if (!status)
		add_node(self, edges, kept, out);
	free(edges);
	return status;
}

enum at_status at_diagram_cut(
	struct at_diagram *self, uint64_t first, uint64_t end, struct at_error *err)
{
	assert(first < end && end <= at_diagram_count(self));
	return cut(self, self->root, first, end, &self->root, err);
}
