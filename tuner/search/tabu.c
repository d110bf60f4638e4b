/*
 * Tabu search (Glover 1989, "Tabu Search, Part I"): it looks at some neighbours of the
 * place where it is and moves to the best of them, even if all are worse. The value
 * that a move gives up is tabu for some moves, so that the search does not go straight
 * back, unless going back is better than all that is known. When it has found nothing
 * better for long, it begins again between two of the best places (Glover 1997, "Tabu
 * Search and Adaptive Memory Programming").
 */
#include "search/pool.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* How many moves over known configurations one ask makes before a random one is
   taken. */
#define FREE_MOVES 64

struct tabu {
	struct at_pooled base;
	struct at_elite elite; /* places between which it may begin again */
	/* where the search is; AT_NO_CONFIGURATION: nothing that passed was told */
	uint64_t current;
	double current_cost;
	uint64_t restart; /* it begins again here, once this is told */
	size_t looked; /* neighbours asked for since it came here */
	size_t moves;
	size_t idle; /* moves since a new best was told */
	/* for each value of each parameter: the move until which it is tabu */
	size_t *until;
	size_t *first; /* for each parameter its first place in until */
	uint16_t *here, *there;
	/* options */
	size_t start;
	size_t candidates;
	size_t tenure;
	size_t patience;
	double perturbation;
};

static void tabu_close(struct at_strategy *strategy)
{
	struct tabu *self = (struct tabu *)strategy;

	if (!self)
		return;
	at_pooled_release(&self->base);
	free(self->until);
	free(self->first);
	free(self->here);
	free(self->there);
	free(self);
}

static enum at_status tabu_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	struct tabu *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->start = AT_START_DEFAULT;
	self->candidates = 24;
	self->tenure = 5;
	self->patience = 2;
	self->perturbation = 5;
	self->elite.size = 8;
	const struct at_search_option known[] = {
		{ "start", .whole = &self->start, .low = 1, .high = AT_START_MOST },
		{ "candidates", .whole = &self->candidates, .low = 1, .high = 1000 },
		{ "tenure", .whole = &self->tenure, .low = 0, .high = 1000 },
		{ "patience", .whole = &self->patience, .low = 1, .high = 1000 },
		{ "perturbation", .real = &self->perturbation, .low = 0, .high = 64 },
		{ "elite", .whole = &self->elite.size, .low = 1,
			.high = AT_ELITE_MOST },
	};

	status = at_search_options_parse(
		"tabu", options, known, AT_COUNT_OF(known), err);
	if (!status)
		status = at_pooled_init(
			&self->base, &at_strategy_tabu, space, seed, err);
	if (!status) {
		size_t count = self->base.pool.parameter_count, values = 0;

		self->first = at_malloc((count + 1) * sizeof(*self->first));
		self->here = at_malloc((count + 1) * sizeof(*self->here));
		self->there = at_malloc((count + 1) * sizeof(*self->there));
		for (size_t i = 0; i < count; i++) {
			self->first[i] = values;
			values += at_search_space_parameter(space, i)->value_count;
		}
		self->until = at_calloc(values + 1, sizeof(*self->until));
	}
	if (status) {
		tabu_close(&self->base.strategy);
		return status;
	}
	self->current = AT_NO_CONFIGURATION;
	self->restart = AT_NO_CONFIGURATION;
	*out = &self->base.strategy;
	return AT_OK;
}

/* Moves to a configuration that was told. */
static void move(struct tabu *self, uint64_t index, double cost)
{
	self->current = index;
	self->current_cost = cost;
	self->looked = 0;
}

static uint64_t draw_elite(struct tabu *self)
{
	return self->elite
		.members[at_random_below(&self->base.pool.random, self->elite.count)]
		.index;
}

