/* The compile workers: the job queue, the compilers, and second tries of units whose
   failure may be the machine's. */
#include "evaluator/workers/compilers.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "evaluator/workers/recovery.h"
#include "kernel/toolchain.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The slowest unit seen takes seconds; a compiler in an endless loop must be ended. */
#define COMPILER_SECONDS 300.0
/* Once a unit was compiled, other units that are not urgent may take this many times
   the longest. The limit is at least COMPILER_LEAST seconds, which exceeds the limit of
   silence. */
#define COMPILER_LONGER 10.0
#define COMPILER_LEAST 90.0
/* A unit that no caller wants is nearly done if no unit has taken as long; but other
   units wait for its cores. */
#define FORGOTTEN_SECONDS 2.0
#define FORGOTTEN_LEAST 0.01
/* A unit is slow ("dear") if it takes DEAR times the median of at least DEAR_UNITS
   units. */
#define DEAR 10.0
#define DEAR_LEAST_SECONDS 1.0
#define DEAR_UNITS 3
/* ends a compiler that waits for ever; a disk that wakes up takes seconds */
#define COMPILER_QUIET_SECONDS 60.0

/* One request to a compiler. */
struct compile_job {
	struct compile_job *next;
	enum at_message type; /* COMPILE, TOOLCHAIN, ARCHITECTURES or COVER */
	struct at_wire_writer body;
	char *path; /* COMPILE: the unit's file; NULL: none */
	char *toolchain, *architecture; /* COMPILE */
	bool is_canary; /* a small unit that compiles on a healthy machine */
	bool is_urgent;
	double deadline_seconds; /* of the last sending */
	at_compiled compiled;
	at_versioned versioned;
	void *context; /* NULL: the caller has forgotten it */
	/* after a failure that may be the machine's: its kind, and the answer if the
	   machine is well */
	bool was_killed;
	struct at_compile_result kept;
	struct at_error kept_error;
};

/* A slot for one compile worker. */
struct compiler {
	struct at_compilers *owner;
	struct at_worker *worker; /* NULL: not started */
	struct compile_job *job; /* NULL: idle */
	uint64_t begun_ns;
};

struct at_compilers {
	struct at_loop *loop;
	unsigned jobs; /* the most units at once */
	unsigned places; /* the length of compilers: `jobs` before any limit */
	struct compiler *compilers;
	struct compile_job *first; /* the queue */
	struct compile_job **last;
	size_t waiting;
	size_t running;
	bool held;
	unsigned reserved; /* see at_compilers_reserve() */
	double longest_seconds; /* of the compiled units; 0: none yet */
	double *seconds; /* of all compiled units, ascending */
	size_t second_count, second_capacity;
	bool has_worked; /* a compiler has compiled a unit, or found an error in one */
	/* jobs whose failure may be the machine's: tried again alone, one by one */
	struct compile_job *suspects;
	struct at_recovery recovery; /* of the first suspect */
	bool is_patient; /* see at_compilers_be_patient() */
	bool has_given_up; /* the machine stayed unwell, and nothing has worked since */
	bool is_timed; /* a timer of the loop ends the present pause */
	/* why no process starts for the first job in the queue; reported from the
	   loop */
	struct at_error error;
	bool tells_later; /* that report is pending */
};

static const struct at_worker_events events;

/* ---- the queue ---- */

static void free_job(struct compile_job *job)
{
	if (!job)
		return;
	at_compile_result_release(&job->kept);
	free(job->path);
	free(job->toolchain);
	free(job->architecture);
	at_strbuf_release(&job->body.bytes);
	free(job);
}

/* Answers a job, unless its caller has forgotten it, and releases it. */
static void finish(struct compile_job *job, struct at_compile_result *result,
	const char *version, const struct at_error *err)
{
	if (job->context && job->compiled)
		job->compiled(job->context, result, err);
	else if (job->context && job->versioned)
		job->versioned(job->context, version, err);
	free_job(job);
}

/* Whether the path is in this run's own folder, which has no substitute. */
static bool is_own(const struct at_compilers *self, const char *path)
{
	const char *own = at_loop_folder(self->loop);

	return own[0] && !strncmp(path, own, strlen(own));
}

