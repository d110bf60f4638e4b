/*
 * strided_copy: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     3a8e2bb27a40161d1cff2f79fd3baadf strided_copy.cfg
 *   template  326bcb3ad06d530602ebb0e216c16fcd strided_copy.cu
 *   contents  ffb1b8bf8d2bfed2105dbff6b6b649a3
 */
/*
 * strided_copy: 8 configurations, baselines included. The fastest correct ones are, for
 *
 * stride_2 on NVIDIA H100 80GB HBM3 (sm_90): N = 33554432, STRIDE = 2
 *   configuration  0: ORDER=strided BLOCK=128 UNROLL=1 PAD=0 L1=ca
 *   time           186.35 us (95 % interval 186.02 to 186.69)
 *   speed-up       1.009 over the baseline (95 % interval 1.007 to 1.011)
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:53Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    3e8cf4a93f57f08095ced2c58adda3d6
 *
 * stride_3 on NVIDIA H100 80GB HBM3 (sm_90): N = 22369621, STRIDE = 3
 *   configuration  1: ORDER=strided BLOCK=256 UNROLL=2 PAD=0 L1=ca
 *   time           183.32 us (95 % interval 183 to 183.65)
 *   speed-up       1.004 over the baseline (95 % interval 1.002 to 1.006)
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:55Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    4c5508cb294515d58fa6a75ce11e3890
 *
 * stride_8 on NVIDIA H100 80GB HBM3 (sm_90): N = 8388608, STRIDE = 8
 *   configuration  2: ORDER=staged BLOCK=64 UNROLL=4 PAD=1 L1=plain
 *   time           178.58 us (95 % interval 178.42 to 178.74)
 *   speed-up       1.046 over the baseline (95 % interval 1.043 to 1.05)
 *   chosen from    288 evaluations, 288 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:45:57Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b1bd2e8c269704a130d28f1ea1ee07f7
 *
 * stride_32 on NVIDIA H100 80GB HBM3 (sm_90): N = 2097152, STRIDE = 32
 *   configuration  3: ORDER=staged BLOCK=64 UNROLL=4 PAD=1 L1=cg
 *   time           186.47 us (95 % interval 186.28 to 186.66)
 *   speed-up       2.841 over the baseline (95 % interval 2.527 to 3.194)
 *   chosen from    288 evaluations, 288 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    2610b2b1ad4209027ff84483a7b3e48f
 *
 * stride_2 on NVIDIA H200 (sm_90): N = 33554432, STRIDE = 2
 *   configuration  4: ORDER=strided BLOCK=256 UNROLL=1 PAD=0 L1=plain
 *   time           144.25 us (95 % interval 143.97 to 144.54)
 *   speed-up       none: the baseline is the winner
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:14Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    3e8cf4a9d0cc69d552e935976952164e
 *
 * stride_3 on NVIDIA H200 (sm_90): N = 22369621, STRIDE = 3
 *   configuration  5: ORDER=strided BLOCK=128 UNROLL=2 PAD=0 L1=ca
 *   time           137.68 us (95 % interval 137.43 to 137.93)
 *   speed-up       1.014 over the baseline (95 % interval 1.011 to 1.018)
 *   chosen from    144 evaluations, 144 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:17Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    4c5508cb8588079c5754dd7af7784a28
 *
 * stride_8 on NVIDIA H200 (sm_90): N = 8388608, STRIDE = 8
 *   configuration  6: ORDER=staged BLOCK=64 UNROLL=8 PAD=1 L1=plain
 *   time           129.84 us (95 % interval 129.62 to 130.07)
 *   speed-up       1.064 over the baseline (95 % interval 1.06 to 1.068)
 *   chosen from    288 evaluations, 288 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:22Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b1bd2e8ceee980d7be0c7795c9ff8b75
 *
 * stride_32 on NVIDIA H200 (sm_90): N = 2097152, STRIDE = 32
 *   configuration  7: ORDER=staged BLOCK=128 UNROLL=4 PAD=1 L1=cg
 *   time           137.08 us (95 % interval 136.61 to 137.54)
 *   speed-up       2.3 over the baseline (95 % interval 2.292 to 2.308)
 *   chosen from    288 evaluations, 288 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:03:26Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    2610b2b1c43c47b6cdffaf3d6e7e552d
 *
 * To choose a configuration when the program runs: strided_copy_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * strided_copy_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of STRIDED_COPY_CONFIGURATIONS in a translation unit of its own:
 * define STRIDED_COPY_CONFIGURATION as n, define STRIDED_COPY_BARE, include this header, then
 * the template. Its kernel is called strided_copy_n there. Give the compiler
 * STRIDED_COPY_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names STRIDED_COPY_... without a
 * number belong to one configuration. Define STRIDED_COPY_CONFIGURATION, or
 * STRIDED_COPY_DEVICE and STRIDED_COPY_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. STRIDED_COPY_BARE also defines the
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

#ifndef AUTOTUNE_STRIDED_COPY_H
#define AUTOTUNE_STRIDED_COPY_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_STRIDED_COPY_CONTENTS 0x4380d20206a1728cULL

/* the values that STRIDED_COPY_CONFIGURATION, STRIDED_COPY_DEVICE and STRIDED_COPY_PROBLEM may have */
#define STRIDED_COPY_CONFIGURATION_0 1
#define STRIDED_COPY_CONFIGURATION_1 2
#define STRIDED_COPY_CONFIGURATION_2 3
#define STRIDED_COPY_CONFIGURATION_3 4
#define STRIDED_COPY_CONFIGURATION_4 5
#define STRIDED_COPY_CONFIGURATION_5 6
#define STRIDED_COPY_CONFIGURATION_6 7
#define STRIDED_COPY_CONFIGURATION_7 8
#define STRIDED_COPY_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define STRIDED_COPY_DEVICE_NVIDIA_H200 2
#define STRIDED_COPY_PROBLEM_STRIDE_2 1
#define STRIDED_COPY_PROBLEM_STRIDE_3 2
#define STRIDED_COPY_PROBLEM_STRIDE_8 3
#define STRIDED_COPY_PROBLEM_STRIDE_32 4

