/* The phase that reads hardware counters (phase_counters.h). */
#include "session/phase_counters.h"

#include "base/json.h"
#include "base/memory.h"
#include "device/counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool at_counters_phase_is_possible(const struct at_visit *visit)
{
	const struct at_device_kind *kind;

	return !at_device_kind_find(visit->evaluator->info.device.kind, &kind, NULL) &&
	       kind->has_counters;
}

/* [{"kernel": "transpose", "gpu__time_duration.sum": 1.9e6, ...}], an object for each
   launch; counters that the device lacks are left out. Heap. */
static char *to_json(const struct at_spec *spec, const struct at_task *task)
{
	struct at_json *array = at_json_array();
	struct at_strbuf out = { 0 };

	for (uint32_t i = 0; i < task->result.counter_count / AT_COUNTER_COUNT; i++) {
		const struct at_measure_call *launch =
			at_measure_launch(&task->plan.request, i);
		const double *values = &task->result.counters[i * AT_COUNTER_COUNT];
		struct at_json *object = at_json_object();

		at_json_set(object, "kernel", spec->calls[launch->call].kernel);
		for (int k = 0; k < AT_COUNTER_COUNT; k++)
			if (isfinite(values[k]))
				at_json_set(object, at_counter_name((enum at_counter)k),
					values[k]);
		at_json_append(array, object);
	}
	at_json_write(array, 0, &out);
	at_json_free(array);
	return at_strbuf_detach(&out);
}

/* Adds the counters to the evaluation that the record has of the task, if any. */
static enum at_status keep(
	struct at_counters_phase *self, enum at_counted which, struct at_error *err)
{
	const struct at_visit *visit = self->options.visit;
	struct at_task *task = self->tasks[which];
	struct at_evaluation *evaluation = &self->evaluations[which];
	char *counters = to_json(visit->spec, task);
	bool found;
	enum at_status status = at_store_find(
		visit->store, task->plan.key, false, evaluation, &found, err);

	if (!status && found)
		status = at_store_set_counters(
			visit->store, evaluation->id, counters, err);
	evaluation->key = task->plan.key;
	free(evaluation->counters);
	evaluation->counters = counters;
	return status;
}

static void end(struct at_counters_phase *self, const struct at_error *err)
{
	if (self->ended)
		return;
	self->ended = true;
	self->options.ended(self->options.context, err);
}

static void counted(void *context, const struct at_error *problem)
{
	struct at_counters_phase *self = context;
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	if (self->ended)
		return;
	for (int i = 0; i < AT_COUNTED_COUNT && !problem; i++) {
		const struct at_measure_result *result =
			self->tasks[i] ? &self->tasks[i]->result : NULL;

		if (!result || result->outcome == AT_OUTCOME_OK || self->reason[0])
			continue;
		if (result->outcome == AT_OUTCOME_NOT_APPLICABLE)
			snprintf(self->reason, sizeof(self->reason), "%s",
				result->detail);
		else
			snprintf(self->reason, sizeof(self->reason),
				"the hardware counters were not read: the launch of %s ended as %s%s%s",
				i == AT_COUNTED_BASELINE ? "the baseline"
							 : "the configuration",
				at_outcome_name(result->outcome),
				result->detail[0] ? ": " : "", result->detail);
	}
	for (int i = 0; i < AT_COUNTED_COUNT && !problem && !status; i++)
		if (self->tasks[i] && !self->reason[0])
			status = keep(self, (enum at_counted)i, &err);
	end(self, problem ? problem : status ? &err : NULL);
}

static void give_up(void *context)
{
	end(context, NULL);
}

enum at_status at_counters_phase_begin(struct at_counters_phase *self,
	const struct at_counters_phase_options *options, struct at_error *err)
{
	const struct at_visit *visit = options->visit;
	struct at_evaluator *evaluator = visit->evaluator;
	const struct at_measure_finals how = { .counts = true };
	struct at_task *tasks[AT_COUNTED_COUNT];
	enum at_status status;
	size_t count = 0;

	memset(self, 0, sizeof(*self));
	self->options = *options;
	for (int i = 0; i < AT_COUNTED_COUNT; i++) {
		if (options->indices[i] == AT_NO_CONFIGURATION ||
			(i && options->indices[i] == options->indices[0]))
			continue;
		status =
			at_visit_plan(visit, options->indices[i], &self->tasks[i], err);
		if (status)
			return status;
		tasks[count] = self->tasks[i];
		if (tasks[count++]->plan.outcome != AT_OUTCOME_OK)
			snprintf(self->reason, sizeof(self->reason),
				"%s cannot be launched: %s",
				i == AT_COUNTED_BASELINE ? "the baseline"
							 : "the configuration",
				self->tasks[i]->plan.detail);
	}
	if (!self->reason[0])
		return evaluator->ops->finals(
			evaluator, tasks, count, &how, counted, self, err);
	evaluator->ops->later(evaluator, give_up, self);
	return AT_OK;
}

void at_counters_phase_end(struct at_counters_phase *self)
{
	self->ended = true;
	for (int i = 0; i < AT_COUNTED_COUNT; i++) {
		at_task_free(self->tasks[i]);
		self->tasks[i] = NULL;
		at_evaluation_release(&self->evaluations[i]);
	}
}
