/*
 * Compares two sets of results, winner by winner: faster, slower, or the same.
 *
 *   at_results_compare(&before, &after, 0.01, &comparison);
 *   ... comparison.rows ...
 *   at_comparison_release(&comparison);
 *
 * A result's interval is that of one run's finals. It excludes the variation of a
 * board's speed from day to day; the margin allows for that (and so do nights,
 * session/nights.h). Threads: safe.
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
	X(OTHER, "other") /* same names, but another device, sizes or objective */ \
	X(ONLY_A, "only_a") \
	X(ONLY_B, "only_b")

enum at_compared {
#define AT_COMPARED_ENUM(symbol, name) AT_COMPARED_##symbol,
	AT_COMPARISONS(AT_COMPARED_ENUM)
#undef AT_COMPARED_ENUM
		AT_COMPARED_COUNT
};

/* The name in JSON and for people; static storage. */
const char *at_compared_name(enum at_compared compared);

/* A winner of one or both sets. */
struct at_comparison_row {
	enum at_compared compared;
	/* borrowed; NULL: only the other set has it */
	const struct at_result *a;
	const struct at_result *b;
	/* Cost of b over cost of a (above 1: b is slower) with its 95 % interval; NAN:
	   not known. */
	struct at_score ratio;
	bool other_configuration; /* the winners are different configurations */
};

struct at_comparison {
	size_t count;
	struct at_comparison_row *rows; /* by space, device, problem */
	size_t counts[AT_COMPARED_COUNT]; /* rows of each kind */
};

/*
 * Compares a and b, both sorted like struct at_results. margin: 0.01 is 1 %. A result
 * is slower or faster if the ratio is beyond the margin and its interval excludes 1;
 * the same if the ratio is within the margin. It is unclear if the ratio is beyond the
 * margin but the interval includes 1, or if the interval is unknown or wider than 5 %
 * to one side. *out must be released; it borrows from a and b.
 */
void at_results_compare(const struct at_results *a, const struct at_results *b,
	double margin, struct at_comparison *out);
/* Frees the rows and zeroes it. */
void at_comparison_release(struct at_comparison *self);

#endif
