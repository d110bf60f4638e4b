/*
 * A value of which something is known: all of it, or between which integers it lies
 * (Moore 1966, "Interval analysis"). Private to expression_*.c. Threads: pure.
 */
#ifndef AT_SPACE_EXPRESSION_PARTIAL_H
#define AT_SPACE_EXPRESSION_PARTIAL_H

#include "space/expression_code.h"

#include <stdbool.h>
#include <stdint.h>

struct partial {
	bool is_known;
	/* open: an integer, if it evaluates */
	bool is_integer;
	/* open: an integer that cannot fail to evaluate, from low to high */
	bool is_ranged;
	/* known: what it is, or why there is no value */
	enum at_evaluated evaluation;
	struct at_value value;
	int64_t low;
	int64_t high;
	/* open: what is still to be done to it, ADD or MULTIPLY with this; CONSTANT:
	   nothing */
	enum at_opcode pending;
	int64_t with;
};

struct partial partial_known(struct at_value value);
struct partial partial_truth(bool truth);
struct partial partial_open(bool is_ranged, int64_t low, int64_t high);
/* An integer, if it evaluates. */
bool partial_is_integer(const struct partial *self);
/* What is known, and no word, as a condition. */
bool partial_is_true(const struct partial *self);
/* The interval of an operand; false where it may be no integer, or fail. */
bool partial_interval(const struct partial *self, int64_t *low, int64_t *high);
/* What an operator makes of two intervals; false where it may fail, or is not known. */
bool partial_combine(enum at_opcode code, const struct partial *a,
	const struct partial *b, int64_t *low, int64_t *high);
/* A comparison. 1: holds for all of both intervals, 0: for none, -1: it depends. */
int partial_compare(
	enum at_opcode code, const struct partial *a, const struct partial *b);

#endif
