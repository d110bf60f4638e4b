/* Measures the ceilings. A sample of a copy or of chains, whose results are checked,
   gives a rate; a round of samples gives a median; the best median is the ceiling. */
#include "measure/ceilings.h"
#include "measure/statistics.h"
#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CEILINGS_KERNELS(X) \
	X(FILL, "at_ceiling_fill") \
	X(CHECK, "at_ceiling_check") \
	X(COPY_WIDE, "at_ceiling_copy_wide") \
	X(COPY_DEEP, "at_ceiling_copy_deep") \
	X(COPY_RUN, "at_ceiling_copy_run") \
	X(FLOAT, "at_ceiling_float") \
	X(DOUBLE, "at_ceiling_double")

enum ceilings_kernel {
#define CEILINGS_ENUM(symbol, name) CEILINGS_##symbol,
	CEILINGS_KERNELS(CEILINGS_ENUM)
#undef CEILINGS_ENUM
		CEILINGS_COUNT
};

#define CEILINGS_CHAIN_THREADS 256u
/* Every device can have this few blocks resident at once. */
#define CEILINGS_CHAIN_BLOCKS_PER_PROCESSOR 4u

struct ceilings_bench {
	struct at_device *device;
	struct at_module *module;
	struct at_kernel *kernels[CEILINGS_COUNT];
	bool has_run[CEILINGS_COUNT]; /* it ran once, untimed, as time() requires */
	bool lost; /* the device is lost: do not touch it again */
	uint32_t processors;
	uint64_t buffer_bytes;
	struct at_memory *from;
	struct at_memory *to;
	struct at_memory *results; /* one double for each thread of the chains */
	double *read; /* host memory for these results */
	uint64_t seed; /* of the last fill: every fill has different contents */
};

struct ceilings_task {
	const char *what; /* for messages */
	/* Takes one sample of `repeats` rounds or copies: its duration, and its bytes
	   or operations. */
	enum at_status (*sample)(struct ceilings_bench *self,
		const struct ceilings_task *task, double *duration_ns, double *amount,
		struct at_error *err);
	enum ceilings_kernel kernel; /* CEILINGS_COUNT: the device's own copy */
	uint32_t blocks_per_processor;
	uint32_t threads;
	unsigned repeats;
	unsigned repeats_max;
};

#define ELEMENT_BYTES 16
/* Each of a copy's two buffers on a GPU, unless its cache needs larger ones: the
   fastest GPUs copy this in a quarter of a millisecond. */
#define BUFFER_BYTES ((uint64_t)512 << 20)
/* On a CPU a buffer is twice the cache, within these limits. A virtual machine reports
   its host's whole cache although it has only a small part, and a few cores take long
   for a large copy. */
#define SHARED_BUFFER_BYTES_MIN ((uint64_t)64 << 20)
#define SHARED_BUFFER_BYTES_PER_CORE ((uint64_t)64 << 20)
#define SHARED_BUFFER_BYTES_MAX ((uint64_t)512 << 20)

/* The blocks per multiprocessor of fills and checks, and their threads. */
#define WORK_BLOCKS 8u
#define WORK_THREADS 256u

const char *const at_ceilings_kernels[] = {
#define KERNEL_NAME(symbol, name) name,
	CEILINGS_KERNELS(KERNEL_NAME)
#undef KERNEL_NAME
};
const size_t at_ceilings_kernel_count = CEILINGS_COUNT;
const char *const at_ceilings_options[] = { "-fmad=true" };
const size_t at_ceilings_option_count = AT_COUNT_OF(at_ceilings_options);

struct call {
	struct at_invocation invocation;
	struct at_parameter_value values[4];
};

/* ---- launches ------------------------------------------------------------- */

