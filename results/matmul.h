/*
 * matmul: its fastest correct configurations, as recorded.
 * Written by autotune 0.1.0; changes made by hand are lost.
 *
 *   space     1c2bc6e93d4e1ca2b869b699bd16ceb7 matmul.cfg
 *   template  8e0e80497a5736042146459888045d50 matmul.cu
 *   contents  37d36053d20e9ed71e88f44892ead1aa
 */
/*
 * matmul: 2 configurations, baselines included. The fastest correct ones are, for
 *
 * square_4096 on NVIDIA H200 (sm_90): M = 4096, N = 4096, K = 4096
 *   configuration  0: BLOCK_X=32 BLOCK_Y=8 TILE_M=8 TILE_N=16 TILE_K=8 LANES=1 SLICES=1 CLUSTER=1 VECTOR=4 USE_LDG=false PAD=4 STAGES=2 COPY=async SPREAD=1 UNROLL=0 FRAGMENTS=2 ORDER=down LOOSE=true RESIDENT=1
 *   time           2.5602 ms (95 % interval 2.5577 to 2.5628)
 *   speed-up       13.86 over the baseline (95 % interval 13.85 to 13.88)
 *   chosen from    599 evaluations, 599 of them ok
 *   verified       2 data sets, 3 problems, 13 patterns, guarded, crowded, host
 *   measured       2026-11-29T08:59:36Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    d979a8729d714d4011bd3fa89ac41376
 *
 * To choose a configuration when the program runs: matmul_choose(device, sizes...)
 * returns its number and the rung by which it was found, and
 * matmul_launch(configuration, device, sizes...) returns how to launch it. Compile
 * each configuration n of MATMUL_CONFIGURATIONS in a translation unit of its own:
 * define MATMUL_CONFIGURATION as n, define MATMUL_BARE, include this header, then
 * the template. Its kernel is called matmul_n there. Give the compiler
 * MATMUL_n_OPTIONS.
 *
 * To choose one when the program is compiled: the names MATMUL_... without a
 * number belong to one configuration. Define MATMUL_CONFIGURATION, or
 * MATMUL_DEVICE and MATMUL_PROBLEM, before you include this header; one of these
 * two is enough where it leaves one winner, and none is needed where there is only
 * one. Without a choice these names are not defined. MATMUL_BARE also defines the
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

#ifndef AUTOTUNE_MATMUL_H
#define AUTOTUNE_MATMUL_H

/* a hash of this header: the cubins that belong to it check it */
#define AUTOTUNE_MATMUL_CONTENTS 0x65011eb3cd429b89ULL

/* the values that MATMUL_CONFIGURATION, MATMUL_DEVICE and MATMUL_PROBLEM may have */
#define MATMUL_CONFIGURATION_0 1
#define MATMUL_CONFIGURATION_1 2
#define MATMUL_DEVICE_NVIDIA_H200 1
#define MATMUL_PROBLEM_SQUARE_4096 1

/* X(number, kernel) for every configuration */
#define MATMUL_CONFIGURATION_COUNT 2
#define MATMUL_CONFIGURATIONS(X) \
	X(0, matmul_0) \
	X(1, matmul_1)
#define MATMUL_DEVICE_COUNT 1
#define MATMUL_COPY_registers 1
#define MATMUL_COPY_mixed 2
#define MATMUL_COPY_async 3
#define MATMUL_ORDER_rows 1
#define MATMUL_ORDER_across 2
#define MATMUL_ORDER_down 3

#define MATMUL_0_BLOCK_X 32
#define MATMUL_0_BLOCK_Y 8
#define MATMUL_0_TILE_M 8
#define MATMUL_0_TILE_N 16
#define MATMUL_0_TILE_K 8
#define MATMUL_0_LANES 1
#define MATMUL_0_SLICES 1
#define MATMUL_0_CLUSTER 1
#define MATMUL_0_VECTOR 4
#define MATMUL_0_USE_LDG 0
#define MATMUL_0_PAD 4
#define MATMUL_0_STAGES 2
#define MATMUL_0_COPY 3
#define MATMUL_0_SPREAD 1
#define MATMUL_0_UNROLL 0
#define MATMUL_0_FRAGMENTS 2
#define MATMUL_0_ORDER 3
#define MATMUL_0_LOOSE 1
#define MATMUL_0_RESIDENT 1
#define MATMUL_0_COPY_NAME "async"
#define MATMUL_0_ORDER_NAME "down"
#define MATMUL_0_NUMBER 0
#define MATMUL_0_OPTIONS ""
#define MATMUL_0_BLOCK_DIM_X 32
#define MATMUL_0_BLOCK_DIM_Y 8
#define MATMUL_0_BLOCK_DIM_Z 1
#define MATMUL_0_SHARED_BYTES 37120

