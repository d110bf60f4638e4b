/*
 * Problems to prove winners on where a space names none: the tuned one with sizes that
 * are no multiple of anything.
 *
 *   at_derived_make(spec, tuned, &device, &problems, &count, &err);
 *   ... at_plan_init(&plan, spec, template, &problems[i], tuned, ...) ...
 *   at_derived_free(problems, count);
 *
 * Sizes vary only where it is plain that kernels are told of them when they are
 * launched: an extent of a buffer or of the grid, which the tuned kernel and the
 * reference both get as an argument, by itself or in a product, a sum or a part, and no
 * option of the compiler. What is told in parts ("N / 4") stays a multiple. What is
 * made for one size (a radius, a power, a count of iterations) stays as it is tuned;
 * small extents (channels) become smaller by one, in a problem of their own.
 *
 * Threads: pure functions.
 */
#ifndef AT_EVALUATOR_DERIVED_H
#define AT_EVALUATOR_DERIVED_H

#include "device/device.h"
#include "space/spec.h"

/* At most so many. */
#define AT_DERIVED_MAX 9

/*
 * *count 0 where `verify` forbids it, or where no size can vary. A size stays for which
 * the problems of `verify` have a value that is no multiple of 16. Each
 * problem gives the sizes that differ from the tuned one's, and is named by them:
 * "derived M=1023 N=511". The array is the caller's: at_derived_free().
 */
enum at_status at_derived_make(const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_device_info *device,
	struct at_problem **out, size_t *count, struct at_error *err);
void at_derived_free(struct at_problem *problems, size_t count);

#endif
