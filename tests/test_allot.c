/* How the time that is left in a night is shared among searches (session/allot.h). */
#include "suite.h"

#include "session/allot.h"

#include <math.h>

/* so many seconds for each, in the order of their turns; each takes what it gets */
static double shares[8];

static size_t allot(
	struct at_allot_item *items, size_t count, double seconds, size_t *order)
{
	size_t turns = 0, next;
	double share;

	memset(shares, 0, sizeof(shares));
	while ((next = at_allot_next(items, count, seconds, &share)) != AT_ALLOT_NONE) {
		assert_true(turns < count && !items[next].is_done);
		assert_true(share >= AT_ALLOT_SECONDS_MIN && share <= seconds);
		if (order)
			order[turns] = next;
		turns++;
		items[next].is_done = true;
		shares[next] = share;
		seconds -= share;
	}
	return turns;
}

TEST(gains_are_those_of_the_last_two_doublings)
{
	/* at a quarter 8, at a half 4, then 2 */
	static const double costs[] = { 9, 8, 5, 4, INFINITY, 2, 7, 3 };
	struct at_allot_item item = { 0 };

	at_allot_observe(&item, costs, 8);
	assert_int_equal(item.evaluated, 8);
	assert_float_equal(item.last_gain, log(2), 1e-12);
	assert_float_equal(item.earlier_gain, log(2), 1e-12);
	/* nothing passed in the first half: that it is found at all is no gain */
	at_allot_observe(&item, (const double[]){ INFINITY, INFINITY, 5, 4 }, 4);
	assert_float_equal(item.last_gain, 0, 0);
	at_allot_observe(&item, NULL, 0);
	assert_int_equal(item.evaluated, 0);
	assert_float_equal(item.last_gain, 0, 0);
}

TEST(what_still_gains_gets_more_than_what_has_settled)
{
	struct at_allot_item items[] = {
		{ .evaluated = 1000, .seconds_each = 0.05 },
		{ .evaluated = 1000, .seconds_each = 0.05, .last_gain = 0.1 },
	};

	assert_int_equal(allot(items, 2, 6000, NULL), 2);
	assert_true(shares[1] > 5 * shares[0]);
	assert_float_equal(shares[0] + shares[1], 6000, 1e-6);
}

TEST(equals_share_alike)
{
	struct at_allot_item items[4];

	for (size_t i = 0; i < 4; i++)
		items[i] = (struct at_allot_item){
			.evaluated = 300, .seconds_each = 0.1, .last_gain = 0.03
		};
	assert_int_equal(allot(items, 4, 400, NULL), 4);
	for (size_t i = 0; i < 4; i++)
		assert_float_equal(shares[i], 100, 1e-3);
}

TEST(the_more_urgent_goes_first)
{
	struct at_allot_item items[] = {
		{ .evaluated = 200, .last_gain = 0.3 },
		{ .evaluated = 200, .need = AT_ALLOT_REGRESSED, .lost = 0.1 },
		{ .need = AT_ALLOT_NEW },
		{ .evaluated = 200, .need = AT_ALLOT_REFUSED },
	};
	size_t order[4];

	assert_int_equal(allot(items, 4, 900, order), 4);
	assert_int_equal(order[0], 3);
	assert_int_equal(order[1], 2);
	assert_int_equal(order[2], 1);
	assert_int_equal(order[3], 0);
}

TEST(a_share_too_small_is_not_begun)
{
	struct at_allot_item items[8];

	for (size_t i = 0; i < 8; i++)
		items[i] = (struct at_allot_item){ .evaluated = 100 * (i + 1),
			.seconds_each = 0.05,
			.last_gain = 0.02 };
	/* for two or three of them, those that it is cheapest to double */
	assert_in_range(allot(items, 8, 16, NULL), 1, 3);
	assert_true(shares[0] >= AT_ALLOT_SECONDS_MIN);
	assert_float_equal(shares[7], 0, 0);
	items[0].is_done = false;
	assert_int_equal(allot(items, 1, AT_ALLOT_SECONDS_MIN / 2, NULL), 0);
	assert_int_equal(allot(items, 0, 100, NULL), 0);
	assert_int_equal(allot(items, 8, NAN, NULL), 0);
}

TEST(what_was_tried_whole_gets_nothing)
{
	struct at_allot_item items[] = {
		{ .evaluated = 80, .valid = 80, .last_gain = 0.5 },
		{ .evaluated = 80, .valid = 8000, .last_gain = 0.01 },
	};

	assert_int_equal(allot(items, 2, 100, NULL), 1);
	assert_float_equal(shares[1], 100, 1e-6);
}

/* a search that ends by itself after a second leaves its share to the others */
TEST(what_is_not_used_goes_to_those_after_it)
{
	struct at_allot_item items[] = {
		{ .evaluated = 300, .last_gain = 0.05 },
		{ .evaluated = 300, .last_gain = 0.05 },
	};
	double share;
	size_t next = at_allot_next(items, 2, 100, &share);

	assert_float_equal(share, 50, 1e-3);
	items[next].is_done = true;
	next = at_allot_next(items, 2, 99, &share);
	assert_float_equal(share, 99, 1e-3);
}

RUN_SUITE(NULL, NULL)
