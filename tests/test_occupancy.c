/*
 * Resident blocks by both counts. "Textbook" is plain division (Kirk and Hwu,
 * Programming Massively Parallel Processors, 2010, chapter 6); "allocator" is
 * NVIDIA's cuda_occupancy.h, which knows the units in which registers and shared
 * memory are given out. Where autotune is built without that header, the tests of
 * the allocator's count are skipped, and shown as skipped.
 */
#include "base/random.h"
#include "kernel/occupancy.h"

#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define KIB 1024

static const char *const architectures[] = { "sm_75", "sm_80", "sm_86", "sm_87",
	"sm_89", "sm_90", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121" };

static struct at_properties properties_of(const char *architecture)
{
	struct at_properties properties;

	assert_true(at_properties_of_architecture(architecture, &properties));
	return properties;
}

/* 96 KiB, 2048 threads, 32 blocks and 65,536 registers: compute capability 7.0 */
static struct at_properties volta(void)
{
	struct at_properties properties = properties_of("sm_80");
	const int64_t shared_bytes = (int64_t)96 * KIB;

	at_properties_set(&properties, AT_PROPERTY_COMPUTE_CAPABILITY, 70);
	at_properties_set(
		&properties, AT_PROPERTY_SHARED_BYTES_PER_MULTIPROCESSOR, shared_bytes);
	at_properties_set(&properties, AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK,
		shared_bytes);
	at_properties_set(&properties, AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK, 0);
	return properties;
}

static struct at_properties named(const char *architecture)
{
	return strcmp(architecture, "volta") ? properties_of(architecture) : volta();
}

static struct at_occupancy textbook(
	const struct at_properties *properties, struct at_occupancy_kernel kernel)
{
	struct at_occupancy occupancy;

	assert_true(at_occupancy_textbook(properties, &kernel, &occupancy));
	assert_false(occupancy.exact);
	return occupancy;
}

/* Every header that autotune is built with knows sm_90, an older one no more. */
static bool has_allocator(const struct at_properties *properties)
{
#ifdef AT_HAVE_CUDA_OCCUPANCY
	const struct at_occupancy_kernel any = { .threads = 32 };
	struct at_occupancy occupancy;

	return properties->value[AT_PROPERTY_COMPUTE_CAPABILITY] <= 90 ||
	       (at_occupancy(properties, &any, &occupancy) && occupancy.exact);
#else
	return false;
#endif
}

/* skips if none exists */
static struct at_occupancy allocator(
	const struct at_properties *properties, struct at_occupancy_kernel kernel)
{
	bool has = has_allocator(properties);
	struct at_occupancy occupancy;

	assert_true(at_occupancy(properties, &kernel, &occupancy));
	assert_int_equal(occupancy.exact, has);
	if (!has) {
		print_message(
			"no cuda_occupancy.h that knows compute capability %lld when autotune was built\n",
			(long long)properties->value[AT_PROPERTY_COMPUTE_CAPABILITY]);
		skip_because("no cuda_occupancy.h that knows this architecture");
	}
	return occupancy;
}

static void expect(struct at_occupancy got, int64_t blocks, int64_t threads,
	double fraction, const char *limits)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	assert_int_equal(got.blocks, blocks);
	assert_int_equal(got.threads, threads);
	assert_true(got.fraction == fraction);
	at_occupancy_limits_text(got.limits, &text);
	assert_string_equal(at_strbuf_text(&text), limits);
}

/* ---- known answers --------------------------------------------------------- */

/* What of each count is expected of the same launch; full is a fraction of 1. */
struct expected {
	int64_t blocks;
	double fraction;
	const char *limits;
};