static void begin_call(struct ceilings_bench *self, struct call *call,
	enum ceilings_kernel kernel, uint32_t blocks_per_processor, uint32_t threads)
{
	memset(call, 0, sizeof(*call));
	call->invocation.kernel = self->kernels[kernel];
	for (int i = 0; i < 3; i++)
		call->invocation.grid[i] = call->invocation.block[i] = 1;
	call->invocation.grid[0] = self->processors * blocks_per_processor;
	call->invocation.block[0] = threads;
	call->invocation.arguments = call->values;
}

static void add_value(struct call *call, const void *value, size_t bytes)
{
	memcpy(call->values[call->invocation.argument_count++].bytes, value, bytes);
}

static void add_memory(
	const struct ceilings_bench *self, struct call *call, struct at_memory *memory)
{
	uint64_t address = self->device->ops->address(self->device, memory);

	add_value(call, &address, sizeof(address));
}

static void add_u64(struct call *call, uint64_t value)
{
	add_value(call, &value, sizeof(value));
}

/* Fails with what was measured and the device's reason. */
static enum at_status fail(const struct ceilings_bench *self, const char *what,
	const struct at_error *reason, struct at_error *err)
{
	return at_fail(err, reason->status == AT_ENOMEM ? AT_ENOMEM : AT_EDEVICE, NULL,
		0, "measuring the %s of %s: %s", what, self->device->info.id,
		reason->text);
}

/* Turns an outcome into a status. Sets self->lost for a lost device, which must not be
   used again, not even to release its memory. */
static enum at_status judge(struct ceilings_bench *self, enum at_outcome outcome,
	const char *what, const struct at_error *reason, struct at_error *err)
{
	self->lost = self->lost || outcome == AT_OUTCOME_CRASHED ||
		     outcome == AT_OUTCOME_OUT_OF_BOUNDS;
	return outcome == AT_OUTCOME_OK ? AT_OK : fail(self, what, reason, err);
}

static enum at_status run(struct ceilings_bench *self, const struct call *call,
	const char *what, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_outcome outcome =
		self->device->ops->run(self->device, &call->invocation, 1, &reason);

	return judge(self, outcome, what, &reason, err);
}

/* Runs a kernel once, untimed, as time() requires. Call it before clearing the results:
   otherwise its results would hide a timed launch that did nothing. */
static enum at_status run_first(struct ceilings_bench *self,
	const struct ceilings_task *task, const struct call *call, struct at_error *err)
{
	enum at_status status = AT_OK;

	if (!self->has_run[task->kernel])
		status = run(self, call, task->what, err);
	self->has_run[task->kernel] = true;
	return status;
}

/* Times this many launches as one sample; *duration_ns: their total. */
static enum at_status time_call(struct ceilings_bench *self,
	const struct ceilings_task *task, const struct call *call, unsigned launches,
	double *duration_ns, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_outcome outcome = self->device->ops->time(self->device, NULL, 0,
		&call->invocation, 1, launches, duration_ns, &reason);

	return judge(self, outcome, task->what, &reason, err);
}

static enum at_status read_results(struct ceilings_bench *self, uint64_t bytes,
	const char *what, struct at_error *err)
{
	struct at_error reason = { 0 };

	if (self->device->ops->read(
		    self->device, self->results, 0, self->read, bytes, &reason))
		return fail(self, what, &reason, err);
	return AT_OK;
}

/* Clears the results: a launch that did not run must not pass with earlier ones. */
static enum at_status clear_results(struct ceilings_bench *self, uint64_t bytes,
	const char *what, struct at_error *err)
{
	struct at_error reason = { 0 };

	memset(self->read, 0, (size_t)bytes);
	if (self->device->ops->write(
		    self->device, self->results, 0, self->read, bytes, &reason))
		return fail(self, what, &reason, err);
	return AT_OK;
}

/* ---- copies --------------------------------------------------------------- */

/* Fills the source with new contents before each sample, so that a copy that did not
   run cannot pass. The written data fills the caches before the first copy, as each
   copy does before the next. */
