#include "evaluator/workers/board.h"

#include "base/clock.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the first context on a sleeping board with many neighbours takes seconds */
#define OPEN_SECONDS 120.0
/* a setup runs the reference, which may be slow, and fills what may be large */
#define SETUP_SECONDS 300.0
/* a device may need a second attempt after a crash, not a third */
#define STARTS_MAX 3
/* a worker keeps fewer; see worker.c */
#define SETUPS_MAX 32

enum step {
	STEP_NONE = 0, /* no process */
	STEP_OPENING,
	STEP_OPEN,
	STEP_SETTING_UP,
};

/* One request: evaluation, finals or ceilings. */
struct job {
	struct job *next;
	enum at_message type;
	struct at_strbuf body; /* sent as a copy: again where the process dies early */
	const struct at_board_setup *setup; /* NULL: it needs none */
	double deadline_seconds;
	size_t result_count;
	bool sent;
	bool again; /* the worker failed at it once, which may have been bad luck */
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
	struct job *jobs; /* the first is in work when it was sent */
	struct job **last;
	size_t job_count;
	size_t sent_count;
	bool started; /* the process works on what was sent first, or on a setup */
	struct at_hash known[SETUPS_MAX]; /* setups that the process has */
	size_t known_count;
	unsigned failed_starts; /* in a row */
	struct at_error no_process; /* why none starts; told from the loop */
	at_board_opened opened; /* NULL: nobody waits for the opening */
	void *opened_context;
	uint64_t setup_begun_ns;
	double setup_seconds;
	uint64_t waiting_since_ns; /* 0: it does not wait */
	uint64_t waited_ns;
	int64_t waits_for;
	char note[600]; /* once: who comes and goes later is no news */
	bool note_was_told;
};

static void advance(struct at_board *self);

/* ---- the queue ------------------------------------------------------------------ */

static void free_job(struct job *job)
{
	at_strbuf_release(&job->body);
	free(job);
}

static struct job *pop(struct at_board *self)
{
	struct job *job = self->jobs;

	self->jobs = job->next;
	if (!self->jobs)
		self->last = &self->jobs;
	self->job_count--;
	if (job->sent)
		self->sent_count--;
	return job;
}

static void answer(struct job *job, struct at_measure_result *results, size_t count,
	const struct at_ceilings *ceilings, const struct at_error *err)
{
	if (job->measured)
		job->measured(job->context, results, count, err);
	else
		job->ceiled(job->context, ceilings, err);
	free_job(job);
}

/* whoever waits for the opening, or the first in the queue, hears of it */
static void fail_first(struct at_board *self, const struct at_error *err)
{
	at_board_opened opened = self->opened;

	self->opened = NULL;
	if (opened)
		opened(self->opened_context, NULL, err);
	else if (self->jobs)
		answer(pop(self), NULL, 0, NULL, err);
}

static void stop_waiting(struct at_board *self)
{
	if (self->waiting_since_ns)
		self->waited_ns += at_clock_now_ns() - self->waiting_since_ns;
	self->waiting_since_ns = 0;
	self->waits_for = 0;
}

/* what was sent to a process that is gone will be sent again */
static void drop_process(struct at_board *self)
{
	at_worker_free(self->worker);
	self->worker = NULL;
	self->step = STEP_NONE;
	self->started = false;
	self->known_count = 0;
	self->sent_count = 0;
	for (struct job *job = self->jobs; job; job = job->next)
		job->sent = false;
	stop_waiting(self);
}

/* ---- what the worker says ---------------------------------------------------- */

static bool knows(const struct at_board *self, struct at_hash setup)
{
	for (size_t i = 0; i < self->known_count; i++)
		if (at_hash_equal(self->known[i], setup))
			return true;
	return false;
}

static void fail_oddly(struct at_board *self)
{
	struct at_error err = { 0 };

	at_fail(&err, AT_EPROTOCOL, NULL, 0,
		"device %s: its worker sent an odd message", self->id);
	drop_process(self);
	fail_first(self, &err);
}

/* The worker could not do what it was asked to, for a reason that is not the
   configuration's. */
