/* Makes nights (nights.h) of what the record has, and puts judgements into words. */
#include "session/nights.h"

#include "base/json.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* ---- nights from the record ------------------------------------------------ */

static struct at_score cost_of(
	const struct at_objective *objective, struct at_score score)
{
	struct at_score cost = {
		at_objective_cost(objective, score.value),
		at_objective_cost(objective, score.low),
		at_objective_cost(objective, score.high),
	};

	if (!isfinite(cost.value))
		return (struct at_score)AT_SCORE_UNKNOWN;
	/* where more is better, the lower end has the higher cost */
	if (cost.low > cost.high)
		return (struct at_score){ cost.value, cost.high, cost.low };
	return cost;
}

/* The winner's cost over the baseline's: the inverse of the gain. Unknown where the
   winner is the baseline, since the ratio is then always 1. */
static struct at_score relative_of(struct at_score speedup)
{
	if (!(speedup.value > 0) || !isfinite(speedup.value) ||
		(speedup.value == 1 && !(speedup.low < speedup.high)))
		return (struct at_score)AT_SCORE_UNKNOWN;
	return (struct at_score){ 1 / speedup.value, 1 / speedup.high,
		1 / speedup.low };
}

/* Cycles are time times clock: only for the objective time. */
static bool counts_cycles(const struct at_objective *objective)
{
	return objective == &at_objective_time;
}

/* A number of at_crown_measurement()'s JSON; NAN: not known. */
static double measured(const char *measurement, const char *key)
{
	struct at_json *object = NULL;
	double value;

	if (!measurement || !*measurement ||
		at_json_parse(
			measurement, strlen(measurement), "measurement", &object, NULL))
		return (double)NAN;
	value = at_json_number(at_json_get(object, key), (double)NAN);
	at_json_free(object);
	return value;
}

struct at_night at_night_of_revisit(
	const struct at_revisit *revisit, const struct at_revisit *before)
{
	struct at_night night = {
		.cost = AT_SCORE_UNKNOWN,
		.baseline = AT_SCORE_UNKNOWN,
		.relative = AT_SCORE_UNKNOWN,
		.block_count = measured(revisit->measurement, "blocks"),
		.clock_hz = (double)NAN,
		.is_changed = before && at_conditions_compare(before->conditions,
						revisit->conditions, NULL) > 0,
		.is_disturbed = at_conditions_whole(revisit->conditions,
					AT_CONDITION_PROCESSES, 0) > 0,
		.is_held_back = measured(revisit->measurement, "throttled_rounds") > 0,
		.verdict = revisit->verdict,
	};

	if (revisit->outcome != AT_OUTCOME_OK)
		return night;
	night.cost = cost_of(revisit->objective, revisit->score);
	night.baseline = cost_of(revisit->objective, revisit->baseline);
	night.relative = relative_of(revisit->speedup);
	if (revisit->clock_hz > 0 && counts_cycles(revisit->objective))
		night.clock_hz = (double)revisit->clock_hz;
	return night;
}

struct at_night at_night_of_crown(const struct at_crown *crown)
{
	const char *how = crown->measurement;
	struct at_night night = {
		.cost = cost_of(crown->objective, crown->score),
		.baseline = cost_of(crown->objective, at_crown_baseline(crown)),
		.relative = relative_of(at_crown_speedup(crown)),
		.block_count = measured(how, "blocks"),
		.clock_hz = (double)NAN,
		.is_held_back = measured(how, "throttled_rounds") > 0,
		.verdict = AT_VERDICT_FIRST,
	};

	if (counts_cycles(crown->objective))
		night.clock_hz = (measured(how, "first_clock_hz") +
					 measured(how, "last_clock_hz")) /
				 2;
	return night;
}

/* ---- in words -------------------------------------------------------------- */

static void add_change(
	struct at_strbuf *out, double ratio, const char *more, const char *less)
{
	at_strbuf_addf(
		out, "%.1f %% %s", fabs(ratio - 1) * 100, ratio > 1 ? more : less);
}

void at_judgement_explain(const struct at_judgement *self, struct at_strbuf *out)
{
	switch (self->reason) {
	case AT_NIGHTS_PLAIN:
		break;
	case AT_NIGHTS_CLOCK:
		at_strbuf_add(out, "the board clocks ");
		add_change(out, self->clock, "higher", "lower");
		at_strbuf_add(out, ": in cycles it is ");
		add_change(out, self->cycles.value, "slower", "faster");
		break;
	case AT_NIGHTS_COMMON:
		if (isnan(self->relative.value))
			at_strbuf_add(
				out, "no baseline to tell the kernel from its board");
		else
			at_strbuf_add(out,
				"its baseline moved alike: the board or the driver, not this kernel");
		if (self->verdict == AT_VERDICT_UNCLEAR)
			at_strbuf_add(out, "; another night will tell");
		break;
	case AT_NIGHTS_DISTURBED:
		at_strbuf_add(out, "other processes were at work on the board");
		break;
	case AT_NIGHTS_HELD_BACK:
		at_strbuf_add(out, "the board was held back while it was measured");
		break;
	case AT_NIGHTS_NOISE:
		at_strbuf_addf(out,
			"more than nights differ, yet not surely: %zu night%s",
			self->night_count, self->night_count == 1 ? "" : "s");
		break;
	}
}