static const struct {
	const char *architecture;
	struct at_occupancy_kernel kernel;
	struct expected textbook;
	struct expected allocator;
} rows[] = {
	/* the counts agree: every unit happens to be full */
	{ "volta", { .threads = 64, .registers = 27, .static_shared_bytes = 4 * KIB },
		{ 24, 1536 / 2048.0, "shared memory" },
		{ 24, 48 / 64.0, "shared memory" } },
	{ "volta", { .threads = 256, .registers = 31, .static_shared_bytes = 8 * KIB },
		{ 8, 1, "threads, registers" }, { 8, 1, "threads, registers" } },
	{ "volta", { .threads = 32, .registers = 16 }, { 32, 0.5, "blocks" },
		{ 32, 0.5, "blocks" } },
	{ "sm_90", { .threads = 256, .registers = 128 }, { 2, 0.25, "registers" },
		{ 2, 0.25, "registers" } },
	{ "sm_86", { .threads = 96, .registers = 20 }, { 16, 1, "threads, blocks" },
		{ 16, 1, "threads, blocks" } },
	{ "sm_90", { .threads = 512, .registers = 64, .dynamic_shared_bytes = 114000 },
		{ 2, 0.5, "registers, shared memory" },
		{ 2, 0.5, "registers, shared memory" } },

	/* the driver keeps 1 KiB of each block's shared memory: 9 KiB, not 8 */
	{ "sm_90", { .threads = 64, .registers = 16, .static_shared_bytes = 8 * KIB },
		{ 28, 28 / 32.0, "shared memory" },
		{ 25, 50 / 64.0, "shared memory" } },
	/* none is kept before sm_80 */
	{ "sm_75", { .threads = 64, .registers = 16, .dynamic_shared_bytes = 8 * KIB },
		{ 8, 0.5, "shared memory" }, { 8, 0.5, "shared memory" } },
	/* 4100 bytes are given as 4352, in units of 256 */
	{ "sm_75", { .threads = 32, .registers = 16, .static_shared_bytes = 4100 },
		{ 15, 15 / 32.0, "shared memory" },
		{ 15, 15 / 32.0, "shared memory" } },
	{ "volta", { .threads = 32, .registers = 16, .static_shared_bytes = 4100 },
		{ 23, 736 / 2048.0, "shared memory" },
		{ 22, 22 / 64.0, "shared memory" } },
	/* 33 registers of a warp are 1056, and given as 1280, in units of 256 */
	{ "sm_90", { .threads = 256, .registers = 33 }, { 7, 7 / 8.0, "registers" },
		{ 6, 6 / 8.0, "registers" } },
	/* a warp's registers are in one of four partitions: each has room for 2 of
	   6400, and the four for 8 warps, not for 10 */
	{ "sm_80", { .threads = 96, .registers = 200 }, { 3, 9 / 64.0, "registers" },
		{ 2, 6 / 64.0, "registers" } },
	/* 33 threads are two warps, 65 are three */
	{ "sm_80", { .threads = 33, .registers = 16 },
		{ 32, 33 * 32 / 2048.0, "blocks" }, { 32, 1, "threads, blocks" } },
	{ "sm_80", { .threads = 65, .registers = 16 },
		{ 31, 31 * 65 / 2048.0, "threads" }, { 21, 63 / 64.0, "threads" } },
	/* 62 warps of 66 registers: 2304 each, and the check is of whole fours */
	{ "sm_90", { .threads = 992, .registers = 66 },
		{ 1, 992 / 2048.0, "registers" }, { 0, 0, "registers" } },
};

TEST(counts_as_the_textbook_does)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_properties properties = named(rows[i].architecture);

		expect(textbook(&properties, rows[i].kernel), rows[i].textbook.blocks,
			rows[i].textbook.blocks * rows[i].kernel.threads,
			rows[i].textbook.fraction, rows[i].textbook.limits);
	}
}

TEST(counts_as_the_allocator_does)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_properties properties = named(rows[i].architecture);

		expect(allocator(&properties, rows[i].kernel), rows[i].allocator.blocks,
			rows[i].allocator.blocks * rows[i].kernel.threads,
			rows[i].allocator.fraction, rows[i].allocator.limits);
	}
}

