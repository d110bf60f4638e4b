/*
 * A random sample without replacement: a Fisher and Yates shuffle that is done
 * as far as it is asked for.
 */
#include "search/kinds.h"
#include "base/random.h"

#include <stdlib.h>

struct random_search {
	struct at_strategy strategy;
	struct at_random random;
	struct at_tried tried;
	size_t count;
	size_t next; /* order[0..next) was drawn */
	uint32_t *order; /* a space has at most 2^32 - 1 configurations */
};

static void random_close(struct at_strategy *strategy)
{
	struct random_search *self = (struct random_search *)strategy;

	if (!self)
		return;
	at_tried_release(&self->tried);
	free(self->order);
	free(self);
}

static enum at_status random_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	struct random_search *self;
	enum at_status status = at_strategy_no_options("random", options, err);

	if (status)
		return status;
	self = calloc(1, sizeof(*self));
	if (!self)
		return at_fail_memory(err);
	self->strategy.kind = &at_strategy_random;
	self->count = space->configurations->count;
	self->order = malloc((self->count + 1) * sizeof(*self->order));
	status = self->order ? at_tried_init(&self->tried, self->count, err)
			     : at_fail_memory(err);
	if (status) {
		random_close(&self->strategy);
		return status;
	}
	for (size_t i = 0; i < self->count; i++)
		self->order[i] = (uint32_t)i;
	at_random_init(&self->random, seed);
	*out = &self->strategy;
	return AT_OK;
}

static enum at_ask random_ask(struct at_strategy *strategy, size_t *index)
{
	struct random_search *self = (struct random_search *)strategy;

	while (self->next < self->count) {
		size_t left = self->count - self->next;
		size_t drawn =
			self->next + (size_t)at_random_below(&self->random, left);
		uint32_t chosen = self->order[drawn];

		self->order[drawn] = self->order[self->next];
		self->order[self->next++] = chosen;
		if (at_tried_test(&self->tried, chosen))
			continue;
		*index = chosen;
		return AT_ASK_CONFIGURATION;
	}
	return AT_ASK_DONE;
}

static void random_exclude(struct at_strategy *strategy, size_t index)
{
	struct random_search *self = (struct random_search *)strategy;

	at_tried_set(&self->tried, index);
}

static void random_tell(struct at_strategy *strategy, size_t index, double cost)
{
	(void)cost;
	random_exclude(strategy, index);
}

const struct at_strategy_kind at_strategy_random = {
	.name = "random",
	.summary = "a random sample without replacement",
	.open = random_open,
	.close = random_close,
	.ask = random_ask,
	.tell = random_tell,
	.exclude = random_exclude,
};
