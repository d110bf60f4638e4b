/* Measures a device's ceilings in worker processes. */
#include "evaluator/workers/ceilings.h"
#include "base/memory.h"
#include "evaluator/plan.h"
#include "evaluator/workers/board.h"
#include "evaluator/workers/compile_batch.h"
#include "evaluator/workers/probe.h"
#include "measure/ceilings.h"

#include <stdlib.h>
#include <string.h>

/* one or two seconds usually, several times that on a busy host */
#define MEASURE_SECONDS 60.0

struct measuring {
	struct at_awaited answer;
	const struct at_device_info *info;
	char *unit; /* path of the compiled kernels */
	struct at_ceilings *out;
};

static enum at_status request_unit(void *context, size_t index,
	struct at_compile_request *out, struct at_error *err)
{
	const struct measuring *self = context;
	const struct at_own_unit unit = {
		.name = "ceilings.cu",
		.source = at_embedded_ceilings,
		.source_bytes = at_embedded_ceilings_size,
		.options = at_ceilings_options,
		.option_count = at_ceilings_option_count,
		.kernels = at_ceilings_kernels,
		.kernel_count = at_ceilings_kernel_count,
	};

	(void)index;
	(void)err;
	at_plan_compile_own(self->info, &unit, out);
	return AT_OK;
}

static enum at_status compiled(void *context, size_t index, const char *path,
	const struct at_compile_result *result, struct at_error *err)
{
	struct measuring *self = context;
	char line[512];

	(void)index;
	if (result->outcome == AT_OUTCOME_OK) {
		self->unit = at_strdup(path);
		return AT_OK;
	}
	at_compile_first_error(result->log, line, sizeof(line));
	return at_fail(err, AT_EDEVICE, NULL, 0,
		"the tuner's own kernels do not compile for it: %s", line);
}

static void ceiled(
	void *context, const struct at_ceilings *ceilings, const struct at_error *err)
{
	struct measuring *self = context;

	if (ceilings)
		*self->out = *ceilings;
	at_awaited_came(&self->answer, err);
}

enum at_status at_workers_measure_ceilings(const char *executable,
	const char *device_id, struct at_device_info *info, struct at_ceilings *out,
	struct at_error *err)
{
	struct measuring self = { .info = info, .out = out };
	struct at_compile_work work = {
		.count = 1,
		.request = request_unit,
		.compiled = compiled,
		.context = &self,
	};
	struct at_compile_batch *batch;
	struct at_board *board;
	enum at_status status;

	memset(out, 0, sizeof(*out));
	status = at_compile_batch_open(executable, 1, &batch, err);
	if (status)
		return status;
	self.answer.loop = at_compile_batch_loop(batch);
	at_board_new(self.answer.loop, device_id, &board);
	status = at_probe_open(self.answer.loop, board, info, err);
	if (!status)
		status = at_compile_batch_toolchain(
			batch, info->toolchain, &work.version, err);
	if (!status)
		status = at_compile_batch_run(batch, &work, err);
	if (!status) {
		at_board_ceilings(board, self.unit, MEASURE_SECONDS, ceiled, &self);
		status = at_loop_await(&self.answer, err);
	}
	free(self.unit);
	at_board_free(board);
	at_compile_batch_close(batch);
	return status;
}
