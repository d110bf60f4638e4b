/* The list of objectives, and how values compare. */
#include "base/objective.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

const struct at_objective at_objective_time = {
	.name = "time",
	.unit = "ns",
	.key = "time_ns",
	.low_key = "low_ns",
	.high_key = "high_ns",
	.baseline_key = "baseline_ns",
	.direction = AT_DIRECTION_LOWER,
	.units = { { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } },
	.format = at_text_duration,
};

static const struct at_objective *const objectives[] = { &at_objective_time };

const struct at_objective *at_objective_find(const char *name)
{
	for (size_t i = 0; i < AT_COUNT_OF(objectives); i++)
		if (!strcmp(objectives[i]->name, name))
			return objectives[i];
	return NULL;
}

bool at_objective_better(const struct at_objective *self, double a, double b)
{
	return at_objective_cost(self, a) < at_objective_cost(self, b);
}

bool at_objective_clearly_better(
	const struct at_objective *self, struct at_score a, struct at_score b)
{
	switch (self->direction) {
	case AT_DIRECTION_NONE:
		break;
	case AT_DIRECTION_LOWER:
		return a.high < b.low;
	case AT_DIRECTION_HIGHER:
		return a.low > b.high;
	}
	return false;
}

double at_objective_cost(const struct at_objective *self, double value)
{
	if (!(value > 0) || isinf(value))
		return INFINITY;
	switch (self->direction) {
	case AT_DIRECTION_NONE:
		break;
	case AT_DIRECTION_LOWER:
		return value;
	case AT_DIRECTION_HIGHER:
		/* not -value: a share of a gain is made of ratios of costs */
		return 1 / value;
	}
	return INFINITY;
}

double at_objective_gain(
	const struct at_objective *self, double baseline, double winner)
{
	double before = at_objective_cost(self, baseline);
	double after = at_objective_cost(self, winner);

	return isfinite(before) && isfinite(after) ? before / after : (double)NAN;
}

double at_objective_baseline(
	const struct at_objective *self, double gain, double winner)
{
	double before = gain * at_objective_cost(self, winner);

	return isfinite(before) ? at_objective_cost(self, before) : (double)NAN;
}
