/* Explains a configuration without a search (explain.h). */
#include "session/explain.h"

#include "base/memory.h"
#include "record/result.h"
#include "session/phase_counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct at_explaining {
	struct at_visit visit;
	struct at_counters_phase counters;
};

static void end(struct at_explaining *self, const struct at_error *err)
{
	at_visit_end(&self->visit, err);
}

/* Tells what was found, or why nothing was. */
static void tell(struct at_explaining *self, const char *text)
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
	end(self, NULL);
}

static void ended(void *context, const struct at_error *err)
{
	struct at_explaining *self = context;

	if (err)
		end(self, err);
	else
		tell(self, self->counters.reason[0] ? self->counters.reason : NULL);
}

/* The baseline with the values that the session names: "TILE_M=8 VECTOR=4". */
static enum at_status read_explained(
	struct at_explaining *self, bool *fits, struct at_error *err)
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
static enum at_status find_explained(struct at_explaining *self, uint64_t *index,
	const char **why, struct at_error *err)
{
	const struct at_visit *visit = &self->visit;
	struct at_winner best = { 0 };
	struct at_evaluation winner = { 0 };
	bool found, fits = false;
	enum at_status status = AT_OK;

	*index = AT_NO_CONFIGURATION;
	if (visit->session->explained[0]) {
		*why = "the constraints exclude this configuration here";
		status = read_explained(self, &fits, err);
	} else {
		*why = "no winner is recorded: tune it first, or give --configuration";
		status = at_store_find_winner(visit->store, visit->device_id,
			visit->spec->name, visit->problem->name, &best, &found, err);
		if (!status && found)
			status = at_store_get(
				visit->store, best.evaluation_id, false, &winner, err);
		if (!status && found) {
			*why = "the recorded winner is not in the space any more";
			at_configuration_from_json(visit->spec, winner.configuration,
				self->visit.row, &fits);
		}
	}
	if (fits)
		*index = at_search_space_find(visit->space, self->visit.row);
	at_evaluation_release(&winner);
	at_winner_release(&best);
	return status;
}

static void begin(void *context)
{
	struct at_explaining *self = context;
	const struct at_spec *spec = self->visit.spec;
	struct at_counters_phase_options options = { .visit = &self->visit,
		.indices = { AT_NO_CONFIGURATION, AT_NO_CONFIGURATION },
		.ended = ended,
		.context = self };
	uint64_t *baseline = &options.indices[AT_COUNTED_BASELINE];
	uint64_t *other = &options.indices[AT_COUNTED_OTHER];
	const char *why = NULL;
	struct at_error err = { 0 };
	enum at_status status;

	if (self->visit.is_over)
		return; /* a signal ended it before it began */
	at_visit_emit_text(&self->visit, AT_EVENT_BEGIN, NULL);
	if (!at_counters_phase_is_possible(&self->visit)) {
		tell(self, "devices of this kind have no hardware counters");
		return;
	}
	status = find_explained(self, other, &why, &err);
	if (!status && *other == AT_NO_CONFIGURATION) {
		tell(self, why);
		return;
	}
	if (!status && spec->has_defaults)
		*baseline = at_search_space_find(self->visit.space, spec->defaults);
	if (!status)
		at_visit_emit_text(&self->visit, AT_EVENT_PHASE, "reading counters");
	if (!status)
		status = at_counters_phase_begin(&self->counters, &options, &err);
	if (status)
		end(self, &err);
}

enum at_status at_explain_start(
	const struct at_visit *given, struct at_explaining **out, struct at_error *err)
{
	struct at_explaining *self = at_calloc(1, sizeof(*self));
	enum at_status status = at_visit_open(&self->visit, given, false, err);

	if (status) {
		self->visit.evaluator = NULL; /* the caller still owns it */
		at_explain_free(self);
		return status;
	}
	at_visit_begin(&self->visit, begin, self);
	*out = self;
	return AT_OK;
}

void at_explain_interrupt(struct at_explaining *self)
{
	end(self, NULL);
}

void at_explain_poke(struct at_explaining *self)
{
	self->visit.evaluator->ops->tick(self->visit.evaluator);
}

void at_explain_free(struct at_explaining *self)
{
	if (!self)
		return;
	at_counters_phase_end(&self->counters);
	at_visit_release(&self->visit);
	free(self);
}
