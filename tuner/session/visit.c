/* The common part of all visits (visit.h). */
#include "session/visit.h"

#include "base/memory.h"
#include "record/result.h"
#include "session/counting.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

/* Suffices for four sanitizers on a small problem and one run on the host. */
#define CHECK_SECONDS_MAX 20.0

const uint16_t *at_visit_row(const struct at_visit *self, uint64_t index)
{
	at_search_space_get(self->space, index, self->row);
	return self->row;
}

/* On the CPU, where templates are developed, each case takes a few hundred
   milliseconds, so a share of the time would leave out most of them. There a run
   without a budget verifies all cases, and one with a budget those for which it has
   time left. */
double at_visit_case_seconds(const struct at_visit *self)
{
	const bool is_cpu = !strcmp(self->evaluator->info.device.kind, "host");

	if (self->session->thorough || (is_cpu && self->budget.seconds <= 0))
		return 0;
	return fmax(
		at_budget_verify_seconds(&self->budget, at_visit_now_ns(self), is_cpu),
		AT_SECONDS_OVER);
}

double at_visit_check_seconds(const struct at_visit *self)
{
	return self->session->thorough ? CHECK_SECONDS_MAX
				       : fmin(at_budget_verify_seconds(&self->budget,
						      at_visit_now_ns(self), false),
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
	if (self->kind->complete)
		self->kind->complete(self, event);
	event->spec = self->spec;
	event->problem = self->problem;
	event->device = &self->evaluator->info.device;
	event->progress = self->kind->tells_progress ? &self->progress : NULL;
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

static enum at_status open_visit(struct at_visit *self, struct at_error *err)
{
	struct at_counting counting = { .tell = tell_counting, .context = self };
	enum at_status status;

	self->budget.begun_ns = at_visit_now_ns(self);
	self->row = at_calloc(self->spec->parameter_count + 1, sizeof(*self->row));
	status = at_count_space(&counting, self->spec, self->problem,
		&self->evaluator->info.device.properties, self->kind->is_search,
		&self->space, err);
	if (!status)
		self->progress.valid_count = at_search_space_count(self->space);
	return status;
}

/* AT_NOTICE_JUDGED, how outputs are judged, was reported by the tuning. */
static void evaluator_tells(void *context, enum at_notice_kind kind, const char *text)
{
	struct at_visit *self = context;

	if (kind == AT_NOTICE_NOTE || kind == AT_NOTICE_STATE)
		at_visit_emit_text(self,
			kind == AT_NOTICE_STATE ? AT_EVENT_STATE : AT_EVENT_NOTE, text);
}

static void begin(void *context)
{
	struct at_visit *self = context;

	/* a signal may have ended it already */
	if (!self->is_over)
		self->kind->begin(self);
}

enum at_status at_visit_start(const struct at_visit_kind *kind,
	const struct at_visit *given, struct at_visit **out, struct at_error *err)
{
	struct at_visit *self = at_calloc(1, kind->size);
	enum at_status status;

	*self = *given;
	self->kind = kind;
	status = open_visit(self, err);
	self->evaluator->tell = evaluator_tells;
	self->evaluator->tell_context = self;
	if (!status && kind->open)
		status = kind->open(self, err);
	if (status) {
		self->evaluator->tell = NULL;
		self->evaluator = NULL; /* remains the caller's */
		at_visit_free(self);
		return status;
	}
	self->evaluator->ops->later(self->evaluator, begin, self);
	*out = self;
	return AT_OK;
}

void at_visit_interrupt(struct at_visit *self)
{
	self->kind->interrupt(self);
}

void at_visit_poke(struct at_visit *self)
{
	self->evaluator->ops->tick(self->evaluator);
	if (self->kind->poke)
		self->kind->poke(self);
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
	/* from the loop: done() may free the visit whose code is running */
	self->evaluator->ops->later(self->evaluator, call_done, self);
	return true;
}

void at_visit_free(struct at_visit *self)
{
	if (!self)
		return;
	self->kind->release(self);
	at_search_space_free(self->space);
	free(self->row);
	if (self->evaluator)
		self->evaluator->ops->close(self->evaluator);
	free(self);
}

enum at_status at_visit_check_energy(const struct at_visit *self, struct at_error *err)
{
	const struct at_device_info *device = &self->evaluator->info.device;

	if (!self->objective->needs_energy || !device->no_energy[0])
		return AT_OK;
	return at_fail(err, AT_EUNAVAILABLE, self->spec->path, 0,
		"objective \"%s\" on %s: %s; the objective \"time\" needs no counter",
		self->objective->name, device->id, device->no_energy);
}

uint64_t at_visit_baseline(const struct at_visit *self)
{
	return self->spec->has_defaults
		       ? at_search_space_find(self->space, self->spec->defaults)
		       : AT_NO_CONFIGURATION;
}

enum at_status at_visit_find_winner(struct at_visit *self, struct at_winner *best,
	char **configuration, uint64_t *index, struct at_error *err)
{
	struct at_evaluation evaluation;
	bool found, fits;
	enum at_status status = at_store_find_winner(self->store, self->device_id,
		self->spec->name, self->problem->name, best, &found, err);

	*index = AT_NO_CONFIGURATION;
	/* winners of other objectives are not comparable */
	if (!status && found && best->objective != self->objective) {
		at_winner_release(best);
		found = false;
	}
	if (status || !found)
		return status;
	status =
		at_store_get(self->store, best->evaluation_id, false, &evaluation, err);
	if (status)
		return status;
	at_configuration_from_json(
		self->spec, evaluation.configuration, self->row, &fits);
	if (fits)
		*index = at_search_space_find(self->space, self->row);
	if (configuration)
		*configuration = at_strdup(evaluation.configuration);
	at_evaluation_release(&evaluation);
	return AT_OK;
}

enum at_status at_visit_plan(const struct at_visit *self, uint64_t index,
	struct at_task **out, struct at_error *err)
{
	return self->evaluator->ops->plan(
		self->evaluator, at_visit_row(self, index), out, err);
}

enum at_status at_visit_measure(const struct at_visit *self, uint64_t index, bool first,
	void (*answered)(struct at_task *task, const struct at_error *err),
	void *context, struct at_error *err)
{
	struct at_task *task;
	enum at_status status = at_visit_plan(self, index, &task, err);

	if (status)
		return status;
	task->index = index;
	task->how = (struct at_task_options){ .first = first, .full = true };
	task->answered = answered;
	task->context = context;
	status = self->evaluator->ops->begin(self->evaluator, task, err);
	at_task_free(task);
	return status;
}

bool at_visit_has_same_source(const struct at_visit *self, const struct at_winner *best)
{
	char hex[AT_HASH_HEX_SIZE];

	return best->source_hash &&
	       !strcmp(best->source_hash,
		       at_hash_hex(self->evaluator->info.source, hex));
}
