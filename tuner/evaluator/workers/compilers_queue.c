/* The queue of jobs, and the compilers that take them. */
#include "evaluator/workers/compilers_parts.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void compilers_free_job(struct compile_job *job)
{
	if (!job)
		return;
	at_compile_result_release(&job->kept);
	free(job->path);
	at_strbuf_release(&job->body.bytes);
	free(job);
}

void compilers_finish(struct compile_job *job, struct at_compile_result *result,
	const char *version, const struct at_error *err)
{
	if (job->context && job->compiled)
		job->compiled(job->context, result, err);
	else if (job->context && job->versioned)
		job->versioned(job->context, version, err);
	compilers_free_job(job);
}

bool compilers_is_own(const struct at_compilers *self, const char *path)
{
	const char *own = at_loop_folder(self->loop);

	return own[0] && !strncmp(path, own, strlen(own));
}

void compilers_push_first(struct at_compilers *self, struct compile_job *job)
{
	self->waiting++;
	job->next = self->first;
	self->first = job;
	if (!job->next)
		self->last = &job->next;
}

struct compile_job *compilers_pop(struct at_compilers *self)
{
	struct compile_job *job = self->first;

	self->first = job->next;
	if (!self->first)
		self->last = &self->first;
	self->waiting--;
	return job;
}

struct compiler *compilers_find_idle(struct at_compilers *self)
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

static double deadline_of(
	const struct at_compilers *self, const struct compile_job *job)
{
	double seconds = fmax(COMPILER_LONGER * self->longest_seconds, COMPILER_LEAST);

	return job->is_urgent || self->longest_seconds <= 0
		       ? COMPILER_SECONDS
		       : fmin(seconds, COMPILER_SECONDS);
}

/* The job keeps its message, since it is sent again if the process is killed. */
static void send_job(struct compiler *self)
{
	self->begun_ns = at_clock_now_ns();
	self->job->deadline_seconds = deadline_of(self->owner, self->job);
	at_worker_is_at(self->worker, NULL,
		self->job->type == AT_MESSAGE_COMPILE ? "compiling"
		: self->job->type == AT_MESSAGE_COVER
			? "measuring coverage"
			: "asking the compiler for its version");
	at_worker_send_kept(self->worker, self->job->type, &self->job->body.bytes);
	at_worker_deadline(self->worker, self->job->deadline_seconds);
	at_worker_expect_work(self->worker, COMPILER_QUIET_SECONDS);
}

enum at_status compilers_begin(
	struct at_compilers *self, struct compile_job *job, struct at_error *err)
{
	struct compiler *compiler = compilers_find_idle(self);
	enum at_status status = AT_OK;

	if (!compiler->worker)
		status = at_worker_spawn(self->loop, "compile", self->events, compiler,
			&compiler->worker, err);
	if (status)
		return status;
	compiler->job = job;
	self->running++;
	send_job(compiler);
	return AT_OK;
}
