/* The compile workers: how requests are queued and answered. The queue itself is in
   compilers_queue.c, second tries are in compilers_recovery.c. */
#include "evaluator/workers/compilers_parts.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "kernel/toolchain.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct compile_job *take_job(struct compiler *self)
{
	struct compile_job *job = self->job;

	if (job) {
		self->job = NULL;
		self->owner->running--;
		at_worker_deadline(self->worker, 0);
	}
	return job;
}

/* Ends the process, so that memory and files that it may have kept are free for the
   next try. */
static void end_process(struct compiler *self)
{
	at_worker_free(self->worker);
	self->worker = NULL;
}

/*
 * Whether an error may be the machine's. A compiler that never worked will not appear
 * by waiting; one that has worked may be back in a moment. A cache that cannot be
 * written to is no reason to wait either, since the run has another folder.
 */
static enum at_fault fault_of_error(const struct at_compilers *self,
	const struct compile_job *job, const struct at_error *err)
{
	bool is_users = job->path && !compilers_is_own(self, job->path);
	enum at_fault fault = at_fault_of_error(err);

	if (job->is_canary)
		return fault ? fault : AT_FAULT_UNCLEAR;
	if (err->status == AT_EUNAVAILABLE || job->versioned)
		return self->has_worked ? AT_FAULT_PROCESSES : AT_FAULT_NONE;
	if (err->status == AT_EIO && is_users && err->file[0] &&
		!strncmp(job->path, err->file, sizeof(err->file) - 1))
		return AT_FAULT_NONE;
	return err->status == AT_EIO && !fault ? AT_FAULT_DISK : fault;
}

/* True: the result may be the machine's fault; it is kept in the job, which is tried
   again. */
static bool suspect_result(struct compiler *self, struct compile_job *job,
	struct at_compile_result *result, const struct at_error *err)
{
	enum at_fault fault = err->status ? fault_of_error(self->owner, job, err)
					  : at_fault_of_compiled(result);

	if (!fault || !(job->context || job->is_canary))
		return false;
	job->fault = fault;
	at_compile_result_release(&job->kept);
	job->kept = *result;
	memset(result, 0, sizeof(*result));
	job->kept_error = *err;
	end_process(self);
	compilers_suspect(self->owner, job);
	return true;
}

static void go_on(void *context);

static void compiler_message(
	void *context, enum at_message type, const void *body, size_t size)
{
	struct compiler *self = context;
	struct at_compilers *owner = self->owner;
	double seconds = (double)(at_clock_now_ns() - self->begun_ns) * 1e-9;
	struct compile_job *job = take_job(self);
	struct at_compile_result result = { 0 };
	struct at_error err = { 0 };
	struct at_wire_reader in;
	char *version = NULL;

	if (!job)
		return;
	at_wire_reader_init(&in, body, size);
	if (type == AT_MESSAGE_COMPILED && job->type == AT_MESSAGE_COMPILE)
		at_get_compile_result(&in, &result);
	else if (type == AT_MESSAGE_VERSION && job->versioned)
		version = at_wire_get_text(&in);
	else if (type == AT_MESSAGE_FAILED)
		at_get_error(&in, &err);
	else
		in.failed = true;
	if (!at_wire_done(&in)) {
		at_compile_result_release(&result);
		memset(&result, 0, sizeof(result));
		at_error_clear(&err);
		at_fail(&err, AT_EPROTOCOL, NULL, 0,
			"a compile worker sent an odd message");
	}
	if (!suspect_result(self, job, &result, &err)) {
		compilers_trust(owner, job);
		if (result.outcome == AT_OUTCOME_OK && seconds > owner->longest_seconds)
			owner->longest_seconds = seconds;
		compilers_finish(job, &result, version, err.status ? &err : NULL);
	}
	at_compile_result_release(&result);
	free(version);
	go_on(owner);
}

static char *describe_end(
	const struct compile_job *job, const struct at_worker_end *end)
{
	struct at_strbuf text = { 0 };

	if (end->timed_out && end->was_stopped)
		at_strbuf_add(&text, "the compiler was stopped (SIGSTOP)");
	else if (end->timed_out && end->was_quiet)
		at_strbuf_addf(&text,
			"the compiler waited for something for %.0f s, and computed nothing",
			COMPILER_QUIET_SECONDS);
	else if (end->timed_out)
		at_strbuf_addf(&text, "the compiler did not end within %.3g s",
			job->deadline_seconds);
	else if (end->signal)
		at_strbuf_addf(&text, "the compiler was ended by signal %d (%s)",
			end->signal, strsignal(end->signal));
	else
		at_strbuf_addf(&text, "the compiler's process ended with status %lld",
			(long long)end->exit_status);
	if (end->text[0])
		at_strbuf_addf(&text, ": %s", end->text);
	return at_strbuf_detach(&text);
}

/* Any end but a missed deadline may be the machine's fault. */
static enum at_fault fault_of_end(const struct at_worker_end *end)
{
	enum at_fault fault = at_fault_of_end(end);

