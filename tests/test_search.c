/* Exhaustive and random search, the registry, and what all strategies have to do. */
#include "base/random.h"
#include "search/kinds.h"

#include <math.h>

#include "suite.h"

/* one parameter with so many values, all of them valid */
static struct at_search_space *space_of(size_t count)
{
	/* lives as long as the spaces, which borrow from it */
	static struct at_value values[1000];
	const struct at_search_parameter parameter = { "P", AT_TYPE_INTEGER, count,
		values };
	OWNED(free) uint16_t *rows = calloc(count + 1, sizeof(*rows));
	struct at_search_space *space = NULL;

	assert_non_null(rows);
	assert_true(count <= 1000);
	for (size_t i = 0; i < count; i++) {
		values[i] = (struct at_value){ .type = AT_TYPE_INTEGER,
			.integer = (int64_t)i };
		rows[i] = (uint16_t)i;
	}
	assert_ok(at_search_space_from_rows(&parameter, 1, rows, count, &space, NULL));
	return space;
}

static struct at_strategy *open_strategy(
	const char *name, const struct at_search_space *space, uint64_t seed)
{
	const struct at_strategy_kind *kind;
	const char *options;
	struct at_strategy *strategy = NULL;

	assert_ok(at_strategy_find(name, &kind, &options, NULL));
	assert_ok(kind->open(kind, space, options, seed, &strategy, NULL));
	return strategy;
}

static void tell(struct at_strategy *strategy, uint64_t index, double cost)
{
	const struct at_told told = {
		.index = index,
		.outcome = isfinite(cost) ? AT_OUTCOME_OK : AT_OUTCOME_WRONG_RESULT,
		.cost = cost,
	};

	strategy->kind->tell(strategy, &told);
}

/* asks until it is done; counts[i] says how often i was asked for */
static size_t drain(struct at_strategy *strategy, uint64_t *order, unsigned *counts)
{
	size_t asked = 0;
	uint64_t index;

	while (strategy->kind->ask(strategy, &index) == AT_ASK_CONFIGURATION) {
		order[asked++] = index;
		counts[index]++;
		tell(strategy, index, 1.0);
	}
	assert_int_equal(strategy->kind->ask(strategy, &index), AT_ASK_DONE);
	return asked;
}

TEST(every_strategy_asks_for_everything_once)
{
	enum { COUNT = 997 };
	OWNED(at_search_space_free) struct at_search_space *space = space_of(COUNT);
	const struct at_strategy_kind *kind;

	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		struct at_strategy *strategy = open_strategy(kind->name, space, 7);
		uint64_t order[COUNT];
		unsigned counts[COUNT] = { 0 };

		size_t asked = drain(strategy, order, counts);

		/* all the same: one that stops by itself may well, and has to say why
		 */
		if (asked < COUNT)
			assert_non_null(strategy->kind->why_done(strategy));
		assert_int_equal(asked < COUNT, !strcmp(kind->name, "auto"));
		for (size_t i = 0; i < COUNT; i++)
			assert_in_range(counts[i], asked < COUNT ? 0 : 1, 1);
		strategy->kind->close(strategy);
	}
}

TEST(no_strategy_asks_for_what_it_was_told)
{
	enum { COUNT = 50 };
	OWNED(at_search_space_free) struct at_search_space *space = space_of(COUNT);
	const struct at_strategy_kind *kind;

	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		struct at_strategy *strategy = open_strategy(kind->name, space, 3);
		uint64_t order[COUNT];
		unsigned counts[COUNT] = { 0 };

		tell(strategy, 0, INFINITY);
		tell(strategy, 17, 2.0);
		tell(strategy, COUNT - 1, 2.0);
		assert_int_equal(drain(strategy, order, counts), COUNT - 3);
		assert_int_equal(counts[0] + counts[17] + counts[COUNT - 1], 0);
		strategy->kind->close(strategy);
	}
}

TEST(many_may_be_out_at_once)
{
	enum { COUNT = 20 };
	OWNED(at_search_space_free) struct at_search_space *space = space_of(COUNT);
	const struct at_strategy_kind *kind;

	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		struct at_strategy *strategy = open_strategy(kind->name, space, 3);
		unsigned counts[COUNT] = { 0 };
		uint64_t index;

		for (size_t i = 0; i < COUNT; i++) {
			assert_int_equal(strategy->kind->ask(strategy, &index),
				AT_ASK_CONFIGURATION);
			assert_int_equal(counts[index]++, 0);
		}
		strategy->kind->close(strategy);
	}
}

TEST(exhaustive_keeps_the_order_of_the_file)
{
	OWNED(at_search_space_free) struct at_search_space *space = space_of(10);
	struct at_strategy *strategy = open_strategy("exhaustive", space, 1);
	uint64_t order[10];
	unsigned counts[10] = { 0 };

	assert_int_equal(drain(strategy, order, counts), 10);
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(order[i], i);
	strategy->kind->close(strategy);
}

TEST(random_is_a_function_of_its_seed)
{
	enum { COUNT = 100 };
	OWNED(at_search_space_free) struct at_search_space *space = space_of(COUNT);
	uint64_t orders[3][COUNT];
	static const uint64_t seeds[3] = { 5, 5, 6 };

	for (int i = 0; i < 3; i++) {
		struct at_strategy *strategy = open_strategy("random", space, seeds[i]);
		unsigned counts[COUNT] = { 0 };

		drain(strategy, orders[i], counts);
		strategy->kind->close(strategy);
	}
	assert_memory_equal(orders[0], orders[1], sizeof(orders[0]));
	assert_memory_not_equal(orders[0], orders[2], sizeof(orders[0]));
}

