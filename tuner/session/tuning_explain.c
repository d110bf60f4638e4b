/*
 * Which parameter mattered: the way from the baseline to the winner, change by
 * change (search/ablation.h), from evaluations that are recorded like all others.
 * Most are there from the search; what is missing is measured, within a tenth of
 * the budget. What comes of it is kept with the crown.
 */
#include "session/tuning_parts.h"
#include "base/clock.h"
#include "base/json.h"
#include "record/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_MIN 1.0
#define SECONDS_MAX 30.0

/* ---- what came of it ------------------------------------------------------- */

static struct at_json *values_json(const struct at_spec *spec,
	const struct at_ablation_step *step, const uint16_t *row)
{
	struct at_json *object = at_json_object();

	for (size_t i = 0; i < step->parameter_count; i++) {
		const struct at_parameter *parameter =
			&spec->parameters[step->parameters[i]];

		at_json_set(object, parameter->name,
			at_value_to_json(parameter->values[row[step->parameters[i]]]));
	}
	return object;
}

/* heap; NULL when memory ran out */
static char *write_gains(struct at_tuning *self)
{
	const struct at_spec *spec = self->options.spec;
	const struct at_ablation_step *steps;
	struct at_json *array = at_json_array();
	struct at_strbuf text = { 0 };
	size_t count;

	steps = at_ablation_steps(self->ablation, &count);
	for (size_t i = 0; i < count; i++) {
		struct at_json *step = at_json_object();

		at_json_set(step, "from",
			values_json(spec, &steps[i],
				tuning_row(self, self->baseline.index)));
		at_json_set(step, "to",
			values_json(spec, &steps[i],
				tuning_row(self, self->crowned.index)));
		at_json_set(step, "time_ns", at_json_real(steps[i].cost));
		at_json_set(step, "share", at_json_real(steps[i].share));
		at_json_append(array, step);
	}
	at_json_write(array, 0, &text, NULL);
	at_json_free(array);
	return at_strbuf_detach(&text);
}

static void end_explanation(struct at_tuning *self)
{
	struct at_crown *worn =
		self->worn == &self->crown ? &self->crown : &self->recorded;
	struct at_error err = { 0 };
	char *gains = write_gains(self);

	if (!gains) {
		at_fail_memory(&err);
		tuning_end(self, &err);
		return;
	}
	free(worn->gains);
	worn->gains = gains;
	if (at_store_set_gains(self->options.store, worn, gains, &err))
		tuning_end(self, &err);
	else
		tuning_finish(self);
}

/* ---- the walk --------------------------------------------------------------- */

static double seconds_allowed(const struct at_tuning *self)
{
	double seconds = self->target_seconds / 10;

	if (self->target_seconds <= 0 || seconds > SECONDS_MAX)
		return SECONDS_MAX;
	return seconds < SECONDS_MIN ? SECONDS_MIN : seconds;
}

static bool time_is_up(const struct at_tuning *self)
{
	return (double)(at_clock_now_ns() - self->explain_start_ns) * 1e-9 >=
	       seconds_allowed(self);
}

static bool may_measure_more(const struct at_tuning *self)
{
	if (self->target_evaluations &&
		self->explain_count >= self->target_evaluations / 10)
		return false;
	return !time_is_up(self);
}

static void consider(struct at_tuning *self, const uint16_t *configuration)
{
	size_t index = at_configurations_find(&self->configurations, configuration);
	size_t out = self->task_count;
	struct at_hash key;

	if (index == SIZE_MAX) {
		at_ablation_tell(self->ablation, configuration, INFINITY);
	} else if (may_measure_more(self)) {
		tuning_begin_task(self, index);
		self->explain_count += self->task_count > out;
	} else if (!tuning_reuse(self, index, &key)) {
		at_ablation_tell(self->ablation, configuration, NAN);
	}
}

void tuning_explained(struct at_tuning *self, size_t index,
	const struct at_evaluation *evaluation, bool reused)
{
	const uint16_t *row = tuning_row(self, index);
	bool ok = evaluation->outcome == AT_OUTCOME_OK;

	at_ablation_tell(self->ablation, row, ok ? evaluation->time_ns : INFINITY);
	if (!reused)
		tuning_emit(self, AT_EVENT_EVALUATION, NULL, row, evaluation, false);
}

/* what is compiled but not measured when the time is up is not known */
static void give_up_late(struct at_tuning *self)
{
	if (!self->task_count || !time_is_up(self))
		return;
	for (const struct task *task = self->tasks; task; task = task->next)
		if (task != self->measuring)
			at_ablation_tell(
				self->ablation, tuning_row(self, task->index), NAN);
	tuning_give_up_waiting(self);
}

void tuning_explain(struct at_tuning *self)
{
	uint16_t *configuration =
		calloc(self->options.spec->parameter_count + 1, sizeof(*configuration));
	struct at_error err = { 0 };
	enum at_ask ask = AT_ASK_WAIT;

	if (!configuration) {
		at_fail_memory(&err);
		tuning_end(self, &err);
		return;
	}
	give_up_late(self);
	while (self->phase == PHASE_EXPLAIN &&
		(ask = at_ablation_ask(self->ablation, configuration)) ==
			AT_ASK_CONFIGURATION)
		consider(self, configuration);
	free(configuration);
	if (self->phase != PHASE_EXPLAIN)
		return;
	if (ask == AT_ASK_DONE && !self->task_count) {
		end_explanation(self);
		return;
	}
	tuning_take_turns(self);
	tuning_measure_next(self);
}

void tuning_begin_explain(struct at_tuning *self)
{
	struct at_error err = { 0 };

	/* from here on a kill costs nothing but the explanation */
	if (tuning_write_files(self, NULL, &err)) {
		tuning_end(self, &err);
		return;
	}
	if (!self->baseline.evaluation.id || !(self->baseline.evaluation.time_ns > 0) ||
		!(self->crowned.evaluation.time_ns > 0)) {
		tuning_finish(self);
		return;
	}
	if (at_ablation_new(self->options.spec->parameter_count,
		    tuning_row(self, self->baseline.index),
		    tuning_row(self, self->crowned.index),
		    self->baseline.evaluation.time_ns, self->crowned.evaluation.time_ns,
		    &self->ablation, &err)) {
		tuning_end(self, &err);
		return;
	}
	self->phase = PHASE_EXPLAIN;
	/* the worker may hold a problem of the verification */
	self->setup_state = SETUP_NONE;
	self->explain_start_ns = at_clock_now_ns();
	tuning_emit(self, AT_EVENT_PHASE, "explaining the gain", NULL, NULL, false);
	tuning_pump(self);
}
