/*
 * Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983, "Optimization by Simulated
 * Annealing"): a walk from neighbour to neighbour that takes every step down, and a
 * step up more rarely the higher it is and the colder the walk has become. Steps over
 * configurations that were told cost no evaluation, so the walk goes on over them until
 * it meets one that is not taken. Several may be out: each result is offered as a step
 * from where the walk is by then.
 */
#include "search/moves.h"

/* How many steps over known configurations one ask makes. After that the walk is in a
   hollow in which everything is taken, and it is moved on. */
#define ATTEMPTS 65

struct annealing {
	struct at_moves base;
	size_t neighbours;
	double hot, cold;
	size_t steps; /* evaluations from hot to cold; then it begins at its best */
	size_t cycle; /* how often it has begun again */
};

static const char *const neighbour_words[] = { "adjacent", "any", NULL };
static const struct at_search_option options[] = {
	AT_MOVES_START(struct annealing),
	{ "neighbours", AT_OPTION(struct annealing, neighbours), AT_NEIGHBOURS_ANY,
		neighbour_words },
	{ "hot", AT_OPTION(struct annealing, hot), 0.1, .low = 1e-6, .high = 1e6 },
	{ "cold", AT_OPTION(struct annealing, cold), 0.01, .low = 1e-6, .high = 1e6 },
	{ "steps", AT_OPTION(struct annealing, steps), 100, .low = 1, .high = 1e5 },
};

static enum at_status open_annealing(struct at_moves *moves, struct at_error *err)
{
	const struct annealing *self = (const struct annealing *)moves;

	return self->cold <= self->hot
		       ? AT_OK
		       : at_fail(err, AT_EINVAL, NULL, 0,
				 "strategy \"annealing\": cold=%g is above hot=%g",
				 self->cold, self->hot);
}

/*
 * Metropolis' rule: a step up by a part x of the cost is taken with probability exp(-x
 * / temperature), that is if a number from the exponential distribution is above x /
 * temperature. The number is drawn by comparisons alone (von Neumann 1951, "Various
 * Techniques Used in Connection with Random Digits"), which gives the same result on
 * every machine.
 */
static bool accepts(struct at_moves *moves, double cost)
{
	struct annealing *self = (struct annealing *)moves;
	struct at_random *random = &moves->base.pool.random;
	size_t told = moves->base.pool.told_count;
	double progress, height;

	/* the walk begins at the best of the start */
	if (told <= moves->start)
		return false;
	if (cost <= moves->current_cost)
		return true;
	progress = (double)((told - moves->start) % self->steps) / (double)self->steps;
	height = (cost - moves->current_cost) / moves->current_cost /
		 (self->hot / (1 + progress * (self->hot / self->cold - 1)));
	for (int whole = 0; whole < height; whole++) {
		double first = at_random_unit(random), last = first;
		bool is_odd = true;

		for (;;) {
			double next = at_random_unit(random);

			if (next >= last)
				break;
			last = next;
			is_odd = !is_odd;
		}
		if (is_odd)
			return whole + first > height;
	}
	return true;
}

/* A random neighbour. In a hollow in which everything is taken, after the last attempt,
   one of the best. */
static uint64_t propose(struct at_moves *moves, int attempt)
{
	struct annealing *self = (struct annealing *)moves;
	struct at_pool *pool = &moves->base.pool;
	uint64_t index = AT_NO_CONFIGURATION;

	if (pool->told_count >= moves->start + (self->cycle + 1) * self->steps) {
		self->cycle = (pool->told_count - moves->start) / self->steps;
		at_moves_go(moves, moves->elite.members[0]);
	}
	if (attempt + 1 < ATTEMPTS)
		index = at_pool_step(
			pool, moves->current, (enum at_neighbours)self->neighbours);
	return index == AT_NO_CONFIGURATION
		       ? at_pool_free_neighbour(
				 pool, moves->elite.members[0].index, AT_NEIGHBOURS_ANY)
		       : index;
}

static const struct at_move_rule rule = {
	.bytes = sizeof(struct annealing),
	.options = options,
	.option_count = AT_COUNT_OF(options),
	.attempts = ATTEMPTS,
	.least = 1,
	.open = open_annealing,
	.propose = propose,
	.accepts = accepts,
};

const struct at_strategy_kind at_strategy_annealing = {
	.name = "annealing",
	.summary =
		"simulated annealing: a random walk that accepts slower configurations less and less",
	AT_MOVES(rule),
};
