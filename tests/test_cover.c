/* The few configurations that serve all problems (session/cover.h), compared with every
   subset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "session/cover.h"

#include <math.h>
#include <stdlib.h>

enum { PROBLEMS = 5, CONFIGURATIONS = 9 };

static double loss_of(const struct at_cover_costs *costs, size_t problem, size_t which)
{
	const double *row = costs->costs + problem * costs->configuration_count;
	double least = INFINITY;

	for (size_t i = 0; i < costs->configuration_count; i++)
		if (row[i] > 0 && row[i] < least)
			least = row[i];
	return row[which] > 0 ? row[which] / least - 1 : (double)INFINITY;
}

/* the worst loss of a subset */
static double worst_of(const struct at_cover_costs *costs, unsigned subset)
{
	double worst = 0;

	for (size_t p = 0; p < costs->problem_count; p++) {
		double least = INFINITY;

		for (size_t c = 0; c < costs->configuration_count; c++)
			if (subset >> c & 1)
				least = fmin(least, loss_of(costs, p, c));
		worst = fmax(worst, least);
	}
	return worst;
}

static unsigned fewest_within(const struct at_cover_costs *costs, double limit)
{
	unsigned fewest = UINT32_MAX;

	for (unsigned subset = 1; subset < 1u << costs->configuration_count; subset++)
		if (worst_of(costs, subset) <= limit &&
			(unsigned)__builtin_popcount(subset) < fewest)
			fewest = (unsigned)__builtin_popcount(subset);
	return fewest;
}

static double best_of_so_many(const struct at_cover_costs *costs, unsigned most)
{
	double best = INFINITY;

	for (unsigned subset = 1; subset < 1u << costs->configuration_count; subset++)
		if ((unsigned)__builtin_popcount(subset) <= most)
			best = fmin(best, worst_of(costs, subset));
	return best;
}

/* each configuration is good at some problems; some are not for some problems */
static void draw(double costs[PROBLEMS * CONFIGURATIONS], struct at_random *random)
{
	for (size_t i = 0; i < (size_t)PROBLEMS * CONFIGURATIONS; i++) {
		costs[i] = 1 + at_random_below(random, 40) * 0.01;
		if (at_random_below(random, 8) == 0)
			costs[i] = NAN;
	}
	/* one is for all, so that there is an answer */
	for (size_t p = 0; p < PROBLEMS; p++)
		if (isnan(costs[p * CONFIGURATIONS]))
			costs[p * CONFIGURATIONS] = 1.5;
}

static void assert_consistent(
	const struct at_cover_costs *costs, const struct at_cover *cover)
{
	double worst = 0;

	for (size_t p = 0; p < costs->problem_count; p++) {
		bool is_member = false;

		for (size_t i = 0; i < cover->member_count; i++) {
			is_member |= cover->members[i] == cover->assigned[p];
			/* none of them would serve it better */
			assert_true(loss_of(costs, p, cover->members[i]) >=
				    cover->losses[p]);
		}
		assert_true(is_member);
		assert_true(loss_of(costs, p, cover->assigned[p]) == cover->losses[p]);
		worst = fmax(worst, cover->losses[p]);
	}
	for (size_t i = 1; i < cover->member_count; i++)
		assert_true(cover->members[i - 1] < cover->members[i]);
	assert_true(worst == cover->worst);
}

static void finds_the_fewest_that_keep_the_limit(void **state)
{
	double numbers[PROBLEMS * CONFIGURATIONS];
	const struct at_cover_costs costs = { PROBLEMS, CONFIGURATIONS, numbers };
	struct at_random random;

	(void)state;
	at_random_init(&random, 7);
	for (int i = 0; i < 300; i++) {
		double limit = at_random_below(&random, 30) * 0.01;
		struct at_cover cover;

		draw(numbers, &random);
		assert_int_equal(at_cover_find(&costs, limit, 0, &cover, NULL), 0);
		assert_consistent(&costs, &cover);
		assert_true(cover.is_within && cover.worst <= limit);
		assert_int_equal(cover.member_count, fewest_within(&costs, limit));
		at_cover_release(&cover);
	}
}

