/* Hardware counters, in a tuning and without one (counters.h). */
#include "session/counters.h"

#include "base/json.h"
#include "base/memory.h"
#include "device/counters.h"
#include "record/result.h"

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
   launch, without counters that the device lacks. Heap. */
static char *to_json(const struct at_spec *spec, const struct at_task *task)
{
	struct at_json *array = at_json_array();

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
	return at_json_finish(array);
}

/* Adds the counters to the task's recorded evaluation, if there is one. */
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

/* ---- without a search ------------------------------------------------------ */

struct explanation {
	struct at_visit visit;
	struct at_counters_phase counters;
};

/* Reports the counters, or `text`: why there are none. */
static void tell(struct explanation *self, const char *text)
{
	const struct at_counters_phase *counters = &self->counters;
	const struct at_evaluation *baseline =
		&counters->evaluations[AT_COUNTED_BASELINE];
	const struct at_evaluation *other = &counters->evaluations[AT_COUNTED_OTHER];
	const uint64_t *indices = counters->options.indices;
	struct at_event event = { .kind = AT_EVENT_COUNTERS, .text = text };

	if (!text) {
		/* only the baseline, if it is the winner */
		event.evaluation = other->counters ? other : baseline;
		event.baseline = baseline->counters ? baseline : NULL;
		event.configuration =
			at_visit_row(&self->visit, indices[AT_COUNTED_OTHER]);
	}
	at_visit_emit(&self->visit, &event);
	at_visit_end(&self->visit, NULL);
}

static void explained(void *context, const struct at_error *err)
{
	struct explanation *self = context;

	if (err)
		at_visit_end(&self->visit, err);
	else
		tell(self, self->counters.reason[0] ? self->counters.reason : NULL);
}

/* The baseline with the values that the session names: "TILE_M=8 VECTOR=4". */
static enum at_status read_explained(
	struct explanation *self, bool *fits, struct at_error *err)
{
	const struct at_visit *visit = &self->visit;
	struct at_spec *named;
	char *text = at_strdup(visit->session->explained), *rest = text, *word;
	char *configuration;
	enum at_status status = AT_OK;

	at_spec_copy(visit->spec, &named);
	while (!status && (word = strtok_r(rest, " ", &rest)))
		status = at_spec_restrict(named, word, err);
	if (!status) {
		configuration = at_configuration_to_json(named, named->defaults);
		at_configuration_from_json(
			visit->spec, configuration, self->visit.row, fits);
		free(configuration);
	}
	at_spec_free(named);
	free(text);
	return status;
}

/* Finds the index to explain. AT_NO_CONFIGURATION: none; *why is the reason. */
static enum at_status find_explained(struct explanation *self, uint64_t *index,
	const char **why, struct at_error *err)
{
	struct at_visit *visit = &self->visit;
	struct at_winner best = { 0 };
	bool fits = false;
	enum at_status status = AT_OK;

	*index = AT_NO_CONFIGURATION;
	if (visit->session->explained[0]) {
		*why = "the constraints exclude this configuration here";
		status = read_explained(self, &fits, err);
		if (fits)
			*index = at_search_space_find(visit->space, visit->row);
	} else {
		status = at_visit_find_winner(visit, &best, NULL, index, err);
		*why = best.space
			       ? "the recorded winner is not in the space any more"
			       : "no winner is recorded: tune it first, or give --configuration";
		at_winner_release(&best);
	}
	return status;
}

static void begin(struct at_visit *visit)
{
	struct explanation *self = (struct explanation *)visit;
	struct at_counters_phase_options options = { .visit = visit,
		.indices = { AT_NO_CONFIGURATION, AT_NO_CONFIGURATION },
		.ended = explained,
		.context = self };
	uint64_t *baseline = &options.indices[AT_COUNTED_BASELINE];
	uint64_t *other = &options.indices[AT_COUNTED_OTHER];
	const char *why = NULL;
	struct at_error err = { 0 };
	enum at_status status;

	at_visit_emit_text(visit, AT_EVENT_BEGIN, NULL);
	if (!at_counters_phase_is_possible(visit)) {
		tell(self, "devices of this kind have no hardware counters");
		return;
	}
	status = find_explained(self, other, &why, &err);
	if (!status && *other == AT_NO_CONFIGURATION) {
		tell(self, why);
		return;
	}
	*baseline = at_visit_baseline(visit);
	if (!status)
		at_visit_emit_text(visit, AT_EVENT_PHASE, "reading counters");
	if (!status)
		status = at_counters_phase_begin(&self->counters, &options, &err);
	if (status)
		at_visit_end(visit, &err);
}

static void interrupt(struct at_visit *visit)
{
	at_visit_end(visit, NULL);
}

static void release(struct at_visit *visit)
{
	at_counters_phase_end(&((struct explanation *)visit)->counters);
}

const struct at_visit_kind at_explain_kind = {
	.size = sizeof(struct explanation),
	.begin = begin,
	.interrupt = interrupt,
	.release = release,
};
