/* Launches: run(), run_timed(), time(), time_graph(), time_copy() and count() of a CUDA
 * device.
 */
#include "device/cuda/cuda_device.h"
#include "base/clock.h"
#include "base/memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* ---- driver codes as outcomes of a configuration ------------------------------- */

/*
 * Codes of a rejected load or launch after which the context still works. All other
 * codes (an illegal address, a trap, an uncorrectable memory error, ...) are sticky:
 * every later call returns them again.
 */
static const struct {
	enum at_cuda_result code;
	enum at_outcome outcome;
} refusals[] = {
	{ AT_CUDA_INVALID_VALUE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_OUT_OF_MEMORY, AT_OUTCOME_TOO_MANY_RESOURCES },
	{ AT_CUDA_INVALID_IMAGE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_NO_BINARY_FOR_GPU, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_INVALID_PTX, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_JIT_COMPILER_NOT_FOUND, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_UNSUPPORTED_PTX_VERSION, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_UNSUPPORTED_DEVSIDE_SYNC, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_INVALID_SOURCE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_SYMBOL_NOT_FOUND, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_INVALID_HANDLE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_NOT_FOUND, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_LAUNCH_OUT_OF_RESOURCES, AT_OUTCOME_TOO_MANY_RESOURCES },
	{ AT_CUDA_COOPERATIVE_LAUNCH_TOO_LARGE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_NOT_SUPPORTED, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_INVALID_CLUSTER_SIZE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_FUNCTION_NOT_LOADED, AT_OUTCOME_LAUNCH_FAILED },
};

enum at_outcome at_cuda_judge(struct at_cuda_device *self, unsigned code)
{
	for (size_t i = 0; i < AT_COUNT_OF(refusals); i++)
		if (refusals[i].code == code)
			return refusals[i].outcome;
	self->base.is_lost = true;
	switch (code) {
	case AT_CUDA_ILLEGAL_ADDRESS:
		return AT_OUTCOME_OUT_OF_BOUNDS;
	case AT_CUDA_LAUNCH_TIMEOUT: /* on a board with a display */
		return AT_OUTCOME_TIMED_OUT;
	default:
		return AT_OUTCOME_CRASHED;
	}
}

/*
 * The status for a driver code. AT_EUNAVAILABLE: the board or another process is at
 * fault (uncorrectable memory, MPS), not the kernel; AT_ENOMEM: out of memory; else
 * AT_EDEVICE.
 */
static enum at_status status_of(unsigned code)
{
	if (code == AT_CUDA_ECC_UNCORRECTABLE || code == AT_CUDA_NVLINK_UNCORRECTABLE ||
		(code >= AT_CUDA_MPS_CONNECTION_FAILED &&
			code <= AT_CUDA_MPS_CLIENT_TERMINATED))
		return AT_EUNAVAILABLE;
	/* another process may hold the memory, and release it */
	return code == AT_CUDA_OUT_OF_MEMORY ? AT_ENOMEM : AT_EDEVICE;
}

enum at_outcome at_cuda_refuse(struct at_cuda_device *self, struct at_error *err,
	const char *what, unsigned code)
{
	char text[256];

	at_cuda_describe(self->driver, code, text, sizeof(text));
	at_fail(err, status_of(code), NULL, 0, "%s: %s", what, text);
	return at_cuda_judge(self, code);
}

/*
 * Waiting for the stream failed: a kernel has ended the context, even if a rejected
 * launch can return the same code. AT_CUDA_ILLEGAL_ADDRESS covers page faults and
 * the windows of shared and local memory alike, without the address.
 */
static enum at_outcome lose(
	struct at_cuda_device *self, unsigned code, struct at_error *err)
{
	enum at_status status = status_of(code);
	char text[256];

	at_cuda_describe(self->driver, code, text, sizeof(text));
	self->base.is_lost = true;
	if (code != AT_CUDA_ILLEGAL_ADDRESS) {
		at_fail(err, status == AT_EUNAVAILABLE ? status : AT_EDEVICE, NULL, 0,
			status == AT_EUNAVAILABLE ? "the board failed: %s"
						  : "a kernel died: %s",
			text);
		return code == AT_CUDA_LAUNCH_TIMEOUT ? AT_OUTCOME_TIMED_OUT
						      : AT_OUTCOME_CRASHED;
	}
	at_fail(err, AT_EDEVICE, NULL, 0,
		"a kernel touched memory outside its buffers, or wrote into one that is only to be read: %s",
		text);
	return AT_OUTCOME_OUT_OF_BOUNDS;
}

