/*
 * The filler for the calls of run(): a kernel (at_crowd in measure/support.cu) on its
 * own stream. Each of its blocks occupies one multiprocessor until a word in pinned
 * host memory says that the calls have ended. In any case the filler ends after its
 * time limit, and reports that in another word.
 */
#include "device/cuda/cuda_device.h"
#include "base/clock.h"

#include <assert.h>
#include <limits.h>
#include <stdatomic.h>

/* Indices into the words of one launch; see at_crowd in measure/support.cu. From
   WORD_BEGAN on there is one word for each block. */
enum { WORD_END, WORD_GAVE_UP, WORD_BEGAN };

/* With 1024 threads of 64 registers a block takes all registers of a multiprocessor. */
#define FILLER_THREADS 1024

/* On an idle device a filler begins within some microseconds. One that has not begun
   after this time shares the device with another process, and begins later. */
#define BEGIN_NS 100000000u

/* time limit of the trial, which takes microseconds if kernels run concurrently */
#define TRIAL_NS 50000000u

/*
 * Clears the words of the launch, words[0..2 + blocks), and queues the filler. Until it
 * has waited for the stream, the host must not write to them again, except to set
 * WORD_END.
 */
static unsigned launch_filler(struct at_cuda_device *self, uint32_t *words,
	unsigned blocks, uint64_t limit_ns, uint32_t end, struct CUstream_st *stream)
{
	const struct at_cuda_crowd *crowd = &self->crowd;
	unsigned long long address =
		crowd->address +
		(unsigned long long)((char *)words - (char *)crowd->words);
	void *parameters[] = { &address, &limit_ns };
	volatile uint32_t *word = words;

	for (unsigned i = 0; i < WORD_BEGAN + blocks; i++)
		word[i] = 0;
	word[WORD_END] = end;
	atomic_thread_fence(memory_order_seq_cst);
	return self->driver->launch(crowd->filler->function, blocks, 1, 1,
		FILLER_THREADS, 1, 1, crowd->shared_bytes, stream, parameters, NULL);
}

static void wait_until_it_fills(
	const struct at_cuda_crowd *crowd, unsigned multiprocessors)
{
	uint64_t start_ns = at_clock_now_ns();
	volatile uint32_t *words = crowd->words;

	for (unsigned i = 0; i < multiprocessors; i++)
		while (!words[WORD_BEGAN + i])
			if (at_clock_now_ns() - start_ns > BEGIN_NS)
				return;
}

unsigned at_cuda_crowd_begin(
	struct at_cuda_device *self, unsigned multiprocessors, uint64_t limit_ns)
{
	struct at_cuda_crowd *crowd = &self->crowd;
	unsigned code = launch_filler(
		self, crowd->words, multiprocessors, limit_ns, 0, crowd->stream);

	if (!code)
		wait_until_it_fills(crowd, multiprocessors);
	return code;
}

unsigned at_cuda_crowd_end(struct at_cuda_device *self, uint64_t stay_ns, bool *gave_up)
{
	struct at_cuda_crowd *crowd = &self->crowd;
	volatile uint32_t *words = crowd->words;
	unsigned code;

	words[WORD_END] = stay_ns / 1000 < UINT32_MAX ? 1 + (uint32_t)(stay_ns / 1000)
						      : UINT32_MAX;
	atomic_thread_fence(memory_order_seq_cst);
	*gave_up = false;
	/* a lost context has also ended the filler */
	if (self->base.is_lost)
		return AT_CUDA_SUCCESS;
	code = self->driver->stream_synchronize(crowd->stream);
	*gave_up = !code && words[WORD_GAVE_UP];
	return code;
}

void at_cuda_crowd_release(struct at_cuda_device *self)
{
	struct at_cuda_crowd *crowd = &self->crowd;

	crowd->multiprocessors = 0;
	if (crowd->stream)
		(void)!self->driver->stream_destroy(crowd->stream);
	crowd->stream = NULL;
	if (crowd->words)
		(void)!self->driver->pinned_free(crowd->words);
	crowd->words = NULL;
}

/* Allocates, once, the words of a filler on all multiprocessors and of the trial's
   single block; also the filler's stream. */
static enum at_status make_words(
	struct at_cuda_device *self, size_t multiprocessors, struct at_error *err)
{
	const struct at_cuda_driver *driver = self->driver;
	struct at_cuda_crowd *crowd = &self->crowd;
	size_t bytes = (2 * WORD_BEGAN + multiprocessors + 1) * sizeof(*crowd->words);
	void *words;
	unsigned code;