static void push_first(struct at_compilers *self, struct compile_job *job)
{
	self->waiting++;
	job->next = self->first;
	self->first = job;
	if (!job->next)
		self->last = &job->next;
}

static struct compile_job *pop(struct at_compilers *self)
{
	struct compile_job *job = self->first;

	self->first = job->next;
	if (!self->first)
		self->last = &self->first;
	self->waiting--;
	return job;
}

/* An idle compiler, preferably with a process; NULL: none is idle. */
static struct compiler *find_idle(struct at_compilers *self)
{
	struct compiler *fresh = NULL;

	for (unsigned i = 0; i < self->jobs; i++) {
		if (self->compilers[i].job)
			continue;
		if (self->compilers[i].worker)
			return &self->compilers[i];
		if (!fresh)
			fresh = &self->compilers[i];
	}
	return fresh;
}

/* Gives a job to an idle compiler, starting its process if needed. On failure the job
   is still the caller's. */
static enum at_status begin(
	struct at_compilers *self, struct compile_job *job, struct at_error *err)
{
	struct compiler *compiler = find_idle(self);
	enum at_status status = AT_OK;

	if (!compiler->worker)
		status = at_worker_spawn(self->loop, "compile", &events, compiler,
			&compiler->worker, err);
	if (status)
		return status;
	compiler->job = job;
	self->running++;
	compiler->begun_ns = at_clock_now_ns();
	job->deadline_seconds = COMPILER_SECONDS;
	if (!job->is_urgent && self->longest_seconds > 0)
		job->deadline_seconds = fmin(COMPILER_SECONDS,
			fmax(COMPILER_LONGER * self->longest_seconds, COMPILER_LEAST));
	at_worker_is_at(compiler->worker, NULL,
		job->type == AT_MESSAGE_COMPILE ? "compiling"
		: job->type == AT_MESSAGE_COVER
			? "measuring coverage"
			: "asking the compiler for its version");
	/* the job keeps its message for sending it again if the process is killed */
	at_worker_send_kept(compiler->worker, job->type, &job->body.bytes);
	at_worker_deadline(compiler->worker, job->deadline_seconds);
	at_worker_expect_work(compiler->worker, COMPILER_QUIET_SECONDS);
	return AT_OK;
}

/* ---- second tries ---- */

static const char *what_failed(const struct compile_job *job)
{
	static char line[512];

	if (job->kept_error.status)
		return at_error_format(&job->kept_error, line, sizeof(line));
	at_compile_first_error(job->kept.log, line, sizeof(line));
	return line;
}

static void wake(void *context);

static struct compile_job *take_suspect(struct at_compilers *self)
{
	struct compile_job *job = self->suspects;

	self->suspects = job->next;
	self->waiting--;
	return job;
}

/* The unit failed while the machine is well: the failure becomes its answer. */
static void blame(struct at_compilers *self)
{
	struct compile_job *job = take_suspect(self);
	struct at_compile_result result = { .outcome = AT_OUTCOME_COMPILE_FAILED };
	struct at_strbuf log = { 0 };

	at_recovery_end(&self->recovery);
	if (job->versioned) {
		finish(job, &result, NULL, &job->kept_error);
		return;
	}
	at_strbuf_addf(&log, "error: %s " AT_RECOVERY_VERDICT "\n", what_failed(job));
	at_strbuf_add(&log, job->kept.log ? job->kept.log : "");
	result.log = at_strbuf_detach(&log);
	finish(job, &result, NULL, NULL);
	at_compile_result_release(&result);
}

/* Makes the job of a small unit that compiles on a healthy machine, for the suspect's
   toolchain and architecture. */
