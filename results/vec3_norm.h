/*
 * vec3_norm: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     016de2b52e17186ef5fc5395bb310f29 vec3_norm.cfg
 *   template  af9200a04f40b1f2ef4f68f9745f3784 vec3_norm.cu
 *   contents  139ee60c92a83a2bd554deff57ae5764
 */
/*
 * vec3_norm: 2 configurations, baselines included. The fastest correct ones are, for
 *
 * vectors_2_25 on NVIDIA H100 80GB HBM3 (sm_90): N = 33554432
 *   configuration  0: LAYOUT=packed BLOCK=128 UNROLL=2
 *   time           171.15 us (95 % interval 170.92 to 171.37)
 *   speed-up       1.06 over the baseline (95 % interval 1.058 to 1.062)
 *   chosen from    95 evaluations, 95 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:21Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a3a31fe7fffbffe25df658dd0a90b81c
 *
 * vectors_2_25 on NVIDIA H200 (sm_90): N = 33554432
 *   configuration  0: LAYOUT=packed BLOCK=128 UNROLL=2
 *   time           122.06 us (95 % interval 121.87 to 122.25)
 *   speed-up       1.129 over the baseline (95 % interval 1.121 to 1.138)
 *   chosen from    95 evaluations, 95 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:58Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a3a31fe7aa6597e66e786095f84c09e3
 *
 * To choose a configuration when the program runs: vec3_norm_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * vec3_norm_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of VEC3_NORM_CONFIGURATIONS in a translation unit of its own:
 * define VEC3_NORM_CONFIGURATION as n, define VEC3_NORM_BARE, include this header, then
 * the template. Its kernel is called vec3_norm_n there. Give the compiler
 * VEC3_NORM_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names VEC3_NORM_... without a
 * number belong to one configuration. Define VEC3_NORM_CONFIGURATION, or
 * VEC3_NORM_DEVICE and VEC3_NORM_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. VEC3_NORM_BARE also defines the
 * names that the template reads.
 */

/* Outside of the guard: an older header in the same unit does not define it. */
#ifndef AUTOTUNE_NULL
#ifdef __cplusplus
#define AUTOTUNE_NULL nullptr
#else
#define AUTOTUNE_NULL 0
#endif
#endif

#ifndef AUTOTUNE_ARITHMETIC
#define AUTOTUNE_ARITHMETIC 2

/*
 * Every header that autotune writes contains the following functions; only the first
 * copy in a translation unit is used. They compute the expressions of space files.
 */

#ifdef __cplusplus
#define AUTOTUNE_CAST(type, value) static_cast<type>(value)
#else
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

#elif AUTOTUNE_ARITHMETIC != 2
#error "this unit has headers of different versions of autotune: write all of them again with autotune header"
#endif

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

#ifndef AUTOTUNE_VEC3_NORM_H
#define AUTOTUNE_VEC3_NORM_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_VEC3_NORM_CONTENTS 0x025bc2d3c8ea6472ULL

/* the values that VEC3_NORM_CONFIGURATION, VEC3_NORM_DEVICE and VEC3_NORM_PROBLEM may have */
#define VEC3_NORM_CONFIGURATION_0 1
#define VEC3_NORM_CONFIGURATION_1 2
#define VEC3_NORM_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define VEC3_NORM_DEVICE_NVIDIA_H200 2
#define VEC3_NORM_PROBLEM_VECTORS_2_25 1

/* X(number, kernel) for every configuration */
#define VEC3_NORM_CONFIGURATION_COUNT 2
#define VEC3_NORM_CONFIGURATIONS(X) \
	X(0, vec3_norm_0) \
	X(1, vec3_norm_1)
#define VEC3_NORM_DEVICE_COUNT 2
#define VEC3_NORM_LAYOUT_packed 1
#define VEC3_NORM_LAYOUT_aligned 2
#define VEC3_NORM_LAYOUT_soa 3
#define VEC3_NORM_LAYOUT_staged 4

