/* Tries every configuration, in the order of the space. */
#include "search/kinds.h"

#include "base/memory.h"

#include <stdlib.h>

struct exhaustive {
	struct at_strategy strategy;
	struct at_tried tried; /* what others tried before its turn came */
	uint64_t count;
	uint64_t next;
};

static enum at_status exhaustive_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	struct exhaustive *self;
	enum at_status status = at_strategy_no_options("exhaustive", options, err);

	(void)seed; /* nothing is random */
	if (status)
		return status;
	self = at_calloc(1, sizeof(*self));
	self->strategy.kind = &at_strategy_exhaustive;
	self->count = at_search_space_count(space);
	at_tried_init(&self->tried);
	*out = &self->strategy;
	return AT_OK;
}

static void exhaustive_close(struct at_strategy *strategy)
{
	struct exhaustive *self = (struct exhaustive *)strategy;

	if (!self)
		return;
	at_tried_release(&self->tried);
	free(self);
}

static enum at_ask exhaustive_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct exhaustive *self = (struct exhaustive *)strategy;

	while (self->next < self->count && at_tried_test(&self->tried, self->next))
		self->next++;
	if (self->next == self->count)
		return AT_ASK_DONE;
	*index = self->next++;
	return AT_ASK_CONFIGURATION;
}

static void exhaustive_exclude(struct at_strategy *strategy, uint64_t index)
{
	struct exhaustive *self = (struct exhaustive *)strategy;

	/* an index that has passed does not come again, so it is not kept */
	if (index >= self->next)
		at_tried_set(&self->tried, index);
}

static void exhaustive_tell(struct at_strategy *strategy, const struct at_told *told)
{
	exhaustive_exclude(strategy, told->index);
}

const struct at_strategy_kind at_strategy_exhaustive = {
	.name = "exhaustive",
	.summary = "tries every configuration, in the order of the space file",
	.open = exhaustive_open,
	.close = exhaustive_close,
	.ask = exhaustive_ask,
	.tell = exhaustive_tell,
	.exclude = exhaustive_exclude,
};
