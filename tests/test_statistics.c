/* Statistics of samples and blocks: medians, intervals, Student's t, shuffles. */
#include "measure/statistics.h"
#include "noise.h"

#include <math.h>

#include "suite.h"

TEST(the_median_of_odd_and_even_counts)
{
	double odd[] = { 5, 1, 3 }, even[] = { 4, 1, 2, 3 };

	assert_true(at_statistics_median(odd, 3).median == 3);
	assert_true(at_statistics_median(even, 4).median == 2.5);
}

/* ranks of the 95 % interval: the textbook's table (n: lower rank) */
TEST(the_interval_has_the_ranks_of_the_binomial_table)
{
	static const struct {
		size_t count, lower;
	} rows[] = { { 6, 1 }, { 8, 1 }, { 9, 2 }, { 12, 3 }, { 15, 4 }, { 20, 6 },
		{ 25, 8 }, { 30, 10 }, { 50, 18 }, { 100, 40 } };
	double samples[100];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_interval interval;

		for (size_t j = 0; j < rows[i].count; j++)
			samples[j] = (double)(rows[i].count - j);
		interval = at_statistics_median(samples, rows[i].count);
		assert_int_equal((size_t)interval.low, rows[i].lower);
		assert_int_equal(
			(size_t)interval.high, rows[i].count + 1 - rows[i].lower);
	}
}

TEST(few_samples_give_their_extremes)
{
	double samples[] = { 3, 9, 4 };
	struct at_interval interval = at_statistics_median(samples, 3);

	assert_true(interval.low == 3 && interval.high == 9);
}

/* of 2000 intervals from a skewed law, at least 94 % hold its median */
TEST(the_interval_covers_a_skewed_median)
{
	struct at_random random;
	int covered = 0;

	at_random_init(&random, 11);
	for (int trial = 0; trial < 2000; trial++) {
		double samples[15];
		struct at_interval interval;

		for (int i = 0; i < 15; i++) {
			double unit = (double)at_random_below(&random, 1000000) / 1e6;

			samples[i] = 100 + unit * unit * unit; /* median 100.125 */
		}
		interval = at_statistics_median(samples, 15);
		covered += interval.low <= 100.125 && 100.125 <= interval.high;
	}
	assert_true(covered >= 1880);
	assert_true(covered <= 1990); /* and is not simply everything */
}

