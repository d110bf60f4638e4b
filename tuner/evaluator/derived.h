/*
 * Problems on which winners are proved where the space names none: the tuned problem
 * with sizes that are multiples of nothing.
 *
 *   at_derived_make(spec, tuned, &device, &problems, &count, &err);
 *   ... at_plan_init(&plan, spec, template, &problems[i], tuned, ...) ...
 *   at_derived_free(problems, count);
 *
 * A size varies only where the kernel is plainly told its value at launch: it is an
 * extent of a buffer or of the grid, no compiler option contains it, and both the tuned
 * kernel and the reference get it as an argument, alone or in a product, a sum or a
 * quotient. A size that is passed divided ("N / 4") stays a multiple of the divisor. A
 * size that a kernel may be made for (a radius, a power, a count of iterations) stays
 * as it is tuned. Small extents (channels) become one smaller, in a problem of their
 * own.
 *
 * Threads: pure functions.
 */
#ifndef AT_EVALUATOR_DERIVED_H
#define AT_EVALUATOR_DERIVED_H

#include "device/device.h"
#include "space/spec.h"

/* The most problems that at_derived_make() makes. */
#define AT_DERIVED_MAX 9

/*
 * Makes the problems. *count is 0 where `verify` forbids derived problems, or where no
 * size can vary. A size does not vary if the problems of `verify` already have a value
 * of it that is no multiple of 16. Each problem lists only the sizes that differ from
 * the tuned problem's, and is named after them: "derived M=1023 N=511". The caller
 * releases the array with at_derived_free().
 */
enum at_status at_derived_make(const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_device_info *device,
	struct at_problem **out, size_t *count, struct at_error *err);
/* Releases the array; problems may be NULL with count 0. */
void at_derived_free(struct at_problem *problems, size_t count);

#endif
