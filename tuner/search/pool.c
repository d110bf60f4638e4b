/* The pool: what is taken and told, and ways to draw configurations that are left. */
#include "search/pool.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64

/* How many random configurations each one of a start is chosen from. More push the
   start to the borders of the space, fewer leave holes in it. */
#define START_TRIES 10

/*
 * From a prior of likeness 1 so many and one more are tried first. The best
 * configuration of another problem is seldom the best of this one, but often near it.
 */
#define PRIOR_BEST 4

/* How many neighbours are drawn before all of them are listed, which costs more. */
#define STEP_TRIES 8

enum at_status at_pooled_init(struct at_pooled *self,
	const struct at_strategy_kind *kind, const struct at_search_space *space,
	uint64_t seed, struct at_error *err)
{
	struct at_pool *pool = &self->pool;
	enum at_status status = AT_OK;

	*self = (struct at_pooled){ .strategy.kind = kind, .pool.space = space };
	pool->parameter_count = at_search_space_parameter_count(space);
	at_random_init(&pool->random, seed);
	at_tried_init(&pool->taken);
	status = at_strategy_random.open(
		space, "", at_random_next(&pool->random), &pool->order, err);
	if (!status) {
		/* one more than needed: a space of one configuration has no
		   neighbours */
		pool->neighbours =
			at_malloc((at_search_space_neighbours_max(space) + 1) *
				  sizeof(*pool->neighbours));
		pool->costs = at_malloc(FIRST_SLOTS * sizeof(*pool->costs));
		pool->scratch = at_malloc(
			(2 * pool->parameter_count + 1) * sizeof(*pool->scratch));
	}
	if (status) {
		at_pooled_release(self);
		return status;
	}
	pool->slot_count = FIRST_SLOTS;
	for (size_t i = 0; i < FIRST_SLOTS; i++)
		pool->costs[i].index = AT_NO_CONFIGURATION;
	return AT_OK;
}

void at_pooled_release(struct at_pooled *self)
{
	struct at_pool *pool = &self->pool;

	at_strategy_random.close(pool->order);
	at_tried_release(&pool->taken);
	free(pool->costs);
	free(pool->neighbours);
	free(pool->scratch);
	*pool = (struct at_pool){ 0 };
}

enum at_status at_pooled_prior(struct at_strategy *strategy,
	const struct at_prior *prior, struct at_error *err)
{
	struct at_pool *pool = &((struct at_pooled *)strategy)->pool;
	struct at_elite best = { .size = 1 + (size_t)(prior->likeness * PRIOR_BEST) };

	(void)err; /* nothing can fail */
	for (size_t i = 0; i < prior->count; i++)
		if (prior->told[i].outcome == AT_OUTCOME_OK && !prior->told[i].is_raced)
			at_elite_tell(&best, prior->told[i].index, prior->told[i].cost);
	for (size_t i = 0; i < best.count; i++)
		if (pool->candidate_count < AT_CANDIDATES_MOST)
			pool->candidates[pool->candidate_count++] =
				best.members[i].index;
	return AT_OK;
}

void at_pooled_exclude(struct at_strategy *strategy, uint64_t index)
{
	at_pool_take(&((struct at_pooled *)strategy)->pool, index);
}

static struct at_pool_cost *find(
	struct at_pool_cost *costs, size_t slot_count, uint64_t index)
{
	/*
	 * configurations that are neighbours must not be neighbours in the table:
	 * Fibonacci hashing (Knuth, "The Art of Computer Programming", volume 3, 6.4)
	 */
	size_t slot = (size_t)((index * UINT64_C(0x9e3779b97f4a7c15)) >> 20) &
		      (slot_count - 1);

	while (costs[slot].index != AT_NO_CONFIGURATION && costs[slot].index != index)
		slot = (slot + 1) & (slot_count - 1);
	return &costs[slot];
}

void at_pool_tell(struct at_pool *self, const struct at_told *told)
{
	struct at_pool_cost *cost = find(self->costs, self->slot_count, told->index);

	at_pool_take(self, told->index);
	if (cost->index == AT_NO_CONFIGURATION) {
		if (self->cost_count == self->slot_count / 2) {
			size_t more = self->slot_count * 2;
			struct at_pool_cost *grown = at_malloc(more * sizeof(*grown));

			for (size_t i = 0; i < more; i++)
				grown[i].index = AT_NO_CONFIGURATION;
			for (size_t i = 0; i < self->slot_count; i++)
				if (self->costs[i].index != AT_NO_CONFIGURATION)
					*find(grown, more, self->costs[i].index) =
						self->costs[i];
			free(self->costs);
			self->costs = grown;
			self->slot_count = more;
			cost = find(grown, more, told->index);
		}
		self->cost_count++;
	}
	*cost = (struct at_pool_cost){ told->index, told->cost };
}

double at_pool_cost(const struct at_pool *self, uint64_t index)
{
	const struct at_pool_cost *cost = find(self->costs, self->slot_count, index);

	return cost->index == AT_NO_CONFIGURATION ? NAN : cost->cost;
}

bool at_pool_take(struct at_pool *self, uint64_t index)
{
	if (at_tried_test(&self->taken, index))
		return false;
	at_tried_set(&self->taken, index);
	if (self->start_count < AT_START_MOST)
		self->start[self->start_count++] = index;
	return true;
}

bool at_pool_draw(struct at_pool *self, uint64_t *index)
{
	while (at_strategy_random.ask(self->order, index) == AT_ASK_CONFIGURATION)
		if (at_pool_take(self, *index))
			return true;
	return false;
}