static void on_failed(struct at_board *self, struct at_wire_reader *in)
{
	bool was_setup = self->step == STEP_SETTING_UP;
	bool was_opening = self->step == STEP_OPENING;
	struct at_error err;

	at_get_error(in, &err);
	if (in->failed || !err.status) {
		fail_oddly(self);
		return;
	}
	/* a device that was there and is gone is no unit that was lost */
	if (was_opening && !self->opened)
		err.status = AT_EDEVICE;
	/* its unit was looked for before anything was done: the worker is sound, and so
	   are its setups */
	if (err.status == AT_ENOENT && self->step == STEP_OPEN && self->jobs &&
		self->jobs->sent && self->jobs->setup) {
		at_worker_deadline(self->worker, 0);
		self->started = false;
		answer(pop(self), NULL, 0, NULL, &err);
		return;
	}
	/* what state it is in is unknown: the next request starts a new process */
	drop_process(self);
	/* memory or a file that was not to be had just now may be there in a moment;
	   a setup that is refused stays refused */
	if (!was_setup && !self->opened && self->jobs && !self->jobs->again &&
		err.status != AT_ENOENT) {
		self->jobs->again = true;
		return;
	}
	fail_first(self, &err);
}

static void on_opened(struct at_board *self, struct at_wire_reader *in)
{
	at_board_opened opened = self->opened;

	at_get_device_info(in, &self->info);
	if (!at_wire_done(in)) {
		fail_oddly(self);
		return;
	}
	at_worker_deadline(self->worker, 0);
	self->step = STEP_OPEN;
	self->opened = NULL;
	if (opened)
		opened(self->opened_context, &self->info, NULL);
}

/* From here on the board is ours, and the deadline runs. */
static void on_started(struct at_board *self)
{
	stop_waiting(self);
	self->failed_starts = 0;
	self->started = true;
	if (self->step == STEP_SETTING_UP) {
		self->setup_begun_ns = at_clock_now_ns();
		at_worker_deadline(self->worker, SETUP_SECONDS);
	} else if (self->jobs) {
		at_worker_deadline(self->worker, self->jobs->deadline_seconds);
	}
}

static void on_waiting(struct at_board *self, struct at_wire_reader *in)
{
	self->waits_for = at_wire_get_i64(in);
	if (!self->waiting_since_ns)
		self->waiting_since_ns = at_clock_now_ns();
}

/* The worker has made room where it had to: it says which setups it has now. */
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
		fail_oddly(self);
		return;
	}
	if (no_lock && no_lock[0] && !self->note[0])
		snprintf(self->note, sizeof(self->note),
			"runs on %s do not take turns, and disturb each other's times: no lock at %s",
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
	self->step = STEP_OPEN;
	self->started = false;
}

static void on_results(struct at_board *self, struct at_wire_reader *in, bool several)
{
	struct at_measure_result results[AT_FINALISTS_MAX] = { 0 };
	uint32_t count = several ? at_wire_get_u32(in) : 1;
	bool lost = false;

	if (count < 1 || count > AT_FINALISTS_MAX)
		in->failed = true;
	for (uint32_t i = 0; !in->failed && i < count; i++) {
		at_get_result(in, &results[i]);
		lost = lost || results[i].device_lost;
	}
	if (!at_wire_done(in) || !self->jobs || !self->jobs->sent ||
		count != self->jobs->result_count) {
		fail_oddly(self);
	} else {
		struct job *job = pop(self);

		at_worker_deadline(self->worker, 0);
		self->started = false;
		/* a context or buffers that may hold anything end with their process */
		if (lost)
			drop_process(self);
		answer(job, results, count, NULL, NULL);
	}
	for (uint32_t i = 0; i < AT_FINALISTS_MAX; i++)
		at_measure_result_release(&results[i]);
}

static void on_ceiled(struct at_board *self, struct at_wire_reader *in)
{
	struct at_ceilings ceilings;

	at_get_ceilings(in, &ceilings);
	if (!at_wire_done(in) || !self->jobs || !self->jobs->ceiled) {
		fail_oddly(self);
		return;
	}
	at_worker_deadline(self->worker, 0);
	self->started = false;
	self->known_count = 0;
	answer(pop(self), NULL, 0, &ceilings, NULL);
}

static void board_message(
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
	else if (type == AT_MESSAGE_RESULT || type == AT_MESSAGE_RESULTS)
		on_results(self, &in, type == AT_MESSAGE_RESULTS);
	else if (type == AT_MESSAGE_CEILED)
		on_ceiled(self, &in);
	else if (type == AT_MESSAGE_FAILED)
		on_failed(self, &in);
	else
		fail_oddly(self);
	advance(self);
}