static struct compile_job *make_canary(
	const struct at_compilers *self, const struct compile_job *suspect)
{
	static char source[] =
		"extern \"C\" __global__ void autotune_canary(float *x)\n"
		"{\n"
		"  x[threadIdx.x] += 1.0f;\n"
		"}\n";
	static char name[] = "canary.cu", directory[] = "";
	const struct at_compile_request canary = {
		.toolchain = suspect->toolchain,
		.architecture = suspect->architecture,
		.name = name,
		.directory = directory,
		.source = source,
	};
	struct compile_job *job = at_calloc(1, sizeof(*job));
	struct at_strbuf unit = { 0 };

	job->type = AT_MESSAGE_COMPILE;
	job->is_canary = true;
	/* written next to the suspect's unit if that is in the run's own folder, and
	   removed later */
	if (suspect->path && is_own(self, suspect->path)) {
		at_strbuf_addf(&unit, "%s.canary", suspect->path);
		job->path = at_strbuf_detach(&unit);
	}
	at_wire_put_text(&job->body, job->path ? job->path : "");
	at_fields_put(&at_compile_request_fields, &canary, &job->body);
	return job;
}

static void probed(struct at_compilers *self, const char *unwell)
{
	/* after waiting in vain once, do not wait again until something has worked */
	bool is_patient = self->is_patient && !self->has_given_up;

	at_recovery_probed(&self->recovery, unwell, is_patient ? at_patience_ns() : 0,
		at_clock_now_ns());
}

/* Checks the machine and compiles the canary. */
static void probe(struct at_compilers *self)
{
	struct at_error err = { 0 };
	struct compile_job *canary;
	char why[400];

	at_machine_check(at_loop_folder(self->loop), why, sizeof(why));
	/* for version and architectures the second try is itself the probe */
	if (why[0] || self->suspects->type != AT_MESSAGE_COMPILE) {
		probed(self, why);
		return;
	}
	canary = make_canary(self, self->suspects);
	if (begin(self, canary, &err)) {
		free_job(canary);
		probed(self, err.text);
	}
}

/* Takes over a failed job, which already describes its failure. */
static void suspect(struct at_compilers *self, struct compile_job *job)
{
	struct compile_job **last = &self->suspects;

	if (job->is_canary) {
		if (self->suspects && self->recovery.step == AT_STEP_PROBE)
			probed(self, what_failed(job));
		free_job(job);
		return;
	}
	self->waiting++;
	if (self->recovery.step == AT_STEP_TRY) {
		/* this job was being tried again */
		job->next = self->suspects;
		self->suspects = job;
		at_recovery_failed(&self->recovery, job->was_killed, what_failed(job),
			at_clock_now_ns());
		return;
	}
	while (*last)
		last = &(*last)->next;
	job->next = NULL;
	*last = job;
}

/* Tries suspects again. Called from the loop only. */
static void recover(struct at_compilers *self)
{
	while (self->suspects && !self->running && !self->held) {
		const uint64_t now_ns = at_clock_now_ns();
		const uint64_t due_ns = self->recovery.due_ns;
		const uint64_t left_ns = due_ns > now_ns ? due_ns - now_ns : 0;
		struct at_error err = { 0 };
		struct compile_job *job;

		switch (self->recovery.step) {
		case AT_STEP_NONE:
			at_recovery_failed(&self->recovery, self->suspects->was_killed,
				what_failed(self->suspects), now_ns);
			break;
		case AT_STEP_WAIT:
			if (!self->is_timed)
				at_loop_after(self->loop,
					(unsigned)(left_ns / 1000000) + 1, wake, self);
			self->is_timed = true;
			return;
		case AT_STEP_PROBE:
			probe(self);
			break;
		case AT_STEP_TRY:
			job = take_suspect(self);
			if (begin(self, job, &err)) {
				job->kept_error = err;
				suspect(self, job);
			}
			break;
		case AT_STEP_BLAME:
			blame(self);
			break;
		case AT_STEP_GIVE_UP:
			/* the machine stayed unwell */
			job = take_suspect(self);
			at_recovery_error(&self->recovery, &err);
			self->has_given_up = true;
			at_recovery_end(&self->recovery);
			finish(job, &(struct at_compile_result){ 0 }, NULL, &err);
			break;
		}
	}
}

/* A compiler has done the job, so the machine is well enough. */
static void trust(struct at_compilers *self, struct compile_job *job)
{
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
	/* the machine is well again, and its trouble may have hit all suspects: they
	   need not run alone */
	while (self->suspects)
		push_first(self, take_suspect(self));
}

