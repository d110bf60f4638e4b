/*
 * What the strategies that draw on chance and on what was told have in common: which
 * configurations are taken, what the others cost, the best of them, candidates that
 * nobody tried yet.
 *
 *   struct genetic {
 *           struct at_pooled base; // first
 *           ...
 *   };
 *   at_pooled_init(&self->base, &at_strategy_genetic, space, seed, &err);
 *   if (at_pool_take(pool, index) || at_pool_draw(pool, &index)) ... ask for index
 *   at_pool_tell(pool, told);
 *   at_pooled_release(&self->base);
 *
 * It costs memory by what was taken and told, never by the size of the space. When
 * memory runs out nothing more can be taken, and at_pooled_why_done() says so.
 *
 * Threads: as a strategy, one.
 */
#ifndef AT_SEARCH_POOL_H
#define AT_SEARCH_POOL_H

#include "base/random.h"
#include "search/kinds.h"
#include "search/options.h"

#define AT_START_MOST 256

/*
 * Configurations of a start. Fewer are better where it goes down to the optimum from
 * everywhere, more where that is a needle: local search over 200 evaluations gains
 * +.786, +.773, +.752 over random search on planted spaces with 12, 16, 24 of them, and
 * +.486, +.526, +.560 on recorded ones (0 is random search, 1 the optimum at once).
 */
#define AT_START_DEFAULT 16

/* The most that priors propose: as many as a start has. */
#define AT_CANDIDATES_MOST AT_START_DEFAULT

struct at_pool {
	const struct at_search_space *space;
	size_t parameter_count;
	struct at_random random;
	struct at_tried taken; /* asked for, told or excluded */
	struct at_strategy *order; /* everything once, in random order */
	/* what was told last of each; a hash table with open addressing */
	struct at_pool_cost *costs;
	size_t slot_count; /* a power of two */
	size_t cost_count;
	uint64_t *neighbours; /* room for those of one configuration */
	uint16_t *scratch; /* room for two configurations */
	uint64_t candidates[AT_CANDIDATES_MOST]; /* of priors: asked for first */
	size_t candidate_count, candidate_next;
	size_t start_count;
	uint64_t start[AT_START_MOST]; /* what was taken first */
};

struct at_pool_cost {
	uint64_t index; /* AT_NO_CONFIGURATION: a free slot */
	double cost;
};

/* The head of every strategy that has a pool. */
struct at_pooled {
	struct at_strategy strategy;
	struct at_pool pool;
};

enum at_status at_pooled_init(struct at_pooled *self,
	const struct at_strategy_kind *kind, const struct at_search_space *space,
	uint64_t seed, struct at_error *err);
void at_pooled_release(struct at_pooled *self);
/*
 * prior(), exclude() and why_done() of these strategies. Of a prior the best are what
 * at_pool_start() gives first, the more the greater its likeness.
 */
enum at_status at_pooled_prior(struct at_strategy *strategy,
	const struct at_prior *prior, struct at_error *err);
void at_pooled_exclude(struct at_strategy *strategy, uint64_t index);
const char *at_pooled_why_done(const struct at_strategy *strategy);

/* Takes it and keeps its cost. */
void at_pool_tell(struct at_pool *self, const struct at_told *told);
/* What was told last, INFINITY of what failed; NAN: nothing was told. */
double at_pool_cost(const struct at_pool *self, uint64_t index);

/* Nobody tried it and nobody is to: from now on it is taken. */
bool at_pool_take(struct at_pool *self, uint64_t index);
/* Takes any that is left, each with the same probability; false: none is left. */
bool at_pool_draw(struct at_pool *self, uint64_t *index);
/*
 * What every search begins with: the best of priors, then configurations that lie
 * apart, until `count` are taken, those of others among them. Each is, of a few random
 * ones, the one that is farthest from those before: Mitchell 1991, "Spectrally optimal
 * sampling for distribution ray tracing". False: that was all.
 */
bool at_pool_start(struct at_pool *self, size_t count, uint64_t *index);
/*
 * A random neighbour: each parameter is as likely as another, and of one each value. A
 * long list of values would else take all steps. AT_NO_CONFIGURATION: it has none.
 * Takes nothing.
 */
uint64_t at_pool_step(struct at_pool *self, uint64_t center, enum at_neighbours kind);
/* The same of those that are left, and takes it; false: none is left. */
bool at_pool_take_neighbour(struct at_pool *self, uint64_t center,
	enum at_neighbours kind, uint64_t *index);
/*
 * The configuration itself where it is in the space, else the nearest: how what was
 * put together from parts is repaired. Takes nothing.
 */
uint64_t at_pool_repair(const struct at_pool *self, const uint16_t *configuration);
/*
 * Another value of this parameter: of words any; else one place up or down in the
 * list with probability one half, else any. The same where it has only one.
 */
uint16_t at_pool_mutate(struct at_pool *self, size_t parameter, uint16_t value);

/* The best of what was told, each once, best first; of equals the newest. */
#define AT_ELITE_MOST 256
struct at_elite {
	size_t size; /* the most to keep, 1 to AT_ELITE_MOST */
	size_t count;
	struct at_pool_cost members[AT_ELITE_MOST];
};

/*
 * False: it is not among them, as it failed or is no better than the worst of a full
 * elite.
 */
bool at_elite_tell(struct at_elite *self, uint64_t index, double cost);

#endif
