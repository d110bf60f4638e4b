/*
 * What numbers become in proofs: those that are the value of an argument (enum
 * at_variation), and sizes that are nothing but that (evaluator/derived.h).
 *
 * Threads: pure functions.
 */
#ifndef AT_EVALUATOR_PLAN_VARY_H
#define AT_EVALUATOR_PLAN_VARY_H

#include "kernel/source.h"
#include "space/spec.h"

/* What is as large as this is no radius, but a seed or a limit, and shows no step. */
#define LARGE_COUNT 65536

/* The number nearer to 0 that replaces a whole one. Each power of two that divides
   value divides the result too; a power of two is halved. */
int64_t at_plan_smaller(int64_t value);
/* What a number of things becomes: a smaller one, but 1 becomes 2. */
int64_t at_plan_other_count(int64_t value);
/* Whether kernel and reference are given the whole number and take it for how many of
   something there are, as far as their text shows: it is not asked which one it is, as
   a flag is. False where template is NULL. */
bool at_plan_counts_by(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument);
/* The number beyond 0 and 1, other than `value`, for which the reference asks where it
   is given the argument: "mode == 2". The least of them, or the largest. 0: it asks for
   none. */
int64_t at_plan_other_kind(const struct at_spec *spec,
	const struct at_template *template, const struct at_argument *argument,
	int64_t value, bool is_last);
/* Whether a value of a parameter divides the number (as an unrolling divides a number
   of steps) but not the other one that would replace it. */
bool at_plan_is_divided(const struct at_spec *spec, int64_t number, int64_t other);
/* The real number that replaces `value`, which is the index-th of those that are
   replaced, from the least on where what was less is to stay less. The factors are not
   all the same: who knows the quotient of two numbers by heart is wrong. */
double at_plan_other_real(double value, size_t index);
/* Whether a number is next to nothing, so that a smaller one would show nothing. */
bool at_plan_is_small_real(double value);
/* The one that replaces a number next to nothing. */
double at_plan_larger_real(double value);
/*
 * Numbers far below the ones of the space, so that a limit that no data reaches is
 * reached. A real one is a sixteenth of it; a whole one is 16, or from 512 on 16 more
 * for each doubling, or where no parameter would divide that a sixteenth; of one below
 * 0 it is 0, which something may be equal to. What is small stays. A number that is not
 * above another one is not above it then, as the ends of a range.
 */
double at_plan_low_real(double value);
int64_t at_plan_low(const struct at_spec *spec, int64_t value);

/* Whether an argument is 0 all over in the space, so that what kernels do with it does
   not show: a real scalar, sum or input. */
bool at_plan_hides(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument);

/* The range that AT_VARIATION_UNSAID fills a buffer of the type from. */
void at_plan_unsaid_range(enum at_element element, double *low, double *high);
/* The deviation of the normal fill that AT_VARIATION_UNSAID_REALS uses. */
double at_plan_unsaid_deviation(enum at_element element);

#endif
