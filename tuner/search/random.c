/*
 * A random sample without replacement: configurations in the order of a random
 * permutation, which is computed, not stored. A place in the order is a pair (left,
 * right) in a rectangle that is at least as large as the space. The rounds of a
 * generalized Feistel network permute the rectangle; a result outside the space is
 * permuted again until it is inside (Black and Rogaway 2002, "Ciphers with Arbitrary
 * Finite Domains").
 */
#include "search/kinds.h"
#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>

/* Black and Rogaway prove three rounds for large spaces. Small spaces need more until
   each place gets each configuration equally often; a round takes some nanoseconds. */
#define ROUNDS 12

struct random_search {
	struct at_strategy strategy;
	struct at_tried tried; /* what others tried before their place came */
	uint64_t count;
	uint64_t next; /* the place in the permutation that comes next */
	/* the rectangle is width times height: at least count, and little more */
	uint64_t width;
	uint64_t height;
	uint64_t keys[ROUNDS];
};

/* The least width whose square is not below count; at most 2^32. */
static uint64_t root_above(uint64_t count)
{
	uint64_t low = 1, high = UINT64_C(1) << 32;

	/* in integers, since rounding must not change the order from machine to
	   machine */
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		/* middle is below 2^32, so its square fits */
		if (middle * middle < count)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void random_close(struct at_strategy *strategy)
{
	struct random_search *self = (struct random_search *)strategy;

	if (!self)
		return;
	at_tried_release(&self->tried);
	free(self);
}

static enum at_status random_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	struct random_search *self;
	struct at_random random;
	enum at_status status = at_strategy_no_options("random", options, err);

	if (status)
		return status;
	self = at_calloc(1, sizeof(*self));
	self->strategy.kind = &at_strategy_random;
	self->count = at_search_space_count(space);
	self->width = root_above(self->count);
	self->height = self->count / self->width + (self->count % self->width != 0);
	at_random_init(&random, seed);
	for (int i = 0; i < ROUNDS; i++)
		self->keys[i] = at_random_next(&random);
	at_tried_init(&self->tried);
	*out = &self->strategy;
	return AT_OK;
}

/* A hash that is as good as random: the finalizer of SplitMix64 (Steele, Lea and Flood
   2014). */
static uint64_t mix(uint64_t key, uint64_t half)
{
	uint64_t hash = key + half * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
	return hash ^ hash >> 31;
}

/* The configuration at a place of the permutation. */
static uint64_t permute(const struct random_search *self, uint64_t place)
{
	do {
		uint64_t left = place % self->width, right = place / self->width;

		/* each half in turn is moved by a hash of the other */
		for (int i = 0; i < ROUNDS; i += 2) {
			left = (left + mix(self->keys[i], right) % self->width) %
			       self->width;
			right = (right + mix(self->keys[i + 1], left) % self->height) %
				self->height;
		}
		place = right * self->width + left;
	} while (place >= self->count);
	return place;
}

/* The place of a configuration. */
static uint64_t permute_back(const struct random_search *self, uint64_t index)
{
	do {
		uint64_t left = index % self->width, right = index / self->width;

		for (int i = ROUNDS; i > 0; i -= 2) {
			right = (right + self->height -
					mix(self->keys[i - 1], left) % self->height) %
				self->height;
			left = (left + self->width -
				       mix(self->keys[i - 2], right) % self->width) %
			       self->width;
		}
		index = right * self->width + left;
	} while (index >= self->count);
	return index;
}

static enum at_ask random_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct random_search *self = (struct random_search *)strategy;

	while (self->next < self->count) {
		*index = permute(self, self->next++);
		if (!at_tried_test(&self->tried, *index))
			return AT_ASK_CONFIGURATION;
	}
	return AT_ASK_DONE;
}

static void random_exclude(struct at_strategy *strategy, uint64_t index)
{
	struct random_search *self = (struct random_search *)strategy;

	/* a place that has passed does not come again, so it is not kept */
	if (permute_back(self, index) >= self->next)
		at_tried_set(&self->tried, index);
}

static void random_tell(struct at_strategy *strategy, const struct at_told *told)
{
	random_exclude(strategy, told->index);
}

const struct at_strategy_kind at_strategy_random = {
	.name = "random",
	.summary = "tries a random sample, no configuration twice",
	.open = random_open,
	.close = random_close,
	.ask = random_ask,
	.tell = random_tell,
	.exclude = random_exclude,
};
