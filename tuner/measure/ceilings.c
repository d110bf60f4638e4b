#include "measure/ceilings.h"
#include "base/clock.h"
#include "base/memory.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* one sample lasts about so long: a thousand times what a device's clock can tell */
#define SAMPLE_NS 8e6
#define SAMPLES 9
/* of each of our own copy kernels, to find the fastest */
#define TRIALS 2
/* a board that was idle takes so long, at most, to raise its clocks */
#define WARM_UP_NS 300000000u
#define CLOCK_IS_UP 0.9

#define ELEMENT_BYTES 16
/* what the fastest boards copy in a quarter of a millisecond */
#define BUFFER_BYTES ((uint64_t)512 << 20)
/*
 * On a CPU, twice the cache: a guest of a large one is told of a cache of which it
 * gets a small part, and few cores take long for a large copy.
 */
#define SHARED_BUFFER_BYTES_MIN ((uint64_t)64 << 20)
#define SHARED_BUFFER_BYTES_PER_CORE ((uint64_t)64 << 20)
#define SHARED_BUFFER_BYTES_MAX ((uint64_t)512 << 20)

#define COPIES_MAX 16
/* 64 links a round and the start: below 2^24, to which a float counts */
#define ROUNDS_MAX 200000

#define CHAIN_THREADS 256u
/* so few that they are resident at once on every device */
#define CHAIN_BLOCKS_PER_PROCESSOR 4u

#define KERNELS(X) \
	X(FILL, "at_ceiling_fill") \
	X(CHECK, "at_ceiling_check") \
	X(COPY_WIDE, "at_ceiling_copy_wide") \
	X(COPY_DEEP, "at_ceiling_copy_deep") \
	X(COPY_RUN, "at_ceiling_copy_run") \
	X(FLOAT, "at_ceiling_float") \
	X(DOUBLE, "at_ceiling_double")

enum kernel {
#define KERNEL_ENUM(symbol, name) KERNEL_##symbol,
	KERNELS(KERNEL_ENUM)
#undef KERNEL_ENUM
		KERNEL_COUNT
};

const char *const at_ceilings_kernels[] = {
#define KERNEL_NAME(symbol, name) name,
	KERNELS(KERNEL_NAME)
#undef KERNEL_NAME
};
const size_t at_ceilings_kernel_count = KERNEL_COUNT;
const char *const at_ceilings_options[] = { "-fmad=true" };
const size_t at_ceilings_option_count = AT_COUNT_OF(at_ceilings_options);

struct bench {
	struct at_device *device;
	struct at_module *module;
	struct at_kernel *kernels[KERNEL_COUNT];
	bool has_run[KERNEL_COUNT]; /* once, untimed, as time() demands */
	bool lost; /* the device: nothing of it may be touched any more */
	uint32_t processors;
	uint64_t buffer_bytes;
	struct at_memory *from;
	struct at_memory *to;
	struct at_memory *results; /* a double a thread of the chains */
	double *read; /* as many */
	uint64_t seed; /* of the last fill: no two have the same contents */
};

/* One invocation and the storage of its arguments. */
struct call {
	struct at_invocation invocation;
	struct at_parameter_value values[4];
};

/* What is sampled. */
struct task {
	const char *what;
	/* one sample of so many rounds or copies: how long, how much in it */
	enum at_status (*sample)(struct bench *self, const struct task *task,
		double *duration_ns, double *amount, struct at_error *err);
	enum kernel kernel; /* KERNEL_COUNT: the device's own copy */
	uint32_t blocks_per_processor;
	uint32_t threads;
	unsigned repeats;
	unsigned repeats_max;
};

/* ---- launches ------------------------------------------------------------- */

static void begin_call(struct bench *self, struct call *call, enum kernel kernel,
	uint32_t blocks_per_processor, uint32_t threads)
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
	const struct bench *self, struct call *call, struct at_memory *memory)
{
	uint64_t address = self->device->ops->address(self->device, memory);

	add_value(call, &address, sizeof(address));
}

static void add_u64(struct call *call, uint64_t value)
{
	add_value(call, &value, sizeof(value));
}

/* In the words of the caller, with the device's own reason behind them. */
static enum at_status fail(const struct bench *self, const char *what,
	const struct at_error *reason, struct at_error *err)
{
	return at_fail(err, reason->status == AT_ENOMEM ? AT_ENOMEM : AT_EDEVICE, NULL,
		0, "measuring the %s of %s: %s", what, self->device->info.id,
		reason->text);
}

