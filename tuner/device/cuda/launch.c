#include "device/cuda/cuda_device.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/*
 * What waiting for the stream gave: whatever a kernel died of stays with the context,
 * also under a number that a refused launch has as well. Page tables and the windows of
 * shared and local memory raise the same one, and it does not say where.
 */
static enum at_outcome lose(
	struct at_cuda_device *self, unsigned code, struct at_error *err)
{
	char text[256];

	at_cuda_describe(self->driver, code, text, sizeof(text));
	self->base.is_lost = true;
	if (code != AT_CUDA_ILLEGAL_ADDRESS) {
		at_fail(err, AT_EDEVICE, NULL, 0, "a kernel died: %s", text);
		return AT_OUTCOME_CRASHED;
	}
	at_fail(err, AT_EDEVICE, NULL, 0,
		"a kernel touched memory outside its buffers, or wrote into one that is only to be read: %s",
		text);
	return AT_OUTCOME_OUT_OF_BOUNDS;
}

/* ---- one launch --------------------------------------------------------- */

static void describe_launch(const struct at_invocation *call, char *buffer, size_t size)
{
	snprintf(buffer, size,
		"kernel \"%s\" with grid %ux%ux%u, block %ux%ux%u, %u bytes of dynamic shared memory",
		call->kernel->name, call->grid[0], call->grid[1], call->grid[2],
		call->block[0], call->block[1], call->block[2], call->shared_bytes);
}

/*
 * Everything that a launch needs beforehand, so that nothing of it happens behind
 * a closed gate.
 */
static enum at_outcome prepare(struct at_cuda_device *self,
	const struct at_invocation *call, struct at_error *err)
{
	struct at_kernel *kernel = call->kernel;
	char text[320];
	unsigned code;

	/* the driver would read past the end of a list that is too short */
	if (kernel->arguments_known && kernel->argument_count != call->argument_count) {
		at_fail(err, AT_EDEVICE, NULL, 0,
			"kernel \"%s\" takes %zu parameters, and the space file gives it %zu arguments",
			kernel->name, kernel->argument_count, call->argument_count);
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	if (AT_RESERVE(self->parameters, self->parameter_capacity, call->argument_count,
		    err))
		return AT_OUTCOME_LAUNCH_FAILED;
	if (call->shared_bytes <= kernel->shared_limit_bytes)
		return AT_OUTCOME_OK;
	/* more than 48 KiB a block has to be asked for; the driver takes an int */
	code = call->shared_bytes > INT32_MAX
		       ? (unsigned)AT_CUDA_INVALID_VALUE
		       : self->driver->function_set(kernel->function,
				 AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES,
				 (int)call->shared_bytes);
	if (!code) {
		kernel->shared_limit_bytes = call->shared_bytes;
		return AT_OUTCOME_OK;
	}
	describe_launch(call, text, sizeof(text));
	/* the only way in which the value can be invalid: there is not so much */
	if (code == AT_CUDA_INVALID_VALUE) {
		at_fail(err, AT_EDEVICE, NULL, 0,
			"%s: a block of this device has no more than %lld, static ones included",
			text,
			(long long)self->base.info.properties
				.value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK]);
		return AT_OUTCOME_TOO_MANY_RESOURCES;
	}
	return at_cuda_refuse(self, err, text, code);
}

static enum at_outcome prepare_all(struct at_cuda_device *self,
	const struct at_invocation *calls, size_t count, struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;

	for (size_t i = 0; i < count && outcome == AT_OUTCOME_OK; i++)
		outcome = prepare(self, &calls[i], err);
	return outcome;
}

/* Queues it; the result of the driver call. The caller has prepared it. */
static unsigned launch(struct at_cuda_device *self, const struct at_invocation *call)
{
	unsigned code;

	for (size_t i = 0; i < call->argument_count; i++)
		/* the driver copies the values and writes nothing */
		self->parameters[i] = call->arguments[i].more
					      ? (void *)call->arguments[i].more
					      : (void *)call->arguments[i].bytes;
	code = self->driver->launch(call->kernel->function, call->grid[0],
		call->grid[1], call->grid[2], call->block[0], call->block[1],
		call->block[2], call->shared_bytes, self->stream, self->parameters,
		NULL);
	at_cuda_gate_count(self);
	return code;
}