static enum at_ask tabu_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct tabu *self = (struct tabu *)strategy;
	struct at_pool *pool = &self->base.pool;

	if (at_pool_start(pool, self->start, index))
		return AT_ASK_CONFIGURATION;
	for (int i = 0; i < FREE_MOVES && self->current != AT_NO_CONFIGURATION; i++) {
		size_t count = at_search_space_neighbours(pool->space, self->current,
			AT_NEIGHBOURS_ANY, pool->neighbours);
		uint64_t best = AT_NO_CONFIGURATION, open = AT_NO_CONFIGURATION;
		double best_cost = INFINITY;
		size_t best_changed = 0, gives_up;
		size_t out_count = 0, open_count = 0, parameter_count = 0;
		size_t last = SIZE_MAX;
		bool is_chosen = false;

		at_search_space_get(pool->space, self->current, self->here);
		for (size_t j = 0; j < count; j++) {
			uint64_t neighbour = pool->neighbours[j];
			double cost = at_pool_cost(pool, neighbour);
			size_t changed = 0;
			bool is_tabu;

			if (isinf(cost))
				continue;
			at_search_space_get(pool->space, neighbour, self->there);
			while (self->here[changed] == self->there[changed])
				changed++;
			is_tabu = self->until[self->first[changed] +
					      self->there[changed]] > self->moves;
			if (!isnan(cost)) {
				/* a tabu one that is a new best was moved to when it
				   was told */
				if (cost < best_cost && !is_tabu) {
					best = neighbour;
					best_cost = cost;
					best_changed = changed;
				}
				continue;
			}
			if (at_tried_test(&pool->taken, neighbour)) {
				out_count++;
				continue;
			}
			if (is_tabu)
				continue;
			/* each parameter is equally likely, and each of its values, as
			   in at_pool_step() */
			if (changed != last) {
				is_chosen = !at_random_below(
					&pool->random, ++parameter_count);
				open_count = 0;
				last = changed;
			}
			if (is_chosen && !at_random_below(&pool->random, ++open_count))
				open = neighbour;
		}
		/* while answers are out it looks at more than `candidates` */
		if (open != AT_NO_CONFIGURATION && best_cost >= self->current_cost &&
			(self->looked < self->candidates || out_count) &&
			at_pool_take(pool, open)) {
			self->looked++;
			*index = open;
			return AT_ASK_CONFIGURATION;
		}
		if (best == AT_NO_CONFIGURATION || ++self->idle > self->patience) {
			self->idle = 0;
			at_search_space_get(pool->space, draw_elite(self), self->here);
			at_search_space_get(pool->space, draw_elite(self), self->there);
			for (size_t k = 0; k < pool->parameter_count; k++) {
				if (at_random_below(&pool->random, 2))
					self->here[k] = self->there[k];
				if (at_random_unit(&pool->random) *
						(double)pool->parameter_count <
					self->perturbation)
					self->here[k] =
						at_pool_mutate(pool, k, self->here[k]);
			}
			*index = at_pool_repair(pool, self->here);
			if (at_pool_take(pool, *index)) {
				self->restart = *index;
				return AT_ASK_CONFIGURATION;
			}
			best_cost = at_pool_cost(pool, *index);
			if (isfinite(best_cost))
				move(self, *index, best_cost);
			continue;
		}
		gives_up = self->first[best_changed] + self->here[best_changed];
		self->until[gives_up] = ++self->moves + self->tenure;
		move(self, best, best_cost);
	}
	return at_pool_draw(pool, index) ? AT_ASK_CONFIGURATION : AT_ASK_DONE;
}

static void tabu_tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct tabu *self = (struct tabu *)strategy;
	double cost;

	at_pool_tell(&self->base.pool, told);
	cost = at_pool_cost(&self->base.pool, told->index);
	at_elite_tell(&self->elite, told->index, cost);
	if (!self->elite.count) {
		/* all that had passed was told again, as failures */
		self->current = AT_NO_CONFIGURATION;
	} else if (self->elite.members[0].index == told->index) {
		self->idle = 0;
		move(self, told->index, cost);
	} else if (isinf(cost) && self->current == told->index) {
		move(self, self->elite.members[0].index, self->elite.members[0].cost);
	} else if (!isinf(cost) &&
		   (self->restart == told->index || self->current == told->index)) {
		move(self, told->index, cost);
	}
}

const struct at_strategy_kind at_strategy_tabu = {
	.name = "tabu",
	.summary =
		"tabu search: goes to the best neighbour, even a slower one, but not straight back",
	.open = tabu_open,
	.close = tabu_close,
	.prior = at_pooled_prior,
	.ask = tabu_ask,
	.tell = tabu_tell,
	.exclude = at_pooled_exclude,
};
