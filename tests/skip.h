/*
 * Skipping, with the reason. A case that is skipped inside a program that passes shows
 * nowhere else, so each prints a line "skipped COUNT: REASON" that the test command
 * adds up at its end. Include after cmocka.h.
 */
#ifndef AT_TESTS_SKIP_H
#define AT_TESTS_SKIP_H

#include <stddef.h>

/* Ends the case that runs; no newline in the reason. */
#define skip_because(reason) \
	do { \
		print_message("skipped 1: %s\n", reason); \
		skip(); \
	} while (0)

/* For a main() none of whose cases can run: its exit status, which ctest shows as
   skipped. */
static inline int skip_all(size_t cases, const char *reason)
{
	print_message("skipped %zu: %s\n", cases, reason);
	return 77;
}

#endif
