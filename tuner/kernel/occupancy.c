#include "kernel/occupancy.h"

#include <limits.h>
#ifdef AT_HAVE_CUDA_OCCUPANCY
#include <cuda_occupancy.h>
#endif

#define UNLIMITED INT64_MAX

static const struct {
	enum at_limit limit;
	const char *text;
} texts[] = {
#define TEXT(symbol, bit, text) { AT_LIMIT_##symbol, text },
	AT_LIMITS(TEXT)
#undef TEXT
};

void at_occupancy_limits_text(unsigned limits, struct at_strbuf *out)
{
	const char *separator = "";

	for (size_t i = 0; i < AT_COUNT_OF(texts); i++) {
		if (!(limits & (unsigned)texts[i].limit))
			continue;
		at_strbuf_add(out, separator);
		at_strbuf_add(out, texts[i].text);
		separator = ", ";
	}
}

static int64_t at_least_0(int64_t value)
{
	return value > 0 ? value : 0;
}

static int64_t ceil_div(int64_t value, int64_t unit)
{
	return (value + unit - 1) / unit;
}

/* all that the two counts need */
static bool knows_multiprocessor(const struct at_properties *properties)
{
	static const enum at_property needed[] = {
		AT_PROPERTY_COMPUTE_CAPABILITY,
		AT_PROPERTY_WARP_SIZE,
		AT_PROPERTY_MAX_THREADS_PER_BLOCK,
		AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR,
		AT_PROPERTY_MAX_BLOCKS_PER_MULTIPROCESSOR,
		AT_PROPERTY_MAX_REGISTERS_PER_BLOCK,
		AT_PROPERTY_MAX_REGISTERS_PER_MULTIPROCESSOR,
		AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK,
		AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK,
		AT_PROPERTY_SHARED_BYTES_PER_MULTIPROCESSOR,
	};

	for (size_t i = 0; i < AT_COUNT_OF(needed); i++)
		if (!properties->known[needed[i]] || properties->value[needed[i]] < 1)
			return false;
	return true;
}

/* what both counts make of the resident blocks */
static void finish(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, int64_t blocks, unsigned limits,
	bool exact, struct at_occupancy *out)
{
	int64_t warp = properties->value[AT_PROPERTY_WARP_SIZE];
	int64_t all =
		properties->value[AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR] / warp;

	out->blocks = blocks;
	out->threads = blocks * kernel->threads;
	out->fraction = (double)(blocks * ceil_div(kernel->threads, warp)) /
			(double)(all > 0 ? all : 1);
	out->limits = limits;
	out->exact = exact;
}

/* what a launch may not ask for, however empty the multiprocessor is */
static unsigned forbidden(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, int64_t shared_bytes)
{
	const int64_t *limit = properties->value;
	unsigned found = 0;

	if (kernel->threads > limit[AT_PROPERTY_MAX_THREADS_PER_BLOCK] ||
		(kernel->max_threads > 0 && kernel->threads > kernel->max_threads))
		found |= AT_LIMIT_THREADS;
	if (kernel->registers > 0 &&
		kernel->registers >
			limit[AT_PROPERTY_MAX_REGISTERS_PER_BLOCK] / kernel->threads)
		found |= AT_LIMIT_REGISTERS;
	if (kernel->static_shared_bytes >
			limit[AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK] ||
		shared_bytes > limit[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK])
		found |= AT_LIMIT_SHARED_MEMORY;
	return found;
}

