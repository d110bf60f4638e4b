/*
 * Two sets of results compared, winner by winner: which became faster or slower, and
 * which stayed the same, among those that both sets have.
 *
 *   at_results_compare(&before, &after, 0.01, &comparison, &err);
 *   ... comparison.rows ...
 *   at_comparison_release(&comparison);
 *
 * The interval of a result is that of one run's finals. It does not include how a
 * board's speed changes from one day to the next: the margin is for that (and so are
 * nights, session/nights.h). Threads: safe.
 */
#ifndef AT_RECORD_COMPARISON_H
#define AT_RECORD_COMPARISON_H

#include "record/results.h"

/* How result b compares with result a. */
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

/* A winner of one set or of both. */
struct at_comparison_row {
	enum at_compared compared;
	/* borrowed; NULL where only the other set has it */
	const struct at_result *a;
	const struct at_result *b;
	/* The cost of b over the cost of a (above 1: b is slower) with its 95 %
	   interval; NAN where not known. */
	struct at_score ratio;
	bool other_configuration; /* the two winners are different configurations */
};

/* The comparison of two sets. */
struct at_comparison {
	size_t count;
	struct at_comparison_row *rows; /* by space, device, problem */
	size_t counts[AT_COMPARED_COUNT]; /* rows of each kind */
};

/*
 * Compares a and b, both sorted as struct at_results says. margin: 0.01 is 1 %. A
 * result is slower or faster if the ratio is beyond the margin and its interval
 * excludes 1; the same if the ratio is within the margin; unclear if the ratio is
 * beyond the margin but its interval includes 1, or if the interval is wider than 5 %
 * to one side or not known. *out must be released; it borrows
 * from a and b.
 */
void at_results_compare(const struct at_results *a, const struct at_results *b,
	double margin, struct at_comparison *out);
/* Frees the rows and zeroes it. */
void at_comparison_release(struct at_comparison *self);

#endif
