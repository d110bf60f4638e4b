/* A recording replayed as another night would measure it: keys of a night in its name,
   noise, and planted changes. */
#include "suite.h"

#include "base/memory.h"
#include "evaluator/replay/replay_night.h"
#include "measure/statistics.h"

#include <math.h>

enum { SAMPLES = 30 };

static double median(const struct at_replay_night *night, size_t row, bool is_fastest,
	uint64_t occasion)
{
	double samples[SAMPLES];

	for (size_t i = 0; i < SAMPLES; i++)
		samples[i] = 1000;
	at_replay_night_apply(night, row, is_fastest, occasion, samples, SAMPLES);
	return at_statistics_median(samples, SAMPLES).median;
}

TEST(a_name_without_a_night_stays_as_it_is)
{
	static const char *const names[] = { "a.json", "dir/a,b.json",
		"results/autotune.db,space=matmul,problem=large", "" };

	for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
		struct at_replay_night night;
		OWNED(free) char *file;

		assert_ok(at_replay_night_split(names[i], &file, &night, NULL));
		assert_string_equal(file, names[i]);
		assert_int_equal(night.night, 0);
		/* and nothing lies on it */
		assert_true(median(&night, 0, true, 0) == 1000);
	}
}

TEST(keys_of_a_night_are_taken_out_of_the_name)
{
	struct at_replay_night night;
	OWNED(free) char *file;

	assert_ok(at_replay_night_split(
		"a.db,night=17,space=x,noise=3,slower=1.05,board=0.9,wrong=1", &file,
		&night, NULL));
	assert_string_equal(file, "a.db,space=x");
	assert_int_equal(night.night, 17);
	assert_int_equal(night.noise, 3);
	assert_float_equal(night.slower, 1.05, 0);
	assert_float_equal(night.board, 0.9, 0);
	assert_true(night.is_wrong);
}

TEST(what_makes_no_sense_is_refused)
{
	static const char *const names[] = { "a,night=0", "a,night=x", "a,night=-1",
		"a,night=1,slower=0", "a,night=1,slower=nan", "a,night=1,board=11",
		"a,night=1,wrong=2", "a,slower=1.05", "a,night=1,noise=" };

	for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
		struct at_replay_night night;
		struct at_error err = { 0 };
		char *file = NULL;

		if (at_replay_night_split(names[i], &file, &night, &err) != AT_EINVAL)
			fail_msg("%s", names[i]);
		assert_null(file);
		assert_non_null(strstr(err.text, "recording at night"));
	}
}

TEST(a_night_is_the_same_whenever_it_is_asked_for)
{
	const struct at_replay_night first = { .night = 4, .noise = 2 };
	const struct at_replay_night other = { .night = 5, .noise = 2 };
	const struct at_replay_night reseeded = { .night = 4, .noise = 3 };

	assert_true(median(&first, 7, false, 1) == median(&first, 7, false, 1));
	assert_true(median(&first, 7, false, 1) != median(&other, 7, false, 1));
	assert_true(median(&first, 7, false, 1) != median(&reseeded, 7, false, 1));
	assert_true(median(&first, 7, false, 1) != median(&first, 8, false, 1));
}

/* two kernels of one night have more in common than one kernel of two nights */
TEST(nights_differ_by_more_than_kernels_of_a_night)
{
	double between = 0, within = 0, mean = 0;

	for (uint64_t i = 1; i <= 400; i++) {
		const struct at_replay_night night = { .night = i };
		double a = log(median(&night, 0, false, 0) / 1000);
		double b = log(median(&night, 1, false, 0) / 1000);

		mean += a / 400;
		between += a * a / 400;
		within += (a - b) * (a - b) / 400;
	}
	/* a few parts in a thousand, as boards have it */
	assert_true(fabs(mean) < 0.002);
	assert_in_range((uint64_t)(1e5 * sqrt(between)), 300, 600);
	assert_in_range((uint64_t)(1e5 * sqrt(within)), 150, 300);
	assert_true(within < between / 2);
}

TEST(what_is_planted_is_in_it)
{
	const struct at_replay_night plain = { .night = 9 };
	const struct at_replay_night slower = { .night = 9, .slower = 1.05 };
	const struct at_replay_night board = { .night = 9, .board = 1.1 };

	assert_float_equal(
		median(&slower, 3, true, 0) / median(&plain, 3, true, 0), 1.05, 1e-12);
	assert_float_equal(
		median(&slower, 3, false, 0) / median(&plain, 3, false, 0), 1, 1e-12);
	assert_float_equal(
		median(&board, 3, false, 0) / median(&plain, 3, false, 0), 1.1, 1e-12);
}

TEST(some_nights_have_rounds_at_clocks_that_are_held_down)
{
	unsigned nights = 0;
	double asleep = 0;

	for (uint64_t i = 1; i <= 400; i++) {
		const struct at_replay_night night = { .night = i };
		double samples[SAMPLES];
		bool held = false;

		for (size_t j = 0; j < SAMPLES; j++)
			samples[j] = 1;
		at_replay_night_apply(&night, 0, false, 0, samples, SAMPLES);
		asleep += log(samples[0] / samples[10]) / 400;
		for (size_t j = 6; j < SAMPLES; j++)
			held = held || samples[j] > 1.05;
		nights += held;
	}
	assert_in_range(nights, 15, 60);
	/* a board that was asleep, but for nights that are held down later */
	assert_true(asleep > 0.01);
}

RUN_SUITE(NULL, NULL)
