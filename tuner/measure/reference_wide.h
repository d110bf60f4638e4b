/* Runs the reference once more, in double, on widened copies of its arguments. */
#ifndef AT_MEASURE_REFERENCE_WIDE_H
#define AT_MEASURE_REFERENCE_WIDE_H

#include "measure/bench_parts.h"

/* Copies of the reference's arguments; none where there is no reference in double. */
struct wide {
	unsigned set;
	/* one for each argument, NULL where it is not copied; NULL: no copies at all */
	struct at_memory **copies;
};

/* Makes the copies. Call before the reference in float, which changes inout arguments.
 */
void wide_begin(struct at_bench *self, unsigned set, struct wide *out);
/*
 * Call after the reference in float, when the scales are known; float_ns is how long it
 * took, by which the run in double is bounded. Replaces the expected values by those in
 * double where the two agree. Releases the copies. AT_EDEVICE: the device is lost.
 */
enum at_status wide_end(struct at_bench *self, struct wide *wide, double float_ns,
	struct at_error *err);
void wide_release(struct at_bench *self, struct wide *wide);

#endif
