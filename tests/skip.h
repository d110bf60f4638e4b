/*
 * Skips test cases with a reason. ctest does not show a skipped case of a program that
 * passes, so each prints a line "skipped COUNT: REASON", which `./bootstrap.sh test`
 * adds up at its end. Include after cmocka.h.
 */
#ifndef AT_TESTS_SKIP_H
#define AT_TESTS_SKIP_H

#include <stddef.h>

/* Ends the running case; the reason has no newline. */
#define skip_because(reason) \
	do { \
		print_message("skipped 1: %s\n", reason); \
		skip(); \
	} while (0)

/* For a main() if none of its cases can run: returns its exit status, which ctest shows
   as skipped. */
static inline int skip_all(size_t cases, const char *reason)
{
	print_message("skipped %zu: %s\n", cases, reason);
	return 77;
}

#endif
