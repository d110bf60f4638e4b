#include "space/diagram.h"
#include "base/memory.h"
#include "space/checked.h"

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
	 * Copied field by field into cleared memory: what lies between the fields is
	 * hashed with them. Nodes of different levels are never equal: their children
	 * are not, down to those whose child is the end.
	 */
	memset(diagram->edges + added.first, 0, count * sizeof(*edges));
	for (size_t i = 0; i < count; i++) {
		diagram->edges[added.first + i].before = edges[i].before;
		diagram->edges[added.first + i].child = edges[i].child;
		diagram->edges[added.first + i].value = edges[i].value;
	}
	status = at_hash_index_put(&self->nodes,
		at_hash_bytes(diagram->edges + added.first, count * sizeof(*edges)),
		(uint32_t)diagram->node_count, node, err);
	if (status || *node != diagram->node_count)
		return status;
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
 * The nearest row: depth first, the nearest value first, and no further where it cannot
 * become better than the best so far (Land and Doig 1960, branch and bound). What a
 * node was found to cost at least is kept for those that come to it on another way.
 */

/* Nodes whose bounds are kept at once: they lie on the stack, 32 KiB. */
#define BOUNDS 2048

/*
 * Edges that are tried: some tenths of a millisecond. Spaces of real kernels take some
 * tens to some thousands; long lists that one product limits take more.
 */
#define STEPS_MAX 20000

struct nearest {
	const struct at_diagram *diagram;
	const struct at_diagram_target *targets;
	uint16_t *values; /* of the best */
	uint16_t *way; /* being tried */
	double least; /* what the best costs */
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

/* so_far: what the way to the node costs */
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
	/* outwards from the value that is wanted: edges[0..below) and [above..count) */
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
		/* not before there is any row to return */
		if (++self->steps > STEPS_MAX && isfinite(self->least))
			return;
		self->way[level] = edge->value;
		go_on(self, level + 1, edge->child, cost);
	}
	/* all rows below it were looked at: none came below what is the least now */
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
