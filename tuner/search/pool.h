/*
 * What strategies share that draw at random and learn from results: which
 * configurations are taken, what the others cost, the best of them, and candidates that
 * are not tried yet.
 *
 *   struct genetic {
 *           struct at_pooled base; // first
 *           ...
 *   };
 *   at_pooled_init(&self->base, kind, space, seed);
 *   if (at_pool_take(pool, index) || at_pool_draw(pool, &index)) ... ask for index
 *   at_pool_tell(pool, told);
 *   at_pooled_release(&self->base);
 *
 * A configuration is *taken* once it was asked for, told or excluded. Memory depends on
 * what was taken and told, not on the size of the space.
 *
 * Threads: one, as a strategy.
 */
#ifndef AT_SEARCH_POOL_H
#define AT_SEARCH_POOL_H

#include "base/random.h"
#include "search/kinds.h"
#include "search/options.h"

/* The most configurations of a start. */
#define AT_START_MOST 256

/*
 * The default number of configurations of a start. Fewer are better where the space
 * descends to the optimum from everywhere, more where the optimum is a needle. Local
 * search over 200 evaluations gains +.786, +.773, +.752 over random search on planted
 * spaces with 12, 16, 24 of them, and +.486, +.526, +.560 on recorded ones (0 is random
 * search, 1 the optimum at once).
 */
#define AT_START_DEFAULT 16

/* The most candidates that priors may propose: as many as a start has. */
#define AT_CANDIDATES_MOST AT_START_DEFAULT

struct at_pool {
	const struct at_search_space *space;
	size_t parameter_count;
	struct at_random random;
	struct at_tried taken; /* asked for, told or excluded, with the last costs */
	size_t told_count;
	struct at_strategy *order; /* random search: gives every index once */
	uint64_t *neighbours; /* room for the neighbours of one configuration */
	uint16_t *scratch; /* room for two configurations */
	uint64_t candidates[AT_CANDIDATES_MOST]; /* from priors: asked for first */
	size_t candidate_count, candidate_next;
};

/* The first member of every strategy that has a pool. */
struct at_pooled {
	struct at_strategy strategy;
	struct at_pool pool;
};

/* Makes and releases the head of a strategy with its pool; space is borrowed. */
void at_pooled_init(struct at_pooled *self, const struct at_strategy_kind *kind,
	const struct at_search_space *space, uint64_t seed);
void at_pooled_release(struct at_pooled *self);
/* The functions prior() and exclude() of these strategies. The best of a
   prior are what at_pool_start() gives first, more of them the greater its likeness. */
enum at_status at_pooled_prior(struct at_strategy *strategy,
	const struct at_prior *prior, struct at_error *err);
void at_pooled_exclude(struct at_strategy *strategy, uint64_t index);

/* Takes a configuration and keeps its cost. */
void at_pool_tell(struct at_pool *self, const struct at_told *told);
/* The cost that was told last, INFINITY for a failure; NAN: nothing was told. */
double at_pool_cost(const struct at_pool *self, uint64_t index);

/* Takes a configuration. False: it was taken already. */
bool at_pool_take(struct at_pool *self, uint64_t index);
/* Takes any that is left, each with the same probability; false: none is left. */
bool at_pool_draw(struct at_pool *self, uint64_t *index);
/*
 * Takes the next configuration of the start: the best of priors, then configurations
 * that lie apart, until `count` are taken in all, also by others. Each is the one of a
 * few random configurations that is farthest from those before: Mitchell 1991,
 * "Spectrally optimal sampling for distribution ray tracing". False: the start is over.
 */
bool at_pool_start(struct at_pool *self, size_t count, uint64_t *index);
/*
 * A random neighbour: each parameter is equally likely, and each of its values;
 * otherwise a parameter with a long list of values would take nearly all steps.
 * AT_NO_CONFIGURATION: it has none. Takes nothing.
 */
uint64_t at_pool_step(struct at_pool *self, uint64_t center, enum at_neighbours kind);
/* The same among those that are not taken. */
uint64_t at_pool_free_neighbour(
	struct at_pool *self, uint64_t center, enum at_neighbours kind);
/* The index of a configuration if it is in the space, else the nearest that is: this
   repairs what was put together from parts of others. Takes nothing. */
uint64_t at_pool_repair(const struct at_pool *self, const uint16_t *configuration);
/*
 * Another value of the parameter. For a word any other; else with probability one half
 * one place up or down in the list, otherwise any. The same value where the parameter
 * has only one.
 */
uint16_t at_pool_mutate(struct at_pool *self, size_t parameter, uint16_t value);

/* The best configurations that were told, each once, best first; of equals the
   newest. */
#define AT_ELITE_MOST 256
struct at_elite {
	size_t size; /* the most to keep, 1 to AT_ELITE_MOST */
	size_t count;
	struct at_pool_cost members[AT_ELITE_MOST];
};

/* Adds a configuration. False: it is not among them, since it failed or is no better
   than the worst of a full elite. */
bool at_elite_tell(struct at_elite *self, uint64_t index, double cost);

#endif