/* X(number, kernel) for every configuration */
#define STRIDED_COPY_CONFIGURATION_COUNT 8
#define STRIDED_COPY_CONFIGURATIONS(X) \
	X(0, strided_copy_0) \
	X(1, strided_copy_1) \
	X(2, strided_copy_2) \
	X(3, strided_copy_3) \
	X(4, strided_copy_4) \
	X(5, strided_copy_5) \
	X(6, strided_copy_6) \
	X(7, strided_copy_7)
#define STRIDED_COPY_DEVICE_COUNT 2
#define STRIDED_COPY_ORDER_coalesced 1
#define STRIDED_COPY_ORDER_strided 2
#define STRIDED_COPY_ORDER_staged 3
#define STRIDED_COPY_L1_plain 1
#define STRIDED_COPY_L1_ca 2
#define STRIDED_COPY_L1_cg 3

#define STRIDED_COPY_0_ORDER 2
#define STRIDED_COPY_0_BLOCK 128
#define STRIDED_COPY_0_UNROLL 1
#define STRIDED_COPY_0_PAD 0
#define STRIDED_COPY_0_L1 2
#define STRIDED_COPY_0_ORDER_NAME "strided"
#define STRIDED_COPY_0_L1_NAME "ca"
#define STRIDED_COPY_0_NUMBER 0
#define STRIDED_COPY_0_OPTIONS "--ptxas-options=-dlcm=ca"
#define STRIDED_COPY_0_BLOCK_DIM_X 128
#define STRIDED_COPY_0_BLOCK_DIM_Y 1
#define STRIDED_COPY_0_BLOCK_DIM_Z 1
#define STRIDED_COPY_0_SHARED_BYTES 0

#define STRIDED_COPY_1_ORDER 2
#define STRIDED_COPY_1_BLOCK 256
#define STRIDED_COPY_1_UNROLL 2
#define STRIDED_COPY_1_PAD 0
#define STRIDED_COPY_1_L1 2
#define STRIDED_COPY_1_ORDER_NAME "strided"
#define STRIDED_COPY_1_L1_NAME "ca"
#define STRIDED_COPY_1_NUMBER 1
#define STRIDED_COPY_1_OPTIONS "--ptxas-options=-dlcm=ca"
#define STRIDED_COPY_1_BLOCK_DIM_X 256
#define STRIDED_COPY_1_BLOCK_DIM_Y 1
#define STRIDED_COPY_1_BLOCK_DIM_Z 1
#define STRIDED_COPY_1_SHARED_BYTES 0

