/* Measures a device's ceilings in worker processes, step by step on a loop of its
   own. */
#include "evaluator/workers/ceilings.h"
#include "base/file.h"
#include "evaluator/plan.h"
#include "evaluator/workers/board.h"
#include "evaluator/workers/compilers.h"
#include "evaluator/workers/probe.h"
#include "measure/ceilings.h"

#include <stdlib.h>
#include <string.h>

/* it takes one or two seconds, and several times that on a busy host */
#define MEASURE_SECONDS 60.0

struct measuring {
	struct at_loop *loop;
	struct at_compilers *compilers;
	struct at_board *board;
	char *unit; /* path of the compiled kernels */
	struct at_ceilings *out;
	struct at_error error; /* of the step that is waited for */
	bool done; /* that step has ended */
};

/* Ends the step that is waited for. */
static void finish(struct measuring *self, const struct at_error *err)
{
	if (err)
		self->error = *err;
	self->done = true;
	at_loop_stop(self->loop);
}

/* Runs the loop until the step has ended. */
static enum at_status wait_for(struct measuring *self, struct at_error *err)
{
	while (!self->done && !at_loop_interrupted(self->loop))
		at_loop_run(self->loop);
	if (!self->done)
		return at_fail(err, AT_EINTERRUPTED, NULL, 0,
			"interrupted before the ceilings were measured");
	if (self->error.status && err && !err->status)
		*err = self->error;
	self->done = false;
	return self->error.status;
}

static void interrupted(void *context)
{
	struct measuring *self = context;

	at_loop_stop(self->loop); /* wait_for() then asks at_loop_interrupted() */
}

/* ---- compiling ------------------------------------------------------------ */

static void compiled(
	void *context, struct at_compile_result *result, const struct at_error *err)
{
	struct measuring *self = context;
	struct at_error reason = { 0 };
	char line[512];

	if (err) {
		reason = *err;
	} else if (result->outcome != AT_OUTCOME_OK) {
		at_compile_first_error(
			result->log ? result->log : "", line, sizeof(line));
		at_fail(&reason, AT_EDEVICE, NULL, 0,
			"the tuner's own kernels do not compile for it: %s", line);
	}
	finish(self, reason.status ? &reason : NULL);
}

static enum at_status compile(
	struct measuring *self, const struct at_device_info *info, struct at_error *err)
{
	const struct at_own_unit unit = {
		.name = "ceilings.cu",
		.source = at_embedded_ceilings,
		.source_bytes = at_embedded_ceilings_size,
		.options = at_ceilings_options,
		.option_count = at_ceilings_option_count,
		.kernels = at_ceilings_kernels,
		.kernel_count = at_ceilings_kernel_count,
	};
	struct at_compile_request request;
	enum at_status status = AT_OK;

	at_plan_compile_own(info, &unit, &request);

	/* not from the cache, since this is compiled only once for each model */
	self->unit = at_path_join(at_loop_folder(self->loop), "ceilings.unit");
	status = at_compilers_submit(
		self->compilers, &request, self->unit, false, compiled, self, err);
	at_compile_request_release(&request);
	if (status)
		return status;
	status = wait_for(self, err);
	at_compilers_forget(self->compilers, self);
	return status;
}

/* ---- measuring ------------------------------------------------------------ */

static void ceiled(
	void *context, const struct at_ceilings *ceilings, const struct at_error *err)
{
	struct measuring *self = context;

	if (ceilings)
		*self->out = *ceilings;
	finish(self, err);
}

static enum at_status measure(struct measuring *self, struct at_error *err)
{
	at_board_ceilings(self->board, self->unit, MEASURE_SECONDS, ceiled, self);

	return wait_for(self, err);
}

enum at_status at_workers_measure_ceilings(const char *executable,
	const char *device_id, struct at_device_info *info, struct at_ceilings *out,
	struct at_error *err)
{
	struct measuring self = { .out = out };
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	status = at_loop_new(executable, &self.loop, err);
	if (status)
		return status;
	status = at_loop_watch_signals(self.loop, interrupted, &self, err);
	if (!status)
		at_compilers_new(self.loop, 1, &self.compilers);
	if (!status)
		at_board_new(self.loop, device_id, &self.board);
	if (!status)
		status = at_probe_open(self.loop, self.board, info, err);
	if (!status)
		status = compile(&self, info, err);
	if (!status)
		status = measure(&self, err);
	free(self.unit);
	at_board_free(self.board);
	at_compilers_free(self.compilers);
	at_loop_free(self.loop);
	return status;
}