/* Drops the jobs of this context from a list; returns where the list ends. */
static struct compile_job **forget_jobs(
	struct at_compilers *self, struct compile_job **link, const void *context)
{
	while (*link) {
		struct compile_job *job = *link;

		if (job->context != context) {
			link = &job->next;
			continue;
		}
		*link = job->next;
		self->waiting--;
		free_job(job);
	}
	return link;
}

void at_compilers_be_patient(struct at_compilers *self)
{
	self->is_patient = true;
}

void at_compilers_trouble(const struct at_compilers *self, char *text, size_t size)
{
	at_recovery_describe(&self->recovery, text, size);
}

/* ---- what the compilers answer ---- */

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

/* Ends the process, to free its memory and files for the next try. */
static void end_process(struct compiler *self)
{
	at_worker_free(self->worker);
	self->worker = NULL;
}

/* Whether an error may be the machine's. A compiler that never worked will not appear
   by waiting; one that has worked may come back soon. A cache that is not writable is
   no reason to wait either, since the run has another folder. */
static bool may_be_machines(const struct at_compilers *self,
	const struct compile_job *job, const struct at_error *err)
{
	bool is_users = job->path && !is_own(self, job->path);

	if (job->is_canary)
		return true;
	if (err->status == AT_EUNAVAILABLE || job->versioned)
		return self->has_worked;
	if (err->status == AT_EIO)
		return !(is_users && err->file[0] &&
			 !strncmp(job->path, err->file, sizeof(err->file) - 1));
	return at_error_is_lack(err);
}

static void go_on(void *context);

/* A compiler has finished a job. may_be_machines: the result is kept, and the job is
   tried again. Takes ownership of the result's members. */
static void conclude(struct compiler *self, struct compile_job *job,
	struct at_compile_result *result, const char *version,
	const struct at_error *err, bool may_be_machines, bool was_killed)
{
	struct at_compilers *owner = self->owner;

	if (!job->context && !job->is_canary) {
		/* Its caller has forgotten the job, which may have been killed for
		   that: its end says nothing about the machine, and the next suspect
		   has its own recovery. */
		if (owner->recovery.step == AT_STEP_TRY)
			at_recovery_end(&owner->recovery);
		free_job(job);
	} else if (may_be_machines) {
		end_process(self);
		at_compile_result_release(&job->kept);
		job->kept = *result;
		memset(result, 0, sizeof(*result));
		job->kept_error = *err;
		job->was_killed = was_killed;
		suspect(owner, job);
	} else {
		trust(owner, job);
		finish(job, result, version, err->status ? err : NULL);
	}
	at_compile_result_release(result);
	go_on(owner);
}

/* How long the compiler has had the job. */
static double seconds_of(const struct compiler *self)
{
	return (double)(at_clock_now_ns() - self->begun_ns) * 1e-9;
}

static void compiler_message(
	void *context, enum at_message type, const void *body, size_t size)
{
	struct compiler *self = context;
	struct at_compilers *owner = self->owner;
	double seconds = seconds_of(self);
	struct compile_job *job = take_job(self);
	struct at_compile_result result = { 0 };
	struct at_error err = { 0 };
	struct at_wire_reader in;
	char *version = NULL;
	bool is_unclear = false;

	if (!job)
		return;
	at_wire_reader_init(&in, body, size);
	if (type == AT_MESSAGE_COMPILED && job->type == AT_MESSAGE_COMPILE)
		at_fields_get(&at_compile_result_fields, &in, &result);
	else if (type == AT_MESSAGE_VERSION && job->versioned)
		version = at_wire_get_text(&in);
	else if (type == AT_MESSAGE_FAILED)
		at_fields_get(&at_error_fields, &in, &err);
	else
		in.failed = true;
	if (!at_wire_done(&in)) {
		at_compile_result_release(&result);
		memset(&result, 0, sizeof(result));
		at_error_clear(&err);
		at_fail(&err, AT_EPROTOCOL, NULL, 0,
			"a compile worker sent an odd message");
	}
	if (result.outcome == AT_OUTCOME_OK) {
		size_t place = owner->second_count++;

		owner->longest_seconds = fmax(owner->longest_seconds, seconds);
		AT_GROW(owner->seconds, owner->second_capacity, owner->second_count);
		for (; place && owner->seconds[place - 1] > seconds; place--)
			owner->seconds[place] = owner->seconds[place - 1];
		owner->seconds[place] = seconds;
	}
	/* or it failed for a reason outside its source: neither an error nor a missing
	   header, which would still be missing later */
	if (err.status)
		is_unclear = may_be_machines(owner, job, &err);
	else if (result.outcome == AT_OUTCOME_COMPILE_FAILED && !result.is_verdict)
		is_unclear = !at_compile_log_lacks_file(result.log ? result.log : "");
	conclude(self, job, &result, version, &err, is_unclear, false);
	free(version);
}

