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
/* The value of the scalar to which the reference asks whether this one is equal
   (AT_VARIATION_MET). */
int64_t at_plan_met(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument);
/* Whether the reference is given the argument and asks whether it is 0: "cap > 0". */
bool at_plan_asks_for_zero(const struct at_spec *spec,
	const struct at_template *template, const struct at_argument *argument);
/* Whether the number is a size: one that stands in a count, a launch, an option, a
   constraint or a problem cannot change alone. */
bool at_plan_is_size(const struct at_spec *spec, int64_t number);
/* The same without problems, whose sizes may be equal to it by chance. */
bool at_plan_is_in_counts(const struct at_spec *spec, int64_t number);
/* Whether a size of the space has that value, and the count of a buffer names it. */
bool at_plan_counts_size(const struct at_spec *spec, int64_t number);
/* Whether one text is the other one and then `rest`, spaces aside. */
bool at_plan_is_text_and(const char *text, const char *begin, const char *rest);
/* Whether a value of a parameter divides the number (as an unrolling divides a number
   of steps) but not the other one that would replace it. */
bool at_plan_is_divided(const struct at_spec *spec, int64_t number, int64_t other);
/*
 * Numbers far below the ones of the space, so that a limit that no data reaches is
 * reached. A real one is a sixteenth of it; a whole one is 16, or from 512 on 16 more
 * for each doubling, or where no parameter would divide that a sixteenth; of one below
 * 0 it is 0, which something may be equal to. What is small stays. A number that is not
 * above another one is not above it then, as the ends of a range.
 */
int64_t at_plan_low(const struct at_spec *spec, int64_t value);

/* Whether an argument is 0 all over in the space, so that what kernels do with it does
   not show: a real scalar, sum or input. */
bool at_plan_hides(const struct at_spec *spec, const struct at_template *template,
	const struct at_argument *argument);

#endif
