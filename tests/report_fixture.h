/*
 * Fills a record as a search would, with made-up evaluations, for tests and benchmarks
 * of reports. The time depends on TILE (by a factor of 8), BLOCK (2) and CACHE (1.3),
 * and not on PAD, UNROLL, DEPTH and SWIZZLE. One evaluation in twelve fails.
 */
#ifndef AT_TESTS_REPORT_FIXTURE_H
#define AT_TESTS_REPORT_FIXTURE_H

#include "record/store.h"

/* The most evaluations: how many distinct configurations exist. */
#define REPORT_FIXTURE_MOST 115200

struct report_fixture {
	const char *space;
	const char *problem;
	const char *model; /* of the device, and its slug */
	const char *slug;
	const char *detail; /* of failed evaluations; NULL: usual texts */
	size_t count; /* evaluations; 0: none, and no winner */
	size_t nights;
	double factor; /* of all times; 0: 1 */
	bool has_ceilings;
};

/* On an error it fails the test, or ends a benchmark with a line. */
void report_fixture_fill(struct at_store *store, const struct report_fixture *self);

#endif
