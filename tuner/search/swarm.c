/*
 * Particle swarm optimization (Kennedy and Eberhart 1995, "Particle Swarm
 * Optimization"; inertia and pulls as in Clerc and Kennedy 2002, "The Particle Swarm -
 * Explosion, Stability, and Convergence in a Multidimensional Complex Space").
 * Particles fly over the positions of values in their lists, each pulled to its own
 * best place and to the best place of all. A particle flies on before its last place
 * was told, so that nothing waits for a whole generation.
 */
#include "search/pool.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* How many flights may end at places that are taken before a random one is asked
   for. */
#define ATTEMPTS 32

#define MOST_PARTICLES 256

struct particle {
	struct at_pool_cost best;
	uint64_t out; /* where it flew last; AT_NO_CONFIGURATION: that was told */
};

struct swarm {
	struct at_pooled base;
	struct particle particles[MOST_PARTICLES];
	double *places; /* parameter_count for each particle, as in velocities */
	double *velocities;
	uint16_t *configuration, *own, *leader;
	size_t count; /* particles that exist, up to population */
	size_t next; /* the particle that flew last */
	size_t start;
	size_t population;
	double inertia;
	double pull_own;
	double pull_best;
};

static void swarm_close(struct at_strategy *strategy)
{
	struct swarm *self = (struct swarm *)strategy;

	if (!self)
		return;
	at_pooled_release(&self->base);
	free(self->places);
	free(self->velocities);
	free(self->configuration);
	free(self->own);
	free(self->leader);
	free(self);
}

static enum at_status swarm_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	struct swarm *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->start = AT_START_DEFAULT;
	self->population = 6;
	self->inertia = 0.4;
	self->pull_own = 1;
	self->pull_best = 2;
	const struct at_search_option known[] = {
		{ "start", .whole = &self->start, .low = 1, .high = AT_START_MOST },
		{ "population", .whole = &self->population, .low = 1,
			.high = MOST_PARTICLES },
		{ "inertia", .real = &self->inertia, .low = 0, .high = 1 },
		{ "own", .real = &self->pull_own, .low = 0, .high = 4 },
		{ "best", .real = &self->pull_best, .low = 0, .high = 4 },
	};

	status = at_search_options_parse(
		"swarm", options, known, AT_COUNT_OF(known), err);
	if (!status)
		status = at_pooled_init(
			&self->base, &at_strategy_swarm, space, seed, err);
	if (!status) {
		size_t count = self->base.pool.parameter_count + 1;

		self->places = at_malloc(self->population * count * sizeof(double));
		self->velocities = at_malloc(self->population * count * sizeof(double));
		self->configuration = at_malloc(count * sizeof(*self->configuration));
		self->own = at_malloc(count * sizeof(*self->own));
		self->leader = at_malloc(count * sizeof(*self->leader));
	}
	if (status) {
		swarm_close(&self->base.strategy);
		return status;
	}
	*out = &self->base.strategy;
	return AT_OK;
}

/* Places a particle at a configuration, at rest. */
static void settle(struct swarm *self, size_t particle, uint64_t index, double cost)
{
	struct at_pool *pool = &self->base.pool;
	double *place = self->places + particle * pool->parameter_count;
	double *velocity = self->velocities + particle * pool->parameter_count;

	at_search_space_get(pool->space, index, self->configuration);
	for (size_t i = 0; i < pool->parameter_count; i++) {
		place[i] = self->configuration[i];
		velocity[i] = 0;
	}
	self->particles[particle] =
		(struct particle){ { index, cost }, AT_NO_CONFIGURATION };
}