static enum at_status fill_source(struct ceilings_bench *self,
	const struct ceilings_task *task, struct at_error *err)
{
	struct call call;

	begin_call(self, &call, CEILINGS_FILL, WORK_BLOCKS, WORK_THREADS);
	add_memory(self, &call, self->from);
	add_u64(&call, self->buffer_bytes / ELEMENT_BYTES);
	add_u64(&call, ++self->seed);
	return run(self, &call, task->what, err);
}

static enum at_status check_copy(struct ceilings_bench *self,
	const struct ceilings_task *task, struct at_error *err)
{
	uint64_t count = self->buffer_bytes / ELEMENT_BYTES, wrong;
	struct call call;
	enum at_status status = clear_results(self, sizeof(wrong), task->what, err);

	begin_call(self, &call, CEILINGS_CHECK, WORK_BLOCKS, WORK_THREADS);
	add_memory(self, &call, self->to);
	add_u64(&call, count);
	add_u64(&call, self->seed);
	add_memory(self, &call, self->results);
	if (!status)
		status = run(self, &call, task->what, err);
	if (!status)
		status = read_results(self, sizeof(wrong), task->what, err);
	if (status)
		return status;
	memcpy(&wrong, self->read, sizeof(wrong));
	if (wrong)
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"measuring the %s of %s: of %llu elements that were to be copied %llu were not",
			task->what, self->device->info.id, (unsigned long long)count,
			(unsigned long long)wrong);
	return AT_OK;
}

static enum at_status time_own_copies(struct ceilings_bench *self,
	const struct ceilings_task *task, double *duration_ns, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_outcome outcome = self->device->ops->time_copy(self->device, self->to,
		self->from, self->buffer_bytes, task->repeats, duration_ns, &reason);

	return judge(self, outcome, task->what, &reason, err);
}

static void call_copy(struct ceilings_bench *self, const struct ceilings_task *task,
	struct call *call)
{
	begin_call(self, call, task->kernel, task->blocks_per_processor, task->threads);
	add_memory(self, call, self->to);
	add_memory(self, call, self->from);
	add_u64(call, self->buffer_bytes / ELEMENT_BYTES);
}

static enum at_status sample_copy(struct ceilings_bench *self,
	const struct ceilings_task *task, double *duration_ns, double *amount,
	struct at_error *err)
{
	bool is_own = task->kernel == CEILINGS_COUNT;
	enum at_status status = AT_OK;
	struct call call;

	if (!is_own) {
		call_copy(self, task, &call);
		status = run_first(self, task, &call, err);
	}
	if (!status)
		status = fill_source(self, task, err);
	if (!status)
		status = is_own ? time_own_copies(self, task, duration_ns, err)
				: time_call(self, task, &call, task->repeats,
					  duration_ns, err);
	if (!status)
		status = check_copy(self, task, err);
	*amount = 2.0 * (double)self->buffer_bytes * task->repeats;
	return status;
}

/* ---- chains --------------------------------------------------------------- */

/* Adds up the operations that the threads report. All threads must report the same
   multiple of the 64 links of all rounds. */
static enum at_status count_operations(struct ceilings_bench *self,
	const struct ceilings_task *task, double *count, struct at_error *err)
{
	uint32_t threads =
		self->processors * task->blocks_per_processor * task->threads;
	double links = 64.0 * task->repeats;
	enum at_status status = read_results(
		self, (uint64_t)threads * sizeof(*self->read), task->what, err);

	if (status)
		return status;
	/* written so that NaN fails too; a thread that did nothing left 0 */
	for (uint32_t i = 0; i < threads; i++)
		if (!(self->read[i] >= links) || self->read[i] != self->read[0] ||
			fmod(self->read[i], links) != 0)
			return at_fail(err, AT_EDEVICE, NULL, 0,
				"measuring the %s of %s: thread %u did %g operations of chains with %g links",
				task->what, self->device->info.id, i, self->read[i],
				links);
	/* each link is a multiplication and an addition */
	*count = 2.0 * self->read[0] * threads;
	return AT_OK;
}