#define MATMUL_1_BLOCK_X 16
#define MATMUL_1_BLOCK_Y 16
#define MATMUL_1_TILE_M 1
#define MATMUL_1_TILE_N 1
#define MATMUL_1_TILE_K 16
#define MATMUL_1_LANES 2
#define MATMUL_1_SLICES 1
#define MATMUL_1_CLUSTER 1
#define MATMUL_1_VECTOR 1
#define MATMUL_1_USE_LDG 0
#define MATMUL_1_PAD 0
#define MATMUL_1_STAGES 1
#define MATMUL_1_COPY 1
#define MATMUL_1_SPREAD 1
#define MATMUL_1_UNROLL 1
#define MATMUL_1_FRAGMENTS 1
#define MATMUL_1_ORDER 1
#define MATMUL_1_LOOSE 0
#define MATMUL_1_RESIDENT 1
#define MATMUL_1_COPY_NAME "registers"
#define MATMUL_1_ORDER_NAME "rows"
#define MATMUL_1_NUMBER 1
#define MATMUL_1_OPTIONS ""
#define MATMUL_1_BLOCK_DIM_X 16
#define MATMUL_1_BLOCK_DIM_Y 16
#define MATMUL_1_BLOCK_DIM_Z 1
#define MATMUL_1_SHARED_BYTES 2048

#define MATMUL_NVIDIA_H200_SQUARE_4096_CONFIGURATION 0
#define MATMUL_NVIDIA_H200_SQUARE_4096_TIME_NS 2560223.44014193
#define MATMUL_NVIDIA_H200_SQUARE_4096_TIME_LOW_NS 2557652.31202308
#define MATMUL_NVIDIA_H200_SQUARE_4096_TIME_HIGH_NS 2562797.15293571
#define MATMUL_NVIDIA_H200_SQUARE_4096_SPEEDUP 13.8609877167257
#define MATMUL_NVIDIA_H200_SQUARE_4096_SPEEDUP_LOW 13.8460487307971
#define MATMUL_NVIDIA_H200_SQUARE_4096_SPEEDUP_HIGH 13.8759428208485

/* The recorded devices, by number; 0: there is no such number. */
static inline const struct autotune_device *matmul_device(int index)
{
	static const struct autotune_device devices[] = {
		{ "NVIDIA H200", 9, 0,
			132, 32, 1024, 1024, 1024, 64, 2147483647, 65535, 65535, 2048,
			32, 65536, 65536, 49152, 232448, 233472, 1024, 62914560, 150323855360, 0,
			0, 6016, 700, 700 },
	};

	return index >= 0 && index < 1 ? &devices[index] : AUTOTUNE_NULL;
}

/* Completes a device with what is recorded of it, or what all such devices have. */
static inline struct autotune_device matmul_complete(
	const struct autotune_device *device)
{
	struct autotune_device complete = *device;
	int i;

	for (i = 0; i < 1; i++)
		if (autotune_is_same_device(device, matmul_device(i)))
			autotune_fill(&complete, matmul_device(i));
	if (!autotune_is_cpu(device))
		autotune_fill_common(&complete);
	return complete;
}

/*
 * How to launch a configuration on a device (0: the one that it was measured on).
 * All members are 0 where it cannot be launched there, or with these sizes.
 */
static inline struct autotune_launch matmul_launch(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	long long amounts[7] = { 1, 1, 1, 1, 1, 1, 0 };
	int bad = 0;

	(void)given;
	(void)size_M; (void)size_N; (void)size_K;
	switch (configuration) {
	case 0:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 64LL, &bad), autotune_ceil_div(size_N, 512LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 32LL;
		amounts[4] = 8LL;
		amounts[5] = 1LL;
		amounts[6] = 37120LL;
		break;
	case 1:
		amounts[0] = autotune_multiply(autotune_ceil_div(size_M, 16LL, &bad), autotune_ceil_div(size_N, 16LL, &bad), &bad);
		amounts[1] = 1LL;
		amounts[2] = 1LL;
		amounts[3] = 16LL;
		amounts[4] = 16LL;
		amounts[5] = 1LL;
		amounts[6] = 2048LL;
		break;
	default:
		bad = 1;
	}
	return autotune_launch_of(amounts, bad);
}

