/* Tells the listener what a tuning does, writes its files and ends it. The other files
   of a tuning call this; it calls none of them. */
#include "session/tuning_parts.h"

#include "base/owner.h"
#include "record/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The largest errors of close outputs differ by no more than this part: other orders of
   the same sums move an error that is no rounding by less. */
#define ALIKE 0.01

/* ---- telling ------------------------------------------------------------------ */

/* Completes an event with what all events have, and tells it. */
static void emit(struct at_tuning *self, struct at_event *event)
{
	const struct at_session_options *session = self->visit.session;
	const struct at_evaluator *evaluator = self->visit.evaluator;
	struct at_evaluator_load load;

	if (!session->listen)
		return;
	evaluator->ops->load(evaluator, &load);
	self->visit.progress.compiling = load.compiling;
	self->visit.progress.waiting = load.waiting;
	event->ceilings =
		self->shown.has_ceilings ? &self->shown.ceilings.ceilings : NULL;
	if (self->shown.incumbent.id && !event->incumbent) {
		event->incumbent = &self->shown.incumbent;
		event->incumbent_configuration = self->shown.incumbent_row;
		at_search_space_get(self->visit.space,
			self->candidates.items[self->candidates.best].index,
			self->shown.incumbent_row);
	}
	if (self->shown.baseline.id)
		event->baseline = &self->shown.baseline;
	if (event->evaluation) {
		event->flops = event->evaluation->flops;
		event->bytes = event->evaluation->bytes;
	}
	at_visit_emit(&self->visit, event);
}

void tuning_emit_text(struct at_tuning *self, enum at_event_kind kind, const char *text)
{
	struct at_event event = { .kind = kind, .text = text };

	emit(self, &event);
}

void tuning_emit_entry(struct at_tuning *self, enum at_event_kind kind,
	const char *text, const struct at_entry *entry)
{
	struct at_event event = {
		.kind = kind,
		.text = text,
		.configuration = entry->configuration,
		.evaluation = entry->evaluation,
		.reused = entry->reused,
	};

	emit(self, &event);
}

void tuning_show(struct at_tuning *self, const struct at_entry *entry, bool is_best)
{
	struct shown *shown = &self->shown;
	const struct at_evaluation *evaluation = entry->evaluation;
	size_t place = self->candidates.baseline;
	bool is_baseline =
		place != AT_NO_CANDIDATE &&
		self->candidates.items[place].evaluation_id == evaluation->id;
	struct at_evaluation *copies[] = { is_best ? &shown->incumbent : NULL,
		is_baseline ? &shown->baseline : NULL };

	self->visit.progress.evaluated++;
	self->visit.progress.last_seconds =
		at_budget_elapsed(&self->visit.budget, at_visit_now_ns(&self->visit));
	if (!(self->visit.progress.first_seconds > 0))
		self->visit.progress.first_seconds = self->visit.progress.last_seconds;
	self->visit.progress.reused += entry->reused;
	self->visit.progress.audited += entry->was_pruned;
	self->visit.progress.by_outcome[evaluation->outcome]++;
	for (size_t i = 0; i < AT_COUNT_OF(copies); i++) {

		if (!copies[i])
			continue;
		at_evaluation_release(copies[i]);
		at_evaluation_copy(evaluation, copies[i]);
	}
	tuning_emit_entry(self, AT_EVENT_EVALUATION, NULL, entry);
	if (is_best)
		tuning_emit_entry(self, AT_EVENT_INCUMBENT, NULL, entry);
}

enum at_status tuning_show_leader(struct at_tuning *self, struct at_error *err)
{
	const struct at_candidates *candidates = &self->candidates;
	int64_t best_id = candidates->best == AT_NO_CANDIDATE
				  ? 0
				  : candidates->items[candidates->best].evaluation_id;

