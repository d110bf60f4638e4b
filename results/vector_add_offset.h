/*
 * vector_add_offset: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     47b681cad90076c7fe1f2ceb499e5e32 vector_add_offset.cfg
 *   template  f563a12fd721b33042f04c45e48aa19d vector_add_offset.cu
 *   contents  514b82b64c7fec25d98f45f0cbec6ec4
 */
/*
 * vector_add_offset: 7 configurations, baselines included. The fastest correct ones are, for
 *
 * offset_0 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 0
 *   configuration  0: BLOCK=128 UNROLL=2 USE_LDG=false L1=cg
 *   time           257.41 us (95 % interval 256.99 to 257.82)
 *   speed-up       1.132 over the baseline (95 % interval 1.118 to 1.146)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:24Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a987c33b7fbd342ba57189d010d4a523
 *
 * offset_1 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 1
 *   configuration  1: BLOCK=128 UNROLL=2 USE_LDG=false L1=ca
 *   time           258.35 us (95 % interval 258.07 to 258.63)
 *   speed-up       1.142 over the baseline (95 % interval 1.132 to 1.152)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:25Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    3e461638b23f257884ecd34317ec60e6
 *
 * offset_11 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 11
 *   configuration  1: BLOCK=128 UNROLL=2 USE_LDG=false L1=ca
 *   time           258.27 us (95 % interval 257.94 to 258.6)
 *   speed-up       1.159 over the baseline (95 % interval 1.13 to 1.189)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:27Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    350c52247f105ae41d79a64f791256bb
 *
 * offset_32 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 32
 *   configuration  1: BLOCK=128 UNROLL=2 USE_LDG=false L1=ca
 *   time           258.15 us (95 % interval 257.8 to 258.5)
 *   speed-up       1.132 over the baseline (95 % interval 1.13 to 1.134)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:29Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b2046c93a89243154e10f5e5b63a9c76
 *
 * offset_128 on NVIDIA H100 80GB HBM3 (sm_90): N = 67108864, OFFSET = 128
 *   configuration  0: BLOCK=128 UNROLL=2 USE_LDG=false L1=cg
 *   time           257.36 us (95 % interval 256.97 to 257.74)
 *   speed-up       1.129 over the baseline (95 % interval 1.126 to 1.132)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-23T00:46:31Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    275e32ef6c0d1592c8c649943aab93b9
 *
 * offset_0 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 0
 *   configuration  2: BLOCK=128 UNROLL=4 USE_LDG=false L1=cg
 *   time           183.69 us (95 % interval 183.39 to 184)
 *   speed-up       1.27 over the baseline (95 % interval 1.267 to 1.272)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:03Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a987c33b53670881fee1d9be7f9a195d
 *
 * offset_1 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 1
 *   configuration  3: BLOCK=256 UNROLL=4 USE_LDG=false L1=plain
 *   time           184.14 us (95 % interval 183.87 to 184.41)
 *   speed-up       1.297 over the baseline (95 % interval 1.293 to 1.301)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:06Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    3e461638b2f0d00e743fb04af51334a2
 *
 * offset_11 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 11
 *   configuration  4: BLOCK=256 UNROLL=4 USE_LDG=false L1=ca
 *   time           184.38 us (95 % interval 184.14 to 184.63)
 *   speed-up       1.296 over the baseline (95 % interval 1.29 to 1.301)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:10Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    350c5224ad06fef72363f01e7cb5fb94
 *
 * offset_32 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 32
 *   configuration  5: BLOCK=32 UNROLL=8 USE_LDG=false L1=cg
 *   time           184.37 us (95 % interval 184.04 to 184.7)
 *   speed-up       1.28 over the baseline (95 % interval 1.275 to 1.286)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:13Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    b2046c93a184f51e7d2c43d8be294652
 *
 * offset_128 on NVIDIA H200 (sm_90): N = 67108864, OFFSET = 128
 *   configuration  3: BLOCK=256 UNROLL=4 USE_LDG=false L1=plain
 *   time           183.34 us (95 % interval 183.09 to 183.58)
 *   speed-up       1.28 over the baseline (95 % interval 1.272 to 1.289)
 *   chosen from    120 evaluations, 120 of them ok
 *   verified       2 data sets, 3 problems, 10 patterns, guarded, crowded, host
 *   measured       2026-11-22T15:04:17Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    275e32ef26c1d62ceea6cdef74c2e93a
 *
 * To choose a configuration when the program runs: vector_add_offset_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * vector_add_offset_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of VECTOR_ADD_OFFSET_CONFIGURATIONS in a translation unit of its own:
 * define VECTOR_ADD_OFFSET_CONFIGURATION as n, define VECTOR_ADD_OFFSET_BARE, include this header, then
 * the template. Its kernel is called vector_add_offset_n there. Give the compiler
 * VECTOR_ADD_OFFSET_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names VECTOR_ADD_OFFSET_... without a
 * number belong to one configuration. Define VECTOR_ADD_OFFSET_CONFIGURATION, or
 * VECTOR_ADD_OFFSET_DEVICE and VECTOR_ADD_OFFSET_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. VECTOR_ADD_OFFSET_BARE also defines the
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

#ifndef AUTOTUNE_VECTOR_ADD_OFFSET_H
#define AUTOTUNE_VECTOR_ADD_OFFSET_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_VECTOR_ADD_OFFSET_CONTENTS 0xd4adc152b4cffe34ULL

/* the values that VECTOR_ADD_OFFSET_CONFIGURATION, VECTOR_ADD_OFFSET_DEVICE and VECTOR_ADD_OFFSET_PROBLEM may have */
#define VECTOR_ADD_OFFSET_CONFIGURATION_0 1
#define VECTOR_ADD_OFFSET_CONFIGURATION_1 2
#define VECTOR_ADD_OFFSET_CONFIGURATION_2 3
#define VECTOR_ADD_OFFSET_CONFIGURATION_3 4
#define VECTOR_ADD_OFFSET_CONFIGURATION_4 5
#define VECTOR_ADD_OFFSET_CONFIGURATION_5 6
#define VECTOR_ADD_OFFSET_CONFIGURATION_6 7
#define VECTOR_ADD_OFFSET_DEVICE_NVIDIA_H100_80GB_HBM3 1
#define VECTOR_ADD_OFFSET_DEVICE_NVIDIA_H200 2
#define VECTOR_ADD_OFFSET_PROBLEM_OFFSET_0 1
#define VECTOR_ADD_OFFSET_PROBLEM_OFFSET_1 2
#define VECTOR_ADD_OFFSET_PROBLEM_OFFSET_11 3
#define VECTOR_ADD_OFFSET_PROBLEM_OFFSET_32 4
#define VECTOR_ADD_OFFSET_PROBLEM_OFFSET_128 5

