/*
 * One constraint as an automaton. The automaton reads the values of the constraint's
 * parameters one after the other and says, as soon as it is known, whether the
 * constraint holds. Two assignments of which the same is left to decide
 * (space/expression_residual.h) are one state. States from which all values lead to the
 * same states are merged, too (Moore 1956, minimization); merging from the last depth
 * upwards suffices, since the automaton has no cycles.
 *
 * Private to search_space*.c and automaton.c. Threads: constant once made; any number
 * may read it.
 */
#ifndef AT_SPACE_AUTOMATON_H
#define AT_SPACE_AUTOMATON_H

#include "space/enumerate_parts.h"

/* States that are final: whatever is read afterwards does not change them. */
#define AT_AUTOMATON_HOLDS UINT32_MAX
#define AT_AUTOMATON_FAILS (UINT32_MAX - 1)
#define AT_AUTOMATON_DIVIDES_BY_ZERO (UINT32_MAX - 2)
/*
 * The constraint cannot be evaluated here (overflow, wrong type, missing property). It
 * is an error of the space only if the other constraints let some configuration get
 * here.
 */
#define AT_AUTOMATON_ERROR (UINT32_MAX - 3)

/*
 * What the automaton does with one of its parameters; depth 0 is the one that is read
 * first.
 */
struct at_automaton_depth {
	size_t parameter; /* index in the spec */
	size_t digit_count; /* values that the parameter's domain still has */
	uint32_t state_count;
	uint32_t *next; /* the next depth's state, at [state * digit_count + digit] */
};

/* The automaton; its depths are read in order, from 0. */
struct at_automaton {
	/* one a parameter of the constraint */
	size_t depth_count;
	struct at_automaton_depth *depths;
	uint32_t start; /* before anything is read; may be a final state */
};

/*
 * Makes the automaton of a constraint. parameters: those of the tie, in the order in
 * which they are read. *steps: how many evaluations of constraints may still be made;
 * it is reduced by those that were made. AT_EOVERFLOW, without a text: *steps does not
 * suffice, or there are too many states. Release it also after a failure.
 */
enum at_status at_automaton_init(struct at_automaton *self, struct at_enumerator *of,
	const struct at_tie *tie, const size_t *parameters, uint64_t *steps);
/* Frees what self owns; a zeroed automaton is fine. */
void at_automaton_release(struct at_automaton *self);

/*
 * The state after reading `digit`, an index into the domain of the depth's parameter.
 * `depth` is the position of that parameter in the automaton. Final states stay as they
 * are.
 */
static inline uint32_t at_automaton_next(
	const struct at_automaton *self, size_t depth, uint32_t state, size_t digit)
{
	const struct at_automaton_depth *here = &self->depths[depth];

	return state >= AT_AUTOMATON_ERROR
		       ? state
		       : here->next[state * here->digit_count + digit];
}

#endif
