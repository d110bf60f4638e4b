/* The memory of libuv (evaluator/workers/spare.h), which has a reserve for tables that
   have to grow when there is no memory left. */
#include "scarce_memory.h"
#include "evaluator/workers/spare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void what_grows_without_memory_takes_the_room_once(void **state)
{
	char *table = at_spare_realloc(NULL, 64), *other = at_spare_malloc(8), *grown;

	(void)state;
	assert_non_null(table);
	memset(table, 7, 64);
	allocations_left = 0;
	grown = at_spare_realloc(table, 4096);
	assert_non_null(grown);
	for (int i = 0; i < 64; i++)
		assert_int_equal(grown[i], 7);
	allocations_left = 0;
	assert_null(at_spare_realloc(other, 4096));
	allocations_left = 0;
	assert_null(at_spare_malloc(1));
	/* and out of it, where there is memory again */
	allocations_left = -1;
	memset(grown, 9, 4096);
	table = at_spare_realloc(grown, 8192);
	assert_ptr_not_equal(table, grown);
	assert_int_equal(table[4095], 9);
	allocations_left = 0;
	assert_ptr_equal(at_spare_realloc(other, 4096), grown);
	allocations_left = -1;
	at_spare_free(grown);
	at_spare_free(table);
	at_spare_free(NULL);
}

static void sizes_that_no_memory_has_are_refused(void **state)
{
	unsigned char *zeros = at_spare_calloc(3, 5);

	(void)state;
	for (int i = 0; i < 15; i++)
		assert_int_equal(zeros[i], 0);
	at_spare_free(zeros);
	assert_null(at_spare_malloc(SIZE_MAX));
	assert_null(at_spare_calloc(SIZE_MAX / 2, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_grows_without_memory_takes_the_room_once),
		cmocka_unit_test(sizes_that_no_memory_has_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
