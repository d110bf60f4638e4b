/*
 * A set of rows of equal length as a multi-valued decision diagram. Each level is one
 * position of the row. Rows that agree from some position on share the nodes for the
 * rest, and every node counts the rows below it. So the rows are numbered in ascending
 * order without being listed (Bryant 1986, "Graph-Based Algorithms for Boolean Function
 * Manipulation"; Srinivasan, Kam, Malik and Brayton 1990, "Algorithms for Discrete
 * Function Manipulation").
 *
 *   at_diagram_begin(&builder, &diagram, level_count, &err);
 *   at_diagram_add(&builder, edges, count, &node, &err);    last level first
 *   at_diagram_end(&builder, root);
 *   at_diagram_release(&diagram);
 *
 * Must not know: parameters, constraints. Threads: constant once made.
 */
#ifndef AT_SPACE_DIAGRAM_H
#define AT_SPACE_DIAGRAM_H

#include "base/hash_index.h"

#include <stddef.h>
#include <stdint.h>

/* The longest row. */
#define AT_DIAGRAM_LEVELS_MAX 1024
/* The node below the last level: the row is complete. */
#define AT_DIAGRAM_END 0
/* No node: no row continues here. */
#define AT_DIAGRAM_NONE UINT32_MAX

/* The rows of a node that have this value at the node's level. */
struct at_diagram_edge {
	uint64_t before; /* rows of the node with an earlier edge */
	uint32_t child; /* the node of the next level, or AT_DIAGRAM_END */
	uint16_t value;
};

/* Rows that are equal from a level on. */
struct at_diagram_node {
	uint64_t count; /* rows below it, saturated at UINT64_MAX */
	uint32_t first; /* index into edges; the node's edges ascend by value */
	uint32_t edge_count;
};

/* The nodes and edges of all levels; node AT_DIAGRAM_END is the end of a row. */
struct at_diagram {
	size_t level_count; /* the length of a row */
	uint32_t root; /* AT_DIAGRAM_NONE: the set is empty */
	struct at_diagram_node *nodes;
	size_t node_count;
	size_t node_capacity;
	struct at_diagram_edge *edges;
	size_t edge_count;
	size_t edge_capacity;
};

/* Finds nodes with equal edges while a diagram is built. */
struct at_diagram_builder {
	struct at_diagram *diagram;
	struct at_hash_index nodes; /* existing nodes, by their edges */
};

/* Starts an empty diagram. The caller releases *diagram, also after a failure. */
enum at_status at_diagram_begin(struct at_diagram_builder *self,
	struct at_diagram *diagram, size_t level_count, struct at_error *err);
/* Sets *node to the node with these edges, which must ascend by value, and fills in
   edges[].before. Reuses an equal node. With count 0 *node is AT_DIAGRAM_NONE. */
enum at_status at_diagram_add(struct at_diagram_builder *self,
	struct at_diagram_edge *edges, size_t count, uint32_t *node,
	struct at_error *err);
/* Sets the root and frees temporary memory. Call it also after a failure. */
void at_diagram_end(struct at_diagram_builder *self, uint32_t root);
/* Frees what self owns; a zeroed diagram is valid. */
void at_diagram_release(struct at_diagram *self);

/*
 * The product of several nonempty diagrams: each row is a row of the first, then a row
 * of the second, and so on. It has as many nodes as the diagrams together. The caller
 * releases *out, also after a failure.
 */
enum at_status at_diagram_chain(const struct at_diagram *diagrams, size_t count,
	struct at_diagram *out, struct at_error *err);
/* Keeps only the rows number first to end - 1; first < end <= the diagram's count. Adds
   at most two nodes per level. */
enum at_status at_diagram_cut(
	struct at_diagram *self, uint64_t first, uint64_t end, struct at_error *err);

/* The number of rows, saturated at UINT64_MAX. */
uint64_t at_diagram_count(const struct at_diagram *self);
/* The edge of the node with this value, or NULL. */
const struct at_diagram_edge *at_diagram_find(
	const struct at_diagram *self, uint32_t node, uint16_t value);
/* The edge of row number `row` of those below the node; row < the node's count. */
const struct at_diagram_edge *at_diagram_pick(
	const struct at_diagram *self, uint32_t node, uint64_t row);

struct at_diagram_target {
	uint16_t value;
	uint16_t span; /* a step of one value costs 1 / span; 0: any other costs 1 */
};

/*
 * Writes the row nearest to the targets (one per level). The distance is the sum of the
 * costs over all levels. The result is exact unless the search takes too many steps;
 * then it is the nearest row so far. The diagram must not be empty.
 */
void at_diagram_nearest(const struct at_diagram *self,
	const struct at_diagram_target *targets, uint16_t *values);

#endif
