/*
 * A filler beside the calls of run(): a kernel on a stream of its own, each block of
 * which keeps one multiprocessor until a word in pinned memory of the host says that
 * the calls have ended. Whatever becomes of them, the filler ends by itself after a
 * while, and says in another word that it did.
 */
#include "device/cuda/cuda_device.h"
#include "base/clock.h"

#include <assert.h>
#include <stdatomic.h>

/* Words of one launch: see at_crowd in measure/support.cu. */
enum { WORD_END, WORD_GAVE_UP, WORD_BEGAN };

/* registers are given to blocks of so many threads until none are left */
#define FILLER_THREADS 1024

/* A filler on an idle device begins within some microseconds. One that does not within
   this time shares the device with another process, and begins when it can. */
#define BEGIN_NS 100000000u

/* of the trial, which lasts microseconds where kernels run side by side */
#define TRIAL_NS 50000000u

/* Clears words[0..2 + blocks) and launches; the words are not the host's before the
   stream is waited for. */
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

static void wait_until_it_fills(const struct at_cuda_crowd *crowd)
{
	uint64_t start_ns = at_clock_now_ns();
	volatile uint32_t *words = crowd->words;

	for (unsigned i = 0; i < crowd->multiprocessors; i++)
		while (!words[WORD_BEGAN + i])
			if (at_clock_now_ns() - start_ns > BEGIN_NS)
				return;
}

unsigned at_cuda_crowd_begin(struct at_cuda_device *self)
{
	struct at_cuda_crowd *crowd = &self->crowd;
	unsigned code = launch_filler(self, crowd->words, crowd->multiprocessors,
		crowd->limit_ns, 0, crowd->stream);

	if (!code)
		wait_until_it_fills(crowd);
	return code;
}

unsigned at_cuda_crowd_end(struct at_cuda_device *self, bool *gave_up)
{
	struct at_cuda_crowd *crowd = &self->crowd;
	volatile uint32_t *words = crowd->words;
	unsigned code;

	words[WORD_END] = 1;
	atomic_thread_fence(memory_order_seq_cst);
	*gave_up = false;
	/* a lost context has taken the filler with it */
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

/* Words for a filler on all multiprocessors, and for the one block of a trial. */
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
 * Whether a kernel ends while the filler is there. Under some profilers, and where the
 * driver was told to launch one after the other, none does: everything would then be
 * found to need the whole device.
 */
static enum at_status try_it(struct at_cuda_device *self, struct at_error *err)
{
	struct at_cuda_crowd *crowd = &self->crowd;
	uint32_t *own = crowd->words + WORD_BEGAN + crowd->multiprocessors;
	uint64_t limit_ns = crowd->limit_ns;
	bool gave_up = false;
	unsigned code, ended;

	crowd->limit_ns = TRIAL_NS;
	code = at_cuda_crowd_begin(self);
	crowd->limit_ns = limit_ns;
	if (!code)
		code = launch_filler(self, own, 1, 0, 1, self->stream);
	if (!code)
		code = self->driver->stream_synchronize(self->stream);
	ended = at_cuda_crowd_end(self, &gave_up);
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

enum at_status at_cuda_crowd(struct at_device *base, struct at_kernel *filler,
	unsigned multiprocessors, uint64_t limit_ns, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	const struct at_properties *properties = &base->info.properties;
	int64_t most = properties->value[AT_PROPERTY_MULTIPROCESSOR_COUNT];
	int64_t shared_bytes =
		properties->value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK];
	struct at_cuda_crowd *crowd = &self->crowd;
	enum at_status status;
	unsigned code;

	crowd->multiprocessors = 0;
	if (multiprocessors == 0)
		return AT_OK;
	if (most < 2)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"%s has no multiprocessor for a filler", base->info.id);
	/* what runs beside it needs one */
	if (multiprocessors > most - 1)
		multiprocessors = (unsigned)(most - 1);
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
	crowd->limit_ns = limit_ns;
	crowd->multiprocessors = multiprocessors;
	status = try_it(self, err);
	if (status)
		crowd->multiprocessors = 0;
	return status;
}
