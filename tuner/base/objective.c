/* The list of objectives, and how values compare. */
#include "base/objective.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct at_objective at_objective_time = {
	.name = "time",
	.unit = "ns",
	.reach = 1,
	.better = "faster",
	.as_good = "as fast",
	.best = "fastest",
	.key = "time_ns",
	.low_key = "low_ns",
	.high_key = "high_ns",
	.baseline_key = "baseline_ns",
	.direction = AT_DIRECTION_LOWER,
	.units = { { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } },
	.format = at_text_duration,
};

static void format_by_unit(
	const struct at_objective *self, double value, char *buffer, size_t size)
{
	const struct at_objective_unit *unit = at_objective_unit(self, value);

	snprintf(buffer, size, "%.4g %s", value / unit->size, unit->name);
}

static void format_energy(double joules, char *buffer, size_t size)
{
	format_by_unit(&at_objective_energy, joules, buffer, size);
}

static void format_edp(double joule_seconds, char *buffer, size_t size)
{
	format_by_unit(&at_objective_edp, joule_seconds, buffer, size);
}

/* Configurations up to 15 % slower than the fastest are acceptable to people for less
   energy, and each costs half a minute of measuring. */
#define ENERGY_REACH 1.15

const struct at_objective at_objective_energy = {
	.name = "energy",
	.unit = "J",
	.needs_energy = true,
	.reach = ENERGY_REACH,
	.better = "more frugal",
	.as_good = "as frugal",
	.best = "most frugal",
	.key = "energy_joules",
	.low_key = "low_joules",
	.high_key = "high_joules",
	.baseline_key = "baseline_joules",
	.direction = AT_DIRECTION_LOWER,
	.units = { { "J", 1 }, { "mJ", 1e-3 }, { "uJ", 1e-6 }, { "nJ", 1e-9 } },
	.format = format_energy,
};

const struct at_objective at_objective_edp = {
	.name = "edp",
	.unit = "Js",
	.needs_energy = true,
	.reach = ENERGY_REACH,
	.better = "better",
	.as_good = "as good",
	.best = "best (least energy times time)",
	.key = "edp_joule_seconds",
	.low_key = "low_joule_seconds",
	.high_key = "high_joule_seconds",
	.baseline_key = "baseline_joule_seconds",
	.direction = AT_DIRECTION_LOWER,
	.units = { { "mJs", 1e-3 }, { "uJs", 1e-6 }, { "nJs", 1e-9 },
		{ "pJs", 1e-12 } },
	.format = format_edp,
};

static const struct at_objective *const objectives[] = { &at_objective_time,
	&at_objective_energy, &at_objective_edp };

const struct at_objective_unit *at_objective_unit(
	const struct at_objective *self, double value)
{
	size_t unit = 0;

	while (unit + 1 < AT_COUNT_OF(self->units) && self->units[unit + 1].name &&
		!(fabs(value) >= self->units[unit].size))
		unit++;
	return &self->units[unit];
}

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
		/* not -value: a share of a gain uses ratios of costs */
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
