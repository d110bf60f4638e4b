/* The board: its queue of requests, what the worker answers, and how requests are sent.
   Failures and second tries are in board_recovery.c, the process in board_queue.c. */
#include "evaluator/workers/board_parts.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the worker says ---------------------------------------------------- */

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

	at_get_device_info(in, &self->info);
	if (!at_wire_done(in)) {
		board_fail_oddly(self);
		return;
	}
	at_worker_deadline(self->worker, 0);
	at_worker_expect_work(self->worker, 0);
	board_succeeded(self, STEP_OPENING);
	self->step = STEP_OPEN;
	self->has_opened = true;
	self->opened = NULL;
	if (opened)
		opened(self->opened_context, &self->info, NULL);
}

/* This run has the device now, and the deadline begins. */
static void on_started(struct at_board *self)
{
	board_stop_waiting(self);
	self->idle_deaths = 0;
	self->started = true;
	/* from here on it may wait for the device, so waiting is no sign of a hang */
	at_worker_expect_work(self->worker, 0);
	if (self->step == STEP_SETTING_UP) {
		self->setup_begun_ns = at_clock_now_ns();
		board_says(self, "filling buffers and running the reference");
		at_worker_deadline(self->worker, board_setup_deadline(self));
	} else if (self->jobs) {
		self->work_begun_ns = at_clock_now_ns();
		/* finals and ceilings take long, and other texts tell of them */
		board_says(self, self->jobs->type == AT_MESSAGE_EVALUATE
					 ? "measuring a configuration"
					 : NULL);
		at_worker_deadline(self->worker, self->jobs->deadline_seconds);
	}
}

static void on_waiting(struct at_board *self, struct at_wire_reader *in)
{
	at_worker_expect_work(self->worker, 0);
	board_says(self, NULL);
	self->waits_for = at_wire_get_i64(in);
	if (!self->waiting_since_ns)
		self->waiting_since_ns = at_clock_now_ns();
}

/* The setup is made. The worker may have released others for it: it says which ones it
   has. */
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
		board_fail_oddly(self);
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
	board_succeeded(self, STEP_SETTING_UP);
	self->step = STEP_OPEN;
	self->started = false;
}

static void on_results(struct at_board *self, struct at_wire_reader *in, bool several)
{
	struct at_measure_result results[AT_FINALISTS_MAX];
	uint32_t count = several ? at_wire_get_u32(in) : 1;
	double seconds = (double)(at_clock_now_ns() - self->work_begun_ns) * 1e-9;
	bool lost = false, has_measured = false;

	if (count < 1 || count > AT_FINALISTS_MAX) {
		in->failed = true;
		count = 0;
	}
	/* only as many as there are: each is some thousand bytes */
	memset(results, 0, count * sizeof(*results));
	for (uint32_t i = 0; !in->failed && i < count; i++) {
		at_get_result(in, &results[i]);
		lost = lost || results[i].device_lost || results[i].left_traces;
		has_measured = has_measured || (results[i].outcome == AT_OUTCOME_OK &&
						       results[i].time_ns > 0);
	}
	if (!at_wire_done(in) || !self->jobs || !self->jobs->sent ||
		count != self->jobs->result_count) {
		board_fail_oddly(self);
	} else {
		struct board_job *job = board_pop(self);

		at_worker_deadline(self->worker, 0);
		self->started = false;
		board_says(self, "taking up its work");
		if (self->sent_count)
			at_worker_expect_work(self->worker, HAND_QUIET_SECONDS);
		board_succeeded(self, STEP_OPEN);
		self->has_measured = self->has_measured || has_measured;
		if (has_measured && !several)
			self->work_seconds = seconds;
		/* context and buffers may hold anything after this: they end with their
		   process */
		if (lost)
			board_drop_process(self);
		board_answer(job, results, count, NULL, NULL);
	}
	for (uint32_t i = 0; i < count; i++)
		at_measure_result_release(&results[i]);
}