/* ---- launches that are refused --------------------------------------------- */

static const struct {
	struct at_occupancy_kernel kernel;
	const char *limits;
} refused[] = {
	{ { .threads = 1025, .registers = 16 }, "threads" },
	{ { .threads = 128, .max_threads = 64, .registers = 16 }, "threads" },
	{ { .threads = 1024, .registers = 65 }, "registers" },
	{ { .threads = 32, .static_shared_bytes = 48 * KIB + 1 }, "shared memory" },
	{ { .threads = 32, .dynamic_shared_bytes = 227 * KIB + 1 }, "shared memory" },
	{ { .threads = 32,
		  .static_shared_bytes = KIB,
		  .dynamic_shared_bytes = 226 * KIB + 1 },
		"shared memory" },
	{ { .threads = 2048, .registers = 33 }, "threads, registers" },
	{ { .threads = 1024,
		  .registers = 255,
		  .max_threads = 256,
		  .dynamic_shared_bytes = 228 * KIB },
		"threads, registers, shared memory" },
};

TEST(names_what_forbids_a_launch)
{
	struct at_properties properties = properties_of("sm_90");

	for (size_t i = 0; i < COUNT(refused); i++)
		expect(textbook(&properties, refused[i].kernel), 0, 0, 0,
			refused[i].limits);
}

TEST(the_allocator_names_what_forbids_a_launch)
{
	struct at_properties properties = properties_of("sm_90");

	for (size_t i = 0; i < COUNT(refused); i++)
		expect(allocator(&properties, refused[i].kernel), 0, 0, 0,
			refused[i].limits);
	/* rounding up adds a reason that the textbook does not see */
	expect(allocator(&properties,
		       (struct at_occupancy_kernel){
			       .threads = 992, .registers = 66, .max_threads = 256 }),
		0, 0, 0, "threads, registers");
}

/* the limits themselves are allowed */
TEST(the_largest_launch_fits)
{
	struct at_properties properties = properties_of("sm_90");
	const struct at_occupancy_kernel largest = { .threads = 1024,
		.registers = 64,
		.max_threads = 1024,
		.dynamic_shared_bytes = 227 * KIB };

	expect(textbook(&properties, largest), 1, 1024, 0.5,
		"registers, shared memory");
	expect(allocator(&properties, largest), 1, 1024, 0.5,
		"registers, shared memory");
}

TEST(no_number_is_too_large_to_be_refused)
{
	static const struct {
		struct at_occupancy_kernel kernel;
		const char *limits;
	} absurd[] = {
		{ { .threads = INT64_MAX, .registers = 1 }, "threads, registers" },
		{ { .threads = 1024, .registers = INT64_MAX }, "registers" },
		{ { .threads = 1,
			  .static_shared_bytes = INT64_MAX,
			  .dynamic_shared_bytes = INT64_MAX },
			"shared memory" },
		{ { .threads = 1,
			  .static_shared_bytes = 1,
			  .dynamic_shared_bytes = INT64_MAX },
			"shared memory" },
		{ { .threads = 1, .dynamic_shared_bytes = (int64_t)1 << 32 },
			"shared memory" },
	};
	struct at_properties properties = properties_of("sm_90");

	for (size_t i = 0; i < COUNT(absurd); i++) {
		struct at_occupancy occupancy;

		expect(textbook(&properties, absurd[i].kernel), 0, 0, 0,
			absurd[i].limits);
		assert_true(at_occupancy(&properties, &absurd[i].kernel, &occupancy));
		expect(occupancy, 0, 0, 0, absurd[i].limits);
		/* NVIDIA's calculator, which counts in int, was not asked */
		assert_false(occupancy.exact);
	}
}

/* ---- what is not known ------------------------------------------------------ */