#define STRIDED_COPY_2_ORDER 3
#define STRIDED_COPY_2_BLOCK 64
#define STRIDED_COPY_2_UNROLL 4
#define STRIDED_COPY_2_PAD 1
#define STRIDED_COPY_2_L1 1
#define STRIDED_COPY_2_ORDER_NAME "staged"
#define STRIDED_COPY_2_L1_NAME "plain"
#define STRIDED_COPY_2_NUMBER 2
#define STRIDED_COPY_2_OPTIONS ""
#define STRIDED_COPY_2_BLOCK_DIM_X 64
#define STRIDED_COPY_2_BLOCK_DIM_Y 1
#define STRIDED_COPY_2_BLOCK_DIM_Z 1

#define STRIDED_COPY_3_ORDER 3
#define STRIDED_COPY_3_BLOCK 64
#define STRIDED_COPY_3_UNROLL 4
#define STRIDED_COPY_3_PAD 1
#define STRIDED_COPY_3_L1 3
#define STRIDED_COPY_3_ORDER_NAME "staged"
#define STRIDED_COPY_3_L1_NAME "cg"
#define STRIDED_COPY_3_NUMBER 3
#define STRIDED_COPY_3_OPTIONS "--ptxas-options=-dlcm=cg"
#define STRIDED_COPY_3_BLOCK_DIM_X 64
#define STRIDED_COPY_3_BLOCK_DIM_Y 1
#define STRIDED_COPY_3_BLOCK_DIM_Z 1

#define STRIDED_COPY_4_ORDER 2
#define STRIDED_COPY_4_BLOCK 256
#define STRIDED_COPY_4_UNROLL 1
#define STRIDED_COPY_4_PAD 0
#define STRIDED_COPY_4_L1 1
#define STRIDED_COPY_4_ORDER_NAME "strided"
#define STRIDED_COPY_4_L1_NAME "plain"
#define STRIDED_COPY_4_NUMBER 4
#define STRIDED_COPY_4_OPTIONS ""
#define STRIDED_COPY_4_BLOCK_DIM_X 256
#define STRIDED_COPY_4_BLOCK_DIM_Y 1
#define STRIDED_COPY_4_BLOCK_DIM_Z 1
#define STRIDED_COPY_4_SHARED_BYTES 0

#define STRIDED_COPY_5_ORDER 2
#define STRIDED_COPY_5_BLOCK 128
#define STRIDED_COPY_5_UNROLL 2
#define STRIDED_COPY_5_PAD 0
#define STRIDED_COPY_5_L1 2
#define STRIDED_COPY_5_ORDER_NAME "strided"
#define STRIDED_COPY_5_L1_NAME "ca"
#define STRIDED_COPY_5_NUMBER 5
#define STRIDED_COPY_5_OPTIONS "--ptxas-options=-dlcm=ca"
#define STRIDED_COPY_5_BLOCK_DIM_X 128
#define STRIDED_COPY_5_BLOCK_DIM_Y 1
#define STRIDED_COPY_5_BLOCK_DIM_Z 1
#define STRIDED_COPY_5_SHARED_BYTES 0

#define STRIDED_COPY_6_ORDER 3
#define STRIDED_COPY_6_BLOCK 64
#define STRIDED_COPY_6_UNROLL 8
#define STRIDED_COPY_6_PAD 1
#define STRIDED_COPY_6_L1 1
#define STRIDED_COPY_6_ORDER_NAME "staged"
#define STRIDED_COPY_6_L1_NAME "plain"
#define STRIDED_COPY_6_NUMBER 6
#define STRIDED_COPY_6_OPTIONS ""
#define STRIDED_COPY_6_BLOCK_DIM_X 64
#define STRIDED_COPY_6_BLOCK_DIM_Y 1
#define STRIDED_COPY_6_BLOCK_DIM_Z 1

#define STRIDED_COPY_7_ORDER 3
#define STRIDED_COPY_7_BLOCK 128
#define STRIDED_COPY_7_UNROLL 4
#define STRIDED_COPY_7_PAD 1
#define STRIDED_COPY_7_L1 3
#define STRIDED_COPY_7_ORDER_NAME "staged"
#define STRIDED_COPY_7_L1_NAME "cg"
#define STRIDED_COPY_7_NUMBER 7
#define STRIDED_COPY_7_OPTIONS "--ptxas-options=-dlcm=cg"
#define STRIDED_COPY_7_BLOCK_DIM_X 128
#define STRIDED_COPY_7_BLOCK_DIM_Y 1
#define STRIDED_COPY_7_BLOCK_DIM_Z 1

