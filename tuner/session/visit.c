/* What tunings, revisits and crossings have in common (visit.h). */
#include "session/visit.h"

#include "base/memory.h"
#include "session/counting.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

/* Enough for four sanitizers on a small problem and one run on the host. */
#define CHECK_SECONDS_MAX 20.0

const uint16_t *at_visit_row(const struct at_visit *self, uint64_t index)
{
	at_search_space_get(self->space, index, self->row);
	return self->row;
}

/*
 * On the CPU, where templates are developed, a run without a budget makes all cases: a
 * case takes a few hundred milliseconds there, so that a share of the time would leave
 * out most of them.
 */
double at_visit_case_seconds(const struct at_visit *self)
{
	const bool is_cpu = !strcmp(self->evaluator->info.device.kind, "host");

	if (self->session->thorough || (is_cpu && self->budget.seconds <= 0))
		return 0;
	/* 0 would be no limit */
	return fmax(
		at_budget_verify_seconds(&self->budget, at_visit_now_ns(self)), 1e-3);
}

double at_visit_check_seconds(const struct at_visit *self)
{
	return self->session->thorough ? CHECK_SECONDS_MAX
				       : fmin(at_budget_verify_seconds(&self->budget,
						      at_visit_now_ns(self)),
						 CHECK_SECONDS_MAX);
}

uint64_t at_visit_now_ns(const struct at_visit *self)
{
	return self->evaluator->ops->now_ns(self->evaluator);
}

void at_visit_emit(struct at_visit *self, struct at_event *event)
{
	const struct at_session_options *session = self->session;

	if (!session->listen)
		return;
	self->progress.elapsed_seconds =
		at_budget_elapsed(&self->budget, at_visit_now_ns(self));
	event->spec = self->spec;
	event->problem = self->problem;
	event->objective = self->objective;
	event->device = &self->evaluator->info.device;
	event->progress = self->tells_progress ? &self->progress : NULL;
	session->listen(session->context, event);
}

void at_visit_emit_text(
	struct at_visit *self, enum at_event_kind kind, const char *text)
{
	struct at_event event = { .kind = kind, .text = text };

	at_visit_emit(self, &event);
}

static void tell_counting(void *context, const char *text)
{
	struct at_visit *self = context;

	at_visit_emit_text(self, AT_EVENT_STATE, text);
	if (self->session->tick)
		self->session->tick(self->session->context);
}

enum at_status at_visit_open(struct at_visit *self, const struct at_visit *given,
	bool is_search, struct at_error *err)
{
	struct at_counting counting = { .tell = tell_counting, .context = self };
	const bool tells_progress = self->tells_progress;
	enum at_status status;

	*self = *given;
	self->tells_progress = tells_progress;
	self->budget.begun_ns = at_visit_now_ns(self);
	self->row = at_calloc(self->spec->parameter_count + 1, sizeof(*self->row));
	status = at_count_space(&counting, self->spec, self->problem,
		&self->evaluator->info.device.properties, is_search, &self->space, err);
	if (!status)
		self->progress.valid_count = at_search_space_count(self->space);
	return status;
}

/* How outputs are judged (AT_NOTICE_JUDGED) was told when the problem was tuned. */
static void evaluator_tells(void *context, enum at_notice_kind kind, const char *text)
{
	struct at_visit *self = context;

	if (kind == AT_NOTICE_NOTE || kind == AT_NOTICE_STATE)
		at_visit_emit_text(self,
			kind == AT_NOTICE_STATE ? AT_EVENT_STATE : AT_EVENT_NOTE, text);
}

void at_visit_begin(struct at_visit *self, void (*begin)(void *context), void *context)
{
	self->evaluator->ops->later(self->evaluator, begin, context);
	self->evaluator->tell = evaluator_tells;
	self->evaluator->tell_context = self;
}

static void call_done(void *context)
{
	struct at_visit *self = context;

	self->done(self->context, self->error.status ? &self->error : NULL);
}

bool at_visit_end(struct at_visit *self, const struct at_error *err)
{
	if (self->is_over)
		return false;
	self->is_over = true;
	if (err)
		self->error = *err;
	self->evaluator->ops->stop(self->evaluator);
	/* from the loop, since done() may free the visit whose code is running now */
	self->evaluator->ops->later(self->evaluator, call_done, self);
	return true;
}

void at_visit_release(struct at_visit *self)
{
	at_search_space_free(self->space);
	free(self->row);
	if (self->evaluator)
		self->evaluator->ops->close(self->evaluator);
}

bool at_visit_has_same_source(const struct at_visit *self, const struct at_winner *best)
{
	char hex[AT_HASH_HEX_SIZE];

	return best->source_hash &&
	       !strcmp(best->source_hash,
		       at_hash_hex(self->evaluator->info.source, hex));
}
