/* The explanation phase (phase_explanation.h): gets the costs that the ablation needs
   from record or board, and writes the gains as JSON. */
#include "session/phase_explanation.h"

#include "base/json.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct at_task_options in_full = { .full = true };

static void end(struct at_explanation_phase *self, const struct at_error *err)
{
	if (self->ended)
		return;
	self->ended = true;
	self->options.ended(self->options.context, err);
}

static void failed(void *context, const struct at_error *err)
{
	end(context, err);
}

static void changed(void *context)
{
	at_explanation_phase_step(context);
}

static void told(void *context, const struct at_entry *entry)
{
	struct at_explanation_phase *self = context;
	const struct at_explanation_phase_options *options = &self->options;
	const struct at_evaluation *evaluation = entry->evaluation;
	double cost = NAN; /* NAN: cancelled */

	if (self->ended)
		return;
	if (evaluation && evaluation->outcome == AT_OUTCOME_OK)
		cost = at_objective_cost(options->visit->objective,
			at_evaluation_score(evaluation, options->visit->objective)
				.value);
	else if (evaluation)
		cost = INFINITY;
	at_ablation_tell(self->ablation, entry->configuration, cost);
	if (evaluation && !entry->reused)
		options->told(options->context, entry);
}

void at_explanation_phase_begin(struct at_explanation_phase *self,
	const struct at_explanation_phase_options *options)
{
	size_t width = options->visit->spec->parameter_count;
	uint64_t now_ns = at_visit_now_ns(options->visit);

	memset(self, 0, sizeof(*self));
	self->options = *options;
	self->end_ns = now_ns + (uint64_t)(at_budget_explanation_seconds(
						   &options->visit->budget, now_ns) *
					   1e9);
	self->configurations = at_calloc(3 * width + 1, sizeof(*self->configurations));
	at_search_space_get(
		options->visit->space, options->baseline, self->configurations);
	at_search_space_get(
		options->visit->space, options->winner, self->configurations + width);
	at_ablation_new(width, self->configurations, self->configurations + width,
		options->baseline_cost, options->winner_cost, &self->ablation);
	at_journal_listen(options->journal,
		&(struct at_journal_listener){ told, changed, failed, self });
}

static bool time_is_up(const struct at_explanation_phase *self)
{
	return at_visit_now_ns(self->options.visit) >= self->end_ns;
}

/* Gets the cost of a configuration for the ablation, or reports that none exists. */
static void consider(struct at_explanation_phase *self, const uint16_t *configuration)
{
	const struct at_explanation_phase_options *options = &self->options;
	uint64_t index = at_search_space_find(options->visit->space, configuration);
	size_t pending = at_journal_pending(options->journal);

	if (index == AT_NO_CONFIGURATION) {
		/* the constraints exclude it: this change is impossible by itself */
		at_ablation_tell(self->ablation, configuration, INFINITY);
	} else if (!time_is_up(self) &&
		   self->measured <
			   at_budget_explanation_evaluations(&options->visit->budget)) {
		at_journal_evaluate(options->journal, index, &in_full);
		/* pending grows only if it was not recorded */
		self->measured += at_journal_pending(options->journal) > pending;
	} else if (!at_journal_recall(options->journal, index, &in_full)) {
		at_ablation_tell(self->ablation, configuration, NAN);
	}
}

void at_explanation_phase_step(struct at_explanation_phase *self)
{
	const struct at_explanation_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->visit->evaluator;
	uint16_t *configuration =
		self->configurations + 2 * options->visit->spec->parameter_count;
	enum at_ask ask = AT_ASK_WAIT;

	if (self->ended)
		return;
	if (!self->gave_up && at_journal_pending(options->journal) &&
		time_is_up(self)) {
		self->gave_up = true;
		at_journal_stop_waiting(options->journal);
		evaluator->ops->cancel(
			evaluator, at_budget_late_seconds(&options->visit->budget));
	}
	while (!self->ended && (ask = at_ablation_ask(self->ablation, configuration)) ==
				       AT_ASK_CONFIGURATION)
		consider(self, configuration);
	if (ask == AT_ASK_DONE && !at_journal_pending(options->journal))
		end(self, NULL);
}

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

char *at_explanation_phase_gains(struct at_explanation_phase *self)
{
	const struct at_explanation_phase_options *options = &self->options;
	const uint16_t *baseline = self->configurations;
	const uint16_t *winner = baseline + options->visit->spec->parameter_count;
	const struct at_ablation_step *steps;
	struct at_json *array = at_json_array();
	size_t count;

	steps = at_ablation_steps(self->ablation, &count);
	for (size_t i = 0; i < count; i++) {
		struct at_json *step = at_json_object();

		at_json_set(step, "from",
			values_json(options->visit->spec, &steps[i], baseline));
		at_json_set(step, "to",
			values_json(options->visit->spec, &steps[i], winner));
		/* at_objective_cost() is its own inverse: this is the value */
		at_json_set(step, options->visit->objective->key,
			at_objective_cost(options->visit->objective, steps[i].cost));
		at_json_set(step, "share", steps[i].share);
		at_json_append(array, step);
	}
	return at_json_finish(array);
}

void at_explanation_phase_end(struct at_explanation_phase *self)
{
	self->ended = true;
	at_ablation_free(self->ablation);
	self->ablation = NULL;
	free(self->configurations);
	self->configurations = NULL;
}