/* A filler that delays blocks is ended as soon as they are launched. If this process
   stops before, the filler ends by itself after this time. */
#define HOLD_LIMIT_NS 1000000000u

/* ---- the gate, which holds the stream back until all launches are queued --------- */

/*
 * A stream holds about a thousand pending calls. The next call would block the host,
 * which then could not open the gate. So the gate opens early, far below that: with so
 * many launches in a sample, the running launches hide the time to queue the rest.
 */
#define QUEUE_LIMIT 256

/* Makes the stream wait here until the gate opens. */
static unsigned close_gate(struct at_cuda_device *self)
{
	struct at_cuda_gate *gate = &self->gate;
	unsigned code;

	if (!gate->word)
		return AT_CUDA_SUCCESS;
	code = self->driver->stream_wait_value(
		self->stream, gate->address, gate->ticket + 1, AT_CUDA_STREAM_WAIT_GEQ);
	if (code)
		return code;
	gate->ticket++;
	gate->closed = true;
	gate->queued = 1;
	return AT_CUDA_SUCCESS;
}

static void open_gate(struct at_cuda_device *self)
{
	struct at_cuda_gate *gate = &self->gate;

	if (!gate->closed)
		return;
	/* all queued work must be visible to the device before the word changes */
	atomic_thread_fence(memory_order_seq_cst);
	*gate->word = gate->ticket;
	atomic_thread_fence(memory_order_seq_cst);
	gate->closed = false;
}

/* Called for each queued call: opens the gate early if too many wait. */
static void count_queued(struct at_cuda_device *self)
{
	if (self->gate.closed && ++self->gate.queued >= QUEUE_LIMIT)
		open_gate(self);
}

void at_cuda_gate_init(struct at_cuda_device *self)
{
	const struct at_cuda_driver *driver = self->driver;
	void *word;

	if (!driver->stream_wait_value ||
		driver->pinned_allocate(
			&word, sizeof(*self->gate.word), AT_CUDA_PINNED_DEVICE_MAP))
		return;
	self->gate.word = word;
	*self->gate.word = 0;
	if (driver->pinned_address(&self->gate.address, word, 0) || close_gate(self)) {
		at_cuda_gate_release(self);
		return;
	}
	/* Only a trial shows whether this driver really waits for memory. */
	open_gate(self);
	if (driver->stream_synchronize(self->stream))
		at_cuda_gate_release(self);
}

void at_cuda_gate_release(struct at_cuda_device *self)
{
	if (self->gate.word)
		(void)!self->driver->pinned_free((void *)self->gate.word);
	self->gate.word = NULL;
}

/* ---- one launch --------------------------------------------------------- */

static void describe_launch(const struct at_invocation *call, char *buffer, size_t size)
{
	const struct at_attributes *attributes = call->attributes;
	char cluster[64] = "";

	if (!call->kernel) {
		snprintf(buffer, size, "copying between buffers and arrays");
		return;
	}
	if (attributes && attributes->cluster[0])
		snprintf(cluster, sizeof(cluster), ", cluster %ux%ux%u",
			attributes->cluster[0], attributes->cluster[1],
			attributes->cluster[2]);
	snprintf(buffer, size,
		"kernel \"%s\" with grid %ux%ux%u, block %ux%ux%u, %u bytes of dynamic shared memory%s%s",
		call->kernel->name, call->grid[0], call->grid[1], call->grid[2],
		call->block[0], call->block[1], call->block[2], call->shared_bytes,
		cluster,
		attributes && attributes->is_cooperative ? ", cooperative" : "");
}

/* window, cooperative, dependent, both clusters */
#define ATTRIBUTES_MOST 5

/* Lists the attributes for cuLaunchKernelEx(), and returns their number. Omits clusters
   of one block, since devices without clusters can launch these as well. */
static unsigned list_attributes(const struct at_cuda_device *self,
	const struct at_invocation *call,
	struct at_cuda_attribute list[ATTRIBUTES_MOST])
{
	const struct at_attributes *attributes = call->attributes;
	const bool is_preferred =
		attributes && at_blocks_of(attributes->preferred_cluster) > 1;
	unsigned count = 0;
	int most_bytes = 0;

