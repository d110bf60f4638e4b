/*
 * Enumerating a space while the n-th allocation fails, for every n. The result must be
 * AT_ENOMEM or that of a run with memory, never another error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "long.h"

#include "scarce_memory.h"
#include "space/search_space.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct enumerating {
	const struct at_spec *spec;
	struct at_value *slots;
	enum at_status status; /* with memory */
	uint64_t valid;
};

static bool enumerates(void *context)
{
	const struct enumerating *self = context;
	struct at_search_space *space = NULL;
	struct at_enumeration statistics;
	struct at_error err = { 0 };
	enum at_status status =
		at_search_space_new(self->spec, self->slots, &space, &statistics, &err);

	if (err.status != status)
		return false;
	return status == AT_ENOMEM ||
	       (status == self->status && (status || statistics.valid == self->valid));
}

/*
 * Rows of two groups, one of them too wide for one word and out of order; what is
 * only counted; a constraint that overflows; a space that is empty.
 */
static void enumerates_everything_or_says_that_memory_ran_out(void **state)
{
#define WIDE(n) "P" #n " = { from = 1; to = 65535; step = 1; }; "
	static const struct {
		const char *text;
		enum at_status status; /* with memory */
		uint64_t valid;
	} rows[] = {
		{ "parameters: { A = [ 1, 2, 4, 8 ]; B = [ 1, 2, 3, 4, 5 ]; C = [ 3, 1, 2 ]; D = [ 1, 2 ]; E = [ 1, 2 ]; };"
		  "constraints = ( \"C == B\", \"B * A <= 8\", \"D + E == 3\", \"A != 4\" );",
			AT_OK, 14 },
		{ "parameters: { A = [ 1, 2, 4, 8 ]; B = [ 1, 2, 3, 4, 5 ]; C = [ 3, 1, 2 ]; };"
		  "constraints = ( \"C == B\", \"B * A <= 8\" );",
			AT_OK, 9 },
		{ "parameters: { " WIDE(1) WIDE(2) WIDE(3) WIDE(4) WIDE(
			  5) "};"
			     "constraints = ( \"P1 + P5 == 3\", \"P2 + P4 + P1 == 3\", \"P3 + P1 == 2\", \"P2 == 1\", \"P3 < 4\" );",
			AT_OK, 1 },
		{ "parameters: { A = [ 1, 2 ]; B = [ 1, 2 ]; };"
		  "constraints = ( \"9223372036854775807 + A * B > 0\" );",
			AT_EINVAL, 0 },
		{ "parameters: { A = [ 1, 2 ]; B = [ 1, 2 ]; };"
		  "constraints = ( \"A * B > 4\" );",
			AT_OK, 0 },
	};
#undef WIDE

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_error expected = { 0 };
		struct at_spec *spec = NULL;
		struct at_value *slots;

		assert_int_equal(at_spec_parse(rows[i].text, strlen(rows[i].text),
					 "a.cfg", &spec, &expected),
			AT_OK);
		slots = calloc(spec->slot_count, sizeof(*slots));
		at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
		assert_true(assert_bears_each_failure(enumerates,
				    &(struct enumerating){ spec, slots, rows[i].status,
					    rows[i].valid }) > 5);
		free(slots);
		at_spec_free(spec);
	}
}

static bool makes_rows(void *context)
{
	static const struct at_search_parameter parameters[] = {
		{ "A", AT_TYPE_INTEGER, 3, NULL }, { "B", AT_TYPE_INTEGER, 2, NULL }
	};
	static const uint16_t rows[] = { 2, 0, 0, 1, 1, 0, 0, 0 };
	struct at_search_space *space = NULL;
	struct at_error err = { 0 };
	enum at_status status =
		at_search_space_from_rows(parameters, 2, rows, 4, &space, &err);

	(void)context;
	return err.status == status &&
	       (status == AT_ENOMEM || at_search_space_count(space) == 4);
}

static void makes_a_space_of_rows_or_says_that_memory_ran_out(void **state)
{
	(void)state;
	assert_true(assert_bears_each_failure(makes_rows, NULL) > 5);
}

struct explaining {
	const struct at_spec *spec;
	const struct at_enumeration *statistics;
	struct at_value *slots;
};

static bool explains(void *context)
{
	const struct explaining *self = context;
	struct at_error err = { 0 };
	enum at_status status = at_enumeration_explain_empty(
		self->spec, self->statistics, self->slots, &err);

	/* which constraint it is must not depend on memory */
	return err.status == status &&
	       (status == AT_ENOMEM || (status == AT_EINVAL && err.line == 5));
}

static void explains_an_empty_space_or_says_that_memory_ran_out(void **state)
{
	static const char text[] =
		"parameters: { A = [ 1, 2 ]; B = [ 1, 2 ]; C = [ 1, 2 ]; };\n"
		"constraints = ( \"A + B > 2\",\n\"A * B * C > 1\",\n\"A + C < 3\",\n\"B == 1\",\n\"C < 9\" );";
	struct at_search_space *space = NULL;
	struct at_enumeration statistics;
	struct at_spec *spec = NULL;
	struct at_value *slots;

	(void)state;
	assert_int_equal(
		at_spec_parse(text, sizeof(text) - 1, "a.cfg", &spec, NULL), AT_OK);
	slots = calloc(spec->slot_count, sizeof(*slots));
	at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	assert_int_equal(
		at_search_space_new(spec, slots, &space, &statistics, NULL), AT_OK);
	at_search_space_free(space);
	assert_int_equal(statistics.valid, 0);
	assert_true(assert_bears_each_failure(explains,
			    &(struct explaining){ spec, &statistics, slots }) > 5);
	at_enumeration_release(&statistics);
	free(slots);
	at_spec_free(spec);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_long(
			enumerates_everything_or_says_that_memory_ran_out),
		cmocka_unit_test(makes_a_space_of_rows_or_says_that_memory_ran_out),
		cmocka_unit_test(explains_an_empty_space_or_says_that_memory_ran_out),
	};

	return RUN_CASES(argc, argv, tests, NULL, NULL);
}