static void finds_the_smallest_loss_of_so_many(void **state)
{
	double numbers[PROBLEMS * CONFIGURATIONS];
	const struct at_cover_costs costs = { PROBLEMS, CONFIGURATIONS, numbers };
	struct at_random random;

	(void)state;
	at_random_init(&random, 11);
	for (int i = 0; i < 300; i++) {
		size_t most = 1 + at_random_below(&random, 3);
		struct at_cover cover;

		draw(numbers, &random);
		assert_int_equal(
			at_cover_find(&costs, INFINITY, most, &cover, NULL), 0);
		assert_consistent(&costs, &cover);
		assert_true(cover.member_count <= most);
		assert_true(cover.worst == best_of_so_many(&costs, (unsigned)most));
		at_cover_release(&cover);
	}
}

/* with both, the limit decides where it needs no more than are allowed */
static void says_when_so_few_cannot_keep_the_limit(void **state)
{
	/* each is the only good one for its problem */
	const double numbers[] = { 1, 2, 3, 2, 1, 3, 3, 2, 1 };
	const struct at_cover_costs costs = { 3, 3, numbers };
	struct at_cover cover;

	(void)state;
	assert_int_equal(at_cover_find(&costs, 0.1, 3, &cover, NULL), 0);
	assert_int_equal(cover.member_count, 3);
	assert_true(cover.is_within && cover.worst == 0);
	at_cover_release(&cover);
	assert_int_equal(at_cover_find(&costs, 0.1, 1, &cover, NULL), 0);
	assert_int_equal(cover.member_count, 1);
	assert_int_equal(cover.members[0], 1);
	assert_false(cover.is_within);
	assert_true(cover.worst == 1);
	at_cover_release(&cover);
	assert_int_equal(at_cover_find(&costs, 1, 1, &cover, NULL), 0);
	assert_int_equal(cover.member_count, 1);
	assert_true(cover.is_within);
	at_cover_release(&cover);
}

static void takes_the_smaller_mean_of_equally_many(void **state)
{
	/* one alone keeps 10 % by any of them; the last is best on average */
	const double numbers[] = { 1.1, 1.05, 1.0, 1.0, 1.05, 1.01 };
	const struct at_cover_costs costs = { 2, 3, numbers };
	struct at_cover cover;

	(void)state;
	assert_int_equal(at_cover_find(&costs, 0.11, 0, &cover, NULL), 0);
	assert_int_equal(cover.member_count, 1);
	assert_int_equal(cover.members[0], 2);
	at_cover_release(&cover);
}

static void refuses_a_problem_that_nothing_is_right_for(void **state)
{
	const double numbers[] = { 1, 2, NAN, NAN };
	const struct at_cover_costs costs = { 2, 2, numbers };
	struct at_cover cover;
	struct at_error err = { 0 };

	(void)state;
	assert_int_equal(at_cover_find(&costs, 0.1, 0, &cover, &err), AT_ENOENT);
	assert_null(cover.members);
}

/* 64 problems and as many configurations: exact search would not end */
static void ends_where_exact_search_would_not(void **state)
{
	enum { MANY = 64 };
	double *numbers = malloc(sizeof(double) * MANY * MANY);
	const struct at_cover_costs costs = { MANY, MANY, numbers };
	struct at_random random;
	struct at_cover cover;

	(void)state;
	at_random_init(&random, 3);
	for (size_t i = 0; i < (size_t)MANY * MANY; i++)
		numbers[i] = 1 + at_random_below(&random, 1000) * 0.001;
	assert_int_equal(at_cover_find(&costs, 0.2, 0, &cover, NULL), 0);
	assert_consistent(&costs, &cover);
	assert_true(cover.is_within);
	assert_true(cover.member_count < MANY / 2);
	at_cover_release(&cover);
	free(numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_fewest_that_keep_the_limit),
		cmocka_unit_test(finds_the_smallest_loss_of_so_many),
		cmocka_unit_test(says_when_so_few_cannot_keep_the_limit),
		cmocka_unit_test(takes_the_smaller_mean_of_equally_many),
		cmocka_unit_test(refuses_a_problem_that_nothing_is_right_for),
		cmocka_unit_test(ends_where_exact_search_would_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
