#include "base/error.h"
#include "search/strategy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* a strategy needs no more of a space than its size */
static struct at_configurations rows_of(size_t count)
{
	struct at_configurations configurations = { .parameter_count = 1,
		.count = count };

	configurations.indices = calloc(count + 1, sizeof(*configurations.indices));
	assert_non_null(configurations.indices);
	for (size_t i = 0; i < count; i++)
		configurations.indices[i] = (uint16_t)i;
	return configurations;
}

static struct at_strategy *open_strategy(
	const char *name, const struct at_configurations *rows, uint64_t seed)
{
	static size_t value_counts[1];
	struct at_search_space space = { rows, value_counts };
	const struct at_strategy_kind *kind;
	const char *options;
	struct at_strategy *strategy = NULL;

	value_counts[0] = rows->count;
	assert_int_equal(
		at_strategy_find(name, rows->count, 0, &kind, &options, NULL), AT_OK);
	assert_int_equal(kind->open(&space, options, seed, &strategy, NULL), AT_OK);
	return strategy;
}

/* asks until it is done; counts[i] says how often i was asked for */
static size_t drain(struct at_strategy *strategy, size_t *order, unsigned *counts)
{
	size_t index, asked = 0;

	while (strategy->kind->ask(strategy, &index) == AT_ASK_CONFIGURATION) {
		order[asked++] = index;
		counts[index]++;
		strategy->kind->tell(strategy, index, 1.0);
	}
	assert_int_equal(strategy->kind->ask(strategy, &index), AT_ASK_DONE);
	return asked;
}

static void every_strategy_asks_for_everything_once(void **state)
{
	enum { COUNT = 997 };
	struct at_configurations rows = rows_of(COUNT);
	const struct at_strategy_kind *kind;

	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		struct at_strategy *strategy = open_strategy(kind->name, &rows, 7);
		size_t order[COUNT];
		unsigned counts[COUNT] = { 0 };

		assert_int_equal(drain(strategy, order, counts), COUNT);
		for (size_t i = 0; i < COUNT; i++)
			assert_int_equal(counts[i], 1);
		kind->close(strategy);
	}
	at_configurations_release(&rows);
}

static void no_strategy_asks_for_what_it_was_told(void **state)
{
	enum { COUNT = 50 };
	struct at_configurations rows = rows_of(COUNT);
	const struct at_strategy_kind *kind;

	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		struct at_strategy *strategy = open_strategy(kind->name, &rows, 3);
		size_t order[COUNT];
		unsigned counts[COUNT] = { 0 };

		strategy->kind->tell(strategy, 0, INFINITY);
		strategy->kind->tell(strategy, 17, 2.0);
		strategy->kind->tell(strategy, COUNT - 1, 2.0);
		assert_int_equal(drain(strategy, order, counts), COUNT - 3);
		assert_int_equal(counts[0] + counts[17] + counts[COUNT - 1], 0);
		kind->close(strategy);
	}
	at_configurations_release(&rows);
}

static void many_may_be_out_at_once(void **state)
{
	enum { COUNT = 20 };
	struct at_configurations rows = rows_of(COUNT);
	const struct at_strategy_kind *kind;

	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		struct at_strategy *strategy = open_strategy(kind->name, &rows, 3);
		unsigned counts[COUNT] = { 0 };
		size_t index;

		for (size_t i = 0; i < COUNT; i++) {
			assert_int_equal(strategy->kind->ask(strategy, &index),
				AT_ASK_CONFIGURATION);
			assert_int_equal(counts[index]++, 0);
		}
		kind->close(strategy);
	}
	at_configurations_release(&rows);
}

static void exhaustive_keeps_the_order_of_the_file(void **state)
{
	struct at_configurations rows = rows_of(10);
	struct at_strategy *strategy = open_strategy("exhaustive", &rows, 1);
	size_t order[10];
	unsigned counts[10] = { 0 };

	assert_int_equal(drain(strategy, order, counts), 10);
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(order[i], i);
	strategy->kind->close(strategy);
	at_configurations_release(&rows);
}