/* X(number, kernel) for every configuration */
#define VECTOR_ADD_OFFSET_CONFIGURATION_COUNT 7
#define VECTOR_ADD_OFFSET_CONFIGURATIONS(X) \
	X(0, vector_add_offset_0) \
	X(1, vector_add_offset_1) \
	X(2, vector_add_offset_2) \
	X(3, vector_add_offset_3) \
	X(4, vector_add_offset_4) \
	X(5, vector_add_offset_5) \
	X(6, vector_add_offset_6)
#define VECTOR_ADD_OFFSET_DEVICE_COUNT 2
#define VECTOR_ADD_OFFSET_L1_plain 1
#define VECTOR_ADD_OFFSET_L1_ca 2
#define VECTOR_ADD_OFFSET_L1_cg 3

#define VECTOR_ADD_OFFSET_0_BLOCK 128
#define VECTOR_ADD_OFFSET_0_UNROLL 2
#define VECTOR_ADD_OFFSET_0_USE_LDG 0
#define VECTOR_ADD_OFFSET_0_L1 3
#define VECTOR_ADD_OFFSET_0_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_0_NUMBER 0
#define VECTOR_ADD_OFFSET_0_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_0_BLOCK_DIM_X 128
#define VECTOR_ADD_OFFSET_0_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_0_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_0_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_1_BLOCK 128
#define VECTOR_ADD_OFFSET_1_UNROLL 2
#define VECTOR_ADD_OFFSET_1_USE_LDG 0
#define VECTOR_ADD_OFFSET_1_L1 2
#define VECTOR_ADD_OFFSET_1_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_1_NUMBER 1
#define VECTOR_ADD_OFFSET_1_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_1_BLOCK_DIM_X 128
#define VECTOR_ADD_OFFSET_1_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_1_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_1_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_2_BLOCK 128
#define VECTOR_ADD_OFFSET_2_UNROLL 4
#define VECTOR_ADD_OFFSET_2_USE_LDG 0
#define VECTOR_ADD_OFFSET_2_L1 3
#define VECTOR_ADD_OFFSET_2_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_2_NUMBER 2
#define VECTOR_ADD_OFFSET_2_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_2_BLOCK_DIM_X 128
#define VECTOR_ADD_OFFSET_2_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_2_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_2_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_3_BLOCK 256
#define VECTOR_ADD_OFFSET_3_UNROLL 4
#define VECTOR_ADD_OFFSET_3_USE_LDG 0
#define VECTOR_ADD_OFFSET_3_L1 1
#define VECTOR_ADD_OFFSET_3_L1_NAME "plain"
#define VECTOR_ADD_OFFSET_3_NUMBER 3
#define VECTOR_ADD_OFFSET_3_OPTIONS ""
#define VECTOR_ADD_OFFSET_3_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_3_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_3_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_3_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_4_BLOCK 256
#define VECTOR_ADD_OFFSET_4_UNROLL 4
#define VECTOR_ADD_OFFSET_4_USE_LDG 0
#define VECTOR_ADD_OFFSET_4_L1 2
#define VECTOR_ADD_OFFSET_4_L1_NAME "ca"
#define VECTOR_ADD_OFFSET_4_NUMBER 4
#define VECTOR_ADD_OFFSET_4_OPTIONS "--ptxas-options=-dlcm=ca"
#define VECTOR_ADD_OFFSET_4_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_4_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_4_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_4_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_5_BLOCK 32
#define VECTOR_ADD_OFFSET_5_UNROLL 8
#define VECTOR_ADD_OFFSET_5_USE_LDG 0
#define VECTOR_ADD_OFFSET_5_L1 3
#define VECTOR_ADD_OFFSET_5_L1_NAME "cg"
#define VECTOR_ADD_OFFSET_5_NUMBER 5
#define VECTOR_ADD_OFFSET_5_OPTIONS "--ptxas-options=-dlcm=cg"
#define VECTOR_ADD_OFFSET_5_BLOCK_DIM_X 32
#define VECTOR_ADD_OFFSET_5_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_5_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_5_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_6_BLOCK 256
#define VECTOR_ADD_OFFSET_6_UNROLL 1
#define VECTOR_ADD_OFFSET_6_USE_LDG 0
#define VECTOR_ADD_OFFSET_6_L1 1
#define VECTOR_ADD_OFFSET_6_L1_NAME "plain"
#define VECTOR_ADD_OFFSET_6_NUMBER 6
#define VECTOR_ADD_OFFSET_6_OPTIONS ""
#define VECTOR_ADD_OFFSET_6_BLOCK_DIM_X 256
#define VECTOR_ADD_OFFSET_6_BLOCK_DIM_Y 1
#define VECTOR_ADD_OFFSET_6_BLOCK_DIM_Z 1
#define VECTOR_ADD_OFFSET_6_SHARED_BYTES 0

