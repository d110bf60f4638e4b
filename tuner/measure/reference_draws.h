/*
 * What rounding does to the reference's output: how far off it can put each value, and
 * which values jump because of it. A draw is one more run of the reference on inputs
 * that differ in their last bits.
 */
#ifndef AT_MEASURE_REFERENCE_DRAWS_H
#define AT_MEASURE_REFERENCE_DRAWS_H

#include "measure/bench_parts.h"

/*
 * Call when the reference in double has made the expected outputs of a set, before they
 * are masked. Where the data magnifies rounding (tolerance_magnifies()), the reference
 * in float runs a few times more, on inputs that differ in their last bit, to fill
 * buffer.reach. AT_EDEVICE: the device is lost; after any other failure outputs have no
 * reach.
 */
enum at_status draws_take(struct at_bench *self, unsigned set, struct at_error *err);

/*
 * A value that is rounded to whole steps, put into classes or chosen as the nearest one
 * jumps by more than any tolerance where it lies next to a border, and the last bit
 * decides on which side it comes out. The reference in float therefore runs again on
 * inputs that differ in their last bits, and the values of these draws are right, too.
 * Only few values may be excused, so that a kernel that treats all values on a border
 * wrongly is still refused. Whole numbers may also be those of a reference that rounds
 * its results at random; values that need no rounding are not excused.
 *
 * found: the output's row of checks; differing: how many of its values were not as
 * expected. draws_may_excuse(): whether it is worth trying. draws_excuse(): true where
 * every wrong value is explained by a draw; the output's row of checks is then as if
 * those values had been as expected. It overwrites all rows of checks.
 */
bool draws_may_excuse(const struct at_bench *self, size_t argument, unsigned set,
	const uint64_t *found);
bool draws_excuse(struct at_bench *self, size_t argument, struct staging staging,
	uint64_t differing);

#endif
