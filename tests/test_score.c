/* Scores of searches: the expectation of random search, areas, quantiles, intervals. */
#include "search/score.h"

#include <math.h>

#include "suite.h"

/*
 * The least of every subset of n of them, on average, by going through all subsets.
 * What failed counts as the worst that passed.
 */
static double brute_force(const double *costs, unsigned count, unsigned n, double worst)
{
	double sum = 0, subsets = 0;

	for (unsigned set = 0; set < 1u << count; set++) {
		double least = worst;
		unsigned size = 0;

		for (unsigned i = 0; i < count; i++) {
			if (!(set >> i & 1))
				continue;
			size++;
			least = fmin(least, costs[i]);
		}
		if (size != n)
			continue;
		sum += least;
		subsets++;
	}
	return sum / subsets;
}

TEST(the_expectation_of_random_search_is_exact)
{
	static const double costs[] = { 5, INFINITY, 2, 9, 2, INFINITY, 3, 7, 4, 6 };
	RELEASED(at_score_space_release) struct at_score_space space;

	assert_ok(at_score_space_init(&space, costs, 10, 10, NULL));
	assert_float_equal(space.optimum, 2, 0);
	assert_float_equal(space.worst, 9, 0);
	for (unsigned n = 1; n <= 10; n++)
		assert_float_equal(
			space.expected[n - 1], brute_force(costs, 10, n, 9), 1e-12);
}

TEST(beyond_the_space_random_search_has_the_optimum)
{
	static const double costs[] = { 5, 2, 9 };
	RELEASED(at_score_space_release) struct at_score_space space;

	assert_ok(at_score_space_init(&space, costs, 3, 200, NULL));
	for (size_t n = 3; n <= 200; n++)
		assert_float_equal(space.expected[n - 1], 2, 1e-12);
}

TEST(a_space_of_failures_has_no_score)
{
	static const double costs[] = { INFINITY, INFINITY };
	struct at_score_space space;

	assert_int_equal(at_score_space_init(&space, costs, 2, 5, NULL), AT_EINVAL);
}

/*
 * Costs 1, 2, 4 and a failure, which counts as 4. By hand:
 *   n = 1: (1 + 2 + 4 + 4) / 4 = 11/4
 *   n = 2: 1 with 3/6, 2 with 2/6, 4 with 1/6: 11/6
 *   n = 3: 1 with 3/4, 2 with 1/4: 5/4
 *   n = 4: 1, where nothing is left to gain
 * The sequence failure, 2, 4, 1 has the best 4, 2, 2, 1:
 *   (11/4 - 4) / (7/4) = -5/7, (11/6 - 2) / (5/6) = -1/5, (5/4 - 2) / (1/4) = -3
 */
TEST(the_area_of_a_sequence_is_what_one_computes_by_hand)
{
	static const double costs[] = { 4, INFINITY, 1, 2 };
	static const double best[] = { 4, 2, 2, 1 }, at_once[] = { 1, 1, 1, 1 };
	RELEASED(at_score_space_release) struct at_score_space space;

	assert_ok(at_score_space_init(&space, costs, 4, 4, NULL));
	assert_float_equal(space.expected[0], 11.0 / 4, 1e-12);
	assert_float_equal(space.expected[1], 11.0 / 6, 1e-12);
	assert_float_equal(space.expected[2], 5.0 / 4, 1e-12);
	assert_float_equal(space.expected[3], 1, 1e-12);
	assert_float_equal(
		at_score_area(&space, best), (-5.0 / 7 - 1.0 / 5 - 3) / 3, 1e-12);
	assert_float_equal(at_score_area(&space, at_once), 1, 1e-12);
	assert_float_equal(at_score_area(&space, space.expected), 0, 1e-12);
}

TEST(where_nothing_can_be_gained_there_is_no_area)
{
	static const double costs[] = { 3, 3 }, best[] = { 3, 3 };
	RELEASED(at_score_space_release) struct at_score_space space;

	assert_ok(at_score_space_init(&space, costs, 2, 2, NULL));
	assert_true(isnan(at_score_area(&space, best)));
}

TEST(a_quantile_lies_between_its_neighbours)
{
	double values[] = { 4, 1, 3, 2 };

	assert_float_equal(at_score_quantile(values, 4, 0.5), 2.5, 0);
	assert_float_equal(at_score_quantile(values, 4, 0), 1, 0);
	assert_float_equal(at_score_quantile(values, 4, 1), 4, 0);
	assert_float_equal(at_score_quantile(values, 4, 0.25), 1.75, 1e-12);
}

/* Of n values the mean varies by their deviation over the root of n. */
TEST(the_interval_of_a_mean_is_as_wide_as_theory_says)
{
	double values[400];
	struct at_score_group group = { values, 400 };
	struct at_score_estimate estimate;
	double half;

	for (int i = 0; i < 400; i++)
		values[i] = i % 2 ? 1 : -1; /* mean 0, deviation 1 */
	at_score_estimate_groups(&group, 1, AT_SCORE_MEAN, 1, &estimate);
	half = (estimate.high - estimate.low) / 2;
	assert_float_equal(estimate.value, 0, 1e-12);
	/* 1.96 / 20, and the bootstrap's own noise */
	assert_true(half > 0.085 && half < 0.11);
}

TEST(groups_weigh_the_same_whatever_their_size)
{
	static const double many[] = { 1, 1, 1, 1, 1, 1 }, few[] = { 3 };
	const struct at_score_group groups[] = { { many, 6 }, { few, 1 } };
	struct at_score_estimate estimate;

	at_score_estimate_groups(groups, 2, AT_SCORE_MEDIAN, 1, &estimate);
	assert_float_equal(estimate.value, 2, 1e-12);
	assert_float_equal(estimate.low, 2, 1e-12);
	assert_float_equal(estimate.high, 2, 1e-12);
}

RUN_SUITE(NULL, NULL)