#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_CONFIGURATION 0
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_TIME_NS 257407.230711431
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_TIME_LOW_NS 256990.350582976
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_TIME_HIGH_NS 257824.787087229
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_SPEEDUP 1.1320705265659
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_SPEEDUP_LOW 1.11822457168874
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_0_SPEEDUP_HIGH 1.14608792327264

#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_CONFIGURATION 1
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_TIME_NS 258348.981751518
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_TIME_LOW_NS 258066.933356151
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_TIME_HIGH_NS 258631.338405274
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_SPEEDUP 1.14165409044902
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_SPEEDUP_LOW 1.13157198314955
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_1_SPEEDUP_HIGH 1.15182602755085

#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_CONFIGURATION 1
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_TIME_NS 258268.85235003
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_TIME_LOW_NS 257937.837892909
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_TIME_HIGH_NS 258600.291601635
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_SPEEDUP 1.15934040931967
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_SPEEDUP_LOW 1.13022545970919
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_11_SPEEDUP_HIGH 1.18920536883618

#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_CONFIGURATION 1
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_TIME_NS 258151.453765789
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_TIME_LOW_NS 257799.894963899
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_TIME_HIGH_NS 258503.491984443
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_SPEEDUP 1.13221727970488
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_SPEEDUP_LOW 1.13015464939657
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_32_SPEEDUP_HIGH 1.13428367449249

