/* Explains a configuration without a search (explain.h). */
#include "session/explain.h"

#include "base/memory.h"
#include "record/result.h"
#include "session/phase_counters.h"

#include <stdlib.h>
#include <string.h>

struct explanation {
	struct at_visit visit;
	struct at_counters_phase counters;
};

/* Tells what was found, or why nothing was. */
static void tell(struct explanation *self, const char *text)
{
	const struct at_counters_phase *counters = &self->counters;
	const struct at_evaluation *baseline =
		&counters->evaluations[AT_COUNTED_BASELINE];
	const struct at_evaluation *other = &counters->evaluations[AT_COUNTED_OTHER];
	const uint64_t *indices = counters->options.indices;
	struct at_event event = { .kind = AT_EVENT_COUNTERS, .text = text };

	if (!text) {
		/* the baseline alone, where it is the winner */
		event.evaluation = other->counters ? other : baseline;
		event.baseline = baseline->counters ? baseline : NULL;
		event.configuration =
			at_visit_row(&self->visit, indices[AT_COUNTED_OTHER]);
	}
	at_visit_emit(&self->visit, &event);
	at_visit_end(&self->visit, NULL);
}

static void ended(void *context, const struct at_error *err)
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

/* The index of what is explained: AT_NO_CONFIGURATION: nothing, and *why says why. */
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

/* The outputs of a configuration may differ as much from the reference as those of the
   recorded baseline. */
static enum at_status judge_by_baseline(
	struct explanation *self, uint64_t baseline, struct at_error *err)
{
	struct at_evaluation evaluation;
	struct at_task *task;
	bool found;
	enum at_status status = at_visit_plan(&self->visit, baseline, &task, err);

	if (status)
		return status;
	status = at_store_find(
		self->visit.store, task->plan.key, false, &evaluation, &found, err);
	if (!status && found)
		at_visit_judge_by(&self->visit, evaluation.max_relative_error);
	if (!status)
		at_evaluation_release(&evaluation);
	at_task_free(task);
	return status;
}

static void begin(struct at_visit *visit)
{
	struct explanation *self = (struct explanation *)visit;
	struct at_counters_phase_options options = { .visit = visit,
		.indices = { AT_NO_CONFIGURATION, AT_NO_CONFIGURATION },
		.ended = ended,
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
	if (!status && *baseline != AT_NO_CONFIGURATION)
		status = judge_by_baseline(self, *baseline, &err);
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
