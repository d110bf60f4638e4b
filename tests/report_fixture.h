/*
 * A record as a search leaves it, made up: for tests and benchmarks of reports.
 * The time goes with TILE (a factor of 8), BLOCK (of 2) and CACHE (1.3); PAD, UNROLL,
 * DEPTH and SWIZZLE have no say. One in twelve fails.
 */
#ifndef AT_TESTS_REPORT_FIXTURE_H
#define AT_TESTS_REPORT_FIXTURE_H

#include "record/store.h"

/* Distinct configurations that it can make. */
#define REPORT_FIXTURE_MOST 115200

struct report_fixture {
	const char *space;
	const char *problem;
	const char *model; /* of the device, and its slug */
	const char *slug;
	const char *detail; /* of what failed; NULL: something usual */
	size_t count; /* evaluations; 0: none, and no crown */
	size_t nights;
	double factor; /* of all times; 0: 1 */
	bool has_ceilings;
};

/* Fails the test, or ends the program with a line, where something cannot be done. */
void report_fixture_fill(struct at_store *store, const struct report_fixture *self);

#endif