#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_CONFIGURATION 0
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_TIME_NS 257356.683524579
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_TIME_LOW_NS 256973.019909601
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_TIME_HIGH_NS 257740.91995366
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_SPEEDUP 1.12865479924397
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_SPEEDUP_LOW 1.12573298091897
#define VECTOR_ADD_OFFSET_NVIDIA_H100_80GB_HBM3_OFFSET_128_SPEEDUP_HIGH 1.1315842010923

#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_CONFIGURATION 2
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_TIME_NS 183693.789661762
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_TIME_LOW_NS 183385.967154471
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_TIME_HIGH_NS 184002.128864509
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_SPEEDUP 1.26966083177382
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_SPEEDUP_LOW 1.26692278784514
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_0_SPEEDUP_HIGH 1.27240479309906

#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_CONFIGURATION 3
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_TIME_NS 184138.216534033
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_TIME_LOW_NS 183868.142712746
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_TIME_HIGH_NS 184408.687051929
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_SPEEDUP 1.29707719895025
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_SPEEDUP_LOW 1.29300529962384
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_1_SPEEDUP_HIGH 1.30116192139822

#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_CONFIGURATION 4
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_TIME_NS 184383.875861828
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_TIME_LOW_NS 184137.295178713
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_TIME_HIGH_NS 184630.786744391
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_SPEEDUP 1.29558115899696
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_SPEEDUP_LOW 1.29016469772309
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_11_SPEEDUP_HIGH 1.30102036004412

#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_CONFIGURATION 5
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_TIME_NS 184373.115065627
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_TIME_LOW_NS 184042.565875714
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_TIME_HIGH_NS 184704.257937586
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_SPEEDUP 1.28036612482862
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_SPEEDUP_LOW 1.27463944167588
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_32_SPEEDUP_HIGH 1.28611853674737

