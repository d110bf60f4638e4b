/*
 * Marks test cases that take long. The everyday run leaves them out; "ctest -C long",
 * which .ci/run uses, starts their program with the argument "long", and it then runs
 * only these. With "all" it runs everything. A case may be long only if an everyday
 * case goes through the same code with less data. Include after cmocka.h; the program
 * needs LONG in tests/CMakeLists.txt.
 */
#ifndef AT_TESTS_LONG_H
#define AT_TESTS_LONG_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the mark of a long case, at the end of its name */
#define LONG_MARK " (long)"

/* clang-format off */
#define cmocka_unit_test_long_with(function, setup, teardown) \
	{ #function LONG_MARK, function, setup, teardown, NULL }
/* clang-format on */
#define cmocka_unit_test_long(function) cmocka_unit_test_long_with(function, NULL, NULL)

/* Runs the cases that the program's arguments ask for; returns its exit status. */
static inline int run_cases(int argc, char **argv, const struct CMUnitTest *tests,
	size_t count, CMFixtureFunction setup, CMFixtureFunction teardown)
{
	const char *asked = argc > 1 ? argv[1] : "";
	bool all = !strcmp(asked, "all"), only_long = !strcmp(asked, "long");
	struct CMUnitTest *chosen = malloc((count ? count : 1) * sizeof(*chosen));
	size_t chosen_count = 0;
	int status = 1;

	for (size_t i = 0; chosen && i < count; i++)
		if (all || only_long == !!strstr(tests[i].name, LONG_MARK))
			chosen[chosen_count++] = tests[i];
	if (chosen_count == 0 || (asked[0] && !all && !only_long))
		fprintf(stderr,
			"no such cases: \"%s\"; \"long\", \"all\", or nothing\n",
			asked);
	else
		status = _cmocka_run_group_tests(
			"tests", chosen, chosen_count, setup, teardown);
	free(chosen);
	return status;
}

#define RUN_CASES(argc, argv, tests, setup, teardown) \
	run_cases(argc, argv, tests, sizeof(tests) / sizeof((tests)[0]), setup, \
		teardown)

#endif
