/* The measurements that a winner met in finals, as a list of words
 * (session/candidates.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/candidates.h"

#include <stdlib.h>
#include <string.h>

static struct at_candidate items[] = {
	{ .key = { 1, 2 }, .score = { .value = 100 } },
	{ .key = { 1, 3 }, .score = { .value = 100 }, .image = { 7, 0 } },
	{ .key = { 2, 2 }, .score = { .value = 101.5 }, .image = { 7, 0 } },
	/* the first one, measured again: by one bit it is another time */
	{ .key = { 1, 2 }, .score = { .value = 100.00000000000001 } },
	{ .key = { 9, 9 }, .score = { .value = 100 } },
};
static const struct at_candidates candidates = { .items = items, .count = 5 };

static void has_who_took_part_and_nobody_else(void **state)
{
	static const size_t places[] = { 4, 0 };
	char *met = at_met_list(&candidates, places, 2);

	(void)state;
	assert_non_null(met);
	assert_true(at_met_has(met, &candidates, 0));
	assert_true(at_met_has(met, &candidates, 4));
	assert_false(at_met_has(met, &candidates, 1));
	assert_false(at_met_has(met, &candidates, 2));
	assert_false(at_met_has(met, &candidates, 3));
	free(met);
}

static void has_who_is_the_same_kernel(void **state)
{
	static const size_t places[] = { 1 };
	char *met = at_met_list(&candidates, places, 1);

	(void)state;
	assert_true(at_met_has(met, &candidates, 1));
	assert_true(at_met_has(met, &candidates, 2));
	/* no image is known of these */
	assert_false(at_met_has(met, &candidates, 0));
	assert_false(at_met_has(met, &candidates, 4));
	free(met);
}

static void has_nobody_where_nothing_is_known(void **state)
{
	char *met = at_met_list(&candidates, NULL, 0);

	(void)state;
	assert_string_equal(met, "");
	for (size_t i = 0; i < candidates.count; i++) {
		assert_false(at_met_has(met, &candidates, i));
		assert_false(at_met_has(NULL, &candidates, i));
		assert_false(at_met_has("no such word", &candidates, i));
	}
	free(met);
}

/* as cells of the record are bounded (record/cell.c) */
static void all_finalists_fit_into_a_line(void **state)
{
	static const size_t places[] = { 0, 1, 2, 3, 4, 0, 1 };
	char *met = at_met_list(&candidates, places, 7);

	(void)state;
	assert_int_equal(strlen(met), 7 * 33 - 1);
	assert_int_equal(strspn(met, "0123456789abcdef "), strlen(met));
	free(met);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_who_took_part_and_nobody_else),
		cmocka_unit_test(has_who_is_the_same_kernel),
		cmocka_unit_test(has_nobody_where_nothing_is_known),
		cmocka_unit_test(all_finalists_fit_into_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
