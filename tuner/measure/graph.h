/* Times short launches a second way, as nodes of a graph: the device runs these one
   after the other without the host. */
#ifndef AT_MEASURE_GRAPH_H
#define AT_MEASURE_GRAPH_H

#include "measure/candidate.h"

/*
 * The time of one launch, of a candidate that was sampled, in a graph of many; 0 where
 * the device has no graphs or cannot make one of these launches. Their output can be
 * checked by verify_sampled() afterwards.
 */
enum at_outcome graph_time(struct at_measure_context *self, struct candidate *candidate,
	double *launch_ns, struct at_error *err);
/*
 * Times an empty kernel with as many launches a sample as `beside` had, and in a graph
 * if `beside` was timed in one: fills empty_ns and empty_graph_ns of the conditions. A
 * failure of the device leaves them as they are and is found by the next job; the
 * function itself fails only with AT_ENOMEM.
 */
enum at_status nothing_time(struct at_measure_context *self,
	const struct at_measure_result *beside,
	struct at_measure_conditions *conditions, struct at_error *err);

#endif