static void compiler_ended(void *context, const struct at_worker_end *end)
{
	struct compiler *self = context;
	struct compile_job *job = take_job(self);
	struct at_compile_result result = { .outcome = AT_OUTCOME_COMPILE_FAILED };
	struct at_error err = { 0 };
	struct at_strbuf log = { 0 };
	char text[400];
	/* any end but a missed deadline may be the machine's fault */
	bool is_own = end->timed_out && at_end_is_own(end);

	end_process(self);
	if (!job) {
		go_on(self->owner);
		return;
	}
	at_worker_describe_end(end, job->deadline_seconds, text, sizeof(text));
	at_strbuf_addf(&log, "the compiler %s", text);
	result.log = at_strbuf_detach(&log);
	if (job->versioned) {
		at_fail(&err, AT_EUNAVAILABLE, NULL, 0, "%s", result.log);
		at_compile_result_release(&result);
		memset(&result, 0, sizeof(result));
	}
	conclude(self, job, &result, NULL, &err, !is_own, at_end_is_kill(end));
}

static const struct at_worker_events events = { compiler_message, compiler_ended };

static void dispatch(struct at_compilers *self);

/* From the loop, since an answer must not come from inside the caller's own call. */
static void tell_no_compiler(void *context)
{
	struct at_compilers *self = context;

	self->tells_later = false;
	/* unless the job was forgotten meanwhile, or a compiler runs after all */
	if (self->first && !self->running)
		finish(pop(self), &(struct at_compile_result){ 0 }, NULL, &self->error);
	dispatch(self);
}

/* Gives queued jobs to idle compilers. A job that is not urgent may start if nothing
   runs, whatever is reserved. One free compiler is enough for all reservations: urgent
   units go first in the queue. */
static void dispatch(struct at_compilers *self)
{
	while (self->first && !self->held && !self->suspects && find_idle(self) &&
		(self->first->is_urgent || !self->running ||
			self->running + (self->reserved > 0) < self->jobs)) {
		struct compile_job *job = pop(self);
		struct at_error err = { 0 };

		if (!begin(self, job, &err))
			continue;
		if (self->running || !self->has_worked) {
			push_first(self, job);
			if (self->running || self->tells_later)
				/* a compiler will be free, or the loop reports */
				return;
			self->error = err;
			at_loop_later(self->loop, tell_no_compiler, self);
			self->tells_later = true;
			return;
		}
		job->kept_error = err;
		suspect(self, job);
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

/* From the loop only: tries suspects again, then continues the queue. */
static void go_on(void *context)
{
	struct at_compilers *self = context;

	recover(self);
	dispatch(self);
}

void at_compilers_new(struct at_loop *loop, unsigned jobs, struct at_compilers **out)
{
	struct at_compilers *self = at_calloc(1, sizeof(*self));

	self->compilers = at_calloc(jobs, sizeof(*self->compilers));
	self->loop = loop;
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
		free_job(self->compilers[i].job);
	}
	while (self->first)
		free_job(pop(self));
	while (self->suspects) {
		struct compile_job *next = self->suspects->next;

		free_job(self->suspects);
		self->suspects = next;
	}
	free(self->compilers);
	free(self->seconds);
	free(self);
}

void at_compilers_warm(struct at_compilers *self, unsigned jobs, const char *toolchain)
{
	for (unsigned i = 0; i < jobs && i < self->jobs; i++) {
		struct compiler *compiler = &self->compilers[i];
		struct at_wire_writer body = { { 0 } };

		if (compiler->job)
			continue;
		/* no error here: the next request for a unit tries again and reports */
		if (!compiler->worker && at_worker_spawn(self->loop, "compile", &events,
						 compiler, &compiler->worker, NULL))
			return;
		at_wire_put_text(&body, toolchain);
		at_worker_send(compiler->worker, AT_MESSAGE_WARM, &body);
	}
}

void at_compilers_limit(struct at_compilers *self, unsigned jobs)
{
	/* busy compilers beyond the limit finish their unit */
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
		push_first(self, job);
	} else {
		self->waiting++;
		*self->last = job;
		self->last = &job->next;
	}
	dispatch(self);
}

