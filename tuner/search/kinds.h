/* The strategies that search/registry.c lists, and what their files share. */
#ifndef AT_SEARCH_KINDS_H
#define AT_SEARCH_KINDS_H

#include "search/strategy.h"

#include <stdbool.h>

extern const struct at_strategy_kind at_strategy_auto;
extern const struct at_strategy_kind at_strategy_exhaustive;
extern const struct at_strategy_kind at_strategy_random;
extern const struct at_strategy_kind at_strategy_surrogate;
extern const struct at_strategy_kind at_strategy_local;
extern const struct at_strategy_kind at_strategy_annealing;
extern const struct at_strategy_kind at_strategy_tabu;
extern const struct at_strategy_kind at_strategy_genetic;
extern const struct at_strategy_kind at_strategy_differential;
extern const struct at_strategy_kind at_strategy_swarm;
extern const struct at_strategy_kind at_strategy_bandit;

/* A set of configurations that must not be asked for again. Its memory depends on what
   is in it, at most 32 bytes each, and not on the size of the space. */
struct at_tried {
	uint64_t *slots; /* a hash table with open addressing */
	size_t slot_count; /* a power of two */
	size_t count;
};

/* Makes an empty set; at_tried_release() releases it. */
void at_tried_init(struct at_tried *self);
void at_tried_release(struct at_tried *self);
/* Whether an index is in the set. */
bool at_tried_test(const struct at_tried *self, uint64_t index);
/* Adds an index; nothing changes if it is in the set already. */
void at_tried_set(struct at_tried *self, uint64_t index);

/* Parses the options of a strategy that has none: any text is an error. */
enum at_status at_strategy_no_options(
	const char *name, const char *options, struct at_error *err);

#endif
