/* Finds compute-sanitizer, makes its command line, reads its report, and runs one
   evaluation under it. */
#include "evaluator/workers/sanitizer.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/program_path.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define PROGRAM "compute-sanitizer"
/* the report's lines begin with this; others are output of the watched program */
#define PREFIX "========="

/* ---- where it is --------------------------------------------------------------- */

enum at_status at_sanitizer_find(char **path, struct at_error *err)
{
	const char *const homes[] = { at_environment("CUDA_HOME"),
		at_environment("CUDA_PATH"), "/usr/local/cuda" };
	/* the second holds the program that the toolkit's script in bin starts */
	static const char *const folders[] = { "bin", "compute-sanitizer" };

	at_program_find(PROGRAM, path);
	for (size_t i = 0; i < AT_COUNT_OF(homes); i++)
		for (size_t j = 0; j < AT_COUNT_OF(folders) && !*path; j++) {
			struct at_strbuf name = { 0 };

			if (!homes[i])
				continue;
			at_strbuf_addf(
				&name, "%s/%s/%s", homes[i], folders[j], PROGRAM);
			at_program_find(name.data, path);
			at_strbuf_release(&name);
		}
	return *path ? AT_OK
		     : at_fail(err, AT_ENOENT, NULL, 0, PROGRAM " is not installed");
}

/* Matches a part of a name, since compilers put only their own marks around a
   symbol. */
char *at_sanitizer_filter(const char *symbol)
{
	struct at_strbuf text = { 0 };

	at_strbuf_addf(&text, "kns=%s", symbol);
	return at_strbuf_detach(&text);
}

void at_sanitizer_command(enum at_check check, const char *path, const char *report,
	char *const filters[AT_SANITIZER_FILTERS],
	const char *words[AT_SANITIZER_WORDS])
{
	const char *const command[] = {
		path,
		"--tool",
		at_check_name(check),
		"--log-file",
		report,
		/* names as they are in the image, which distinguish kernels */
		"--demangle",
		"no",
		/* do not watch a compiler that the worker may start */
		"--target-processes",
		"application-only",
		/* errors in the tuner's own kernels may come before the first that
		   counts */
		"--print-limit",
		"1000",
	};
	size_t count = AT_COUNT_OF(command);

	memcpy((void *)words, command, sizeof(command));
	for (size_t i = 0;
		check == AT_CHECK_RACECHECK && i < AT_SANITIZER_FILTERS && filters[i];
		i++) {
		words[count++] = "--kernel-name";
		words[count++] = filters[i];
	}
	words[count] = NULL;
}

/* ---- what it says --------------------------------------------------------------- */

/*
 * A report is made of records. The first line of a record has one blank behind the
 * prefix, its other lines have several:
 *
 *   ========= Invalid __global__ write of size 4 bytes
 *   =========     at _Z5scalePf+0x160
 *   =========     by thread (0,0,0) in block (0,0,0)
 *   =========     Saved host backtrace up to driver entry point at kernel launch time
 *   =========         Host Frame: ...
 */
struct record {
	const char *begin; /* of the first line's text */
	const char *end; /* past the last line about the device */
};

static size_t line_length(const char *line)
{
	return strcspn(line, "\r\n");
}

static const char *next_line(const char *line)
{
	line += line_length(line);
	return line + strspn(line, "\r\n");
}

/* The text behind the prefix; NULL: the line has none. *is_first: it begins a
   record. */
static const char *text_of(const char *line, bool *is_first)
{
	size_t prefix = strlen(PREFIX), blanks;

	if (strncmp(line, PREFIX, prefix) != 0)
		return NULL;
	blanks = strspn(line + prefix, " ");
	*is_first = blanks == 1;
	return line + prefix + blanks;
}

static bool begins_with(const char *text, const char *with)
{
	return !strncasecmp(text, with, strlen(with));
}

/* Whether the word stands within [begin, end), not as part of a longer one. */
static bool has_word(const char *begin, const char *end, const char *word)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
	size_t length = strlen(word);

	for (const char *at = begin; length && at + length <= end; at++)
		if (!strncmp(at, word, length) &&
			(at == begin || !strchr(letters, at[-1])) &&
			(at + length == end || !strchr(letters, at[length])))
			return true;
	return false;
}

