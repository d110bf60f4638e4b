/* The floor of a time: the peaks of boards by their data sheets, what caches may hide,
   and what is said of a time that cannot be. */
#include "kernel/floor.h"

#include <math.h>

#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MIB 1048576.0

/* What the driver tells of some boards: clocks in MHz. */
struct board {
	const char *name;
	int capability, multiprocessors, clock, memory_clock, bus_bits;
	double cache_bytes;
	/* of the data sheet: GB/s; dense TFLOP/s of 16 bits */
	double memory, half;
};

static const struct board boards[] = {
	{ "V100 SXM2", 70, 80, 1530, 877, 4096, 6 * MIB, 900, 125 },
	{ "T4", 75, 40, 1590, 5001, 256, 4 * MIB, 320, 65 },
	{ "A100 40 GB", 80, 108, 1410, 1215, 5120, 40 * MIB, 1555, 312 },
	{ "A10", 86, 72, 1695, 6251, 384, 6 * MIB, 600, 125 },
	{ "L40S", 89, 142, 2520, 9001, 384, 96 * MIB, 864, 362 },
	{ "H100 SXM", 90, 132, 1980, 2619, 5120, 50 * MIB, 3350, 989 },
	{ "H200", 90, 132, 1980, 3201, 6016, 60 * MIB, 4800, 989 },
	{ "RTX 5090", 120, 170, 2407, 14001, 512, 96 * MIB, 1792, 419 },
};

static struct at_properties properties_of(const struct board *board)
{
	struct at_properties out = { 0 };

	at_properties_set(&out, AT_PROPERTY_COMPUTE_CAPABILITY, board->capability);
	at_properties_set(
		&out, AT_PROPERTY_MULTIPROCESSOR_COUNT, board->multiprocessors);
	at_properties_set(&out, AT_PROPERTY_CLOCK_HZ, board->clock * INT64_C(1000000));
	at_properties_set(&out, AT_PROPERTY_MEMORY_CLOCK_HZ,
		board->memory_clock * INT64_C(1000000));
	at_properties_set(&out, AT_PROPERTY_MEMORY_BUS_BITS, board->bus_bits);
	at_properties_set(&out, AT_PROPERTY_L2_BYTES, (int64_t)board->cache_bytes);
	return out;
}

static struct at_peaks peaks_of(
	const struct board *board, enum at_floor_numbers numbers)
{
	const struct at_properties properties = properties_of(board);
	struct at_peaks out;

	at_peaks_of(&properties, 0, 0, numbers, &out);
	return out;
}

/* Sound kernels reach what a data sheet says, so no peak may be below it; one that is a
   third above it would let too much through. */
TEST(no_peak_is_below_the_data_sheet)
{
	for (size_t i = 0; i < COUNT(boards); i++) {
		struct at_peaks peaks = peaks_of(&boards[i], AT_FLOOR_REALS_16);
		double memory = peaks.bytes_per_second / (boards[i].memory * 1e9);
		double half = peaks.flops_per_second / (boards[i].half * 1e12);

		if (memory < 0.995 || memory > 1.05 || half < 0.995 || half > 1.1)
			fail_msg("%s: %g of the memory, %g of the operations",
				boards[i].name, memory, half);
	}
}

TEST(narrower_numbers_have_a_higher_peak)
{
	for (size_t i = 0; i < COUNT(boards); i++) {
		double half = peaks_of(&boards[i], AT_FLOOR_REALS_16).flops_per_second,
		       reals = peaks_of(&boards[i], AT_FLOOR_REALS).flops_per_second,
		       any = peaks_of(&boards[i], AT_FLOOR_ANY_NUMBERS)
				     .flops_per_second;

		assert_true(half <= reals && reals < any);
	}
	/* FP8 of H100 and H200 by their data sheet */
	assert_true(peaks_of(&boards[6], AT_FLOOR_REALS).flops_per_second >= 1979e12);
}

TEST(a_higher_clock_that_another_source_tells_counts)
{
	const struct at_properties properties = properties_of(&boards[7]);
	struct at_peaks low, high;

	at_peaks_of(&properties, 1000, 1000, AT_FLOOR_REALS, &low);
	at_peaks_of(&properties, UINT64_C(4814000000), UINT64_C(28002000000),
		AT_FLOOR_REALS, &high);
	assert_true(fabs(high.flops_per_second / low.flops_per_second - 2) < 1e-9);
	assert_true(fabs(high.bytes_per_second / low.bytes_per_second - 2) < 1e-9);
}

/* Each lack leaves out what follows from it, and nothing else. */
TEST(what_is_not_known_makes_no_peak)
{
	static const struct {
		enum at_property lacks;
		bool memory, flops;
	} rows[] = {
		{ AT_PROPERTY_COMPUTE_CAPABILITY, false, false },
		{ AT_PROPERTY_MULTIPROCESSOR_COUNT, true, false },
		{ AT_PROPERTY_CLOCK_HZ, true, false },
		{ AT_PROPERTY_MEMORY_CLOCK_HZ, false, true },
		{ AT_PROPERTY_MEMORY_BUS_BITS, false, true },
		{ AT_PROPERTY_L2_BYTES, false, true },
	};
	const struct at_work work = {
		.flops = 1e15, .bytes = 1e12, .argument_bytes = 1e12
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_properties properties = properties_of(&boards[6]);
		struct at_peaks peaks;
		struct at_floor floor;

		properties.known[rows[i].lacks] = false;
		at_peaks_of(&properties, 0, 0, AT_FLOOR_ANY_NUMBERS, &peaks);
		at_floor_of(&work, &peaks, &floor);
		assert_int_equal(floor.bytes_ns > 0, rows[i].memory);
		assert_int_equal(floor.flops_ns > 0, rows[i].flops);
	}
}

