#ifndef AUTOTUNE_RUNTIME
#define AUTOTUNE_RUNTIME 2

#define AUTOTUNE_PASTE_TEXT(a, b) a##b
#define AUTOTUNE_PASTE(a, b) AUTOTUNE_PASTE_TEXT(a, b)

/*
 * A device; the members have the names of space files. A member that is 0 is not known.
 * Its value is then taken from the record if that has the device, else from what all
 * CUDA devices have in common. If there is no such value either, a configuration whose
 * constraints or launch need it does not fit. major and minor are the compute
 * capability; both are 0 for a CPU. autotune_device_of() makes one from a
 * cudaDeviceProp.
 */
struct autotune_device {
	const char *name; /* "NVIDIA H200"; letter case and punctuation do not count */
	int major;
	int minor;
	long long multiprocessor_count;
	long long warp_size;
	long long max_threads_per_block;
	long long max_block_x;
	long long max_block_y;
	long long max_block_z;
	long long max_grid_x;
	long long max_grid_y;
	long long max_grid_z;
	long long max_threads_per_multiprocessor;
	long long max_blocks_per_multiprocessor;
	long long max_registers_per_block;
	long long max_registers_per_multiprocessor;
	long long max_shared_bytes_per_block; /* without opting in */
	long long max_dynamic_shared_bytes_per_block; /* opted in to */
	long long shared_bytes_per_multiprocessor;
	long long reserved_shared_bytes_per_block;
	long long l2_bytes;
	long long memory_bytes;
	long long clock_hz;
	long long memory_clock_hz;
	long long memory_bus_bits;
	long long power_limit_watts; /* as set now */
	long long default_power_limit_watts; /* as the board is delivered */
};

/* How to launch. All members are 0 where these sizes cannot be launched. */
struct autotune_launch {
	unsigned int grid[3];
	unsigned int block[3];
	unsigned int shared_bytes; /* dynamic */
};

/* How a configuration was found. The rungs are tried in this order, until one has a
   configuration that fits. */
enum autotune_rung {
	AUTOTUNE_EXACT, /* measured on this model of device with these sizes */
	AUTOTUNE_SAME_DEVICE, /* on this model, with the nearest sizes */
	AUTOTUNE_SAME_ARCHITECTURE, /* on a device of this compute capability */
	AUTOTUNE_NEAREST_ARCHITECTURE, /* on one of the nearest compute capability */
	AUTOTUNE_BASELINE, /* no winner fits: what winners were compared with */
	AUTOTUNE_NONE /* nothing fits */
};

struct autotune_choice {
	int configuration; /* -1: none fits */
	enum autotune_rung rung;
};

static inline const char *autotune_rung_name(enum autotune_rung rung)
{
	return rung == AUTOTUNE_EXACT                  ? "exact"
	       : rung == AUTOTUNE_SAME_DEVICE          ? "same device"
	       : rung == AUTOTUNE_SAME_ARCHITECTURE    ? "same architecture"
	       : rung == AUTOTUNE_NEAREST_ARCHITECTURE ? "nearest architecture"
	       : rung == AUTOTUNE_BASELINE             ? "baseline"
						       : "none";
}

/* ---- how far sizes and devices are from each other ---- */

/* A logarithmic scale from 1 on: twice the size is 1024 more, and 1 is at 1024. Below,
   it is linear down to 0. Whole numbers, so that all compilers choose alike. Negative
   sizes are mirrored. */
static inline long long autotune_scale(double size)
{
	double a = size < 0.0 ? -size : size;
	long long result = 1024, step;

	if (!(a > 0.0 && a <= 1.7976931348623157e308))
		return 0;
	if (a < 1.0) {
		result = AUTOTUNE_CAST(long long, a * 1024.0);
		return size < 0.0 ? -result : result;
	}
	for (; a >= 2.0; a /= 2.0)
		result += 1024;
	for (step = 512; step > 0; step /= 2) {
		a *= a;
		if (a >= 2.0) {
			a /= 2.0;
			result += step;
		}
	}
	return size < 0.0 ? -result : result;
}

