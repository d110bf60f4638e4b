/* Runs one evaluation under compute-sanitizer and combines its result with the
   report. */
#include "evaluator/workers/sanitizer_run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A kernel that goes wrong leaves a record of some hundred bytes for each thread, and
   up to a thousand are printed. */
#define REPORT_BYTES ((size_t)64 << 20)

struct at_sanitizer_run {
	enum at_check check;
	struct at_worker *worker;
	char *report; /* path */
	char *filters[AT_SANITIZER_FILTERS];
	const char *const *others;
	struct at_strbuf setup;
	struct at_strbuf evaluation;
	double seconds;
	uint64_t begun_ns; /* since when the deadline runs; 0: it is stopped */
	bool is_evaluated;
	struct at_sanitizer_finding finding; /* of the evaluation */
	at_sanitizer_ran done;
	void *context;
};

/* Notes why the check cannot be made; only the first reason is kept. */
static void give_up(struct at_sanitizer_run *self, const char *why)
{
	if (self->finding.outcome == AT_OUTCOME_NONE) {
		self->finding.outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(self->finding.detail, sizeof(self->finding.detail), "%.*s",
			(int)sizeof(self->finding.detail) - 1, why);
	}
}

static void run_deadline(struct at_sanitizer_run *self)
{
	if (self->begun_ns || self->seconds <= 0)
		return;
	self->begun_ns = at_clock_now_ns();
	at_worker_deadline(self->worker, self->seconds);
}

/* Stops the deadline while another program has the device. */
static void stop_deadline(struct at_sanitizer_run *self)
{
	if (!self->begun_ns)
		return;
	self->seconds -= (double)(at_clock_now_ns() - self->begun_ns) * 1e-9;
	/* stays above 0, which would mean no deadline */
	if (self->seconds < 0.1)
		self->seconds = 0.1;
	self->begun_ns = 0;
	at_worker_deadline(self->worker, 0);
}

static void send(
	struct at_sanitizer_run *self, enum at_message type, struct at_strbuf *body)
{
	struct at_wire_writer message = { .bytes = *body };

	memset(body, 0, sizeof(*body));
	at_worker_send(self->worker, type, &message);
}

/* Keeps the outcome of the evaluation. Of all failures only a wrong result is believed:
   needing too many registers, or not ending, may be due to the instrumentation. */
static void on_result(struct at_sanitizer_run *self, struct at_wire_reader *in)
{
	struct at_measure_result result;
	char text[640];

	at_get_result(in, &result);
	if (!at_wire_done(in)) {
		give_up(self, "its worker sent an odd message");
	} else if (result.outcome == AT_OUTCOME_WRONG_RESULT ||
		   result.outcome == AT_OUTCOME_UNSTABLE ||
		   result.outcome == AT_OUTCOME_OK) {
		self->finding.outcome = result.outcome;
		snprintf(self->finding.detail, sizeof(self->finding.detail), "%.*s",
			(int)sizeof(self->finding.detail) - 1, result.detail);
	} else {
		snprintf(text, sizeof(text), "%s there: %s",
			at_outcome_name(result.outcome), result.detail);
		give_up(self, text);
	}
	self->is_evaluated = true;
	at_measure_result_release(&result);
}

static void run_message(
	void *context, enum at_message type, const void *body, size_t size)
{
	struct at_sanitizer_run *self = context;
	struct at_wire_reader in;
	struct at_error err;

	at_wire_reader_init(&in, body, size);
	switch (type) {
	case AT_MESSAGE_OPENED:
		send(self, AT_MESSAGE_SETUP, &self->setup);
		return;
	case AT_MESSAGE_READY:
		send(self, AT_MESSAGE_EVALUATE, &self->evaluation);
		return;
	case AT_MESSAGE_WAITING:
		stop_deadline(self);
		return;
	case AT_MESSAGE_STARTED:
		run_deadline(self);
		return;
	case AT_MESSAGE_RESULT:
		on_result(self, &in);
		break;
	case AT_MESSAGE_FAILED:
		at_get_error(&in, &err);
		give_up(self, in.failed ? "its worker sent an odd message" : err.text);
		break;
	case AT_MESSAGE_NONE:
	case AT_MESSAGE_PROBE:
	case AT_MESSAGE_OPEN:
	case AT_MESSAGE_SETUP:
	case AT_MESSAGE_EVALUATE:
	case AT_MESSAGE_FINALS:
	case AT_MESSAGE_CEILINGS:
	case AT_MESSAGE_COMPILE:
	case AT_MESSAGE_COVER:
	case AT_MESSAGE_TOOLCHAIN:
	case AT_MESSAGE_WARM:
	case AT_MESSAGE_ARCHITECTURES:
	case AT_MESSAGE_PROBED:
	case AT_MESSAGE_RESULTS:
	case AT_MESSAGE_CEILED:
	case AT_MESSAGE_COMPILED:
	case AT_MESSAGE_VERSION:
		give_up(self, "its worker sent an odd message");
		break;
	}
	/* the report is complete only when the process has ended by itself */
	at_worker_finish(self->worker);
}

