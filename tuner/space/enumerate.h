/*
 * Statistics of a search space: how many configurations of the Cartesian product each
 * constraint removed, and why a space is empty. at_search_space_new_with() fills them
 * in.
 *
 * Threads: pure functions of their arguments.
 */
#ifndef AT_SPACE_ENUMERATE_H
#define AT_SPACE_ENUMERATE_H

#include "space/spec.h"

struct at_enumeration {
	uint64_t cartesian; /* saturated at UINT64_MAX */
	uint64_t valid; /* those that satisfy the constraints */
	/* One per constraint of the spec: how many configurations it was the first to
	   remove, in evaluation order. With `valid` they add up to cartesian. */
	uint64_t *removed;
	uint64_t *divisions_by_zero; /* of `removed`, by a division by zero */
};

/* Counts the Cartesian product and zeroes the rest. */
void at_enumeration_init(struct at_enumeration *self, const struct at_spec *spec);
/* Frees the arrays; NULL and zeroed statistics are valid. */
void at_enumeration_release(struct at_enumeration *self);

/* Fills err with one line that names the constraint that emptied the space: the first
   one after which nothing was left. Returns AT_EINVAL. slots are those of the space. */
enum at_status at_enumeration_explain_empty(const struct at_spec *spec,
	const struct at_enumeration *statistics, const struct at_value *slots,
	struct at_error *err);

#endif
