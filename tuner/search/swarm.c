/*
 * Particle swarm optimization (Kennedy and Eberhart 1995, "Particle Swarm
 * Optimization"; inertia and pulls as in Clerc and Kennedy 2002, "The Particle Swarm
 * - Explosion, Stability, and Convergence in a Multidimensional Complex Space").
 * Particles fly over the positions of values in their lists. Each is pulled to its
 * own best place and to the best place of all. A particle flies on before the result
 * of its last place arrives, so the swarm never waits for a whole generation.
 */
#include "search/moves.h"

#include "base/memory.h"

#include <stdlib.h>

struct swarm {
	struct at_moves base;
	double inertia;
	double pull_own;
	double pull_best;
};

static const struct at_search_option options[] = {
	AT_MOVES_START(struct swarm),
	{ "population", AT_OPTION(struct swarm, base.population), 6, .low = 1,
		.high = AT_ELITE_MOST },
	{ "inertia", AT_OPTION(struct swarm, inertia), 0.4, .low = 0, .high = 1 },
	{ "own", AT_OPTION(struct swarm, pull_own), 1, .low = 0, .high = 4 },
	{ "best", AT_OPTION(struct swarm, pull_best), 2, .low = 0, .high = 4 },
};

static enum at_status open_swarm(struct at_moves *moves, struct at_error *err)
{
	(void)err;
	moves->memory = at_calloc(
		2 * moves->population * (moves->base.pool.parameter_count + 1),
		sizeof(double));
	return AT_OK;
}

static double *place_of(const struct at_moves *moves, size_t particle)
{
	return (double *)moves->memory +
	       2 * particle * moves->base.pool.parameter_count;
}

/* Places a particle at its configuration, with velocity 0. */
static void settle(struct at_moves *moves, size_t particle)
{
	const struct at_pool *pool = &moves->base.pool;
	double *place = place_of(moves, particle);
	double *velocity = place + pool->parameter_count;

	at_search_space_get(
		pool->space, moves->members[particle].at.index, moves->rows[0]);
	for (size_t i = 0; i < pool->parameter_count; i++) {
		place[i] = moves->rows[0][i];
		velocity[i] = 0;
	}
}

/* Moves the next particle, and rounds its new place. */
static uint64_t propose(struct at_moves *moves, int attempt)
{
	struct swarm *self = (struct swarm *)moves;
	struct at_pool *pool = &moves->base.pool;
	struct at_random *random = &pool->random;
	double *place = place_of(moves, moves->next);
	double *velocity = place + pool->parameter_count;
	uint16_t *row = moves->rows[0], *own = moves->rows[1], *leader = moves->rows[2];
	size_t pushed;

	at_search_space_get(pool->space, moves->members[moves->next].at.index, own);
	at_search_space_get(pool->space,
		moves->members[at_moves_best_member(moves)].at.index, leader);
	pushed = pool->parameter_count
			 ? (size_t)at_random_below(random, pool->parameter_count)
			 : 0;
	for (size_t i = 0; i < pool->parameter_count; i++) {
		const struct at_search_parameter *parameter =
			at_search_space_parameter(pool->space, i);
		double last = (double)(parameter->value_count - 1);
		double to_own = self->pull_own * at_random_unit(random);
		double to_leader = self->pull_best * at_random_unit(random);

		if (parameter->type == AT_TYPE_WORD) {
			/* words have no order: a strong pull jumps to the word */
			if (to_leader > 1)
				place[i] = leader[i];
			else if (to_own > 1 - self->inertia)
				place[i] = own[i];
		} else {
			velocity[i] = self->inertia * velocity[i] +
				      to_own * ((double)own[i] - place[i]) +
				      to_leader * ((double)leader[i] - place[i]);
			place[i] += velocity[i];
			/* it stops at the border; with its velocity it would stick
			   there */
			if (place[i] < 0 || place[i] > last) {
				place[i] = place[i] < 0 ? 0 : last;
				velocity[i] = 0;
			}
		}
		/* rounded up with the probability of the fraction, so small steps are
		   not lost */
		row[i] = (uint16_t)fmin(floor(place[i] + at_random_unit(random)), last);
		/* the last attempt ended at a taken place, so the swarm has
		   converged: push one parameter away */
		if (i == pushed && attempt) {
			row[i] = at_pool_mutate(pool, i, row[i]);
			place[i] = row[i];
		}
	}
	return at_pool_repair(pool, row);
}

static const struct at_move_rule rule = {
	.bytes = sizeof(struct swarm),
	.options = options,
	.option_count = AT_COUNT_OF(options),
	.attempts = 32,
	.least = 1,
	.open = open_swarm,
	.propose = propose,
	.on_restart = settle,
};

const struct at_strategy_kind at_strategy_swarm = {
	.name = "swarm",
	.summary =
		"particle swarm: moves each particle towards its own best and the best of all",
	AT_MOVES(rule),
};
