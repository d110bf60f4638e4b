/*
 * A bandit over the other strategies (Ansel and others 2014, "OpenTuner: An
 * Extensible Framework for Program Autotuning"): it asks the strategy that recently
 * found good configurations, by the credit of search/credit.h. All strategies receive
 * all results, so each builds on what the others found.
 *
 * Unlike OpenTuner it credits a place among the best few, not only a new best, which
 * is too rare to learn from within some hundred evaluations.
 */
#include "search/credit.h"
#include "base/memory.h"
#include "search/pool.h"

#include <stdlib.h>

/*
 * local, annealing and differential, by their bits: two walks and a population. All
 * strategies together, or another three, find no more: since all receive the same
 * results, more strategies converge to one place sooner.
 */
#define ARMS_DEFAULT 0x13

/* The arms are the strategies of moves, in the order of the list, and random search. */
static size_t list_arms(const struct at_strategy_kind *kinds[AT_CREDIT_ARMS_MOST + 1],
	const char *words[AT_CREDIT_ARMS_MOST + 1])
{
	const struct at_strategy_kind *kind;
	size_t count = 0;

	for (size_t i = 0; (kind = at_strategy_kind_at(i)); i++)
		if (kind->moves && count < AT_CREDIT_ARMS_MOST - 1)
			kinds[count++] = kind;
	kinds[count++] = &at_strategy_random;
	for (size_t i = 0; i < count; i++)
		words[i] = kinds[i]->name;
	words[count] = NULL;
	return count;
}

/* A configuration of an arm, in flight. */
struct out {
	uint64_t index;
	uint64_t pull;
};

struct bandit {
	struct at_pooled base;
	struct at_credit credit;
	struct at_elite elite; /* a pull pays if its result enters it */
	struct at_strategy *arms[AT_CREDIT_ARMS_MOST];
	struct out *out;
	size_t out_count, out_capacity;
	uint32_t chosen; /* option: a bit for each of list_arms() */
	size_t start;
};

static void bandit_close(struct at_strategy *strategy)
{
	struct bandit *self = (struct bandit *)strategy;

	if (!self)
		return;
	for (size_t i = 0; i < self->credit.arm_count; i++)
		self->arms[i]->kind->close(self->arms[i]);
	at_pooled_release(&self->base);
	free(self->out);
	free(self);
}

static enum at_status bandit_open(const struct at_strategy_kind *kind,
	const struct at_search_space *space, const char *options, uint64_t seed,
	struct at_strategy **out, struct at_error *err)
{
	struct bandit *self = at_calloc(1, sizeof(*self));
	const struct at_strategy_kind *kinds[AT_CREDIT_ARMS_MOST + 1];
	const char *words[AT_CREDIT_ARMS_MOST + 1];
	size_t count = list_arms(kinds, words);
	const struct at_search_option known[] = {
		{ "arms", AT_OPTION(struct bandit, chosen), ARMS_DEFAULT, words },
		{ "start", AT_OPTION(struct bandit, start), AT_START_DEFAULT, .low = 1,
			.high = AT_START_MOST },
		{ "window", AT_OPTION(struct bandit, credit.window), 100, .low = 1,
			.high = AT_CREDIT_WINDOW_MOST },
		{ "exploration", AT_OPTION(struct bandit, credit.exploration), 0.1,
			.low = 0, .high = 100 },
		{ "elite", AT_OPTION(struct bandit, elite.size), 5, .low = 1,
			.high = AT_ELITE_MOST },
	};
	enum at_status status;

	at_pooled_init(&self->base, kind, space, seed);
	status = at_search_options_parse(
		kind->name, options, known, AT_COUNT_OF(known), self, err);
	for (size_t i = 0; i < count && !status; i++) {
		if (!(self->chosen >> i & 1))
			continue;
		status = kinds[i]->open(kinds[i], space, "",
			at_random_next(&self->base.pool.random),
			&self->arms[self->credit.arm_count], err);
		if (!status)
			self->credit.arm_count++;
	}
	if (status) {
		bandit_close(&self->base.strategy);
		return status;
	}
	*out = &self->base.strategy;
	return AT_OK;
}

/* Excludes a configuration from all arms except `but` (SIZE_MAX: from all). */
static void exclude(struct bandit *self, size_t but, uint64_t index)
{
	for (size_t i = 0; i < self->credit.arm_count; i++)
		if (i != but)
			self->arms[i]->kind->exclude(self->arms[i], index);
}

static enum at_ask bandit_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct bandit *self = (struct bandit *)strategy;
	struct at_pool *pool = &self->base.pool;
	uint32_t without = 0, all = (UINT32_C(1) << self->credit.arm_count) - 1;
	bool is_waiting = false;

	/* arms have no start of their own, since they count what others tried */
	if (at_pool_start(pool, self->start, index)) {
		exclude(self, SIZE_MAX, *index);
		return AT_ASK_CONFIGURATION;
	}
	while (without != all) {
		size_t arm = at_credit_choose(&self->credit, without, &pool->random);
		enum at_ask answer = self->arms[arm]->kind->ask(self->arms[arm], index);

		if (answer != AT_ASK_CONFIGURATION) {
			is_waiting |= answer == AT_ASK_WAIT;
			without |= UINT32_C(1) << arm;
			continue;
		}
		if (!at_pool_take(pool, *index))
			continue;
		exclude(self, arm, *index);
		uint64_t pull = at_credit_pull(&self->credit, arm);

		AT_GROW(self->out, self->out_capacity, self->out_count + 1);
		self->out[self->out_count++] = (struct out){ *index, pull };
		return AT_ASK_CONFIGURATION;
	}
	return is_waiting ? AT_ASK_WAIT : AT_ASK_DONE;
}

static void bandit_tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct bandit *self = (struct bandit *)strategy;
	bool has_paid;

	at_pool_tell(&self->base.pool, told);
	has_paid = at_elite_tell(
		&self->elite, told->index, at_pool_cost(&self->base.pool, told->index));
	for (size_t i = 0; i < self->credit.arm_count; i++)
		self->arms[i]->kind->tell(self->arms[i], told);
	for (size_t i = 0; i < self->out_count; i++) {
		if (self->out[i].index != told->index)
			continue;
		if (has_paid)
			at_credit_paid(&self->credit, self->out[i].pull);
		self->out[i] = self->out[--self->out_count];
		break;
	}
}

static void bandit_exclude(struct at_strategy *strategy, uint64_t index)
{
	at_pooled_exclude(strategy, index);
	exclude((struct bandit *)strategy, SIZE_MAX, index);
}

const struct at_strategy_kind at_strategy_bandit = {
	.name = "bandit",
	.summary = "asks whichever other strategies found good configurations lately",
	.open = bandit_open,
	.close = bandit_close,
	.prior = at_pooled_prior,
	.ask = bandit_ask,
	.tell = bandit_tell,
	.exclude = bandit_exclude,
};
