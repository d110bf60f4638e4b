/* What rounding does to a reference: how far it reaches at each value of an output, and
   which values it decides. */
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

/*
 * What is rounded to whole steps, put into classes or chosen as the nearest jumps where
 * it is next to a border, by more than any tolerance; on which side of it a value comes
 * out is a matter of the last bit. So the reference in float runs again on inputs that
 * differ in the last bits, and what it gives for one of them is right, too. Only few
 * values may be excused, so that whoever treats all that is on a border in the wrong
 * way is not.
 *
 * Of an output that launches left, of which so many values were not what is expected.
 * True of draws_excuse(): all is right, and the output's row of checks is what it would
 * be if those that are excused were as expected. It uses all rows.
 */
bool draws_may_excuse(const struct at_bench *self, size_t argument, uint64_t differing);
bool draws_excuse(struct at_bench *self, size_t argument, struct staging staging,
	uint64_t differing);

#endif
