/*
 * How a kernel is launched so that one of its blocks begins late. The filler of crowd.c
 * takes whole multiprocessors, and so leaves room for a multiple of the blocks that fit
 * on one. That multiple is made to be one less than all blocks: with dynamic memory
 * that a launch asks for and does not use, fewer blocks fit on a multiprocessor, at
 * best one.
 */
#include "device/cuda/cuda_device.h"

/* Shared memory is given in pieces of so many bytes at most, from sm_70 on. */
#define SHARED_UNIT_BYTES 256

/* No multiprocessor holds more blocks. */
#define BLOCKS_MOST 32

/*
 * Dynamic memory for a launch with which `blocks` blocks fit on a multiprocessor, and
 * no more: so much that another one would find no room. -1 where a block cannot have
 * it.
 */
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

/*
 * Looks for the launch that leaves room for the most of its blocks, but not for all.
 * limit_bytes: dynamic memory that a block can have.
 */
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
		/* of blocks that are many more some begin late anyway */
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

	/* the product of all three may be more than 64 bits hold */
	if (kernel->has_clusters || all < 2 || grid[2] > most ||
		(uint64_t)grid[0] * grid[1] > most ||
		driver->function_attribute(
			&fixed_bytes, AT_CUDA_FUNCTION_SHARED_BYTES, kernel->function))
		return false;
	limit_bytes =
		properties->value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK] -
		fixed_bytes;
	/* up to this limit the driver tells how many blocks fit */
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
	/* if this fails the limit is higher than it is known to be, which does no harm
	 */
	(void)!self->driver->function_set(kernel->function,
		AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES,
		(int)kernel->shared_limit_bytes);
}
