/*
 * autotune.h: what the headers of all kernels share. Keep it in their folder.
 * Written by autotune header; changes made by hand are lost.
 *
 *   arithmetic   the expressions of space files
 *   choice       devices, launches, how far sizes and devices are from each other
 *   recording    sizes that are far from a tuned one (AUTOTUNE_RECORD)
 *   launching    what NAME_run() and NAME_run_cubin() need
 */
#ifndef AUTOTUNE_RUNTIME
#define AUTOTUNE_RUNTIME 5

/* a template may include the header of another kernel, and NVRTC has no such files */
#ifndef __CUDACC_RTC__
#include <stdio.h>
#include <stdlib.h>
#endif

#ifdef __cplusplus
#define AUTOTUNE_NULL nullptr
#define AUTOTUNE_CAST(type, value) static_cast<type>(value)
#else
#define AUTOTUNE_NULL 0
#define AUTOTUNE_CAST(type, value) ((type)(value))
#endif

/*
 * ---- integers, as in space files ----
 * *bad becomes 1 where a result is not defined, or an operand or a result of
 * arithmetic lies outside of -(2^62 - 1) to 2^62 - 1: sums of two such numbers fit.
 */

#define AUTOTUNE_LARGEST 4611686018427387903LL
#define AUTOTUNE_SMALLEST (-9223372036854775807LL - 1)

static inline long long autotune_none(int *bad)
{
	*bad = 1;
	return 0;
}

static inline long long autotune_known(long long property, int *bad)
{
	return property > 0 ? property : autotune_none(bad);
}

static inline long long autotune_within(long long a, int *bad)
{
	return a >= -AUTOTUNE_LARGEST && a <= AUTOTUNE_LARGEST ? a : autotune_none(bad);
}

static inline long long autotune_add(long long a, long long b, int *bad)
{
	return autotune_within(autotune_within(a, bad) + autotune_within(b, bad), bad);
}

static inline long long autotune_negate(long long a, int *bad)
{
	return -autotune_within(a, bad);
}

static inline long long autotune_subtract(long long a, long long b, int *bad)
{
	return autotune_add(a, autotune_negate(b, bad), bad);
}

static inline long long autotune_abs(long long a, int *bad)
{
	return a < 0 ? autotune_negate(a, bad) : autotune_within(a, bad);
}

static inline long long autotune_multiply(long long a, long long b, int *bad)
{
	const long long left = autotune_abs(a, bad), right = autotune_abs(b, bad);

	if (*bad || (right > 0 && left > AUTOTUNE_LARGEST / right))
		return autotune_none(bad);
	return a * b;
}

/* Truncated, as in C. */
static inline long long autotune_divide(long long a, long long b, int *bad)
{
	if (b == 0)
		return autotune_none(bad);
	return autotune_within(a, bad) / b;
}

static inline long long autotune_remainder(long long a, long long b, int *bad)
{
	if (b == 0)
		return autotune_none(bad);
	return autotune_within(a, bad) % b;
}

static inline long long autotune_ceil_div(long long a, long long b, int *bad)
{
	const long long rest = autotune_remainder(a, b, bad);

	return autotune_divide(a, b, bad) + (rest != 0 && (rest < 0) == (b < 0));
}

/* To the next multiple of b that is not above a. */
static inline long long autotune_round_down(long long a, long long b, int *bad)
{
	const long long step = autotune_abs(b, bad);
	const long long rest = autotune_remainder(a, step, bad);

	return autotune_subtract(a, rest < 0 ? rest + step : rest, bad);
}

static inline long long autotune_round_up(long long a, long long b, int *bad)
{
	return -autotune_round_down(autotune_negate(a, bad), b, bad);
}

static inline long long autotune_shift_left(long long a, long long b, int *bad)
{
	if (b < 0 || b > 63)
		return autotune_none(bad);
	return a == 0 ? 0
		      : autotune_multiply(
				a, b > 61 ? AUTOTUNE_SMALLEST : 1LL << b, bad);
}

static inline long long autotune_shift_right(long long a, long long b, int *bad)
{
	if (b < 0 || b > 63)
		return autotune_none(bad);
	return a < 0 ? ~(~a >> b) : a >> b;
}

static inline long long autotune_min(long long a, long long b)
{
	return a < b ? a : b;
}

static inline long long autotune_max(long long a, long long b)
{
	return a > b ? a : b;
}

static inline int autotune_is_pow2(long long a)
{
	return a > 0 && (a & (a - 1)) == 0;
}

static inline long long autotune_log2(long long a, int *bad)
{
	long long result = 0;

	if (a <= 0)
		return autotune_none(bad);
	for (; a > 1; a /= 2)
		result++;
	return result;
}

