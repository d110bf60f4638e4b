/*
 * Problems on which winners are proved where the space names none: the tuned problem
 * with sizes that are multiples of nothing.
 *
 *   at_derived_make(spec, template, tuned, &device, &list, &count, &err);
 *   ... at_plan_init(&plan, spec, template, &list[i].problem, tuned, ...) ...
 *   at_derived_free(list, count);
 *
 * A size varies only where the kernel is plainly told its value at launch: it is an
 * extent of a buffer or of the grid, no compiler option contains it, and both the tuned
 * kernel and the reference get it as an argument, alone or in a product, a sum or a
 * quotient. A size that is passed divided ("N / 4") stays a multiple of the divisor,
 * and so does one that a buffer's count divides by another size ("M * (K / GROUP)").
 * Small extents (channels), and what else decides how large something is (a margin, a
 * stride, a filter), become one smaller in a problem of their own; 0 to 2 become one
 * larger. A size that divides others (a number of groups) becomes half of it, or 2
 * where it is 1, in a further one, if it divides them then as well. A 0 or a 1 that a
 * count asks about ("BIAS ? N : 1") is a flag.
 *
 * A size that nothing is as large as (a radius, a factor, a count of iterations, a
 * flag) and that both kernels are told is a number like those that stand in the
 * arguments, and becomes another one as those do (plan_vary.h), in problems of their
 * own: numbers in two, flags in two more, all on and all off. Of small sizes, numbers
 * and flags that are equal each second one changes in a further one, so that who takes
 * one for another is wrong; not if one count has both, as a window and its stride.
 * One that a compiler knows stays.
 *
 * Of three or four that are equal the last ones change once more, so that no two stay
 * equal in all problems. And what is 0 all over in the space becomes other numbers in
 * problems of their own, where flags change and where extents are 2 (shows_hidden).
 *
 * Where several sizes change at once, one that cannot be what it becomes hides what the
 * others would show: 11 channels in 4 groups. So there are problems in which one of
 * them changes alone, for where nothing is right on the one in which all do
 * (instead_of). In these an extent that others divide also becomes another multiple.
 *
 * Where no size varies and `verify` names no problem for the device, a large problem
 * becomes a small one as a whole: all large sizes that an argument or an option uses in
 * any way are divided by the same power of two.
 * It shows nothing about the ends of blocks, but the host and sanitizers, for which the
 * tuned problem would take hours, can run it.
 *
 * Threads: pure functions.
 */
#ifndef AT_EVALUATOR_DERIVED_H
#define AT_EVALUATOR_DERIVED_H

#include "device/device.h"
#include "kernel/source.h"
#include "space/spec.h"

/* A problem, and when a winner is to be proved on it. */
struct at_derived {
	struct at_problem problem;
	bool is_scaled; /* the tuned problem made smaller as a whole */
	/* n: only where no configuration is right on the n-th of the array, counted
	   from 1, or it cannot be evaluated there; 0: always */
	size_t instead_of;
	/* what is 0 in the space becomes other numbers too (AT_VARIATION_HIDDEN) */
	bool shows_hidden;
};

/*
 * Makes the problems. *count is 0 where `verify` forbids derived problems, or where no
 * size can vary. template: by its text a 1 that is no flag becomes 2; may be NULL. A
 * size does not vary if the problems of `verify` already have a value of it that is no
 * multiple of 16; below 16, any other value. Each problem lists only the sizes that
 * differ from the tuned problem's, and is named after them: "derived M=1023 N=511". For
 * one that is scaled at_derived_suits() holds or not. The caller releases the array
 * with at_derived_free().
 */
enum at_status at_derived_make(const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *tuned,
	const struct at_device_info *device, struct at_derived **out, size_t *count,
	struct at_error *err);
/*
 * Whether a configuration divides the problem that was made smaller as a whole as it
 * divides the tuned one: each value of its integer parameters, and each product of two
 * and three of them, that divides a tuned size divides what became of it. Otherwise a
 * kernel that works with whole tiles could be wrong there although it is right.
 */
bool at_derived_suits(const struct at_spec *spec, const struct at_problem *scaled,
	const struct at_problem *tuned, const uint16_t *configuration);
/* Releases the array; it may be NULL with count 0. */
void at_derived_free(struct at_derived *list, size_t count);

#endif
