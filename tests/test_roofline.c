/* The roofline: which ceiling limits a kernel, and what part of it is reached. */
#include "kernel/roofline.h"

#include <math.h>

#include "suite.h"

#define GIGA 1e9

static const struct at_ceilings slow = { 100 * GIGA, 200 * GIGA, 100 * GIGA };
static const struct at_ceilings fast = { 250 * GIGA, 300 * GIGA, 150 * GIGA };

static struct at_roofline of(double flops, double bytes, double time_ns,
	const struct at_ceilings *ceilings, bool is_double)
{
	struct at_roofline out;

	at_roofline(flops, bytes, time_ns, ceilings, is_double, &out);
	return out;
}

static void expect_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-12 * fabs(want)))
		fail_msg("%.17g, not %.17g", got, want);
}

/* 36 operations for 7 accesses of four bytes: the ridge decides, not the kernel */
TEST(the_same_kernel_is_on_either_side_of_the_ridge)
{
	struct at_roofline memory = of(36, 7 * 4, 1, &slow, false);
	struct at_roofline compute = of(36, 7 * 4, 1, &fast, false);

	expect_near(memory.intensity, 36 / 28.0);
	expect_near(memory.ridge, 2);
	assert_int_equal(memory.bound, AT_BOUND_MEMORY);
	expect_near(compute.intensity, 36 / 28.0);
	expect_near(compute.ridge, 1.2);
	assert_int_equal(compute.bound, AT_BOUND_COMPUTE);
}

/* Each of two n x n matrices is read n/16 times: 2 n^3 over 4 * 2 n^2 n/16 bytes. */
TEST(tiles_of_16_make_4_operations_a_byte)
{
	const double n = 1024, tile = 16;

	expect_near(
		of(2 * n * n * n, 4 * 2 * n * n * n / tile, 1, &slow, false).intensity,
		4);
}

TEST(on_the_ridge_the_operations_decide)
{
	assert_int_equal(of(200, 100, 1, &slow, false).bound, AT_BOUND_COMPUTE);
	assert_int_equal(of(199, 100, 1, &slow, false).bound, AT_BOUND_MEMORY);
}

TEST(fractions_are_of_the_ceiling_that_the_kernel_is_under)
{
	/* 100 operations and 100 bytes in 2 ns */
	struct at_roofline memory = of(100, 100, 2, &slow, false);
	struct at_roofline compute = of(400, 100, 4, &slow, false);

	expect_near(memory.flops_per_second, 50 * GIGA);
	expect_near(memory.bytes_per_second, 50 * GIGA);
	expect_near(memory.flops_fraction, 0.25);
	expect_near(memory.bytes_fraction, 0.5);
	expect_near(memory.fraction, 0.5);
	expect_near(compute.flops_fraction, 0.5);
	expect_near(compute.bytes_fraction, 0.25);
	expect_near(compute.fraction, 0.5);
	/* what beats the ceiling is not cut off */
	expect_near(of(1, 300, 1, &slow, false).fraction, 3);
}

TEST(double_precision_has_a_ceiling_of_its_own)
{
	struct at_roofline single = of(150, 100, 3, &slow, false);
	struct at_roofline both = of(150, 100, 3, &slow, true);

	expect_near(single.ridge, 2);
	assert_int_equal(single.bound, AT_BOUND_MEMORY);
	expect_near(single.flops_fraction, 0.25);
	expect_near(both.ridge, 1);
	assert_int_equal(both.bound, AT_BOUND_COMPUTE);
	expect_near(both.fraction, 0.5);
}

/* 0 and NAN both mean that the space does not say */
TEST(one_metric_is_enough_for_a_side)
{
	static const double missing[] = { 0, NAN, -1, INFINITY };

	for (size_t i = 0; i < sizeof(missing) / sizeof(*missing); i++) {
		struct at_roofline bytes = of(missing[i], 100, 2, &slow, false);
		struct at_roofline flops = of(100, missing[i], 2, &slow, false);
		struct at_roofline none = of(missing[i], missing[i], 2, &slow, false);

		assert_int_equal(bytes.bound, AT_BOUND_MEMORY);
		expect_near(bytes.fraction, 0.5);
		assert_true(isnan(bytes.intensity));
		assert_true(isnan(bytes.flops_per_second));
		assert_true(isnan(bytes.flops_fraction));
		assert_int_equal(flops.bound, AT_BOUND_COMPUTE);
		expect_near(flops.fraction, 0.25);
		assert_true(isnan(flops.intensity));
		assert_true(isnan(flops.bytes_per_second));
		assert_int_equal(none.bound, AT_BOUND_NONE);
		assert_true(isnan(none.fraction));
		expect_near(none.ridge, 2);
	}
}

TEST(without_a_time_nothing_is_achieved)
{
	static const double missing[] = { 0, NAN, -1 };

	for (size_t i = 0; i < sizeof(missing) / sizeof(*missing); i++) {
		struct at_roofline out = of(100, 100, missing[i], &slow, false);

		assert_true(isnan(out.flops_per_second));
		assert_true(isnan(out.bytes_per_second));
		assert_true(isnan(out.fraction));
		/* where it lies is known all the same */
		assert_int_equal(out.bound, AT_BOUND_MEMORY);
	}
}

TEST(without_ceilings_there_is_speed_and_no_fraction)
{
	const struct at_ceilings zero = { 0, 0, 0 };
	const struct at_ceilings *const missing[] = { NULL, &zero };

	for (size_t i = 0; i < sizeof(missing) / sizeof(*missing); i++) {
		struct at_roofline out = of(100, 200, 2, missing[i], i > 0);

		expect_near(out.flops_per_second, 50 * GIGA);
		expect_near(out.bytes_per_second, 100 * GIGA);
		expect_near(out.intensity, 0.5);
		assert_true(isnan(out.ridge));
		assert_true(isnan(out.fraction));
		assert_int_equal(out.bound, AT_BOUND_NONE);
		assert_int_equal(
			of(0, 200, 2, missing[i], false).bound, AT_BOUND_MEMORY);
		assert_true(isnan(of(0, 200, 2, missing[i], false).fraction));
	}
}

/* the copy was measured and the multiply-adds were not, or the other way round */
TEST(one_ceiling_gives_its_own_fraction)
{
	const struct at_ceilings copy = { 100 * GIGA, NAN, NAN };
	const struct at_ceilings fma = { NAN, 200 * GIGA, 0 };
	struct at_roofline out = of(100, 100, 2, &copy, false);

	expect_near(out.bytes_fraction, 0.5);
	assert_true(isnan(out.flops_fraction));
	assert_int_equal(out.bound, AT_BOUND_NONE);
	out = of(100, 100, 2, &fma, false);
	expect_near(out.flops_fraction, 0.25);
	assert_true(isnan(out.bytes_fraction));
	assert_int_equal(out.bound, AT_BOUND_NONE);
	assert_true(isnan(of(100, 100, 2, &fma, true).flops_fraction));
}

TEST(sides_have_names)
{
	assert_string_equal(at_bound_text(AT_BOUND_NONE), "");
	assert_string_equal(at_bound_text(AT_BOUND_MEMORY), "memory-bound");
	assert_string_equal(at_bound_text(AT_BOUND_COMPUTE), "compute-bound");
}

RUN_SUITE(NULL, NULL)