bool at_occupancy_textbook(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, struct at_occupancy *out)
{
	const int64_t *limit = properties->value;
	int64_t registers = at_least_0(kernel->registers) * kernel->threads;
	int64_t shared_bytes = at_least_0(kernel->static_shared_bytes) +
			       at_least_0(kernel->dynamic_shared_bytes);
	int64_t blocks = UNLIMITED;
	unsigned limits;

	if (!knows_multiprocessor(properties) || kernel->threads < 1)
		return false;
	limits = forbidden(properties, kernel, shared_bytes);
	if (limits) {
		finish(properties, kernel, 0, limits, false, out);
		return true;
	}
	const struct {
		enum at_limit limit;
		int64_t blocks;
	} counts[] = {
		{ AT_LIMIT_THREADS, limit[AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR] /
					    kernel->threads },
		{ AT_LIMIT_REGISTERS,
			registers
				? limit[AT_PROPERTY_MAX_REGISTERS_PER_MULTIPROCESSOR] /
					  registers
				: UNLIMITED },
		{ AT_LIMIT_SHARED_MEMORY,
			shared_bytes
				? limit[AT_PROPERTY_SHARED_BYTES_PER_MULTIPROCESSOR] /
					  shared_bytes
				: UNLIMITED },
		{ AT_LIMIT_BLOCKS, limit[AT_PROPERTY_MAX_BLOCKS_PER_MULTIPROCESSOR] },
	};

	for (size_t i = 0; i < AT_COUNT_OF(counts); i++)
		if (counts[i].blocks < blocks)
			blocks = counts[i].blocks;
	for (size_t i = 0; i < AT_COUNT_OF(counts); i++)
		if (counts[i].blocks == blocks)
			limits |= counts[i].limit;
	finish(properties, kernel, blocks, limits, false, out);
	return true;
}

#ifdef AT_HAVE_CUDA_OCCUPANCY
static bool fits_int(int64_t value)
{
	return value >= 0 && value <= INT_MAX;
}

/* false: NVIDIA's calculator does not know the device or refuses the kernel */
static bool allocator(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, struct at_occupancy *out)
{
	const int64_t *limit = properties->value;
	int64_t capability = limit[AT_PROPERTY_COMPUTE_CAPABILITY];
	int64_t static_bytes = at_least_0(kernel->static_shared_bytes);
	int64_t dynamic_bytes = at_least_0(kernel->dynamic_shared_bytes);
	int64_t optin = limit[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK];
	struct cudaOccDeviceProp device = {
		.computeMajor = (int)(capability / 10),
		.computeMinor = (int)(capability % 10),
		.maxThreadsPerBlock = (int)limit[AT_PROPERTY_MAX_THREADS_PER_BLOCK],
		.maxThreadsPerMultiprocessor =
			(int)limit[AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR],
		.regsPerBlock = (int)limit[AT_PROPERTY_MAX_REGISTERS_PER_BLOCK],
		.regsPerMultiprocessor =
			(int)limit[AT_PROPERTY_MAX_REGISTERS_PER_MULTIPROCESSOR],
		.warpSize = (int)limit[AT_PROPERTY_WARP_SIZE],
		.sharedMemPerBlock =
			(size_t)limit[AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK],
		.sharedMemPerMultiprocessor =
			(size_t)limit[AT_PROPERTY_SHARED_BYTES_PER_MULTIPROCESSOR],
		.numSms = 1,
		.sharedMemPerBlockOptin = (size_t)optin,
		.reservedSharedMemPerBlock =
			properties->known[AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK]
				? (size_t)limit
					  [AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK]
				: 0,
	};
	struct cudaOccFuncAttributes function = {
		.maxThreadsPerBlock =
			kernel->max_threads > 0 && kernel->max_threads < INT_MAX
				? (int)kernel->max_threads
				: INT_MAX,
		.numRegs = (int)at_least_0(kernel->registers),
		.sharedSizeBytes = (size_t)static_bytes,
		.partitionedGCConfig = PARTITIONED_GC_OFF,
		/* the launch opts in to what is above 48 KiB */
		.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
		.maxDynamicSharedSizeBytes = (size_t)at_least_0(optin - static_bytes),
		.numBlockBarriers = (int)at_least_0(kernel->barriers),
	};
	struct cudaOccDeviceState state = {
		.cacheConfig = CACHE_PREFER_NONE,
		.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT,
	};
	struct cudaOccResult result = { 0 };

	if (!fits_int(kernel->threads) || !fits_int(at_least_0(kernel->registers)) ||
		cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function,
			&state, (int)kernel->threads, (size_t)dynamic_bytes))
		return false;
	finish(properties, kernel, result.activeBlocksPerMultiprocessor,
		result.limitingFactors, true, out);
	return true;
}
#endif

bool at_occupancy(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, struct at_occupancy *out)
{
	if (!at_occupancy_textbook(properties, kernel, out))
		return false;
#ifdef AT_HAVE_CUDA_OCCUPANCY
	allocator(properties, kernel, out);
#endif
	return true;
}
