/* Failures at a board: which become an outcome, which an error, and which are tried
   again because the machine may be at fault. */
#include "evaluator/workers/board_parts.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

/* how often a process may die before it has begun anything: a device may need a second
   start after a crash, not a third */
#define STARTS_MAX 3
/* how often is_alone() is asked; see at_board_be_alone() */
#define ALONE_POLL_MS 20

/* Has the loop call wake after a pause. */
static void set_timer(
	struct at_board *self, uint64_t pause_ns, void (*wake)(void *context))
{
	if (!self->is_timed)
		at_loop_after(
			self->loop, (unsigned)(pause_ns / 1000000) + 1, wake, self);
	self->is_timed = true;
}

void board_suspect(struct at_board *self, enum step step, enum at_fault fault,
	bool has_died, const struct at_error *err)
{
	self->failed_at = step;
	self->has_died = has_died;
	self->was_late = false;
	self->failure = *err;
	at_recovery_failed(&self->recovery, fault, err->text, at_clock_now_ns());
}

void board_succeeded(struct at_board *self, enum step step)
{
	self->idle_deaths = 0;
	if (at_recovery_is_on(&self->recovery) && step >= self->failed_at)
		at_recovery_end(&self->recovery);
}

/* ---- the work's own fault after all
   ----------------------------------------------- */

static enum at_outcome outcome_of(const struct at_board *self)
{
	if (self->has_died && self->was_late)
		return AT_OUTCOME_TIMED_OUT;
	/* what the work asked for is more than the machine has, at each try */
	return self->has_died ? AT_OUTCOME_CRASHED : AT_OUTCOME_TOO_MANY_RESOURCES;
}

static void answer_all(
	struct at_board *self, enum at_outcome outcome, const char *detail)
{
	struct at_measure_result results[AT_FINALISTS_MAX] = { 0 };
	struct board_job *job = board_pop(self);

	for (size_t i = 0; i < job->result_count; i++) {
		results[i].outcome = outcome;
		/* which of several did it is not known */
		results[i].device_lost = job->result_count > 1;
		snprintf(results[i].detail, sizeof(results[i].detail), "%s", detail);
	}
	board_answer(job, results, job->result_count, NULL, NULL);
}

/*
 * Whether the work may be put off: what ended its process may end whoever measures,
 * which shows when something else is measured well, and each job in the queue is tried
 * once for that.
 */
static bool may_be_put_off(const struct at_board *self)
{
	for (const struct board_job *job = self->jobs->next; job; job = job->next)
		if (job->measured && !job->was_put_off)
			return true;
	return false;
}

/* The work has failed while the machine does everything else: that becomes its
   answer. */
static void blame(struct at_board *self)
{
	const struct board_job *job = self->jobs;
	bool is_measuring =
		!self->opened && self->failed_at == STEP_OPEN && job && job->measured;
	bool has_died_unclearly =
		self->recovery.fault == AT_FAULT_UNCLEAR && self->has_died;
	bool is_filtered = is_measuring && has_died_unclearly && !self->has_measured;
	bool is_clear = self->recovery.fault != AT_FAULT_UNCLEAR ||
			(is_measuring && has_died_unclearly && self->has_measured);
	bool is_measured =
		is_measuring && is_clear && (self->has_died || job->result_count == 1);
	enum at_outcome outcome = outcome_of(self);
	struct at_error err = { 0 };
	char verdict[200];

	if (is_filtered && may_be_put_off(self)) {
		at_recovery_end(&self->recovery);
		board_put_off(self);
		return;
	}
	at_recovery_verdict(&self->recovery, verdict, sizeof(verdict));
	if (is_filtered)
		at_fail(&err, self->failure.status, self->failure.file, 0,
			"%.600s; nothing was measured before: calls of the system that measuring makes may be forbidden here, or this configuration makes one itself, and other defaults help",
			self->failure.text);
	else if (!is_clear)
		err = self->failure;
	else
		/* These two say that waiting may help; here the machine is well and it
		   does not. */
		at_fail(&err,
			self->failure.status == AT_ENOMEM ||
					self->failure.status == AT_EIO
				? AT_EINVAL
				: self->failure.status,
			self->failure.file, 0, "%.600s (%s)", self->failure.text,
			verdict);
	at_recovery_end(&self->recovery);
	if (is_measured)
		answer_all(self, outcome, err.text);
	else
		board_fail_first(self, &err);
}