static void on_ceiled(struct at_board *self, struct at_wire_reader *in)
{
	struct at_ceilings ceilings;

	at_get_ceilings(in, &ceilings);
	if (!at_wire_done(in) || !self->jobs || !self->jobs->ceiled) {
		board_fail_oddly(self);
		return;
	}
	at_worker_deadline(self->worker, 0);
	board_succeeded(self, STEP_OPEN);
	self->started = false;
	self->known_count = 0;
	board_answer(board_pop(self), NULL, 0, &ceilings, NULL);
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
	else if (type == AT_MESSAGE_RESULT || type == AT_MESSAGE_RESULTS)
		on_results(self, &in, type == AT_MESSAGE_RESULTS);
	else if (type == AT_MESSAGE_CEILED)
		on_ceiled(self, &in);
	else if (type == AT_MESSAGE_FAILED)
		board_failed(self, &in);
	else
		board_fail_oddly(self);
	advance(self);
}

static void ended(void *context, const struct at_worker_end *end)
{
	struct at_board *self = context;

	board_died(self, end);
	advance(self);
}

static const struct at_worker_events events = { on_message, ended };

/* ---- keeping the worker busy ------------------------------------------------- */

/* A job keeps its message, since it is sent again if the process dies. */
static void send_kept(
	struct at_board *self, enum at_message type, const struct at_strbuf *body)
{
	if (!self->started && !self->waiting_since_ns)
		board_says(self, "taking up its work");
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

/* From the loop, since an answer must not come from inside the call that asked. */
static void start_failed(void *context)
{
	struct at_board *self = context;

	if (self->step == STEP_NONE && !at_recovery_is_on(&self->recovery))
		board_fail_first(self, &self->no_process);
	advance(self);
}

static void does_not_start(struct at_board *self, const struct at_error *err)
{
	self->no_process = *err;
	if (self->has_opened)
		board_suspect(self, STEP_NONE, AT_FAULT_PROCESSES, false, err);
	at_loop_later(self->loop, start_failed, self);
}

/* Does what can be done next: start the process, send a setup, send requests. */
static void advance(struct at_board *self)
{
	/* what is tried again is alone at the worker, too */
	size_t depth = at_recovery_is_on(&self->recovery) ? 1 : AT_BOARD_DEPTH;
	struct at_error err = { 0 };
	struct board_job *job;

	if (board_waits(self, wake))
		return;
	if (self->step == STEP_NONE && (self->opened || self->jobs) &&
		board_start(self, &err))
		does_not_start(self, &err);
	for (job = self->jobs;
		job && self->step == STEP_OPEN && self->sent_count < depth;
		job = job->next) {
		if (job->sent)
			continue;
		if (job->setup && !knows(self, job->setup->id)) {
			/* a new setup may make the worker release one that a sent
			   request still needs */
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

/* ---- life -------------------------------------------------------------------- */

void at_board_new(struct at_loop *loop, const char *device_id, struct at_board **out)
{
	struct at_board *self = at_calloc(1, sizeof(*self));

	self->loop = loop;
	self->events = &events;
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
		board_free_job(board_pop(self));
	/* Nobody waits for what the process works on, and a new process is ready sooner
	   than the work would end. */
	if (is_busy)
		board_drop_process(self);
}

void at_board_retire(struct at_board *self)
{
	at_board_cancel(self);
	board_drop_process(self);
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
	/* while something is tried again, advance() is called from the loop */
	if (!at_recovery_is_on(&self->recovery))
		advance(self);
}

/* Appends a job to the queue; takes body over. */
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

static void put_setup_id(
	struct at_wire_writer *body, const struct at_board_setup *setup)
{
	at_wire_put_u64(body, setup->id.low);
	at_wire_put_u64(body, setup->id.high);
}

void at_board_evaluate(struct at_board *self, const struct at_board_setup *setup,
	const char *unit, const struct at_measure_request *request,
	double deadline_seconds, at_board_measured done, void *context)
{
	const struct board_job job = {
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
	enqueue(self, &job, &body);
}

void at_board_finals(struct at_board *self, const struct at_board_setup *setup,
	const char *const *units, const struct at_measure_request *requests,
	size_t count, const struct at_measure_finals *how, double deadline_seconds,
	at_board_measured done, void *context)
{
	const struct board_job job = {
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

double at_board_work_seconds(const struct at_board *self)
{
	return self->work_seconds;
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