	return fault || end->timed_out ? fault : AT_FAULT_UNCLEAR;
}

static void compiler_ended(void *context, const struct at_worker_end *end)
{
	struct compiler *self = context;
	struct at_compilers *owner = self->owner;
	struct compile_job *job = take_job(self);
	struct at_compile_result result = { .outcome = AT_OUTCOME_COMPILE_FAILED };
	struct at_error err = { 0 };
	enum at_fault fault = fault_of_end(end);

	end_process(self);
	if (!job) {
		go_on(owner);
		return;
	}
	result.log = describe_end(job, end);
	if (job->versioned) {
		at_fail(&err, AT_EUNAVAILABLE, NULL, 0, "%s", result.log);
		at_compile_result_release(&result);
		memset(&result, 0, sizeof(result));
	}
	if (fault && (job->context || job->is_canary)) {
		job->fault = fault;
		at_compile_result_release(&job->kept);
		job->kept = result;
		job->kept_error = err;
		compilers_suspect(owner, job);
	} else {
		compilers_trust(owner, job);
		compilers_finish(job, &result, NULL, err.status ? &err : NULL);
		at_compile_result_release(&result);
	}
	go_on(owner);
}

static const struct at_worker_events compiler_events = { compiler_message,
	compiler_ended };

static void dispatch(struct at_compilers *self);

/* From the loop, since an answer must not come from inside the call that asked. */
static void tell_no_compiler(void *context)
{
	struct at_compilers *self = context;

	self->tells_later = false;
	/* unless the job was forgotten meanwhile, or a compiler runs after all */
	if (self->first && !self->running)
		compilers_finish(compilers_pop(self), &(struct at_compile_result){ 0 },
			NULL, &self->error);
	dispatch(self);
}

/* Whether the first job of the queue may begin where a compiler is idle. One that is
   not urgent may where nothing runs, whatever is reserved. */
static bool may_begin(const struct at_compilers *self)
{
	return self->first->is_urgent || !self->running ||
	       self->running + self->reserved < self->jobs;
}

/* Gives queued jobs to idle compilers. */
static void dispatch(struct at_compilers *self)
{
	while (self->first && !self->held && !self->suspects &&
		compilers_find_idle(self) && may_begin(self)) {
		struct compile_job *job = compilers_pop(self);
		struct at_error err = { 0 };

		if (!compilers_begin(self, job, &err))
			continue;
		if (self->running || !self->has_worked) {
			compilers_push_first(self, job);
			if (self->running || self->tells_later)
				return; /* a compiler will be free, or the loop tells */
			self->error = err;
			at_loop_later(self->loop, tell_no_compiler, self);
			self->tells_later = true;
			return;
		}
		job->fault = AT_FAULT_PROCESSES;
		job->kept_error = err;
		compilers_suspect(self, job);
		at_loop_later(self->loop, go_on, self);
	}
}

static void wake(void *context)
{
	struct at_compilers *self = context;

	self->is_timed = false;
	at_recovery_waited(&self->recovery, at_clock_now_ns());
	go_on(self);
}

/* From the loop only: tries suspects again, then goes on with the queue. */
static void go_on(void *context)
{
	struct at_compilers *self = context;

	compilers_recover(self, wake);
	dispatch(self);
}

void at_compilers_new(struct at_loop *loop, unsigned jobs, struct at_compilers **out)
{
	struct at_compilers *self = at_calloc(1, sizeof(*self));

	self->compilers = at_calloc(jobs, sizeof(*self->compilers));
	self->loop = loop;
	self->events = &compiler_events;
	self->jobs = self->places = jobs;
	self->last = &self->first;
	for (unsigned i = 0; i < jobs; i++)
		self->compilers[i].owner = self;
	*out = self;
}

void at_compilers_free(struct at_compilers *self)
{
	if (!self)
		return;
	at_loop_forget(self->loop, self);
	for (unsigned i = 0; i < self->places; i++) {
		at_worker_free(self->compilers[i].worker);
		compilers_free_job(self->compilers[i].job);
	}
	while (self->first)
		compilers_free_job(compilers_pop(self));
	while (self->suspects) {
		struct compile_job *next = self->suspects->next;

		compilers_free_job(self->suspects);
		self->suspects = next;
	}
	free(self->compilers);
	free(self);
}

void at_compilers_warm(struct at_compilers *self, unsigned jobs, const char *toolchain)
{
	for (unsigned i = 0; i < jobs && i < self->jobs; i++) {
		struct compiler *compiler = &self->compilers[i];
		struct at_wire_writer body = { { 0 } };

		if (compiler->job)
			continue;
		/* no error here: whoever wants a unit will try again and be told */
		if (!compiler->worker &&
			at_worker_spawn(self->loop, "compile", self->events, compiler,
				&compiler->worker, NULL))
			return;
		at_wire_put_text(&body, toolchain);
		at_worker_send(compiler->worker, AT_MESSAGE_WARM, &body);
	}
}

