/* The board: its queue of requests, how they are sent, the worker's answers, and
   handling of failures. */
#include "evaluator/workers/board.h"
#include "evaluator/workers/clocks.h"

#include "base/clock.h"
#include "base/memory.h"
#include "evaluator/workers/recovery.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the first context on an idle board, on a machine with many, takes seconds */
#define OPEN_SECONDS 120.0
/* a setup runs the reference, which may be slow, and fills buffers, which may be
   large */
#define SETUP_SECONDS 300.0
/* A hung driver neither computes nor waits for a processor; a starting driver
   computes. */
#define OPEN_QUIET_SECONDS 60.0
/* A running worker begins a request at once, or reports that it waits for another
   program. */
#define HAND_QUIET_SECONDS 30.0
/* a worker keeps fewer (AT_WORKER_SETUPS) */
#define SETUPS_MAX 32

/* The steps of a process until it can take a request, in order. */
enum step {
	STEP_NONE = 0, /* no process */
	STEP_OPENING,
	STEP_SETTING_UP,
	STEP_OPEN,
};

/* One request: an evaluation, finals or ceilings. */
struct board_job {
	struct board_job *next;
	enum at_message type;
	bool are_finals; /* MEASURE: finals, not one evaluation */
	struct at_strbuf body; /* kept for sending it again to a new process */
	const struct at_board_setup *setup; /* NULL: not needed */
	double deadline_seconds;
	/* expected results in the answer */
	size_t result_count;
	bool sent;
	at_board_measured measured;
	at_board_ceiled ceiled;
	void *context;
};

struct at_board {
	struct at_loop *loop;
	struct at_worker *worker;
	char id[32];
	struct at_device_info info;
	enum step step;
	struct board_job *jobs; /* the queue; the first is in work once it was sent */
	struct board_job **last;
	size_t job_count;
	/* jobs sent, from the front */
	size_t sent_count;
	bool started; /* the process has begun the first job, or a setup */
	struct at_hash known[SETUPS_MAX]; /* setups in the process */
	size_t known_count;
	bool has_opened; /* the device was open at least once */
	bool has_measured; /* a configuration was measured successfully at least once */
	unsigned idle_deaths; /* consecutive processes that died without work */
	struct at_error no_process; /* why no process starts; reported from the loop */
	/* second tries of the opening, or of the first job in the queue */
	struct at_recovery recovery;
	enum step failed_at; /* the step of the last failure */
	bool has_died;
	bool was_late; /* the process was killed at its deadline */
	bool was_filtered; /* it died of a forbidden system call */
	struct at_error failure; /* the answer, if the machine turns out to be well */
	bool is_timed; /* a timer of the loop ends the present pause */
	bool (*is_alone)(void *context); /* NULL: always */
	void *alone_context;
	at_board_opened opened; /* NULL: not waiting for the opening */
	void *opened_context;
	uint64_t setup_begun_ns;
	double setup_seconds;
	/* start of the wait for another program; 0: not waiting */
	uint64_t waiting_since_ns;
	uint64_t waited_ns; /* total of earlier waits */
	int64_t waits_for; /* process number of that program; 0: unknown */
	/* reported once: that other users come and go later is not news */
	char note[600];
	bool note_was_told;
};

/* ---- the queue, and the process ---- */

static void free_job(struct board_job *job)
{
	at_strbuf_release(&job->body);
	free(job);
}

static struct board_job *pop(struct at_board *self)
{
	struct board_job *job = self->jobs;

	self->jobs = job->next;
	if (!self->jobs)
		self->last = &self->jobs;
	self->job_count--;
	if (job->sent)
		self->sent_count--;
	return job;
}

static void answer(struct board_job *job, struct at_measure_result *results,
	size_t count, const struct at_ceilings *ceilings, const struct at_error *err)
{
	if (job->measured)
		job->measured(job->context, results, count, err);
	else
		job->ceiled(job->context, ceilings, err);
	free_job(job);
}

