/* The journal (journal.h): leads each configuration from plan to recorded evaluation.
   The search phase, the explanation, revisits and crossings use it. */
#include "session/journal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "record/claims.h"
#include "record/result.h"

#include <math.h>
#include <stdlib.h>

/*
 * Another run may be alive without progress, for example while another program uses its
 * device. If none of its results has arrived for this many seconds, this run measures
 * the claimed configurations itself. The limit is shorter for the baseline: everything
 * waits for it, and the other run measures it first.
 */
#define PATIENCE_SECONDS 60.0
#define PATIENCE_FIRST_SECONDS 20.0
/* time between polls for the records of other runs, while this run has work */
#define POLL_NS UINT64_C(50000000)

struct at_journal {
	const struct at_visit *visit;
	bool is_fresh;
	struct at_journal_listener listener;
	/* the problem's sizes as JSON, equal in all evaluations */
	char *problem_json;
	struct trial *trials; /* evaluations at the evaluator; `out` is their number */
	size_t out;
	/* Evaluations that other runs are measuring, in the order of the requests. */
	struct trial *waiting;
	struct trial **waiting_last;
	size_t waiting_count;
	/* see at_journal_waits_for() */
	int64_t waits_for;
	/* When the last of them arrived, or waiting began, by at_clock_now_ns(). */
	uint64_t arrived_ns;
	uint64_t polled_ns; /* by the evaluator's clock */
	bool over; /* failed() was called */
};

/* The journal's data of a task. */
struct trial {
	struct trial *next;
	struct at_journal *journal;
	struct at_task *task;
	bool is_claimed; /* no other run begins it */
	bool has_waited; /* it was in the waiting list */
};

void at_journal_new(
	const struct at_visit *visit, bool is_fresh, struct at_journal **out)
{
	struct at_journal *self = at_calloc(1, sizeof(*self));

	self->visit = visit;
	self->is_fresh = is_fresh;
	self->waiting_last = &self->waiting;
	self->problem_json = at_problem_to_json(visit->spec, visit->problem);
	*out = self;
}

void at_journal_free(struct at_journal *self)
{
	if (!self)
		return;
	at_journal_drop(self);
	free(self->problem_json);
	free(self);
}

/* Lets others begin it: it is recorded, or will not be measured here. */
static void drop_claim(struct trial *trial)
{
	if (trial->is_claimed)
		at_store_drop_claim(
			trial->journal->visit->store, trial->task->plan.key);
	trial->is_claimed = false;
}

static void free_trial(struct trial *trial)
{
	if (!trial)
		return;
	drop_claim(trial);
	at_task_free(trial->task);
	free(trial);
}

void at_journal_stop_waiting(struct at_journal *self)
{
	while (self->waiting) {
		struct trial *next = self->waiting->next;

		free_trial(self->waiting);
		self->waiting = next;
	}
	self->waiting_last = &self->waiting;
	self->waiting_count = 0;
	self->waits_for = 0;
}

void at_journal_drop(struct at_journal *self)
{
	while (self->trials) {
		struct trial *next = self->trials->next;

		free_trial(self->trials);
		self->trials = next;
	}
	self->out = 0;
	at_journal_stop_waiting(self);
}

void at_journal_listen(
	struct at_journal *self, const struct at_journal_listener *listener)
{
	self->listener = *listener;
}

size_t at_journal_out(const struct at_journal *self)
{
	return self->out;
}

size_t at_journal_pending(const struct at_journal *self)
{
	return self->out + self->waiting_count;
}

int64_t at_journal_waits_for(const struct at_journal *self)
{
	return self->waits_for;
}

static void fail(struct at_journal *self, const struct at_error *err)
{
	if (self->over)
		return;
	self->over = true;
	self->listener.failed(self->listener.context, err);
}

static void tell(struct at_journal *self, const struct trial *trial,
	const struct at_evaluation *evaluation, bool reused, bool was_pruned)
{
	const struct at_entry entry = { trial->task->index, trial->task->configuration,
		evaluation, reused, was_pruned };

	self->listener.told(self->listener.context, &entry);
}

/* ---- recorded evaluations -------------------------------------------------- */

/* Whether a recorded time is physically possible. Raced evaluations have no proper
   time. */
static bool floor_allows(
	const struct trial *trial, const struct at_evaluation *evaluation)
{
	return evaluation->outcome != AT_OUTCOME_OK || evaluation->raced ||
	       at_floor_allows(&trial->task->plan.floor, evaluation->time_ns, NULL, 0);
}

