/*
 * The residual of a condition when some slots have values and others are open: either
 * the condition is decided, or a key identifies what its result still depends on. Two
 * assignments with the same key give the same result for every assignment of the open
 * slots, so an enumeration may merge them. For A * B * C <= 64 the key has 64 / (A *
 * B), not A and B.
 *
 * Threads: a pure function of its arguments.
 */
#ifndef AT_SPACE_EXPRESSION_RESIDUAL_H
#define AT_SPACE_EXPRESSION_RESIDUAL_H

#include "base/hash.h"
#include "space/expression.h"

/* What is known of a slot without a value. */
struct at_open_slot {
	bool is_open;
	/* All its possible values are integers or booleans from low to high. */
	bool is_integer;
	int64_t low;
	int64_t high;
};

enum at_residual {
	AT_RESIDUAL_OPEN = 0, /* undecided; see the key */
	AT_RESIDUAL_HOLDS, /* true for all values of the open slots */
	AT_RESIDUAL_FAILS, /* false for all values of the open slots */
};

/*
 * slots and open have an item per slot. Keys are comparable only for the same condition
 * with the same open slots. A condition that may fail to evaluate stays OPEN. *key is
 * set only for OPEN.
 */
enum at_residual at_expression_residual(const struct at_expression *self,
	const struct at_value *slots, const struct at_open_slot *open,
	struct at_hash *key);

#endif