/* Fails the pending opening, or else the first job. */
static void fail_first(struct at_board *self, const struct at_error *err)
{
	at_board_opened opened = self->opened;

	self->opened = NULL;
	if (opened)
		opened(self->opened_context, NULL, err);
	else if (self->jobs)
		answer(pop(self), NULL, 0, NULL, err);
}

/* Ends a wait: this run has the board, or no longer needs it. */
static void stop_waiting(struct at_board *self)
{
	if (self->waiting_since_ns)
		self->waited_ns += at_clock_now_ns() - self->waiting_since_ns;
	self->waiting_since_ns = 0;
	self->waits_for = 0;
}

/* Frees the process and marks all jobs as unsent for the next process. */
static void drop_process(struct at_board *self)
{
	const bool had_process = self->worker != NULL;

	at_worker_free(self->worker);
	if (had_process && self->info.uuid[0])
		at_clocks_rescue(self->info.uuid);
	self->worker = NULL;
	self->step = STEP_NONE;
	self->started = false;
	self->known_count = 0;
	self->sent_count = 0;
	for (struct board_job *job = self->jobs; job; job = job->next)
		job->sent = false;
	stop_waiting(self);
}

/* Sets the text that reports a silent process. NULL: silence is not reported, since
   other texts describe the work, or it may take long. */
static void says(struct at_board *self, const char *doing)
{
	if (self->worker)
		at_worker_is_at(self->worker, self->id, doing);
}

static const struct at_worker_events events;

/* Starts the process and has it open the device. */
static enum at_status start(struct at_board *self, struct at_error *err)
{
	struct at_wire_writer body = { { 0 } };
	enum at_status status = at_worker_spawn(
		self->loop, "measure", &events, self, &self->worker, err);

	if (status)
		return status;
	self->step = STEP_OPENING;
	says(self, "opening it");
	at_wire_put_text(&body, self->id);
	at_worker_send(self->worker, AT_MESSAGE_OPEN, &body);
	at_worker_deadline(self->worker, OPEN_SECONDS);
	at_worker_expect_work(self->worker, OPEN_QUIET_SECONDS);
	return AT_OK;
}

/* a device may need a second start after a crash, but not a third */
#define STARTS_MAX 3
/* the interval of polling is_alone(); see at_board_be_alone() */
#define ALONE_POLL_MS 20

static void wake(void *context);

static void set_timer(struct at_board *self, uint64_t pause_ns)
{
	if (!self->is_timed)
		at_loop_after(
			self->loop, (unsigned)(pause_ns / 1000000) + 1, wake, self);
	self->is_timed = true;
}

/* The process died or was dropped, and the machine may be at fault. has_died: the step
   killed the process. err: the answer if the machine is well. */
static void suspect(struct at_board *self, enum step step, bool has_died,
	bool was_killed, const struct at_error *err)
{
	self->failed_at = step;
	self->has_died = has_died;
	self->was_late = self->was_filtered = false;
	self->failure = *err;
	at_recovery_failed(&self->recovery, was_killed, err->text, at_clock_now_ns());
}

/* The step succeeded, whatever its outcome: it is not tried again. */
static void succeeded(struct at_board *self, enum step step)
{
	self->idle_deaths = 0;
	if (at_recovery_is_on(&self->recovery) && step >= self->failed_at)
		at_recovery_end(&self->recovery);
}

static void answer_all(
	struct at_board *self, enum at_outcome outcome, const char *detail)
{
	struct at_measure_result results[AT_FINALISTS_MAX] = { 0 };
	struct board_job *job = pop(self);

	for (size_t i = 0; i < job->result_count; i++) {
		results[i].outcome = outcome;
		/* unknown which of several caused it */
		results[i].device_lost = job->result_count > 1;
		snprintf(results[i].detail, sizeof(results[i].detail), "%s", detail);
	}
	answer(job, results, job->result_count, NULL, NULL);
}

/*
 * The work failed while the machine is well: the failure becomes its answer. The parent
 * of the run may have forbidden system calls to all its children. So a process that
 * died of a system call counts as crashed only if another configuration could be
 * measured.
 */