/* Finds the first record at or behind *at, and moves *at behind it. */
static bool next_record(const char **at, struct record *out)
{
	bool is_first = false, is_host = false;
	const char *line = *at, *text = NULL;

	while (*line && !((text = text_of(line, &is_first)) && is_first))
		line = next_line(line);
	if (!*line)
		return false;
	out->begin = text;
	out->end = text + line_length(text);
	for (line = next_line(line); *line; line = next_line(line)) {
		text = text_of(line, &is_first);
		/* output of the watched program may stand in between */
		if (!text)
			continue;
		if (is_first)
			break;
		is_host = is_host || begins_with(text, "Saved host backtrace") ||
			  begins_with(text, "Host Frame");
		if (!is_host)
			out->end = text + line_length(text);
	}
	*at = line;
	return true;
}

/* Whether the record is an access or a barrier in a kernel that is wrong by this tool's
   rules. */
static bool is_error(enum at_check check, const struct record *record)
{
	const char *text = record->begin;

	switch (check) {
	case AT_CHECK_RACECHECK:
		/* "Warning: Race" is not counted: two threads that write the same
		   value, for example */
		return begins_with(text, "Error: Race") ||
		       begins_with(text, "Error: Potential");
	case AT_CHECK_INITCHECK:
		return begins_with(text, "Uninitialized __") ||
		       begins_with(text, "Error: Uninitialized __");
	case AT_CHECK_MEMCHECK:
	case AT_CHECK_SYNCCHECK:
		/* A refused call of the driver is reported by its caller. A record
		   without a place in a kernel is not about a kernel. */
		return !begins_with(text, "Program hit") &&
		       !begins_with(text, "Host API") &&
		       !begins_with(text, "Warning") && !begins_with(text, "Leaked") &&
		       !begins_with(text, "Unused") &&
		       (has_word(text, record->end, "at") ||
			       has_word(text, record->end, "Device"));
	case AT_CHECK_HOST:
	case AT_CHECK_COUNT:
		break;
	}
	return false;
}

/* Whether the tool itself could not work: then finding nothing means nothing. */
static bool is_failure(const struct record *record)
{
	static const char *const failures[] = { "Internal Sanitizer Error",
		"Error: No attachable process", "Error: Target application",
		"Target application terminated", "Unable to find injection",
		"Error: process didn't terminate", "Error: Device not supported",
		"Device not supported", "Error: Failed" };

	for (size_t i = 0; i < AT_COUNT_OF(failures); i++)
		if (begins_with(record->begin, failures[i]))
			return true;
	return false;
}

static bool is_of_others(const struct record *record, const char *const *others)
{
	for (; *others; others++)
		if (has_word(record->begin, record->end, *others))
			return true;
	return false;
}

/* The lines of a record as one line, without the prefix. A record that has only its
   first word gets words of ours: a finding without any would say nothing. */
static void describe(const struct record *record, struct at_finding *out)
{
	const char *line = record->begin;
	bool is_first;

	if (begins_with(line, "Error: "))
		line += strlen("Error: ");
	out->detail[0] = '\0';
	while (line && line < record->end) {
		at_text_append(out->detail, sizeof(out->detail), "%s%.*s",
			out->detail[0] ? " " : "", (int)line_length(line), line);
		line = next_line(line);
		while (*line && line < record->end && strncmp(line, PREFIX, 9) != 0)
			line = next_line(line);
		line = text_of(line, &is_first);
	}
	if (strspn(out->detail, " ") == strlen(out->detail))
		at_finding_set(out, out->outcome, "an error that it does not describe");
}

void at_sanitizer_read(enum at_check check, const char *text, const char *const *others,
	struct at_finding *out)
{
	struct record record, failure = { NULL, NULL };
	bool is_whole = false;

	*out = (struct at_finding){ .outcome = AT_OUTCOME_OK };
	for (const char *at = text; next_record(&at, &record);) {
		/* the last record of a whole report: "ERROR SUMMARY: 0 errors" */
		is_whole = is_whole || begins_with(record.begin, "ERROR SUMMARY") ||
			   begins_with(record.begin, "RACECHECK SUMMARY");
		if (is_failure(&record)) {
			failure = record;
			continue;
		}
		if (is_error(check, &record) && !is_of_others(&record, others)) {
			out->outcome = check == AT_CHECK_MEMCHECK
					       ? AT_OUTCOME_OUT_OF_BOUNDS
					       : AT_OUTCOME_UNSTABLE;
			describe(&record, out);
			return;
		}
	}
	if (failure.begin) {
		out->outcome = AT_OUTCOME_NOT_APPLICABLE;
		describe(&failure, out);
	} else if (!is_whole) {
		at_finding_set(out, AT_OUTCOME_NOT_APPLICABLE,
			PROGRAM " ended before its report did");
	}
}

/* ---- one run -------------------------------------------------------------------- */

/* A kernel that goes wrong leaves a record of some hundred bytes for each thread, and
   up to a thousand are printed. */