void at_compilers_limit(struct at_compilers *self, unsigned jobs)
{
	/* compilers beyond the limit that are busy finish their unit */
	for (unsigned i = jobs; i < self->jobs; i++)
		if (!self->compilers[i].job) {
			at_worker_free(self->compilers[i].worker);
			self->compilers[i].worker = NULL;
		}
	if (jobs < self->jobs)
		self->jobs = jobs;
}

static void enqueue(struct at_compilers *self, struct compile_job *job, bool urgent)
{
	job->is_urgent = urgent;
	if (urgent) {
		compilers_push_first(self, job);
	} else {
		self->waiting++;
		*self->last = job;
		self->last = &job->next;
	}
	dispatch(self);
}

enum at_status at_compilers_submit_written(struct at_compilers *self,
	const char *toolchain, const struct at_strbuf *request, const char *path,
	bool urgent, at_compiled done, void *context, struct at_error *err)
{
	struct compile_job *job = NULL;
	enum at_status status = AT_OK;

	/* fail now where a compiler needs a temporary folder and there is none */
	if (!at_loop_folder(self->loop)[0] && at_toolchain_has_files(toolchain))
		status = at_scratch_check(err);
	if (status)
		return status;
	job = at_calloc(1, sizeof(*job));
	job->type = AT_MESSAGE_COMPILE;
	job->compiled = done;
	job->context = context;
	job->path = path ? at_strdup(path) : NULL;
	at_strbuf_reserve(&job->body.bytes,
		request->length + (path ? strlen(path) : 0) + sizeof(uint64_t));
	at_wire_put_text(&job->body, path ? path : "");
	at_strbuf_add_bytes(&job->body.bytes, at_strbuf_text(request), request->length);
	enqueue(self, job, urgent);
	return AT_OK;
}

enum at_status at_compilers_submit(struct at_compilers *self,
	const struct at_compile_request *request, const char *path, bool urgent,
	at_compiled done, void *context, struct at_error *err)
{
	struct at_wire_writer written = { { 0 } };
	enum at_status status;

	at_put_compile_request(&written, request);
	status = at_compilers_submit_written(self, request->toolchain, &written.bytes,
		path, urgent, done, context, err);
	at_strbuf_release(&written.bytes);
	return status;
}

static void ask(struct at_compilers *self, enum at_message type,
	struct at_wire_writer *body, at_versioned done, void *context)
{
	struct compile_job *job = at_calloc(1, sizeof(*job));

	job->type = type;
	job->versioned = done;
	job->context = context;
	job->body = *body;
	enqueue(self, job, true);
}

void at_compilers_version(struct at_compilers *self, const char *toolchain,
	at_versioned done, void *context)
{
	struct at_wire_writer body = { { 0 } };

	at_wire_put_text(&body, toolchain);
	ask(self, AT_MESSAGE_TOOLCHAIN, &body, done, context);
}

void at_compilers_architectures(struct at_compilers *self, const char *toolchain,
	at_versioned done, void *context)
{
	struct at_wire_writer body = { { 0 } };

	at_wire_put_text(&body, toolchain);
	ask(self, AT_MESSAGE_ARCHITECTURES, &body, done, context);
}

void at_compilers_cover(struct at_compilers *self, struct at_wire_writer *body,
	at_versioned done, void *context)
{
	ask(self, AT_MESSAGE_COVER, body, done, context);
}

void at_compilers_forget(struct at_compilers *self, const void *context)
{
	struct compile_job **link = &self->first;

	/* the queue waited behind the suspects */
	if (compilers_forget_suspects(self, context))
		at_loop_later(self->loop, go_on, self);
	/* a job that nobody wants would only keep others waiting */
	while (*link) {
		struct compile_job *job = *link;

		if (job->context != context) {
			link = &job->next;
			continue;
		}
		*link = job->next;
		self->waiting--;
		compilers_free_job(job);
	}
	self->last = link;
	for (unsigned i = 0; i < self->places; i++) {
		struct compiler *one = &self->compilers[i];

		if (!one->job || one->job->context != context)
			continue;
		one->job->context = NULL;
		one->job->deadline_seconds = FORGOTTEN_SECONDS;
		at_worker_deadline(one->worker, FORGOTTEN_SECONDS);
	}
}

size_t at_compilers_pending(const struct at_compilers *self)
{
	return self->waiting + self->running;
}

size_t at_compilers_running(const struct at_compilers *self)
{
	return self->running;
}

void at_compilers_reserve(struct at_compilers *self, int change)
{
	self->reserved += (unsigned)change;
	dispatch(self);
}

void at_compilers_hold(struct at_compilers *self, bool held)
{
	self->held = held;
	dispatch(self);
	if (!held && self->suspects)
		at_loop_later(self->loop, go_on, self);
}

unsigned at_compilers_jobs(const struct at_compilers *self)
{
	return self->jobs;
}
