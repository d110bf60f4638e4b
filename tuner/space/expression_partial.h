/*
 * What is known of a value while some slots are open: the value itself, or the interval
 * of integers that it lies in (Moore 1966, "Interval analysis"). For
 * expression_residual.c. Private to expression_*.c. Threads: pure.
 */
#ifndef AT_SPACE_EXPRESSION_PARTIAL_H
#define AT_SPACE_EXPRESSION_PARTIAL_H

#include "space/expression_code.h"

#include <stdbool.h>
#include <stdint.h>

/* "Known" below: the value, or the failure, is decided. "Open": it is not. */
struct partial {
	bool is_known;
	/* open: an integer, unless evaluation fails */
	bool is_integer;
	/* open: an integer from low to high whose evaluation cannot fail */
	bool is_ranged;
	/* known: OK and the value, or why there is no value */
	enum at_evaluated evaluation;
	struct at_value value;
	int64_t low;
	int64_t high;
	/* Open: an operation that is still to be applied, ADD or MULTIPLY with `with`;
	   CONSTANT: none. Collecting them lets several constants count as one. */
	enum at_opcode pending;
	int64_t with;
};

/* A known value. */
struct partial partial_known(struct at_value value);
/* A known boolean. */
struct partial partial_truth(bool truth);
/* An open integer; is_ranged: from low to high, and sure to evaluate. */
struct partial partial_open(bool is_ranged, int64_t low, int64_t high);
/* Whether it is an integer, unless evaluation fails. */
bool partial_is_integer(const struct partial *self);
/* The truth of a known value that is not a word. */
bool partial_is_true(const struct partial *self);
/* The interval of an operand; false where it may be no integer or may fail to
   evaluate. */
bool partial_interval(const struct partial *self, int64_t *low, int64_t *high);
/* The interval of a binary operator's result; false where the operator may fail or no
   interval is known for it. */
bool partial_combine(enum at_opcode code, const struct partial *a,
	const struct partial *b, int64_t *low, int64_t *high);
/* A comparison. 1: holds for all of both intervals, 0: for none, -1: it depends. */
int partial_compare(
	enum at_opcode code, const struct partial *a, const struct partial *b);

#endif