static enum at_status judge(struct bench *self, enum at_outcome outcome,
	const char *what, const struct at_error *reason, struct at_error *err)
{
	self->lost = self->lost || outcome == AT_OUTCOME_CRASHED;
	return outcome == AT_OUTCOME_OK ? AT_OK : fail(self, what, reason, err);
}

static enum at_status run(struct bench *self, const struct call *call, const char *what,
	struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_outcome outcome =
		self->device->ops->run(self->device, &call->invocation, 1, &reason);

	return judge(self, outcome, what, &reason, err);
}

/*
 * The first launch of a kernel is never a timed one, nor one whose results are
 * looked at: those of a timed one that did nothing would be there already.
 */
static enum at_status run_first(struct bench *self, const struct task *task,
	const struct call *call, struct at_error *err)
{
	enum at_status status = AT_OK;

	if (!self->has_run[task->kernel])
		status = run(self, call, task->what, err);
	self->has_run[task->kernel] = true;
	return status;
}

/* `launches` launches in one sample */
static enum at_status time_call(struct bench *self, const struct task *task,
	const struct call *call, unsigned launches, double *duration_ns,
	struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_outcome outcome = self->device->ops->time(self->device, NULL, 0,
		&call->invocation, launches, duration_ns, &reason);

	return judge(self, outcome, task->what, &reason, err);
}

static enum at_status read_results(
	struct bench *self, uint64_t bytes, const char *what, struct at_error *err)
{
	struct at_error reason = { 0 };

	if (self->device->ops->read(
		    self->device, self->results, 0, self->read, bytes, &reason))
		return fail(self, what, &reason, err);
	return AT_OK;
}

static enum at_status clear_results(
	struct bench *self, uint64_t bytes, const char *what, struct at_error *err)
{
	struct at_error reason = { 0 };

	memset(self->read, 0, (size_t)bytes);
	if (self->device->ops->write(
		    self->device, self->results, 0, self->read, bytes, &reason))
		return fail(self, what, &reason, err);
	return AT_OK;
}

/* ---- copies --------------------------------------------------------------- */

/* what was written last lies in the caches, before each copy and behind it alike */
static enum at_status fill_source(
	struct bench *self, const struct task *task, struct at_error *err)
{
	struct call call;

	begin_call(self, &call, KERNEL_FILL, 8, 256);
	add_memory(self, &call, self->from);
	add_u64(&call, self->buffer_bytes / ELEMENT_BYTES);
	add_u64(&call, ++self->seed);
	return run(self, &call, task->what, err);
}

static enum at_status check_copy(
	struct bench *self, const struct task *task, struct at_error *err)
{
	uint64_t count = self->buffer_bytes / ELEMENT_BYTES, wrong;
	struct call call;
	enum at_status status = clear_results(self, sizeof(wrong), task->what, err);

	begin_call(self, &call, KERNEL_CHECK, 8, 256);
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
			"measuring the %s of %s: of %llu elements that were to be "
			"copied %llu were not",
			task->what, self->device->info.id, (unsigned long long)count,
			(unsigned long long)wrong);
	return AT_OK;
}

static enum at_status time_own_copies(struct bench *self, const struct task *task,
	double *duration_ns, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_outcome outcome = self->device->ops->time_copy(self->device, self->to,
		self->from, self->buffer_bytes, task->repeats, duration_ns, &reason);

	return judge(self, outcome, task->what, &reason, err);
}

static void call_copy(struct bench *self, const struct task *task, struct call *call)
{
	begin_call(self, call, task->kernel, task->blocks_per_processor, task->threads);
	add_memory(self, call, self->to);
	add_memory(self, call, self->from);
	add_u64(call, self->buffer_bytes / ELEMENT_BYTES);
}