#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_CONFIGURATION 0
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_TIME_NS 186353.972983972
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_TIME_LOW_NS 186016.379786998
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_TIME_HIGH_NS 186692.178864446
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_SPEEDUP 1.00910445332959
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_SPEEDUP_LOW 1.00724772444144
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_2_SPEEDUP_HIGH 1.01096460485358

#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_CONFIGURATION 1
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_TIME_NS 183324.699582525
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_TIME_LOW_NS 183004.776408816
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_TIME_HIGH_NS 183645.182035828
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_SPEEDUP 1.00410320146713
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_SPEEDUP_LOW 1.00208773347031
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_3_SPEEDUP_HIGH 1.00612272311226

#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_CONFIGURATION 2
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_TIME_NS 178582.294448486
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_TIME_LOW_NS 178424.8569961
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_TIME_HIGH_NS 178739.870819585
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_SPEEDUP 1.04647341002135
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_SPEEDUP_LOW 1.04343241536241
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_8_SPEEDUP_HIGH 1.04952326739951

#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_CONFIGURATION 3
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_TIME_NS 186469.103806715
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_TIME_LOW_NS 186275.329477251
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_TIME_HIGH_NS 186663.0797114
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_SPEEDUP 2.84096211176123
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_SPEEDUP_LOW 2.52678121795182
#define STRIDED_COPY_NVIDIA_H100_80GB_HBM3_STRIDE_32_SPEEDUP_HIGH 3.19420837194805

#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_CONFIGURATION 4
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_TIME_NS 144253.119770991
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_TIME_LOW_NS 143965.610420529
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_TIME_HIGH_NS 144541.20329765
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_SPEEDUP 1.0
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_SPEEDUP_LOW 1.0
#define STRIDED_COPY_NVIDIA_H200_STRIDE_2_SPEEDUP_HIGH 1.0

#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_CONFIGURATION 5
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_TIME_NS 137678.801136637
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_TIME_LOW_NS 137431.245088016
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_TIME_HIGH_NS 137926.803110033
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_SPEEDUP 1.0142460015813
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_SPEEDUP_LOW 1.0109758465101
#define STRIDED_COPY_NVIDIA_H200_STRIDE_3_SPEEDUP_HIGH 1.01752673446622

#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_CONFIGURATION 6
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_TIME_NS 129841.602825089
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_TIME_LOW_NS 129615.145088567
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_TIME_HIGH_NS 130068.456218356
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_SPEEDUP 1.06383107327382
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_SPEEDUP_LOW 1.06015595088753
#define STRIDED_COPY_NVIDIA_H200_STRIDE_8_SPEEDUP_HIGH 1.06751893579004

