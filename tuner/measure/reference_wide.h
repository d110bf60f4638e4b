/* The reference once more, in double, on copies of what it works on. */
#ifndef AT_MEASURE_REFERENCE_WIDE_H
#define AT_MEASURE_REFERENCE_WIDE_H

#include "measure/bench_parts.h"

/* Copies of what the reference works on; none where there is none in double. */
struct wide {
	unsigned set;
	/* one an argument, NULL where it is not copied; NULL: there are none */
	struct at_memory **copies;
};

/* Ahead of the reference, which changes what is inout. */
void wide_begin(struct at_bench *self, unsigned set, struct wide *out);
/*
 * After it, when the scales are known: float_ns is how long it took. Replaces what is
 * expected, where it can. Releases the copies. AT_EDEVICE: the device is lost.
 */
enum at_status wide_end(struct at_bench *self, struct wide *wide, double float_ns,
	struct at_error *err);
void wide_release(struct at_bench *self, struct wide *wide);

#endif