static enum at_status sample_copy(struct bench *self, const struct task *task,
	double *duration_ns, double *amount, struct at_error *err)
{
	bool is_own = task->kernel == KERNEL_COUNT;
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

/*
 * Adds up what the threads say that they have done: each the same, a whole number
 * for each of the 64 links of a round.
 */
static enum at_status count_operations(struct bench *self, const struct task *task,
	double *count, struct at_error *err)
{
	uint32_t threads =
		self->processors * task->blocks_per_processor * task->threads;
	double links = 64.0 * task->repeats;
	enum at_status status = read_results(
		self, (uint64_t)threads * sizeof(*self->read), task->what, err);

	if (status)
		return status;
	for (uint32_t i = 0; i < threads; i++)
		if (!(self->read[i] >= links) || self->read[i] != self->read[0] ||
			fmod(self->read[i], links) != 0)
			return at_fail(err, AT_EDEVICE, NULL, 0,
				"measuring the %s of %s: thread %u did %g operations "
				"of chains with %g links",
				task->what, self->device->info.id, i, self->read[i],
				links);
	/* multiplication and addition */
	*count = 2.0 * self->read[0] * threads;
	return AT_OK;
}

static enum at_status sample_chains(struct bench *self, const struct task *task,
	double *duration_ns, double *amount, struct at_error *err)
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
	for (int i = 0; i < 2; i++) {
		if (task->kernel == KERNEL_FLOAT)
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

/* ---- rates ---------------------------------------------------------------- */

static enum at_status sample(struct bench *self, const struct task *task,
	double *duration_ns, double *rate, struct at_error *err)
{
	double amount = 0;
	enum at_status status = task->sample(self, task, duration_ns, &amount, err);

	if (status)
		return status;
	/* the fastest of all, if it were believed */
	if (!(*duration_ns > 0))
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"measuring the %s of %s: by its clock it took no time at all",
			task->what, self->device->info.id);
	*rate = amount / *duration_ns * 1e9;
	return AT_OK;
}

/* Raises the repeats until a sample is long enough. */
static enum at_status fit_repeats(
	struct bench *self, struct task *task, struct at_error *err)
{
	double duration_ns, rate;

	for (;;) {
		enum at_status status = sample(self, task, &duration_ns, &rate, err);
		double wanted;

		if (status)
			return status;
		if (duration_ns >= SAMPLE_NS / 2 || task->repeats == task->repeats_max)
			return AT_OK;
		/* a first guess is a bad one: never far at once */
		wanted = fmin(fmax(SAMPLE_NS / duration_ns, 2), 32) * task->repeats;
		task->repeats = wanted < task->repeats_max ? (unsigned)wanted
							   : task->repeats_max;
	}
}

static bool clock_is_low(struct bench *self)
{
	const struct at_properties *properties = &self->device->info.properties;
	struct at_device_state state = { 0 };

	self->device->ops->state(self->device, &state);
	return state.clock_hz && properties->known[AT_PROPERTY_CLOCK_HZ] &&
	       (double)state.clock_hz <
		       CLOCK_IS_UP * (double)properties->value[AT_PROPERTY_CLOCK_HZ];
}

static enum at_status measure_rate(
	struct bench *self, struct task *task, double *rate, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	double rates[SAMPLES], duration_ns;
	enum at_status status = fit_repeats(self, task, err);

	while (!status && clock_is_low(self) &&
		at_clock_now_ns() - start_ns < WARM_UP_NS)
		status = sample(self, task, &duration_ns, rate, err);
	for (int i = 0; i < SAMPLES && !status; i++)
		status = sample(self, task, &duration_ns, &rates[i], err);
	if (!status)
		*rate = at_statistics_median(rates, SAMPLES).median;
	return status;
}

static enum at_status measure_chains(
	struct bench *self, enum kernel kernel, double *rate, struct at_error *err)
{
	struct task task = {
		.what = kernel == KERNEL_FLOAT ? "FMA rate in float"
					       : "FMA rate in double",
		.sample = sample_chains,
		.kernel = kernel,
		.blocks_per_processor = CHAIN_BLOCKS_PER_PROCESSOR,
		.threads = CHAIN_THREADS,
		.repeats = 1,
		.repeats_max = ROUNDS_MAX,
	};

	return measure_rate(self, &task, rate, err);
}

static enum at_status measure_copy(
	struct bench *self, double *rate, struct at_error *err)
{
	static const struct task own[] = {
		{ "copy bandwidth", sample_copy, KERNEL_COPY_WIDE, 8, 256, 1,
			COPIES_MAX },
		{ "copy bandwidth", sample_copy, KERNEL_COPY_DEEP, 4, 256, 1,
			COPIES_MAX },
		{ "copy bandwidth", sample_copy, KERNEL_COPY_RUN, 1, 1, 1, COPIES_MAX },
	};
	struct task task = { "copy bandwidth", sample_copy, KERNEL_COUNT, 0, 0, 1,
		COPIES_MAX };
	enum at_status status = AT_OK;
	double best = 0, duration_ns, found = 0;

	if (self->device->ops->time_copy)
		return measure_rate(self, &task, rate, err);
	for (size_t i = 0; i < AT_COUNT_OF(own) && !status; i++) {
		for (int j = 0; j < TRIALS && !status; j++)
			status = sample(self, &own[i], &duration_ns, &found, err);
		if (!status && found > best) {
			best = found;
			task = own[i];
		}
	}
	return status ? status : measure_rate(self, &task, rate, err);
}

/* ---- the bench ------------------------------------------------------------ */

static int64_t property(const struct bench *self, enum at_property which, int64_t other)
{
	const struct at_properties *properties = &self->device->info.properties;

	return properties->known[which] && properties->value[which] > 0
		       ? properties->value[which]
		       : other;
}

static uint64_t choose_buffer_bytes(const struct bench *self)
{
	uint64_t cache = (uint64_t)property(self, AT_PROPERTY_L2_BYTES, 0);
	uint64_t memory = (uint64_t)property(self, AT_PROPERTY_MEMORY_BYTES, 0);
	uint64_t bytes = 4 * cache > BUFFER_BYTES ? 4 * cache : BUFFER_BYTES;

	if (self->device->info.shares_cores) {
		uint64_t most = self->processors * SHARED_BUFFER_BYTES_PER_CORE;

		if (most > SHARED_BUFFER_BYTES_MAX)
			most = SHARED_BUFFER_BYTES_MAX;
		bytes = 2 * cache < most ? 2 * cache : most;
		if (bytes < SHARED_BUFFER_BYTES_MIN)
			bytes = SHARED_BUFFER_BYTES_MIN;
	}
	if (memory && bytes > memory / 8)
		bytes = memory / 8;
	return bytes / 4096 * 4096;
}

static enum at_status load(struct bench *self, const unsigned char *image, size_t bytes,
	struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	struct at_error reason = { 0 };

	enum at_status status = judge(self,
		ops->load(self->device, image, bytes, &self->module, &reason),
		"ceilings", &reason, err);

	if (status)
		return status;
	for (int i = 0; i < KERNEL_COUNT; i++) {
		self->kernels[i] =
			ops->find(self->device, self->module, at_ceilings_kernels[i]);
		if (!self->kernels[i])
			return at_fail(err, AT_EDEVICE, NULL, 0,
				"the tuner's own kernel %s is not in its image",
				at_ceilings_kernels[i]);
	}
	return AT_OK;
}

static enum at_status allocate(struct bench *self, uint64_t bytes,
	struct at_memory **out, struct at_error *err)
{
	struct at_error reason = { 0 };

	if (self->device->ops->allocate(self->device, bytes, out, &reason))
		return fail(self, "ceilings", &reason, err);
	return AT_OK;
}

static enum at_status set_up(struct bench *self, const unsigned char *image,
	size_t bytes, struct at_error *err)
{
	enum at_status status = load(self, image, bytes, err);
	size_t threads;

	self->processors =
		(uint32_t)property(self, AT_PROPERTY_MULTIPROCESSOR_COUNT, 1);
	self->buffer_bytes = choose_buffer_bytes(self);
	threads = (size_t)self->processors * CHAIN_BLOCKS_PER_PROCESSOR * CHAIN_THREADS;
	self->read = calloc(threads, sizeof(*self->read));
	if (!status && !self->read)
		status = at_fail_memory(err);
	if (!status)
		status = allocate(
			self, threads * sizeof(*self->read), &self->results, err);
	if (!status)
		status = allocate(self, self->buffer_bytes, &self->from, err);
	if (!status)
		status = allocate(self, self->buffer_bytes, &self->to, err);
	return status;
}

static void release(struct bench *self)
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

enum at_status at_ceilings_measure(struct at_device *device, const unsigned char *image,
	size_t bytes, struct at_ceilings *out, struct at_error *err)
{
	struct bench self = { .device = device };
	enum at_status status = set_up(&self, image, bytes, err);

	memset(out, 0, sizeof(*out));
	/* the chains first: they bring the clocks up for the copies */
	if (!status)
		status = measure_chains(
			&self, KERNEL_FLOAT, &out->float_flops_per_second, err);
	if (!status)
		status = measure_chains(
			&self, KERNEL_DOUBLE, &out->double_flops_per_second, err);
	if (!status)
		status = measure_copy(&self, &out->copy_bytes_per_second, err);
	release(&self);
	return status;
}
