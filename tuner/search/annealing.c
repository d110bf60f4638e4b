/*
 * Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983, "Optimization by
 * Simulated Annealing"): a walk between neighbours that accepts every improvement,
 * and a deterioration with a probability that falls with its size and with the
 * temperature. Steps over known configurations cost no evaluation, so the walk
 * continues over them until it meets a free one. Several may be in flight: each
 * result is offered as a step from the place of the walk at that time.
 */
#include "search/moves.h"

/* The most steps over known configurations in one ask. After these the walk is in a
   hollow without free configurations, and it is moved away. */
#define ATTEMPTS 65

struct annealing {
	struct at_moves base;
	size_t neighbours;
	double hot, cold;
	size_t steps; /* evaluations from hot to cold, then a restart from the best */
	size_t cycle; /* number of restarts */
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
 * Metropolis' rule: a step up by the fraction x of the cost is accepted with
 * probability exp(-x / temperature), that is if an exponentially distributed number
 * exceeds x / temperature. The number is drawn by comparisons alone (von Neumann
 * 1951, "Various Techniques Used in Connection with Random Digits"), which gives the
 * same result on every machine.
 */
static bool accepts(struct at_moves *moves, double cost)
{
	struct annealing *self = (struct annealing *)moves;
	struct at_random *random = &moves->base.pool.random;
	size_t told = moves->base.pool.told_count;
	double progress, height;

	/* the walk starts at the best of the start */
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

/* A random neighbour; after the last attempt, one of the best. */
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