#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_CONFIGURATION 3
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_TIME_NS 183336.458407305
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_TIME_LOW_NS 183092.474441298
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_TIME_HIGH_NS 183580.767499594
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_SPEEDUP 1.28013541358187
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_SPEEDUP_LOW 1.27168369232742
#define VECTOR_ADD_OFFSET_NVIDIA_H200_OFFSET_128_SPEEDUP_HIGH 1.28864330571638

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *vector_add_offset_device(int index)
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
static inline struct autotune_device vector_add_offset_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 2; i++)
		if (autotune_is_same_device(device, vector_add_offset_device(i)))
			autotune_fill(&complete, vector_add_offset_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All members are 0 where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch vector_add_offset_launch(
	int configuration, const struct autotune_device *given, long long size_N, long long size_OFFSET)
{
	long long amounts[7] = { 1, 1, 1, 1, 1, 1, 0 };
	int bad = 0;

	(void)given;
	(void)size_N; (void)size_OFFSET;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 128LL;
		break;
	case 1:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 128LL;
		break;
	case 2:
		amounts[0] = autotune_ceil_div(size_N, 512LL, &bad);
		amounts[3] = 128LL;
		break;
	case 3:
		amounts[0] = autotune_ceil_div(size_N, 1024LL, &bad);
		amounts[3] = 256LL;
		break;
	case 4:
		amounts[0] = autotune_ceil_div(size_N, 1024LL, &bad);
		amounts[3] = 256LL;
		break;
	case 5:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 32LL;
		break;
	case 6:
		amounts[0] = autotune_ceil_div(size_N, 256LL, &bad);
		amounts[3] = 256LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int vector_add_offset_fits(
	int configuration, const struct autotune_device *given, long long size_N, long long size_OFFSET)
{
	const struct autotune_device complete = vector_add_offset_complete(given);
	const struct autotune_launch launch = vector_add_offset_launch(configuration, given, size_N, size_OFFSET);
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_N >= 1LL && size_N <= 134217728LL))
		bad = 1;
	if (!(size_OFFSET >= 0LL && size_OFFSET <= 128LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 16;
		break;
	case 1:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 16;
		break;
	case 2:
		/* BLOCK <= device.max_threads_per_block */
		if (!(128LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 20;
		break;
	case 3:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 20;
		break;
	case 4:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 20;
		break;
	case 5:
		/* BLOCK <= device.max_threads_per_block */
		if (!(32LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 37;
		break;
	case 6:
		/* BLOCK <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 10;
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
static inline struct autotune_choice vector_add_offset_choose(
	const struct autotune_device *device, long long size_N, long long size_OFFSET)
{
	/* the sizes that were measured */
	static const double recorded[][2] = {
		{ 67108864, 0 }, /* offset_0 */
		{ 67108864, 1 }, /* offset_1 */
		{ 67108864, 11 }, /* offset_11 */
		{ 67108864, 32 }, /* offset_32 */
		{ 67108864, 128 }, /* offset_128 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* offset_0 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 1, 0 }, /* offset_1 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 2, 0 }, /* offset_11 on NVIDIA H100 80GB HBM3 */
		{ 1, 0, 3, 0 }, /* offset_32 on NVIDIA H100 80GB HBM3 */
		{ 0, 0, 4, 0 }, /* offset_128 on NVIDIA H100 80GB HBM3 */
		{ 2, 1, 0, 0 }, /* offset_0 on NVIDIA H200 */
		{ 3, 1, 1, 0 }, /* offset_1 on NVIDIA H200 */
		{ 4, 1, 2, 0 }, /* offset_11 on NVIDIA H200 */
		{ 5, 1, 3, 0 }, /* offset_32 on NVIDIA H200 */
		{ 3, 1, 4, 0 }, /* offset_128 on NVIDIA H200 */
		{ 6, 0, 0, 1 }, /* offset_0 on NVIDIA H100 80GB HBM3 */
		{ 6, 0, 1, 1 }, /* offset_1 on NVIDIA H100 80GB HBM3 */
		{ 6, 0, 2, 1 }, /* offset_11 on NVIDIA H100 80GB HBM3 */
		{ 6, 0, 3, 1 }, /* offset_32 on NVIDIA H100 80GB HBM3 */
		{ 6, 0, 4, 1 }, /* offset_128 on NVIDIA H100 80GB HBM3 */
		{ 6, 1, 0, 1 }, /* offset_0 on NVIDIA H200 */
		{ 6, 1, 1, 1 }, /* offset_1 on NVIDIA H200 */
		{ 6, 1, 2, 1 }, /* offset_11 on NVIDIA H200 */
		{ 6, 1, 3, 1 }, /* offset_32 on NVIDIA H200 */
		{ 6, 1, 4, 1 }, /* offset_128 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_OFFSET) };
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_N; (void)size_OFFSET;
	for (i = 0; device && i < 20; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			vector_add_offset_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 2);

		if (autotune_is_better(&rank, &best) &&
			vector_add_offset_fits(entries[i][0], device, size_N, size_OFFSET)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
	return choice;
}

#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef VECTOR_ADD_OFFSET_SELECTED_DEVICE
#ifdef VECTOR_ADD_OFFSET_DEVICE
#define VECTOR_ADD_OFFSET_SELECTED_DEVICE AUTOTUNE_PASTE(VECTOR_ADD_OFFSET_DEVICE_, VECTOR_ADD_OFFSET_DEVICE)
#if !(VECTOR_ADD_OFFSET_SELECTED_DEVICE > 0)
#error "VECTOR_ADD_OFFSET_DEVICE is none of: NVIDIA_H100_80GB_HBM3, NVIDIA_H200"
#endif
#else
#define VECTOR_ADD_OFFSET_SELECTED_DEVICE 0
#endif
#undef VECTOR_ADD_OFFSET_SELECTED_PROBLEM
#ifdef VECTOR_ADD_OFFSET_PROBLEM
#define VECTOR_ADD_OFFSET_SELECTED_PROBLEM AUTOTUNE_PASTE(VECTOR_ADD_OFFSET_PROBLEM_, VECTOR_ADD_OFFSET_PROBLEM)
#if !(VECTOR_ADD_OFFSET_SELECTED_PROBLEM > 0)
#error "VECTOR_ADD_OFFSET_PROBLEM is none of: OFFSET_0, OFFSET_1, OFFSET_11, OFFSET_32, OFFSET_128"
#endif
#else
#define VECTOR_ADD_OFFSET_SELECTED_PROBLEM 0
#endif
#undef VECTOR_ADD_OFFSET_SELECTED
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#define VECTOR_ADD_OFFSET_SELECTED AUTOTUNE_PASTE(VECTOR_ADD_OFFSET_CONFIGURATION_, VECTOR_ADD_OFFSET_CONFIGURATION)
#if !(VECTOR_ADD_OFFSET_SELECTED > 0)
#error "VECTOR_ADD_OFFSET_CONFIGURATION is no number from 0 to 6"
#endif
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 1
#define VECTOR_ADD_OFFSET_SELECTED 1
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 2
#define VECTOR_ADD_OFFSET_SELECTED 2
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 3
#define VECTOR_ADD_OFFSET_SELECTED 2
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 4
#define VECTOR_ADD_OFFSET_SELECTED 2
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 1 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 5
#define VECTOR_ADD_OFFSET_SELECTED 1
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 1
#define VECTOR_ADD_OFFSET_SELECTED 3
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 2
#define VECTOR_ADD_OFFSET_SELECTED 4
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 3
#define VECTOR_ADD_OFFSET_SELECTED 5
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 4
#define VECTOR_ADD_OFFSET_SELECTED 6
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE == 2 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM == 5
#define VECTOR_ADD_OFFSET_SELECTED 4
#elif VECTOR_ADD_OFFSET_SELECTED_DEVICE > 0 && VECTOR_ADD_OFFSET_SELECTED_PROBLEM > 0
#error "VECTOR_ADD_OFFSET_PROBLEM was not measured on VECTOR_ADD_OFFSET_DEVICE; there are: OFFSET_0 on NVIDIA_H100_80GB_HBM3, OFFSET_1 on NVIDIA_H100_80GB_HBM3, OFFSET_11 on NVIDIA_H100_80GB_HBM3, OFFSET_32 on NVIDIA_H100_80GB_HBM3, OFFSET_128 on NVIDIA_H100_80GB_HBM3, OFFSET_0 on NVIDIA_H200, OFFSET_1 on NVIDIA_H200, OFFSET_11 on NVIDIA_H200, OFFSET_32 on NVIDIA_H200, OFFSET_128 on NVIDIA_H200"
#else
#define VECTOR_ADD_OFFSET_SELECTED 0
#endif
#undef VECTOR_ADD_OFFSET_BLOCK
#undef VECTOR_ADD_OFFSET_UNROLL
#undef VECTOR_ADD_OFFSET_USE_LDG
#undef VECTOR_ADD_OFFSET_L1
#undef VECTOR_ADD_OFFSET_L1_NAME
#undef VECTOR_ADD_OFFSET_NUMBER
#undef VECTOR_ADD_OFFSET_OPTIONS
#undef VECTOR_ADD_OFFSET_BLOCK_DIM_X
#undef VECTOR_ADD_OFFSET_BLOCK_DIM_Y
#undef VECTOR_ADD_OFFSET_BLOCK_DIM_Z
#undef VECTOR_ADD_OFFSET_SHARED_BYTES
#if VECTOR_ADD_OFFSET_SELECTED == 1
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_0_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_0_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_0_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_0_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_0_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_0_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_0_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_0_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_0_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_0_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_0_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 2
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_1_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_1_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_1_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_1_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_1_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_1_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_1_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_1_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_1_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_1_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_1_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 3
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_2_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_2_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_2_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_2_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_2_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_2_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_2_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_2_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_2_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_2_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_2_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 4
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_3_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_3_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_3_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_3_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_3_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_3_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_3_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_3_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_3_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_3_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_3_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 5
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_4_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_4_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_4_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_4_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_4_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_4_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_4_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_4_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_4_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_4_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_4_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 6
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_5_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_5_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_5_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_5_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_5_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_5_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_5_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_5_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_5_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_5_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_5_SHARED_BYTES
#elif VECTOR_ADD_OFFSET_SELECTED == 7
#define VECTOR_ADD_OFFSET_BLOCK VECTOR_ADD_OFFSET_6_BLOCK
#define VECTOR_ADD_OFFSET_UNROLL VECTOR_ADD_OFFSET_6_UNROLL
#define VECTOR_ADD_OFFSET_USE_LDG VECTOR_ADD_OFFSET_6_USE_LDG
#define VECTOR_ADD_OFFSET_L1 VECTOR_ADD_OFFSET_6_L1
#define VECTOR_ADD_OFFSET_L1_NAME VECTOR_ADD_OFFSET_6_L1_NAME
#define VECTOR_ADD_OFFSET_NUMBER VECTOR_ADD_OFFSET_6_NUMBER
#define VECTOR_ADD_OFFSET_OPTIONS VECTOR_ADD_OFFSET_6_OPTIONS
#define VECTOR_ADD_OFFSET_BLOCK_DIM_X VECTOR_ADD_OFFSET_6_BLOCK_DIM_X
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Y VECTOR_ADD_OFFSET_6_BLOCK_DIM_Y
#define VECTOR_ADD_OFFSET_BLOCK_DIM_Z VECTOR_ADD_OFFSET_6_BLOCK_DIM_Z
#define VECTOR_ADD_OFFSET_SHARED_BYTES VECTOR_ADD_OFFSET_6_SHARED_BYTES
#endif
#ifdef VECTOR_ADD_OFFSET_BARE
#if VECTOR_ADD_OFFSET_SELECTED == 1
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 2
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_cg
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_0
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_0_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_0_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_0_vector_add_offset_write_reference
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 2
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 2
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_ca
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_1
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_1_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_1_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_1_vector_add_offset_write_reference
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 3
#undef BLOCK
#define BLOCK 128
#undef UNROLL
#define UNROLL 4
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_cg
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_2
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_2_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_2_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_2_vector_add_offset_write_reference
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 4
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 4
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_3
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_3_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_3_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_3_vector_add_offset_write_reference
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 5
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 4
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_ca
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_4
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_4_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_4_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_4_vector_add_offset_write_reference
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 6
#undef BLOCK
#define BLOCK 32
#undef UNROLL
#define UNROLL 8
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_cg
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_5
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_5_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_5_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_5_vector_add_offset_write_reference
#endif
#elif VECTOR_ADD_OFFSET_SELECTED == 7
#undef BLOCK
#define BLOCK 256
#undef UNROLL
#define UNROLL 1
#undef USE_LDG
#define USE_LDG 0
#undef L1_plain
#define L1_plain 1
#undef L1_ca
#define L1_ca 2
#undef L1_cg
#define L1_cg 3
#undef L1
#define L1 L1_plain
#ifdef VECTOR_ADD_OFFSET_CONFIGURATION
#undef vector_add_offset
#define vector_add_offset vector_add_offset_6
#undef vector_add_offset_reference
#define vector_add_offset_reference vector_add_offset_6_vector_add_offset_reference
#undef vector_add_offset_write
#define vector_add_offset_write vector_add_offset_6_vector_add_offset_write
#undef vector_add_offset_write_reference
#define vector_add_offset_write_reference vector_add_offset_6_vector_add_offset_write_reference
#endif
#else
#error "VECTOR_ADD_OFFSET_BARE: say of which configuration, with VECTOR_ADD_OFFSET_CONFIGURATION, or with VECTOR_ADD_OFFSET_DEVICE and VECTOR_ADD_OFFSET_PROBLEM"
#endif
#endif