/* Moves a particle on; configuration becomes its new place, rounded. */
static void fly(struct swarm *self, size_t particle, int attempt)
{
	struct at_pool *pool = &self->base.pool;
	struct at_random *random = &pool->random;
	double *place = self->places + particle * pool->parameter_count;
	double *velocity = self->velocities + particle * pool->parameter_count;
	size_t best = 0, pushed;

	for (size_t i = 1; i < self->count; i++)
		if (self->particles[i].best.cost < self->particles[best].best.cost)
			best = i;
	at_search_space_get(
		pool->space, self->particles[particle].best.index, self->own);
	at_search_space_get(
		pool->space, self->particles[best].best.index, self->leader);
	pushed = pool->parameter_count
			 ? (size_t)at_random_below(random, pool->parameter_count)
			 : 0;
	for (size_t i = 0; i < pool->parameter_count; i++) {
		const struct at_search_parameter *parameter =
			at_search_space_parameter(pool->space, i);
		double last = (double)(parameter->value_count - 1);
		double own = self->pull_own * at_random_unit(random);
		double leading = self->pull_best * at_random_unit(random);

		if (parameter->type == AT_TYPE_WORD) {
			/* there is no way between words: a strong pull jumps to the
			   word */
			if (leading > 1)
				place[i] = self->leader[i];
			else if (own > 1 - self->inertia)
				place[i] = self->own[i];
		} else {
			velocity[i] = self->inertia * velocity[i] +
				      own * ((double)self->own[i] - place[i]) +
				      leading * ((double)self->leader[i] - place[i]);
			place[i] += velocity[i];
			/* at the border it stops; with its velocity it would stick
			   there */
			if (place[i] < 0 || place[i] > last) {
				place[i] = place[i] < 0 ? 0 : last;
				velocity[i] = 0;
			}
		}
		/* rounded up with the probability of the fraction, so that small steps
		   are not lost */
		self->configuration[i] =
			(uint16_t)fmin(floor(place[i] + at_random_unit(random)), last);
		/* if the last attempt ended at a taken place the swarm has gathered:
		   push one parameter away */
		if (i == pushed && attempt) {
			self->configuration[i] =
				at_pool_mutate(pool, i, self->configuration[i]);
			place[i] = self->configuration[i];
		}
	}
}

static enum at_ask swarm_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct swarm *self = (struct swarm *)strategy;
	struct at_pool *pool = &self->base.pool;

	if (at_pool_start(pool, self->start, index))
		return AT_ASK_CONFIGURATION;
	for (int i = 0; i < ATTEMPTS && self->count; i++) {
		struct particle *particle;
		double cost;

		self->next = (self->next + 1) % self->count;
		particle = &self->particles[self->next];
		fly(self, self->next, i);
		*index = at_pool_repair(pool, self->configuration);
		if (at_pool_take(pool, *index)) {
			particle->out = *index;
			return AT_ASK_CONFIGURATION;
		}
		cost = at_pool_cost(pool, *index);
		if (cost < particle->best.cost)
			particle->best = (struct at_pool_cost){ *index, cost };
	}
	return at_pool_draw(pool, index) ? AT_ASK_CONFIGURATION : AT_ASK_DONE;
}

static void swarm_tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct swarm *self = (struct swarm *)strategy;
	struct particle *whose = NULL;
	size_t worst = 0;
	double cost;

	at_pool_tell(&self->base.pool, told);
	cost = at_pool_cost(&self->base.pool, told->index);
	for (size_t i = 0; i < self->count; i++) {
		struct particle *particle = &self->particles[i];

		if (particle->best.index == told->index)
			particle->best.cost = cost;
		if (particle->out == told->index)
			whose = particle;
		if (particle->best.cost > self->particles[worst].best.cost)
			worst = i;
	}
	if (isinf(cost))
		return;
	if (whose) {
		whose->out = AT_NO_CONFIGURATION;
		if (cost <= whose->best.cost)
			whose->best = (struct at_pool_cost){ told->index, cost };
	} else if (self->count < self->population) {
		settle(self, self->count++, told->index, cost);
	} else if (cost < self->particles[worst].best.cost) {
		settle(self, worst, told->index, cost);
	}
}

const struct at_strategy_kind at_strategy_swarm = {
	.name = "swarm",
	.summary =
		"particle swarm: moves each particle towards its own best and the best of all",
	.open = swarm_open,
	.close = swarm_close,
	.prior = at_pooled_prior,
	.ask = swarm_ask,
	.tell = swarm_tell,
	.exclude = at_pooled_exclude,
};
