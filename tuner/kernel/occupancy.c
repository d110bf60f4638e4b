/* Counts resident blocks, by the textbook and by NVIDIA's cuda_occupancy.h. */
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

/* Whether the properties have everything that both counts need. */
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

/* Per block, as requested; INT64_MAX if the sum overflows. */
static int64_t shared_bytes(const struct at_occupancy_kernel *kernel)
{
	int64_t fixed = at_least_0(kernel->static_shared_bytes);
	int64_t dynamic = at_least_0(kernel->dynamic_shared_bytes);

	return dynamic > INT64_MAX - fixed ? INT64_MAX : fixed + dynamic;
}

/* The limits that a launch exceeds even on an empty multiprocessor. */
static unsigned forbidden(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel)
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
		shared_bytes(kernel) >
			limit[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK])
		found |= AT_LIMIT_SHARED_MEMORY;
	return found;
}

/* The number of blocks for which one resource suffices. */
struct room {
	enum at_limit limit;
	int64_t blocks;
};

/* Sets the result: the scarcest resource decides, unless the launch is forbidden. */
static void conclude(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, const struct room *rooms,
	size_t room_count, bool exact, struct at_occupancy *out)
{
	int64_t warp = properties->value[AT_PROPERTY_WARP_SIZE];
	int64_t all = properties->value[AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR];
	unsigned forbid = forbidden(properties, kernel);
	int64_t blocks = UNLIMITED;

	for (size_t i = 0; i < room_count; i++)
		if (rooms[i].blocks < blocks)
			blocks = rooms[i].blocks;
	out->limits = forbid;
	for (size_t i = 0; i < room_count; i++)
		if (rooms[i].blocks == blocks && (!forbid || !blocks))
			out->limits |= rooms[i].limit;
	out->blocks = forbid ? 0 : blocks;
	out->threads = 0;
	out->fraction = 0;
	out->exact = exact;
	if (!out->blocks)
		return;
	out->threads = out->blocks * kernel->threads;
	out->fraction = (double)out->threads / (double)all;
	if (exact) {
		int64_t warps = (kernel->threads + warp - 1) / warp, most = all / warp;

		out->fraction = (double)(out->blocks * warps) / (double)most;
	}
}

/* How many blocks fit if a block takes `each` of the resource `times` times. */
static int64_t room_for(int64_t resource, int64_t each, int64_t times)
{
	return each > 0 ? resource / each / times : UNLIMITED;
}

bool at_occupancy_textbook(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, struct at_occupancy *out)
{
	const int64_t *limit = properties->value;

	if (!knows_multiprocessor(properties) || kernel->threads < 1)
		return false;
	const struct room rooms[] = {
		{ AT_LIMIT_THREADS,
			room_for(limit[AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR],
				kernel->threads, 1) },
		{ AT_LIMIT_REGISTERS,
			room_for(limit[AT_PROPERTY_MAX_REGISTERS_PER_MULTIPROCESSOR],
				kernel->registers, kernel->threads) },
		{ AT_LIMIT_SHARED_MEMORY,
			room_for(limit[AT_PROPERTY_SHARED_BYTES_PER_MULTIPROCESSOR],
				shared_bytes(kernel), 1) },
		{ AT_LIMIT_BLOCKS, limit[AT_PROPERTY_MAX_BLOCKS_PER_MULTIPROCESSOR] },
	};

	conclude(properties, kernel, rooms, AT_COUNT_OF(rooms), false, out);
	return true;
}

#ifdef AT_HAVE_CUDA_OCCUPANCY
static struct cudaOccDeviceProp describe_device(const struct at_properties *properties)
{
	const int64_t *limit = properties->value;
	int capability = (int)limit[AT_PROPERTY_COMPUTE_CAPABILITY];
	struct cudaOccDeviceProp device = {
		.computeMajor = capability / 10,
		.computeMinor = capability % 10,
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
		.sharedMemPerBlockOptin =
			(size_t)limit[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK],
	};

	if (properties->known[AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK])
		device.reservedSharedMemPerBlock =
			(size_t)limit[AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK];
	return device;
}

static struct cudaOccFuncAttributes describe_function(
	const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel)
{
	int64_t optin =
		properties->value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK];
	int64_t fixed = at_least_0(kernel->static_shared_bytes);

	return (struct cudaOccFuncAttributes){
		/* the calculator ignores __launch_bounds__; forbidden() does not */
		.maxThreadsPerBlock = INT_MAX,
		.numRegs = (int)at_least_0(kernel->registers),
		.sharedSizeBytes = (size_t)fixed,
		.partitionedGCConfig = PARTITIONED_GC_OFF,
		/* the launch opts in to more than 48 KiB */
		.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
		.maxDynamicSharedSizeBytes = (size_t)at_least_0(optin - fixed),
		.numBlockBarriers = kernel->barriers < 0 ? 1 : (int)kernel->barriers,
	};
}

/* Leaves *out unchanged if NVIDIA's calculator does not know the device. Its own set of
   limiting factors is not used: if barriers allow the fewest blocks, it still includes
   the previous limiting factors. */
static void allocator(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, struct at_occupancy *out)
{
	struct cudaOccDeviceProp device = describe_device(properties);
	struct cudaOccFuncAttributes function = describe_function(properties, kernel);
	struct cudaOccDeviceState state = {
		.cacheConfig = CACHE_PREFER_NONE,
		.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT,
	};
	struct cudaOccResult result = { 0 };

	/* the calculator multiplies in int */
	if (kernel->threads > 4096 || kernel->registers > 4096 ||
		kernel->barriers > 4096 || shared_bytes(kernel) > INT_MAX / 2 ||
		cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function,
			&state, (int)kernel->threads,
			(size_t)at_least_0(kernel->dynamic_shared_bytes)))
		return;
	const struct room rooms[] = {
		{ AT_LIMIT_THREADS, result.blockLimitWarps },
		{ AT_LIMIT_REGISTERS, result.blockLimitRegs },
		{ AT_LIMIT_SHARED_MEMORY, result.blockLimitSharedMem },
		{ AT_LIMIT_BLOCKS, result.blockLimitBlocks },
		{ AT_LIMIT_BARRIERS, result.blockLimitBarriers },
	};

	conclude(properties, kernel, rooms, AT_COUNT_OF(rooms), true, out);
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
