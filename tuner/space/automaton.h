/*
 * One constraint as an automaton that reads the values of its parameters, one after the
 * other, and says as soon as it is known whether the constraint holds. Assignments of
 * which the same is left (space/expression_residual.h) are one state, and so are those
 * whose further ways are the same (Moore 1956, minimization; bottom up, since it has no
 * circles).
 *
 * Private to search_space*.c. Threads: constant after it was made.
 */
#ifndef AT_SPACE_AUTOMATON_H
#define AT_SPACE_AUTOMATON_H

#include "space/enumerate_parts.h"

/* States from which it does not go on. */
#define AT_AUTOMATON_HOLDS UINT32_MAX
#define AT_AUTOMATON_FAILS (UINT32_MAX - 1)
#define AT_AUTOMATON_DIVIDES_BY_ZERO (UINT32_MAX - 2)
/* it fails to evaluate, which is an error where the assignment is come to at all */
#define AT_AUTOMATON_ERROR (UINT32_MAX - 3)

struct at_automaton_depth {
	size_t parameter;
	size_t digit_count; /* values of the parameter that are possible */
	uint32_t state_count;
	uint32_t *next; /* a state of the next depth, by state and digit */
};

struct at_automaton {
	size_t depth_count;
	struct at_automaton_depth *depths;
	uint32_t start;
};

/*
 * parameters: those of the tie, in the order in which they are read. steps: how many
 * evaluations may be made, less those that were; AT_EOVERFLOW, without a text, where
 * they do not suffice.
 */
enum at_status at_automaton_init(struct at_automaton *self, struct at_enumerator *of,
	const struct at_tie *tie, const size_t *parameters, uint64_t *steps);
void at_automaton_release(struct at_automaton *self);

static inline uint32_t at_automaton_next(
	const struct at_automaton *self, size_t depth, uint32_t state, size_t digit)
{
	const struct at_automaton_depth *here = &self->depths[depth];

	return state >= AT_AUTOMATON_ERROR
		       ? state
		       : here->next[state * here->digit_count + digit];
}

#endif