/* ---- going on
   --------------------------------------------------------------------- */

/* Whether a budget ends the setup before this deadline would. */
static bool is_hurried(const struct at_board *self, double deadline_seconds)
{
	const struct at_board_setup *setup = self->jobs ? self->jobs->setup : NULL;

	return setup && setup->budget_seconds > 0 &&
	       setup->budget_seconds < deadline_seconds;
}

double board_setup_deadline(const struct at_board *self)
{
	const struct at_board_setup *setup = self->jobs ? self->jobs->setup : NULL;
	double seconds = setup && setup->deadline_seconds > 0 ? setup->deadline_seconds
							      : SETUP_SECONDS;

	return is_hurried(self, seconds) ? setup->budget_seconds : seconds;
}

/* Looks, while nothing else runs, whether the machine has what was lacking. False:
   something else still runs. */
static bool probe(struct at_board *self, void (*wake)(void *context))
{
	/* A board that never opened is not waited for: the run has just begun, and a
	   person looks on. */
	uint64_t patience_ns = self->has_opened ? at_patience_ns() : 0;
	struct at_error err = { 0 };
	char why[400];

	if (self->is_alone && !self->is_alone(self->alone_context)) {
		set_timer(self, ALONE_POLL_MS * UINT64_C(1000000), wake);
		return false;
	}
	at_machine_check(
		self->recovery.fault, at_loop_folder(self->loop), why, sizeof(why));
	/* where no process could be started, starting one is the probe */
	if (!why[0] && self->failed_at == STEP_NONE && self->step == STEP_NONE &&
		board_start(self, &err))
		snprintf(why, sizeof(why), "%.300s", err.text);
	at_recovery_probed(&self->recovery, why, patience_ns, at_clock_now_ns());
	return true;
}

bool board_waits(struct at_board *self, void (*wake)(void *context))
{
	while (at_recovery_is_on(&self->recovery)) {
		uint64_t now_ns = at_clock_now_ns(), due_ns = self->recovery.due_ns;
		struct at_error err = { 0 };

		if (!self->opened && !self->jobs)
			at_recovery_end(&self->recovery);
		switch (self->recovery.step) {
		case AT_STEP_NONE:
		case AT_STEP_TRY:
			return false;
		case AT_STEP_WAIT:
			set_timer(self, due_ns > now_ns ? due_ns - now_ns : 0, wake);
			return true;
		case AT_STEP_PROBE:
			if (!probe(self, wake))
				return true;
			break;
		case AT_STEP_BLAME:
			blame(self);
			break;
		case AT_STEP_GIVE_UP:
			at_recovery_error(&self->recovery, &err);
			at_recovery_end(&self->recovery);
			board_fail_first(self, &err);
			break;
		}
	}
	return false;
}

/* ---- failures
   --------------------------------------------------------------------- */

void board_fail_oddly(struct at_board *self)
{
	enum step step = self->step;
	struct at_error err = { 0 };

	at_fail(&err, AT_EPROTOCOL, NULL, 0,
		"device %s: its worker sent an odd message", self->id);
	board_drop_process(self);
	if (self->opened || self->jobs)
		board_suspect(self, step, AT_FAULT_GARBAGE, true, &err);
}

void board_failed(struct at_board *self, struct at_wire_reader *in)
{
	enum step step = self->step;
	bool was_opening = step == STEP_OPENING;
	enum at_fault fault;
	struct at_error err;

	at_get_error(in, &err);
	if (in->failed || !err.status) {
		board_fail_oddly(self);
		return;
	}
	fault = at_fault_of_error(&err);
	/* AT_ENOENT means a lost unit to the caller; here a device has gone that was
	   there before */
	if (was_opening && !self->opened)
		err.status = AT_EDEVICE;
	/* The worker looks for the unit before it does anything else, so it and its
	   setups are sound. */
	if (err.status == AT_ENOENT && step == STEP_OPEN && self->jobs &&
		self->jobs->sent && self->jobs->setup) {
		at_worker_deadline(self->worker, 0);
		self->started = false;
		board_succeeded(self, STEP_OPEN);
		board_answer(board_pop(self), NULL, 0, NULL, &err);
		return;
	}
	/* the state of the process is unknown: the next request starts a new one */
	board_drop_process(self);
	/* A failure while measuring may be over in a moment. A setup or device that is
	   refused for a reason of its own stays refused. */
	if (!fault && step == STEP_OPEN && err.status != AT_ENOENT)
		fault = AT_FAULT_UNCLEAR;
	if (fault && (self->jobs || (self->opened && self->has_opened))) {
		board_suspect(self, step, fault, false, &err);
		return;
	}
	at_recovery_end(&self->recovery);
	board_fail_first(self, &err);
}

