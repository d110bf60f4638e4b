/* Diagrams made from others: their product, and a range of their rows. */
#include "space/diagram.h"

#include "base/memory.h"
#include "space/checked.h"

#include <assert.h>
#include <stdlib.h>

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

/* Adds a node with some of the rows of another. Nodes made here are not shared. */
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

/* Recursive, one call a level: at most 1024 deep. */
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
		/* Copied, since the array of edges may move when others are added. */
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