/* Calls told() for a recorded evaluation. True: told() or failed() was called. */
static bool recall(struct at_journal *self, const struct trial *trial)
{
	struct at_evaluation evaluation;
	struct at_error err = { 0 };
	bool found = false;

	if (at_store_find(self->visit->store, trial->task->plan.key, false, &evaluation,
		    &found, &err)) {
		fail(self, &err);
		return true;
	}
	if (!found)
		return false;
	/* --fresh wants new times, but evaluations of this run are new */
	if (self->is_fresh && evaluation.run_id != self->visit->run_id)
		found = false;
	/* too_fast follows from `metrics`, which no key covers and which the user may
	   have corrected since. It is measured again, and so is a recorded time that
	   today's metrics exclude. */
	if (found && (evaluation.outcome == AT_OUTCOME_TOO_FAST ||
			     !floor_allows(trial, &evaluation)))
		found = false;
	/* An evaluation that racing dropped early has no proper time. Apart from
	   --fresh and from lost patience (is_patient()), only this gives a key two
	   measured rows. */
	if (trial->task->how.full && evaluation.raced)
		found = false;
	if (found)
		tell(self, trial, &evaluation, true, false);
	at_evaluation_release(&evaluation);
	return found;
}

static void answered(struct at_task *task, const struct at_error *problem);

/* Plans a configuration. NULL: the journal has failed. */
static struct trial *plan_trial(
	struct at_journal *self, uint64_t index, const struct at_task_options *options)
{
	struct at_error err = { 0 };
	struct at_task *task;
	struct trial *trial;

	if (self->over)
		return NULL;
	if (at_visit_plan(self->visit, index, &task, &err)) {
		fail(self, &err);
		return NULL;
	}
	trial = at_malloc(sizeof(*trial));
	*trial = (struct trial){ .journal = self, .task = task };
	task->index = index;
	task->how = *options;
	task->answered = answered;
	task->context = trial;
	return trial;
}

bool at_journal_recall(
	struct at_journal *self, uint64_t index, const struct at_task_options *options)
{
	struct trial *trial = plan_trial(self, index, options);
	bool recalled = !trial || recall(self, trial);

	free_trial(trial);
	return recalled;
}

/* ---- new evaluations ------------------------------------------------------- */

/* Copies a measurement into an evaluation and takes over the samples. result NULL: it
   was never measured. */
static void set_result(
	struct at_evaluation *evaluation, struct at_measure_result *result)
{
	evaluation->time_ns = evaluation->low_ns = evaluation->high_ns = NAN;
	evaluation->max_relative_error = NAN;
	evaluation->measure_ns = evaluation->clock_hz = -1;
	evaluation->launches_per_sample = -1;
	if (!result)
		return;
	evaluation->measure_ns = (int64_t)result->measure_ns;
	evaluation->raced = result->raced;
	evaluation->throttled = result->throttled;
	/* errors of wrong results show which configurations miss the reference alike */
	if (evaluation->outcome == AT_OUTCOME_OK ||
		(evaluation->outcome == AT_OUTCOME_WRONG_RESULT &&
			isfinite(result->max_relative_error)))
		evaluation->max_relative_error = result->max_relative_error;
	/* only a correct configuration has a time */
	if (evaluation->outcome != AT_OUTCOME_OK)
		return;
	evaluation->time_ns = result->time_ns;
	evaluation->low_ns = result->low_ns;
	evaluation->high_ns = result->high_ns;
	evaluation->samples_ns = result->samples_ns;
	evaluation->sample_count = result->sample_count;
	result->samples_ns = NULL;
	result->sample_count = 0;
	evaluation->launches_per_sample = result->launches_per_sample;
	if (result->clock_hz)
		evaluation->clock_hz = (int64_t)result->clock_hz;
}

static void unlink_trial(struct at_journal *self, struct trial *trial)
{
	struct trial **link = &self->trials;

	while (*link != trial)
		link = &(*link)->next;
	*link = trial->next;
	self->out--;
}

/* Receives the evaluator's answer. It is recorded before told(), so that nothing acts
   on an evaluation that a kill could lose. */
static void answered(struct at_task *task, const struct at_error *problem)
{
	struct trial *trial = task->context;
	struct at_journal *self = trial->journal;
	const struct at_visit *visit = self->visit;
	struct at_evaluation evaluation = { 0 };
	struct at_error err = { 0 };
	enum at_status status = AT_OK;
	char text[512];
	bool too_fast;

	unlink_trial(self, trial);
	if (problem)
		fail(self, problem);
	if (self->over)
		goto free_trial;
	if (task->outcome == AT_OUTCOME_NONE) {
		drop_claim(trial);
		tell(self, trial, NULL, false, false);
		self->listener.changed(self->listener.context);
		goto free_trial;
	}
	evaluation.key = task->plan.key;
	evaluation.run_id = visit->run_id;
	evaluation.device_id = visit->device_id;
	/* a physically impossible time */
	too_fast = task->outcome == AT_OUTCOME_OK && task->is_measured &&
		   !task->result.raced &&
		   !at_floor_allows(
			   &task->plan.floor, task->result.time_ns, text, sizeof(text));
	evaluation.outcome = too_fast ? AT_OUTCOME_TOO_FAST : task->outcome;
	evaluation.facts = task->facts;
	evaluation.image = task->image;
	evaluation.flops = task->plan.flops;
	evaluation.bytes = task->plan.bytes;
	evaluation.is_double = task->plan.is_double;
	evaluation.space = at_strdup(visit->spec->name);
	evaluation.problem = at_strdup(visit->problem->name);
	evaluation.problem_json = at_strdup(self->problem_json);
	evaluation.configuration =
		at_configuration_to_json(visit->spec, task->configuration);
	evaluation.detail = at_strdup(too_fast ? text : task->detail);
	evaluation.log = at_strdup(task->log ? task->log : "");
	evaluation.board = at_strdup(task->board);
	evaluation.created_seconds = at_clock_wall_seconds();
	set_result(&evaluation, task->is_measured ? &task->result : NULL);
	status = at_store_add(visit->store, &evaluation, &err);
	drop_claim(trial);
	if (status)
		fail(self, &err);
	else
		/* Only the first copy of an image was chosen for the audit, so only
		   that one counts. */
		tell(self, trial, &evaluation, false,
			evaluation.outcome == AT_OUTCOME_OK && !task->is_copy &&
				task->is_measured && task->result.was_pruned);
	at_evaluation_release(&evaluation);
	if (!status)
		self->listener.changed(self->listener.context);
free_trial:
	free_trial(trial);
}

