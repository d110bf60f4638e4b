/*
 * Loading, restricting, copying and enumerating a space while the n-th allocation
 * fails, for every n. The result must be AT_ENOMEM or that of a run with memory, never
 * another error, and nothing may leak (which the leak sanitizer checks).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "long.h"

#include "scarce_memory.h"
#include "base/file.h"
#include "space/search_space.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void refuses_a_space_when_memory_runs_out(void **state)
{
	const char *path = AT_TEST_DIR "/spaces/full.cfg";
	bool reached = true; /* the allocation that fails */
	char *text;
	size_t size;
	long failed = 0;

	(void)state;
	assert_int_equal(at_file_read(path, 0, &text, &size, NULL), AT_OK);
	for (; reached; failed++) {
		struct at_error err = { 0 };
		struct at_spec *spec = NULL;
		enum at_status status;

		allocations_left = failed;
		status = at_spec_parse(text, size, path, &spec, &err);
		reached = allocations_left < 0;
		allocations_left = -1;
		assert_int_equal(status, reached ? AT_ENOMEM : AT_OK);
		assert_int_equal(err.status, status);
		assert_true((spec == NULL) == reached);
		at_spec_free(spec);
	}
	assert_true(failed > 300);
	free(text);
}

/* A space that is wrong is told as such, or that memory ran out; nothing else. */
static void tells_what_is_wrong_or_that_memory_ran_out(void **state)
{
	static const char *const texts[] = {
		"parameters: { A = [ 1, 2",
		"parameters: { A = [ 1, 99999999999999999999 ]; };",
		"parameters: { A = [ 1, 2, 2 ]; };",
		"parameters: { A = { from = 1; to = 9000000; step = 1; }; };",
		"parameters: { A = [ \"b\" ]; A_b = 1; };",
		"parameters: { A = [ 1, 2 ]; }; defaults: { A = 3; };",
		"parameters: { A = 1; }; problems = ( { N = \"1 / 0\"; } );",
		"parameters: { A = 1; }; constraints = ( \"AB > 1\" );",
		"parameters: { A = 1; }; constraints = ( \"A > (\" );",
		"parameters: { A = 1; }; constraints = ( \"mix(A, 1)\" );",
		"parameters: { A = 1; }; options = ( \"-D${B}\" );",
		"parameters: { A = 1; }; search: { budget = \"soon\"; };",
		"parameters: { A = 1; }; arguments = ( { name = \"x\"; type = \"int\"; count = 1; access = \"in\"; fill = \"uniform(A, 1)\"; } );",
		"parameters: { A = 1; }; arguments = ( { name = \"x\"; type = \"int\"; count = 1; access = \"in\"; domain = ( 0, \"A\" ); } );",
		"parameters: { A = 1; }; arguments = ( { name = \"x\"; type = \"int\"; count = 1; access = \"in\"; } ); verify: { data = ( { x = \"constant(1)\"; }, { name = \"b\"; } ); };",
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(texts); i++) {
		struct at_error expected = { 0 };
		struct at_spec *spec = NULL;
		bool reached = true;

		assert_int_not_equal(at_spec_parse(texts[i], strlen(texts[i]), "a.cfg",
					     &spec, &expected),
			AT_OK);
		assert_int_not_equal(expected.status, AT_ENOMEM);
		for (long failed = 0; reached; failed++) {
			struct at_error err = { 0 };
			enum at_status status;

			allocations_left = failed;
			status = at_spec_parse(
				texts[i], strlen(texts[i]), "a.cfg", &spec, &err);
			reached = allocations_left < 0;
			allocations_left = -1;
			assert_null(spec);
			assert_int_equal(err.status, status);
			if (status != AT_ENOMEM)
				assert_int_equal(status, expected.status);
			if (!reached)
				assert_string_equal(err.text, expected.text);
		}
	}
}