/* in place of a size that a recorded problem does not have */
#define AUTOTUNE_ANY -1.7976931348623157e308

/*
 * The distance of sizes from recorded ones, and whether they are the same. The mean
 * difference on the scale above is one of scale, the deviations from it are one of
 * shape, which counts twice as much. The result is the sum of squares times count *
 * count.
 */
static inline long long autotune_distance(
	const double *sizes, const double *recorded, int count, int *is_exact)
{
	long long sum = 0, squares = 0;
	int i;

	*is_exact = 1;
	for (i = 0; i < count; i++) {
		long long difference;

		if (!(recorded[i] > AUTOTUNE_ANY))
			continue;
		*is_exact &= autotune_compare(sizes[i], recorded[i]) == 0;
		difference = autotune_scale(sizes[i]) - autotune_scale(recorded[i]);
		sum += difference;
		squares += difference * difference;
	}
	return 4 * count * count * squares - 3 * count * sum * sum;
}

/* The next letter of a name in lower case; '-' for anything between words; 0 at the
   end. */
static inline char autotune_letter(const char **at, int is_first)
{
	int is_between = 0;

	for (;; ++*at) {
		char c = **at;

		if (c == '\0')
			return c;
		if (c >= 'A' && c <= 'Z')
			c = AUTOTUNE_CAST(char, c - 'A' + 'a');
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
			if (is_between && !is_first)
				return '-';
			++*at;
			return c;
		}
		is_between = 1;
	}
}

/* Whether two values differ by more than the tolerance. A value that is not known does
   not differ. */
static inline int autotune_is_apart(long long a, long long b, long long tolerance)
{
	return a > 0 && b > 0 && (a - b > tolerance || b - a > tolerance);
}

/*
 * Whether two devices are of one model. The name alone does not tell: boards of one
 * name may differ in multiprocessors (a part of a device), in memory (error correction
 * takes a sixteenth of it) and in their power limits.
 */
static inline int autotune_is_same_device(
	const struct autotune_device *a, const struct autotune_device *b)
{
	const char *left = a->name, *right = b->name;
	int is_first = 1;
	char c;

	if (!left || !right)
		return 0;
	if (autotune_is_apart(a->multiprocessor_count, b->multiprocessor_count, 0) ||
		autotune_is_apart(
			a->memory_bytes, b->memory_bytes, a->memory_bytes / 14) ||
		autotune_is_apart(a->power_limit_watts, b->power_limit_watts, 0))
		return 0;
	do {
		c = autotune_letter(&left, is_first);
		if (c != autotune_letter(&right, is_first))
			return 0;
		is_first = 0;
	} while (c != '\0');
	return 1;
}

static inline int autotune_is_cpu(const struct autotune_device *device)
{
	return device->major == 0 && device->minor == 0;
}

/*
 * The distance from the compute capability asked for to a recorded one. Lower ones come
 * before higher ones, since code for a higher one may use what the device lacks. A
 * different major version is further than any minor one.
 */
static inline long long autotune_capability_distance(
	const struct autotune_device *asked, const struct autotune_device *recorded)
{
	long long difference = 10LL * (asked->major - recorded->major) +
			       (asked->minor - recorded->minor);
	long long distance = difference < 0 ? -difference : difference;

	if (asked->major != recorded->major)
		distance += 1000;
	return difference < 0 ? distance + 1000000 : distance;
}