/* ---- the death of the worker ------------------------------------------------- */

static void describe_end(const struct at_worker_end *end, double deadline_seconds,
	char *text, size_t size)
{
	if (end->timed_out)
		snprintf(text, size, "did not end within %g s", deadline_seconds);
	else if (end->signal)
		snprintf(text, size, "the process was ended by signal %d (%s)%s%s",
			end->signal, strsignal(end->signal), end->text[0] ? ": " : "",
			end->text);
	else
		snprintf(text, size, "the process ended with status %lld%s%s",
			(long long)end->exit_status, end->text[0] ? ": " : "",
			end->text);
}

/* the death of a process that was measuring is an outcome */
static void end_measuring(struct at_board *self, const struct at_worker_end *end)
{
	struct at_measure_result results[AT_FINALISTS_MAX] = { 0 };
	struct job *job = pop(self);

	for (size_t i = 0; i < job->result_count; i++) {
		results[i].outcome =
			end->timed_out ? AT_OUTCOME_TIMED_OUT : AT_OUTCOME_CRASHED;
		describe_end(end, job->deadline_seconds, results[i].detail,
			sizeof(results[i].detail));
	}
	answer(job, results, job->result_count, NULL, NULL);
}

/*
 * Nobody but the system and a person sends this signal: memory that others took, a
 * machine that goes down. That says nothing of what was measured, unless it happens
 * again.
 */
static bool is_bad_luck(const struct at_worker_end *end, struct job *job)
{
	if (end->signal != SIGKILL || end->timed_out || end->protocol || job->again)
		return false;
	job->again = true;
	return true;
}

static void board_ended(void *context, const struct at_worker_end *end)
{
	struct at_board *self = context;
	enum step step = self->step;
	bool was_measuring = step == STEP_OPEN && self->started && self->jobs &&
			     self->jobs->sent && self->jobs->measured;
	bool was_started = self->started;
	double seconds = step == STEP_OPENING      ? OPEN_SECONDS
			 : step == STEP_SETTING_UP ? SETUP_SECONDS
			 : self->jobs              ? self->jobs->deadline_seconds
						   : 0;
	const char *doing = step == STEP_OPENING      ? "opening it"
			    : step == STEP_SETTING_UP ? "running the reference"
			    : was_started             ? "measuring its ceilings"
						      : "handing it work";
	struct at_error err = { 0 };
	char text[400];

	drop_process(self);
	if (was_measuring) {
		if (!is_bad_luck(end, self->jobs))
			end_measuring(self, end);
	} else if (self->opened || self->jobs) {
		/* one that died while it was idle is no fault of what was sent to it */
		if (++self->failed_starts >= STARTS_MAX || end->timed_out ||
			(step != STEP_OPENING && was_started)) {
			self->failed_starts = 0;
			describe_end(end, seconds, text, sizeof(text));
			at_fail(&err, AT_EDEVICE, NULL, 0, "device %s: while %s, %s",
				self->id, doing, text);
			fail_first(self, &err);
		}
	}
	advance(self);
}

static const struct at_worker_events board_events = { board_message, board_ended };

/* ---- one step towards an empty queue ----------------------------------------- */

/* From the loop: nobody is answered from inside the call that asked. */
static void start_failed(void *context)
{
	struct at_board *self = context;

	if (self->step == STEP_NONE)
		fail_first(self, &self->no_process);
	advance(self);
}

static void start_process(struct at_board *self)
{
	struct at_wire_writer body = { { 0 } };
	struct at_error err = { 0 };

	if (at_worker_spawn(
		    self->loop, "measure", &board_events, self, &self->worker, &err)) {
		self->no_process = err;
		/* without memory for that the next request tries again */
		(void)!at_loop_later(self->loop, start_failed, self, NULL);
		return;
	}
	self->step = STEP_OPENING;
	at_wire_put_text(&body, self->id);
	at_worker_send(self->worker, AT_MESSAGE_OPEN, &body);
	at_worker_deadline(self->worker, OPEN_SECONDS);
}

static void send_copy(
	struct at_board *self, enum at_message type, const struct at_strbuf *body)
{
	struct at_wire_writer copy = { { 0 } };

	at_strbuf_add_bytes(&copy.bytes, at_strbuf_text(body), body->length);
	copy.bytes.failed = copy.bytes.failed || body->failed;
	at_worker_send(self->worker, type, &copy);
}

