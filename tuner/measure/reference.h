/* What outputs must be. */
#ifndef AT_MEASURE_REFERENCE_H
#define AT_MEASURE_REFERENCE_H

#include "measure/bench_parts.h"

/*
 * Runs the reference into a set's expected outputs, which hold poison, and proves what
 * it left there. AT_EINVAL: that cannot be compared with anything.
 */
enum at_status reference_run(
	struct at_bench *self, unsigned set, unsigned poison, struct at_error *err);

#endif
