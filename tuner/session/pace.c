/* Compares the board of today with the record (pace.h), by one configuration that is
   measured again. */
#include "session/pace.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Nearer to 1 than this the two times are one: a board differs so much from day to
   day. */
#define ALIKE 0.02
/* Without intervals a factor must be as far from 1 as a candidate without a chance. */
#define FAR 0.05

/* The factor between two measurements of one configuration, as far as they tell. */
static double factor_of(
	const struct at_score *recorded, const struct at_measure_result *now)
{
	double factor = now->time_ns / recorded->value;
	double least = now->low_ns / recorded->high;
	double most = now->high_ns / recorded->low;

	if (!(factor > 0) || !isfinite(factor))
		return 1;
	/* comparisons with what is not known are false */
	if (least > 0 && most > 0)
		return least > 1 + ALIKE || most < 1 - ALIKE ? factor : 1;
	return fabs(factor - 1) > FAR ? factor : 1;
}

static void evaluated(
	void *context, struct at_answer *answer, const struct at_error *err)
{
	struct at_pace *self = context;
	const struct at_measure_result *now = answer ? answer->result : NULL;
	double factor = 1;

	self->is_out = false;
	if (now && answer->outcome == AT_OUTCOME_OK && !now->raced) {
		self->time_ns = now->time_ns;
		self->clock_hz = now->clock_hz;
		factor = factor_of(&self->recorded.score, now);
	}
	self->options.answered(self->options.context, factor, err);
}

enum at_status at_pace_ask(struct at_pace *self, const struct at_pace_options *options,
	const struct at_candidate *recorded, struct at_error *err)
{
	struct at_evaluator *evaluator = options->evaluator;
	const struct at_trial_options how = { .full = true, .seed = recorded->index };
	struct at_planned *planned;
	uint16_t *row = calloc(
		at_search_space_parameter_count(options->space) + 1, sizeof(*row));
	enum at_status status;

	*self = (struct at_pace){
		.options = *options, .recorded = *recorded, .was_asked = true
	};
	if (!row)
		return at_fail_memory(err);
	at_search_space_get(options->space, recorded->index, row);
	status = evaluator->ops->plan(evaluator, row, &planned, err);
	free(row);
	if (!status)
		status = evaluator->ops->begin(
			evaluator, planned, &how, evaluated, self, err);
	self->is_out = !status;
	return status;
}

void at_pace_tell(const struct at_pace *self, double factor, char *text, size_t size)
{
	char now[32], then[32], clocks[80] = "";

	text[0] = '\0';
	if (fabs(factor - 1) <= FAR)
		return;
	at_text_duration(self->time_ns, now, sizeof(now));
	at_text_duration(self->recorded.score.value, then, sizeof(then));
	if (self->clock_hz && self->recorded.clock_hz > 0)
		snprintf(clocks, sizeof(clocks), ", at %.2f GHz in place of %.2f",
			(double)self->clock_hz * 1e-9,
			(double)self->recorded.clock_hz * 1e-9);
	snprintf(text, size,
		"the best of the record takes %s now and took %s%s: recorded times count %.2f times (another clock, heat, or other work on the device?)",
		now, then, clocks, factor);
}
