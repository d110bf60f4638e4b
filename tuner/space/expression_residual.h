/*
 * What is left of a condition when some of its slots have values and others are open:
 * either the condition is decided, or a key says what its result still depends on. Two
 * assignments with the same key give the same result for every assignment of the open
 * slots. So whoever goes through assignments may treat them as one: of A * B * C <= 64
 * the key has 64 / (A * B), not A and B.
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
	/* Every value it may get is an integer or a boolean from low to high. */
	bool is_integer;
	int64_t low;
	int64_t high;
};

enum at_residual {
	AT_RESIDUAL_OPEN = 0, /* not decided; the key says what is left */
	AT_RESIDUAL_HOLDS, /* true whatever values the open slots get */
	AT_RESIDUAL_FAILS, /* false whatever values the open slots get */
};

/*
 * slots and open have an item per slot. Keys may be compared only with keys of the same
 * condition with the same open slots. A condition that may fail to evaluate stays OPEN.
 * *key is set only then.
 */
enum at_residual at_expression_residual(const struct at_expression *self,
	const struct at_value *slots, const struct at_open_slot *open,
	struct at_hash *key);

#endif
