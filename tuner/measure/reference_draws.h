/* How far rounding reaches at each value of an output, where data magnifies it. */
#ifndef AT_MEASURE_REFERENCE_DRAWS_H
#define AT_MEASURE_REFERENCE_DRAWS_H

#include "measure/bench_parts.h"

/*
 * The reference in double has said what is expected of the set, which is not masked
 * yet. Where rounding is magnified (tolerance_magnifies()), the one in float runs a few
 * times more, on inputs that differ in their last bit, for buffer.reach. AT_EDEVICE:
 * the device is lost; whatever else fails leaves outputs without a reach.
 */
enum at_status draws_take(struct at_bench *self, unsigned set, struct at_error *err);

#endif
