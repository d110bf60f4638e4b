/*
 * Every configuration once, in the order of the space or of a random permutation.
 *
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
#include "search/options.h"

#include <stdlib.h>

/* Black and Rogaway verify three rounds for large spaces. Small spaces need more
   rounds until each place gets each configuration equally often; a round takes some
   nanoseconds. */
#define ROUNDS 12

struct ordered {
	struct at_strategy strategy;
	struct at_tried tried; /* others tried these before their place came */
	int rounds; /* 0: the order of the space */
	uint64_t count;
	uint64_t next; /* the next place in the permutation */
	/* the rectangle is width times height: at least count, and little more */
	uint64_t width;
	uint64_t height;
	uint64_t keys[ROUNDS];
};

/* The least width whose square is at least count; at most 2^32. */
static uint64_t root_above(uint64_t count)
{
	uint64_t low = 1, high = UINT64_C(1) << 32;

	/* integers only: rounding must not make the order depend on the machine */
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

static void close_ordered(struct at_strategy *strategy)
{
	struct ordered *self = (struct ordered *)strategy;

	if (!self)
		return;
	at_tried_release(&self->tried);
	free(self);
}

static enum at_status open_ordered(const struct at_strategy_kind *kind,
	const struct at_search_space *space, const char *options, uint64_t seed,
	struct at_strategy **out, struct at_error *err)
{
	struct ordered *self;
	struct at_random random;
	enum at_status status =
		at_search_options_parse(kind->name, options, NULL, 0, NULL, err);

	if (status)
		return status;
	self = at_calloc(1, sizeof(*self));
	self->strategy.kind = kind;
	self->rounds = kind == &at_strategy_random ? ROUNDS : 0;
	self->count = at_search_space_count(space);
	self->width = root_above(self->count);
	self->height = self->count / self->width + (self->count % self->width != 0);
	at_random_init(&random, seed);
	for (int i = 0; i < ROUNDS; i++)
		self->keys[i] = at_random_next(&random);
	*out = &self->strategy;
	return AT_OK;
}

/* A hash of random quality: the finalizer of SplitMix64 (Steele, Lea and Flood
   2014). */
static uint64_t mix(uint64_t key, uint64_t half)
{
	uint64_t hash = key + half * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
	return hash ^ hash >> 31;
}

/* The configuration at a place of the permutation. */
static uint64_t permute(const struct ordered *self, uint64_t place)
{
	do {
		uint64_t left = place % self->width, right = place / self->width;

		/* each half in turn is moved by a hash of the other */
		for (int i = 0; i < self->rounds; i += 2) {
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
static uint64_t permute_back(const struct ordered *self, uint64_t index)
{
	do {
		uint64_t left = index % self->width, right = index / self->width;

		for (int i = self->rounds; i > 0; i -= 2) {
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

static enum at_ask ask(struct at_strategy *strategy, uint64_t *index)
{
	struct ordered *self = (struct ordered *)strategy;

	while (self->next < self->count) {
		*index = permute(self, self->next++);
		if (!at_tried_test(&self->tried, *index))
			return AT_ASK_CONFIGURATION;
	}
	return AT_ASK_DONE;
}

static void exclude(struct at_strategy *strategy, uint64_t index)
{
	struct ordered *self = (struct ordered *)strategy;

	/* a place that has passed never returns, so it need not be stored */
	if (permute_back(self, index) >= self->next)
		at_tried_set(&self->tried, index);
}

static void tell(struct at_strategy *strategy, const struct at_told *told)
{
	exclude(strategy, told->index);
}

const struct at_strategy_kind at_strategy_random = {
	.name = "random",
	.summary = "tries a random sample, no configuration twice",
	.open = open_ordered,
	.close = close_ordered,
	.ask = ask,
	.tell = tell,
	.exclude = exclude,
};

const struct at_strategy_kind at_strategy_exhaustive = {
	.name = "exhaustive",
	.summary = "tries every configuration, in the order of the space file",
	.open = open_ordered,
	.close = close_ordered,
	.ask = ask,
	.tell = tell,
	.exclude = exclude,
};
