#include "measure/statistics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_median_of_odd_and_even_counts(void **state)
{
	double odd[] = { 5, 1, 3 }, even[] = { 4, 1, 2, 3 };

	assert_true(at_statistics_median(odd, 3).median == 3);
	assert_true(at_statistics_median(even, 4).median == 2.5);
}

/* ranks of the 95 % interval: the textbook's table (n: lower rank) */
static void the_interval_has_the_ranks_of_the_binomial_table(void **state)
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

static void few_samples_give_their_extremes(void **state)
{
	double samples[] = { 3, 9, 4 };
	struct at_interval interval = at_statistics_median(samples, 3);

	assert_true(interval.low == 3 && interval.high == 9);
}

/* of 2000 intervals from a skewed law, at least 94 % hold its median */
static void the_interval_covers_a_skewed_median(void **state)
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

static void a_ratio_is_paired(void **state)
{
	double a[] = { 2, 20, 200, 2000, 4, 6 }, b[] = { 1, 10, 100, 1000, 2, 3 };
	double scratch[6];
	struct at_interval ratio = at_statistics_ratio(a, b, 6, scratch);

	assert_true(ratio.median == 2 && ratio.low == 2 && ratio.high == 2);
}

/* as sampling does: one after the other, and the same as all of them at once */
static void values_that_are_inserted_stay_in_order(void **state)
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

static void a_shuffle_moves_everything_everywhere(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_median_of_odd_and_even_counts),
		cmocka_unit_test(the_interval_has_the_ranks_of_the_binomial_table),
		cmocka_unit_test(few_samples_give_their_extremes),
		cmocka_unit_test(the_interval_covers_a_skewed_median),
		cmocka_unit_test(a_ratio_is_paired),
		cmocka_unit_test(values_that_are_inserted_stay_in_order),
		cmocka_unit_test(a_shuffle_moves_everything_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