	if (!attributes)
		return 0;
	memset(list, 0, ATTRIBUTES_MOST * sizeof(*list));
	if (is_preferred || at_blocks_of(attributes->cluster) > 1) {
		list[count].id = AT_CUDA_LAUNCH_CLUSTER;
		memcpy(list[count++].value.cluster, attributes->cluster,
			sizeof(attributes->cluster));
	}
	if (is_preferred) {
		list[count].id = AT_CUDA_LAUNCH_PREFERRED_CLUSTER;
		memcpy(list[count++].value.cluster, attributes->preferred_cluster,
			sizeof(attributes->preferred_cluster));
	}
	if (attributes->is_cooperative) {
		list[count].id = AT_CUDA_LAUNCH_COOPERATIVE;
		list[count++].value.is_on = 1;
	}
	if (call->is_dependent) {
		list[count].id = AT_CUDA_LAUNCH_DEPENDENT;
		list[count++].value.is_on = 1;
	}
	if (call->window.bytes && !self->driver->device_attribute(&most_bytes,
					  AT_CUDA_MAX_WINDOW, self->device)) {
		list[count].id = AT_CUDA_LAUNCH_WINDOW;
		list[count++].value.window = (struct at_cuda_window){
			.address = (void *)(uintptr_t)call->window.address,
			.bytes = call->window.bytes < (uint64_t)most_bytes
					 ? (size_t)call->window.bytes
					 : (size_t)most_bytes,
			.hit_ratio = (float)attributes->window_percent / 100,
			.hit = AT_CUDA_ACCESS_PERSISTING,
			/* the other lines behave as without a window */
			.miss = AT_CUDA_ACCESS_NORMAL,
		};
	}
	return count;
}

/* Sets the carveout, which the driver reads at each launch of the kernel. */
static unsigned set_carveout(
	struct at_cuda_device *self, const struct at_invocation *call)
{
	uint32_t carveout = call->attributes ? call->attributes->carveout : 0;
	struct at_kernel *kernel = call->kernel;

	if (kernel->carveout == carveout)
		return AT_CUDA_SUCCESS;
	kernel->carveout = carveout;
	return self->driver->function_set(
		kernel->function, AT_CUDA_FUNCTION_CARVEOUT, (int)carveout - 1);
}

static enum at_outcome prepare_attributes(struct at_cuda_device *self,
	const struct at_invocation *call, struct at_error *err)
{
	const struct at_attributes *attributes = call->attributes;
	const bool is_large =
		attributes &&
		(at_blocks_of(attributes->cluster) > AT_CLUSTER_PORTABLE ||
			at_blocks_of(attributes->preferred_cluster) >
				AT_CLUSTER_PORTABLE);
	struct at_cuda_attribute list[ATTRIBUTES_MOST];
	char text[400];
	unsigned code = set_carveout(self, call);

	if (!code && is_large && !call->kernel->has_large_clusters) {
		code = self->driver->function_set(
			call->kernel->function, AT_CUDA_FUNCTION_LARGE_CLUSTERS, 1);
		call->kernel->has_large_clusters = !code;
	}
	if (code) {
		describe_launch(call, text, sizeof(text));
		return at_cuda_refuse(self, err, text, code);
	}
	if (!list_attributes(self, call, list) || self->driver->launch_with)
		return AT_OUTCOME_OK;
	at_fail(err, AT_EDEVICE, NULL, 0,
		"this driver has no cuLaunchKernelEx, which clusters, cooperative and dependent launches and L2 windows need: install the driver of CUDA 12 or newer");
	return AT_OUTCOME_LAUNCH_FAILED;
}

