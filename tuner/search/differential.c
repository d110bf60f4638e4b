/*
 * Differential evolution (Storn and Price 1997, "Differential Evolution - A Simple and
 * Efficient Heuristic for Global Optimization over Continuous Spaces"), on the
 * positions of values in their lists. The rival of a member is a base member plus
 * `factor` times the difference of two others, mixed with the member itself (binomial
 * crossover). The better of member and rival stays. Several rivals may be out at once,
 * so that nothing waits for a whole generation.
 */
#include "search/pool.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* How many rivals may turn out to be taken already before a random configuration is
   asked for. */
#define ATTEMPTS 32

#define MOST_MEMBERS 256

enum base { BASE_BEST, BASE_RANDOM, BASE_CURRENT };

/* A member of the population. */
struct member {
	struct at_pool_cost at;
	uint64_t rival; /* is out; AT_NO_CONFIGURATION: none */
};

struct differential {
	struct at_pooled base;
	struct member members[MOST_MEMBERS];
	size_t count; /* members that exist, up to population */
	size_t next; /* the member whose rival was asked for last */
	size_t start;
	size_t population;
	double factor;
	double crossover;
	size_t base_word;
	uint16_t *configurations[5]; /* member, base, two others, best */
};

static const char *const base_words[] = { "best", "random", "current", NULL };

static void differential_close(struct at_strategy *strategy)
{
	struct differential *self = (struct differential *)strategy;

	if (!self)
		return;
	at_pooled_release(&self->base);
	free(self->configurations[0]);
	free(self);
}

static enum at_status differential_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	struct differential *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->start = AT_START_DEFAULT;
	self->population = 10;
	self->factor = 0.7;
	self->crossover = 0.5;
	self->base_word = BASE_BEST;
	const struct at_search_option known[] = {
		{ "start", .whole = &self->start, .low = 1, .high = AT_START_MOST },
		{ "population", .whole = &self->population, .low = 4,
			.high = MOST_MEMBERS },
		{ "factor", .real = &self->factor, .low = 0, .high = 2 },
		{ "crossover", .real = &self->crossover, .low = 0, .high = 1 },
		{ "base", .word = &self->base_word, .words = base_words },
	};

	status = at_search_options_parse(
		"differential", options, known, AT_COUNT_OF(known), err);
	if (!status)
		status = at_pooled_init(
			&self->base, &at_strategy_differential, space, seed, err);
	if (!status) {
		size_t count = self->base.pool.parameter_count;

		self->configurations[0] =
			at_malloc((5 * count + 1) * sizeof(*self->configurations[0]));
		for (size_t i = 1; i < 5; i++)
			self->configurations[i] = self->configurations[i - 1] + count;
	}
	if (status) {
		differential_close(&self->base.strategy);
		return status;
	}
	*out = &self->base.strategy;
	return AT_OK;
}

static size_t best_member(const struct differential *self)
{
	size_t best = 0;

	for (size_t i = 1; i < self->count; i++)
		if (self->members[i].at.cost < self->members[best].at.cost)
			best = i;
	return best;
}

static bool is_member(const struct differential *self, uint64_t index)
{
	for (size_t i = 0; i < self->count; i++)
		if (self->members[i].at.index == index)
			return true;
	return false;
}

/* Makes a rival of a member in configurations[0]. */
static void make_rival(struct differential *self, size_t member, int attempt)
{
	struct at_pool *pool = &self->base.pool;
	struct at_random *random = &pool->random;
	uint16_t **x = self->configurations;
	size_t chosen[3], best = best_member(self), kept;

	for (size_t i = 0; i < 3; i++)
		chosen[i] = (size_t)at_random_below(random, self->count);
	if (self->base_word != BASE_RANDOM)
		chosen[0] = self->base_word == BASE_BEST ? best : member;
	at_search_space_get(pool->space, self->members[member].at.index, x[0]);
	for (size_t i = 0; i < 3; i++)
		at_search_space_get(
			pool->space, self->members[chosen[i]].at.index, x[i + 1]);
	at_search_space_get(pool->space, self->members[best].at.index, x[4]);
	/* at least this parameter is the rival's own, not the member's */
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
			/* words have no difference: where the two others differ, take
			   the first one's word */
			if (x[2][i] != x[3][i] && at_random_unit(random) < self->factor)
				place = x[2][i];
		} else {
			/* rounded up with the probability of the fraction, so that
			   small steps are not lost */
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
}

static enum at_ask differential_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct differential *self = (struct differential *)strategy;
	struct at_pool *pool = &self->base.pool;

	if (at_pool_start(pool, self->start, index))
		return AT_ASK_CONFIGURATION;
	for (int i = 0; i < ATTEMPTS && self->count >= 2; i++) {
		struct member *member;
		double cost;

		self->next = (self->next + 1) % self->count;
		member = &self->members[self->next];
		make_rival(self, self->next, i);
		*index = at_pool_repair(pool, self->configurations[0]);
		if (at_pool_take(pool, *index)) {
			/* a member has one rival at a time: another one competes with
			   the worst member */
			if (member->rival == AT_NO_CONFIGURATION)
				member->rival = *index;
			return AT_ASK_CONFIGURATION;
		}
		cost = at_pool_cost(pool, *index);
		/* two equal members would have no difference */
		if (cost < member->at.cost && !is_member(self, *index))
			member->at = (struct at_pool_cost){ *index, cost };
	}
	return at_pool_draw(pool, index) ? AT_ASK_CONFIGURATION : AT_ASK_DONE;
}

static void differential_tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct differential *self = (struct differential *)strategy;
	struct member *place = NULL;
	double cost;

	at_pool_tell(&self->base.pool, told);
	cost = at_pool_cost(&self->base.pool, told->index);
	for (size_t i = 0; i < self->count; i++) {
		if (self->members[i].at.index == told->index)
			self->members[i].at.cost = cost;
		if (self->members[i].rival != told->index)
			continue;
		self->members[i].rival = AT_NO_CONFIGURATION;
		place = &self->members[i];
	}
	if (isinf(cost))
		return;
	if (self->count < self->population && !place) {
		self->members[self->count++] =
			(struct member){ { told->index, cost }, AT_NO_CONFIGURATION };
		return;
	}
	if (!place) {
		place = self->members;
		for (size_t i = 1; i < self->count; i++)
			if (self->members[i].at.cost > place->at.cost)
				place = &self->members[i];
	}
	if (cost <= place->at.cost)
		place->at = (struct at_pool_cost){ told->index, cost };
}

const struct at_strategy_kind at_strategy_differential = {
	.name = "differential",
	.summary =
		"differential evolution: changes the best configuration by differences of others",
	.open = differential_open,
	.close = differential_close,
	.prior = at_pooled_prior,
	.ask = differential_ask,
	.tell = differential_tell,
	.exclude = at_pooled_exclude,
};