#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_CONFIGURATION 7
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_TIME_NS 137075.804956294
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_TIME_LOW_NS 136613.905002529
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_TIME_HIGH_NS 137539.266622004
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_SPEEDUP 2.29988930582562
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_SPEEDUP_LOW 2.292013339398
#define STRIDED_COPY_NVIDIA_H200_STRIDE_32_SPEEDUP_HIGH 2.30779233616517

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *strided_copy_device(int index)
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
static inline struct autotune_device strided_copy_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, strided_copy_device(i)))
			autotune_fill(&complete, strided_copy_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All members are 0 where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch strided_copy_launch(
	int configuration, const struct autotune_device *given, long long size_N, long long size_STRIDE)
{
	long long amounts[7] = { 1, 1, 1, 1, 1, 1, 0 };
	int bad = 0;

	(void)given;
	(void)size_N; (void)size_STRIDE;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 128LL, &bad);
		amounts[3] = 128LL;
		amounts[6] = 0LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		amounts[6] = 0LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_N, 64LL, &bad);
		amounts[3] = 64LL;
		amounts[6] = autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad);
		break;
	case 3:
		amounts[0] = autotune_ceil_div(size_N, 64LL, &bad);
		amounts[3] = 64LL;
		amounts[6] = autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad);
		break;
	case 4:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		amounts[6] = 0LL;
		break;
	case 5:
		amounts[0] = autotune_ceil_div(size_N, 128LL, &bad);
		amounts[3] = 128LL;
		amounts[6] = 0LL;
		break;
	case 6:
		amounts[0] = autotune_ceil_div(size_N, 64LL, &bad);
		amounts[3] = 64LL;
		amounts[6] = autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad);
		break;
	case 7:
		amounts[0] = autotune_ceil_div(size_N, 128LL, &bad);
		amounts[3] = 128LL;
		amounts[6] = autotune_multiply(4LL, autotune_add(autotune_multiply(128LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(128LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad);
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int strided_copy_fits(
	int configuration, const struct autotune_device *given, long long size_N, long long size_STRIDE)
{
	const struct autotune_device complete = strided_copy_complete(given);
	const struct autotune_launch launch = strided_copy_launch(configuration, given, size_N, size_STRIDE);
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_N >= 1LL && size_N <= 67108864LL))
		bad = 1;
	if (!(size_STRIDE >= 1LL && size_STRIDE <= 32LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(1LL <= size_STRIDE))
			bad = 1;
		static_bytes = 0;
		registers = 24;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(2LL <= size_STRIDE))
			bad = 1;
		static_bytes = 0;
		registers = 31;
		break;
	case 2:
		/* BLOCK <= device.max_threads_per_block */
		if (!(64LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(4LL <= size_STRIDE))
			bad = 1;
		/* ORDER != 'staged' || 4 * (BLOCK * STRIDE + BLOCK * STRIDE / 32 * PAD) <= device.max_dynamic_shared_bytes_per_block */
		if (!(autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad) <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 28;
		break;
	case 3:
		/* BLOCK <= device.max_threads_per_block */
		if (!(64LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(4LL <= size_STRIDE))
			bad = 1;
		/* ORDER != 'staged' || 4 * (BLOCK * STRIDE + BLOCK * STRIDE / 32 * PAD) <= device.max_dynamic_shared_bytes_per_block */
		if (!(autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad) <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 28;
		break;
	case 4:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(1LL <= size_STRIDE))
			bad = 1;
		static_bytes = 0;
		registers = 24;
		break;
	case 5:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(2LL <= size_STRIDE))
			bad = 1;
		static_bytes = 0;
		registers = 31;
		break;
	case 6:
		/* BLOCK <= device.max_threads_per_block */
		if (!(64LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(8LL <= size_STRIDE))
			bad = 1;
		/* ORDER != 'staged' || 4 * (BLOCK * STRIDE + BLOCK * STRIDE / 32 * PAD) <= device.max_dynamic_shared_bytes_per_block */
		if (!(autotune_multiply(4LL, autotune_add(autotune_multiply(64LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(64LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad) <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 32;
		break;
	case 7:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* UNROLL <= STRIDE */
		if (!(4LL <= size_STRIDE))
			bad = 1;
		/* ORDER != 'staged' || 4 * (BLOCK * STRIDE + BLOCK * STRIDE / 32 * PAD) <= device.max_dynamic_shared_bytes_per_block */
		if (!(autotune_multiply(4LL, autotune_add(autotune_multiply(128LL, size_STRIDE, &bad), autotune_multiply(autotune_divide(autotune_multiply(128LL, size_STRIDE, &bad), 32LL, &bad), 1LL, &bad), &bad), &bad) <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 28;
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
static inline struct autotune_choice strided_copy_choose(
	const struct autotune_device *device, long long size_N, long long size_STRIDE)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 33554432, 2 }, /* stride_2 */
		{ 22369621, 3 }, /* stride_3 */
		{ 8388608, 8 }, /* stride_8 */
		{ 2097152, 32 }, /* stride_32 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* stride_2 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 1, 0 }, /* stride_3 on NVIDIA H100 80GB HBM3 */
		{ 2, 0, 2, 0 }, /* stride_8 on NVIDIA H100 80GB HBM3 */
		{ 3, 0, 3, 0 }, /* stride_32 on NVIDIA H100 80GB HBM3 */
		{ 4, 1, 0, 0 }, /* stride_2 on NVIDIA H200 */
		{ 5, 1, 1, 0 }, /* stride_3 on NVIDIA H200 */
		{ 6, 1, 2, 0 }, /* stride_8 on NVIDIA H200 */
		{ 7, 1, 3, 0 }, /* stride_32 on NVIDIA H200 */
		{ 4, 0, 0, 1 }, /* stride_2 on NVIDIA H100 80GB HBM3 */
		{ 4, 0, 1, 1 }, /* stride_3 on NVIDIA H100 80GB HBM3 */
		{ 4, 0, 2, 1 }, /* stride_8 on NVIDIA H100 80GB HBM3 */
		{ 4, 0, 3, 1 }, /* stride_32 on NVIDIA H100 80GB HBM3 */
		{ 4, 1, 0, 1 }, /* stride_2 on NVIDIA H200 */
		{ 4, 1, 1, 1 }, /* stride_3 on NVIDIA H200 */
		{ 4, 1, 2, 1 }, /* stride_8 on NVIDIA H200 */
		{ 4, 1, 3, 1 }, /* stride_32 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_STRIDE) };
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N; (void)size_STRIDE;
	for (i = 0; device && i < 16; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			strided_copy_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			strided_copy_fits(entries[i][0], device, size_N, size_STRIDE)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
	return choice;
}

#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef STRIDED_COPY_SELECTED_DEVICE
#ifdef STRIDED_COPY_DEVICE
#define STRIDED_COPY_SELECTED_DEVICE AUTOTUNE_PASTE(STRIDED_COPY_DEVICE_, STRIDED_COPY_DEVICE)
#if !(STRIDED_COPY_SELECTED_DEVICE > 0)
#error "STRIDED_COPY_DEVICE is none of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define STRIDED_COPY_SELECTED_DEVICE 0
#endif
#undef STRIDED_COPY_SELECTED_PROBLEM
#ifdef STRIDED_COPY_PROBLEM
#define STRIDED_COPY_SELECTED_PROBLEM AUTOTUNE_PASTE(STRIDED_COPY_PROBLEM_, STRIDED_COPY_PROBLEM)
#if !(STRIDED_COPY_SELECTED_PROBLEM > 0)
#error "STRIDED_COPY_PROBLEM is none of: STRIDE_2, STRIDE_3, STRIDE_8, STRIDE_32"
#endif
#else
#define STRIDED_COPY_SELECTED_PROBLEM 0
#endif
#undef STRIDED_COPY_SELECTED
#ifdef STRIDED_COPY_CONFIGURATION
#define STRIDED_COPY_SELECTED AUTOTUNE_PASTE(STRIDED_COPY_CONFIGURATION_, STRIDED_COPY_CONFIGURATION)
#if !(STRIDED_COPY_SELECTED > 0)
#error "STRIDED_COPY_CONFIGURATION is no number from 0 to 7"
#endif
#elif STRIDED_COPY_SELECTED_DEVICE == 1 && STRIDED_COPY_SELECTED_PROBLEM == 1
#define STRIDED_COPY_SELECTED 1
#elif STRIDED_COPY_SELECTED_DEVICE == 1 && STRIDED_COPY_SELECTED_PROBLEM == 2
#define STRIDED_COPY_SELECTED 2
#elif STRIDED_COPY_SELECTED_DEVICE == 1 && STRIDED_COPY_SELECTED_PROBLEM == 3
#define STRIDED_COPY_SELECTED 3
#elif STRIDED_COPY_SELECTED_DEVICE == 1 && STRIDED_COPY_SELECTED_PROBLEM == 4
#define STRIDED_COPY_SELECTED 4
#elif STRIDED_COPY_SELECTED_DEVICE == 2 && STRIDED_COPY_SELECTED_PROBLEM == 1
#define STRIDED_COPY_SELECTED 5
#elif STRIDED_COPY_SELECTED_DEVICE == 2 && STRIDED_COPY_SELECTED_PROBLEM == 2
#define STRIDED_COPY_SELECTED 6
#elif STRIDED_COPY_SELECTED_DEVICE == 2 && STRIDED_COPY_SELECTED_PROBLEM == 3
#define STRIDED_COPY_SELECTED 7
#elif STRIDED_COPY_SELECTED_DEVICE == 2 && STRIDED_COPY_SELECTED_PROBLEM == 4
#define STRIDED_COPY_SELECTED 8
#elif STRIDED_COPY_SELECTED_DEVICE > 0 && STRIDED_COPY_SELECTED_PROBLEM > 0
#error "STRIDED_COPY_PROBLEM was not measured on STRIDED_COPY_DEVICE; there are: STRIDE_2 on NVIDIA_H100_80GB_HBM3, STRIDE_3 on NVIDIA_H100_80GB_HBM3, STRIDE_8 on NVIDIA_H100_80GB_HBM3, STRIDE_32 on NVIDIA_H100_80GB_HBM3, STRIDE_2 on NVIDIA_H200, STRIDE_3 on NVIDIA_H200, STRIDE_8 on NVIDIA_H200, STRIDE_32 on NVIDIA_H200"
#else
#define STRIDED_COPY_SELECTED 0
#endif
#undef STRIDED_COPY_ORDER
#undef STRIDED_COPY_BLOCK
#undef STRIDED_COPY_UNROLL
#undef STRIDED_COPY_PAD
#undef STRIDED_COPY_L1
#undef STRIDED_COPY_ORDER_NAME
#undef STRIDED_COPY_L1_NAME
#undef STRIDED_COPY_NUMBER
#undef STRIDED_COPY_OPTIONS
#undef STRIDED_COPY_BLOCK_DIM_X
#undef STRIDED_COPY_BLOCK_DIM_Y
#undef STRIDED_COPY_BLOCK_DIM_Z
#undef STRIDED_COPY_SHARED_BYTES
#if STRIDED_COPY_SELECTED == 1
#define STRIDED_COPY_ORDER STRIDED_COPY_0_ORDER
#define STRIDED_COPY_BLOCK STRIDED_COPY_0_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_0_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_0_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_0_L1
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_0_ORDER_NAME
#define STRIDED_COPY_L1_NAME STRIDED_COPY_0_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_0_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_0_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_0_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_0_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_0_BLOCK_DIM_Z
#define STRIDED_COPY_SHARED_BYTES STRIDED_COPY_0_SHARED_BYTES
#elif STRIDED_COPY_SELECTED == 2
#define STRIDED_COPY_ORDER STRIDED_COPY_1_ORDER
#define STRIDED_COPY_BLOCK STRIDED_COPY_1_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_1_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_1_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_1_L1
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_1_ORDER_NAME
#define STRIDED_COPY_L1_NAME STRIDED_COPY_1_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_1_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_1_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_1_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_1_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_1_BLOCK_DIM_Z
#define STRIDED_COPY_SHARED_BYTES STRIDED_COPY_1_SHARED_BYTES
#elif STRIDED_COPY_SELECTED == 3
#define STRIDED_COPY_ORDER STRIDED_COPY_2_ORDER
#define STRIDED_COPY_BLOCK STRIDED_COPY_2_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_2_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_2_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_2_L1
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_2_ORDER_NAME
#define STRIDED_COPY_L1_NAME STRIDED_COPY_2_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_2_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_2_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_2_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_2_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_2_BLOCK_DIM_Z
#elif STRIDED_COPY_SELECTED == 4
#define STRIDED_COPY_ORDER STRIDED_COPY_3_ORDER
#define STRIDED_COPY_BLOCK STRIDED_COPY_3_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_3_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_3_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_3_L1
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_3_ORDER_NAME
#define STRIDED_COPY_L1_NAME STRIDED_COPY_3_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_3_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_3_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_3_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_3_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_3_BLOCK_DIM_Z
#elif STRIDED_COPY_SELECTED == 5
#define STRIDED_COPY_ORDER STRIDED_COPY_4_ORDER
#define STRIDED_COPY_BLOCK STRIDED_COPY_4_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_4_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_4_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_4_L1
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_4_ORDER_NAME
#define STRIDED_COPY_L1_NAME STRIDED_COPY_4_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_4_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_4_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_4_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_4_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_4_BLOCK_DIM_Z
#define STRIDED_COPY_SHARED_BYTES STRIDED_COPY_4_SHARED_BYTES
#elif STRIDED_COPY_SELECTED == 6
#define STRIDED_COPY_ORDER STRIDED_COPY_5_ORDER
#define STRIDED_COPY_BLOCK STRIDED_COPY_5_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_5_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_5_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_5_L1
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_5_ORDER_NAME
#define STRIDED_COPY_L1_NAME STRIDED_COPY_5_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_5_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_5_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_5_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_5_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_5_BLOCK_DIM_Z
#define STRIDED_COPY_SHARED_BYTES STRIDED_COPY_5_SHARED_BYTES
#elif STRIDED_COPY_SELECTED == 7
#define STRIDED_COPY_ORDER STRIDED_COPY_6_ORDER
#define STRIDED_COPY_BLOCK STRIDED_COPY_6_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_6_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_6_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_6_L1
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_6_ORDER_NAME
#define STRIDED_COPY_L1_NAME STRIDED_COPY_6_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_6_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_6_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_6_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_6_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_6_BLOCK_DIM_Z
#elif STRIDED_COPY_SELECTED == 8
#define STRIDED_COPY_ORDER STRIDED_COPY_7_ORDER
#define STRIDED_COPY_BLOCK STRIDED_COPY_7_BLOCK
#define STRIDED_COPY_UNROLL STRIDED_COPY_7_UNROLL
#define STRIDED_COPY_PAD STRIDED_COPY_7_PAD
#define STRIDED_COPY_L1 STRIDED_COPY_7_L1
#define STRIDED_COPY_ORDER_NAME STRIDED_COPY_7_ORDER_NAME
#define STRIDED_COPY_L1_NAME STRIDED_COPY_7_L1_NAME
#define STRIDED_COPY_NUMBER STRIDED_COPY_7_NUMBER
#define STRIDED_COPY_OPTIONS STRIDED_COPY_7_OPTIONS
#define STRIDED_COPY_BLOCK_DIM_X STRIDED_COPY_7_BLOCK_DIM_X
#define STRIDED_COPY_BLOCK_DIM_Y STRIDED_COPY_7_BLOCK_DIM_Y
#define STRIDED_COPY_BLOCK_DIM_Z STRIDED_COPY_7_BLOCK_DIM_Z
#endif
#ifdef STRIDED_COPY_BARE
#if STRIDED_COPY_SELECTED == 1
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_strided
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 1
#undef PAD
#define PAD 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_ca
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_0
#undef strided_copy_reference
#define strided_copy_reference strided_copy_0_strided_copy_reference
#endif
#elif STRIDED_COPY_SELECTED == 2
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_strided
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 2
#undef PAD
#define PAD 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_ca
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_1
#undef strided_copy_reference
#define strided_copy_reference strided_copy_1_strided_copy_reference
#endif
#elif STRIDED_COPY_SELECTED == 3
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_staged
#undef BLOCK
#define BLOCK 64
#undef UNROLL
#define UNROLL 4
#undef PAD
#define PAD 1
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_2
#undef strided_copy_reference
#define strided_copy_reference strided_copy_2_strided_copy_reference
#endif
#elif STRIDED_COPY_SELECTED == 4
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_staged
#undef BLOCK
#define BLOCK 64
#undef UNROLL
#define UNROLL 4
#undef PAD
#define PAD 1
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_cg
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_3
#undef strided_copy_reference
#define strided_copy_reference strided_copy_3_strided_copy_reference
#endif
#elif STRIDED_COPY_SELECTED == 5
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_strided
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 1
#undef PAD
#define PAD 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_4
#undef strided_copy_reference
#define strided_copy_reference strided_copy_4_strided_copy_reference
#endif
#elif STRIDED_COPY_SELECTED == 6
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_strided
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 2
#undef PAD
#define PAD 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_ca
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_5
#undef strided_copy_reference
#define strided_copy_reference strided_copy_5_strided_copy_reference
#endif
#elif STRIDED_COPY_SELECTED == 7
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_staged
#undef BLOCK
#define BLOCK 64
#undef UNROLL
#define UNROLL 8
#undef PAD
#define PAD 1
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_6
#undef strided_copy_reference
#define strided_copy_reference strided_copy_6_strided_copy_reference
#endif
#elif STRIDED_COPY_SELECTED == 8
#undef ORDER_coalesced
#define ORDER_coalesced 1
#undef ORDER_strided
#define ORDER_strided 2
#undef ORDER_staged
#define ORDER_staged 3
#undef ORDER
#define ORDER ORDER_staged
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 4
#undef PAD
#define PAD 1
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_cg
#ifdef STRIDED_COPY_CONFIGURATION
#undef strided_copy
#define strided_copy strided_copy_7
#undef strided_copy_reference
#define strided_copy_reference strided_copy_7_strided_copy_reference
#endif
#else
#error "STRIDED_COPY_BARE: say of which configuration, with STRIDED_COPY_CONFIGURATION, or with STRIDED_COPY_DEVICE and STRIDED_COPY_PROBLEM"
#endif
#endif
