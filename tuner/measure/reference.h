/* Makes the expected outputs by running the reference. */
#ifndef AT_MEASURE_REFERENCE_H
#define AT_MEASURE_REFERENCE_H

#include "measure/bench_parts.h"

/*
 * Runs the reference. It writes to the expected outputs of the set, which hold `poison`
 * before, and what it wrote is checked. AT_EINVAL: its output cannot be compared with
 * anything (not finite, or unwritten).
 */
enum at_status reference_run(struct at_measure_context *self, unsigned set,
	unsigned poison, struct at_error *err);

#endif
