/*
 * What kernels include of cuRAND, CUB's sorts, libcu++'s barriers and pipelines on the
 * device "host", held to known answers and plain loops, in any order of threads.
 */
#include "base/random.h"
#include "host_fixture.h"

#include <math.h>

#include "suite.h"

static const char *const kernels[] = { "numbers", "sorted", "sorted_halves", "moved",
	"barriers", "barriers_by_halves", "staged", "producers", "copied" };

static int set_up(void **state)
{
	host_open("collectives.cu", kernels, AT_COUNT_OF(kernels));
	return 0;
}

static int tear_down(void **state)
{
	host_close();
	return 0;
}

TEST(random_numbers_are_those_of_a_gpu)
{
	/* Random123's known answers of Philox4x32-10; the others as cuRAND gives them
	 */
	static const unsigned expected[] = { 0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu,
		0x9b00dbd8u, 0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u,
		1925342002u, 648658203u, 3633236749u, 143597841u, 3521664514u,
		3248267170u, 624778773u, 1867875844u, 3739671282u, 1954919316u,
		3851804467u, 1511569995u, 3632541738u, 285113305u, 3356292577u,
		703446216u, 2486553984u, 4000888320u };
	static const double reals[] = { 0x1.cb098cp-2, 0x1.354de8ep-3,
		0x1.11e4faaecb0d8p-5, 0x1.8339325a85602p-1, 0x1.29eafp-3,
		0x1.bdcdb31158604p-1 };
	static const double normal[] = { 1.02961588, 0.73795104, -2.60493988348269,
		1.35926187, 1.98760343 };
	unsigned out[AT_COUNT_OF(expected)];
	double real[AT_COUNT_OF(reals) + AT_COUNT_OF(normal)];

	RUN("numbers", 1, 1, POINTER(out), POINTER(real));
	for (size_t i = 0; i < AT_COUNT_OF(expected); i++)
		if (out[i] != expected[i])
			fail_msg("%zu: %u and not %u", i, out[i], expected[i]);
	for (size_t i = 0; i < AT_COUNT_OF(reals); i++)
		if (real[i] != reals[i])
			fail_msg("%zu: %a and not %a", i, real[i], reals[i]);
	for (size_t i = 0; i < AT_COUNT_OF(normal); i++)
		assert_true(fabs(real[AT_COUNT_OF(reals) + i] - normal[i]) < 2e-6);
}

enum { KEYS = 64 * 5 };

static void check_sorts(void)
{
	float keys[KEYS], out[KEYS], halves[KEYS];
	unsigned places[KEYS], merged[KEYS];
	struct at_random random;

	at_random_init(&random, 11);
	for (int i = 0; i < KEYS; i++)
		keys[i] = (float)at_random_below(&random, 40) - 20;
	keys[7] = -0.0f;
	RUN("sorted", 1, 64, POINTER(keys), POINTER(out), POINTER(places),
		POINTER(merged));
	for (int i = 0; i < KEYS; i++) {
		int rank = 0, down = 0;

		/* equal keys stay as they came, whichever way they go */
		for (int j = 0; j < KEYS; j++) {
			rank += keys[j] < keys[i] || (keys[j] == keys[i] && j < i);
			down += keys[j] > keys[i] || (keys[j] == keys[i] && j < i);
		}
		assert_true(out[rank] == keys[i] && places[rank] == (unsigned)i);
		assert_int_equal(merged[down], i);
	}
	RUN("sorted_halves", 1, 64, POINTER(keys), POINTER(halves));
	for (int i = 0; i < KEYS; i++)
		assert_true(halves[i] == out[KEYS - 1 - i]);
}

TEST(sorts_of_a_block_are_stable_in_any_order)
{
	host_in_any_order(check_sorts);
}

static void check_moves(void)
{
	int out[64 * 3], bins[8], heads[64 * 3], shifted[64];

	RUN("moved", 1, 64, POINTER(out), POINTER(bins), POINTER(heads),
		POINTER(shifted));
	for (int i = 0; i < 64 * 3; i++) {
		assert_int_equal(out[i], i);
		assert_int_equal(heads[i], i % 7 == 0);
	}
	for (int i = 0; i < 8; i++)
		assert_int_equal(bins[i], 64 * 3 / 8);
	for (int i = 0; i < 64; i++)
		assert_int_equal(shifted[i], (i + 5) % 64);
}

TEST(values_move_among_threads_in_any_order)
{
	host_in_any_order(check_moves);
}

enum { LENGTH = 1000 };

static void check_barriers(void)
{
	int in[LENGTH], out[LENGTH];

	for (int i = 0; i < LENGTH; i++)
		in[i] = 7 * i % 1009;
	RUN("barriers", 2, 96, POINTER(in), POINTER(out), INTEGER(LENGTH));
	for (int i = 0; i < LENGTH; i++) {
		int first = i / 96 * 96,
		    count = LENGTH - first < 96 ? LENGTH - first : 96;

		assert_int_equal(out[i], in[first + count - 1 - (i - first)]);
	}
	RUN("barriers_by_halves", 1, 96, POINTER(out));
	for (int i = 0; i < 48; i++)
		assert_int_equal(out[i], 3 * (47 - i) + 10 * 9);
}

TEST(barriers_hold_threads_in_any_order)
{
	host_in_any_order(check_barriers);
}

static void check_pipelines(void)
{
	float in[LENGTH], out[LENGTH];

	for (int i = 0; i < LENGTH; i++)
		in[i] = (float)(i % 97);
	for (int way = 0; way < 3; way++) {
		static const char *const names[] = { "staged", "producers", "copied" };

		memset(out, 0, sizeof(out));
		RUN(names[way], 2, 64, POINTER(in), POINTER(out), INTEGER(LENGTH));
		for (int i = 0; i < LENGTH; i++)
			if (out[i] != in[i] + in[i / 64 * 64])
				fail_msg("%s: %d is %g", names[way], i, (double)out[i]);
	}
}

TEST(pipelines_hand_on_what_was_copied_in_any_order)
{
	host_in_any_order(check_pipelines);
}

RUN_SUITE(set_up, tear_down)
