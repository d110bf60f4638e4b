/* Compiles a batch of units with its own compiler pool, and reports them in order. */
#include "evaluator/workers/compile_batch.h"

#include "base/memory.h"
#include "base/quota.h"
#include "evaluator/workers/compile_queue.h"
#include "evaluator/workers/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct at_compile_batch {
	struct at_loop *loop;
	struct at_compile_queue *compile_queue;
	/* the last toolchain requested, and its version; "": none yet */
	char toolchain[AT_TOOLCHAIN_NAME_SIZE];
	char version[256];
};

struct run;

/* A unit in progress. */
struct unit {
	struct run *run;
	bool is_done;
	char *path; /* NULL: there was nothing to compile */
	/* the encoded result, which waits for those before it */
	struct at_wire_writer result;
};

struct run {
	struct at_compile_batch *batch;
	const struct at_compile_work *work;
	struct unit *units;
	size_t begun, told;
	size_t pending; /* in the compiler pool */
	struct at_error error;
};

static void pump(struct run *self);

static void compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *err)
{
	struct unit *unit = context;
	struct run *self = unit->run;

	unit->is_done = true;
	self->pending--;
	if (err && !self->error.status)
		self->error = *err;
	if (!err) {
		unit->path = at_strdup(path);
		at_fields_put(&at_compile_result_fields, result, &unit->result);
	}
	pump(self);
}

static void begin(struct run *self, size_t index)
{
	const struct at_compile_work *work = self->work;
	struct unit *unit = &self->units[index];
	struct at_compile_request request = { 0 };

	unit->run = self;
	if (work->request(work->context, index, &request, &self->error))
		return;
	unit->is_done = !request.source;
	if (request.source &&
		!at_compile_queue_want(self->batch->compile_queue, &request,
			at_compile_identity(&request, work->version), false, compiled,
			unit, &self->error))
		self->pending++;
	at_compile_request_release(&request);
}

static void tell(struct run *self, size_t index)
{
	const struct at_compile_work *work = self->work;
	struct unit *unit = &self->units[index];
	const struct at_strbuf *bytes = &unit->result.bytes;
	struct at_compile_result result = { 0 };
	struct at_wire_reader in;

	at_wire_reader_init(&in, at_strbuf_text(bytes), bytes->length);
	if (unit->path)
		at_fields_get(&at_compile_result_fields, &in, &result);
	work->compiled(work->context, index, unit->path, unit->path ? &result : NULL,
		&self->error);
	at_compile_result_release(&result);
	free(unit->path);
	unit->path = NULL;
	at_strbuf_release(&unit->result.bytes);
}

/* Reports finished units and keeps the compilers busy. Makes only as many requests
   ahead as that needs, since sources are large. */
static void pump(struct run *self)
{
	size_t depth = 2 * (size_t)at_compilers_jobs(at_compile_queue_compilers(
				   self->batch->compile_queue)) +
		       2;

	while (!self->error.status) {
		if (self->told < self->begun && self->units[self->told].is_done)
			tell(self, self->told++);
		else if (self->begun < self->work->count && self->pending < depth)
			begin(self, self->begun++);
		else
			break;
	}
	if (self->error.status || self->told == self->work->count)
		at_loop_stop(self->batch->loop);
}

enum at_status at_compile_batch_run(struct at_compile_batch *self,
	const struct at_compile_work *work, struct at_error *err)
{
	struct run run = { .batch = self, .work = work };

	run.units = at_calloc(work->count + 1, sizeof(*run.units));
	pump(&run);
	while (!run.error.status && run.told < work->count &&
		!at_loop_interrupted(self->loop))
		at_loop_run(self->loop);
	if (!run.error.status && run.told < work->count)
		at_fail(&run.error, AT_EINTERRUPTED, NULL, 0, "interrupted");
	for (size_t i = 0; i < run.begun; i++) {
		at_compile_queue_forget(self->compile_queue, &run.units[i]);
		free(run.units[i].path);
		at_strbuf_release(&run.units[i].result.bytes);
	}
	free(run.units);
	if (err && !err->status)
		*err = run.error;
	return run.error.status;
}

static void interrupted(void *context)
{
	struct at_compile_batch *self = context;

	at_loop_stop(self->loop);
}

enum at_status at_compile_batch_open(const char *executable, unsigned jobs,
	struct at_compile_batch **out, struct at_error *err)
{
	struct at_compile_batch *self = at_calloc(1, sizeof(*self));
	enum at_status status = at_loop_new(executable, &self->loop, err);

	if (!status)
		status = at_loop_watch_signals(self->loop, interrupted, self, err);
	if (!status)
		status = at_compile_queue_new(self->loop,
			jobs ? jobs : at_quota_usable_cores(), false,
			&self->compile_queue, err);
	if (status) {
		at_compile_batch_close(self);
		return status;
	}
	*out = self;
	return AT_OK;
}

void at_compile_batch_close(struct at_compile_batch *self)
{
	if (!self)
		return;
	at_compile_queue_free(self->compile_queue);
	at_loop_free(self->loop);
	free(self);
}

struct at_loop *at_compile_batch_loop(struct at_compile_batch *self)
{
	return self->loop;
}

enum at_status at_compile_batch_toolchain(struct at_compile_batch *self,
	const char *toolchain, const char **version, struct at_error *err)
{
	enum at_status status;

	*version = self->version;
	if (self->toolchain[0] && !strcmp(self->toolchain, toolchain))
		return AT_OK;
	/* only a version is kept: a missing toolchain is requested again */
	self->toolchain[0] = '\0';
	status = at_probe_toolchain(self->loop,
		at_compile_queue_compilers(self->compile_queue), toolchain,
		self->version, sizeof(self->version), err);
	if (!status)
		snprintf(self->toolchain, sizeof(self->toolchain), "%s", toolchain);
	return status;
}

enum at_status at_compile_batch_newest(
	struct at_compile_batch *self, char *name, size_t size, struct at_error *err)
{
	return at_probe_newest_architecture(self->loop,
		at_compile_queue_compilers(self->compile_queue), name, size, err);
}