#define REPORT_BYTES ((size_t)64 << 20)

struct at_sanitizer_run {
	struct at_sanitizer_run_options
		options; /* check, others, seconds that are left */
	struct at_worker *worker;
	char *report; /* path */
	char *filters[AT_SANITIZER_FILTERS];
	struct at_strbuf setup;
	struct at_strbuf evaluation;
	uint64_t begun_ns; /* since when the deadline runs; 0: it is stopped */
	bool is_evaluated;
	struct at_finding finding; /* of the evaluation */
	at_sanitizer_ran done;
	void *context;
};

/* Notes why the check cannot be made; only the first reason is kept. */
static void give_up(struct at_sanitizer_run *self, const char *why)
{
	if (self->finding.outcome == AT_OUTCOME_NONE)
		at_finding_set(&self->finding, AT_OUTCOME_NOT_APPLICABLE, "%s", why);
}

static void run_deadline(struct at_sanitizer_run *self)
{
	if (self->begun_ns || self->options.seconds <= 0)
		return;
	self->begun_ns = at_clock_now_ns();
	at_worker_deadline(self->worker, self->options.seconds);
}

/* Stops the deadline while another program has the device. */
static void stop_deadline(struct at_sanitizer_run *self)
{
	if (!self->begun_ns)
		return;
	self->options.seconds -= (double)(at_clock_now_ns() - self->begun_ns) * 1e-9;
	/* stays above 0, which would mean no deadline */
	if (self->options.seconds < 0.1)
		self->options.seconds = 0.1;
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

	if (at_wire_get_u32(in) != 1)
		in->failed = true;
	at_get_result(in, &result);
	if (!at_wire_done(in)) {
		give_up(self, "its worker sent an odd message");
	} else if (result.outcome == AT_OUTCOME_WRONG_RESULT ||
		   result.outcome == AT_OUTCOME_UNSTABLE ||
		   result.outcome == AT_OUTCOME_OK) {
		at_finding_set(&self->finding, result.outcome, "%s", result.detail);
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
	if (type == AT_MESSAGE_OPENED) {
		send(self, AT_MESSAGE_SETUP, &self->setup);
	} else if (type == AT_MESSAGE_READY) {
		send(self, AT_MESSAGE_MEASURE, &self->evaluation);
	} else if (type == AT_MESSAGE_WAITING) {
		stop_deadline(self);
	} else if (type == AT_MESSAGE_STARTED) {
		run_deadline(self);
	} else {
		if (type == AT_MESSAGE_RESULTS) {
			on_result(self, &in);
		} else if (type == AT_MESSAGE_FAILED) {
			at_fields_get(&at_error_fields, &in, &err);
			give_up(self, in.failed ? "its worker sent an odd message"
						: err.text);
		} else {
			give_up(self, "its worker sent an odd message");
		}
		/* the report is complete only when the process has ended by itself */
		at_worker_finish(self->worker);
	}
}

static void read_report(struct at_sanitizer_run *self, const struct at_worker_end *end)
{
	struct at_finding finding;
	struct at_error err = { 0 };
	char *text, why[400];
	size_t size;

	if (at_file_read(self->report, REPORT_BYTES, &text, &size, &err)) {
		snprintf(why, sizeof(why), "there is no report%s%.*s",
			end->text[0] ? ": " : "", 300, end->text);
		give_up(self, why);
		return;
	}
	at_sanitizer_read(self->options.check, text, self->options.others, &finding);
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
	const at_sanitizer_ran done = self->done;
	struct at_finding finding;

	if (end->timed_out) {
		self->finding.outcome = AT_OUTCOME_NONE;
		give_up(self, AT_CHECK_CUT);
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
	const struct at_measure_request *request = options->request;
	const char *judged[AT_SANITIZER_FILTERS] = { request->prepare.symbol,
		request->finish.symbol };
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
	self->options = *options;
	self->done = done;
	self->context = context;
	at_strbuf_addf(&path, "%s/%s.txt", folder, at_check_name(options->check));
	self->report = at_strbuf_detach(&path);
	at_strbuf_add_bytes(
		&self->setup, at_strbuf_text(options->setup), options->setup->length);
	at_put_measure(
		&body, options->setup_id, NULL, &options->unit, options->request, 1);
	self->evaluation = body.bytes;
	for (size_t i = 0, k = 2; i <= request->more_count && k < AT_COUNT_OF(judged);
		i++) {
		const char *symbol = at_measure_launch(request, i)->symbol;

		/* the steps of a launch have one kernel */
		if (k == 2 || strcmp(symbol, judged[k - 1]) != 0)
			judged[k++] = symbol;
	}
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