static unsigned launch_all(struct at_cuda_device *self,
	const struct at_invocation *calls, size_t count,
	const struct at_invocation **refused)
{
	unsigned code = AT_CUDA_SUCCESS;

	for (size_t i = 0; i < count && !code; i++) {
		*refused = &calls[i];
		code = launch(self, &calls[i]);
	}
	return code;
}

/*
 * After the last call was queued, or refused with `code`: waits for what was queued,
 * since a trap in it outweighs a refusal after it. refused: whose launch it was; NULL
 * when it was none.
 */
static enum at_outcome finish(struct at_cuda_device *self, unsigned code,
	const struct at_invocation *refused, struct at_error *err)
{
	char text[320] = "timing";
	unsigned died;

	at_cuda_gate_open(self);
	died = self->driver->stream_synchronize(self->stream);
	if (died)
		return lose(self, died, err);
	if (!code)
		return AT_OUTCOME_OK;
	if (refused)
		describe_launch(refused, text, sizeof(text));
	return at_cuda_refuse(self, err, text, code);
}

/* ---- the slots ---------------------------------------------------------- */

/*
 * A cluster takes its multiprocessors from one part of the device, and may find too few
 * there however many are free elsewhere: beside a filler it could have to wait for no
 * fault of its own.
 */
static bool is_crowded(const struct at_cuda_device *self,
	const struct at_invocation *calls, size_t count)
{
	if (!self->crowd.multiprocessors)
		return false;
	for (size_t i = 0; i < count; i++)
		if (calls[i].kernel->has_clusters)
			return false;
	return true;
}

/*
 * The calls have ended, or the context is lost. Those that ended only because the
 * filler had given up would not have ended beside it.
 */
static enum at_outcome end_crowd(
	struct at_cuda_device *self, enum at_outcome outcome, struct at_error *err)
{
	bool gave_up;
	unsigned code = at_cuda_crowd_end(self, &gave_up);

	if (code)
		return lose(self, code, err);
	if (!gave_up || outcome != AT_OUTCOME_OK)
		return outcome;
	at_fail(err, AT_EDEVICE, NULL, 0,
		"beside a filler on %u of %lld multiprocessors it had not ended after %.3g s: it waits for blocks that find no room, or for an order of blocks",
		self->crowd.multiprocessors,
		(long long)self->base.info.properties
			.value[AT_PROPERTY_MULTIPROCESSOR_COUNT],
		(double)self->crowd.limit_ns * 1e-9);
	return AT_OUTCOME_TIMED_OUT;
}

enum at_outcome at_cuda_run(struct at_device *base, const struct at_invocation *calls,
	size_t count, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	const struct at_invocation *refused = NULL;
	enum at_outcome outcome = prepare_all(self, calls, count, err);
	bool crowded = is_crowded(self, calls, count);
	unsigned code;

	if (outcome != AT_OUTCOME_OK)
		return outcome;
	/* it was tried when it was asked for; a refusal now is no fault of the calls */
	if (crowded)
		crowded = !at_cuda_crowd_begin(self);
	code = launch_all(self, calls, count, &refused);
	outcome = finish(self, code, refused, err);
	return crowded ? end_crowd(self, outcome, err) : outcome;
}

/* Lets what was queued run; the time between the two events. */
static enum at_outcome end_sample(struct at_cuda_device *self, unsigned code,
	const struct at_invocation *refused, double *duration_ns, struct at_error *err)
{
	enum at_outcome outcome = finish(self, code, refused, err);
	float milliseconds = 0;

	if (outcome != AT_OUTCOME_OK)
		return outcome;
	code = self->driver->event_elapsed(&milliseconds, self->start, self->stop);
	if (code)
		return at_cuda_refuse(self, err, "cuEventElapsedTime", code);
	*duration_ns = (double)milliseconds * 1e6;
	return AT_OUTCOME_OK;
}

/*
 * The gate is closed ahead of the calls before: what empties the cache must run
 * right in front of the kernel, with no time in between for the host to queue it.
 */