	if (candidates->baseline == AT_NO_CANDIDATE)
		at_evaluation_release(&self->shown.baseline);
	if (self->shown.incumbent.id == best_id)
		return AT_OK;
	at_evaluation_release(&self->shown.incumbent);
	return best_id ? at_store_get(self->visit.store, best_id, false,
				 &self->shown.incumbent, err)
		       : AT_OK;
}

void tuning_tell_waiting(struct at_tuning *self)
{
	bool is_waiting = self->phase != PHASE_DONE && !at_journal_out(self->journal) &&
			  at_journal_pending(self->journal) > 0;
	char owner[64], text[160] = "";

	if (is_waiting == self->shown.is_waiting)
		return;
	self->shown.is_waiting = is_waiting;
	at_process_describe(at_journal_waits_for(self->journal), owner, sizeof(owner));
	if (is_waiting)
		snprintf(text, sizeof(text),
			"waiting for what another autotune is measuring%s%s",
			owner[0] ? ", " : "", owner);
	tuning_emit_text(self, AT_EVENT_STATE, text);
}

void tuning_release_shown(struct at_tuning *self)
{
	at_evaluation_release(&self->shown.incumbent);
	at_evaluation_release(&self->shown.baseline);
	at_record_ceilings_release(&self->shown.ceilings);
	free(self->shown.incumbent_row);
}

/* ---- the end -------------------------------------------------------------------- */

void tuning_end(struct at_tuning *self, const struct at_error *err)
{
	if (!at_visit_end(&self->visit, err))
		return;
	self->phase = PHASE_DONE;
	at_journal_drop(self->journal);
	/* The current phase may be in a call right now: it must not ask for more. */
	at_search_phase_end(&self->search);
	at_verification_phase_end(&self->verifying.phase);
	self->explanation.ended = true;
	self->counters.ended = true;
}

/* A share only has a record: the files are written from the merged records. */
enum at_status tuning_write_files(
	struct at_tuning *self, char **header, struct at_error *err)
{
	const struct at_visit *visit = &self->visit;
	const struct at_result_options results = {
		.directory = visit->session->results,
		.with_unverified = visit->session->with_unverified,
	};

	if (header)
		*header = NULL;
	if (visit->session->share.count)
		return AT_OK;
	return at_result_write(visit->store, &results, visit->whole_spec,
		visit->device_id, header, err);
}

void tuning_finish(struct at_tuning *self)
{
	struct at_error err = { 0 };
	char *header = NULL;
	enum at_status status = tuning_write_files(self, &header, &err);
	const uint16_t *row = at_visit_row(&self->visit, self->winner.index);
	struct at_event event = {
		.kind = AT_EVENT_SUMMARY,
		.configuration = row,
		.evaluation = &self->winner.evaluation,
		.incumbent = &self->winner.evaluation,
		.incumbent_configuration = row,
		.best = &self->winner.best,
		.header_path = header,
	};

	if (!status)
		emit(self, &event);
	free(header);
	tuning_end(self, status ? &err : NULL);
}

bool tuning_doubts(struct doubt *doubt, double error, bool is_baseline)
{
	bool is_alike = doubt->alike && error > 0 &&
			fabs(error - doubt->error) <= ALIKE * doubt->error;

	if (!is_alike)
		doubt->error = error;
	doubt->alike = is_alike ? doubt->alike + 1 : 1;
	doubt->has_baseline = is_baseline || (is_alike && doubt->has_baseline);
	return is_alike;
}

void tuning_blame_reference(struct at_tuning *self, unsigned alike, const char *detail)
{
	snprintf(self->fault, sizeof(self->fault),
		"%u configurations, the baseline among them, miss the reference alike: %.400s; the tolerance or the reference is at fault, or a mistake that all share: correct it, or search all the same with --keep-going",
		alike, detail);
}

void tuning_finish_unselected(struct at_tuning *self, const char *text)
{
	tuning_emit_text(self, AT_EVENT_SUMMARY, text);
	tuning_end(self, NULL);
}