static void read_report(struct at_sanitizer_run *self, const struct at_worker_end *end)
{
	struct at_sanitizer_finding finding;
	struct at_error err = { 0 };
	char *text, why[400];
	size_t size;

	if (at_file_read(self->report, REPORT_BYTES, &text, &size, &err)) {
		snprintf(why, sizeof(why), "there is no report%s%.*s",
			end->text[0] ? ": " : "", 300, end->text);
		give_up(self, why);
		return;
	}
	at_sanitizer_read(self->check, text, self->others, &finding);
	free(text);
	/* An error in the report counts, whatever happened to the process afterwards.
	   Finding nothing counts only if the evaluation was answered, too. */
	if (finding.outcome == AT_OUTCOME_OK && self->is_evaluated)
		return;
	if (finding.outcome == AT_OUTCOME_OK)
		give_up(self, end->text[0] ? end->text : "its process ended early");
	else if (finding.outcome == AT_OUTCOME_NOT_APPLICABLE)
		give_up(self, finding.detail);
	else if (self->finding.outcome != AT_OUTCOME_WRONG_RESULT)
		self->finding = finding;
	/* an evaluation that went well does not count where the report is incomplete */
	if (finding.outcome == AT_OUTCOME_NOT_APPLICABLE &&
		self->finding.outcome == AT_OUTCOME_OK)
		self->finding = finding;
}

static void run_ended(void *context, const struct at_worker_end *end)
{
	struct at_sanitizer_run *self = context;
	at_sanitizer_ran done = self->done;
	struct at_sanitizer_finding finding;

	if (end->timed_out) {
		self->finding.outcome = AT_OUTCOME_NONE;
		give_up(self, "it did not end in the time that it was given");
	} else {
		read_report(self, end);
	}
	finding = self->finding;
	done(self->context, &finding);
}

static const struct at_worker_events run_events = { run_message, run_ended };

enum at_status at_sanitizer_run_begin(const struct at_sanitizer_run_options *options,
	at_sanitizer_ran done, void *context, struct at_sanitizer_run **out,
	struct at_error *err)
{
	struct at_sanitizer_run *self = at_calloc(1, sizeof(*self));
	const char *folder = at_loop_folder(options->loop);
	const char *const judged[AT_SANITIZER_FILTERS] = {
		options->request->kernel.symbol,
		options->request->prepare.symbol,
		options->request->finish.symbol,
	};
	const char *words[AT_SANITIZER_WORDS];
	struct at_wire_writer body = { { 0 } };
	struct at_strbuf path = { 0 };
	enum at_status status = AT_OK;

	/* not in the common folder, where anybody may have put a file of this name */
	if (!folder[0]) {
		free(self);
		return at_fail(
			err, AT_EIO, NULL, 0, "there is no folder for the report");
	}
	self->check = options->check;
	self->others = options->others;
	self->seconds = options->seconds;
	self->done = done;
	self->context = context;
	at_strbuf_addf(&path, "%s/%s.txt", folder, at_check_name(options->check));
	self->report = at_strbuf_detach(&path);
	at_strbuf_add_bytes(
		&self->setup, at_strbuf_text(options->setup), options->setup->length);
	at_wire_put_u64(&body, options->setup_id.low);
	at_wire_put_u64(&body, options->setup_id.high);
	at_wire_put_text(&body, options->unit);
	at_put_request(&body, options->request);
	self->evaluation = body.bytes;
	for (size_t i = 0, count = 0; i < AT_COUNT_OF(judged); i++) {
		if (!judged[i] || !judged[i][0])
			continue;
		self->filters[count++] = at_sanitizer_filter(judged[i]);
	}
	/* left by the same check of another configuration */
	unlink(self->report);
	at_sanitizer_command(
		options->check, options->program, self->report, self->filters, words);
	status = at_worker_spawn_under(
		options->loop, words, "measure", &run_events, self, &self->worker, err);
	if (status) {
		at_sanitizer_run_free(self);
		return status;
	}
	body = (struct at_wire_writer){ { 0 } };
	at_wire_put_text(&body, options->device_id);
	at_worker_send(self->worker, AT_MESSAGE_OPEN, &body);
	run_deadline(self);
	*out = self;
	return AT_OK;
}

void at_sanitizer_run_free(struct at_sanitizer_run *self)
{
	if (!self)
		return;
	at_worker_free(self->worker);
	if (self->report)
		unlink(self->report);
	free(self->report);
	for (size_t i = 0; i < AT_SANITIZER_FILTERS; i++)
		free(self->filters[i]);
	at_strbuf_release(&self->setup);
	at_strbuf_release(&self->evaluation);
	free(self);
}
