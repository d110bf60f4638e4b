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
enum at_outcome graph_time(struct at_bench *self, struct candidate *candidate,
	double *launch_ns, struct at_error *err);
/* The same for an empty kernel; before: the calls ahead of each of its launches. */
enum at_outcome graph_time_nothing(struct at_bench *self,
	const struct call_list *before, const struct at_invocation *nothing,
	double *launch_ns, struct at_error *err);

#endif