/* Prepares a launch completely, so that no preparation happens behind a closed gate. */
static enum at_outcome prepare(struct at_cuda_device *self,
	const struct at_invocation *call, struct at_error *err)
{
	struct at_kernel *kernel = call->kernel;
	enum at_outcome outcome;
	char text[400];
	unsigned code;

	if (!kernel)
		return AT_OUTCOME_OK;
	/* given too few arguments, the driver would read past the end of the list */
	if (kernel->arguments_known && kernel->argument_count != call->argument_count) {
		at_fail(err, AT_EDEVICE, NULL, 0,
			"kernel \"%s\" takes %zu parameters, and the space file gives it %zu arguments",
			kernel->name, kernel->argument_count, call->argument_count);
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	AT_GROW(self->parameters, self->parameter_capacity, call->argument_count);
	outcome = prepare_attributes(self, call, err);
	if (outcome != AT_OUTCOME_OK ||
		call->shared_bytes <= kernel->shared_limit_bytes)
		return outcome;
	/* more than 48 KiB a block must be requested; the driver takes an int */
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
	/* the only possible cause is a size above the block's limit */
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

/*
 * Sets L2 aside for the largest persisting window of the calls, and none for calls
 * without windows. A failure is ignored, as for a hint: see set_nothing_aside() in
 * cuda.c.
 */
static void set_aside(
	struct at_cuda_device *self, const struct at_invocation *calls, size_t count)
{
	uint64_t most = 0;
	int limit = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t bytes = calls[i].window.bytes
					 ? calls[i].window.bytes *
						   calls[i].attributes->window_percent /
						   100
					 : 0;

		most = bytes > most ? bytes : most;
	}
	if (most == self->aside_bytes || !self->driver->context_limit)
		return;
	self->aside_bytes = most;
	if (self->driver->device_attribute(
		    &limit, AT_CUDA_MAX_PERSISTING_L2, self->device))
		limit = 0;
	(void)!self->driver->context_limit(AT_CUDA_LIMIT_PERSISTING_L2,
		most < (uint64_t)limit ? (size_t)most : (size_t)limit);
}

static unsigned copy_all(struct at_cuda_device *self, const struct at_invocation *call)
{
	unsigned code = AT_CUDA_SUCCESS;

	for (size_t i = 0; i < call->texel_count && !code; i++) {
		code = at_cuda_copy_texels(self, call->texels[i], call->copies_back);
		count_queued(self);
	}
	return code;
}

/* Queues a prepared call; returns the driver's code. */
static unsigned launch(struct at_cuda_device *self, const struct at_invocation *call)
{
	struct at_cuda_attribute list[ATTRIBUTES_MOST];
	struct at_cuda_launch config;
	unsigned code, count = list_attributes(self, call, list);

	if (!call->kernel)
		return copy_all(self, call);
	for (size_t i = 0; i < call->argument_count; i++)
		/* the driver copies the values and does not write to them */
		self->parameters[i] = call->arguments[i].more
					      ? (void *)call->arguments[i].more
					      : (void *)call->arguments[i].bytes;
	/* already set, unless two launches of the kernel differ */
	code = set_carveout(self, call);
	if (!code && count) {
		config = (struct at_cuda_launch){
			.grid = { call->grid[0], call->grid[1], call->grid[2] },
			.block = { call->block[0], call->block[1], call->block[2] },
			.shared_bytes = call->shared_bytes,
			.stream = self->stream,
			.attributes = list,
			.attribute_count = count,
		};
		code = self->driver->launch_with(
			(const struct CUlaunchConfig_st *)(const void *)&config,
			call->kernel->function, self->parameters, NULL);
	} else if (!code) {
		code = self->driver->launch(call->kernel->function, call->grid[0],
			call->grid[1], call->grid[2], call->block[0], call->block[1],
			call->block[2], call->shared_bytes, self->stream,
			self->parameters, NULL);
	}
	count_queued(self);
	return code;
}

/* Launches a call with some delayed blocks, if possible; returns the driver's code. */
static unsigned launch_late(
	struct at_cuda_device *self, const struct at_invocation *call)
{
	struct at_invocation padded = *call;
	struct at_cuda_late late;
	bool gave_up;
	unsigned code, ended;

	if (!at_cuda_late_begin(self, call, &late))
		return launch(self, call);
	/* earlier work must leave the multiprocessors to the filler */
	code = self->driver->stream_synchronize(self->stream);
	if (!code)
		code = at_cuda_crowd_begin(self, late.multiprocessors, HOLD_LIMIT_NS);
	if (code) {
		/* a rejected filler is not a fault of the call */
		at_cuda_late_end(self, call->kernel);
		return launch(self, call);
	}
	padded.shared_bytes = late.shared_bytes;
	code = launch(self, &padded);
	at_cuda_late_end(self, call->kernel);
	ended = at_cuda_crowd_end(self, code ? 0 : self->crowd.hold_ns, &gave_up);
	return code ? code : ended;
}

static unsigned launch_all(struct at_cuda_device *self,
	const struct at_invocation *calls, size_t count,
	const struct at_kernel *held_back, const struct at_invocation **refused)
{
	unsigned code = AT_CUDA_SUCCESS;

	for (size_t i = 0; i < count && !code; i++) {
		*refused = &calls[i];
		code = held_back && calls[i].kernel == held_back
			       ? launch_late(self, &calls[i])
			       : launch(self, &calls[i]);
	}
	return code;
}

/*
 * Called after the last call was queued, or rejected with `code`. Opens the gate and
 * waits for the queued work: a trap there outweighs a later rejection. refused: the
 * rejected launch; NULL for another call.
 */
static enum at_outcome finish(struct at_cuda_device *self, unsigned code,
	const struct at_invocation *refused, struct at_error *err)
{
	char text[400] = "timing";
	unsigned died;

	open_gate(self);
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
 * Whether the calls run beside the filler. Those with clusters do not: all blocks of a
 * cluster need multiprocessors of one part of the device, and may find too few there,
 * however many are free elsewhere.
 */
static bool is_crowded(const struct at_cuda_device *self,
	const struct at_invocation *calls, size_t count)
{
	if (!self->crowd.multiprocessors)
		return false;
	for (size_t i = 0; i < count; i++)
		if (calls[i].kernel && calls[i].kernel->has_clusters)
			return false;
	return true;
}

/* Called when the calls have ended, or the context is lost. If the filler gave up
   first, the calls ended only for that reason: TIMED_OUT. */
static enum at_outcome end_crowd(
	struct at_cuda_device *self, enum at_outcome outcome, struct at_error *err)
{
	bool gave_up;
	unsigned code = at_cuda_crowd_end(self, 0, &gave_up);

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

/* Runs prepared calls, beside the filler if `crowded`. */
static enum at_outcome run_all(struct at_cuda_device *self,
	const struct at_invocation *calls, size_t count, bool crowded,
	struct at_error *err)
{
	const struct at_invocation *refused = NULL;
	enum at_outcome outcome;
	unsigned code;

	/* The filler worked when it was set. If it is rejected now, the calls are not
	   at fault, and run without it. */
	if (crowded)
		crowded = !at_cuda_crowd_begin(
			self, self->crowd.multiprocessors, self->crowd.limit_ns);
	code = launch_all(self, calls, count, self->crowd.held_back, &refused);
	outcome = finish(self, code, refused, err);
	return crowded ? end_crowd(self, outcome, err) : outcome;
}

static enum at_outcome cuda_run(struct at_device *base,
	const struct at_invocation *calls, size_t count, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	enum at_outcome outcome = prepare_all(self, calls, count, err);
	const bool crowded = is_crowded(self, calls, count);
	size_t done = 0, part = count;

	if (outcome != AT_OUTCOME_OK)
		return outcome;
	set_aside(self, calls, count);
	/* With 2,000 calls queued beside a running filler, the host waited for the
	   filler's end (seen on an H200). Parts of QUEUE_LIMIT calls all end. */
	if (crowded && part > QUEUE_LIMIT)
		part = QUEUE_LIMIT;
	do {
		if (part > count - done)
			part = count - done;
		outcome = run_all(self, calls + done, part, crowded, err);
		done += part;
	} while (done < count && outcome == AT_OUTCOME_OK);
	return outcome;
}

/* Lets the queued work run, and sets *duration_ns to the time between the two
   events. */
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
 * Without a gate, since the driver's work at a first launch (memory for local arrays)
 * may wait for blocked work. If the device is idle at the first event, the time between
 * the events includes the host's queuing.
 */
static enum at_outcome cuda_run_timed(struct at_device *base,
	const struct at_invocation *calls, size_t count, double *least_ns,
	struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	const struct at_invocation *refused = NULL;
	enum at_outcome outcome = prepare_all(self, calls, count, err);
	uint64_t start_ns = 0, end_ns = 0;
	double between_ns = 0;
	unsigned code;

	*least_ns = 0;
	if (outcome != AT_OUTCOME_OK || count == 0)
		return outcome;
	set_aside(self, calls, count);
	code = launch_all(self, calls, count - 1, NULL, &refused);
	if (!code) {
		refused = NULL;
		start_ns = at_clock_now_ns();
		code = self->driver->event_record(self->start, self->stream);
	}
	if (!code) {
		refused = &calls[count - 1];
		code = launch(self, refused);
	}
	if (!code) {
		refused = NULL;
		code = self->driver->event_record(self->stop, self->stream);
		end_ns = at_clock_now_ns();
	}
	outcome = end_sample(self, code, refused, &between_ns, err);
	if (between_ns > (double)(end_ns - start_ns))
		*least_ns = between_ns - (double)(end_ns - start_ns);
	return outcome;
}

/*
 * Resets L2 lines that earlier launches marked as persisting (evict_last) to normal, so
 * that the flush in the following calls can replace them. It must come before these
 * calls are queued: it takes effect on return, and the stream is idle then. Without
 * `before` calls nothing is flushed. A driver that rejects it is not called again; a
 * device fault shows in the following calls.
 */
static void let_lines_go(struct at_cuda_device *self, size_t before_count)
{
	if (before_count == 0 || self->resets_no_cache || !self->driver->cache_reset)
		return;
	self->resets_no_cache = self->driver->cache_reset() != AT_CUDA_SUCCESS;
}

/* The gate closes before the `before` calls, so that the cache flush runs right before
   the timed kernel, without a gap for the host to queue it. */
static enum at_outcome cuda_time(struct at_device *base,
	const struct at_invocation *before, size_t before_count,
	const struct at_invocation *timed, size_t timed_count, unsigned launches,
	double *duration_ns, struct at_error *err)
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
	set_aside(self, timed, timed_count);
	let_lines_go(self, before_count);
	code = close_gate(self);
	if (!code)
		code = launch_all(self, before, before_count, NULL, &refused);
	if (!code) {
		refused = NULL;
		code = self->driver->event_record(self->start, self->stream);
		count_queued(self);
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

/* Records the launches as a graph. A failure implies nothing about the calls or the
   device: a device fault shows at the next wait. */
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
		code = launch_all(self, calls, count, NULL, &refused);
		/* even after a failure, since the stream would continue recording */
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

/* Uses no gate: the behaviour of graphs behind a gate is unknown. While the first
   launch of the graph runs, the host queues the second, which is timed. */
static enum at_outcome cuda_time_graph(struct at_device *base,
	const struct at_invocation *calls, size_t count, double *durations_ns,
	size_t samples, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	const struct at_cuda_driver *driver = self->driver;
	struct CUgraphExec_st *graph = NULL;
	enum at_outcome outcome = prepare_all(self, calls, count, err);

	set_aside(self, calls, count);
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

/* The very first copy runs before the gate is used: the driver may have to set up
   resources, which must not wait for a gate that opens later. */
static enum at_outcome cuda_time_copy(struct at_device *base, struct at_memory *to,
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
	code = close_gate(self);
	if (!code)
		code = self->driver->event_record(self->start, self->stream);
	count_queued(self);
	for (unsigned i = 0; i < copies && !code; i++) {
		code = self->driver->copy_within(
			to->address, from->address, (size_t)bytes, self->stream);
		count_queued(self);
	}
	if (!code)
		code = self->driver->event_record(self->stop, self->stream);
	return end_sample(self, code, NULL, duration_ns, err);
}

/* Opens CUPTI at the first call; it lies in the toolkit of NVRTC. */
static enum at_status open_cupti(struct at_cuda_device *self, struct at_error *err)
{
	struct at_words places = { 0 };
	enum at_status status = AT_OK;

	if (self->cupti)
		return AT_OK;
	self->base.is_profiled = true;
	at_cupti_places(&places);
	status = at_cupti_open((const char *const *)places.items, places.count,
		self->context, self->device, &self->cupti, err);
	at_words_release(&places);
	return status;
}

static enum at_outcome cuda_count(struct at_device *base,
	const struct at_invocation *before, size_t before_count,
	const struct at_invocation *call, double *values, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	enum at_outcome outcome = AT_OUTCOME_OK;
	bool is_complete = false;

	if (open_cupti(self, err) || at_cupti_begin(self->cupti, err))
		return AT_OUTCOME_NOT_APPLICABLE;
	while (!is_complete) {
		let_lines_go(self, before_count);
		outcome = cuda_run(base, before, before_count, err);
		if (outcome != AT_OUTCOME_OK)
			return outcome;
		if (at_cupti_start(self->cupti, err))
			return AT_OUTCOME_NOT_APPLICABLE;
		outcome = cuda_run(base, call, 1, err);
		if (outcome != AT_OUTCOME_OK)
			return outcome;
		if (at_cupti_stop(self->cupti, &is_complete, err))
			return AT_OUTCOME_NOT_APPLICABLE;
	}
	return at_cupti_read(self->cupti, values, err) ? AT_OUTCOME_NOT_APPLICABLE
						       : AT_OUTCOME_OK;
}

void at_cuda_add_launch(struct at_cuda_device *self)
{
	struct at_device_ops *ops = &self->ops;
	const struct at_cuda_driver *driver = self->driver;

	ops->run = cuda_run;
	ops->run_timed = cuda_run_timed;
	ops->time = cuda_time;
	ops->time_copy = cuda_time_copy;
	ops->count = cuda_count;
	/* drivers since 470 have all of these */
	if (driver->capture_begin && driver->capture_end && driver->graph_release &&
		driver->graph_instantiate && driver->graph_launch && driver->graph_end)
		ops->time_graph = cuda_time_graph;
}
