/* A strategy on a part of a space: translates indices between the part and the
   whole. */
#include "search/part.h"

#include "base/memory.h"

#include <stdlib.h>

struct part {
	struct at_strategy base;
	const struct at_search_space *whole;
	struct at_search_space *space; /* the part */
	struct at_strategy *inner; /* searches the part; NULL: the part is empty */
	uint16_t *configuration; /* room for one */
};

static struct part *part_of(struct at_strategy *strategy)
{
	return (struct part *)strategy;
}

/* The index within the part, or AT_NO_CONFIGURATION in another part. */
static uint64_t to_part(const struct part *self, uint64_t index)
{
	if (!self->inner)
		return AT_NO_CONFIGURATION;
	at_search_space_get(self->whole, index, self->configuration);
	return at_search_space_find(self->space, self->configuration);
}

static uint64_t to_whole(const struct part *self, uint64_t index)
{
	at_search_space_get(self->space, index, self->configuration);
	return at_search_space_find(self->whole, self->configuration);
}

static enum at_ask ask(struct at_strategy *strategy, uint64_t *index)
{
	struct part *self = part_of(strategy);
	enum at_ask answer = AT_ASK_DONE;

	if (self->inner)
		answer = self->inner->kind->ask(self->inner, index);
	if (answer == AT_ASK_CONFIGURATION)
		*index = to_whole(self, *index);
	return answer;
}

static void tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct part *self = part_of(strategy);
	struct at_told inside = *told;

	inside.index = to_part(self, told->index);
	if (inside.index != AT_NO_CONFIGURATION)
		self->inner->kind->tell(self->inner, &inside);
}

static void exclude(struct at_strategy *strategy, uint64_t index)
{
	struct part *self = part_of(strategy);
	uint64_t inside = to_part(self, index);

	if (inside != AT_NO_CONFIGURATION)
		self->inner->kind->exclude(self->inner, inside);
}

static enum at_status prior(struct at_strategy *strategy, const struct at_prior *known,
	struct at_error *err)
{
	struct part *self = part_of(strategy);
	struct at_prior inside = { .similarity = known->similarity };
	enum at_status status = AT_OK;
	struct at_told *told;

	if (!self->inner || !self->inner->kind->prior)
		return AT_OK;
	told = at_calloc(known->count + 1, sizeof(*told));
	for (size_t i = 0; i < known->count; i++) {
		told[inside.count] = known->told[i];
		told[inside.count].index = to_part(self, known->told[i].index);
		inside.count += told[inside.count].index != AT_NO_CONFIGURATION;
	}
	inside.told = told;
	if (inside.count)
		status = self->inner->kind->prior(self->inner, &inside, err);
	free(told);
	return status;
}

static const char *why_done(const struct at_strategy *strategy)
{
	const struct part *self = (const struct part *)strategy;

	if (!self->inner)
		return "there are more shares than configurations, and none for this one";
	return self->inner->kind->why_done ? self->inner->kind->why_done(self->inner)
					   : NULL;
}

static void close_part(struct at_strategy *strategy)
{
	struct part *self = part_of(strategy);

	if (!self)
		return;
	if (self->inner)
		self->inner->kind->close(self->inner);
	at_search_space_free(self->space);
	free(self->configuration);
	free(self);
}

static const struct at_strategy_kind part_kind = {
	.name = "part",
	.summary = "one part of the space, by another strategy",
	.close = close_part,
	.prior = prior,
	.ask = ask,
	.tell = tell,
	.exclude = exclude,
	.why_done = why_done,
};

enum at_status at_part_strategy_open(const struct at_strategy_kind *kind,
	const struct at_search_space *whole, const struct at_part *part,
	const char *options, uint64_t seed, struct at_strategy **out, uint64_t *size,
	struct at_error *err)
{
	struct part *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	*out = NULL;
	self->base.kind = &part_kind;
	self->whole = whole;
	self->configuration = at_calloc(at_search_space_parameter_count(whole) + 1,
		sizeof(*self->configuration));
	status = at_search_space_part(
		whole, part->index, part->count, &self->space, err);
	if (!status && at_search_space_count(self->space))
		status =
			kind->open(kind, self->space, options, seed, &self->inner, err);
	if (status) {
		close_part(&self->base);
		return status;
	}
	*size = at_search_space_count(self->space);
	*out = &self->base;
	return AT_OK;
}