static enum at_status sample_chains(struct ceilings_bench *self,
	const struct ceilings_task *task, double *duration_ns, double *amount,
	struct at_error *err)
{
	uint64_t threads =
		(uint64_t)self->processors * task->blocks_per_processor * task->threads;
	const float one = 1;
	const double one_double = 1;
	const uint32_t rounds = task->repeats;
	struct call call;
	enum at_status status;

	begin_call(
		self, &call, task->kernel, task->blocks_per_processor, task->threads);
	/* arguments, since a compiler could fold chains of constants */
	for (int i = 0; i < 2; i++) {
		if (task->kernel == CEILINGS_FLOAT)
			add_value(&call, &one, sizeof(one));
		else
			add_value(&call, &one_double, sizeof(one_double));
	}
	add_value(&call, &rounds, sizeof(rounds));
	add_memory(self, &call, self->results);
	status = run_first(self, task, &call, err);
	if (!status)
		status = clear_results(
			self, threads * sizeof(*self->read), task->what, err);
	if (!status)
		status = time_call(self, task, &call, 1, duration_ns, err);
	return status ? status : count_operations(self, task, amount, err);
}

/* ---- the bench ------------------------------------------------------------ */

static int64_t property(
	const struct ceilings_bench *self, enum at_property which, int64_t other)
{
	const struct at_properties *properties = &self->device->info.properties;

	return properties->known[which] && properties->value[which] > 0
		       ? properties->value[which]
		       : other;
}

static uint64_t choose_buffer_bytes(const struct ceilings_bench *self)
{
	uint64_t cache = (uint64_t)property(self, AT_PROPERTY_L2_BYTES, 0);
	uint64_t memory = (uint64_t)property(self, AT_PROPERTY_MEMORY_BYTES, 0);
	/* four times the cache, so that what a copy leaves in the cache is a small part
	   of the next copy */
	uint64_t bytes = 4 * cache > BUFFER_BYTES ? 4 * cache : BUFFER_BYTES;

	if (self->device->info.shares_cores) {
		uint64_t most = self->processors * SHARED_BUFFER_BYTES_PER_CORE;

		if (most > SHARED_BUFFER_BYTES_MAX)
			most = SHARED_BUFFER_BYTES_MAX;
		bytes = 2 * cache < most ? 2 * cache : most;
		if (bytes < SHARED_BUFFER_BYTES_MIN)
			bytes = SHARED_BUFFER_BYTES_MIN;
	}
	/* two buffers, and other programs may use memory of the board too */
	if (memory && bytes > memory / 8)
		bytes = memory / 8;
	return bytes / 4096 * 4096;
}

static enum at_status load(struct ceilings_bench *self, const unsigned char *image,
	size_t bytes, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	struct at_error reason = { 0 };

	enum at_status status = judge(self,
		ops->load(self->device, image, bytes, &self->module, &reason),
		"ceilings", &reason, err);

	if (status)
		return status;
	for (int i = 0; i < CEILINGS_COUNT; i++) {
		self->kernels[i] =
			ops->find(self->device, self->module, at_ceilings_kernels[i]);
		if (!self->kernels[i])
			return at_fail(err, AT_EDEVICE, NULL, 0,
				"the tuner's own kernel %s is not in its image",
				at_ceilings_kernels[i]);
	}
	return AT_OK;
}

static enum at_status allocate(struct ceilings_bench *self, uint64_t bytes,
	struct at_memory **out, struct at_error *err)
{
	struct at_error reason = { 0 };

	if (self->device->ops->allocate(self->device, bytes, out, &reason))
		return fail(self, "ceilings", &reason, err);
	return AT_OK;
}

