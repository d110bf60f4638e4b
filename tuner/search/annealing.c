/*
 * Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983, "Optimization by Simulated
 * Annealing"): a walk from neighbour to neighbour that takes every step down, and a
 * step up more rarely the higher it is and the colder the walk has become. Steps over
 * configurations that were told cost no evaluation, so the walk goes on over them until
 * it meets one that is not taken. Several may be out: each result is offered as a step
 * from where the walk is by then.
 */
#include "search/pool.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* How many steps over known configurations one ask makes. After that the walk is in a
   hollow in which everything is taken, and it is moved on. */
#define FREE_STEPS 64

/* More than one, since the best may be told again as a failure. */
#define ELITE 8

struct annealing {
	struct at_pooled base;
	uint64_t current; /* AT_NO_CONFIGURATION: nothing that passed was told */
	double current_cost;
	struct at_elite elite; /* the best that were told */
	/* options */
	size_t start;
	size_t neighbours;
	double hot, cold;
	size_t steps; /* evaluations from hot to cold; then it begins at its best */
	size_t step;
};

static const char *const neighbour_words[] = { "adjacent", "any", NULL };

static void annealing_close(struct at_strategy *strategy)
{
	struct annealing *self = (struct annealing *)strategy;

	if (!self)
		return;
	at_pooled_release(&self->base);
	free(self);
}

static enum at_status annealing_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	struct annealing *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->start = AT_START_DEFAULT;
	self->neighbours = AT_NEIGHBOURS_ANY;
	self->hot = 0.1;
	self->cold = 0.01;
	self->steps = 100;
	const struct at_search_option known[] = {
		{ "start", .whole = &self->start, .low = 1, .high = AT_START_MOST },
		{ "neighbours", .word = &self->neighbours, .words = neighbour_words },
		{ "hot", .real = &self->hot, .low = 1e-6, .high = 1e6 },
		{ "cold", .real = &self->cold, .low = 1e-6, .high = 1e6 },
		{ "steps", .whole = &self->steps, .low = 1, .high = 1e5 },
	};

	status = at_search_options_parse(
		"annealing", options, known, AT_COUNT_OF(known), err);
	if (!status && self->cold > self->hot)
		status = at_fail(err, AT_EINVAL, NULL, 0,
			"strategy \"annealing\": cold=%g is above hot=%g", self->cold,
			self->hot);
	if (!status)
		status = at_pooled_init(
			&self->base, &at_strategy_annealing, space, seed, err);
	if (status) {
		annealing_close(&self->base.strategy);
		return status;
	}
	self->current = AT_NO_CONFIGURATION;
	self->elite.size = ELITE;
	*out = &self->base.strategy;
	return AT_OK;
}

/*
 * Metropolis' rule: a step up by a part x of the cost is taken with probability exp(-x
 * / temperature), that is if a number from the exponential distribution is above x /
 * temperature. The number is drawn by comparisons alone (von Neumann 1951, "Various
 * Techniques Used in Connection with Random Digits"), which gives the same result on
 * every machine.
 */
static bool is_taken(struct annealing *self, double cost)
{
	struct at_random *random = &self->base.pool.random;
	double progress = (double)self->step / (double)self->steps, height;

	if (isinf(cost))
		return false;
	if (cost <= self->current_cost)
		return true;
	height = (cost - self->current_cost) / self->current_cost /
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

static void move(struct annealing *self, uint64_t index, double cost)
{
	self->current = index;
	self->current_cost = cost;
}

static void begin(struct annealing *self)
{
	move(self, self->elite.members[0].index, self->elite.members[0].cost);
}

static enum at_ask annealing_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct annealing *self = (struct annealing *)strategy;
	struct at_pool *pool = &self->base.pool;

	if (at_pool_start(pool, self->start, index))
		return AT_ASK_CONFIGURATION;
	for (int i = 0; i < FREE_STEPS && self->current != AT_NO_CONFIGURATION; i++) {
		double cost;

		*index = at_pool_step(
			pool, self->current, (enum at_neighbours)self->neighbours);
		if (*index == AT_NO_CONFIGURATION)
			break;
		if (at_pool_take(pool, *index))
			return AT_ASK_CONFIGURATION;
		cost = at_pool_cost(pool, *index);
		if (!isnan(cost) && is_taken(self, cost))
			move(self, *index, cost);
	}
	if (self->elite.count &&
		at_pool_take_neighbour(
			pool, self->elite.members[0].index, AT_NEIGHBOURS_ANY, index))
		return AT_ASK_CONFIGURATION;
	return at_pool_draw(pool, index) ? AT_ASK_CONFIGURATION : AT_ASK_DONE;
}

static void annealing_tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct annealing *self = (struct annealing *)strategy;
	double cost;

	at_pool_tell(&self->base.pool, told);
	cost = at_pool_cost(&self->base.pool, told->index);
	at_elite_tell(&self->elite, told->index, cost);
	if (!self->elite.count) {
		/* nothing has passed, or what had passed was told again as a failure */
		self->current = AT_NO_CONFIGURATION;
		return;
	}
	/* the walk begins at the best of the start */
	if (self->base.pool.cost_count <= self->start ||
		self->current == AT_NO_CONFIGURATION ||
		(self->current == told->index && isinf(cost))) {
		begin(self);
		return;
	}
	if (self->current == told->index || is_taken(self, cost))
		move(self, told->index, cost);
	if (++self->step < self->steps)
		return;
	self->step = 0;
	begin(self);
}

const struct at_strategy_kind at_strategy_annealing = {
	.name = "annealing",
	.summary =
		"simulated annealing: a random walk that accepts slower configurations less and less",
	.open = annealing_open,
	.close = annealing_close,
	.prior = at_pooled_prior,
	.ask = annealing_ask,
	.tell = annealing_tell,
	.exclude = at_pooled_exclude,
};