/* The distance as at_search_space_nearest() measures it: 0 to 1 for each parameter. */
static double distance(const struct at_pool *self, const uint16_t *a, const uint16_t *b)
{
	double sum = 0;

	for (size_t i = 0; i < self->parameter_count; i++) {
		const struct at_search_parameter *parameter =
			at_search_space_parameter(self->space, i);

		if (a[i] == b[i])
			continue;
		sum += parameter->type == AT_TYPE_WORD
			       ? 1
			       : fabs((double)a[i] - (double)b[i]) /
					 (double)(parameter->value_count - 1);
	}
	return sum;
}

bool at_pool_start(struct at_pool *self, size_t count, uint64_t *index)
{
	uint16_t *one = self->scratch, *other = self->scratch + self->parameter_count;
	uint64_t best = AT_NO_CONFIGURATION;
	double farthest = -1;

	while (self->candidate_next < self->candidate_count) {
		*index = self->candidates[self->candidate_next++];
		if (at_pool_take(self, *index))
			return true;
	}
	if (self->taken.count >= count || !at_search_space_count(self->space))
		return false;
	for (int i = 0; i < START_TRIES; i++) {
		uint64_t drawn = at_search_space_draw(self->space, &self->random);
		double nearest = INFINITY;

		if (at_tried_test(&self->taken, drawn))
			continue;
		at_search_space_get(self->space, drawn, one);
		for (size_t j = 0; j < self->start_count && nearest > farthest; j++) {
			at_search_space_get(self->space, self->start[j], other);
			nearest = fmin(nearest, distance(self, one, other));
		}
		if (nearest > farthest) {
			farthest = nearest;
			best = drawn;
		}
	}
	if (best == AT_NO_CONFIGURATION || !at_pool_take(self, best))
		if (!at_pool_draw(self, &best))
			return false;
	*index = best;
	return true;
}

/* A value one place up or down in the list, or any other; the list has at least two. */
static uint16_t other_value(struct at_pool *self,
	const struct at_search_parameter *parameter, uint16_t value, bool is_adjacent)
{
	uint64_t other;

	if (is_adjacent) {
		bool up = at_random_below(&self->random, 2);

		if (value == 0)
			up = true;
		else if (value == parameter->value_count - 1)
			up = false;
		return (uint16_t)(up ? value + 1 : value - 1);
	}
	other = at_random_below(&self->random, parameter->value_count - 1);
	return (uint16_t)(other < value ? other : other + 1);
}

uint64_t at_pool_step(struct at_pool *self, uint64_t center, enum at_neighbours kind)
{
	uint16_t *configuration = self->scratch;
	size_t count;

	at_search_space_get(self->space, center, configuration);
	for (int i = 0; i < STEP_TRIES && self->parameter_count; i++) {
		size_t parameter =
			(size_t)at_random_below(&self->random, self->parameter_count);
		const struct at_search_parameter *about =
			at_search_space_parameter(self->space, parameter);
		uint16_t value = configuration[parameter];
		uint64_t index;

		if (about->value_count < 2)
			continue;
		configuration[parameter] = other_value(self, about, value,
			kind == AT_NEIGHBOURS_ADJACENT && about->type != AT_TYPE_WORD &&
				about->type != AT_TYPE_BOOLEAN);
		index = at_search_space_find(self->space, configuration);
		configuration[parameter] = value;
		if (index != AT_NO_CONFIGURATION)
			return index;
	}
	count = at_search_space_neighbours(self->space, center, kind, self->neighbours);
	return count ? self->neighbours[at_random_below(&self->random, count)]
		     : AT_NO_CONFIGURATION;
}

bool at_pool_take_neighbour(
	struct at_pool *self, uint64_t center, enum at_neighbours kind, uint64_t *index)
{
	size_t count;

	for (int i = 0; i < STEP_TRIES; i++) {
		*index = at_pool_step(self, center, kind);
		if (*index == AT_NO_CONFIGURATION)
			return false;
		if (at_pool_take(self, *index))
			return true;
	}
	/* few are left: draw from the list, dropping those that are taken */
	count = at_search_space_neighbours(self->space, center, kind, self->neighbours);
	while (count) {
		size_t drawn = (size_t)at_random_below(&self->random, count);

		if (at_pool_take(self, self->neighbours[drawn])) {
			*index = self->neighbours[drawn];
			return true;
		}
		self->neighbours[drawn] = self->neighbours[--count];
	}
	return false;
}

uint64_t at_pool_repair(const struct at_pool *self, const uint16_t *configuration)
{
	uint64_t index = at_search_space_find(self->space, configuration);

	return index == AT_NO_CONFIGURATION
		       ? at_search_space_nearest(self->space, configuration)
		       : index;
}

uint16_t at_pool_mutate(struct at_pool *self, size_t parameter, uint16_t value)
{
	const struct at_search_parameter *about =
		at_search_space_parameter(self->space, parameter);

	if (about->value_count < 2)
		return value;
	return other_value(self, about, value,
		about->type != AT_TYPE_WORD && at_random_below(&self->random, 2));
}

bool at_elite_tell(struct at_elite *self, uint64_t index, double cost)
{
	size_t place;

	for (size_t i = 0; i < self->count; i++) {
		if (self->members[i].index != index)
			continue;
		self->count--;
		memmove(self->members + i, self->members + i + 1,
			(self->count - i) * sizeof(*self->members));
		break;
	}
	if (isinf(cost))
		return false;
	for (place = self->count; place > 0; place--)
		if (self->members[place - 1].cost < cost)
			break;
	if (place == self->size)
		return false;
	if (self->count < self->size)
		self->count++;
	memmove(self->members + place + 1, self->members + place,
		(self->count - 1 - place) * sizeof(*self->members));
	self->members[place] = (struct at_pool_cost){ index, cost };
	return true;
}
