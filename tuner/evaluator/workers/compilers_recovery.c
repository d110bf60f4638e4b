/* Units whose failure may be the machine's fault: they are tried again, alone. */
#include "evaluator/workers/compilers_parts.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>
#include <unistd.h>

/* A unit that fails so often among others is from then on tried only alone. */
#define FAILURES_MAX 2

static const char *what_failed(const struct compile_job *job)
{
	static char line[512];

	if (job->kept_error.status)
		return at_error_format(&job->kept_error, line, sizeof(line));
	at_compile_first_error(job->kept.log ? job->kept.log : "", line, sizeof(line));
	return line;
}

/* Has the loop call wake when the pause is over. */
static void set_timer(struct at_compilers *self, void (*wake)(void *context))
{
	uint64_t now_ns = at_clock_now_ns(), due_ns = self->recovery.due_ns;
	unsigned milliseconds =
		due_ns > now_ns ? (unsigned)((due_ns - now_ns) / 1000000) + 1 : 1;

	if (self->recovery.step != AT_STEP_WAIT || self->is_timed)
		return;
	at_loop_after(self->loop, milliseconds, wake, self);
	self->is_timed = true;
}

static struct compile_job *take_suspect(struct at_compilers *self)
{
	struct compile_job *job = self->suspects;

	self->suspects = job->next;
	self->waiting--;
	return job;
}

/* The unit has failed while the machine does everything else: that becomes its
   answer. */
static void blame(struct at_compilers *self)
{
	struct compile_job *job = take_suspect(self);
	struct at_compile_result result = { .outcome = AT_OUTCOME_COMPILE_FAILED };
	struct at_strbuf log = { 0 };
	char verdict[200];

	at_recovery_verdict(&self->recovery, verdict, sizeof(verdict));
	at_recovery_end(&self->recovery);
	if (job->versioned) {
		compilers_finish(job, &result, NULL, &job->kept_error);
		return;
	}
	at_strbuf_addf(&log, "error: %s (%s)\n", what_failed(job), verdict);
	at_strbuf_add(&log, job->kept.log ? job->kept.log : "");
	result.log = at_strbuf_detach(&log);
	compilers_finish(job, &result, NULL, NULL);
	at_compile_result_release(&result);
}

/* The machine did not become well: the first suspect is answered with that error. */
static void give_up(struct at_compilers *self)
{
	struct compile_job *job = take_suspect(self);
	struct at_error err = { 0 };

	at_recovery_error(&self->recovery, &err);
	self->has_given_up = true;
	at_recovery_end(&self->recovery);
	compilers_finish(job, &(struct at_compile_result){ 0 }, NULL, &err);
}

/* Makes the job of a small unit that is known to compile, for the toolchain and
   architecture of the suspect. */
static struct compile_job *make_canary(
	const struct at_compilers *self, const struct compile_job *suspect)
{
	static char source[] =
		"extern \"C\" __global__ void autotune_canary(float *x)\n"
		"{\n"
		"  x[threadIdx.x] += 1.0f;\n"
		"}\n";
	static char name[] = "canary.cu", directory[] = "";
	struct compile_job *job = at_calloc(1, sizeof(*job));
	struct at_compile_request request, canary;
	struct at_strbuf unit = { 0 };
	struct at_wire_reader in;
	char *path;

	at_wire_reader_init(
		&in, at_strbuf_text(&suspect->body.bytes), suspect->body.bytes.length);
	path = at_wire_get_text(&in);
	at_get_compile_request(&in, &request);
	canary = (struct at_compile_request){
		.toolchain = request.toolchain,
		.architecture = request.architecture,
		.name = name,
		.directory = directory,
		.source = source,
	};
	job->type = AT_MESSAGE_COMPILE;
	job->is_canary = true;
	/* it is written beside the suspect's unit where that is the run's own folder,
	   and removed later */
	if (suspect->path && compilers_is_own(self, suspect->path)) {
		at_strbuf_addf(&unit, "%s.canary", suspect->path);
		job->path = at_strbuf_detach(&unit);
	}
	at_wire_put_text(&job->body, job->path ? job->path : "");
	if (!in.failed)
		at_put_compile_request(&job->body, &canary);
	free(path);
	at_compile_request_release(&request);
	if (in.failed) {
		compilers_free_job(job);
		return NULL;
	}
	return job;
}