static void random_is_a_function_of_its_seed(void **state)
{
	enum { COUNT = 100 };
	struct at_configurations rows = rows_of(COUNT);
	size_t orders[3][COUNT];
	static const uint64_t seeds[3] = { 5, 5, 6 };

	for (int i = 0; i < 3; i++) {
		struct at_strategy *strategy = open_strategy("random", &rows, seeds[i]);
		unsigned counts[COUNT] = { 0 };

		drain(strategy, orders[i], counts);
		strategy->kind->close(strategy);
	}
	assert_memory_equal(orders[0], orders[1], sizeof(orders[0]));
	assert_memory_not_equal(orders[0], orders[2], sizeof(orders[0]));
	at_configurations_release(&rows);
}

/*
 * Each of the first, second and last places is uniform over seeds: 20 values,
 * 8000 seeds, chi-square with 19 degrees of freedom; 0.1 % critical value 43.8.
 */
static void random_is_uniform_in_every_place(void **state)
{
	enum { COUNT = 20, SEEDS = 8000 };
	static const size_t places[3] = { 0, 1, COUNT - 1 };
	struct at_configurations rows = rows_of(COUNT);
	double hits[3][COUNT] = { { 0 } };

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct at_strategy *strategy = open_strategy("random", &rows, seed);
		size_t order[COUNT];
		unsigned counts[COUNT] = { 0 };

		drain(strategy, order, counts);
		for (int p = 0; p < 3; p++)
			hits[p][order[places[p]]]++;
		strategy->kind->close(strategy);
	}
	for (int p = 0; p < 3; p++) {
		double expected = (double)SEEDS / COUNT, chi = 0;

		for (int i = 0; i < COUNT; i++)
			chi += (hits[p][i] - expected) * (hits[p][i] - expected) /
			       expected;
		assert_true(chi < 43.8);
	}
	at_configurations_release(&rows);
}

static void auto_is_exhaustive_where_the_budget_covers_the_space(void **state)
{
	const struct at_strategy_kind *kind;
	const char *options;

	assert_int_equal(
		at_strategy_find("auto", 100, 100, &kind, &options, NULL), AT_OK);
	assert_string_equal(kind->name, "exhaustive");
	assert_int_equal(
		at_strategy_find("auto", 101, 100, &kind, &options, NULL), AT_OK);
	assert_string_equal(kind->name, "random");
}

static void an_unknown_strategy_suggests_the_nearest(void **state)
{
	const struct at_strategy_kind *kind;
	const char *options;
	struct at_error err = { 0 };

	assert_int_equal(
		at_strategy_find("randon", 1, 1, &kind, &options, &err), AT_ENOENT);
	assert_string_equal(err.text,
		"unknown strategy \"randon\", did you mean \"random\"? Known are auto, exhaustive, random");
}

static void an_option_that_a_strategy_lacks_is_refused(void **state)
{
	struct at_configurations rows = rows_of(3);
	static const size_t value_counts[1] = { 3 };
	struct at_search_space space = { &rows, value_counts };
	const struct at_strategy_kind *kind;
	const char *options;
	struct at_strategy *strategy = NULL;
	struct at_error err = { 0 };

	assert_int_equal(
		at_strategy_find("random,speed=2", 3, 0, &kind, &options, NULL), AT_OK);
	assert_int_equal(kind->open(&space, options, 1, &strategy, &err), AT_EINVAL);
	assert_string_equal(
		err.text, "strategy \"random\" takes no options, found \"speed=2\"");
	at_configurations_release(&rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_strategy_asks_for_everything_once),
		cmocka_unit_test(no_strategy_asks_for_what_it_was_told),
		cmocka_unit_test(many_may_be_out_at_once),
		cmocka_unit_test(exhaustive_keeps_the_order_of_the_file),
		cmocka_unit_test(random_is_a_function_of_its_seed),
		cmocka_unit_test(random_is_uniform_in_every_place),
		cmocka_unit_test(auto_is_exhaustive_where_the_budget_covers_the_space),
		cmocka_unit_test(an_unknown_strategy_suggests_the_nearest),
		cmocka_unit_test(an_option_that_a_strategy_lacks_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