TEST(what_is_not_known_of_a_kernel_is_no_limit)
{
	struct at_properties properties = properties_of("sm_90");
	const struct at_occupancy_kernel unknown = { .threads = 128,
		.registers = -1,
		.static_shared_bytes = -1,
		.dynamic_shared_bytes = -1,
		.max_threads = -1,
		.barriers = -1 };

	expect(textbook(&properties, unknown), 16, 2048, 1, "threads");
	expect(allocator(&properties, unknown), 16, 2048, 1, "threads");
}

/* A multiprocessor of sm_120 has 24 barriers for 24 blocks, one of sm_90 64 for 32.
   Not known is one, as it is for NVIDIA's own calculator. */
TEST(barriers_are_counted_since_sm_90)
{
	static const struct {
		const char *architecture;
		int64_t barriers;
		int64_t blocks;
		const char *limits;
	} cases[] = {
		{ "sm_120", 0, 24, "blocks" },
		{ "sm_120", -1, 24, "blocks, barriers" },
		{ "sm_120", 1, 24, "blocks, barriers" },
		{ "sm_120", 2, 12, "barriers" },
		{ "sm_90", 2, 32, "blocks, barriers" },
		{ "sm_90", 3, 21, "barriers" },
		{ "sm_90", 16, 4, "barriers" },
		{ "sm_90", 65, 0, "barriers" },
		{ "sm_86", 16, 16, "blocks" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct at_properties properties = properties_of(cases[i].architecture);
		struct at_occupancy_kernel kernel = {
			.threads = 32, .registers = 16, .barriers = cases[i].barriers
		};
		double warps =
			(double)(properties.value
					 [AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR] /
				 32);

		expect(allocator(&properties, kernel), cases[i].blocks,
			32 * cases[i].blocks, (double)cases[i].blocks / warps,
			cases[i].limits);
	}
}

/* as device host: no multiprocessor that blocks share */
TEST(says_nothing_of_a_device_that_does_not_tell)
{
	static const enum at_property needed[] = { AT_PROPERTY_COMPUTE_CAPABILITY,
		AT_PROPERTY_WARP_SIZE, AT_PROPERTY_MAX_THREADS_PER_BLOCK,
		AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR,
		AT_PROPERTY_MAX_BLOCKS_PER_MULTIPROCESSOR,
		AT_PROPERTY_MAX_REGISTERS_PER_BLOCK,
		AT_PROPERTY_MAX_REGISTERS_PER_MULTIPROCESSOR,
		AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK,
		AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK,
		AT_PROPERTY_SHARED_BYTES_PER_MULTIPROCESSOR };
	const struct at_occupancy_kernel kernel = { .threads = 32, .registers = 16 };
	struct at_occupancy out, before;

	memset(&out, 0x5a, sizeof(out));
	memcpy(&before, &out, sizeof(out));
	for (size_t i = 0; i < COUNT(needed); i++) {
		struct at_properties properties = properties_of("sm_90");

		properties.known[needed[i]] = false;
		assert_false(at_occupancy(&properties, &kernel, &out));
		assert_false(at_occupancy_textbook(&properties, &kernel, &out));
		properties.known[needed[i]] = true;
		properties.value[needed[i]] = 0;
		assert_false(at_occupancy(&properties, &kernel, &out));
	}
	assert_memory_equal(&out, &before, sizeof(out));
}

TEST(a_block_without_threads_has_no_occupancy)
{
	struct at_properties properties = properties_of("sm_90");
	struct at_occupancy_kernel kernel = { .threads = 0, .registers = 16 };
	struct at_occupancy out;

	assert_false(at_occupancy(&properties, &kernel, &out));
	kernel.threads = -1;
	assert_false(at_occupancy_textbook(&properties, &kernel, &out));
}

/* newer than the calculator, or older than anything */
TEST(falls_back_to_the_textbook_on_an_unknown_architecture)
{
	struct at_properties properties = properties_of("sm_90");
	const struct at_occupancy_kernel kernel = { .threads = 256, .registers = 33 };
	struct at_occupancy occupancy;

	at_properties_set(&properties, AT_PROPERTY_COMPUTE_CAPABILITY, 990);
	assert_true(at_occupancy(&properties, &kernel, &occupancy));
	assert_false(occupancy.exact);
	expect(occupancy, 7, 1792, 7 / 8.0, "registers");
}

/* ---- limits as text --------------------------------------------------------- */

TEST(writes_limits_in_one_order)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_occupancy_limits_text(0, &text);
	assert_string_equal(at_strbuf_text(&text), "");
	at_strbuf_add(&text, "by ");
	at_occupancy_limits_text(AT_LIMIT_BARRIERS | AT_LIMIT_BLOCKS |
					 AT_LIMIT_SHARED_MEMORY | AT_LIMIT_REGISTERS |
					 AT_LIMIT_THREADS,
		&text);
	assert_string_equal(at_strbuf_text(&text),
		"by threads, registers, shared memory, blocks, barriers");
}