static void blame(struct at_board *self)
{
	const struct board_job *job = self->jobs;
	bool is_measuring =
		!self->opened && self->failed_at == STEP_OPEN && job && job->measured;
	bool is_filtered = is_measuring && self->was_filtered && !self->has_measured;
	bool lacks = at_error_is_lack(&self->failure);
	enum at_outcome outcome = !self->has_died  ? AT_OUTCOME_TOO_MANY_RESOURCES
				  : self->was_late ? AT_OUTCOME_TIMED_OUT
						   : AT_OUTCOME_CRASHED;
	struct at_error err = { 0 };

	at_recovery_end(&self->recovery);
	if (is_filtered)
		at_fail(&err, self->failure.status, self->failure.file, 0,
			"%.600s; nothing was measured before: calls of the system that measuring makes may be forbidden here, or this configuration makes one itself, and other defaults help",
			self->failure.text);
	else
		/* the status of a lack suggests waiting, which does not help on a
		   healthy machine */
		at_fail(&err,
			lacks && !self->has_died ? AT_EINVAL : self->failure.status,
			self->failure.file, self->failure.line,
			"%.600s " AT_RECOVERY_VERDICT, self->failure.text);
	if (is_measuring && !is_filtered &&
		(self->has_died || (lacks && job->result_count == 1)))
		answer_all(self, outcome, err.text);
	else
		fail_first(self, &err);
}

/* ---- going on ---- */

/* Whether a budget ends the setup before this deadline. */
static bool is_hurried(const struct at_board *self, double deadline_seconds)
{
	const struct at_board_setup *setup = self->jobs ? self->jobs->setup : NULL;

	return setup && setup->budget_seconds > 0 &&
	       setup->budget_seconds < deadline_seconds;
}

static double setup_deadline(const struct at_board *self)
{
	const struct at_board_setup *setup = self->jobs ? self->jobs->setup : NULL;
	double seconds = setup && setup->deadline_seconds > 0 ? setup->deadline_seconds
							      : SETUP_SECONDS;

	return is_hurried(self, seconds) ? setup->budget_seconds : seconds;
}

/* Checks the machine for what was lacking, while nothing else runs. False: something
   else still runs. */
static bool probe(struct at_board *self)
{
	/* No patience for a board that never opened: the run has just begun, and the
	   user is watching. */
	uint64_t patience_ns = self->has_opened ? at_patience_ns() : 0;
	struct at_error err = { 0 };
	char why[400];

	if (self->is_alone && !self->is_alone(self->alone_context)) {
		set_timer(self, ALONE_POLL_MS * UINT64_C(1000000));
		return false;
	}
	at_machine_check(at_loop_folder(self->loop), why, sizeof(why));
	/* if no process could be started, starting one is the probe */
	if (!why[0] && self->failed_at == STEP_NONE && self->step == STEP_NONE &&
		start(self, &err))
		snprintf(why, sizeof(why), "%.300s", err.text);
	at_recovery_probed(&self->recovery, why, patience_ns, at_clock_now_ns());
	return true;
}

/* Whether nothing may be started at present; wake() is called when this ends. */
static bool waits(struct at_board *self)
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
			set_timer(self, due_ns > now_ns ? due_ns - now_ns : 0);
			return true;
		case AT_STEP_PROBE:
			if (!probe(self))
				return true;
			break;
		case AT_STEP_BLAME:
			blame(self);
			break;
		case AT_STEP_GIVE_UP:
			at_recovery_error(&self->recovery, &err);
			at_recovery_end(&self->recovery);
			fail_first(self, &err);
			break;
		}
	}
	return false;
}

/* ---- failures ---- */

/* The worker sent an unexpected message. */
static void fail_protocol(struct at_board *self)
{
	enum step step = self->step;
	struct at_error err = { 0 };

	at_fail(&err, AT_EPROTOCOL, NULL, 0,
		"device %s: its worker sent an odd message", self->id);
	drop_process(self);
	if (self->opened || self->jobs)
		suspect(self, step, true, false, &err);
}

