/*
 * The frame of a cmocka program. A case registers itself; cases run in the order of the
 * file:
 *
 *	TEST(name) { ... }                          one case, a function of void **state
 *	TEST_WITH(name, setup, teardown) { ... }    with a fixture of its own
 *	TEST_ON(name, type, variable, setup, teardown) { ... }    with an object
 *	LONG_TEST(name) { ... }                     see below
 *	RUN_SUITE(setup, teardown)                  the last line: main(), with the
 *	                                            fixture of the program, or NULLs
 *
 * A program that has other work in its main() calls run_suite().
 *
 * The everyday run leaves long cases out; "ctest -C long", which .ci/run uses, starts
 * their program with the argument "long", and it then runs only these. With "all" it
 * runs everything. A case may be long only if an everyday case goes through the same
 * code with less data. The program needs LONG in tests/CMakeLists.txt.
 */
#ifndef AT_TESTS_SUITE_H
#define AT_TESTS_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/file.h"

static struct suite {
	struct CMUnitTest cases[256];
	bool is_long[256];
	size_t count;
} suite;

static inline void suite_add(struct CMUnitTest test, bool is_long)
{
	if (suite.count == sizeof(suite.is_long))
		abort();
	suite.is_long[suite.count] = is_long;
	suite.cases[suite.count++] = test;
}

/* The constructor is an extension of gcc and clang. */
#define TEST_CASE(name, setup, teardown, is_long) \
	static void name(void **state); \
	__attribute__((constructor)) static void register_##name(void) \
	{ \
		suite_add((struct CMUnitTest){ #name, name, setup, teardown, NULL }, \
			is_long); \
	} \
	static void name(void **state)
#define TEST(name) TEST_CASE(name, NULL, NULL, false)
#define TEST_WITH(name, setup, teardown) TEST_CASE(name, setup, teardown, false)
#define LONG_TEST(name) TEST_CASE(name, NULL, NULL, true)
#define LONG_TEST_WITH(name, setup, teardown) TEST_CASE(name, setup, teardown, true)

/*
 * A case with an object of this type, zero, which setup(variable) fills and
 * teardown(variable) releases.
 */
#define TEST_ON(name, type, variable, setup, teardown) \
	static void name##_on(type *variable); \
	TEST(name) \
	{ \
		RELEASED(teardown) type object = { 0 }; \
\
		setup(&object); \
		name##_on(&object); \
	} \
	static void name##_on(type *variable)

/* what a call in assert_ok() or assert_fails() had to say; such a call gets &failure */
static struct at_error failure;

/* A call must succeed; must fail with a status and a text, or with this part of it. */
#define assert_ok(call) \
	assert_is_ok((at_error_clear(&failure), (call)), #call, __FILE__, __LINE__)
#define assert_fails(call, expected, whole) \
	do { \
		assert_fails_with(call, expected, ""); \
		assert_string_equal(failure.text, whole); \
	} while (0)
#define assert_fails_with(call, expected, part) \
	do { \
		at_error_clear(&failure); \
		assert_int_equal(call, expected); \
		if (!strstr(failure.text, part)) \
			fail_msg("\"%s\" has no \"%s\"", failure.text, part); \
	} while (0)

static inline void assert_is_ok(
	int status, const char *call, const char *file, int line)
{
	char text[1400];

	if (status == AT_OK)
		return;
	print_error("%s: %s\n", call, at_error_format(&failure, text, sizeof(text)));
	_fail(file, line);
}

/* Waits for a child, which must exit; returns its status. */
static inline int exit_of(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* A file as a text, on the heap. */
static inline char *file_text(const char *path)
{
	size_t size;
	char *text;

	assert_ok(at_file_read(path, 0, &text, &size, &failure));
	return text;
}

static inline void file_write(const char *path, const char *text)
{
	assert_ok(at_file_replace(path, text, strlen(text), &failure));
}

/*
 * What a scope owns is released at its end, in the reverse order of the declarations
 * (an extension of gcc and clang); a case that fails releases nothing.
 *
 *	OWNED(free) char *path = at_path_join(folder, name);
 *	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
 *
 * OWNED(f) calls f(path), RELEASED(f) calls f(&text). OWNER() makes a function fit for
 * OWNED().
 */
#define OWNED(release) __attribute__((cleanup(owned_##release)))
#define RELEASED(release) __attribute__((cleanup(release)))
#define OWNER(release, type) \
	struct type; \
	void release(struct type *owned); \
	static inline void owned_##release(struct type **owned) \
	{ \
		release(*owned); \
	}

static inline void owned_free(void *owned)
{
	free(*(void **)owned);
}
OWNER(at_ablation_free, at_ablation)
OWNER(at_expression_free, at_expression)
OWNER(at_gaussian_free, at_gaussian)
OWNER(at_json_free, at_json)
OWNER(at_loop_free, at_loop)
OWNER(at_recording_free, at_recording)
OWNER(at_search_space_free, at_search_space)
OWNER(at_simulation_free, at_simulation)
OWNER(at_spec_free, at_spec)
OWNER(at_sqlite_close, at_sqlite)
OWNER(at_store_close, at_store)

/* Runs the cases that the program's arguments ask for; returns its exit status. */
static inline int run_suite(
	int argc, char **argv, CMFixtureFunction setup, CMFixtureFunction teardown)
{
	const char *asked = argc > 1 ? argv[1] : "";
	bool all = !strcmp(asked, "all"), only_long = !strcmp(asked, "long");
	size_t chosen = 0;

	for (size_t i = 0; i < suite.count; i++)
		if (all || only_long == suite.is_long[i])
			suite.cases[chosen++] = suite.cases[i];
	if (chosen == 0 || (asked[0] && !all && !only_long)) {
		fprintf(stderr,
			"no such cases: \"%s\"; \"long\", \"all\", or nothing\n",
			asked);
		return 1;
	}
	return _cmocka_run_group_tests("tests", suite.cases, chosen, setup, teardown);
}

/*
 * Ends the running case as skipped; the reason has no newline. ctest does not show a
 * skipped case of a program that passes, so each prints a line "skipped COUNT: REASON",
 * which `./bootstrap.sh test` adds up at its end.
 */
#define skip_because(reason) \
	do { \
		print_message("skipped 1: %s\n", reason); \
		skip(); \
	} while (0)

/* For a main() if none of its cases can run: returns its exit status, which ctest shows
   as skipped. */
static inline int skip_all(const char *reason)
{
	print_message("skipped %zu: %s\n", suite.count, reason);
	return 77;
}

#define RUN_SUITE(setup, teardown) \
	int main(int argc, char **argv) \
	{ \
		return run_suite(argc, argv, setup, teardown); \
	}

#endif
