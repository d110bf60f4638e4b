/*
 * Iterated local search (Lourenço, Martin and Stützle 2003, "Iterated Local Search"):
 * it goes down from neighbour to neighbour until none is better. Then several
 * parameters of the best place are changed at once, and it goes down from there. Where
 * that ends lower the search stays there, else it goes back.
 */
#include "search/pool.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* How many changed places may turn out to be taken before a random configuration is
   asked for. */
#define ATTEMPTS 16

/* More than one, since the best may be told again as a failure. */
#define ELITE 8

enum improvement { IMPROVEMENT_FIRST, IMPROVEMENT_BEST };

struct local {
	struct at_pooled base;
	/* where the search is; AT_NO_CONFIGURATION: nothing that passed was told */
	uint64_t current;
	double current_cost;
	struct at_elite elite; /* the first is the best place */
	uint64_t jump; /* a changed place that is out; AT_NO_CONFIGURATION: none */
	/* options */
	size_t start;
	size_t neighbours;
	size_t improvement;
	size_t perturbation;
	uint16_t *configuration;
};

static const char *const neighbour_words[] = { "adjacent", "any", NULL };
static const char *const improvement_words[] = { "first", "best", NULL };

static void local_close(struct at_strategy *strategy)
{
	struct local *self = (struct local *)strategy;

	if (!self)
		return;
	at_pooled_release(&self->base);
	free(self->configuration);
	free(self);
}

static enum at_status local_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	struct local *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->start = AT_START_DEFAULT;
	self->neighbours = AT_NEIGHBOURS_ANY;
	self->improvement = IMPROVEMENT_FIRST;
	self->perturbation = 5;
	const struct at_search_option known[] = {
		{ "start", .whole = &self->start, .low = 1, .high = AT_START_MOST },
		{ "neighbours", .word = &self->neighbours, .words = neighbour_words },
		{ "improvement", .word = &self->improvement,
			.words = improvement_words },
		{ "perturbation", .whole = &self->perturbation, .low = 1, .high = 64 },
	};

	status = at_search_options_parse(
		"local", options, known, AT_COUNT_OF(known), err);
	if (!status)
		status = at_pooled_init(
			&self->base, &at_strategy_local, space, seed, err);
	if (!status)
		self->configuration = at_malloc((self->base.pool.parameter_count + 1) *
						sizeof(*self->configuration));
	if (status) {
		local_close(&self->base.strategy);
		return status;
	}
	self->elite.size = ELITE;
	self->current = AT_NO_CONFIGURATION;
	self->jump = AT_NO_CONFIGURATION;
	*out = &self->base.strategy;
	return AT_OK;
}

static void move(struct local *self, uint64_t index, double cost)
{
	self->current = index;
	self->current_cost = cost;
}

/* Moves to the lowest neighbour that was told, whoever asked for it. True: it moved. */
static bool descend(struct local *self)
{
	struct at_pool *pool = &self->base.pool;
	size_t count = at_search_space_neighbours(pool->space, self->current,
		(enum at_neighbours)self->neighbours, pool->neighbours);
	double lowest = self->current_cost;
	uint64_t to = AT_NO_CONFIGURATION;

	for (size_t i = 0; i < count; i++) {
		double cost = at_pool_cost(pool, pool->neighbours[i]);

		/* false for NAN: the cost is not known */
		if (cost < lowest) {
			lowest = cost;
			to = pool->neighbours[i];
		}
	}
	if (to == AT_NO_CONFIGURATION)
		return false;
	move(self, to, lowest);
	return true;
}

static enum at_ask local_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct local *self = (struct local *)strategy;
	struct at_pool *pool = &self->base.pool;

	if (at_pool_start(pool, self->start, index))
		return AT_ASK_CONFIGURATION;
	for (int i = 0; i < ATTEMPTS && self->current != AT_NO_CONFIGURATION; i++) {
		if (self->improvement == IMPROVEMENT_FIRST)
			while (descend(self))
				;
		if (at_pool_take_neighbour(pool, self->current,
			    (enum at_neighbours)self->neighbours, index))
			return AT_ASK_CONFIGURATION;
		if (descend(self))
			continue;
		/* no neighbour is lower: change several parameters of the best place */
		at_search_space_get(
			pool->space, self->elite.members[0].index, self->configuration);
		for (size_t j = 0; j < self->perturbation && pool->parameter_count;
			j++) {
			size_t parameter = (size_t)at_random_below(
				&pool->random, pool->parameter_count);

			self->configuration[parameter] = at_pool_mutate(
				pool, parameter, self->configuration[parameter]);
		}
		*index = at_pool_repair(pool, self->configuration);
		if (at_pool_take(pool, *index)) {
			self->jump = *index;
			return AT_ASK_CONFIGURATION;
		}
		double cost = at_pool_cost(pool, *index);
		if (isfinite(cost))
			move(self, *index, cost);
	}
	return at_pool_draw(pool, index) ? AT_ASK_CONFIGURATION : AT_ASK_DONE;
}

static void local_tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct local *self = (struct local *)strategy;
	double cost;

	at_pool_tell(&self->base.pool, told);
	cost = at_pool_cost(&self->base.pool, told->index);
	at_elite_tell(&self->elite, told->index, cost);
	if (!self->elite.count) {
		/* all that had passed was told again, as failures */
		self->current = AT_NO_CONFIGURATION;
	} else if (isinf(cost)) {
		if (self->current == told->index)
			move(self, self->elite.members[0].index,
				self->elite.members[0].cost);
	} else if (self->elite.members[0].index == told->index ||
		   self->jump == told->index || self->current == told->index) {
		move(self, told->index, cost);
	}
}

const struct at_strategy_kind at_strategy_local = {
	.name = "local",
	.summary =
		"local search: goes to better neighbours, and begins again near the best it found",
	.open = local_open,
	.close = local_close,
	.prior = at_pooled_prior,
	.ask = local_ask,
	.tell = local_tell,
	.exclude = at_pooled_exclude,
};
