/* Compares the board of today with the record (pace.h), by configurations that are
   measured again. */
#include "session/pace.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Nearer to 1 than this there is no factor. Two processes lie elsewhere in memory, and
 * two days have other temperatures: both make a few per cent, which one measurement
 * does not know of. What is this near has its chance in the finals anyway.
 */
#define FAR 0.05

/* The factor between two measurements of one configuration, as far as they tell. */
static double factor_of(
	const struct at_score *recorded, const struct at_measure_result *now)
{
	double factor = now->time_ns / recorded->value;

	if (!(factor > 0) || !isfinite(factor) || fabs(factor - 1) <= FAR)
		return 1;
	/* comparisons with what is not known are false */
	if ((factor > 1 && now->low_ns <= recorded->high) ||
		(factor < 1 && now->high_ns >= recorded->low))
		return 1;
	return factor;
}

/* The factor that all measurements show at least; NAN: none exists. */
static double common_factor(const struct at_pace *self)
{
	double factor = (double)NAN;

	for (size_t i = 0; i < self->count; i++) {
		double one = self->measured[i].factor;

		if (!(one > 0))
			continue;
		if (isnan(factor) || fabs(log(one)) < fabs(log(factor)))
			factor = (isnan(factor) || (one > 1) == (factor > 1)) ? one : 1;
		else if ((one > 1) != (factor > 1))
			factor = 1;
	}
	/* all failed, which says nothing about the board */
	return isnan(factor) && !self->was_called_off ? 1 : factor;
}

static void evaluated(struct at_task *task, const struct at_error *err)
{
	struct at_pace_measured *one = task->context;
	struct at_pace *self = one->owner;
	const struct at_measure_result *now = &task->result;

	self->out--;
	if (!err && task->outcome == AT_OUTCOME_NONE)
		self->was_called_off = true;
	if (!err && task->outcome == AT_OUTCOME_OK && task->is_measured &&
		!now->raced) {
		one->time_ns = now->time_ns;
		one->clock_hz = now->clock_hz;
		one->factor = factor_of(&one->recorded.score, now);
	}
	if (err || !self->out)
		self->options.answered(self->options.context, common_factor(self), err);
}

enum at_status at_pace_ask(struct at_pace *self, const struct at_pace_options *options,
	const struct at_candidate *const recorded[AT_PACE_MEASURED],
	struct at_error *err)
{
	enum at_status status = AT_OK;

	*self = (struct at_pace){ .options = *options, .was_asked = true };
	for (size_t i = 0; i < AT_PACE_MEASURED && !status; i++) {
		struct at_pace_measured *one = &self->measured[self->count];

		if (!recorded[i])
			continue;
		*one = (struct at_pace_measured){ .owner = self,
			.recorded = *recorded[i] };
		status = at_visit_measure(options->visit, one->recorded.index, false,
			evaluated, one, err);
		if (!status)
			self->out = ++self->count;
	}
	return status;
}

void at_pace_tell(const struct at_pace *self, double factor, char *text, size_t size)
{
	char now[32], then[32], clocks[80] = "";
	const struct at_pace_measured *one = &self->measured[0];

	text[0] = '\0';
	if (factor == 1 || !self->count)
		return;
	for (size_t i = 1; i < self->count; i++)
		if (!(one->time_ns > 0))
			one = &self->measured[i];
	at_text_duration(one->time_ns, now, sizeof(now));
	at_text_duration(one->recorded.score.value, then, sizeof(then));
	if (one->clock_hz && one->recorded.clock_hz > 0)
		snprintf(clocks, sizeof(clocks), ", at %.2f GHz in place of %.2f",
			(double)one->clock_hz * 1e-9,
			(double)one->recorded.clock_hz * 1e-9);
	snprintf(text, size,
		"what is recorded with %s takes %s now%s: recorded times count %.2f times (another clock, heat, or other work on the device?)",
		then, now, clocks, factor);
}