#define VEC3_NORM_0_LAYOUT 1
#define VEC3_NORM_0_BLOCK 128
#define VEC3_NORM_0_UNROLL 2
#define VEC3_NORM_0_LAYOUT_NAME "packed"
#define VEC3_NORM_0_NUMBER 0
#define VEC3_NORM_0_OPTIONS ""
#define VEC3_NORM_0_BLOCK_DIM_X 128
#define VEC3_NORM_0_BLOCK_DIM_Y 1
#define VEC3_NORM_0_BLOCK_DIM_Z 1
#define VEC3_NORM_0_SHARED_BYTES 0

#define VEC3_NORM_1_LAYOUT 1
#define VEC3_NORM_1_BLOCK 256
#define VEC3_NORM_1_UNROLL 1
#define VEC3_NORM_1_LAYOUT_NAME "packed"
#define VEC3_NORM_1_NUMBER 1
#define VEC3_NORM_1_OPTIONS ""
#define VEC3_NORM_1_BLOCK_DIM_X 256
#define VEC3_NORM_1_BLOCK_DIM_Y 1
#define VEC3_NORM_1_BLOCK_DIM_Z 1
#define VEC3_NORM_1_SHARED_BYTES 0

#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_CONFIGURATION 0
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_TIME_NS 171145.871987419
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_TIME_LOW_NS 170921.094063858
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_TIME_HIGH_NS 171370.945515891
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_SPEEDUP 1.05982808149071
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_SPEEDUP_LOW 1.05777041034117
#define VEC3_NORM_NVIDIA_H100_80GB_HBM3_VECTORS_2_25_SPEEDUP_HIGH 1.06188975540921

#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_CONFIGURATION 0
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_TIME_NS 122058.550574662
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_TIME_LOW_NS 121866.771560346
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_TIME_HIGH_NS 122250.631387325
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_SPEEDUP 1.12928893213512
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_SPEEDUP_LOW 1.1205055759807
#define VEC3_NORM_NVIDIA_H200_VECTORS_2_25_SPEEDUP_HIGH 1.13814113876828

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *vec3_norm_device(int index)
{
	static const struct autotune_device devices[] = {
		{ "NVIDIA H100 80GB HBM3", 9, 0,
			132, 32, 1024, 1024, 1024, 64, 2147483647, 65535, 65535, 2048,
			32, 65536, 65536, 49152, 232448, 233472, 1024, 52428800, 85899345920, 0,
			0, 5120, 700, 700 },
		{ "NVIDIA H200", 9, 0,
			132, 32, 1024, 1024, 1024, 64, 2147483647, 65535, 65535, 2048,
			32, 65536, 65536, 49152, 232448, 233472, 1024, 62914560, 150323855360, 0,
			0, 6016, 700, 700 },
	};

	return index >= 0 && index < 2 ? &devices[index] : AUTOTUNE_NULL;
}