	if (crowd->words)
		return AT_OK;
	code = driver->stream_create(&crowd->stream, AT_CUDA_STREAM_NON_BLOCKING);
	if (code) {
		crowd->stream = NULL;
		return at_cuda_fail(driver, err, AT_EDEVICE, "cuStreamCreate", code);
	}
	code = driver->pinned_allocate(&words, bytes, AT_CUDA_PINNED_DEVICE_MAP);
	if (!code) {
		crowd->words = words;
		code = driver->pinned_address(&crowd->address, words, 0);
	}
	if (!code)
		return AT_OK;
	at_cuda_crowd_release(self);
	return at_cuda_fail(driver, err, AT_EDEVICE, "cuMemHostAlloc", code);
}

/*
 * Tests whether a kernel ends while the filler runs. Under some profilers, and if the
 * driver serializes kernels, none does; every configuration would then seem to need the
 * whole device.
 */
static enum at_status try_it(
	struct at_cuda_device *self, unsigned multiprocessors, struct at_error *err)
{
	struct at_cuda_crowd *crowd = &self->crowd;
	uint32_t *own = crowd->words + WORD_BEGAN + multiprocessors;
	bool gave_up = false;
	unsigned code = at_cuda_crowd_begin(self, multiprocessors, TRIAL_NS), ended;

	if (!code)
		code = launch_filler(self, own, 1, 0, 1, self->stream);
	if (!code)
		code = self->driver->stream_synchronize(self->stream);
	ended = at_cuda_crowd_end(self, 0, &gave_up);
	if (!code)
		code = ended;
	if (code) {
		(void)!at_cuda_judge(self, code);
		return at_cuda_fail(
			self->driver, err, AT_EDEVICE, "trying a filler", code);
	}
	return gave_up ? at_fail(err, AT_EUNAVAILABLE, NULL, 0,
				 "%s runs no two kernels side by side",
				 self->base.info.id)
		       : AT_OK;
}

/* Prepares and tests a filler on that many multiprocessors, or on all but one if that
   is fewer. */
static enum at_status prepare(struct at_cuda_device *self, struct at_kernel *filler,
	unsigned *multiprocessors, struct at_error *err)
{
	const struct at_properties *properties = &self->base.info.properties;
	int64_t most = properties->value[AT_PROPERTY_MULTIPROCESSOR_COUNT];
	int64_t shared_bytes =
		properties->value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK];
	struct at_cuda_crowd *crowd = &self->crowd;
	enum at_status status;
	unsigned code;

	if (most < 2)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"%s has no multiprocessor for a filler", self->base.info.id);
	/* the calls need at least one */
	if (*multiprocessors > most - 1)
		*multiprocessors = (unsigned)(most - 1);
	status = make_words(self, (size_t)most, err);
	if (status)
		return status;
	assert(crowd->words);
	code = self->driver->function_set(filler->function,
		AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES, (int)shared_bytes);
	if (code)
		return at_cuda_fail(
			self->driver, err, AT_EDEVICE, "cuFuncSetAttribute", code);
	filler->shared_limit_bytes = (uint32_t)shared_bytes;
	crowd->filler = filler;
	crowd->shared_bytes = (uint32_t)shared_bytes;
	return try_it(self, *multiprocessors, err);
}

static enum at_status cuda_crowd(struct at_device *base, struct at_kernel *filler,
	unsigned multiprocessors, uint64_t limit_ns, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	struct at_cuda_crowd *crowd = &self->crowd;
	enum at_status status;

	crowd->multiprocessors = 0;
	crowd->held_back = NULL;
	if (multiprocessors == 0)
		return AT_OK;
	status = prepare(self, filler, &multiprocessors, err);
	if (status)
		return status;
	crowd->limit_ns = limit_ns;
	crowd->multiprocessors = multiprocessors;
	return AT_OK;
}

static enum at_status cuda_hold_back(struct at_device *base, struct at_kernel *filler,
	const struct at_kernel *kernel, uint64_t hold_ns, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	struct at_cuda_crowd *crowd = &self->crowd;
	unsigned multiprocessors = UINT_MAX;
	enum at_status status;

	crowd->multiprocessors = 0;
	crowd->held_back = NULL;
	if (!kernel)
		return AT_OK;
	status = prepare(self, filler, &multiprocessors, err);
	if (status)
		return status;
	crowd->hold_ns = hold_ns;
	crowd->held_back = kernel;
	return AT_OK;
}

void at_cuda_add_crowd(struct at_cuda_device *self)
{
	struct at_device_ops *ops = &self->ops;

	ops->crowd = cuda_crowd;
	ops->delay_blocks = cuda_hold_back;
}