/* The clock that the driver tells of the machine's own memory is not that memory's. */
TEST(boards_without_memory_of_their_own_have_no_peak)
{
	static const int capabilities[] = { 53, 62, 72, 87, 110, 121, 200 };

	for (size_t i = 0; i < COUNT(capabilities); i++) {
		struct board board = boards[6];
		struct at_peaks peaks;

		board.capability = capabilities[i];
		peaks = peaks_of(&board, AT_FLOOR_ANY_NUMBERS);
		assert_true(peaks.bytes_per_second == 0 && peaks.flops_per_second == 0);
	}
}

static bool allows(const struct at_work *work, double time_ns)
{
	const struct at_peaks peaks = {
		.bytes_per_second = 1e12, .cache_bytes = 50e6, .flops_per_second = 1e15
	};
	struct at_floor floor;
	char text[400];

	at_floor_of(work, &peaks, &floor);
	return at_floor_allows(&floor, time_ns, text, sizeof(text));
}

/* 1 TB/s, a cache of 50 MB, 1 PFLOP/s: a tenth faster is still allowed */
TEST(times_below_the_floor_are_refused)
{
	static const struct {
		struct at_work work;
		double least_ns; /* 0: every time is allowed */
	} rows[] = {
		{ { .bytes = 600e6, .argument_bytes = 600e6 }, 550e6 / 1.1e12 * 1e9 },
		/* inputs may be in a warm cache, and outputs stay there */
		{ { .bytes = 600e6, .argument_bytes = 600e6, .is_warm = true },
			500e6 / 1.1e12 * 1e9 },
		/* what fits the cache has no floor */
		{ { .bytes = 50e6, .argument_bytes = 50e6 }, 0 },
		{ { .bytes = 99e6, .argument_bytes = 99e6, .is_warm = true }, 0 },
		/* what is counted several times may come from caches */
		{ { .bytes = 600e9, .argument_bytes = 600e6 }, 550e6 / 1.1e12 * 1e9 },
		/* a kernel may need less than all of its arguments */
		{ { .bytes = 100e6, .argument_bytes = 600e6 }, 50e6 / 1.1e12 * 1e9 },
		{ { .flops = 2.2e12 }, 2e6 },
		{ { .flops = 2.2e12, .is_warm = true }, 2e6 },
		/* the larger of two floors */
		{ { .flops = 2.2e12, .bytes = 600e6, .argument_bytes = 600e6 }, 2e6 },
		{ { .flops = 2.2e9, .bytes = 600e6, .argument_bytes = 600e6 }, 5e5 },
		/* nothing is declared */
		{ { .flops = NAN, .bytes = NAN, .argument_bytes = 600e6 }, 0 },
		{ { .flops = INFINITY, .bytes = INFINITY, .argument_bytes = 6 }, 0 },
		{ { .flops = -1, .bytes = -1, .argument_bytes = 600e6 }, 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct at_work *work = &rows[i].work;

		if (rows[i].least_ns == 0) {
			assert_true(allows(work, 1e-3));
			continue;
		}
		assert_true(allows(work, 1.0001 * rows[i].least_ns));
		assert_false(allows(work, 0.9999 * rows[i].least_ns));
	}
}

TEST(a_time_that_is_not_known_is_allowed)
{
	const struct at_work work = { .flops = 1e15 };

	assert_true(allows(&work, NAN));
	assert_true(allows(&work, 0));
	assert_true(allows(&work, -1));
	assert_true(at_floor_allows(&(struct at_floor){ 0 }, 1, NULL, 0));
}

TEST(says_what_is_declared_and_what_to_do)
{
	const struct at_peaks peaks = peaks_of(&boards[6], AT_FLOOR_REALS_16);
	const struct at_work copy = {
		.bytes = 536870912, .argument_bytes = 536870912, .bytes_line = 59
	};
	const struct at_work product = { .flops = 137438953472, .flops_line = 0 };
	struct at_floor floor;
	char text[400];

	at_floor_of(&copy, &peaks, &floor);
	assert_false(at_floor_allows(&floor, 20000, text, sizeof(text)));
	assert_string_equal(text,
		"metrics.bytes in line 59 is 536870912; at least 474 MB of this go through memory, in 20.0 us at 23.7 TB/s, and the memory of this device has 4.81 TB/s at most: correct metrics.bytes, or find the work that the kernel leaves out");
	at_floor_of(&product, &peaks, &floor);
	assert_false(at_floor_allows(&floor, 10000, text, sizeof(text)));
	assert_string_equal(text,
		"metrics.flops is 137438953472; in 10.0 us this is 13.7 PFLOP/s, and the fastest units of this device have 1.07 PFLOP/s at most: correct metrics.flops, or find the work that the kernel leaves out");
}

TEST(the_longest_text_fits)
{
	const struct at_peaks peaks = {
		.bytes_per_second = 1e-3, .cache_bytes = 1, .flops_per_second = 1e-3
	};
	const struct at_work work = {
		.bytes = 1e18, .argument_bytes = 1e18, .bytes_line = 2147483647
	};
	struct at_floor floor;
	char text[400];

	at_floor_of(&work, &peaks, &floor);
	assert_false(at_floor_allows(&floor, 1, text, sizeof(text)));
	assert_non_null(strstr(text, "the kernel leaves out"));
}

RUN_SUITE(NULL, NULL)
