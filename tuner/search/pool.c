/* The pool: taken configurations and their costs, and ways to draw free ones. */
#include "search/pool.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each configuration of a start is the best of this many random ones. More push the
   start to the borders of the space, fewer leave holes in it. */
#define START_TRIES 10

/* A prior of similarity 1 gives this many candidates and one more. The best
   configuration of another problem is seldom the best of this one, but often near it.
 */
#define PRIOR_BEST 4

/* Random draws of a neighbour before all neighbours are listed, which costs more. */
#define STEP_TRIES 8

/* ---- tried configurations ------------------------------------------------------- */

/* Adjacent indices must not be adjacent in the table: Fibonacci hashing (Knuth, "The
   Art of Computer Programming", volume 3, 6.4). */
static struct at_hash key_of(uint64_t index)
{
	return (struct at_hash){ .low = (index * UINT64_C(0x9e3779b97f4a7c15)) >> 20,
		.high = index };
}

void at_tried_release(struct at_tried *self)
{
	at_hash_index_release(&self->places);
	free(self->entries);
	*self = (struct at_tried){ 0 };
}

bool at_tried_test(const struct at_tried *self, uint64_t index)
{
	return at_hash_index_find(&self->places, key_of(index)) != UINT32_MAX;
}

size_t at_tried_set(struct at_tried *self, uint64_t index)
{
	uint32_t fresh = (uint32_t)self->count, place;

	at_hash_index_put(&self->places, key_of(index), fresh, &place);
	if (place == fresh) {
		AT_GROW(self->entries, self->capacity, self->count + 1);
		self->entries[self->count++] = (struct at_pool_cost){ index, NAN };
	}
	return place;
}

/* ---- the pool -------------------------------------------------------------------- */

void at_pooled_init(struct at_pooled *self, const struct at_strategy_kind *kind,
	const struct at_search_space *space, uint64_t seed)
{
	struct at_pool *pool = &self->pool;

	*self = (struct at_pooled){ .strategy.kind = kind, .pool.space = space };
	pool->parameter_count = at_search_space_parameter_count(space);
	at_random_init(&pool->random, seed);
	at_strategy_random.open(&at_strategy_random, space, "",
		at_random_next(&pool->random), &pool->order, NULL);
	/* one more than needed: a space of one configuration has no neighbours */
	pool->neighbours = at_malloc((at_search_space_neighbours_max(space) + 1) *
				     sizeof(*pool->neighbours));
	pool->scratch =
		at_malloc((2 * pool->parameter_count + 1) * sizeof(*pool->scratch));
}

void at_pooled_release(struct at_pooled *self)
{
	struct at_pool *pool = &self->pool;

	at_strategy_random.close(pool->order);
	at_tried_release(&pool->taken);
	free(pool->neighbours);
	free(pool->scratch);
	*pool = (struct at_pool){ 0 };
}

enum at_status at_pooled_prior(struct at_strategy *strategy,
	const struct at_prior *prior, struct at_error *err)
{
	struct at_pool *pool = &((struct at_pooled *)strategy)->pool;
	struct at_elite best = { .size = 1 + (size_t)(prior->similarity * PRIOR_BEST) };

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

void at_pool_tell(struct at_pool *self, const struct at_told *told)
{
	size_t place = at_tried_set(&self->taken, told->index);

	self->told_count += isnan(self->taken.entries[place].cost);
	self->taken.entries[place].cost = told->cost;
}

double at_pool_cost(const struct at_pool *self, uint64_t index)
{
	uint32_t place = at_hash_index_find(&self->taken.places, key_of(index));

	return place == UINT32_MAX ? (double)NAN : self->taken.entries[place].cost;
}

bool at_pool_take(struct at_pool *self, uint64_t index)
{
	size_t count = self->taken.count;

	return at_tried_set(&self->taken, index) == count;
}

bool at_pool_draw(struct at_pool *self, uint64_t *index)
{
	while (at_strategy_random.ask(self->order, index) == AT_ASK_CONFIGURATION)
		if (at_pool_take(self, *index))
			return true;
	return false;
}

/* The distance of at_search_space_nearest(): 0 to 1 for each parameter. */
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
	size_t before =
		self->taken.count < AT_START_MOST ? self->taken.count : AT_START_MOST;
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
		for (size_t j = 0; j < before && nearest > farthest; j++) {
			at_search_space_get(
				self->space, self->taken.entries[j].index, other);
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

/* A value one place up or down, or any other; the list has at least two values. */
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

uint64_t at_pool_free_neighbour(
	struct at_pool *self, uint64_t center, enum at_neighbours kind)
{
	size_t count;

	for (int i = 0; i < STEP_TRIES; i++) {
		uint64_t index = at_pool_step(self, center, kind);

		if (index == AT_NO_CONFIGURATION || !at_tried_test(&self->taken, index))
			return index;
	}
	/* few are free: draw from the list, and remove taken ones */
	count = at_search_space_neighbours(self->space, center, kind, self->neighbours);
	while (count) {
		size_t drawn = (size_t)at_random_below(&self->random, count);

		if (!at_tried_test(&self->taken, self->neighbours[drawn]))
			return self->neighbours[drawn];
		self->neighbours[drawn] = self->neighbours[--count];
	}
	return AT_NO_CONFIGURATION;
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
