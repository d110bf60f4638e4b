/*
 * A genetic algorithm without generations. Parents are chosen by tournament among the
 * best results. A child takes each parameter from one of two parents (uniform
 * crossover, Syswerda 1989, "Uniform Crossover in Genetic Algorithms"), mutates, and
 * competes for a place as soon as its result is known (steady state: Whitley 1989,
 * "The GENITOR Algorithm and Selection Pressure"). So the search never waits for the
 * slowest child of a generation.
 */
#include "search/moves.h"

struct genetic {
	struct at_moves base; /* its elite is the set of parents */
	size_t tournament;
	double mutation; /* mutated parameters of a child, on average */
	double crossover; /* the share of children with two parents */
};

static const struct at_search_option options[] = {
	AT_MOVES_START(struct genetic),
	{ "population", AT_OPTION(struct genetic, base.elite.size), 8, .low = 2,
		.high = AT_ELITE_MOST },
	{ "tournament", AT_OPTION(struct genetic, tournament), 3, .low = 1,
		.high = 64 },
	{ "mutation", AT_OPTION(struct genetic, mutation), 1, .low = 0, .high = 16 },
	{ "crossover", AT_OPTION(struct genetic, crossover), 1, .low = 0, .high = 1 },
};

/* Draws `tournament` parents and returns the best; members are sorted, best first. */
static uint64_t parent(struct genetic *self)
{
	const struct at_elite *elite = &self->base.elite;
	uint64_t place = elite->count;

	for (size_t i = 0; i < self->tournament; i++) {
		uint64_t drawn =
			at_random_below(&self->base.base.pool.random, elite->count);

		if (drawn < place)
			place = drawn;
	}
	return elite->members[place].index;
}

static uint64_t propose(struct at_moves *moves, int attempt)
{
	struct genetic *self = (struct genetic *)moves;
	struct at_pool *pool = &moves->base.pool;
	uint16_t *child = moves->rows[0], *other = moves->rows[1];
	bool crosses;

	(void)attempt;
	at_search_space_get(pool->space, parent(self), child);
	at_search_space_get(pool->space, parent(self), other);
	crosses = at_random_unit(&pool->random) < self->crossover;
	for (size_t j = 0; j < pool->parameter_count; j++) {
		if (crosses && at_random_below(&pool->random, 2))
			child[j] = other[j];
		if (at_random_unit(&pool->random) * (double)pool->parameter_count <
			self->mutation)
			child[j] = at_pool_mutate(pool, j, child[j]);
	}
	return at_pool_repair(pool, child);
}

static const struct at_move_rule rule = {
	.bytes = sizeof(struct genetic),
	.options = options,
	.option_count = AT_COUNT_OF(options),
	.attempts = 16, /* late in a search most children are taken */
	.least = 2,
	.propose = propose,
};

const struct at_strategy_kind at_strategy_genetic = {
	.name = "genetic",
	.summary = "genetic algorithm: crosses and mutates the best configurations",
	AT_MOVES(rule),
};