static void advance(struct at_board *self)
{
	struct job *job;

	if (self->step == STEP_NONE && (self->opened || self->jobs))
		start_process(self);
	for (job = self->jobs;
		job && self->step == STEP_OPEN && self->sent_count < AT_BOARD_DEPTH;
		job = job->next) {
		if (job->sent)
			continue;
		if (job->setup && !knows(self, job->setup->id)) {
			/* a setup may push another one out that is still in use */
			if (self->sent_count == 0) {
				self->step = STEP_SETTING_UP;
				send_copy(self, AT_MESSAGE_SETUP, &job->setup->body);
			}
			return;
		}
		job->sent = true;
		self->sent_count++;
		send_copy(self, job->type, &job->body);
	}
}

/* ---- life -------------------------------------------------------------------- */

enum at_status at_board_new(struct at_loop *loop, const char *device_id,
	struct at_board **out, struct at_error *err)
{
	struct at_board *self = calloc(1, sizeof(*self));

	if (!self)
		return at_fail_memory(err);
	self->loop = loop;
	self->last = &self->jobs;
	snprintf(self->id, sizeof(self->id), "%s", device_id);
	*out = self;
	return AT_OK;
}

void at_board_cancel(struct at_board *self)
{
	bool is_busy = self->sent_count > 0 || self->step == STEP_SETTING_UP;

	self->opened = NULL;
	while (self->jobs)
		free_job(pop(self));
	/* what it works on nobody waits for: a new process is quicker than its end */
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
	advance(self);
}

/* takes body over */
static enum at_status enqueue(struct at_board *self, const struct job *facts,
	struct at_wire_writer *body, struct at_error *err)
{
	struct job *job = malloc(sizeof(*job));

	if (!job || body->bytes.failed) {
		free(job);
		at_strbuf_release(&body->bytes);
		return at_fail_memory(err);
	}
	*job = *facts;
	job->body = body->bytes;
	*self->last = job;
	self->last = &job->next;
	self->job_count++;
	advance(self);
	return AT_OK;
}

static void put_setup_id(
	struct at_wire_writer *body, const struct at_board_setup *setup)
{
	at_wire_put_u64(body, setup->id.low);
	at_wire_put_u64(body, setup->id.high);
}

enum at_status at_board_evaluate(struct at_board *self,
	const struct at_board_setup *setup, const char *unit,
	const struct at_measure_request *request, double deadline_seconds,
	at_board_measured done, void *context, struct at_error *err)
{
	const struct job job = {
		.type = AT_MESSAGE_EVALUATE,
		.setup = setup,
		.deadline_seconds = deadline_seconds,
		.result_count = 1,
		.measured = done,
		.context = context,
	};
	struct at_wire_writer body = { { 0 } };

	put_setup_id(&body, setup);
	at_wire_put_text(&body, unit);
	at_put_request(&body, request);
	return enqueue(self, &job, &body, err);
}

enum at_status at_board_finals(struct at_board *self,
	const struct at_board_setup *setup, const char *const *units,
	const struct at_measure_request *requests, size_t count,
	const struct at_measure_finals *how, double deadline_seconds,
	at_board_measured done, void *context, struct at_error *err)
{
	const struct job job = {
		.type = AT_MESSAGE_FINALS,
		.setup = setup,
		.deadline_seconds = deadline_seconds,
		.result_count = count,
		.measured = done,
		.context = context,
	};
	struct at_wire_writer body = { { 0 } };

	put_setup_id(&body, setup);
	at_fields_put(&at_measure_finals_fields, how, &body);
	at_wire_put_u32(&body, (uint32_t)count);
	for (size_t i = 0; i < count; i++) {
		at_wire_put_text(&body, units[i]);
		at_put_request(&body, &requests[i]);
	}
	return enqueue(self, &job, &body, err);
}

enum at_status at_board_ceilings(struct at_board *self, const char *unit,
	double deadline_seconds, at_board_ceiled done, void *context,
	struct at_error *err)
{
	const struct job job = {
		.type = AT_MESSAGE_CEILINGS,
		.deadline_seconds = deadline_seconds,
		.ceiled = done,
		.context = context,
	};
	struct at_wire_writer body = { { 0 } };

	at_wire_put_text(&body, unit);
	return enqueue(self, &job, &body, err);
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