/*
 * Each of the first, second and last places is uniform over seeds: 20 values,
 * 8000 seeds, chi-square with 19 degrees of freedom; 0.1 % critical value 43.8.
 */
TEST(random_is_uniform_in_every_place)
{
	enum { COUNT = 20, SEEDS = 8000 };
	static const size_t places[3] = { 0, 1, COUNT - 1 };
	OWNED(at_search_space_free) struct at_search_space *space = space_of(COUNT);
	double hits[3][COUNT] = { { 0 } };

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct at_strategy *strategy = open_strategy("random", space, seed);
		uint64_t order[COUNT] = { 0 };
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
}

/*
 * A permutation of a large space is not checked by what it covers: its first draws
 * fall evenly over 64 equal parts, 63 degrees of freedom, 0.1 % critical value 103.4.
 */
TEST(random_is_uniform_over_a_space_that_no_list_would_hold)
{
	enum { PARTS = 64, DRAWS = 6400, PARAMETERS = 10, VALUES = 60 };
	struct at_spec spec = { .parameter_count = PARAMETERS,
		.slot_count = PARAMETERS };
	struct at_parameter parameters[PARAMETERS] = { { 0 } };
	struct at_value values[VALUES], slots[PARAMETERS] = { { 0 } };
	OWNED(at_search_space_free) struct at_search_space *space = NULL;
	struct at_strategy *strategy;
	double hits[PARTS] = { 0 }, chi = 0;
	uint64_t count, index = 0, last = AT_NO_CONFIGURATION;

	for (int i = 0; i < VALUES; i++)
		values[i] = (struct at_value){ AT_TYPE_INTEGER, { i } };
	for (int i = 0; i < PARAMETERS; i++)
		parameters[i] = (struct at_parameter){ .name = "P",
			.type = AT_TYPE_INTEGER,
			.value_count = VALUES,
			.values = values };
	spec.parameters = parameters;
	assert_ok(at_search_space_new(&spec, slots, &space, NULL, NULL));
	count = at_search_space_count(space);
	assert_true(count == UINT64_C(604661760000000000)); /* 60^10 */
	strategy = open_strategy("random", space, 11);
	for (int i = 0; i < DRAWS; i++) {
		assert_int_equal(
			strategy->kind->ask(strategy, &index), AT_ASK_CONFIGURATION);
		assert_true(index < count && index != last);
		hits[index / (count / PARTS + 1)]++;
		last = index;
	}
	for (int i = 0; i < PARTS; i++) {
		double expected = (double)DRAWS / PARTS;

		chi += (hits[i] - expected) * (hits[i] - expected) / expected;
	}
	assert_true(chi < 103.4);
	strategy->kind->close(strategy);
}

TEST(what_is_tried_costs_memory_by_its_number)
{
	RELEASED(at_tried_release) struct at_tried tried = { 0 };
	struct at_random random;

	assert_false(at_tried_test(&tried, 0));
	at_random_init(&random, 1);
	for (int i = 0; i < 1000; i++)
		at_tried_set(&tried, at_random_next(&random) - 1);
	assert_int_equal(tried.count, 1000);
	assert_true(tried.capacity + tried.places.entry_count <= 4096);
	at_random_init(&random, 1);
	for (int i = 0; i < 1000; i++) {
		uint64_t index = at_random_next(&random) - 1;

		assert_true(at_tried_test(&tried, index));
		assert_false(at_tried_test(&tried, index + 1));
		at_tried_set(&tried, index);
	}
	assert_int_equal(tried.count, 1000);
}

TEST(an_unknown_strategy_suggests_the_nearest)
{
	const struct at_strategy_kind *kind;
	const char *options;
	struct at_error err = { 0 };

	assert_int_equal(at_strategy_find("randon", &kind, &options, &err), AT_ENOENT);
	assert_string_equal(
		err.text, "unknown strategy \"randon\"; did you mean \"random\"?");
	at_error_clear(&err);
	assert_int_equal(at_strategy_find("zzz", &kind, &options, &err), AT_ENOENT);
	assert_string_equal(err.text,
		"unknown strategy \"zzz\"; known are auto, exhaustive, random, surrogate, local, annealing, tabu, genetic, differential, swarm and bandit");
}

TEST(each_strategy_may_be_checked_without_a_space)
{
	const struct at_strategy_kind *kind;
	char text[80];

	for (size_t i = 0; (kind = at_strategy_kind_at(i)); i++) {
		assert_ok(at_strategy_check(kind->name, &failure));
		snprintf(text, sizeof(text), "%s,oddity=1", kind->name);
		assert_fails_with(
			at_strategy_check(text, &failure), AT_EINVAL, kind->name);
		failure = (struct at_error){ 0 };
	}
	assert_fails_with(at_strategy_check("randon", &failure), AT_ENOENT, "");
}

TEST(an_option_that_a_strategy_lacks_is_refused)
{
	OWNED(at_search_space_free) struct at_search_space *space = space_of(3);
	const struct at_strategy_kind *kind;
	const char *options;
	struct at_strategy *strategy = NULL;

	assert_ok(at_strategy_find("random,speed=2", &kind, &options, NULL));
	assert_fails(kind->open(kind, space, options, 1, &strategy, &failure),
		AT_EINVAL, "strategy \"random\" takes no options, found \"speed=2\"");
	memset(&failure, 0, sizeof(failure));
	assert_ok(at_strategy_find("random,seed=2", &kind, &options, NULL));
	assert_fails_with(kind->open(kind, space, options, 1, &strategy, &failure),
		AT_EINVAL, "the seed is an option of its own");
}

RUN_SUITE(NULL, NULL)