/* ---- delayed blocks ------------------------------------------------------------- */

/*
 * How to launch a kernel so that one of its blocks is delayed. The filler above takes
 * whole multiprocessors, and so leaves room for a multiple of the blocks per
 * multiprocessor. The goal is a multiple of one less than all blocks: unused dynamic
 * memory reduces the blocks per multiprocessor, at best to one.
 */

/* The largest allocation granularity of shared memory, from sm_70 on. */
#define SHARED_UNIT_BYTES 256

/* The most blocks per multiprocessor. */
#define BLOCKS_MOST 32

/* Dynamic memory for a launch with exactly `blocks` blocks per multiprocessor: so much
   that another block finds no room. -1: a block cannot have this much. */
static int64_t shared_for(const struct at_properties *properties, int64_t limit_bytes,
	int64_t fixed_bytes, unsigned blocks, int64_t needed_bytes)
{
	int64_t all = properties->value[AT_PROPERTY_SHARED_BYTES_PER_MULTIPROCESSOR];
	int64_t reserved =
		properties->known[AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK]
			? properties->value[AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK]
			: 0;
	int64_t bytes = all / (blocks + 1) + SHARED_UNIT_BYTES - fixed_bytes - reserved;

	if (bytes < needed_bytes)
		return needed_bytes;
	return bytes <= limit_bytes ? bytes : -1;
}

/* Finds the launch that leaves room for the most of its blocks, but not for all.
   limit_bytes: the limit of dynamic memory per block. */
static bool plan(const struct at_cuda_device *self, const struct at_invocation *call,
	uint64_t blocks, int64_t limit_bytes, int64_t fixed_bytes,
	struct at_cuda_late *out)
{
	const struct at_properties *properties = &self->base.info.properties;
	const uint64_t all =
		(uint64_t)properties->value[AT_PROPERTY_MULTIPROCESSOR_COUNT];
	int threads = (int)(call->block[0] * call->block[1] * call->block[2]);
	uint64_t most = 0;

	/* the fewer fit on one, the closer a multiple comes to all but one */
	for (unsigned i = 1; i <= BLOCKS_MOST && most + 1 < blocks; i++) {
		int64_t shared_bytes = shared_for(
			properties, limit_bytes, fixed_bytes, i, call->shared_bytes);
		uint64_t left; /* multiprocessors */
		int fit = 0;

		if (shared_bytes < 0 ||
			self->driver->function_occupancy(&fit, call->kernel->function,
				threads, (size_t)shared_bytes) ||
			fit < 1)
			continue;
		left = (blocks - 1) / (unsigned)fit;
		/* if there are many more blocks, some are delayed anyway */
		if (left < 1 || left >= all || left * (unsigned)fit <= most)
			continue;
		most = left * (unsigned)fit;
		out->multiprocessors = (unsigned)(all - left);
		out->shared_bytes = (uint32_t)shared_bytes;
	}
	return most > 0;
}

bool at_cuda_late_begin(struct at_cuda_device *self, const struct at_invocation *call,
	struct at_cuda_late *out)
{
	const struct at_properties *properties = &self->base.info.properties;
	const struct at_cuda_driver *driver = self->driver;
	const uint32_t *grid = call->grid;
	struct at_kernel *kernel = call->kernel;
	int64_t all = properties->value[AT_PROPERTY_MULTIPROCESSOR_COUNT], limit_bytes;
	uint64_t most = (uint64_t)all * BLOCKS_MOST;
	int fixed_bytes = 0;

	/* the product of all three may exceed 64 bits */
	if (kernel->has_clusters || all < 2 || grid[2] > most ||
		(uint64_t)grid[0] * grid[1] > most ||
		driver->function_attribute(
			&fixed_bytes, AT_CUDA_FUNCTION_SHARED_BYTES, kernel->function))
		return false;
	limit_bytes =
		properties->value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK] -
		fixed_bytes;
	/* up to this limit the driver reports how many blocks fit */
	if (limit_bytes < 0 ||
		driver->function_set(kernel->function,
			AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES, (int)limit_bytes))
		return false;
	if (plan(self, call, (uint64_t)grid[0] * grid[1] * grid[2], limit_bytes,
		    fixed_bytes, out))
		return true;
	at_cuda_late_end(self, kernel);
	return false;
}

void at_cuda_late_end(struct at_cuda_device *self, struct at_kernel *kernel)
{
	/* after a failure the limit exceeds the known one, which is harmless */
	(void)!self->driver->function_set(kernel->function,
		AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES,
		(int)kernel->shared_limit_bytes);
}
