/* Tells the listener what a tuning does, writes its files and ends it. tuning.c and
   tuning_crown.c call this. */
#include "session/tuning_parts.h"

#include "record/result.h"

#include <stdlib.h>

const uint16_t *tuning_row_of(struct at_tuning *self, uint64_t index)
{
	at_search_space_get(self->space, index, self->row);
	return self->row;
}

uint64_t tuning_now_ns(const struct at_tuning *self)
{
	return self->options.evaluator->ops->now_ns(self->options.evaluator);
}

/* ---- telling ------------------------------------------------------------------ */

/* Completes an event with what all events have, and tells it. */
static void emit(struct at_tuning *self, struct at_event *event)
{
	const struct at_session_options *session = self->options.session;
	const struct at_evaluator *evaluator = self->options.evaluator;
	struct at_evaluator_load load;

	if (!session->listen)
		return;
	evaluator->ops->load(evaluator, &load);
	self->progress.elapsed_seconds =
		at_budget_elapsed(&self->budget, tuning_now_ns(self));
	self->progress.compiling = load.compiling;
	self->progress.waiting = load.waiting;
	event->spec = self->options.spec;
	event->problem = self->options.problem;
	event->objective = self->options.objective;
	event->device = &evaluator->info.device;
	event->progress = &self->progress;
	event->ceilings = self->has_ceilings ? &self->ceilings.ceilings : NULL;
	if (self->incumbent.id && !event->incumbent) {
		event->incumbent = &self->incumbent;
		event->incumbent_configuration = self->incumbent_row;
		at_search_space_get(self->space,
			self->candidates.items[self->candidates.best].index,
			self->incumbent_row);
	}
	if (self->baseline.id)
		event->baseline = &self->baseline;
	if (event->evaluation) {
		event->flops = event->evaluation->flops;
		event->bytes = event->evaluation->bytes;
	}
	session->listen(session->context, event);
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

/* ---- the end -------------------------------------------------------------------- */

void tuning_call_done(void *context)
{
	struct at_tuning *self = context;

	self->options.done(
		self->options.context, self->error.status ? &self->error : NULL);
}

void tuning_end(struct at_tuning *self, const struct at_error *err)
{
	struct at_evaluator *evaluator = self->options.evaluator;

	if (self->is_over)
		return;
	self->is_over = true;
	self->phase = PHASE_DONE;
	if (err)
		self->error = *err;
	evaluator->ops->stop(evaluator);
	at_journal_drop(self->journal);
	/* The current phase may be in a call right now: it must not ask for more. */
	at_search_phase_end(&self->search);
	at_proof_phase_end(&self->proof);
	self->explanation.ended = true;
	/* From the loop, since done() may free the tuning whose code is running now. */
	self->is_done_late =
		evaluator->ops->later(evaluator, tuning_call_done, self, NULL) != AT_OK;
}

enum at_status tuning_write_files(
	struct at_tuning *self, char **header, struct at_error *err)
{
	const struct at_tuning_options *options = &self->options;
	const struct at_result_options results = {
		.directory = options->session->results,
		.with_unproved = options->session->with_unproved,
	};

	/* A share only has a record: the files are written from the merged records. */
	if (options->session->share.count)
		return AT_OK;
	return at_result_write(options->store, &results, options->whole_spec,
		options->device_id, header, err);
}

void tuning_finish(struct at_tuning *self)
{
	struct at_error err = { 0 };
	char *header = NULL;
	enum at_status status = tuning_write_files(self, &header, &err);
	const uint16_t *row = tuning_row_of(self, self->winner.index);
	struct at_event event = {
		.kind = AT_EVENT_SUMMARY,
		.configuration = row,
		.evaluation = &self->winner.evaluation,
		.incumbent = &self->winner.evaluation,
		.incumbent_configuration = row,
		.crown = &self->winner.crown,
		.header_path = header,
	};

	if (!status)
		emit(self, &event);
	free(header);
	tuning_end(self, status ? &err : NULL);
}

void tuning_finish_uncrowned(struct at_tuning *self, const char *text)
{
	tuning_emit_text(self, AT_EVENT_SUMMARY, text);
	tuning_end(self, NULL);
}
