/* Problems that share one time, and which of them has its turn next. */
#include "suite.h"

#include "session/allot.h"

static struct at_turns turns;

static int open_four(void **state)
{
	at_turns_init(&turns, 4, 400);
	return 0;
}

static int close_them(void **state)
{
	at_turns_release(&turns);
	return 0;
}

#define TEST_HERE(name) TEST_WITH(name, open_four, close_them)

static void expect(size_t index, double share)
{
	double found;

	assert_int_equal(at_turns_next(&turns, &found), index);
	assert_float_equal(found, share, 1e-9);
}

TEST_HERE(each_has_half_of_an_equal_share_first)
{
	expect(0, 50);
	at_turns_took(&turns, 0, 10, false);
	expect(1, 50);
	turns.items[2].is_left_out = true;
	/* what is left out has no share, and takes none */
	expect(1, 400.0 / 3 / 2);
}

TEST_HERE(who_used_too_much_leaves_less_for_all_others)
{
	at_turns_took(&turns, 0, 340, true);
	expect(1, 20);
	at_turns_took(&turns, 1, 80, true);
	/* of nothing a second, since 0 is no limit */
	expect(2, 1);
}

TEST_HERE(short_times_are_shared_out_at_once)
{
	turns.seconds = turns.left = 60;
	expect(0, 15);
	at_turns_took(&turns, 0, 3, false);
	expect(1, 19);
	/* not less than a search needs, where halves would be */
	turns.seconds = turns.left = 120;
	expect(1, 20);
}

TEST_HERE(alone_a_problem_has_it_all)
{
	for (size_t i = 1; i < 4; i++)
		turns.items[i].is_left_out = true;
	expect(0, 400);
	at_turns_took(&turns, 0, 390, true);
	turns.items[0].evaluated = 100;
	expect(AT_ALLOT_NONE, 0);
}

TEST_HERE(more_goes_to_who_gains_by_it_and_to_nobody_twice)
{
	double share;

	for (size_t i = 0; i < 4; i++) {
		turns.items[i].evaluated = 100;
		turns.items[i].seconds_each = 0.5;
		/* the second ended by itself: nothing more is to be gained there */
		at_turns_took(&turns, i, 50, i != 1);
	}
	turns.items[2].last_gain = 0.2;
	turns.items[3].last_gain = 0.1;
	assert_int_equal(at_turns_next(&turns, &share), 2);
	assert_true(share > 100 && share < 200);
	at_turns_took(&turns, 2, share, true);
	assert_int_equal(at_turns_next(&turns, &share), 3);
	assert_true(share >= AT_ALLOT_SECONDS_MIN && share < 100);
	at_turns_took(&turns, 3, turns.left, true);
	assert_int_equal(at_turns_next(&turns, &share), AT_ALLOT_NONE);
}

TEST_HERE(what_is_too_little_for_a_search_is_left)
{
	for (size_t i = 0; i < 4; i++)
		at_turns_took(&turns, i, i ? 100 : 91, true);
	expect(AT_ALLOT_NONE, 0);
}

TEST_HERE(without_a_limit_each_has_one_turn)
{
	turns.seconds = turns.left = 0;
	for (size_t i = 0; i < 4; i++) {
		expect(i, 0);
		at_turns_took(&turns, i, 1000, true);
	}
	expect(AT_ALLOT_NONE, 0);
}

TEST_HERE(whoever_ended_by_itself_is_not_searched_again)
{
	double share;

	for (size_t i = 0; i < 4; i++)
		at_turns_took(&turns, i, 1, false);
	assert_int_equal(at_turns_next(&turns, &share), AT_ALLOT_NONE);
}

RUN_SUITE(NULL, NULL)
