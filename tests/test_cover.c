/* The few configurations that serve all problems (session/cover.h), compared with every
   subset. */
#include "suite.h"

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

/* What was chosen: as a subset, and how many members it has. */
struct chosen {
	unsigned long long members;
	size_t count;
	double worst; /* loss of a problem */
};

static struct chosen choose(
	const struct at_cover_costs *costs, double limit, size_t most)
{
	struct chosen chosen = { 0 };
	size_t *assigned;

	assert_int_equal(at_cover_find(costs, limit, most, &assigned, NULL), 0);
	for (size_t p = 0; p < costs->problem_count; p++) {
		double loss = loss_of(costs, p, assigned[p]);

		chosen.members |= 1ull << assigned[p];
		chosen.worst = fmax(chosen.worst, loss);
		/* no other member would serve it better */
		for (size_t i = 0; i < costs->problem_count; i++)
			assert_true(loss_of(costs, p, assigned[i]) >= loss);
	}
	chosen.count = (size_t)__builtin_popcountll(chosen.members);
	free(assigned);
	return chosen;
}

TEST(finds_the_fewest_that_keep_the_limit)
{
	double numbers[PROBLEMS * CONFIGURATIONS];
	const struct at_cover_costs costs = { PROBLEMS, CONFIGURATIONS, numbers };
	struct at_random random;

	(void)state;
	at_random_init(&random, 7);
	for (int i = 0; i < 300; i++) {
		double limit = at_random_below(&random, 30) * 0.01;
		struct chosen chosen;

		draw(numbers, &random);
		chosen = choose(&costs, limit, 0);
		assert_true(chosen.worst <= limit);
		assert_int_equal(chosen.count, fewest_within(&costs, limit));
	}
}

TEST(finds_the_smallest_loss_of_so_many)
{
	double numbers[PROBLEMS * CONFIGURATIONS];
	const struct at_cover_costs costs = { PROBLEMS, CONFIGURATIONS, numbers };
	struct at_random random;

	(void)state;
	at_random_init(&random, 11);
	for (int i = 0; i < 300; i++) {
		size_t most = 1 + at_random_below(&random, 3);
		struct chosen chosen;

		draw(numbers, &random);
		chosen = choose(&costs, INFINITY, most);
		assert_true(chosen.count <= most);
		assert_true(chosen.worst == best_of_so_many(&costs, (unsigned)most));
	}
}

/* with both, the limit decides where it needs no more than are allowed */
TEST(few_that_cannot_keep_the_limit_are_the_best)
{
	/* each is the only good one for its problem */
	const double numbers[] = { 1, 2, 3, 2, 1, 3, 3, 2, 1 };
	const struct at_cover_costs costs = { 3, 3, numbers };
	struct chosen chosen = choose(&costs, 0.1, 3);

	(void)state;
	assert_int_equal(chosen.count, 3);
	assert_true(chosen.worst == 0);
	chosen = choose(&costs, 0.1, 1);
	assert_int_equal(chosen.members, 1 << 1);
	assert_true(chosen.worst == 1);
	assert_int_equal(choose(&costs, 1, 1).count, 1);
}

TEST(takes_the_smaller_mean_of_equally_many)
{
	/* one alone keeps 10 % by any of them; the last is best on average */
	const double numbers[] = { 1.1, 1.05, 1.0, 1.0, 1.05, 1.01 };
	const struct at_cover_costs costs = { 2, 3, numbers };

	(void)state;
	assert_int_equal(choose(&costs, 0.11, 0).members, 1 << 2);
}

TEST(refuses_a_problem_that_nothing_is_right_for)
{
	const double numbers[] = { 1, 2, NAN, NAN };
	const struct at_cover_costs costs = { 2, 2, numbers };
	struct at_error err = { 0 };
	size_t *assigned;

	(void)state;
	assert_int_equal(at_cover_find(&costs, 0.1, 0, &assigned, &err), AT_ENOENT);
	assert_null(assigned);
}

/* 64 problems and as many configurations: exact search would not end */
TEST(ends_where_exact_search_would_not)
{
	enum { MANY = 64 };
	OWNED(free) double *numbers = malloc(sizeof(double) * MANY * MANY);
	const struct at_cover_costs costs = { MANY, MANY, numbers };
	struct at_random random;
	struct chosen chosen;

	(void)state;
	at_random_init(&random, 3);
	for (size_t i = 0; i < (size_t)MANY * MANY; i++)
		numbers[i] = 1 + at_random_below(&random, 1000) * 0.001;
	chosen = choose(&costs, 0.2, 0);
	assert_true(chosen.worst <= 0.2);
	assert_true(chosen.count < MANY / 2);
}

RUN_SUITE(NULL, NULL)
