/*
 * Differential evolution (Storn and Price 1997, "Differential Evolution - A Simple
 * and Efficient Heuristic for Global Optimization over Continuous Spaces"), on the
 * positions of values in their lists. The rival of a member is a base member plus
 * `factor` times the difference of two others, mixed with the member itself (binomial
 * crossover). The better of member and rival stays. Several rivals may be in flight,
 * so the search never waits for a whole generation.
 */
#include "search/moves.h"

enum base { BASE_BEST, BASE_RANDOM, BASE_CURRENT };

struct differential {
	struct at_moves base;
	double factor;
	double crossover;
	size_t base_word;
};

static const char *const base_words[] = { "best", "random", "current", NULL };
static const struct at_search_option options[] = {
	AT_MOVES_START(struct differential),
	{ "population", AT_OPTION(struct differential, base.population), 10, .low = 4,
		.high = AT_ELITE_MOST },
	{ "factor", AT_OPTION(struct differential, factor), 0.7, .low = 0, .high = 2 },
	{ "crossover", AT_OPTION(struct differential, crossover), 0.5, .low = 0,
		.high = 1 },
	{ "base", AT_OPTION(struct differential, base_word), BASE_BEST, base_words },
};

/* A rival of the next member. */
static uint64_t propose(struct at_moves *moves, int attempt)
{
	struct differential *self = (struct differential *)moves;
	struct at_pool *pool = &moves->base.pool;
	struct at_random *random = &pool->random;
	uint16_t **x = moves->rows; /* member, base, two others, best */
	size_t best = at_moves_best_member(moves), kept;
	size_t chosen[5] = { moves->next, 0, 0, 0, best };

	for (size_t i = 1; i < 4; i++)
		chosen[i] = (size_t)at_random_below(random, moves->member_count);
	if (self->base_word != BASE_RANDOM)
		chosen[1] = self->base_word == BASE_BEST ? best : moves->next;
	for (size_t i = 0; i < AT_MOVES_ROWS; i++)
		at_search_space_get(
			pool->space, moves->members[chosen[i]].at.index, x[i]);
	/* at least this parameter comes from the rival, not the member */
	kept = pool->parameter_count
		       ? (size_t)at_random_below(random, pool->parameter_count)
		       : 0;
	for (size_t i = 0; i < pool->parameter_count; i++) {
		const struct at_search_parameter *parameter =
			at_search_space_parameter(pool->space, i);
		double place = x[1][i];

		if (i != kept && at_random_unit(random) >= self->crossover)
			continue;
		if (parameter->type == AT_TYPE_WORD) {
			/* words have no difference: if the two others differ, take
			   the first one's word */
			if (x[2][i] != x[3][i] && at_random_unit(random) < self->factor)
				place = x[2][i];
		} else {
			/* rounded up with the probability of the fraction, so small
			   steps are not lost */
			place += self->factor * ((double)x[2][i] - (double)x[3][i]);
			if (self->base_word == BASE_CURRENT)
				place += self->factor *
					 ((double)x[4][i] - (double)x[0][i]);
			place = floor(place + at_random_unit(random));
			if (place < 0)
				place = 0;
			if (place > (double)(parameter->value_count - 1))
				place = (double)(parameter->value_count - 1);
		}
		x[0][i] = (uint16_t)place;
		if (i == kept && attempt)
			x[0][i] = at_pool_mutate(pool, i, x[0][i]);
	}
	return at_pool_repair(pool, x[0]);
}

static const struct at_move_rule rule = {
	.bytes = sizeof(struct differential),
	.options = options,
	.option_count = AT_COUNT_OF(options),
	.attempts = 32,
	.least = 2,
	.propose = propose,
};

const struct at_strategy_kind at_strategy_differential = {
	.name = "differential",
	.summary =
		"differential evolution: changes the best configuration by differences of others",
	AT_MOVES(rule),
};
