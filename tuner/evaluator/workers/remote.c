#include "evaluator/workers/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the first context on a sleeping board with many neighbours takes seconds */
#define OPEN_SECONDS 120.0

enum step {
	STEP_NONE = 0, /* no process */
	STEP_OPENING,
	STEP_OPEN, /* the device is open; no setup, or not the wanted one */
	STEP_SETTING_UP,
	STEP_READY,
	STEP_MEASURING,
	STEP_CEILINGS,
};

enum wish {
	WISH_NONE = 0,
	WISH_OPEN,
	WISH_SETUP,
	WISH_EVALUATE,
	WISH_FINALS,
	WISH_CEILINGS,
};

struct at_remote {
	struct at_loop *loop;
	struct at_worker *worker;
	char id[32];
	struct at_device_info info;
	enum step step;
	enum wish wish;
	struct at_strbuf setup; /* the body of the wanted setup */
	double setup_seconds;
	struct at_wire_writer request; /* the body of what is to be measured */
	double deadline_seconds;
	size_t result_count;
	unsigned failed_starts; /* in a row */
	bool started; /* the process works on what was sent last */
	at_remote_opened opened;
	at_remote_ready ready;
	at_remote_measured measured;
	struct at_ceilings ceilings;
	at_remote_ceiled ceiled;
	void *context;
};

static void advance(struct at_remote *self);

/* the wish is over: its callback may make the next one */
static void fulfil(struct at_remote *self, struct at_measure_result *results,
	size_t count, const struct at_error *err)
{
	enum wish wish = self->wish;

	self->wish = WISH_NONE;
	at_strbuf_release(&self->request.bytes);
	switch (wish) {
	case WISH_NONE:
		break;
	case WISH_OPEN:
		self->opened(self->context, &self->info, err);
		break;
	case WISH_SETUP:
		self->ready(self->context, err);
		break;
	case WISH_EVALUATE:
	case WISH_FINALS:
		self->measured(self->context, results, count, err);
		break;
	case WISH_CEILINGS:
		self->ceiled(self->context, err ? NULL : &self->ceilings, err);
		break;
	}
}

static void on_failed(struct at_remote *self, struct at_wire_reader *in)
{
	struct at_error err;

	at_get_error(in, &err);
	if (in->failed || !err.status) {
		at_error_clear(&err);
		at_fail(&err, AT_EPROTOCOL, NULL, 0, "device %s: an odd message",
			self->id);
	}
	/* what state it is in is unknown: the next wish starts a new process */
	at_worker_free(self->worker);
	self->worker = NULL;
	self->step = STEP_NONE;
	fulfil(self, NULL, 0, &err);
}

static void on_results(struct at_remote *self, struct at_wire_reader *in, bool several)
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
	if (!at_wire_done(in) || self->step != STEP_MEASURING ||
		count != self->result_count) {
		struct at_error err = { 0 };

		at_fail(&err, AT_EPROTOCOL, NULL, 0, "device %s: an odd result",
			self->id);
		at_worker_free(self->worker);
		self->worker = NULL;
		self->step = STEP_NONE;
		fulfil(self, NULL, 0, &err);
	} else {
		at_worker_deadline(self->worker, 0);
		self->step = STEP_READY;
		if (lost) {
			at_worker_free(self->worker);
			self->worker = NULL;
			self->step = STEP_NONE;
		}
		fulfil(self, results, count, NULL);
	}
	for (uint32_t i = 0; i < AT_FINALISTS_MAX; i++)
		at_measure_result_release(&results[i]);
}

static void on_ceiled(struct at_remote *self, struct at_wire_reader *in)
{
	at_get_ceilings(in, &self->ceilings);
	if (!at_wire_done(in)) {
		in->failed = true;
		on_failed(self, in);
		return;
	}
	at_worker_deadline(self->worker, 0);
	self->step = STEP_OPEN;
	fulfil(self, NULL, 0, NULL);
}