static inline long long autotune_gcd(long long a, long long b, int *bad)
{
	a = autotune_abs(a, bad);
	b = autotune_abs(b, bad);
	while (b != 0) {
		const long long rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static inline long long autotune_lcm(long long a, long long b, int *bad)
{
	const long long divisor = autotune_gcd(a, b, bad);

	if (divisor == 0)
		return 0;
	return autotune_multiply(
		autotune_abs(a, bad) / divisor, autotune_abs(b, bad), bad);
}

/* Bad for a negative exponent, as the result would not be an integer. */
static inline long long autotune_pow(long long a, long long b, int *bad)
{
	long long result = 1;

	if (b < 0)
		return autotune_none(bad);
	for (; b > 0; b /= 2) {
		if (b % 2 != 0)
			result = autotune_multiply(result, a, bad);
		if (b > 1)
			a = autotune_multiply(a, a, bad);
		/* a bad result stays bad: stop */
		if (*bad)
			return 0;
	}
	return result;
}

/* ---- reals: finite doubles, rounded after every operation ---- */

static inline double autotune_real_none(int *bad)
{
	*bad = 1;
	return 0.0;
}

static inline double autotune_finite(double a, int *bad)
{
	/* volatile: so the compiler cannot fuse two operations into one */
	volatile double stored = a;

	if (!(stored >= -1.7976931348623157e308 && stored <= 1.7976931348623157e308))
		return autotune_real_none(bad);
	return stored;
}

/* Bad beyond 2^53, where a double may not hold the same number. */
static inline double autotune_real(long long a, int *bad)
{
	if (a > 9007199254740992LL || a < -9007199254740992LL)
		return autotune_real_none(bad);
	return AUTOTUNE_CAST(double, a);
}

static inline int autotune_compare(double a, double b)
{
	return a < b ? -1 : a > b ? 1 : 0;
}

static inline double autotune_real_add(double a, double b, int *bad)
{
	return autotune_finite(a + b, bad);
}

static inline double autotune_real_subtract(double a, double b, int *bad)
{
	return autotune_finite(a - b, bad);
}

static inline double autotune_real_multiply(double a, double b, int *bad)
{
	return autotune_finite(a * b, bad);
}

static inline double autotune_real_divide(double a, double b, int *bad)
{
	if (autotune_compare(b, 0.0) == 0)
		return autotune_real_none(bad);
	return autotune_finite(a / b, bad);
}

static inline double autotune_real_min(double a, double b)
{
	return a < b ? a : b;
}

static inline double autotune_real_max(double a, double b)
{
	return a > b ? a : b;
}

static inline double autotune_real_abs(double a)
{
	return a < 0.0 ? -a : a;
}

static inline double autotune_real_floor(double a)
{
	double whole;

	/* from 2^52 on all doubles are whole numbers */
	if (!(a > -4503599627370496.0 && a < 4503599627370496.0))
		return a;
	whole = AUTOTUNE_CAST(double, AUTOTUNE_CAST(long long, a));
	return whole > a ? whole - 1.0 : whole;
}

static inline double autotune_real_ceil(double a)
{
	return -autotune_real_floor(-a);
}

static inline long long autotune_real_int(double a, int *bad)
{
	if (!(a >= -9223372036854775808.0 && a < 9223372036854775808.0))
		return autotune_none(bad);
	return AUTOTUNE_CAST(long long, a);
}

/* A real used as an integer; bad unless it is a whole number. */
static inline long long autotune_whole(double a, int *bad)
{
	long long whole = autotune_real_int(a, bad);

	if (autotune_compare(AUTOTUNE_CAST(double, whole), a) != 0)
		return autotune_none(bad);
	return whole;
}

static inline double autotune_real_ceil_div(double a, double b, int *bad)
{
	return autotune_real_ceil(autotune_real_divide(a, b, bad));
}

static inline double autotune_real_round_up(double a, double b, int *bad)
{
	b = autotune_real_abs(b);
	return autotune_finite(autotune_real_ceil_div(a, b, bad) * b, bad);
}

static inline double autotune_real_round_down(double a, double b, int *bad)
{
	b = autotune_real_abs(b);
	return autotune_finite(
		autotune_real_floor(autotune_real_divide(a, b, bad)) * b, bad);
}

/* Computed digit by digit, so that the result is rounded alike on every machine. */
static inline double autotune_real_sqrt(double a, int *bad)
{
	unsigned long long rest, root = 0, left = 0;
	double scale = 1.0;
	int i;

	if (!(a >= 0.0))
		return autotune_real_none(bad);
	if (!(a > 0.0))
		return a;
	/* scale a to 2^52 <= a < 2^54, where it is a whole number */
	for (; a < 4503599627370496.0; scale /= 2.0)
		a *= 4.0;
	for (; a >= 18014398509481984.0; scale *= 2.0)
		a /= 4.0;
	rest = AUTOTUNE_CAST(unsigned long long, a);
	/* the integer root of rest * 2^54: 54 binary digits, the last for rounding */
	for (i = 0; i < 54; i++) {
		/* two more digits of the operand, one more of the root */
		left = left * 4 + ((rest >> 52) & 3);
		rest = (rest << 2) & ((1ULL << 54) - 1);
		root *= 2;
		if (left > 2 * root) {
			left -= 2 * root + 1;
			root++;
		}
	}
	/* a square root is never exactly half way between two doubles */
	root = (root + 1) / 2;
	return AUTOTUNE_CAST(double, root) * (scale / 67108864.0);
}

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

/*
 * How to launch. Where these sizes cannot be launched, repeats is -1, and all other
 * members are 0. Attributes that are 0, and clusters of 0 blocks, are not set.
 */
struct autotune_launch {
	unsigned int grid[3];
	unsigned int block[3];
	unsigned int shared_bytes; /* dynamic */
	long long repeats; /* launches in a row; 0: its sequence leaves it out */
	/* cudaLaunchAttributeClusterDimension; of more than 8 blocks the kernel also
	   needs cudaFuncAttributeNonPortableClusterSizeAllowed */
	unsigned int cluster[3];
	/* cudaLaunchAttributePreferredClusterDimension: where there is room */
	unsigned int preferred_cluster[3];
	int cooperative; /* cudaLaunchAttributeCooperative */
	/* cudaLaunchAttributeProgrammaticStreamSerialization: it may begin before the
	   launch ahead of it has ended; not for the first of all launches */
	int dependent;
	/* cudaFuncAttributePreferredSharedMemoryCarveout, in percent; -1: the driver's
	   choice */
	int has_carveout, carveout;
	/* cudaLaunchAttributeAccessPolicyWindow with hitRatio percent / 100, hitProp
	   persisting, missProp normal; set bytes * percent / 100 aside:
	   cudaLimitPersistingL2CacheSize */
	int l2_window_percent;
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

/* Members, and the attributes of the driver that they are: CU_DEVICE_ATTRIBUTE_... */
/* clang-format off */
#define AUTOTUNE_ATTRIBUTES(X) \
	X(multiprocessor_count, MULTIPROCESSOR_COUNT) \
	X(warp_size, WARP_SIZE) \
	X(max_threads_per_block, MAX_THREADS_PER_BLOCK) \
	X(max_block_x, MAX_BLOCK_DIM_X) \
	X(max_block_y, MAX_BLOCK_DIM_Y) \
	X(max_block_z, MAX_BLOCK_DIM_Z) \
	X(max_grid_x, MAX_GRID_DIM_X) \
	X(max_grid_y, MAX_GRID_DIM_Y) \
	X(max_grid_z, MAX_GRID_DIM_Z) \
	X(max_threads_per_multiprocessor, MAX_THREADS_PER_MULTIPROCESSOR) \
	X(max_blocks_per_multiprocessor, MAX_BLOCKS_PER_MULTIPROCESSOR) \
	X(max_registers_per_block, MAX_REGISTERS_PER_BLOCK) \
	X(max_registers_per_multiprocessor, MAX_REGISTERS_PER_MULTIPROCESSOR) \
	X(max_shared_bytes_per_block, MAX_SHARED_MEMORY_PER_BLOCK) \
	X(max_dynamic_shared_bytes_per_block, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) \
	X(shared_bytes_per_multiprocessor, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) \
	X(reserved_shared_bytes_per_block, RESERVED_SHARED_MEMORY_PER_BLOCK) \
	X(l2_bytes, L2_CACHE_SIZE) \
	X(memory_bus_bits, GLOBAL_MEMORY_BUS_WIDTH)
/* clang-format on */

/* Takes the members that are not known from another device. */
static inline void autotune_fill(
	struct autotune_device *device, const struct autotune_device *from)
{
#define AUTOTUNE_FILL(member, attribute) \
	if (device->member <= 0) \
		device->member = from->member;
	AUTOTUNE_ATTRIBUTES(AUTOTUNE_FILL)
	AUTOTUNE_FILL(memory_bytes, 0)
	AUTOTUNE_FILL(clock_hz, 0)
	AUTOTUNE_FILL(memory_clock_hz, 0)
	AUTOTUNE_FILL(power_limit_watts, 0)
	AUTOTUNE_FILL(default_power_limit_watts, 0)
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

static inline unsigned int autotune_cluster_size(const unsigned int *blocks)
{
	return blocks[0] * blocks[1] * blocks[2];
}

/* Whether clusters divide the grid, and the device has any. */
static inline int autotune_cluster_fits(const struct autotune_launch *launch,
	const unsigned int *blocks, const struct autotune_device *device)
{
	return !blocks[0] ||
	       (!(launch->grid[0] % blocks[0]) && !(launch->grid[1] % blocks[1]) &&
		       !(launch->grid[2] % blocks[2]) &&
		       (device->major >= 9 || autotune_cluster_size(blocks) == 1));
}

/* Whether a launch, unless it is left out, keeps to the limits of a device.
   static_bytes: static shared memory, registers: of a thread; 0 where they are not
   known. */
static inline int autotune_fits(const struct autotune_launch *launch,
	const struct autotune_device *device, long long static_bytes,
	long long registers)
{
	const long long threads = AUTOTUNE_CAST(long long, launch->block[0]) *
				  launch->block[1] * launch->block[2];
	/* the hardware gives registers to whole warps of 32 threads, in units of 256 */
	const long long needed =
		(threads + 31) / 32 * ((registers * 32 + 255) / 256 * 256);

	if (launch->repeats <= 0)
		return launch->repeats == 0;
#define AUTOTUNE_WITHIN(amount, limit) ((limit) <= 0 || (amount) <= (limit))
	return AUTOTUNE_WITHIN(threads, device->max_threads_per_block) &&
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
			       : device->max_shared_bytes_per_block) &&
	       autotune_cluster_fits(launch, launch->cluster, device) &&
	       autotune_cluster_fits(launch, launch->preferred_cluster, device);
#undef AUTOTUNE_WITHIN
}

/* What launches are made of, by place: 0 the grid, 3 the block, 6 dynamic shared bytes,
   7 repeats, 8 the cluster, 11 the preferred one, 14 cooperative, 15 dependent, 16 the
   carveout, 17 the window. No expression gives AUTOTUNE_SMALLEST: not set. */
#define AUTOTUNE_AMOUNTS \
	{ \
		1, 1, 1, 1, 1, 1, 0, 1, AUTOTUNE_SMALLEST, 1, 1, AUTOTUNE_SMALLEST, 1, \
			1, 0, 0, AUTOTUNE_SMALLEST, 0 \
	}

/* Whether the amounts are extents; writes them. */
static inline int autotune_extents_of(const long long *amounts, unsigned int extents[3])
{
	int i;

	for (i = 0; i < 3; i++) {
		if (amounts[i] < 1 || amounts[i] > 4294967295LL)
			return 0;
		extents[i] = AUTOTUNE_CAST(unsigned int, amounts[i]);
	}
	return 1;
}

static inline struct autotune_launch autotune_launch_of(
	const long long *amounts, int bad)
{
	struct autotune_launch nothing = { { 0, 0, 0 }, { 0, 0, 0 }, 0, 0, { 0, 0, 0 },
		{ 0, 0, 0 }, 0, 0, 0, 0, 0 };
	struct autotune_launch launch = nothing;

	if (!bad && amounts[7] == 0)
		return nothing;
	nothing.repeats = -1;
	if (bad || !autotune_extents_of(amounts, launch.grid) ||
		!autotune_extents_of(amounts + 3, launch.block) || amounts[6] < 0 ||
		amounts[6] > 4294967295LL || amounts[7] < 0 ||
		(amounts[8] != AUTOTUNE_SMALLEST &&
			!autotune_extents_of(amounts + 8, launch.cluster)) ||
		(amounts[11] != AUTOTUNE_SMALLEST &&
			!autotune_extents_of(amounts + 11, launch.preferred_cluster)))
		return nothing;
	launch.shared_bytes = AUTOTUNE_CAST(unsigned int, amounts[6]);
	launch.repeats = amounts[7];
	launch.cooperative = amounts[14] != 0;
	launch.dependent = amounts[15] != 0;
	launch.has_carveout = amounts[16] != AUTOTUNE_SMALLEST;
	if (launch.has_carveout)
		launch.carveout = AUTOTUNE_CAST(int, amounts[16]);
	launch.l2_window_percent = AUTOTUNE_CAST(int, amounts[17]);
	return launch;
}

/*
 * What cuTensorMapEncodeTiled() takes, the innermost dimension first; strides[0] is of
 * dims[1], in bytes. Swizzle, interleave and promotion are bytes too, 0: none. rank 0:
 * the configuration cannot be launched with these sizes.
 */
struct autotune_tensor_map {
	int rank;
	long long dims[5], strides[5], box[5], element_strides[5];
	long long swizzle_bytes, interleave_bytes, promotion_bytes;
	int fills_nan; /* outside of the dimensions; else zeros */
	int type; /* CUtensorMapDataType */
};

static inline struct autotune_tensor_map autotune_tensor_map_of(
	const long long *amounts, int rank, int element_bytes, int type, int fills_nan,
	int bad)
{
	struct autotune_tensor_map map = { 0, { 0 }, { 0 }, { 0 }, { 0 }, 0, 0, 0, 0,
		0 };
	long long dense = element_bytes;
	int i;

	for (i = 0; i < rank && !bad; i++) {
		map.dims[i] = amounts[i];
		map.box[i] = amounts[10 + i];
		map.element_strides[i] = amounts[15 + i];
		dense = autotune_multiply(dense, amounts[i], &bad);
		if (i + 1 < rank)
			dense = map.strides[i] =
				amounts[5 + i] ? amounts[5 + i] : dense;
	}
	map.rank = bad ? 0 : rank;
	map.swizzle_bytes = amounts[20];
	map.interleave_bytes = amounts[21];
	map.promotion_bytes = amounts[22];
	map.fills_nan = fills_nan;
	map.type = type;
	return map;
}

/* The arguments of cuTensorMapEncodeTiled(), its enumerations as numbers. */
struct autotune_map_arguments {
	unsigned long long dims[5], strides[5];
	unsigned int box[5], element_strides[5];
	int interleave, swizzle, promotion;
};

static inline struct autotune_map_arguments autotune_map_arguments_of(
	const struct autotune_tensor_map *map)
{
	struct autotune_map_arguments arguments;
	int i;

	for (i = 0; i < 5; i++) {
		arguments.dims[i] = AUTOTUNE_CAST(unsigned long long, map->dims[i]);
		arguments.strides[i] =
			AUTOTUNE_CAST(unsigned long long, map->strides[i]);
		arguments.box[i] = AUTOTUNE_CAST(unsigned int, map->box[i]);
		arguments.element_strides[i] =
			AUTOTUNE_CAST(unsigned int, map->element_strides[i]);
	}
	/* these enumerations count up with the bytes */
	arguments.interleave = AUTOTUNE_CAST(int, map->interleave_bytes / 16);
	arguments.swizzle = map->swizzle_bytes == 128
				    ? 3
				    : AUTOTUNE_CAST(int, map->swizzle_bytes / 32);
	arguments.promotion = map->promotion_bytes == 256
				      ? 3
				      : AUTOTUNE_CAST(int, map->promotion_bytes / 64);
	return arguments;
}

/* Room for a CUtensorMap, 128 bytes that begin at a multiple of 64. */
struct autotune_map_room {
	unsigned char bytes[192];
};

static inline void *autotune_map_place(struct autotune_map_room *room)
{
	union {
		unsigned char *pointer;
		size_t number;
	} place;

	place.pointer = room->bytes;
	return room->bytes + (64 - place.number % 64) % 64;
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

/* ---- recording ---- */

/*
 * If the environment variable AUTOTUNE_RECORD names a file, or AUTOTUNE_RECORD_FILE was
 * defined, choose() appends a line of JSON for sizes that no tuned ones are near to,
 * and "autotune nightly --met FILE" tunes these. Each unit of a program notes at most
 * AUTOTUNE_MET_MAX of them: when they are met first, and when their number of calls has
 * grown tenfold. A line is one write to the end of the file. Where two threads meet
 * sizes at one time, one of the two calls does not count. Other compilers than gcc,
 * clang and nvcc record nothing.
 */
#define AUTOTUNE_MET_MAX 256

struct autotune_met {
	unsigned long long hash; /* of the line; 0: free */
	unsigned long long calls;
	unsigned long long noted; /* of the calls */
};

/* The file; 0: nothing is recorded. */
static inline const char *autotune_record_file(void)
{
	static const char *file = AUTOTUNE_NULL;
#ifndef __CUDACC_RTC__
	static int is_known = 0;

	if (!is_known) {
		file = getenv("AUTOTUNE_RECORD");
#ifdef AUTOTUNE_RECORD_FILE
		if (!file)
			file = AUTOTUNE_RECORD_FILE;
#endif
		if (file && !*file)
			file = AUTOTUNE_NULL;
		is_known = 1;
	}
#endif
	return file;
}

/* Whether all sizes are within a factor of two of the chosen ones', on average. */
static inline int autotune_is_near(const struct autotune_rank *rank, int size_count)
{
	return rank->rung == AUTOTUNE_EXACT ||
	       (rank->rung == AUTOTUNE_SAME_DEVICE &&
		       rank->sizes <= 1048576LL * size_count * size_count * size_count);
}

/* sizes: "\"M\": 4096, \"N\": 512" */
static inline void autotune_note(const char *file, const char *kernel,
	const struct autotune_device *device, const struct autotune_choice *choice,
	const char *sizes)
{
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CUDACC_RTC__)
	static struct autotune_met all[AUTOTUNE_MET_MAX];
	static int is_busy = 0;
	unsigned long long hash = 14695981039346656037ULL;
	struct autotune_met *met;
	const char *texts[3];
	char name[128], line[1024];
	int i, length = 0;
	FILE *out;

	for (i = 0; device->name && device->name[i] && length < 127; i++)
		if (device->name[i] >= ' ' && device->name[i] != '"' &&
			device->name[i] != '\\')
			name[length++] = device->name[i];
	name[length] = '\0';
	texts[0] = kernel;
	texts[1] = name;
	texts[2] = sizes;
	for (i = 0; i < 3; i++) {
		const char *c;

		for (c = texts[i]; *c; c++)
			hash = (hash ^ AUTOTUNE_CAST(unsigned char, *c)) *
			       1099511628211ULL;
		hash = (hash ^ 255) * 1099511628211ULL;
	}
	if (__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE))
		return;
	for (i = 0; i < AUTOTUNE_MET_MAX; i++)
		if (all[i].hash == hash || !all[i].hash)
			break;
	if (i < AUTOTUNE_MET_MAX) {
		met = &all[i];
		met->hash = hash;
		met->calls++;
		if (met->calls >= 10 * met->noted) {
			length = snprintf(line, sizeof(line),
				"{\"kernel\": \"%s\", \"device\": \"%s\", \"sizes\": {%s}, "
				"\"rung\": \"%s\", \"calls\": %llu}\n",
				kernel, name, sizes, autotune_rung_name(choice->rung),
				met->calls - met->noted);
			met->noted = met->calls;
			out = length > 0 && length < AUTOTUNE_CAST(int, sizeof(line))
				      ? fopen(file, "a")
				      : AUTOTUNE_NULL;
			if (out) {
				fwrite(line, 1, AUTOTUNE_CAST(size_t, length), out);
				fclose(out);
			}
		}
	}
	__atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
#else
	(void)file;
	(void)kernel;
	(void)device;
	(void)choice;
	(void)sizes;
#endif
}

/* ---- cubins ---- */

/* One configuration, compiled for one architecture. */
struct autotune_cubin {
	int configuration;
	int major; /* it runs on devices of this major version */
	int minor; /* and of this minor version or a higher one */
	const unsigned char *data; /* for cuModuleLoadData() */
	unsigned long long size;
	unsigned long long checksum; /* FNV-1a of data, 64 bits */
	const char *name; /* for cuModuleGetFunction() */
	const char *prepare; /* a kernel to launch before it; 0: none */
	const char *finish; /* a kernel to launch after it; 0: none */
	/* All kernels: the launches in their order, prepare, finish. 0: this
	   configuration lacks the kernel. */
	const char *const *kernels;
};

static inline unsigned long long autotune_checksum(
	const unsigned char *data, unsigned long long size)
{
	unsigned long long hash = 14695981039346656037ULL, i;

	for (i = 0; i < size; i++)
		hash = (hash ^ data[i]) * 1099511628211ULL;
	return hash;
}

/* 1: the bytes match their checksum; 0: they do not, so do not load them. */
static inline int autotune_cubin_is_sound(const struct autotune_cubin *cubin)
{
	return cubin->size > 0 &&
	       autotune_checksum(cubin->data, cubin->size) == cubin->checksum;
}

/*
 * The best cubin of a configuration for a device. A cubin runs on devices of its major
 * version whose minor version is not lower than its own, and on no others. Of those
 * that run this is the one with the highest minor version; 0: no cubin runs.
 */
static inline const struct autotune_cubin *autotune_cubin_find(
	const struct autotune_cubin *all, int count, int configuration, int major,
	int minor)
{
	const struct autotune_cubin *best = AUTOTUNE_NULL;
	int i;

	for (i = 0; i < count; i++)
		if (all[i].configuration == configuration && all[i].major == major &&
			all[i].minor <= minor && (!best || all[i].minor > best->minor))
			best = &all[i];
	return best;
}

/* ---- launching ---- */

/*
 * What NAME_run_by() launches with: the CUDA runtime, the driver API, or functions of
 * the program. Each function returns 0, or an error that NAME_run_by() returns.
 */
struct autotune_runner {
	int configuration; /* AUTOTUNE_CHOOSE: the best; else this one */
	int refused; /* the error if no configuration fits, or this one does not */
	void *stream;
	/* Called once, before the other functions. */
	int (*begin)(struct autotune_runner *self, int configuration,
		const struct autotune_device *device);
	/* kernel: the launches in their order, then prepare, finish. */
	int (*launch)(struct autotune_runner *self, int kernel,
		const struct autotune_launch *launch, void **arguments);
	/* Scratch buffers, in the order of the stream. */
	int (*allocate)(
		struct autotune_runner *self, void **memory, unsigned long long bytes);
	int (*release)(struct autotune_runner *self, void *memory);
	/* Makes the CUtensorMap of a buffer; called if a kernel takes one. */
	int (*encode)(struct autotune_runner *self, void *out,
		const struct autotune_tensor_map *map, const void *memory);
	void *data; /* of the functions */
	const void *kernels; /* of the functions: set by begin */
};

#define AUTOTUNE_CHOOSE (-2)

#elif AUTOTUNE_RUNTIME != 5
#error "this unit has headers of different versions of autotune: write all of them again with autotune header"
#endif

/* The rest needs a header of CUDA before this one. It is outside of the guard, since a
   unit may include that header later. */
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

#if defined(__CUDA_RUNTIME_API_H__) && !defined(AUTOTUNE_RUN) && CUDART_VERSION >= 11080
#define AUTOTUNE_RUN

static inline int autotune_runtime_begin(struct autotune_runner *self,
	int configuration, const struct autotune_device *device)
{
	(void)device;
	self->kernels =
		AUTOTUNE_CAST(const void *const *const *, self->data)[configuration];
	return 0;
}

static inline int autotune_runtime_launch(struct autotune_runner *self, int kernel,
	const struct autotune_launch *launch, void **arguments)
{
	const void *function =
		AUTOTUNE_CAST(const void *const *, self->kernels)[kernel];
	cudaLaunchConfig_t config;
	cudaLaunchAttribute attributes[4];
	cudaError_t error = cudaSuccess;

	config.gridDim.x = launch->grid[0];
	config.gridDim.y = launch->grid[1];
	config.gridDim.z = launch->grid[2];
	config.blockDim.x = launch->block[0];
	config.blockDim.y = launch->block[1];
	config.blockDim.z = launch->block[2];
	config.dynamicSmemBytes = launch->shared_bytes;
	config.stream = AUTOTUNE_CAST(cudaStream_t, self->stream);
	config.attrs = attributes;
	config.numAttrs = 0;
	if (autotune_cluster_size(launch->cluster) > 1) {
		const unsigned int *blocks = launch->cluster;
		cudaLaunchAttribute *attribute = &attributes[config.numAttrs++];

		attribute->id = cudaLaunchAttributeClusterDimension;
		attribute->val.clusterDim.x = blocks[0];
		attribute->val.clusterDim.y = blocks[1];
		attribute->val.clusterDim.z = blocks[2];
		if (autotune_cluster_size(launch->cluster) > 8)
			error = cudaFuncSetAttribute(function,
				cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
	}
#if CUDART_VERSION >= 12080
	if (autotune_cluster_size(launch->preferred_cluster) > 1) {
		const unsigned int *blocks = launch->preferred_cluster;
		cudaLaunchAttribute *attribute = &attributes[config.numAttrs++];

		attribute->id = cudaLaunchAttributePreferredClusterDimension;
		attribute->val.preferredClusterDim.x = blocks[0];
		attribute->val.preferredClusterDim.y = blocks[1];
		attribute->val.preferredClusterDim.z = blocks[2];
	}
#endif
	if (launch->cooperative) {
		attributes[config.numAttrs].id = cudaLaunchAttributeCooperative;
		attributes[config.numAttrs++].val.cooperative = 1;
	}
	if (launch->dependent) {
		attributes[config.numAttrs].id =
			cudaLaunchAttributeProgrammaticStreamSerialization;
		attributes[config.numAttrs++]
			.val.programmaticStreamSerializationAllowed = 1;
	}
	if (launch->has_carveout && error == cudaSuccess)
		error = cudaFuncSetAttribute(function,
			cudaFuncAttributePreferredSharedMemoryCarveout,
			launch->carveout);
	/* with the static part more than 48 KiB are opted in to */
	if (error == cudaSuccess && launch->shared_bytes > 0)
		error = cudaFuncSetAttribute(function,
			cudaFuncAttributeMaxDynamicSharedMemorySize,
			AUTOTUNE_CAST(int, launch->shared_bytes));
	if (error == cudaSuccess)
		error = cudaLaunchKernelExC(&config, function, arguments);
	return AUTOTUNE_CAST(int, error);
}

static inline int autotune_runtime_allocate(
	struct autotune_runner *self, void **memory, unsigned long long bytes)
{
	return AUTOTUNE_CAST(int, cudaMallocAsync(memory, AUTOTUNE_CAST(size_t, bytes),
					  AUTOTUNE_CAST(cudaStream_t, self->stream)));
}

static inline int autotune_runtime_release(struct autotune_runner *self, void *memory)
{
	return AUTOTUNE_CAST(
		int, cudaFreeAsync(memory, AUTOTUNE_CAST(cudaStream_t, self->stream)));
}

/* A driver for CUDA 12.0 or later has tensor maps. */
static inline int autotune_runtime_encode(struct autotune_runner *self, void *out,
	const struct autotune_tensor_map *map, const void *memory)
{
	const struct autotune_map_arguments arguments = autotune_map_arguments_of(map);
	union {
		void *address;
		int (*call)(void *, int, unsigned int, const void *,
			const unsigned long long *, const unsigned long long *,
			const unsigned int *, const unsigned int *, int, int, int, int);
	} function;
	enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
	cudaError_t error;

	(void)self;
	function.address = AUTOTUNE_NULL;
#if CUDART_VERSION >= 12050
	error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled",
		&function.address, 12000, cudaEnableDefault, &found);
#elif CUDART_VERSION >= 12000
	error = cudaGetDriverEntryPoint(
		"cuTensorMapEncodeTiled", &function.address, cudaEnableDefault, &found);
#else
	error = cudaErrorNotSupported;
#endif
	if (!error && (found != cudaDriverEntryPointSuccess || !function.address))
		error = cudaErrorNotSupported;
	if (!error &&
		function.call(out, map->type, AUTOTUNE_CAST(unsigned int, map->rank),
			memory, arguments.dims, arguments.strides, arguments.box,
			arguments.element_strides, arguments.interleave,
			arguments.swizzle, arguments.promotion, map->fills_nan))
		error = cudaErrorInvalidValue;
	return AUTOTUNE_CAST(int, error);
}

/* kernels: by configuration, then kernel: the addresses that the runtime knows. */
static inline struct autotune_runner autotune_runtime_runner(
	const void *const **kernels, int configuration, cudaStream_t stream)
{
	struct autotune_runner runner = { configuration,
		AUTOTUNE_CAST(int, cudaErrorInvalidConfiguration), stream,
		autotune_runtime_begin, autotune_runtime_launch,
		autotune_runtime_allocate, autotune_runtime_release,
		autotune_runtime_encode, kernels, AUTOTUNE_NULL };

	return runner;
}
#endif

#if defined(CUDA_VERSION) && !defined(AUTOTUNE_RUN_CUBIN) && CUDA_VERSION >= 11080
#define AUTOTUNE_RUN_CUBIN

/* The cubins of a kernel, and the modules of those that are loaded. */
struct autotune_cubins {
	const struct autotune_cubin *all;
	int count;
	CUmodule *modules; /* by configuration; 0: not loaded yet */
	CUmodule module; /* of the chosen configuration */
};

static inline int autotune_driver_begin(struct autotune_runner *self, int configuration,
	const struct autotune_device *device)
{
	struct autotune_cubins *cubins =
		AUTOTUNE_CAST(struct autotune_cubins *, self->data);
	const struct autotune_cubin *cubin = autotune_cubin_find(cubins->all,
		cubins->count, configuration, device->major, device->minor);
	CUmodule *module = &cubins->modules[configuration];
	CUresult error = CUDA_SUCCESS;

	if (!cubin)
		return AUTOTUNE_CAST(int, CUDA_ERROR_NO_BINARY_FOR_GPU);
	if (!*module && !autotune_cubin_is_sound(cubin))
		return AUTOTUNE_CAST(int, CUDA_ERROR_INVALID_IMAGE);
	if (!*module)
		error = cuModuleLoadData(module, cubin->data);
	self->kernels = cubin->kernels;
	cubins->module = *module;
	return AUTOTUNE_CAST(int, error);
}

static inline int autotune_driver_launch(struct autotune_runner *self, int kernel,
	const struct autotune_launch *launch, void **arguments)
{
	const struct autotune_cubins *cubins =
		AUTOTUNE_CAST(struct autotune_cubins *, self->data);
	const char *name = AUTOTUNE_CAST(const char *const *, self->kernels)[kernel];
	CUlaunchConfig config;
	CUlaunchAttribute attributes[4];
	CUfunction function = AUTOTUNE_NULL;
	CUresult error = name ? cuModuleGetFunction(&function, cubins->module, name)
			      : CUDA_ERROR_NOT_FOUND;

	config.gridDimX = launch->grid[0];
	config.gridDimY = launch->grid[1];
	config.gridDimZ = launch->grid[2];
	config.blockDimX = launch->block[0];
	config.blockDimY = launch->block[1];
	config.blockDimZ = launch->block[2];
	config.sharedMemBytes = launch->shared_bytes;
	config.hStream = AUTOTUNE_CAST(CUstream, self->stream);
	config.attrs = attributes;
	config.numAttrs = 0;
	if (autotune_cluster_size(launch->cluster) > 1) {
		const unsigned int *blocks = launch->cluster;
		CUlaunchAttribute *attribute = &attributes[config.numAttrs++];

		attribute->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
		attribute->value.clusterDim.x = blocks[0];
		attribute->value.clusterDim.y = blocks[1];
		attribute->value.clusterDim.z = blocks[2];
		if (error == CUDA_SUCCESS && autotune_cluster_size(launch->cluster) > 8)
			error = cuFuncSetAttribute(function,
				CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
	}
#if CUDA_VERSION >= 12080
	if (autotune_cluster_size(launch->preferred_cluster) > 1) {
		const unsigned int *blocks = launch->preferred_cluster;
		CUlaunchAttribute *attribute = &attributes[config.numAttrs++];

		attribute->id = CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION;
		attribute->value.preferredClusterDim.x = blocks[0];
		attribute->value.preferredClusterDim.y = blocks[1];
		attribute->value.preferredClusterDim.z = blocks[2];
	}
#endif
	if (launch->cooperative) {
		attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
		attributes[config.numAttrs++].value.cooperative = 1;
	}
	if (launch->dependent) {
		attributes[config.numAttrs].id =
			CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
		attributes[config.numAttrs++]
			.value.programmaticStreamSerializationAllowed = 1;
	}
	if (error == CUDA_SUCCESS && launch->has_carveout)
		error = cuFuncSetAttribute(function,
			CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
			launch->carveout);
	if (error == CUDA_SUCCESS && launch->shared_bytes > 0)
		error = cuFuncSetAttribute(function,
			CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
			AUTOTUNE_CAST(int, launch->shared_bytes));
	if (error == CUDA_SUCCESS)
		error = cuLaunchKernelEx(&config, function, arguments, AUTOTUNE_NULL);
	return AUTOTUNE_CAST(int, error);
}

/* CUdeviceptr is an integer as wide as a pointer. */
union autotune_address {
	CUdeviceptr number;
	void *pointer;
};

static inline int autotune_driver_allocate(
	struct autotune_runner *self, void **memory, unsigned long long bytes)
{
	union autotune_address address;
	CUresult error;

	address.pointer = AUTOTUNE_NULL;
	error = cuMemAllocAsync(&address.number, AUTOTUNE_CAST(size_t, bytes),
		AUTOTUNE_CAST(CUstream, self->stream));
	*memory = address.pointer;
	return AUTOTUNE_CAST(int, error);
}

static inline int autotune_driver_release(struct autotune_runner *self, void *memory)
{
	union autotune_address address;

	address.pointer = memory;
	return AUTOTUNE_CAST(int,
		cuMemFreeAsync(address.number, AUTOTUNE_CAST(CUstream, self->stream)));
}

static inline int autotune_driver_encode(struct autotune_runner *self, void *out,
	const struct autotune_tensor_map *map, const void *memory)
{
#if CUDA_VERSION >= 12000
	const struct autotune_map_arguments arguments = autotune_map_arguments_of(map);
	cuuint64_t dims[5], strides[5];
	union {
		const void *constant;
		void *pointer;
	} buffer;
	int i;

	(void)self;
	buffer.constant = memory;
	for (i = 0; i < 5; i++) {
		dims[i] = arguments.dims[i];
		strides[i] = arguments.strides[i];
	}
	return AUTOTUNE_CAST(
		int, cuTensorMapEncodeTiled(AUTOTUNE_CAST(CUtensorMap *, out),
			     AUTOTUNE_CAST(CUtensorMapDataType, map->type),
			     AUTOTUNE_CAST(cuuint32_t, map->rank), buffer.pointer, dims,
			     strides, arguments.box, arguments.element_strides,
			     AUTOTUNE_CAST(CUtensorMapInterleave, arguments.interleave),
			     AUTOTUNE_CAST(CUtensorMapSwizzle, arguments.swizzle),
			     AUTOTUNE_CAST(CUtensorMapL2promotion, arguments.promotion),
			     AUTOTUNE_CAST(CUtensorMapFloatOOBfill, map->fills_nan)));
#else
	(void)self, (void)out, (void)map, (void)memory;
	return AUTOTUNE_CAST(int, CUDA_ERROR_NOT_SUPPORTED);
#endif
}

static inline struct autotune_runner autotune_driver_runner(
	struct autotune_cubins *cubins, CUstream stream)
{
	struct autotune_runner runner = { AUTOTUNE_CHOOSE,
		AUTOTUNE_CAST(int, CUDA_ERROR_INVALID_VALUE), stream,
		autotune_driver_begin, autotune_driver_launch, autotune_driver_allocate,
		autotune_driver_release, autotune_driver_encode, cubins,
		AUTOTUNE_NULL };

	return runner;
}

/* Asks the driver about a device. name: at least 256 bytes, which *device borrows. */
static inline CUresult autotune_device_ask(
	CUdevice number, char name[256], struct autotune_device *device)
{
	static const struct autotune_device nothing = { AUTOTUNE_NULL, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
	size_t bytes = 0;
	CUresult error = cuDeviceGetName(name, 256, number);
	int value = 0;

	*device = nothing;
	device->name = name;
	if (error == CUDA_SUCCESS)
		error = cuDeviceTotalMem(&bytes, number);
	device->memory_bytes = AUTOTUNE_CAST(long long, bytes);
#define AUTOTUNE_ASK(type, member, attribute) \
	if (error == CUDA_SUCCESS) \
		error = cuDeviceGetAttribute( \
			&value, CU_DEVICE_ATTRIBUTE_##attribute, number); \
	device->member = AUTOTUNE_CAST(type, value);
#define AUTOTUNE_ASK_LONG(member, attribute) AUTOTUNE_ASK(long long, member, attribute)
	AUTOTUNE_ASK(int, major, COMPUTE_CAPABILITY_MAJOR)
	AUTOTUNE_ASK(int, minor, COMPUTE_CAPABILITY_MINOR)
	AUTOTUNE_ATTRIBUTES(AUTOTUNE_ASK_LONG)
#undef AUTOTUNE_ASK_LONG
#undef AUTOTUNE_ASK
	return error;
}
#endif
