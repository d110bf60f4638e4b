/*
 * What numbers become in proofs that need not know the space: whole ones, real ones,
 * and ranges of inputs for which it has no fill. Which of them change says plan_vary.h.
 *
 * Threads: pure functions.
 */
#ifndef AT_EVALUATOR_PLAN_VALUES_H
#define AT_EVALUATOR_PLAN_VALUES_H

#include "space/element.h"

#include <stdbool.h>
#include <stdint.h>

/* What is as large as this is no radius, but a seed or a limit, and shows no step. */
#define AT_PLAN_LARGE_COUNT 65536

/* What divides a number that becomes far less. Of a whole one it is also what the less
   is a multiple of, since kernels take many things in steps of a power of two. */
#define AT_PLAN_LOW 16

/* The number nearer to 0 that replaces a whole one. Each power of two that divides
   value divides the result too; a power of two is halved. */
int64_t at_plan_smaller(int64_t value);
/* Three quarters of a power of two from 8 on, and of a prime from 11 on the one below
   it: a modulus that is no prime has no inverses. Others stay. */
int64_t at_plan_no_power(int64_t value);
/* What replaces a prime from 11 on, if `other` replaces what is none: the largest prime
   up to it. */
int64_t at_plan_as_prime(int64_t value, int64_t other);
/* What a number of things becomes: a smaller one, but 1 becomes 2. */
int64_t at_plan_other_count(int64_t value);
/* The real number that replaces `value`, which is the index-th of those that are
   replaced, from the least on where what was less is to stay less. The factors are not
   all the same: who knows the quotient of two numbers by heart is wrong. */
double at_plan_other_real(double value, size_t index);
/* Whether a number is next to nothing, so that a smaller one would show nothing. */
bool at_plan_is_small_real(double value);
/* The one that replaces a number next to nothing. */
double at_plan_larger_real(double value);
/* A real number far below the one of the space (at_plan_low()). */
double at_plan_low_real(double value);

/* The range that AT_VARIATION_UNSAID fills a buffer of the type from. */
void at_plan_unsaid_range(enum at_element element, double *low, double *high);
/* The deviation of the normal fill that AT_VARIATION_UNSAID_REALS uses. */
double at_plan_unsaid_deviation(enum at_element element);

#endif