static void keeps_all_values_when_memory_runs_out_in_a_restriction(void **state)
{
	static const char text[] = "parameters: { A = [ \"x\", \"y\", \"z\" ]; };";
	static const struct {
		const char *set;
		enum at_status status; /* with memory */
	} rows[] = { { "A=z,q", AT_EINVAL }, { "B=z", AT_EINVAL }, { "A=z,x", AT_OK } };
	struct at_spec *spec = NULL;

	(void)state;
	assert_int_equal(
		at_spec_parse(text, sizeof(text) - 1, "a.cfg", &spec, NULL), AT_OK);
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		bool reached = true;
		long failed = 0;

		for (; reached; failed++) {
			enum at_status status;

			assert_int_equal(spec->parameters[0].value_count, 3);
			allocations_left = failed;
			status = at_spec_restrict(spec, rows[i].set, NULL);
			reached = allocations_left < 0;
			allocations_left = -1;
			if (status != AT_ENOMEM)
				assert_int_equal(status, rows[i].status);
			if (status == AT_OK)
				break;
		}
		assert_true(failed > 1);
	}
	assert_int_equal(spec->parameters[0].value_count, 2);
	at_spec_free(spec);
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
		bool reached = true;
		long failed = 0;

		assert_int_equal(at_spec_parse(rows[i].text, strlen(rows[i].text),
					 "a.cfg", &spec, &expected),
			AT_OK);
		slots = calloc(spec->slot_count, sizeof(*slots));
		at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
		for (; reached; failed++) {
			struct at_search_space *space = NULL;
			struct at_enumeration statistics;
			struct at_error err = { 0 };
			enum at_status status;

			allocations_left = failed;
			status = at_search_space_new(
				spec, slots, &space, &statistics, &err);
			reached = allocations_left < 0;
			allocations_left = -1;
			assert_int_equal(err.status, status);
			assert_true(!reached || status == AT_ENOMEM);
			if (status == AT_ENOMEM)
				continue;
			assert_int_equal(status, rows[i].status);
			if (status == AT_OK)
				assert_int_equal(statistics.valid, rows[i].valid);
			at_search_space_free(space);
			at_enumeration_release(&statistics);
		}
		assert_true(failed > 5);
		free(slots);
		at_spec_free(spec);
	}
}

static void makes_a_space_of_rows_or_says_that_memory_ran_out(void **state)
{
	static const struct at_search_parameter parameters[] = {
		{ "A", AT_TYPE_INTEGER, 3, NULL }, { "B", AT_TYPE_INTEGER, 2, NULL }
	};
	static const uint16_t rows[] = { 2, 0, 0, 1, 1, 0, 0, 0 };
	enum at_status status = AT_ENOMEM;
	long failed = 0;

	(void)state;
	for (; status; failed++) {
		struct at_search_space *space = NULL;
		struct at_error err = { 0 };

		allocations_left = failed;
		status =
			at_search_space_from_rows(parameters, 2, rows, 4, &space, &err);
		allocations_left = -1;
		assert_int_equal(err.status, status);
		assert_true(status == AT_ENOMEM || at_search_space_count(space) == 4);
		at_search_space_free(space);
	}
	assert_true(failed > 10);
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
	bool reached = true;

	(void)state;
	assert_int_equal(
		at_spec_parse(text, sizeof(text) - 1, "a.cfg", &spec, NULL), AT_OK);
	slots = calloc(spec->slot_count, sizeof(*slots));
	at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	assert_int_equal(
		at_search_space_new(spec, slots, &space, &statistics, NULL), AT_OK);
	at_search_space_free(space);
	assert_int_equal(statistics.valid, 0);
	for (long failed = 0; reached; failed++) {
		struct at_error err = { 0 };
		enum at_status status;

		allocations_left = failed;
		status = at_enumeration_explain_empty(spec, &statistics, slots, &err);
		reached = allocations_left < 0;
		allocations_left = -1;
		assert_int_equal(status, reached ? AT_ENOMEM : AT_EINVAL);
		assert_int_equal(err.status, status);
		/* which constraint it is must not depend on memory */
		if (!reached)
			assert_int_equal(err.line, 5);
	}
	at_enumeration_release(&statistics);
	free(slots);
	at_spec_free(spec);
}

static void copies_nothing_when_memory_runs_out(void **state)
{
	static const char text[] =
		"parameters: { A = [ \"x\", \"y\" ]; B = [ 1, 2 ]; };";
	struct at_spec *spec = NULL, *copy = NULL;
	enum at_status status = AT_ENOMEM;
	long failed = 0;

	(void)state;
	assert_int_equal(
		at_spec_parse(text, sizeof(text) - 1, "a.cfg", &spec, NULL), AT_OK);
	assert_int_equal(at_spec_restrict(spec, "A=y", NULL), AT_OK);
	for (; status; failed++) {
		assert_null(copy);
		allocations_left = failed;
		status = at_spec_copy(spec, &copy, NULL);
		allocations_left = -1;
		assert_true(status == AT_OK || status == AT_ENOMEM);
		assert_string_equal(spec->parameters[0].values[0].word, "y");
	}
	assert_int_equal(failed, 5);
	at_spec_free(spec);
	assert_string_equal(copy->parameters[0].values[0].word, "y");
	at_spec_free(copy);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_a_space_when_memory_runs_out),
		cmocka_unit_test(tells_what_is_wrong_or_that_memory_ran_out),
		cmocka_unit_test(
			keeps_all_values_when_memory_runs_out_in_a_restriction),
		cmocka_unit_test_long(
			enumerates_everything_or_says_that_memory_ran_out),
		cmocka_unit_test(makes_a_space_of_rows_or_says_that_memory_ran_out),
		cmocka_unit_test(explains_an_empty_space_or_says_that_memory_ran_out),
		cmocka_unit_test(copies_nothing_when_memory_runs_out),
	};

	return RUN_CASES(argc, argv, tests, NULL, NULL);
}
