/* The ablation: each round tries all single changes and keeps the best as a step. */
#include "search/ablation.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum trial {
	TRIAL_NONE = 0,
	TRIAL_OUT, /* in flight */
	TRIAL_TOLD,
};

/* The cost of changing one parameter to the winner's value at the present point of
   the path. */
struct change {
	enum trial trial;
	double cost; /* as reported: may be INFINITY or NAN */
};

struct at_ablation {
	size_t parameter_count;
	uint16_t *here; /* the present point of the path */
	uint16_t *winner;
	double baseline_cost;
	double here_cost;
	double winner_cost;
	struct change *changes; /* one a parameter */
	/* parameters in the order of their steps; those of a step lie together */
	size_t *order;
	size_t order_count;
	struct at_ablation_step *steps;
	size_t step_count;
	bool ended;
};

static size_t count_left(const struct at_ablation *self)
{
	size_t left = 0;

	for (size_t i = 0; i < self->parameter_count; i++)
		left += self->here[i] != self->winner[i];
	return left;
}

void at_ablation_new(size_t parameter_count, const uint16_t *baseline,
	const uint16_t *winner, double baseline_cost, double winner_cost,
	struct at_ablation **out)
{
	struct at_ablation *self = at_calloc(1, sizeof(*self));
	size_t room = parameter_count + 1;

	self->parameter_count = parameter_count;
	self->baseline_cost = self->here_cost = baseline_cost;
	self->winner_cost = winner_cost;
	self->here = at_calloc(room, sizeof(*self->here));
	self->winner = at_calloc(room, sizeof(*self->winner));
	self->changes = at_calloc(room, sizeof(*self->changes));
	self->order = at_calloc(room, sizeof(*self->order));
	self->steps = at_calloc(room, sizeof(*self->steps));
	memcpy(self->here, baseline, parameter_count * sizeof(*baseline));
	memcpy(self->winner, winner, parameter_count * sizeof(*winner));
	self->ended = !(winner_cost < baseline_cost) || !count_left(self);
	*out = self;
}

void at_ablation_free(struct at_ablation *self)
{
	if (!self)
		return;
	free(self->here);
	free(self->winner);
	free(self->changes);
	free(self->order);
	free(self->steps);
	free(self);
}

static void add_step(struct at_ablation *self, size_t count, double cost)
{
	self->steps[self->step_count++] = (struct at_ablation_step){
		.parameter_count = count,
		.parameters = &self->order[self->order_count - count],
		.cost = cost,
		.share = log(self->here_cost / cost) /
			 log(self->baseline_cost / self->winner_cost),
	};
	self->here_cost = cost;
}

static void take(struct at_ablation *self, size_t parameter)
{
	self->order[self->order_count++] = parameter;
	self->here[parameter] = self->winner[parameter];
}

/* Changes all remaining parameters in one step, which ends at the winner. */
static void end_path(struct at_ablation *self)
{
	size_t count = 0;

	for (size_t i = 0; i < self->parameter_count; i++) {
		if (self->here[i] == self->winner[i])
			continue;
		take(self, i);
		count++;
	}
	add_step(self, count, self->winner_cost);
	self->ended = true;
}

/* Ends a round: keeps the change that gains most, or ends the path if no change is
   possible. */
static void end_round(struct at_ablation *self)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < self->parameter_count; i++) {
		const struct change *change = &self->changes[i];

		if (change->trial == TRIAL_TOLD && isfinite(change->cost) &&
			(best == SIZE_MAX || change->cost < self->changes[best].cost))
			best = i;
	}
	if (best == SIZE_MAX) {
		end_path(self);
		return;
	}
	take(self, best);
	add_step(self, 1, self->changes[best].cost);
	memset(self->changes, 0, self->parameter_count * sizeof(*self->changes));
}

enum at_ask at_ablation_ask(struct at_ablation *self, uint16_t *configuration)
{
	bool waits = false;

	for (;;) {
		if (!self->ended && count_left(self) == 1)
			end_path(self);
		if (self->ended)
			return AT_ASK_DONE;
		for (size_t i = 0; i < self->parameter_count; i++) {
			struct change *change = &self->changes[i];

			if (self->here[i] == self->winner[i])
				continue;
			waits = waits || change->trial == TRIAL_OUT;
			if (change->trial != TRIAL_NONE)
				continue;
			change->trial = TRIAL_OUT;
			memcpy(configuration, self->here,
				self->parameter_count * sizeof(*configuration));
			configuration[i] = self->winner[i];
			return AT_ASK_CONFIGURATION;
		}
		if (waits)
			return AT_ASK_WAIT;
		end_round(self);
	}
}

void at_ablation_tell(
	struct at_ablation *self, const uint16_t *configuration, double cost)
{
	size_t changed = SIZE_MAX;

	for (size_t i = 0; i < self->parameter_count; i++) {
		if (configuration[i] == self->here[i])
			continue;
		if (changed != SIZE_MAX || configuration[i] != self->winner[i])
			return;
		changed = i;
	}
	if (changed == SIZE_MAX || self->changes[changed].trial != TRIAL_OUT)
		return;
	self->changes[changed] =
		(struct change){ TRIAL_TOLD, cost > 0 ? cost : (double)NAN };
}

const struct at_ablation_step *at_ablation_steps(
	struct at_ablation *self, size_t *count)
{
	if (!self->ended)
		end_path(self);
	*count = self->step_count;
	return self->steps;
}
