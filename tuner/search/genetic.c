/*
 * A genetic algorithm without generations. Parents are chosen by tournament among the
 * best that were told. A child takes each parameter from one of two parents (uniform
 * crossover, Syswerda 1989, "Uniform Crossover in Genetic Algorithms"), mutates, and
 * competes for a place as soon as it is told (steady state: Whitley 1989, "The GENITOR
 * Algorithm and Selection Pressure"). So nothing waits for the slowest child of a
 * generation.
 */
#include "search/pool.h"

#include "base/memory.h"

#include <stdlib.h>

/* How many children may turn out to be taken before a random configuration is asked
   for: late in a search most are taken. */
#define ATTEMPTS 16

struct genetic {
	struct at_pooled base;
	struct at_elite parents;
	size_t start; /* configurations before the first child */
	size_t tournament;
	double mutation; /* parameters of a child that mutate, on average */
	double crossover; /* the share of children with two parents */
	uint16_t *child; /* behind it there is room for the other parent */
};

static void genetic_close(struct at_strategy *strategy)
{
	struct genetic *self = (struct genetic *)strategy;

	if (!self)
		return;
	at_pooled_release(&self->base);
	free(self->child);
	free(self);
}

static enum at_status genetic_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	struct genetic *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->parents.size = 8;
	self->start = AT_START_DEFAULT;
	self->tournament = 3;
	self->mutation = 1;
	self->crossover = 1;
	const struct at_search_option known[] = {
		{ "start", .whole = &self->start, .low = 1, .high = AT_START_MOST },
		{ "population", .whole = &self->parents.size, .low = 2,
			.high = AT_ELITE_MOST },
		{ "tournament", .whole = &self->tournament, .low = 1, .high = 64 },
		{ "mutation", .real = &self->mutation, .low = 0, .high = 16 },
		{ "crossover", .real = &self->crossover, .low = 0, .high = 1 },
	};

	status = at_search_options_parse(
		"genetic", options, known, AT_COUNT_OF(known), err);
	if (!status)
		status = at_pooled_init(
			&self->base, &at_strategy_genetic, space, seed, err);
	if (!status)
		self->child = at_malloc((2 * self->base.pool.parameter_count + 1) *
					sizeof(*self->child));
	if (status) {
		genetic_close(&self->base.strategy);
		return status;
	}
	*out = &self->base.strategy;
	return AT_OK;
}

/* Draws `tournament` parents and returns the best; members are sorted, the best
   first. */
static uint64_t parent(struct genetic *self)
{
	uint64_t place = self->parents.count;

	for (size_t i = 0; i < self->tournament; i++) {
		uint64_t drawn =
			at_random_below(&self->base.pool.random, self->parents.count);

		if (drawn < place)
			place = drawn;
	}
	return self->parents.members[place].index;
}

static enum at_ask genetic_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct genetic *self = (struct genetic *)strategy;
	struct at_pool *pool = &self->base.pool;
	uint16_t *other = self->child + pool->parameter_count;

	if (at_pool_start(pool, self->start, index))
		return AT_ASK_CONFIGURATION;
	for (int i = 0; i < ATTEMPTS && self->parents.count >= 2; i++) {
		at_search_space_get(pool->space, parent(self), self->child);
		at_search_space_get(pool->space, parent(self), other);
		bool crosses = at_random_unit(&pool->random) < self->crossover;
		for (size_t j = 0; j < pool->parameter_count; j++) {
			if (crosses && at_random_below(&pool->random, 2))
				self->child[j] = other[j];
			if (at_random_unit(&pool->random) *
					(double)pool->parameter_count <
				self->mutation)
				self->child[j] =
					at_pool_mutate(pool, j, self->child[j]);
		}
		*index = at_pool_repair(pool, self->child);
		if (at_pool_take(pool, *index))
			return AT_ASK_CONFIGURATION;
	}
	return at_pool_draw(pool, index) ? AT_ASK_CONFIGURATION : AT_ASK_DONE;
}

static void genetic_tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct genetic *self = (struct genetic *)strategy;

	at_pool_tell(&self->base.pool, told);
	at_elite_tell(&self->parents, told->index,
		at_pool_cost(&self->base.pool, told->index));
}

const struct at_strategy_kind at_strategy_genetic = {
	.name = "genetic",
	.summary = "genetic algorithm: crosses and mutates the best configurations",
	.open = genetic_open,
	.close = genetic_close,
	.prior = at_pooled_prior,
	.ask = genetic_ask,
	.tell = genetic_tell,
	.exclude = at_pooled_exclude,
};
