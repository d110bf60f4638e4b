/*
 * Tabu search (Glover 1989, "Tabu Search, Part I"): it evaluates some neighbours of
 * its place and moves to the best of them, even if all are worse. The abandoned value
 * is tabu for some moves, so that the search does not go straight back, unless the
 * move gives a new best. After too many moves without a new best, it restarts between
 * two of the best places (Glover 1997, "Tabu Search and Adaptive Memory
 * Programming").
 */
#include "search/moves.h"

#include "base/memory.h"

#include <stdlib.h>

struct tabu {
	struct at_moves base;
	uint64_t best; /* the best result when `idle` was reset */
	size_t idle; /* moves since then */
	size_t move_count;
	size_t candidates;
	size_t tenure;
	size_t patience;
	double perturbation;
};

static const struct at_search_option options[] = {
	AT_MOVES_START(struct tabu),
	{ "candidates", AT_OPTION(struct tabu, candidates), 24, .low = 1,
		.high = 1000 },
	{ "tenure", AT_OPTION(struct tabu, tenure), 5, .low = 0, .high = 1000 },
	{ "patience", AT_OPTION(struct tabu, patience), 2, .low = 1, .high = 1000 },
	{ "perturbation", AT_OPTION(struct tabu, perturbation), 5, .low = 0,
		.high = 64 },
	{ "elite", AT_OPTION(struct tabu, base.elite.size), 8, .low = 1,
		.high = AT_ELITE_MOST },
};

/* Allocates the first place of each parameter, then for each of its values the move
   until which the value is tabu. */
static enum at_status open_tabu(struct at_moves *moves, struct at_error *err)
{
	const struct at_pool *pool = &moves->base.pool;
	size_t places = pool->parameter_count, *first;

	(void)err;
	for (size_t i = 0; i < pool->parameter_count; i++)
		places += at_search_space_parameter(pool->space, i)->value_count;
	first = moves->memory = at_calloc(places + 1, sizeof(*first));
	places = pool->parameter_count;
	for (size_t i = 0; i < pool->parameter_count; i++) {
		first[i] = places;
		places += at_search_space_parameter(pool->space, i)->value_count;
	}
	return AT_OK;
}

static size_t *until(struct tabu *self, size_t parameter, uint16_t value)
{
	size_t *first = self->base.memory;

	return &first[first[parameter] + value];
}

/* The neighbours of the present place. */
struct view {
	struct at_pool_cost best; /* the best known neighbour that is not tabu */
	size_t changed; /* the parameter in which the best differs */
	uint64_t open; /* a random neighbour that is neither taken nor tabu */
	bool is_waiting; /* some are in flight */
};

static void look(struct tabu *self, struct view *out)
{
	struct at_pool *pool = &self->base.base.pool;
	uint16_t *here = self->base.rows[0], *there = self->base.rows[1];
	size_t count = at_search_space_neighbours(
		pool->space, self->base.current, AT_NEIGHBOURS_ANY, pool->neighbours);
	size_t open_count = 0, parameter_count = 0, last = SIZE_MAX;
	bool is_chosen = false;

	*out = (struct view){ .best = { AT_NO_CONFIGURATION, INFINITY },
		.open = AT_NO_CONFIGURATION };
	at_search_space_get(pool->space, self->base.current, here);
	for (size_t j = 0; j < count; j++) {
		uint64_t neighbour = pool->neighbours[j];
		double cost = at_pool_cost(pool, neighbour);
		size_t changed = 0;
		bool is_tabu;

		if (isinf(cost))
			continue;
		at_search_space_get(pool->space, neighbour, there);
		while (here[changed] == there[changed])
			changed++;
		is_tabu = *until(self, changed, there[changed]) > self->move_count;
		if (!isnan(cost)) {
			/* a tabu neighbour with a new best was accepted when its
			   result arrived */
			if (cost < out->best.cost && !is_tabu) {
				out->best = (struct at_pool_cost){ neighbour, cost };
				out->changed = changed;
			}
			continue;
		}
		if (at_tried_test(&pool->taken, neighbour)) {
			out->is_waiting = true;
			continue;
		}
		if (is_tabu)
			continue;
		/* each parameter is equally likely, and so is each value, as in
		   at_pool_step() */
		if (changed != last) {
			is_chosen = !at_random_below(&pool->random, ++parameter_count);
			open_count = 0;
			last = changed;
		}
		if (is_chosen && !at_random_below(&pool->random, ++open_count))
			out->open = neighbour;
	}
}

/* A place between two of the best, with some parameters changed. */
static uint64_t between(struct tabu *self)
{
	struct at_pool *pool = &self->base.base.pool;
	const struct at_elite *elite = &self->base.elite;
	uint16_t *row = self->base.rows[0], *other = self->base.rows[1];

	for (int i = 0; i < 2; i++)
		at_search_space_get(pool->space,
			elite->members[at_random_below(&pool->random, elite->count)]
				.index,
			self->base.rows[i]);
	for (size_t k = 0; k < pool->parameter_count; k++) {
		if (at_random_below(&pool->random, 2))
			row[k] = other[k];
		if (at_random_unit(&pool->random) * (double)pool->parameter_count <
			self->perturbation)
			row[k] = at_pool_mutate(pool, k, row[k]);
	}
	return at_pool_repair(pool, row);
}

static uint64_t propose(struct at_moves *moves, int attempt)
{
	struct tabu *self = (struct tabu *)moves;
	struct view seen;

	(void)attempt;
	if (self->best != moves->elite.members[0].index) {
		self->best = moves->elite.members[0].index;
		self->idle = 0;
	}
	for (;;) {
		look(self, &seen);
		/* while results are in flight, it may exceed `candidates` */
		if (seen.open != AT_NO_CONFIGURATION &&
			seen.best.cost >= moves->current_cost &&
			(moves->looked < self->candidates || seen.is_waiting))
			return seen.open;
		if (seen.best.index == AT_NO_CONFIGURATION ||
			++self->idle > self->patience)
			break;
		*until(self, seen.changed, moves->rows[0][seen.changed]) =
			++self->move_count + self->tenure;
		at_moves_go(moves, seen.best);
	}
	self->idle = 0;
	moves->jump = between(self);
	return moves->jump;
}

static const struct at_move_rule rule = {
	.bytes = sizeof(struct tabu),
	.options = options,
	.option_count = AT_COUNT_OF(options),
	.attempts = 64,
	.least = 1,
	.open = open_tabu,
	.propose = propose,
};

const struct at_strategy_kind at_strategy_tabu = {
	.name = "tabu",
	.summary =
		"tabu search: goes to the best neighbour, even a slower one, but not straight back",
	AT_MOVES(rule),
};