/* the textbook's table of t, two-sided */
TEST(students_t_is_that_of_the_table)
{
	static const struct {
		size_t degrees;
		double confidence, expected;
	} rows[] = { { 1, 0.95, 12.706 }, { 2, 0.95, 4.303 }, { 3, 0.95, 3.182 },
		{ 4, 0.95, 2.776 }, { 5, 0.95, 2.571 }, { 5, 0.99, 4.032 },
		{ 6, 0.9, 1.943 }, { 9, 0.95, 2.262 }, { 30, 0.95, 2.042 },
		{ 1000, 0.95, 1.962 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_float_equal(
			at_statistics_student(rows[i].degrees, rows[i].confidence),
			rows[i].expected, 0.0006);
}

TEST(blocks_agree_on_their_geometric_mean)
{
	/* logarithms 1, 3, 2: mean 2, standard error 1 / sqrt(3) */
	const double values[] = { exp(1), exp(3), exp(2) };
	struct at_interval interval = at_statistics_blocks(values, 3, 0.95);
	double half = 4.30265 / sqrt(3);

	assert_float_equal(log(interval.median), 2, 1e-12);
	assert_float_equal(log(interval.low), 2 - half, 1e-4);
	assert_float_equal(log(interval.high), 2 + half, 1e-4);
	interval = at_statistics_blocks(values, 1, 0.95);
	assert_float_equal(interval.median, exp(1), 1e-12);
	assert_true(isnan(interval.low) && isnan(interval.high));
}

/* 1, 2, 3, 4, each like the one before: of products 1.25, of squares 5 */
TEST(blocks_that_follow_each_other_tell_less)
{
	const double rising[] = { exp(1), exp(2), exp(3), exp(4) };
	const double mixed[] = { exp(2), exp(4), exp(1), exp(3) };
	struct at_interval wide = at_statistics_blocks(rising, 4, 0.95);
	struct at_interval plain = at_statistics_blocks(mixed, 4, 0.95);
	double r = 1.25 / 5 + 1.0 / 4;

	assert_float_equal(wide.median, plain.median, 1e-9);
	assert_float_equal(log(plain.high) - 2.5, 3.18245 * sqrt(5.0 / 3 / 4), 1e-4);
	assert_float_equal((log(wide.high) - 2.5) / (log(plain.high) - 2.5),
		sqrt((1 + r) / (1 - r)), 1e-9);
	assert_float_equal(log(wide.low) + log(wide.high), 5, 1e-9);
}

/* what both meet with in a block goes out of the ratio, and times and ratio agree */
TEST(a_ratio_is_paired_by_blocks)
{
	const double a[] = { 2, 20, 200, 2000, 4, 6 }, b[] = { 1, 10, 100, 1000, 2, 3 };
	struct at_interval ratio = at_statistics_block_ratio(a, b, 6, 0.95);

	assert_float_equal(ratio.median, 2, 1e-12);
	assert_float_equal(ratio.low, 2, 1e-9);
	assert_float_equal(ratio.high, 2, 1e-9);
	assert_float_equal(ratio.median,
		at_statistics_blocks(a, 6, 0.95).median /
			at_statistics_blocks(b, 6, 0.95).median,
		1e-12);
}

/* ---- coverage ------------------------------------------------------------------- */

static bool holds(struct at_interval interval, double value)
{
	return interval.low <= value && value <= interval.high;
}

/*
 * Deviation and correlation of one sample and the next as the published recordings have
 * them (bench_intervals prints them), with and without an offset of a block, which is
 * what one process and the next differ by, and with a board that gets warm.
 */
TEST(the_intervals_of_finals_hold_what_they_promise)
{
	static const struct {
		struct noise noise;
		/* the interval of all samples, which takes them as independent, holds
		   too rarely */
		bool needs_blocks;
	} rows[] = {
		{ { 0.0021, 0.04, 0, 0, 0 }, false },
		{ { 0.0117, 0.33, 0, 0, 0 }, true },
		{ { 0.0131, 0.61, 0, 0, 0 }, true },
		{ { 0.0021, 0.04, 0.001, 0, 0 }, true },
		{ { 0.0117, 0.33, 0.006, 0, 0 }, true },
		{ { 0.0005, 0, 0.006, 0, 0 }, true },
		{ { 0.0117, 0.33, 0.006, 0.01, 0 }, true },
	};
	enum { TRIALS = 1500 };
	struct at_random random;

	at_random_init(&random, 20);
	for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		int all = 0, times = 0, ratios = 0;

		for (int trial = 0; trial < TRIALS; trial++) {
			double samples[NOISE_SAMPLES], a[NOISE_BLOCKS], b[NOISE_BLOCKS];

			noise_run(&rows[row].noise, 1250, &random, samples, b);
			noise_run(&rows[row].noise, 1000, &random, samples, a);
			all += holds(
				at_statistics_median(samples, NOISE_SAMPLES), 1000);
			times += holds(
				at_statistics_blocks(a, NOISE_BLOCKS, 0.95), 1000);
			ratios += holds(
				at_statistics_block_ratio(b, a, NOISE_BLOCKS, 0.95),
				1.25);
		}
		/* 93 to 97 %, and what 1500 trials are off by */
		if (times < 0.92 * TRIALS ||
			times > (rows[row].noise.drift > 0 ? 1 : 0.98) * TRIALS ||
			ratios < 0.92 * TRIALS || ratios > 0.98 * TRIALS ||
			(all < 0.9 * TRIALS) != rows[row].needs_blocks)
			fail_msg("row %zu, of %d: times %d, ratios %d, all samples %d",
				row, TRIALS, times, ratios, all);
	}
}

/* as sampling does: one after the other, and the same as all of them at once */
TEST(values_that_are_inserted_stay_in_order)
{
	struct at_random random;
	double sorted[40], samples[40];

	at_random_init(&random, 3);
	for (size_t i = 0; i < 40; i++) {
		struct at_interval all, one;

		/* few different ones, so that many are equal */
		samples[i] = (double)at_random_below(&random, 12);
		at_statistics_insert(sorted, i, samples[i]);
		for (size_t j = 1; j <= i; j++)
			assert_true(sorted[j - 1] <= sorted[j]);
		one = at_statistics_median_sorted(sorted, i + 1);
		all = at_statistics_median(samples, i + 1);
		assert_memory_equal(&one, &all, sizeof(one));
	}
}

TEST(a_shuffle_moves_everything_everywhere)
{
	struct at_random random;
	unsigned hits[4][4] = { { 0 } };

	at_random_init(&random, 2);
	for (int trial = 0; trial < 4000; trial++) {
		unsigned order[4] = { 0, 1, 2, 3 }, seen = 0;

		at_statistics_shuffle(order, 4, &random);
		for (int i = 0; i < 4; i++) {
			hits[i][order[i]]++;
			seen |= 1u << order[i];
		}
		assert_int_equal(seen, 15);
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			assert_in_range(hits[i][j], 880, 1120);
}

RUN_SUITE(NULL, NULL)