static void remote_message(
	void *context, enum at_message type, const void *body, size_t size)
{
	struct at_remote *self = context;
	struct at_wire_reader in;

	at_wire_reader_init(&in, body, size);
	if (type == AT_MESSAGE_OPENED && self->step == STEP_OPENING) {
		at_get_device_info(&in, &self->info);
		if (!at_wire_done(&in)) {
			in.failed = true;
			on_failed(self, &in);
			return;
		}
		at_worker_deadline(self->worker, 0);
		self->step = STEP_OPEN;
		if (self->wish == WISH_OPEN)
			fulfil(self, NULL, 0, NULL);
		advance(self);
	} else if (type == AT_MESSAGE_STARTED) {
		self->failed_starts = 0;
		self->started = true;
		at_worker_deadline(self->worker, self->step == STEP_SETTING_UP
							 ? self->setup_seconds
							 : self->deadline_seconds);
	} else if (type == AT_MESSAGE_READY && self->step == STEP_SETTING_UP) {
		at_worker_deadline(self->worker, 0);
		self->step = STEP_READY;
		if (self->wish == WISH_SETUP)
			fulfil(self, NULL, 0, NULL);
		advance(self);
	} else if (type == AT_MESSAGE_RESULT || type == AT_MESSAGE_RESULTS) {
		on_results(self, &in, type == AT_MESSAGE_RESULTS);
	} else if (type == AT_MESSAGE_CEILED && self->step == STEP_CEILINGS) {
		on_ceiled(self, &in);
	} else {
		on_failed(self, &in);
	}
}

static double seconds_for(const struct at_remote *self, enum step step)
{
	if (step == STEP_OPENING)
		return OPEN_SECONDS;
	return step == STEP_SETTING_UP ? self->setup_seconds : self->deadline_seconds;
}

static void describe_end(const struct at_remote *self, enum step step,
	const struct at_worker_end *end, char *text, size_t size)
{
	if (end->timed_out)
		snprintf(
			text, size, "did not end within %g s", seconds_for(self, step));
	else if (end->signal)
		snprintf(text, size, "the process was ended by signal %d (%s)%s%s",
			end->signal, strsignal(end->signal), end->text[0] ? ": " : "",
			end->text);
	else
		snprintf(text, size, "the process ended with status %lld%s%s",
			(long long)end->exit_status, end->text[0] ? ": " : "",
			end->text);
}

static void fail_wish(
	struct at_remote *self, enum step step, const struct at_worker_end *end)
{
	const char *doing = step == STEP_OPENING      ? "opening it"
			    : step == STEP_SETTING_UP ? "running the reference"
			    : step == STEP_CEILINGS   ? "measuring its ceilings"
						      : "handing it work";
	struct at_error err = { 0 };
	char text[400];

	describe_end(self, step, end, text, sizeof(text));
	at_fail(&err, AT_EDEVICE, NULL, 0, "device %s: while %s, %s", self->id, doing,
		text);
	fulfil(self, NULL, 0, &err);
}

/* the death of a process that was measuring is an outcome */
static void end_measuring(struct at_remote *self, const struct at_worker_end *end)
{
	struct at_measure_result results[AT_FINALISTS_MAX] = { 0 };

	for (size_t i = 0; i < self->result_count; i++) {
		results[i].outcome =
			end->timed_out ? AT_OUTCOME_TIMED_OUT : AT_OUTCOME_CRASHED;
		describe_end(self, STEP_MEASURING, end, results[i].detail,
			sizeof(results[i].detail));
	}
	fulfil(self, results, self->result_count, NULL);
}

static void remote_ended(void *context, const struct at_worker_end *end)
{
	struct at_remote *self = context;
	enum step step = self->step;

	at_worker_free(self->worker);
	self->worker = NULL;
	self->step = STEP_NONE;
	if (step == STEP_MEASURING && self->started) {
		end_measuring(self, end);
		return;
	}
	if (self->wish == WISH_NONE)
		return;
	/* a device may need a second attempt after a crash, not a third; one that
	   died while it was idle is no fault of what was sent to it */
	if (++self->failed_starts < 3 && !end->timed_out &&
		(step == STEP_OPENING || !self->started))
		advance(self);
	else
		fail_wish(self, step, end);
}

static const struct at_worker_events remote_events = { remote_message, remote_ended };

static void start_process(struct at_remote *self)
{
	struct at_wire_writer body = { { 0 } };
	struct at_error err = { 0 };

	if (at_worker_spawn(
		    self->loop, "measure", &remote_events, self, &self->worker, &err)) {
		fulfil(self, NULL, 0, &err);
		return;
	}
	self->step = STEP_OPENING;
	at_wire_put_text(&body, self->id);
	at_worker_send(self->worker, AT_MESSAGE_OPEN, &body);
	at_worker_deadline(self->worker, OPEN_SECONDS);
}

static void send_setup(struct at_remote *self)
{
	struct at_wire_writer body = { { 0 } };

	self->step = STEP_SETTING_UP;
	self->started = false;
	at_strbuf_add_bytes(
		&body.bytes, at_strbuf_text(&self->setup), self->setup.length);
	at_worker_send(self->worker, AT_MESSAGE_SETUP, &body);
}