/* Completes a device with what is recorded of it, or what all such devices have. */
static inline struct autotune_device vec3_norm_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, vec3_norm_device(i)))
			autotune_fill(&complete, vec3_norm_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All members are 0 where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch vec3_norm_launch(
	int configuration, const struct autotune_device *given, long long size_N)
{
	long long amounts[7] = { 1, 1, 1, 1, 1, 1, 0 };
	int bad = 0;

	(void)given;
	(void)size_N;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 128LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int vec3_norm_fits(
	int configuration, const struct autotune_device *given, long long size_N)
{
	const struct autotune_device complete = vec3_norm_complete(given);
	const struct autotune_launch launch = vec3_norm_launch(configuration, given, size_N);
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_N >= 1LL && size_N <= 134217728LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 15;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 11;
		break;
	default:
		break;
	}
	return !bad && autotune_fits(&launch, &complete, static_bytes, registers);
}

/*
 * The best recorded configuration that fits this device and these sizes: measured on
 * this device with these sizes, else on this device with the nearest sizes, else on
 * the same architecture, else on the nearest one, else a baseline. It looks through
 * all recorded configurations: keep its answer for sizes that you use again.
 */
static inline struct autotune_choice vec3_norm_choose(
	const struct autotune_device *device, long long size_N)
{
	/* the sizes that were measured */
	static const double recorded[][1] = {
		{ 33554432 }, /* vectors_2_25 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* vectors_2_25 on NVIDIA H100 80GB HBM3 */
		{ 0, 1, 0, 0 }, /* vectors_2_25 on NVIDIA H200 */
		{ 1, 0, 0, 1 }, /* vectors_2_25 on NVIDIA H100 80GB HBM3 */
		{ 1, 1, 0, 1 }, /* vectors_2_25 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N) };
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N;
	for (i = 0; device && i < 4; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			vec3_norm_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 1);

		if (autotune_is_better(&rank, &best) &&
			vec3_norm_fits(entries[i][0], device, size_N)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
	return choice;
}

#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef VEC3_NORM_SELECTED_DEVICE
#ifdef VEC3_NORM_DEVICE
#define VEC3_NORM_SELECTED_DEVICE AUTOTUNE_PASTE(VEC3_NORM_DEVICE_, VEC3_NORM_DEVICE)
#if !(VEC3_NORM_SELECTED_DEVICE > 0)
#error "VEC3_NORM_DEVICE is none of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define VEC3_NORM_SELECTED_DEVICE 0
#endif
#undef VEC3_NORM_SELECTED_PROBLEM
#ifdef VEC3_NORM_PROBLEM
#define VEC3_NORM_SELECTED_PROBLEM AUTOTUNE_PASTE(VEC3_NORM_PROBLEM_, VEC3_NORM_PROBLEM)
#if !(VEC3_NORM_SELECTED_PROBLEM > 0)
#error "VEC3_NORM_PROBLEM is none of: VECTORS_2_25"
#endif
#else
#define VEC3_NORM_SELECTED_PROBLEM 0
#endif
#undef VEC3_NORM_SELECTED
#ifdef VEC3_NORM_CONFIGURATION
#define VEC3_NORM_SELECTED AUTOTUNE_PASTE(VEC3_NORM_CONFIGURATION_, VEC3_NORM_CONFIGURATION)
#if !(VEC3_NORM_SELECTED > 0)
#error "VEC3_NORM_CONFIGURATION is no number from 0 to 1"
#endif
#elif VEC3_NORM_SELECTED_DEVICE == 1 && VEC3_NORM_SELECTED_PROBLEM == 1
#define VEC3_NORM_SELECTED 1
#elif VEC3_NORM_SELECTED_DEVICE == 1 && VEC3_NORM_SELECTED_PROBLEM == 0
#define VEC3_NORM_SELECTED 1
#elif VEC3_NORM_SELECTED_DEVICE == 2 && VEC3_NORM_SELECTED_PROBLEM == 1
#define VEC3_NORM_SELECTED 1
#elif VEC3_NORM_SELECTED_DEVICE == 2 && VEC3_NORM_SELECTED_PROBLEM == 0
#define VEC3_NORM_SELECTED 1
#elif VEC3_NORM_SELECTED_DEVICE > 0 && VEC3_NORM_SELECTED_PROBLEM > 0
#error "VEC3_NORM_PROBLEM was not measured on VEC3_NORM_DEVICE; there are: VECTORS_2_25 on NVIDIA_H100_80GB_HBM3, VECTORS_2_25 on NVIDIA_H200"
#else
#define VEC3_NORM_SELECTED 0
#endif
#undef VEC3_NORM_LAYOUT
#undef VEC3_NORM_BLOCK
#undef VEC3_NORM_UNROLL
#undef VEC3_NORM_LAYOUT_NAME
#undef VEC3_NORM_NUMBER
#undef VEC3_NORM_OPTIONS
#undef VEC3_NORM_BLOCK_DIM_X
#undef VEC3_NORM_BLOCK_DIM_Y
#undef VEC3_NORM_BLOCK_DIM_Z
#undef VEC3_NORM_SHARED_BYTES
#if VEC3_NORM_SELECTED == 1
#define VEC3_NORM_LAYOUT VEC3_NORM_0_LAYOUT
#define VEC3_NORM_BLOCK VEC3_NORM_0_BLOCK
#define VEC3_NORM_UNROLL VEC3_NORM_0_UNROLL
#define VEC3_NORM_LAYOUT_NAME VEC3_NORM_0_LAYOUT_NAME
#define VEC3_NORM_NUMBER VEC3_NORM_0_NUMBER
#define VEC3_NORM_OPTIONS VEC3_NORM_0_OPTIONS
#define VEC3_NORM_BLOCK_DIM_X VEC3_NORM_0_BLOCK_DIM_X
#define VEC3_NORM_BLOCK_DIM_Y VEC3_NORM_0_BLOCK_DIM_Y
#define VEC3_NORM_BLOCK_DIM_Z VEC3_NORM_0_BLOCK_DIM_Z
#define VEC3_NORM_SHARED_BYTES VEC3_NORM_0_SHARED_BYTES
#elif VEC3_NORM_SELECTED == 2
#define VEC3_NORM_LAYOUT VEC3_NORM_1_LAYOUT
#define VEC3_NORM_BLOCK VEC3_NORM_1_BLOCK
#define VEC3_NORM_UNROLL VEC3_NORM_1_UNROLL
#define VEC3_NORM_LAYOUT_NAME VEC3_NORM_1_LAYOUT_NAME
#define VEC3_NORM_NUMBER VEC3_NORM_1_NUMBER
#define VEC3_NORM_OPTIONS VEC3_NORM_1_OPTIONS
#define VEC3_NORM_BLOCK_DIM_X VEC3_NORM_1_BLOCK_DIM_X
#define VEC3_NORM_BLOCK_DIM_Y VEC3_NORM_1_BLOCK_DIM_Y
#define VEC3_NORM_BLOCK_DIM_Z VEC3_NORM_1_BLOCK_DIM_Z
#define VEC3_NORM_SHARED_BYTES VEC3_NORM_1_SHARED_BYTES
#endif
#ifdef VEC3_NORM_BARE
#if VEC3_NORM_SELECTED == 1
#undef LAYOUT_packed
#define LAYOUT_packed 1
#undef LAYOUT_aligned
#define LAYOUT_aligned 2
#undef LAYOUT_soa
#define LAYOUT_soa 3
#undef LAYOUT_staged
#define LAYOUT_staged 4
#undef LAYOUT
#define LAYOUT LAYOUT_packed
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 2
#ifdef VEC3_NORM_CONFIGURATION
#undef vec3_norm
#define vec3_norm vec3_norm_0
#undef to_layout
#define to_layout vec3_norm_0_to_layout
#undef vec3_norm_reference
#define vec3_norm_reference vec3_norm_0_vec3_norm_reference
#endif
#elif VEC3_NORM_SELECTED == 2
#undef LAYOUT_packed
#define LAYOUT_packed 1
#undef LAYOUT_aligned
#define LAYOUT_aligned 2
#undef LAYOUT_soa
#define LAYOUT_soa 3
#undef LAYOUT_staged
#define LAYOUT_staged 4
#undef LAYOUT
#define LAYOUT LAYOUT_packed
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 1
#ifdef VEC3_NORM_CONFIGURATION
#undef vec3_norm
#define vec3_norm vec3_norm_1
#undef to_layout
#define to_layout vec3_norm_1_to_layout
#undef vec3_norm_reference
#define vec3_norm_reference vec3_norm_1_vec3_norm_reference
#endif
#else
#error "VEC3_NORM_BARE: say of which configuration, with VEC3_NORM_CONFIGURATION, or with VEC3_NORM_DEVICE and VEC3_NORM_PROBLEM"
#endif
#endif
