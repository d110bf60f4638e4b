/*
 * What strategies share that draw at random and learn from results: the taken
 * configurations, their costs, the best few, and untried candidates.
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
 * A configuration is *taken* once it was proposed, told or excluded. Memory depends
 * on the number of taken configurations, not on the size of the space.
 *
 * Threads: one, as a strategy.
 */
#ifndef AT_SEARCH_POOL_H
#define AT_SEARCH_POOL_H

#include "base/random.h"
#include "search/kinds.h"
#include "search/options.h"

/* The largest start. */
#define AT_START_MOST 256

/*
 * The default size of a start. A smaller one is better where the space descends to
 * the optimum from everywhere, a larger one where the optimum is a needle. Local
 * search over 200 evaluations gains +.786, +.773, +.752 over random search on planted
 * spaces with 12, 16, 24 configurations, and +.486, +.526, +.560 on recorded spaces
 * (0 is random search, 1 the optimum at once).
 */
#define AT_START_DEFAULT 16

/* The most candidates from priors: as many as a start has. */
#define AT_CANDIDATES_MOST AT_START_DEFAULT

struct at_pool {
	const struct at_search_space *space;
	size_t parameter_count;
	struct at_random random;
	struct at_tried taken; /* proposed, told or excluded, with the last costs */
	size_t told_count;
	struct at_strategy *order; /* random search: yields every index once */
	uint64_t *neighbours; /* room for the neighbours of one configuration */
	uint16_t *scratch; /* room for two configurations */
	uint64_t candidates[AT_CANDIDATES_MOST]; /* from priors: proposed first */
	size_t candidate_count, candidate_next;
};

/* The first member of every strategy that has a pool. */
struct at_pooled {
	struct at_strategy strategy;
	struct at_pool pool;
};

/* Initializes and releases the base of a strategy with its pool; space is borrowed. */
void at_pooled_init(struct at_pooled *self, const struct at_strategy_kind *kind,
	const struct at_search_space *space, uint64_t seed);
void at_pooled_release(struct at_pooled *self);
/* prior() and exclude() of these strategies. at_pool_start() proposes the best of a
   prior first: more of them, the greater its similarity. */
enum at_status at_pooled_prior(struct at_strategy *strategy,
	const struct at_prior *prior, struct at_error *err);
void at_pooled_exclude(struct at_strategy *strategy, uint64_t index);

void at_pool_tell(struct at_pool *self, const struct at_told *told);
/* The last cost; INFINITY: it failed; NAN: no result yet. */
double at_pool_cost(const struct at_pool *self, uint64_t index);

/* Takes a configuration. False: it is already taken. */
bool at_pool_take(struct at_pool *self, uint64_t index);
/* Takes any free configuration, with equal probability. False: all are taken. */
bool at_pool_draw(struct at_pool *self, uint64_t *index);
/*
 * Takes the next configuration of the start: the best of priors, then configurations
 * far apart, until `count` are taken, including those that others took. Each is the
 * one of a few random configurations that is farthest from all before it: Mitchell
 * 1991, "Spectrally optimal sampling for distribution ray tracing". False: the start
 * is over.
 */
bool at_pool_start(struct at_pool *self, size_t count, uint64_t *index);
/*
 * A random neighbour: each parameter is equally likely, and so is each of its values.
 * Otherwise a parameter with many values would take nearly all steps.
 * AT_NO_CONFIGURATION: no neighbour exists. Takes nothing.
 */
uint64_t at_pool_step(struct at_pool *self, uint64_t center, enum at_neighbours kind);
/* Like at_pool_step(), but only among free neighbours. */
uint64_t at_pool_free_neighbour(
	struct at_pool *self, uint64_t center, enum at_neighbours kind);
/* The index of a configuration, or of the nearest one in the space. Repairs
   configurations that were combined from several others. Takes nothing. */
uint64_t at_pool_repair(const struct at_pool *self, const uint16_t *configuration);
/*
 * Another value of the parameter. A word changes to any other. A number moves one
 * place in the list with probability 1/2, otherwise to any other. A parameter with
 * one value keeps it.
 */
uint16_t at_pool_mutate(struct at_pool *self, size_t parameter, uint16_t value);

/* The best configurations, without duplicates, best first; among equals the newest is
   first. */
#define AT_ELITE_MOST 256
struct at_elite {
	size_t size; /* capacity, 1 to AT_ELITE_MOST */
	size_t count;
	struct at_pool_cost members[AT_ELITE_MOST];
};

/* Adds a configuration. False: it failed, or is no better than the worst of a full
   elite. */
bool at_elite_tell(struct at_elite *self, uint64_t index, double cost);

#endif