/* what is sent is a copy: it is sent again where the process dies too early */
static void send_request(struct at_remote *self)
{
	struct at_wire_writer body = { { 0 } };
	enum at_message type = self->wish == WISH_CEILINGS ? AT_MESSAGE_CEILINGS
			       : self->wish == WISH_FINALS ? AT_MESSAGE_FINALS
							   : AT_MESSAGE_EVALUATE;

	self->step = self->wish == WISH_CEILINGS ? STEP_CEILINGS : STEP_MEASURING;
	self->started = false;
	at_strbuf_add_bytes(&body.bytes, at_strbuf_text(&self->request.bytes),
		self->request.bytes.length);
	body.bytes.failed = body.bytes.failed || self->request.bytes.failed;
	at_worker_send(self->worker, type, &body);
}

/* one step towards what is wished */
static void advance(struct at_remote *self)
{
	if (self->wish == WISH_NONE)
		return;
	switch (self->step) {
	case STEP_NONE:
		start_process(self);
		break;
	case STEP_OPEN:
		if (self->wish == WISH_CEILINGS)
			send_request(self);
		else if (self->wish != WISH_OPEN)
			send_setup(self);
		break;
	case STEP_READY:
		if (self->wish == WISH_EVALUATE || self->wish == WISH_FINALS ||
			self->wish == WISH_CEILINGS)
			send_request(self);
		break;
	case STEP_OPENING:
	case STEP_SETTING_UP:
	case STEP_MEASURING:
	case STEP_CEILINGS:
		break;
	}
}

enum at_status at_remote_new(struct at_loop *loop, const char *device_id,
	struct at_remote **out, struct at_error *err)
{
	struct at_remote *self = calloc(1, sizeof(*self));

	if (!self)
		return at_fail_memory(err);
	self->loop = loop;
	snprintf(self->id, sizeof(self->id), "%s", device_id);
	*out = self;
	return AT_OK;
}

void at_remote_free(struct at_remote *self)
{
	if (!self)
		return;
	at_worker_free(self->worker);
	at_strbuf_release(&self->setup);
	at_strbuf_release(&self->request.bytes);
	free(self);
}

void at_remote_open(struct at_remote *self, at_remote_opened done, void *context)
{
	self->wish = WISH_OPEN;
	self->opened = done;
	self->context = context;
	advance(self);
}

void at_remote_setup(struct at_remote *self, const struct at_measure_setup *setup,
	double deadline_seconds, at_remote_ready done, void *context)
{
	struct at_wire_writer body = { { 0 } };

	at_put_setup(&body, setup);
	at_strbuf_release(&self->setup);
	self->setup = body.bytes;
	self->setup_seconds = deadline_seconds;
	self->wish = WISH_SETUP;
	self->ready = done;
	self->context = context;
	if (self->step == STEP_READY)
		self->step = STEP_OPEN;
	advance(self);
}

void at_remote_evaluate(struct at_remote *self,
	const struct at_measure_request *request, double deadline_seconds,
	at_remote_measured done, void *context)
{
	self->wish = WISH_EVALUATE;
	self->result_count = 1;
	self->deadline_seconds = deadline_seconds;
	self->measured = done;
	self->context = context;
	at_put_request(&self->request, request);
	advance(self);
}

void at_remote_finals(struct at_remote *self, const struct at_measure_request *requests,
	size_t count, uint32_t rounds, uint64_t seed, double deadline_seconds,
	at_remote_measured done, void *context)
{
	self->wish = WISH_FINALS;
	self->result_count = count;
	self->deadline_seconds = deadline_seconds;
	self->measured = done;
	self->context = context;
	at_wire_put_u32(&self->request, rounds);
	at_wire_put_u64(&self->request, seed);
	at_wire_put_u32(&self->request, (uint32_t)count);
	for (size_t i = 0; i < count; i++)
		at_put_request(&self->request, &requests[i]);
	advance(self);
}

void at_remote_ceilings(struct at_remote *self, const unsigned char *image,
	size_t bytes, double deadline_seconds, at_remote_ceiled done, void *context)
{
	self->wish = WISH_CEILINGS;
	self->deadline_seconds = deadline_seconds;
	self->ceiled = done;
	self->context = context;
	at_wire_put_blob(&self->request, image, bytes);
	advance(self);
}

void at_remote_cancel(struct at_remote *self)
{
	self->wish = WISH_NONE;
	at_strbuf_release(&self->request.bytes);
	if (self->step != STEP_MEASURING && self->step != STEP_SETTING_UP &&
		self->step != STEP_CEILINGS)
		return;
	at_worker_free(self->worker);
	self->worker = NULL;
	self->step = STEP_NONE;
}

bool at_remote_busy(const struct at_remote *self)
{
	return self->wish != WISH_NONE;
}