/* Begins a trial at the evaluator; takes over the trial. */
static void begin(struct at_journal *self, struct trial *trial)
{
	struct at_evaluator *evaluator = self->visit->evaluator;
	struct at_error err = { 0 };

	trial->next = self->trials;
	self->trials = trial;
	self->out++;
	if (evaluator->ops->begin(evaluator, trial->task, &err)) {
		unlink_trial(self, trial);
		free_trial(trial);
		fail(self, &err);
	}
}

/* ---- evaluations of other runs --------------------------------------------- */

/* Whether to wait (longer) for another run's evaluation. */
static bool is_patient(const struct at_journal *self, const struct trial *trial)
{
	double limit =
		trial->task->how.first ? PATIENCE_FIRST_SECONDS : PATIENCE_SECONDS;
	double given = self->visit->session->wait_seconds;

	/* --fresh: only this run's own times count */
	if (self->is_fresh)
		return false;
	if (given > 0 && given < limit)
		limit = given;
	return !trial->has_waited ||
	       (double)(at_clock_now_ns() - self->arrived_ns) * 1e-9 < limit;
}

/* Reports a recorded evaluation, waits for one that another run measures, or begins it.
   Takes over the trial. True: it does not wait. */
static bool take_up(struct at_journal *self, struct trial *trial)
{
	int64_t owner;
	enum at_claim claim =
		at_store_claim(self->visit->store, trial->task->plan.key, &owner);

	/* the claim precedes the lookup: see record/claims.h */
	trial->is_claimed = claim == AT_CLAIM_OURS;
	if (recall(self, trial)) {
		free_trial(trial);
		return true;
	}
	if (claim != AT_CLAIM_THEIRS || !is_patient(self, trial)) {
		begin(self, trial);
		return true;
	}
	if (!self->waiting_count && !trial->has_waited)
		self->arrived_ns = at_clock_now_ns();
	self->waits_for = owner;
	trial->has_waited = true;
	trial->next = NULL;
	*self->waiting_last = trial;
	self->waiting_last = &trial->next;
	self->waiting_count++;
	return false;
}

void at_journal_evaluate(
	struct at_journal *self, uint64_t index, const struct at_task_options *options)
{
	struct trial *trial = plan_trial(self, index, options);

	if (trial)
		take_up(self, trial);
}

void at_journal_poll(struct at_journal *self)
{
	struct at_evaluator *evaluator = self->visit->evaluator;
	uint64_t now_ns = evaluator->ops->now_ns(evaluator);
	size_t count = self->waiting_count;
	bool has_changed = false;

	if (self->over)
		return;
	if (!count || (self->out && now_ns - self->polled_ns < POLL_NS))
		return;
	self->polled_ns = now_ns;
	/* a listener may empty the list */
	for (; count && self->waiting && !self->over; count--) {
		struct trial *trial = self->waiting;

		self->waiting = trial->next;
		if (!self->waiting)
			self->waiting_last = &self->waiting;
		self->waiting_count--;
		has_changed = take_up(self, trial) || has_changed;
	}
	if (!self->waiting_count)
		self->waits_for = 0;
	if (!has_changed)
		return;
	self->arrived_ns = at_clock_now_ns();
	if (!self->over)
		self->listener.changed(self->listener.context);
}

enum at_status at_journal_refuse(struct at_journal *self, int64_t evaluation_id,
	enum at_outcome outcome, const char *detail, struct at_evaluation *out,
	struct at_error *err)
{
	enum at_status status =
		at_store_get(self->visit->store, evaluation_id, true, out, err);

	if (status)
		return status;
	free(out->detail);
	out->detail = at_strdup(detail);
	out->id = 0;
	out->outcome = outcome;
	out->run_id = self->visit->run_id;
	out->time_ns = out->low_ns = out->high_ns = NAN;
	out->sample_count = 0;
	out->created_seconds = at_clock_wall_seconds();
	status = at_store_add(self->visit->store, out, err);
	if (status)
		at_evaluation_release(out);
	return status;
}