static void describe_end(const struct at_worker_end *end, double deadline_seconds,
	char *text, size_t size)
{
	const char *said = end->text[0] ? ": " : "";

	if (end->timed_out && end->was_stopped)
		snprintf(text, size, "did not end, and was stopped (SIGSTOP)");
	else if (end->timed_out && end->was_quiet)
		snprintf(text, size, "waited for something that does not come");
	else if (end->timed_out)
		snprintf(text, size, "did not end within %.3g s", deadline_seconds);
	else if (end->protocol)
		snprintf(text, size,
			"the process wrote what is no message on its channel%s%s", said,
			end->text);
	else if (end->signal)
		snprintf(text, size, "the process was ended by signal %d (%s)%s%s",
			end->signal, strsignal(end->signal), said, end->text);
	else
		snprintf(text, size, "the process ended with status %lld%s%s",
			(long long)end->exit_status, said, end->text);
}

static const char *doing_at(enum step step, bool was_started)
{
	switch (step) {
	case STEP_OPENING:
		return "opening it";
	case STEP_SETTING_UP:
		return "running the reference";
	case STEP_NONE:
	case STEP_OPEN:
		break;
	}
	return was_started ? "measuring its ceilings" : "handing it work";
}

void board_died(struct at_board *self, const struct at_worker_end *end)
{
	enum step step = self->step;
	bool was_started = self->started;
	bool was_idle = step > STEP_OPENING && !was_started;
	bool was_measuring = step == STEP_OPEN && was_started && self->jobs &&
			     self->jobs->sent && self->jobs->measured;
	enum at_fault fault = at_fault_of_end(end);
	double seconds = step == STEP_OPENING      ? OPEN_SECONDS
			 : step == STEP_SETTING_UP ? board_setup_deadline(self)
			 : self->jobs              ? self->jobs->deadline_seconds
						   : 0;
	struct at_error err = { 0 };
	char text[400];

	describe_end(end, seconds, text, sizeof(text));
	if (was_measuring)
		at_fail(&err, AT_EDEVICE, NULL, 0, "%s", text);
	else
		at_fail(&err, AT_EDEVICE, NULL, 0, "device %s: while %s, %s%s",
			self->id, doing_at(step, was_started), text,
			step == STEP_SETTING_UP && end->timed_out &&
					is_hurried(self, SETUP_SECONDS)
				? "; a larger --budget waits longer"
				: "");
	board_drop_process(self);
	if (!self->opened && !self->jobs) {
		/* nothing waits for this board */
	} else if ((was_idle || (!end->timed_out && !fault && step == STEP_OPENING)) &&
		   ++self->idle_deaths < STARTS_MAX) {
		/* a process that died without work says nothing about the request that
		   was sent to it */
	} else if (fault) {
		/* a process that ended for want of memory has no kernel to blame */
		bool has_died = !strstr(end->text, AT_MEMORY_OUT);

		if (!has_died)
			err.status = AT_ENOMEM;
		board_suspect(self, step, fault, has_died, &err);
		self->was_late = end->timed_out;
	} else {
		at_recovery_end(&self->recovery);
		self->idle_deaths = 0;
		if (was_measuring)
			answer_all(self,
				end->timed_out ? AT_OUTCOME_TIMED_OUT
					       : AT_OUTCOME_CRASHED,
				err.text);
		else
			board_fail_first(self, &err);
	}
}

/* ---- the board's functions
   -------------------------------------------------------- */

void at_board_be_alone(
	struct at_board *self, bool (*is_alone)(void *context), void *context)
{
	self->is_alone = is_alone;
	self->alone_context = context;
}

bool at_board_recovers(const struct at_board *self)
{
	return at_recovery_is_on(&self->recovery);
}

void at_board_trouble(const struct at_board *self, char *text, size_t size)
{
	at_recovery_describe(&self->recovery, text, size);
}