/* ---- any input -------------------------------------------------------------- */

static struct at_occupancy_kernel any_kernel(
	struct at_random *random, const struct at_properties *properties)
{
	int64_t most_bytes =
		properties->value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK];
	struct at_occupancy_kernel kernel = {
		.threads = 1 + (int64_t)at_random_below(random, 1100),
		.registers = (int64_t)at_random_below(random, 257) - 1,
		.static_shared_bytes = (int64_t)at_random_below(random, 16 * KIB),
		.dynamic_shared_bytes =
			(int64_t)at_random_below(random, (uint64_t)most_bytes),
		.barriers = (int64_t)at_random_below(random, 18) - 1,
	};

	/* small needs are more interesting, since many of them fit */
	kernel.dynamic_shared_bytes >>= at_random_below(random, 8);
	kernel.static_shared_bytes >>= at_random_below(random, 8);
	kernel.registers >>= at_random_below(random, 4);
	if (!at_random_below(random, 8))
		kernel.max_threads = 32 * (int64_t)(1 + at_random_below(random, 32));
	return kernel;
}

static void check_one(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, const struct at_occupancy *got)
{
	const int64_t *limit = properties->value;

	assert_true(got->blocks >= 0);
	assert_true(got->blocks <= limit[AT_PROPERTY_MAX_BLOCKS_PER_MULTIPROCESSOR]);
	assert_int_equal(got->threads, got->blocks * kernel->threads);
	assert_true(got->threads <= limit[AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR]);
	assert_true(got->fraction >= 0 && got->fraction <= 1);
	assert_int_equal(got->fraction > 0, got->blocks > 0);
	assert_int_not_equal(got->limits, 0);
}

/* Rounding up only takes away; and the two tables of limits say the same. */
TEST(the_allocator_never_promises_more_than_the_textbook)
{
	enum { KERNELS = 5000 };
	size_t fewer = 0, equal = 0, none = 0;
	struct at_random random;

	at_random_init(&random, 20100205);
	for (size_t i = 0; i < COUNT(architectures) * KERNELS; i++) {
		struct at_properties properties =
			properties_of(architectures[i % COUNT(architectures)]);
		struct at_occupancy_kernel kernel = any_kernel(&random, &properties);
		struct at_occupancy promised = textbook(&properties, kernel);
		struct at_occupancy given;

		if (i && !has_allocator(&properties))
			continue;
		given = allocator(&properties, kernel);
		check_one(&properties, &kernel, &promised);
		check_one(&properties, &kernel, &given);
		assert_true(given.blocks <= promised.blocks);
		fewer += given.blocks && given.blocks < promised.blocks;
		equal += given.blocks && given.blocks == promised.blocks;
		none += !given.blocks;
	}
	/* and it is not for want of cases */
	assert_true(fewer > KERNELS && equal > KERNELS && none > KERNELS);
}

RUN_SUITE(NULL, NULL)
