/* How close is close enough, and what people are told of it. */
#ifndef AT_MEASURE_TOLERANCE_H
#define AT_MEASURE_TOLERANCE_H

#include "measure/bench_parts.h"

/* At most so many of all values may lie next to a border that rounding decides: more
   are no matter of luck. */
#define EXCUSED_PART 64

/* What the request in work is to be judged by, in a set of data. */
struct tolerance tolerance_of(
	const struct at_bench *self, size_t argument, unsigned set);
/*
 * The reference has given other outputs for the set: measures their scales, before they
 * are masked, and forgets the errors of those before them.
 */
enum at_status tolerance_measure_scales(
	struct at_bench *self, unsigned set, struct at_error *err);
/* The set's is the data that the space declares; nothing where that was done. */
enum at_status tolerance_keep_declared(
	struct at_bench *self, unsigned set, struct at_error *err);
/* Some of the set's data, or of the space's own, magnifies what rounding does, so that
   kernels are off there by very different amounts; by the reference in double. */
bool tolerance_magnifies(const struct at_bench *self, size_t argument, unsigned set);
/* The reference in double says something else of what is that small: true, and its
   scale is 0 from now on, if there is hardly more of it than rounding leaves of the
   inputs. */
bool tolerance_forget_rounding(struct at_bench *self, unsigned set, size_t argument);
/* Its scale is far beyond the inputs, as where what is masked is -1e30: true, and it is
   that of the other values from now on, if there are any; *before: what it was. */
bool tolerance_leave_out_far(
	struct at_bench *self, unsigned set, size_t argument, double *before);
/* A request begins. */
void tolerance_begin(struct at_bench *self, const struct at_measure_request *request);
/* The words of a comparison: into the result, and of this evaluation so far. */
void tolerance_note_errors(struct at_bench *self, size_t argument,
	const uint64_t *found, struct at_measure_result *result);
/* Whether an output's follows from evidence. */
bool tolerance_is_default(const struct at_measure_argument *facts);
/* What is within its tolerance, and no rounding all the same: true, and why. */
bool tolerance_is_abused(const struct at_bench *self, size_t argument, unsigned set,
	const uint64_t *found, char *why, size_t size);
/* Of a wrong result: how wrong it is, behind what else is said. */
void tolerance_explain(const struct at_bench *self, size_t argument, unsigned set,
	const uint64_t *found, struct at_measure_result *result);
/* Fills in what people are told, after the baseline was compared. */
void tolerance_tell(struct at_bench *self, struct at_measure_result *result);

#endif