/* Takes the members that are not known from another device. */
static inline void autotune_fill(
	struct autotune_device *device, const struct autotune_device *from)
{
#define AUTOTUNE_FILL(property) \
	if (device->property <= 0) \
		device->property = from->property;
	AUTOTUNE_FILL(multiprocessor_count)
	AUTOTUNE_FILL(warp_size)
	AUTOTUNE_FILL(max_threads_per_block)
	AUTOTUNE_FILL(max_block_x)
	AUTOTUNE_FILL(max_block_y)
	AUTOTUNE_FILL(max_block_z)
	AUTOTUNE_FILL(max_grid_x)
	AUTOTUNE_FILL(max_grid_y)
	AUTOTUNE_FILL(max_grid_z)
	AUTOTUNE_FILL(max_threads_per_multiprocessor)
	AUTOTUNE_FILL(max_blocks_per_multiprocessor)
	AUTOTUNE_FILL(max_registers_per_block)
	AUTOTUNE_FILL(max_registers_per_multiprocessor)
	AUTOTUNE_FILL(max_shared_bytes_per_block)
	AUTOTUNE_FILL(max_dynamic_shared_bytes_per_block)
	AUTOTUNE_FILL(shared_bytes_per_multiprocessor)
	AUTOTUNE_FILL(reserved_shared_bytes_per_block)
	AUTOTUNE_FILL(l2_bytes)
	AUTOTUNE_FILL(memory_bytes)
	AUTOTUNE_FILL(clock_hz)
	AUTOTUNE_FILL(memory_clock_hz)
	AUTOTUNE_FILL(memory_bus_bits)
	AUTOTUNE_FILL(power_limit_watts)
	AUTOTUNE_FILL(default_power_limit_watts)
#undef AUTOTUNE_FILL
}

/* Takes the members that are not known from what all CUDA devices have in common, by
   the CUDA C++ Programming Guide. */
static inline void autotune_fill_common(struct autotune_device *device)
{
	static const struct autotune_device common = { "", 0, 0, 0, 32, 1024, 1024,
		1024, 64, 2147483647, 65535, 65535, 0, 0, 0, 0, 49152, 49152, 0, 0, 0,
		0, 0, 0, 0, 0, 0 };

	autotune_fill(device, &common);
}

/* Whether a launch keeps to the limits of a device. static_bytes: static shared memory,
   registers: of a thread; 0 where they are not known. */
static inline int autotune_fits(const struct autotune_launch *launch,
	const struct autotune_device *device, long long static_bytes,
	long long registers)
{
	const long long threads = AUTOTUNE_CAST(long long, launch->block[0]) *
				  launch->block[1] * launch->block[2];
	/* the hardware gives registers to whole warps of 32 threads, in units of 256 */
	const long long needed =
		(threads + 31) / 32 * ((registers * 32 + 255) / 256 * 256);

#define AUTOTUNE_WITHIN(amount, limit) ((limit) <= 0 || (amount) <= (limit))
	return threads > 0 && AUTOTUNE_WITHIN(threads, device->max_threads_per_block) &&
	       AUTOTUNE_WITHIN(launch->block[0], device->max_block_x) &&
	       AUTOTUNE_WITHIN(launch->block[1], device->max_block_y) &&
	       AUTOTUNE_WITHIN(launch->block[2], device->max_block_z) &&
	       AUTOTUNE_WITHIN(launch->grid[0], device->max_grid_x) &&
	       AUTOTUNE_WITHIN(launch->grid[1], device->max_grid_y) &&
	       AUTOTUNE_WITHIN(launch->grid[2], device->max_grid_z) &&
	       AUTOTUNE_WITHIN(needed, device->max_registers_per_block) &&
	       AUTOTUNE_WITHIN(static_bytes, device->max_shared_bytes_per_block) &&
	       AUTOTUNE_WITHIN(static_bytes + launch->shared_bytes,
		       launch->shared_bytes > 0
			       ? device->max_dynamic_shared_bytes_per_block
			       : device->max_shared_bytes_per_block);
#undef AUTOTUNE_WITHIN
}

/* amounts: three of the grid, three of the block, dynamic shared memory in bytes */
static inline struct autotune_launch autotune_launch_of(
	const long long amounts[7], int bad)
{
	struct autotune_launch launch = { { 0, 0, 0 }, { 0, 0, 0 }, 0 };
	int i;

	for (i = 0; i < 7; i++)
		if (amounts[i] < (i < 6 ? 1 : 0) || amounts[i] > 4294967295LL)
			bad = 1;
	if (bad)
		return launch;
	for (i = 0; i < 3; i++) {
		launch.grid[i] = AUTOTUNE_CAST(unsigned int, amounts[i]);
		launch.block[i] = AUTOTUNE_CAST(unsigned int, amounts[3 + i]);
	}
	launch.shared_bytes = AUTOTUNE_CAST(unsigned int, amounts[6]);
	return launch;
}

