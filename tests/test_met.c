/* The measurements that a winner met in finals, as a list of words
 * (session/candidates.h). */
#include "suite.h"

#include "session/candidates.h"

static struct at_candidate items[] = {
	{ .key = { 1, 2 }, .score = { .value = 100 } },
	{ .key = { 1, 3 }, .score = { .value = 100 }, .image = { 7, 0 } },
	{ .key = { 2, 2 }, .score = { .value = 101.5 }, .image = { 7, 0 } },
	/* the first one, measured again: by one bit it is another time */
	{ .key = { 1, 2 }, .score = { .value = 100.00000000000001 } },
	{ .key = { 9, 9 }, .score = { .value = 100 } },
};
static const struct at_candidates candidates = { .items = items, .count = 5 };

TEST(has_who_took_part_and_nobody_else)
{
	static const size_t places[] = { 4, 0 };
	OWNED(free) char *met = at_met_list(&candidates, places, 2);

	assert_non_null(met);
	assert_true(at_met_has(met, &candidates, 0));
	assert_true(at_met_has(met, &candidates, 4));
	assert_false(at_met_has(met, &candidates, 1));
	assert_false(at_met_has(met, &candidates, 2));
	assert_false(at_met_has(met, &candidates, 3));
}

TEST(has_who_is_the_same_kernel)
{
	static const size_t places[] = { 1 };
	OWNED(free) char *met = at_met_list(&candidates, places, 1);

	assert_true(at_met_has(met, &candidates, 1));
	assert_true(at_met_has(met, &candidates, 2));
	/* no image is known of these */
	assert_false(at_met_has(met, &candidates, 0));
	assert_false(at_met_has(met, &candidates, 4));
}

TEST(has_nobody_where_nothing_is_known)
{
	OWNED(free) char *met = at_met_list(&candidates, NULL, 0);

	assert_string_equal(met, "");
	for (size_t i = 0; i < candidates.count; i++) {
		assert_false(at_met_has(met, &candidates, i));
		assert_false(at_met_has(NULL, &candidates, i));
		assert_false(at_met_has("no such word", &candidates, i));
	}
}

/* as cells of the record are bounded (record/cell.c) */
TEST(all_finalists_fit_into_a_line)
{
	static const size_t places[] = { 0, 1, 2, 3, 4, 0, 1 };
	OWNED(free) char *met = at_met_list(&candidates, places, 7);

	assert_int_equal(strlen(met), 7 * 33 - 1);
	assert_int_equal(strspn(met, "0123456789abcdef "), strlen(met));
}

RUN_SUITE(NULL, NULL)
