/*
 * Two sets of results held against each other, winner by winner: what became faster,
 * slower, or is the same, of what both have.
 *
 *   at_results_compare(&before, &after, 0.01, &comparison, &err);
 *   ... comparison.rows ...
 *   at_comparison_release(&comparison);
 *
 * Each result has the interval of one run's finals. What a board does otherwise from
 * one day to the next is not in it: that is what the margin is for (and what nights are
 * compared with, session/nights.h). Threads: safe.
 */
#ifndef AT_RECORD_COMPARISON_H
#define AT_RECORD_COMPARISON_H

#include "record/results.h"

/* How b stands to a. */
#define AT_COMPARISONS(X) \
	X(SLOWER, "slower") \
	X(FASTER, "faster") \
	X(SAME, "same") \
	X(UNCLEAR, "unclear") /* the intervals are too wide, or not known */ \
	X(OTHER, "other") /* of one name, but another device, sizes or objective */ \
	X(ONLY_A, "only_a") \
	X(ONLY_B, "only_b")

enum at_compared {
#define AT_COMPARED_ENUM(symbol, name) AT_COMPARED_##symbol,
	AT_COMPARISONS(AT_COMPARED_ENUM)
#undef AT_COMPARED_ENUM
		AT_COMPARED_COUNT
};

/* The word in JSON and for people; static storage. */
const char *at_compared_name(enum at_compared compared);

struct at_comparison_row {
	enum at_compared compared;
	/* borrowed; NULL where the other one alone has it */
	const struct at_result *a;
	const struct at_result *b;
	/* cost of b over that of a, above 1: slower, with a 95 % interval; NAN where
	   not known */
	struct at_score ratio;
	bool other_configuration;
};

struct at_comparison {
	size_t count;
	struct at_comparison_row *rows; /* by space, device, problem */
	size_t counts[AT_COMPARED_COUNT];
};

/*
 * margin: 0.01 is 1 %. Slower and faster are beyond both the margin and the interval;
 * the same is within the margin; what is beyond the margin and within the interval is
 * unclear, and so is what is known to less than a twentieth. *out is the caller's, also
 * after a failure; it borrows from a and b.
 */
enum at_status at_results_compare(const struct at_results *a,
	const struct at_results *b, double margin, struct at_comparison *out,
	struct at_error *err);
void at_comparison_release(struct at_comparison *self);

#endif