/* The worker answered FAILED, for a reason unrelated to the configuration. */
static void failed(struct at_board *self, struct at_wire_reader *in)
{
	enum step step = self->step;
	bool was_opening = step == STEP_OPENING;
	struct at_error err;

	at_fields_get(&at_error_fields, in, &err);
	if (in->failed || !err.status) {
		fail_protocol(self);
		return;
	}
	/* AT_ENOENT would mean a lost unit to the caller; here an existing device has
	   gone */
	if (was_opening && !self->opened)
		err.status = AT_EDEVICE;
	/* The worker opens the unit before anything else, so the worker and its setups
	   are intact. */
	if (err.status == AT_ENOENT && step == STEP_OPEN && self->jobs &&
		self->jobs->sent && self->jobs->setup) {
		at_worker_deadline(self->worker, 0);
		self->started = false;
		succeeded(self, STEP_OPEN);
		answer(pop(self), NULL, 0, NULL, &err);
		return;
	}
	/* the state of the process is unknown: the next request starts a new one */
	drop_process(self);
	/* A failure while measuring may be temporary. A setup or device that is refused
	   for its own reason stays refused. */
	if ((at_error_is_lack(&err) ||
		    (step == STEP_OPEN && err.status != AT_ENOENT)) &&
		(self->jobs || (self->opened && self->has_opened))) {
		suspect(self, step, false, false, &err);
		return;
	}
	at_recovery_end(&self->recovery);
	fail_first(self, &err);
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

static void died(struct at_board *self, const struct at_worker_end *end)
{
	enum step step = self->step;
	bool was_started = self->started;
	bool was_idle = step > STEP_OPENING && !was_started;
	bool was_measuring = step == STEP_OPEN && was_started && self->jobs &&
			     self->jobs->sent && self->jobs->measured;
	bool is_own = at_end_is_own(end);
	double seconds = step == STEP_OPENING      ? OPEN_SECONDS
			 : step == STEP_SETTING_UP ? setup_deadline(self)
			 : self->jobs              ? self->jobs->deadline_seconds
						   : 0;
	const char *process = end->timed_out ? "" : "the process ";
	struct at_error err = { 0 };
	char text[400];

	at_worker_describe_end(end, seconds, text, sizeof(text));
	if (was_measuring)
		at_fail(&err, AT_EDEVICE, NULL, 0, "%s%s", process, text);
	else
		at_fail(&err, AT_EDEVICE, NULL, 0, "device %s: while %s, %s%s%s",
			self->id, doing_at(step, was_started), process, text,
			step == STEP_SETTING_UP && end->timed_out &&
					is_hurried(self, SETUP_SECONDS)
				? "; a larger --budget waits longer"
				: "");
	drop_process(self);
	if (!self->opened && !self->jobs) {
		/* nothing waits for this board */
	} else if ((was_idle || (!end->timed_out && is_own && step == STEP_OPENING)) &&
		   ++self->idle_deaths < STARTS_MAX) {
		/* a process that died without work says nothing about the request that
		   was sent */
	} else if (!is_own) {
		/* a process that ended for want of memory is not the kernel's fault */
		bool has_died = !strstr(end->text, AT_MEMORY_OUT);

		if (!has_died)
			err.status = AT_ENOMEM;
		suspect(self, step, has_died, at_end_is_kill(end), &err);
		self->was_late = end->timed_out;
		self->was_filtered = end->signal == SIGSYS;
	} else {
		at_recovery_end(&self->recovery);
		self->idle_deaths = 0;
		if (was_measuring)
			answer_all(self,
				end->timed_out ? AT_OUTCOME_TIMED_OUT
					       : AT_OUTCOME_CRASHED,
				err.text);
		else
			fail_first(self, &err);
	}
}

/* ---- the board's functions ---- */

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

/* ---- what the worker says ---- */

static bool knows(const struct at_board *self, struct at_hash setup)
{
	for (size_t i = 0; i < self->known_count; i++)
		if (at_hash_equal(self->known[i], setup))
			return true;
	return false;
}

static void on_opened(struct at_board *self, struct at_wire_reader *in)
{
	at_board_opened opened = self->opened;

	at_fields_get(&at_device_info_fields, in, &self->info);
	if (!at_wire_done(in)) {
		fail_protocol(self);
		return;
	}
	at_worker_deadline(self->worker, 0);
	at_worker_expect_work(self->worker, 0);
	succeeded(self, STEP_OPENING);
	self->step = STEP_OPEN;
	self->has_opened = true;
	self->opened = NULL;
	if (opened)
		opened(self->opened_context, &self->info, NULL);
}

/* This run has the device now, and the deadline starts. */
static void on_started(struct at_board *self)
{
	stop_waiting(self);
	self->idle_deaths = 0;
	self->started = true;
	/* from here on it may wait for the device, so waiting is no sign of a hang */
	at_worker_expect_work(self->worker, 0);
	if (self->step == STEP_SETTING_UP) {
		self->setup_begun_ns = at_clock_now_ns();
		says(self, "filling buffers and running the reference");
		at_worker_deadline(self->worker, setup_deadline(self));
	} else if (self->jobs) {
		/* finals and ceilings take long, and other texts report them */
		says(self, self->jobs->measured && !self->jobs->are_finals
				   ? "measuring a configuration"
				   : NULL);
		at_worker_deadline(self->worker, self->jobs->deadline_seconds);
	}
}

static void on_waiting(struct at_board *self, struct at_wire_reader *in)
{
	at_worker_expect_work(self->worker, 0);
	says(self, NULL);
	self->waits_for = at_wire_get_i64(in);
	if (!self->waiting_since_ns)
		self->waiting_since_ns = at_clock_now_ns();
}

/* The setup is made. The worker may have released other setups for it, and lists those
   that it still has. */
static void on_ready(struct at_board *self, struct at_wire_reader *in)
{
	uint32_t count = at_wire_get_count(in, 16);
	double seconds = (double)(at_clock_now_ns() - self->setup_begun_ns) * 1e-9;
	char *neighbours, *no_lock;

	self->known_count = 0;
	for (uint32_t i = 0; i < count && i < SETUPS_MAX; i++) {
		struct at_hash *known = &self->known[self->known_count++];

		known->low = at_wire_get_u64(in);
		known->high = at_wire_get_u64(in);
	}
	neighbours = at_wire_get_text(in);
	no_lock = at_wire_get_text(in);
	if (!at_wire_done(in)) {
		free(neighbours);
		free(no_lock);
		fail_protocol(self);
		return;
	}
	if (no_lock && no_lock[0] && !self->note[0])
		snprintf(self->note, sizeof(self->note),
			"runs on %s do not take turns, and disturb each other's times: no lock at %s (AUTOTUNE_LOCKS names the folder)",
			self->info.id, no_lock);
	if (neighbours && neighbours[0] && !self->note[0])
		snprintf(self->note, sizeof(self->note),
			"others compute on %s too, and times may vary with what they do: %s",
			self->info.id, neighbours);
	free(neighbours);
	free(no_lock);
	at_worker_deadline(self->worker, 0);
	if (seconds > self->setup_seconds)
		self->setup_seconds = seconds;
	succeeded(self, STEP_SETTING_UP);
	self->step = STEP_OPEN;
	self->started = false;
}

static void on_results(struct at_board *self, struct at_wire_reader *in)
{
	struct at_measure_result results[AT_FINALISTS_MAX];
	uint32_t count = at_wire_get_u32(in);
	bool lost = false, has_measured = false;

	if (count < 1 || count > AT_FINALISTS_MAX) {
		in->failed = true;
		count = 0;
	}
	/* only as many as needed: each is some thousand bytes */
	memset(results, 0, count * sizeof(*results));
	for (uint32_t i = 0; !in->failed && i < count; i++) {
		at_get_result(in, &results[i]);
		lost = lost || results[i].device_lost || results[i].left_traces;
		has_measured = has_measured || (results[i].outcome == AT_OUTCOME_OK &&
						       results[i].time_ns > 0);
	}
	if (!at_wire_done(in) || !self->jobs || !self->jobs->sent ||
		count != self->jobs->result_count) {
		fail_protocol(self);
	} else {
		struct board_job *job = pop(self);

		at_worker_deadline(self->worker, 0);
		self->started = false;
		says(self, "taking up its work");
		if (self->sent_count)
			at_worker_expect_work(self->worker, HAND_QUIET_SECONDS);
		succeeded(self, STEP_OPEN);
		self->has_measured = self->has_measured || has_measured;
		/* context and buffers may be corrupt after this: they end with their
		   process */
		if (lost)
			drop_process(self);
		answer(job, results, count, NULL, NULL);
	}
	for (uint32_t i = 0; i < count; i++)
		at_measure_result_release(&results[i]);
}

static void on_ceiled(struct at_board *self, struct at_wire_reader *in)
{
	struct at_ceilings ceilings;

	at_get_ceilings(in, &ceilings);
	if (!at_wire_done(in) || !self->jobs || !self->jobs->ceiled) {
		fail_protocol(self);
		return;
	}
	at_worker_deadline(self->worker, 0);
	succeeded(self, STEP_OPEN);
	self->started = false;
	self->known_count = 0;
	answer(pop(self), NULL, 0, &ceilings, NULL);
}

static void advance(struct at_board *self);

static void on_message(
	void *context, enum at_message type, const void *body, size_t size)
{
	struct at_board *self = context;
	struct at_wire_reader in;

	at_wire_reader_init(&in, body, size);
	if (type == AT_MESSAGE_OPENED && self->step == STEP_OPENING)
		on_opened(self, &in);
	else if (type == AT_MESSAGE_WAITING)
		on_waiting(self, &in);
	else if (type == AT_MESSAGE_STARTED)
		on_started(self);
	else if (type == AT_MESSAGE_READY && self->step == STEP_SETTING_UP)
		on_ready(self, &in);
	else if (type == AT_MESSAGE_RESULTS)
		on_results(self, &in);
	else if (type == AT_MESSAGE_CEILED)
		on_ceiled(self, &in);
	else if (type == AT_MESSAGE_FAILED)
		failed(self, &in);
	else
		fail_protocol(self);
	advance(self);
}

static void ended(void *context, const struct at_worker_end *end)
{
	struct at_board *self = context;

	died(self, end);
	advance(self);
}

static const struct at_worker_events events = { on_message, ended };

/* ---- keeping the worker busy ---- */

/* A job keeps its message for sending it again if the process dies. */
static void send_kept(
	struct at_board *self, enum at_message type, const struct at_strbuf *body)
{
	if (!self->started && !self->waiting_since_ns)
		says(self, "taking up its work");
	at_worker_send_kept(self->worker, type, body);
	if (!self->started && !self->waiting_since_ns)
		at_worker_expect_work(self->worker, HAND_QUIET_SECONDS);
}

static void wake(void *context)
{
	struct at_board *self = context;

	self->is_timed = false;
	at_recovery_waited(&self->recovery, at_clock_now_ns());
	advance(self);
}

/* From the loop, since an answer must not come from inside the caller's own call. */
static void start_failed(void *context)
{
	struct at_board *self = context;

	if (self->step == STEP_NONE && !at_recovery_is_on(&self->recovery))
		fail_first(self, &self->no_process);
	advance(self);
}

/* Takes the next possible step: start the process, send a setup, send requests. */
static void advance(struct at_board *self)
{
	/* a second try is also alone at the worker */
	size_t depth = at_recovery_is_on(&self->recovery) ? 1 : AT_BOARD_DEPTH;
	struct at_error err = { 0 };
	struct board_job *job;

	if (waits(self))
		return;
	if (self->step == STEP_NONE && (self->opened || self->jobs) &&
		start(self, &err)) {
		self->no_process = err;
		if (self->has_opened)
			suspect(self, STEP_NONE, false, false, &err);
		at_loop_later(self->loop, start_failed, self);
	}
	for (job = self->jobs;
		job && self->step == STEP_OPEN && self->sent_count < depth;
		job = job->next) {
		if (job->sent)
			continue;
		if (job->setup && !knows(self, job->setup->id)) {
			/* a new setup may make the worker release a setup that a sent
			   request needs */
			if (self->sent_count == 0) {
				self->step = STEP_SETTING_UP;
				send_kept(self, AT_MESSAGE_SETUP, &job->setup->body);
			}
			return;
		}
		job->sent = true;
		self->sent_count++;
		send_kept(self, job->type, &job->body);
	}
}

/* ---- life ---- */

void at_board_new(struct at_loop *loop, const char *device_id, struct at_board **out)
{
	struct at_board *self = at_calloc(1, sizeof(*self));

	self->loop = loop;
	self->last = &self->jobs;
	snprintf(self->id, sizeof(self->id), "%s", device_id);
	*out = self;
}

void at_board_cancel(struct at_board *self)
{
	bool is_busy = self->sent_count > 0 || self->step == STEP_SETTING_UP;

	self->opened = NULL;
	at_recovery_end(&self->recovery);
	while (self->jobs)
		free_job(pop(self));
	/* Its work is unwanted, and a new process is ready sooner than the work would
	   end. */
	if (is_busy)
		drop_process(self);
}

void at_board_retire(struct at_board *self)
{
	at_board_cancel(self);
	drop_process(self);
}

void at_board_free(struct at_board *self)
{
	if (!self)
		return;
	at_loop_forget(self->loop, self);
	at_board_retire(self);
	free(self);
}

void at_board_open(struct at_board *self, at_board_opened done, void *context)
{
	self->opened = done;
	self->opened_context = context;
	/* during second tries the loop calls advance() */
	if (!at_recovery_is_on(&self->recovery))
		advance(self);
}

/* Appends a job to the queue; takes ownership of body. */
static void enqueue(struct at_board *self, const struct board_job *facts,
	struct at_wire_writer *body)
{
	struct board_job *job = at_malloc(sizeof(*job));

	*job = *facts;
	job->body = body->bytes;
	*self->last = job;
	self->last = &job->next;
	self->job_count++;
	if (!at_recovery_is_on(&self->recovery))
		advance(self);
}

void at_board_measure(struct at_board *self, const struct at_board_setup *setup,
	const struct at_measure_finals *how, const char *const *units,
	const struct at_measure_request *requests, size_t count,
	double deadline_seconds, at_board_measured done, void *context)
{
	const struct board_job job = {
		.type = AT_MESSAGE_MEASURE,
		.are_finals = how != NULL,
		.setup = setup,
		.deadline_seconds = deadline_seconds,
		.result_count = count,
		.measured = done,
		.context = context,
	};
	struct at_wire_writer body = { { 0 } };

	at_put_measure(&body, setup->id, how, units, requests, count);
	enqueue(self, &job, &body);
}

void at_board_ceilings(struct at_board *self, const char *unit, double deadline_seconds,
	at_board_ceiled done, void *context)
{
	const struct board_job job = {
		.type = AT_MESSAGE_CEILINGS,
		.deadline_seconds = deadline_seconds,
		.ceiled = done,
		.context = context,
	};
	struct at_wire_writer body = { { 0 } };

	at_wire_put_text(&body, unit);
	enqueue(self, &job, &body);
}

size_t at_board_queued(const struct at_board *self)
{
	return self->job_count;
}

double at_board_setup_seconds(const struct at_board *self)
{
	return self->setup_seconds;
}

uint64_t at_board_waiting_ns(const struct at_board *self)
{
	return self->waiting_since_ns ? at_clock_now_ns() - self->waiting_since_ns : 0;
}

uint64_t at_board_waited_ns(const struct at_board *self)
{
	return self->waited_ns + at_board_waiting_ns(self);
}

const char *at_board_note(struct at_board *self)
{
	bool was_told = self->note_was_told;

	self->note_was_told = self->note[0] != '\0';
	return was_told ? "" : self->note;
}

int64_t at_board_waits_for(const struct at_board *self)
{
	return self->waiting_since_ns ? self->waits_for : 0;
}
