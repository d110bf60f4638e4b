/*
 * What is left of a condition when some of its names have values and others are open:
 * whether it is decided, and else what its future depends on. Two assignments of which
 * the same is left make the same of every assignment of the open names, so that whoever
 * goes through assignments need not tell them apart: of A * B * C <= 64 the residual
 * knows 64 / (A * B), not A and B.
 *
 * Threads: a pure function of its arguments.
 */
#ifndef AT_SPACE_EXPRESSION_RESIDUAL_H
#define AT_SPACE_EXPRESSION_RESIDUAL_H

#include "base/hash.h"
#include "space/expression.h"

/* What is known of a slot that has no value yet. */
struct at_open_slot {
	bool is_open;
	/* all that it may become are integers or booleans, from low to high */
	bool is_integer;
	int64_t low;
	int64_t high;
};

enum at_residual {
	AT_RESIDUAL_OPEN = 0, /* the key tells what is left */
	AT_RESIDUAL_HOLDS, /* whatever the open slots become */
	AT_RESIDUAL_FAILS,
};

/*
 * slots and open: one a slot. The key compares only with keys of the same condition
 * with the same open slots. A condition that may fail to evaluate stays OPEN.
 */
enum at_residual at_expression_residual(const struct at_expression *self,
	const struct at_value *slots, const struct at_open_slot *open,
	struct at_hash *key);

#endif