/* Whether a configuration keeps to the space's constraints and the device's limits. */
static inline int matmul_fits(
	int configuration, const struct autotune_device *given, long long size_M, long long size_N, long long size_K)
{
	const struct autotune_device complete = matmul_complete(given);
	const struct autotune_launch launch = matmul_launch(configuration, given, size_M, size_N, size_K);
	long long static_bytes = 0, registers = 0;
	int bad = 0;

	/* the domain */
	if (!(size_M >= 1LL && size_M <= 16384LL))
		bad = 1;
	if (!(size_N >= 1LL && size_N <= 16384LL))
		bad = 1;
	if (!(size_K >= 1LL && size_K <= 16384LL))
		bad = 1;
	switch (configuration) {
	case 0:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(37120LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 201;
		break;
	case 1:
		/* BLOCK_X * BLOCK_Y * SLICES <= device.max_threads_per_block */
		if (!(256LL <= autotune_known(complete.max_threads_per_block, &bad)))
			bad = 1;
		/* 4 * max(STAGES * TILE_K * (BLOCK_Y * TILE_M + PAD + BLOCK_X * TILE_N), (CLUSTER > 1 ? max(1, SLICES - 1) : SLICES - 1) * BLOCK_Y * TILE_M * BLOCK_X * TILE_N) <= device.max_dynamic_shared_bytes_per_block */
		if (!(2048LL <= autotune_known(complete.max_dynamic_shared_bytes_per_block, &bad)))
			bad = 1;
		static_bytes = 0;
		registers = 26;
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
static inline struct autotune_choice matmul_choose(
	const struct autotune_device *device, long long size_M, long long size_N, long long size_K)
{
	/* the sizes that were measured */
	static const double recorded[][3] = {
		{ 4096, 4096, 4096 }, /* square_4096 */
	};
	/* configuration, device, sizes, whether it is a baseline */
	static const int entries[][4] = {
		{ 0, 0, 0, 0 }, /* square_4096 on NVIDIA H200 */
		{ 1, 0, 0, 1 }, /* square_4096 on NVIDIA H200 */
	};
	const double sizes[] = { AUTOTUNE_CAST(double, size_M), AUTOTUNE_CAST(double, size_N), AUTOTUNE_CAST(double, size_K) };
	struct autotune_choice choice = { -1, AUTOTUNE_NONE };
	struct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };
	int i;

	(void)size_M; (void)size_N; (void)size_K;
	for (i = 0; device && i < 2; i++) {
		const struct autotune_rank rank = autotune_rank_of(device,
			matmul_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], 3);

		if (autotune_is_better(&rank, &best) &&
			matmul_fits(entries[i][0], device, size_M, size_N, size_K)) {
			best = rank;
			choice.configuration = entries[i][0];
			choice.rung = rank.rung;
		}
	}
	return choice;
}

#endif

/* outside of the guard: a unit may include this header again for another choice */
#undef MATMUL_SELECTED_DEVICE
#ifdef MATMUL_DEVICE
#define MATMUL_SELECTED_DEVICE AUTOTUNE_PASTE(MATMUL_DEVICE_, MATMUL_DEVICE)
#if !(MATMUL_SELECTED_DEVICE > 0)
#error "MATMUL_DEVICE is none of: NVIDIA_H200"
#endif
#else
#define MATMUL_SELECTED_DEVICE 0
#endif
#undef MATMUL_SELECTED_PROBLEM
#ifdef MATMUL_PROBLEM
#define MATMUL_SELECTED_PROBLEM AUTOTUNE_PASTE(MATMUL_PROBLEM_, MATMUL_PROBLEM)
#if !(MATMUL_SELECTED_PROBLEM > 0)
#error "MATMUL_PROBLEM is none of: SQUARE_4096"
#endif
#else
#define MATMUL_SELECTED_PROBLEM 0
#endif
#undef MATMUL_SELECTED
#ifdef MATMUL_CONFIGURATION
#define MATMUL_SELECTED AUTOTUNE_PASTE(MATMUL_CONFIGURATION_, MATMUL_CONFIGURATION)
#if !(MATMUL_SELECTED > 0)
#error "MATMUL_CONFIGURATION is no number from 0 to 1"
#endif
#elif MATMUL_SELECTED_DEVICE == 1 && MATMUL_SELECTED_PROBLEM == 1
#define MATMUL_SELECTED 1
#elif MATMUL_SELECTED_DEVICE == 1 && MATMUL_SELECTED_PROBLEM == 0
#define MATMUL_SELECTED 1
#elif MATMUL_SELECTED_DEVICE == 0 && MATMUL_SELECTED_PROBLEM == 1
#define MATMUL_SELECTED 1
#elif MATMUL_SELECTED_DEVICE == 0 && MATMUL_SELECTED_PROBLEM == 0
#define MATMUL_SELECTED 1
#elif MATMUL_SELECTED_DEVICE > 0 && MATMUL_SELECTED_PROBLEM > 0
#error "MATMUL_PROBLEM was not measured on MATMUL_DEVICE; there are: SQUARE_4096 on NVIDIA_H200"
#else
#define MATMUL_SELECTED 0
#endif
#undef MATMUL_BLOCK_X
#undef MATMUL_BLOCK_Y
#undef MATMUL_TILE_M
#undef MATMUL_TILE_N
#undef MATMUL_TILE_K
#undef MATMUL_LANES
#undef MATMUL_SLICES
#undef MATMUL_CLUSTER
#undef MATMUL_VECTOR
#undef MATMUL_USE_LDG
#undef MATMUL_PAD
#undef MATMUL_STAGES
#undef MATMUL_COPY
#undef MATMUL_SPREAD
#undef MATMUL_UNROLL
#undef MATMUL_FRAGMENTS
#undef MATMUL_ORDER
#undef MATMUL_LOOSE
#undef MATMUL_RESIDENT
#undef MATMUL_COPY_NAME
#undef MATMUL_ORDER_NAME
#undef MATMUL_NUMBER
#undef MATMUL_OPTIONS
#undef MATMUL_BLOCK_DIM_X
#undef MATMUL_BLOCK_DIM_Y
#undef MATMUL_BLOCK_DIM_Z
#undef MATMUL_SHARED_BYTES
#if MATMUL_SELECTED == 1
#define MATMUL_BLOCK_X MATMUL_0_BLOCK_X
#define MATMUL_BLOCK_Y MATMUL_0_BLOCK_Y
#define MATMUL_TILE_M MATMUL_0_TILE_M
#define MATMUL_TILE_N MATMUL_0_TILE_N
#define MATMUL_TILE_K MATMUL_0_TILE_K
#define MATMUL_LANES MATMUL_0_LANES
#define MATMUL_SLICES MATMUL_0_SLICES
#define MATMUL_CLUSTER MATMUL_0_CLUSTER
#define MATMUL_VECTOR MATMUL_0_VECTOR
#define MATMUL_USE_LDG MATMUL_0_USE_LDG
#define MATMUL_PAD MATMUL_0_PAD
#define MATMUL_STAGES MATMUL_0_STAGES
#define MATMUL_COPY MATMUL_0_COPY
#define MATMUL_SPREAD MATMUL_0_SPREAD
#define MATMUL_UNROLL MATMUL_0_UNROLL
#define MATMUL_FRAGMENTS MATMUL_0_FRAGMENTS
#define MATMUL_ORDER MATMUL_0_ORDER
#define MATMUL_LOOSE MATMUL_0_LOOSE
#define MATMUL_RESIDENT MATMUL_0_RESIDENT
#define MATMUL_COPY_NAME MATMUL_0_COPY_NAME
#define MATMUL_ORDER_NAME MATMUL_0_ORDER_NAME
#define MATMUL_NUMBER MATMUL_0_NUMBER
#define MATMUL_OPTIONS MATMUL_0_OPTIONS
#define MATMUL_BLOCK_DIM_X MATMUL_0_BLOCK_DIM_X
#define MATMUL_BLOCK_DIM_Y MATMUL_0_BLOCK_DIM_Y
#define MATMUL_BLOCK_DIM_Z MATMUL_0_BLOCK_DIM_Z
#define MATMUL_SHARED_BYTES MATMUL_0_SHARED_BYTES
#elif MATMUL_SELECTED == 2
#define MATMUL_BLOCK_X MATMUL_1_BLOCK_X
#define MATMUL_BLOCK_Y MATMUL_1_BLOCK_Y
#define MATMUL_TILE_M MATMUL_1_TILE_M
#define MATMUL_TILE_N MATMUL_1_TILE_N
#define MATMUL_TILE_K MATMUL_1_TILE_K
#define MATMUL_LANES MATMUL_1_LANES
#define MATMUL_SLICES MATMUL_1_SLICES
#define MATMUL_CLUSTER MATMUL_1_CLUSTER
#define MATMUL_VECTOR MATMUL_1_VECTOR
#define MATMUL_USE_LDG MATMUL_1_USE_LDG
#define MATMUL_PAD MATMUL_1_PAD
#define MATMUL_STAGES MATMUL_1_STAGES
#define MATMUL_COPY MATMUL_1_COPY
#define MATMUL_SPREAD MATMUL_1_SPREAD
#define MATMUL_UNROLL MATMUL_1_UNROLL
#define MATMUL_FRAGMENTS MATMUL_1_FRAGMENTS
#define MATMUL_ORDER MATMUL_1_ORDER
#define MATMUL_LOOSE MATMUL_1_LOOSE
#define MATMUL_RESIDENT MATMUL_1_RESIDENT
#define MATMUL_COPY_NAME MATMUL_1_COPY_NAME
#define MATMUL_ORDER_NAME MATMUL_1_ORDER_NAME
#define MATMUL_NUMBER MATMUL_1_NUMBER
#define MATMUL_OPTIONS MATMUL_1_OPTIONS
#define MATMUL_BLOCK_DIM_X MATMUL_1_BLOCK_DIM_X
#define MATMUL_BLOCK_DIM_Y MATMUL_1_BLOCK_DIM_Y
#define MATMUL_BLOCK_DIM_Z MATMUL_1_BLOCK_DIM_Z
#define MATMUL_SHARED_BYTES MATMUL_1_SHARED_BYTES
#endif
#ifdef MATMUL_BARE
#if MATMUL_SELECTED == 1
#undef BLOCK_X
#define BLOCK_X 32
#undef BLOCK_Y
#define BLOCK_Y 8
#undef TILE_M
#define TILE_M 8
#undef TILE_N
#define TILE_N 16
#undef TILE_K
#define TILE_K 8
#undef LANES
#define LANES 1
#undef SLICES
#define SLICES 1
#undef CLUSTER
#define CLUSTER 1
#undef VECTOR
#define VECTOR 4
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 4
#undef STAGES
#define STAGES 2
#undef COPY_registers
#define COPY_registers 1
#undef COPY_mixed
#define COPY_mixed 2
#undef COPY_async
#define COPY_async 3
#undef COPY
#define COPY COPY_async
#undef SPREAD
#define SPREAD 1
#undef UNROLL
#define UNROLL 0
#undef FRAGMENTS
#define FRAGMENTS 2
#undef ORDER_rows
#define ORDER_rows 1
#undef ORDER_across
#define ORDER_across 2
#undef ORDER_down
#define ORDER_down 3
#undef ORDER
#define ORDER ORDER_down
#undef LOOSE
#define LOOSE 1
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_CONFIGURATION
#undef matmul
#define matmul matmul_0
#undef matmul_reference
#define matmul_reference matmul_0_matmul_reference
#undef AUTOTUNE_HOST
#define AUTOTUNE_HOST matmul_0_AUTOTUNE_HOST
#endif
#elif MATMUL_SELECTED == 2
#undef BLOCK_X
#define BLOCK_X 16
#undef BLOCK_Y
#define BLOCK_Y 16
#undef TILE_M
#define TILE_M 1
#undef TILE_N
#define TILE_N 1
#undef TILE_K
#define TILE_K 16
#undef LANES
#define LANES 2
#undef SLICES
#define SLICES 1
#undef CLUSTER
#define CLUSTER 1
#undef VECTOR
#define VECTOR 1
#undef USE_LDG
#define USE_LDG 0
#undef PAD
#define PAD 0
#undef STAGES
#define STAGES 1
#undef COPY_registers
#define COPY_registers 1
#undef COPY_mixed
#define COPY_mixed 2
#undef COPY_async
#define COPY_async 3
#undef COPY
#define COPY COPY_registers
#undef SPREAD
#define SPREAD 1
#undef UNROLL
#define UNROLL 1
#undef FRAGMENTS
#define FRAGMENTS 1
#undef ORDER_rows
#define ORDER_rows 1
#undef ORDER_across
#define ORDER_across 2
#undef ORDER_down
#define ORDER_down 3
#undef ORDER
#define ORDER ORDER_rows
#undef LOOSE
#define LOOSE 0
#undef RESIDENT
#define RESIDENT 1
#ifdef MATMUL_CONFIGURATION
#undef matmul
#define matmul matmul_1
#undef matmul_reference
#define matmul_reference matmul_1_matmul_reference
#undef AUTOTUNE_HOST
#define AUTOTUNE_HOST matmul_1_AUTOTUNE_HOST
#endif
#else
#error "MATMUL_BARE: say of which configuration, with MATMUL_CONFIGURATION, or with MATMUL_DEVICE and MATMUL_PROBLEM"
#endif
#endif
