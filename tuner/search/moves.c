/* The loop of strategies of moves. */
#include "search/moves.h"

#include "base/memory.h"

#include <stdlib.h>

/* More than one, since the best may later be reported as a failure. */
#define ELITE_DEFAULT 8

static const struct at_move_rule *rule_of(const struct at_moves *self)
{
	return self->base.strategy.kind->moves;
}

enum at_status at_moves_open(const struct at_strategy_kind *kind,
	const struct at_search_space *space, const char *options, uint64_t seed,
	struct at_strategy **out, struct at_error *err)
{
	struct at_moves *self = at_calloc(1, kind->moves->bytes);
	enum at_status status;
	size_t width;

	at_pooled_init(&self->base, kind, space, seed);
	width = self->base.pool.parameter_count;
	self->elite.size = ELITE_DEFAULT;
	self->current = AT_NO_CONFIGURATION;
	self->jump = AT_NO_CONFIGURATION;
	self->rows[0] = at_malloc((AT_MOVES_ROWS * width + 1) * sizeof(uint16_t));
	for (size_t i = 1; i < AT_MOVES_ROWS; i++)
		self->rows[i] = self->rows[i - 1] + width;
	status = at_search_options_parse(kind->name, options, kind->moves->options,
		kind->moves->option_count, self, err);
	if (!status && kind->moves->open)
		status = kind->moves->open(self, err);
	if (status)
		at_moves_close(&self->base.strategy);
	else
		*out = &self->base.strategy;
	return status;
}

void at_moves_close(struct at_strategy *strategy)
{
	struct at_moves *self = (struct at_moves *)strategy;

	if (!self)
		return;
	at_pooled_release(&self->base);
	free(self->rows[0]);
	free(self->memory);
	free(self);
}

void at_moves_go(struct at_moves *self, struct at_pool_cost to)
{
	self->current = to.index;
	self->current_cost = to.cost;
	self->looked = 0;
}

size_t at_moves_best_member(const struct at_moves *self)
{
	size_t best = 0;

	for (size_t i = 1; i < self->member_count; i++)
		if (self->members[i].at.cost < self->members[best].at.cost)
			best = i;
	return best;
}

static bool is_member(const struct at_moves *self, uint64_t index)
{
	for (size_t i = 0; i < self->member_count; i++)
		if (self->members[i].at.index == index)
			return true;
	return false;
}

/* Whether a walk moves to a configuration that passed. */
static bool accepts(struct at_moves *self, struct at_pool_cost told)
{
	bool (*rule)(struct at_moves *, double) = rule_of(self)->accepts;

	return told.index == self->elite.members[0].index || told.index == self->jump ||
	       told.index == self->current || (rule && rule(self, told.cost));
}

/* The member that proposed a configuration takes it if it is no worse. Any other
   configuration becomes a new member, or replaces the worst. */
static void tell_members(struct at_moves *self, struct at_pool_cost told)
{
	void (*on_restart)(struct at_moves *, size_t) = rule_of(self)->on_restart;
	size_t worst = 0, place = SIZE_MAX;

	for (size_t i = 0; i < self->member_count; i++) {
		struct at_member *member = &self->members[i];

		if (member->at.index == told.index)
			member->at.cost = told.cost;
		if (member->out == told.index) {
			member->out = AT_NO_CONFIGURATION;
			place = i;
		}
		if (member->at.cost > self->members[worst].at.cost)
			worst = i;
	}
	if (isinf(told.cost))
		return;
	if (place != SIZE_MAX) {
		if (told.cost <= self->members[place].at.cost)
			self->members[place].at = told;
		return;
	}
	if (self->member_count < self->population)
		worst = self->member_count++;
	else if (!self->population || told.cost > self->members[worst].at.cost)
		return;
	self->members[worst] = (struct at_member){ told, AT_NO_CONFIGURATION };
	if (on_restart)
		on_restart(self, worst);
}

/* The result of a proposal is known: handles it as if it had just arrived. */
static void consider_known(struct at_moves *self, struct at_pool_cost known)
{
	struct at_member *member = &self->members[self->next];

	if (!self->population) {
		if (accepts(self, known))
			at_moves_go(self, known);
	} else if (known.cost < member->at.cost && !is_member(self, known.index)) {
		/* two equal members would have no difference */
		member->at = known;
	}
}

enum at_ask at_moves_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct at_moves *self = (struct at_moves *)strategy;
	const struct at_move_rule *rule = rule_of(self);
	struct at_pool *pool = &self->base.pool;

	if (at_pool_start(pool, self->start, index))
		return AT_ASK_CONFIGURATION;
	for (int i = 0; i < rule->attempts && self->elite.count >= rule->least; i++) {
		double cost;

		if (self->member_count)
			self->next = (self->next + 1) % self->member_count;
		*index = rule->propose(self, i);
		if (*index == AT_NO_CONFIGURATION)
			break;
		if (at_pool_take(pool, *index)) {
			struct at_member *member = &self->members[self->next];

			self->looked++;
			/* a member has one proposal at a time */
			if (self->population && member->out == AT_NO_CONFIGURATION)
				member->out = *index;
			return AT_ASK_CONFIGURATION;
		}
		cost = at_pool_cost(pool, *index);
		if (isfinite(cost))
			consider_known(self, (struct at_pool_cost){ *index, cost });
	}
	return at_pool_draw(pool, index) ? AT_ASK_CONFIGURATION : AT_ASK_DONE;
}

void at_moves_tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct at_moves *self = (struct at_moves *)strategy;
	struct at_pool_cost result = { told->index, told->cost };

	at_pool_tell(&self->base.pool, told);
	at_elite_tell(&self->elite, result.index, result.cost);
	if (self->population)
		tell_members(self, result);
	if (!self->elite.count)
		/* nothing has passed, or what had passed was later reported as a
		   failure */
		self->current = AT_NO_CONFIGURATION;
	else if (isinf(result.cost) && self->current == result.index)
		at_moves_go(self, self->elite.members[0]);
	else if (!isinf(result.cost) && accepts(self, result))
		at_moves_go(self, result);
}
