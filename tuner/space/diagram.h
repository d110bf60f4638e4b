/*
 * A set of rows of equal length as a decision diagram with many values a level: rows
 * that agree from some place on share what follows, and every node counts the rows
 * below it, so that the rows are numbered in ascending order without being listed
 * (Bryant 1986, "Graph-Based Algorithms for Boolean Function Manipulation"; Srinivasan,
 * Kam, Malik and Brayton 1990, "Algorithms for Discrete Function Manipulation").
 *
 *   at_diagram_begin(&builder, &diagram, level_count);
 *   at_diagram_add(&builder, edges, count, &node, &err);    bottom up
 *   at_diagram_end(&builder, root);
 *   at_diagram_release(&diagram);
 *
 * Must not know: parameters, constraints. Threads: constant after it was made.
 */
#ifndef AT_SPACE_DIAGRAM_H
#define AT_SPACE_DIAGRAM_H

#include "base/hash_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* rows are no longer */
#define AT_DIAGRAM_LEVELS_MAX 1024
/* below the last level: the end of a row */
#define AT_DIAGRAM_END 0
/* no row goes here */
#define AT_DIAGRAM_NONE UINT32_MAX

struct at_diagram_edge {
	uint64_t before; /* rows of the node that come before those of this edge */
	uint32_t child;
	uint16_t value;
};

struct at_diagram_node {
	uint64_t count; /* rows below it; UINT64_MAX: that or more */
	uint32_t first; /* into edges, ascending by value */
	uint32_t edge_count;
};

struct at_diagram {
	size_t level_count;
	uint32_t root; /* AT_DIAGRAM_NONE: no row */
	struct at_diagram_node *nodes;
	size_t node_count;
	size_t node_capacity;
	struct at_diagram_edge *edges;
	size_t edge_count;
	size_t edge_capacity;
};

struct at_diagram_builder {
	struct at_diagram *diagram;
	struct at_hash_index nodes; /* by what they are */
};

/* *diagram is released by the caller, also after a failure. */
enum at_status at_diagram_begin(struct at_diagram_builder *self,
	struct at_diagram *diagram, size_t level_count, struct at_error *err);
/*
 * A node with these edges, ascending by value, whose `before` is filled here; the one
 * that there is already, where there is. No edge: AT_DIAGRAM_NONE.
 */
enum at_status at_diagram_add(struct at_diagram_builder *self,
	struct at_diagram_edge *edges, size_t count, uint32_t *node,
	struct at_error *err);
/* Gives back what only building needs; also after a failure. */
void at_diagram_end(struct at_diagram_builder *self, uint32_t root);
void at_diagram_release(struct at_diagram *self);

/*
 * The product of several, none of them empty: a row of the first, followed by a row of
 * the second, and so on; as many nodes as they have together. *out is released by the
 * caller, also after a failure.
 */
enum at_status at_diagram_chain(const struct at_diagram *diagrams, size_t count,
	struct at_diagram *out, struct at_error *err);
/*
 * Keeps the rows first <= row < end of it, which is at least one and not more than
 * there are; at most two nodes a level are added for that.
 */
enum at_status at_diagram_cut(
	struct at_diagram *self, uint64_t first, uint64_t end, struct at_error *err);

uint64_t at_diagram_count(const struct at_diagram *self);
/* NULL where the node has no such edge. */
const struct at_diagram_edge *at_diagram_find(
	const struct at_diagram *self, uint32_t node, uint16_t value);
/* The edge that the node's row number `row` takes; row < its count. */
const struct at_diagram_edge *at_diagram_pick(
	const struct at_diagram *self, uint32_t node, uint64_t row);

/* What a row is to be near to, a level. */
struct at_diagram_target {
	uint16_t value;
	uint16_t span; /* a step of one value costs 1 / span; 0: of any number, 1 */
};

/*
 * The row that is nearest to the targets, one a level, into values. The search is
 * complete unless it took too many steps; then it is the nearest that it saw. The
 * diagram is not empty.
 */
void at_diagram_nearest(const struct at_diagram *self,
	const struct at_diagram_target *targets, uint16_t *values);

#endif