/* Loads the kernels and allocates. Call close_bench() even if this fails. */
static enum at_status open_bench(struct ceilings_bench *self,
	const unsigned char *image, size_t bytes, struct at_error *err)
{
	enum at_status status = load(self, image, bytes, err);
	size_t threads;

	self->processors =
		(uint32_t)property(self, AT_PROPERTY_MULTIPROCESSOR_COUNT, 1);
	self->buffer_bytes = choose_buffer_bytes(self);
	threads = (size_t)self->processors * CEILINGS_CHAIN_BLOCKS_PER_PROCESSOR *
		  CEILINGS_CHAIN_THREADS;
	self->read = at_calloc(threads, sizeof(*self->read));
	if (!status)
		status = allocate(
			self, threads * sizeof(*self->read), &self->results, err);
	if (!status)
		status = allocate(self, self->buffer_bytes, &self->from, err);
	if (!status)
		status = allocate(self, self->buffer_bytes, &self->to, err);
	return status;
}

/* Frees everything. A lost device is not touched: it ends with the process. */
static void close_bench(struct ceilings_bench *self)
{
	const struct at_device_ops *ops = self->device->ops;
	struct at_memory *memories[] = { self->from, self->to, self->results };

	free(self->read);
	for (size_t i = 0; i < AT_COUNT_OF(memories) && !self->lost; i++)
		if (memories[i])
			ops->release(self->device, memories[i]);
	if (self->module && !self->lost)
		ops->unload(self->device, self->module);
}

/* The target length of a sample: a thousand times a clock's resolution. */
#define SAMPLE_NS 8e6
#define SAMPLES 5
/* Other work may slow down a round, on a CPU at any time. So the best median of this
   many rounds counts. */
#define ROUNDS 3
/* Samples of each of the tuner's copy kernels, to find the fastest. */
#define TRIALS 2
/* The longest that an idle GPU takes to raise its clocks. */
#define WARM_UP_NS 300000000u

#define COPIES_MAX 16
/* Each round adds 64 to a chain, which must stay below 2^24: floats are exact there. */
#define CHAIN_ROUNDS_MAX 200000

/* ---- rates ---------------------------------------------------------------- */

static enum at_status sample(struct ceilings_bench *self,
	const struct ceilings_task *task, double *duration_ns, double *rate,
	struct at_error *err)
{
	double amount = 0;
	enum at_status status = task->sample(self, task, duration_ns, &amount, err);

	if (status)
		return status;
	/* a time of 0 would be an infinite rate */
	if (!(*duration_ns > 0))
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"measuring the %s of %s: by its clock it took no time at all",
			task->what, self->device->info.id);
	*rate = amount / *duration_ns * 1e9;
	return AT_OK;
}

/* Raises the repeats until a sample is long enough. */
static enum at_status fit_repeats(
	struct ceilings_bench *self, struct ceilings_task *task, struct at_error *err)
{
	double duration_ns, rate;

	for (;;) {
		enum at_status status = sample(self, task, &duration_ns, &rate, err);
		double wanted;

		if (status)
			return status;
		if (duration_ns >= SAMPLE_NS / 2 || task->repeats == task->repeats_max)
			return AT_OK;
		/* by a factor of 2 to 32: a short sample says little about a long
		   sample's rate */
		wanted = fmin(fmax(SAMPLE_NS / duration_ns, 2), 32) * task->repeats;
		task->repeats = wanted < task->repeats_max ? (unsigned)wanted
							   : task->repeats_max;
	}
}

/* Finds the repeats of a sample, and runs samples until the clocks are up. */
static enum at_status warm_up(
	struct ceilings_bench *self, struct ceilings_task *task, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	double duration_ns, rate;
	enum at_status status = fit_repeats(self, task, err);

	/* a GPU whose clock is unknown counts as warm once the repeats fit */
	while (!status && at_device_clock_is_low(self->device, NULL) &&
		at_clock_now_ns() - start_ns < WARM_UP_NS)
		status = sample(self, task, &duration_ns, &rate, err);
	return status;
}