static void probed(struct at_compilers *self, const char *unwell)
{
	/* after waiting in vain once, do not wait again until something has worked */
	bool is_patient = self->is_patient && !self->has_given_up;

	at_recovery_probed(&self->recovery, unwell, is_patient ? at_patience_ns() : 0,
		at_clock_now_ns());
}

/* Looks at the machine, and compiles the canary. */
static void probe(struct at_compilers *self)
{
	struct at_error err = { 0 };
	struct compile_job *canary;
	char why[400];

	at_machine_check(
		self->recovery.fault, at_loop_folder(self->loop), why, sizeof(why));
	/* for a question (version, architectures) the second try is itself the probe */
	if (why[0] || self->suspects->type != AT_MESSAGE_COMPILE) {
		probed(self, why);
		return;
	}
	canary = make_canary(self, self->suspects);
	if (compilers_begin(self, canary, &err)) {
		compilers_free_job(canary);
		probed(self, err.text);
	}
}

/* Tries the first suspect again. */
static void try(struct at_compilers *self)
{
	struct compile_job *job = take_suspect(self);
	struct at_error err = { 0 };

	if (!compilers_begin(self, job, &err))
		return;
	job->fault = AT_FAULT_PROCESSES;
	job->kept_error = err;
	compilers_suspect(self, job);
}

void compilers_recover(struct at_compilers *self, void (*wake)(void *context))
{
	while (self->suspects && !self->running && !self->held) {
		switch (self->recovery.step) {
		case AT_STEP_NONE:
			at_recovery_failed(&self->recovery, self->suspects->fault,
				what_failed(self->suspects), at_clock_now_ns());
			break;
		case AT_STEP_WAIT:
			set_timer(self, wake);
			if (self->recovery.step == AT_STEP_WAIT)
				return;
			break;
		case AT_STEP_PROBE:
			probe(self);
			break;
		case AT_STEP_TRY:
			try(self);
			break;
		case AT_STEP_BLAME:
			blame(self);
			break;
		case AT_STEP_GIVE_UP:
			give_up(self);
			break;
		}
	}
}

void compilers_suspect(struct at_compilers *self, struct compile_job *job)
{
	struct compile_job **last = &self->suspects;

	if (job->is_canary) {
		if (self->suspects && self->recovery.step == AT_STEP_PROBE)
			probed(self, what_failed(job));
		compilers_free_job(job);
		return;
	}
	self->waiting++;
	if (self->recovery.step == AT_STEP_TRY) {
		/* this job is the one that was tried again */
		job->next = self->suspects;
		self->suspects = job;
		at_recovery_failed(&self->recovery, job->fault, what_failed(job),
			at_clock_now_ns());
		return;
	}
	job->failures++;
	while (*last)
		last = &(*last)->next;
	job->next = NULL;
	*last = job;
}

void compilers_trust(struct at_compilers *self, struct compile_job *job)
{
	struct compile_job **link = &self->suspects;

	if (job->type == AT_MESSAGE_COMPILE) {
		self->has_worked = true;
		self->has_given_up = false;
	}
	if (job->is_canary) {
		if (job->path)
			unlink(job->path);
		if (self->suspects && self->recovery.step == AT_STEP_PROBE)
			probed(self, "");
		return;
	}
	if (self->recovery.step != AT_STEP_TRY)
		return;
	at_recovery_end(&self->recovery);
	/* The machine is well again, and its trouble may have hit all suspects: those
	   that failed only once go back into the queue and need not be alone. */
	while (*link) {
		struct compile_job *suspect = *link;

		if (suspect->failures >= FAILURES_MAX) {
			link = &suspect->next;
			continue;
		}
		*link = suspect->next;
		self->waiting--;
		compilers_push_first(self, suspect);
	}
}

bool compilers_forget_suspects(struct at_compilers *self, const void *context)
{
	struct compile_job **link = &self->suspects;
	bool had_any = *link != NULL;

	while (*link) {
		struct compile_job *job = *link;

		if (job->context != context) {
			link = &job->next;
			continue;
		}
		/* the next suspect has a recovery of its own; the answer of a canary
		   that is out is ignored */
		if (job == self->suspects && self->recovery.step != AT_STEP_TRY)
			at_recovery_end(&self->recovery);
		*link = job->next;
		self->waiting--;
		compilers_free_job(job);
	}
	return had_any;
}

void at_compilers_be_patient(struct at_compilers *self)
{
	self->is_patient = true;
}

void at_compilers_trouble(const struct at_compilers *self, char *text, size_t size)
{
	at_recovery_describe(&self->recovery, text, size);
}