enum at_outcome at_cuda_time(struct at_device *base, const struct at_invocation *before,
	size_t before_count, const struct at_invocation *timed, size_t timed_count,
	unsigned launches, double *duration_ns, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	const struct at_invocation *refused = NULL;
	enum at_outcome outcome;
	unsigned code;

	*duration_ns = 0;
	outcome = prepare_all(self, before, before_count, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = prepare_all(self, timed, timed_count, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	code = at_cuda_gate_close(self);
	if (!code)
		code = launch_all(self, before, before_count, &refused);
	if (!code) {
		refused = NULL;
		code = self->driver->event_record(self->start, self->stream);
		at_cuda_gate_count(self);
	}
	for (unsigned i = 0; i < launches && !code; i++) {
		refused = &timed[i % timed_count];
		code = launch(self, refused);
	}
	if (!code) {
		refused = NULL;
		code = self->driver->event_record(self->stop, self->stream);
	}
	return end_sample(self, code, refused, duration_ns, err);
}

/*
 * What launches would do, recorded as a graph. That it cannot be made says nothing of
 * the calls, nor of the device: what ails that shows when it is waited for.
 */
static enum at_outcome make_graph(struct at_cuda_device *self,
	const struct at_invocation *calls, size_t count, struct CUgraphExec_st **out,
	struct at_error *err)
{
	const struct at_cuda_driver *driver = self->driver;
	const struct at_invocation *refused = NULL;
	struct CUgraph_st *graph = NULL;
	unsigned code =
		driver->capture_begin(self->stream, AT_CUDA_CAPTURE_THREAD_LOCAL);
	unsigned ended;

	if (!code) {
		code = launch_all(self, calls, count, &refused);
		/* in any case, or the stream would go on recording */
		ended = driver->capture_end(self->stream, &graph);
		if (!code)
			code = ended;
	}
	if (!code)
		code = driver->graph_instantiate(out, graph, 0);
	if (graph)
		(void)!driver->graph_release(graph);
	if (!code)
		return AT_OUTCOME_OK;
	at_cuda_fail(driver, err, AT_EDEVICE, "making a graph of launches", code);
	return AT_OUTCOME_NOT_APPLICABLE;
}

/*
 * Without a gate: nothing is known of graphs that wait behind one. While the first
 * launch of the graph runs the host queues the second, which is timed.
 */
enum at_outcome at_cuda_time_graph(struct at_device *base,
	const struct at_invocation *calls, size_t count, double *durations_ns,
	size_t samples, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	const struct at_cuda_driver *driver = self->driver;
	struct CUgraphExec_st *graph = NULL;
	enum at_outcome outcome = prepare_all(self, calls, count, err);

	if (outcome == AT_OUTCOME_OK)
		outcome = make_graph(self, calls, count, &graph, err);
	for (size_t i = 0; i < samples && outcome == AT_OUTCOME_OK; i++) {
		unsigned code = driver->graph_launch(graph, self->stream);

		if (!code)
			code = driver->event_record(self->start, self->stream);
		if (!code)
			code = driver->graph_launch(graph, self->stream);
		if (!code)
			code = driver->event_record(self->stop, self->stream);
		durations_ns[i] = 0;
		outcome = end_sample(self, code, NULL, &durations_ns[i], err);
	}
	if (graph)
		(void)!driver->graph_end(graph);
	return outcome;
}

/*
 * The first copy of all runs ahead of any gate: whatever the driver sets up for it
 * must not have to wait for a gate that is opened only afterwards.
 */
enum at_outcome at_cuda_time_copy(struct at_device *base, struct at_memory *to,
	struct at_memory *from, uint64_t bytes, unsigned copies, double *duration_ns,
	struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	enum at_outcome outcome = AT_OUTCOME_OK;
	unsigned code;

	*duration_ns = 0;
	if (at_cuda_check_range(to, AT_PROTECTION_WRITE, 0, bytes, err) ||
		at_cuda_check_range(from, AT_PROTECTION_READ, 0, bytes, err))
		return AT_OUTCOME_LAUNCH_FAILED;
	if (!self->has_copied) {
		code = self->driver->copy_within(
			to->address, from->address, (size_t)bytes, self->stream);
		outcome = finish(self, code, NULL, err);
	}
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	self->has_copied = true;
	code = at_cuda_gate_close(self);
	if (!code)
		code = self->driver->event_record(self->start, self->stream);
	at_cuda_gate_count(self);
	for (unsigned i = 0; i < copies && !code; i++) {
		code = self->driver->copy_within(
			to->address, from->address, (size_t)bytes, self->stream);
		at_cuda_gate_count(self);
	}
	if (!code)
		code = self->driver->event_record(self->stop, self->stream);
	return end_sample(self, code, NULL, duration_ns, err);
}
