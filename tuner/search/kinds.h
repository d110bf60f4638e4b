/* The list of strategies, and what their files share. */
#ifndef AT_SEARCH_KINDS_H
#define AT_SEARCH_KINDS_H

#include "base/hash_index.h"
#include "search/strategy.h"

#include <stdbool.h>

/* The strategies in the order of --help. A new strategy is one line here. */
#define AT_STRATEGIES(X) \
	X(auto) \
	X(exhaustive) \
	X(random) \
	X(surrogate) \
	X(local) \
	X(annealing) \
	X(tabu) \
	X(genetic) \
	X(differential) \
	X(swarm) \
	X(bandit)

#define AT_STRATEGY_DECLARE(name) \
	extern const struct at_strategy_kind at_strategy_##name;
AT_STRATEGIES(AT_STRATEGY_DECLARE)
#undef AT_STRATEGY_DECLARE

struct at_pool_cost {
	uint64_t index;
	double cost; /* INFINITY: it failed; NAN: no cost reported */
};

/* A set of configurations that must not be proposed again. Its memory depends on its
   count, not on the size of the space. All zero is empty. */
struct at_tried {
	struct at_hash_index places; /* of configurations in entries */
	struct at_pool_cost *entries; /* in order of insertion */
	size_t count, capacity;
};

/* Frees the memory and leaves an empty set. */
void at_tried_release(struct at_tried *self);
bool at_tried_test(const struct at_tried *self, uint64_t index);
/* Adds an index, without a cost, unless it is in the set. Returns its place in
   entries: the former count if it is new. */
size_t at_tried_set(struct at_tried *self, uint64_t index);

#endif
