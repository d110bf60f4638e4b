/*
 * A bandit over the other strategies (Ansel and others 2014, "OpenTuner: An Extensible
 * Framework for Program Autotuning"): each time it asks the strategy that found good
 * configurations lately, as search/credit.h reckons it. All strategies are told all
 * results, so that each goes on from what the others found.
 *
 * Unlike OpenTuner it gives credit for coming among the best few, and not only for a
 * new best, which is too rare to learn from within some hundred evaluations.
 */
#include "search/credit.h"
#include "base/memory.h"
#include "search/pool.h"

#include <stdlib.h>

static const struct at_strategy_kind *const arm_kinds[] = {
	&at_strategy_local,
	&at_strategy_annealing,
	&at_strategy_tabu,
	&at_strategy_genetic,
	&at_strategy_differential,
	&at_strategy_swarm,
	&at_strategy_random,
};

static const char *const arm_words[] = {
	"local",
	"annealing",
	"tabu",
	"genetic",
	"differential",
	"swarm",
	"random",
	NULL,
};

/*
 * local, annealing and differential, by their bits as in arm_kinds: two that walk, and
 * one that keeps several places. All strategies together, or another three, find no
 * more: since all are told the same, more strategies gather in one place sooner.
 */
#define ARMS_DEFAULT 0x13u

/* A configuration that an arm asked for and that is not told yet. */
struct out {
	uint64_t index;
	uint64_t pull;
};

struct bandit {
	struct at_pooled base;
	struct at_credit credit;
	struct at_elite elite; /* a pull pays if its result comes in here */
	struct at_strategy *arms[AT_COUNT_OF(arm_kinds)];
	struct out *out;
	size_t out_count, out_capacity;
	uint32_t chosen; /* option: a bit for each of arm_kinds */
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

static enum at_status bandit_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	struct bandit *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->chosen = ARMS_DEFAULT;
	self->start = AT_START_DEFAULT;
	self->credit.window = 100;
	self->credit.exploration = 0.1;
	self->elite.size = 5;
	const struct at_search_option known[] = {
		{ "arms", .set = &self->chosen, .words = arm_words },
		{ "start", .whole = &self->start, .low = 1, .high = AT_START_MOST },
		{ "window", .whole = &self->credit.window, .low = 1,
			.high = AT_CREDIT_WINDOW_MOST },
		{ "exploration", .real = &self->credit.exploration, .low = 0,
			.high = 100 },
		{ "elite", .whole = &self->elite.size, .low = 1,
			.high = AT_ELITE_MOST },
	};

	status = at_search_options_parse(
		"bandit", options, known, AT_COUNT_OF(known), err);
	if (!status)
		status = at_pooled_init(
			&self->base, &at_strategy_bandit, space, seed, err);
	for (size_t i = 0; i < AT_COUNT_OF(arm_kinds) && !status; i++) {
		if (!(self->chosen >> i & 1))
			continue;
		status = arm_kinds[i]->open(space, "",
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

/* Excludes a configuration from all arms except one (SIZE_MAX: from all). */
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

	/* arms make no start of their own, since they count what others tried */
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