enum at_status at_compilers_submit(struct at_compilers *self,
	const struct at_compile_request *request, const char *path, bool urgent,
	at_compiled done, void *context, struct at_error *err)
{
	struct compile_job *job;
	enum at_status status = AT_OK;

	/* fail now if a compiler needs a temporary folder and none exists */
	if (!at_loop_folder(self->loop)[0] &&
		at_toolchain_has_files(request->toolchain))
		status = at_scratch_check(err);
	if (status)
		return status;
	job = at_calloc(1, sizeof(*job));
	job->type = AT_MESSAGE_COMPILE;
	job->compiled = done;
	job->context = context;
	job->path = path ? at_strdup(path) : NULL;
	job->toolchain = at_strdup(request->toolchain);
	job->architecture = at_strdup(request->architecture);
	at_wire_put_text(&job->body, path ? path : "");
	at_fields_put(&at_compile_request_fields, request, &job->body);
	enqueue(self, job, urgent);
	return AT_OK;
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

void at_compilers_ask(struct at_compilers *self, enum at_message question,
	const char *toolchain, at_versioned done, void *context)
{
	struct at_wire_writer body = { { 0 } };

	at_wire_put_text(&body, toolchain);
	ask(self, question, &body, done, context);
}

void at_compilers_cover(struct at_compilers *self, struct at_wire_writer *body,
	at_versioned done, void *context)
{
	ask(self, AT_MESSAGE_COVER, body, done, context);
}

void at_compilers_urge(struct at_compilers *self, const void *context)
{
	struct compile_job **link = &self->first;

	while (*link && (*link)->context != context)
		link = &(*link)->next;
	if (*link && !(*link)->is_urgent) {
		struct compile_job *job = *link;

		*link = job->next;
		if (!*link)
			self->last = link;
		self->waiting--;
		enqueue(self, job, true);
	}
}

void at_compilers_forget(struct at_compilers *self, const void *context)
{
	if (self->suspects) {
		/* the next suspect has its own recovery; a pending canary's answer is
		   ignored */
		if (self->suspects->context == context &&
			self->recovery.step != AT_STEP_TRY)
			at_recovery_end(&self->recovery);
		forget_jobs(self, &self->suspects, context);
		/* the queue waited for the suspects */
		at_loop_later(self->loop, go_on, self);
	}
	/* a job without a caller would only keep others waiting */
	self->last = forget_jobs(self, &self->first, context);
	for (unsigned i = 0; i < self->places; i++) {
		struct compiler *one = &self->compilers[i];
		double left;

		if (!one->job || one->job->context != context)
			continue;
		left = one->job->type == AT_MESSAGE_COMPILE
			       ? fmin(FORGOTTEN_SECONDS,
					 self->longest_seconds - seconds_of(one))
			       : 0;
		one->job->context = NULL;
		one->job->deadline_seconds = fmax(left, FORGOTTEN_LEAST);
		at_worker_end_after(one->worker, one->job->deadline_seconds);
	}
}

double at_compilers_seconds(const struct at_compilers *self, const void *context)
{
	for (unsigned i = 0; i < self->places; i++)
		if (self->compilers[i].job &&
			self->compilers[i].job->context == context)
			return seconds_of(&self->compilers[i]);
	return 0;
}

double at_compilers_slow_seconds(const struct at_compilers *self)
{
	return self->second_count < DEAR_UNITS
		       ? 0
		       : fmax(DEAR * self->seconds[self->second_count / 2],
				 DEAR_LEAST_SECONDS);
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
