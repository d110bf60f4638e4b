/*
 * Iterated local search (Lourenço, Martin and Stützle 2003, "Iterated Local Search"):
 * it descends from neighbour to neighbour until no neighbour is better. Then it
 * changes several parameters of the best place at once, and descends from there. If
 * that ends lower the search stays there, otherwise it goes back.
 */
#include "search/moves.h"

enum improvement { IMPROVEMENT_FIRST, IMPROVEMENT_BEST };

struct local {
	struct at_moves base;
	size_t neighbours;
	size_t improvement;
	size_t perturbation;
};

static const char *const neighbour_words[] = { "adjacent", "any", NULL };
static const char *const improvement_words[] = { "first", "best", NULL };
static const struct at_search_option options[] = {
	AT_MOVES_START(struct local),
	{ "neighbours", AT_OPTION(struct local, neighbours), AT_NEIGHBOURS_ANY,
		neighbour_words },
	{ "improvement", AT_OPTION(struct local, improvement), IMPROVEMENT_FIRST,
		improvement_words },
	{ "perturbation", AT_OPTION(struct local, perturbation), 5, .low = 1,
		.high = 64 },
};

/* Moves to the lowest known neighbour, whoever proposed it. True: it moved. */
static bool descend(struct local *self)
{
	struct at_pool *pool = &self->base.base.pool;
	size_t count = at_search_space_neighbours(pool->space, self->base.current,
		(enum at_neighbours)self->neighbours, pool->neighbours);
	struct at_pool_cost lowest = { AT_NO_CONFIGURATION, self->base.current_cost };

	for (size_t i = 0; i < count; i++) {
		double cost = at_pool_cost(pool, pool->neighbours[i]);

		/* false for NAN: the cost is not known */
		if (cost < lowest.cost)
			lowest = (struct at_pool_cost){ pool->neighbours[i], cost };
	}
	if (lowest.index == AT_NO_CONFIGURATION)
		return false;
	at_moves_go(&self->base, lowest);
	return true;
}

static uint64_t propose(struct at_moves *moves, int attempt)
{
	struct local *self = (struct local *)moves;
	struct at_pool *pool = &moves->base.pool;
	uint64_t index;

	(void)attempt;
	do {
		if (self->improvement == IMPROVEMENT_FIRST)
			while (descend(self))
				;
		index = at_pool_free_neighbour(
			pool, moves->current, (enum at_neighbours)self->neighbours);
		if (index != AT_NO_CONFIGURATION)
			return index;
	} while (descend(self));
	/* no neighbour is lower: change several parameters of the best place */
	at_search_space_get(pool->space, moves->elite.members[0].index, moves->rows[0]);
	for (size_t j = 0; j < self->perturbation && pool->parameter_count; j++) {
		size_t parameter =
			(size_t)at_random_below(&pool->random, pool->parameter_count);

		moves->rows[0][parameter] =
			at_pool_mutate(pool, parameter, moves->rows[0][parameter]);
	}
	moves->jump = at_pool_repair(pool, moves->rows[0]);
	return moves->jump;
}

static const struct at_move_rule rule = {
	.bytes = sizeof(struct local),
	.options = options,
	.option_count = AT_COUNT_OF(options),
	.attempts = 16,
	.least = 1,
	.propose = propose,
};

const struct at_strategy_kind at_strategy_local = {
	.name = "local",
	.summary =
		"local search: goes to better neighbours, and begins again near the best it found",
	AT_MOVES(rule),
};