/* How well a recorded configuration suits: members are compared in this order, each
   where those before it are equal. */
struct autotune_rank {
	enum autotune_rung rung;
	long long capability;
	long long sizes;
	long long multiprocessors;
};

static inline struct autotune_rank autotune_rank_of(const struct autotune_device *asked,
	const struct autotune_device *recorded, int is_baseline, const double *sizes,
	const double *recorded_sizes, int size_count)
{
	int is_exact;
	struct autotune_rank rank = { AUTOTUNE_NONE, 0,
		autotune_distance(sizes, recorded_sizes, size_count, &is_exact), 0 };
	long long apart =
		autotune_scale(AUTOTUNE_CAST(double, asked->multiprocessor_count)) -
		autotune_scale(AUTOTUNE_CAST(double, recorded->multiprocessor_count));

	if (autotune_is_same_device(asked, recorded)) {
		rank.rung = is_exact ? AUTOTUNE_EXACT : AUTOTUNE_SAME_DEVICE;
	} else if (autotune_is_cpu(asked) == autotune_is_cpu(recorded)) {
		/* 0 is left for the same model, which comes first */
		rank.capability = 1 + autotune_capability_distance(asked, recorded);
		rank.rung = rank.capability == 1 ? AUTOTUNE_SAME_ARCHITECTURE
						 : AUTOTUNE_NEAREST_ARCHITECTURE;
		if (asked->multiprocessor_count > 0)
			rank.multiprocessors = apart < 0 ? -apart : apart;
	}
	if (is_baseline && rank.rung != AUTOTUNE_NONE)
		rank.rung = AUTOTUNE_BASELINE;
	return rank;
}

static inline int autotune_is_better(
	const struct autotune_rank *a, const struct autotune_rank *b)
{
	if (a->rung != b->rung)
		return a->rung < b->rung;
	if (a->capability != b->capability)
		return a->capability < b->capability;
	if (a->sizes != b->sizes)
		return a->sizes < b->sizes;
	return a->multiprocessors < b->multiprocessors;
}

#elif AUTOTUNE_RUNTIME != 2
#error "this unit has headers of different versions of autotune: write all of them again with autotune header"
#endif

/* only where the CUDA runtime's header was included before this one */
#if defined(__DRIVER_TYPES_H__) && !defined(AUTOTUNE_DEVICE_OF)
#define AUTOTUNE_DEVICE_OF
/* The name is borrowed from *properties. */
static inline struct autotune_device autotune_device_of(
	const struct cudaDeviceProp *properties)
{
	struct autotune_device device = { properties->name, properties->major,
		properties->minor, properties->multiProcessorCount,
		properties->warpSize, properties->maxThreadsPerBlock,
		properties->maxThreadsDim[0], properties->maxThreadsDim[1],
		properties->maxThreadsDim[2], properties->maxGridSize[0],
		properties->maxGridSize[1], properties->maxGridSize[2],
		properties->maxThreadsPerMultiProcessor,
		properties->maxBlocksPerMultiProcessor, properties->regsPerBlock,
		properties->regsPerMultiprocessor,
		AUTOTUNE_CAST(long long, properties->sharedMemPerBlock),
		AUTOTUNE_CAST(long long, properties->sharedMemPerBlockOptin),
		AUTOTUNE_CAST(long long, properties->sharedMemPerMultiprocessor),
		AUTOTUNE_CAST(long long, properties->reservedSharedMemPerBlock),
		properties->l2CacheSize,
		AUTOTUNE_CAST(long long, properties->totalGlobalMem), 0, 0,
		properties->memoryBusWidth, 0, 0 };

	return device;
}
#endif