/* Takes a round of samples and raises *rate to their median. */
static enum at_status take_round(struct ceilings_bench *self,
	const struct ceilings_task *task, double *rate, struct at_error *err)
{
	double rates[SAMPLES], duration_ns, median;
	enum at_status status = AT_OK;

	for (int i = 0; i < SAMPLES && !status; i++)
		status = sample(self, task, &duration_ns, &rates[i], err);
	if (status)
		return status;
	/* the best sample would be a rate that the GPU cannot sustain */
	median = at_statistics_median(rates, SAMPLES).median;
	*rate = fmax(*rate, median);
	return AT_OK;
}

static void set_chains(struct ceilings_task *task, enum ceilings_kernel kernel)
{
	*task = (struct ceilings_task){
		.what = kernel == CEILINGS_FLOAT ? "FMA rate in float"
						 : "FMA rate in double",
		.sample = sample_chains,
		.kernel = kernel,
		.blocks_per_processor = CEILINGS_CHAIN_BLOCKS_PER_PROCESSOR,
		.threads = CEILINGS_CHAIN_THREADS,
		.repeats = 1,
		.repeats_max = CHAIN_ROUNDS_MAX,
	};
}

/* Chooses the device's own copy, else the fastest of the tuner's copy kernels. */
static enum at_status choose_copy(
	struct ceilings_bench *self, struct ceilings_task *task, struct at_error *err)
{
	static const char what[] = "copy bandwidth";
	static const struct ceilings_task ours[] = {
		{ what, sample_copy, CEILINGS_COPY_WIDE, 8, 256, 1, COPIES_MAX },
		{ what, sample_copy, CEILINGS_COPY_DEEP, 4, 256, 1, COPIES_MAX },
		{ what, sample_copy, CEILINGS_COPY_RUN, 1, 1, 1, COPIES_MAX },
	};
	enum at_status status = AT_OK;
	double best = 0;

	*task = (struct ceilings_task){ what, sample_copy, CEILINGS_COUNT, 0, 0, 1,
		COPIES_MAX };
	if (self->device->ops->time_copy)
		return AT_OK;
	for (size_t i = 0; i < AT_COUNT_OF(ours) && !status; i++) {
		double duration_ns, rate = 0, fastest = 0;

		for (int j = 0; j < TRIALS && !status; j++) {
			status = sample(self, &ours[i], &duration_ns, &rate, err);
			fastest = fmax(fastest, rate);
		}
		if (!status && fastest > best) {
			best = fastest;
			*task = ours[i];
		}
	}
	return status;
}

static enum at_status measure(
	struct ceilings_bench *self, struct at_ceilings *out, struct at_error *err)
{
	struct ceilings_task tasks[3];
	double *const rates[] = { &out->float_flops_per_second,
		&out->double_flops_per_second, &out->copy_bytes_per_second };
	enum at_status status;

	/* chains first, since their work raises the clocks for the copies */
	set_chains(&tasks[0], CEILINGS_FLOAT);
	set_chains(&tasks[1], CEILINGS_DOUBLE);
	status = warm_up(self, &tasks[0], err);
	if (!status)
		status = warm_up(self, &tasks[1], err);
	if (!status)
		status = choose_copy(self, &tasks[2], err);
	if (!status)
		status = warm_up(self, &tasks[2], err);
	for (int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < AT_COUNT_OF(tasks) && !status; i++)
			status = take_round(self, &tasks[i], rates[i], err);
	return status;
}

enum at_status at_ceilings_measure(struct at_device *device, const unsigned char *image,
	size_t bytes, struct at_ceilings *out, struct at_error *err)
{
	struct ceilings_bench self = { .device = device };
	enum at_status status = open_bench(&self, image, bytes, err);

	memset(out, 0, sizeof(*out));
	if (!status)
		status = measure(&self, out, err);
	close_bench(&self);
	return status;
}
