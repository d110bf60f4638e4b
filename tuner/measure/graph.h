/* Short launches once more, as nodes of a graph. */
#ifndef AT_MEASURE_GRAPH_H
#define AT_MEASURE_GRAPH_H

#include "measure/candidate.h"

/*
 * What a launch of a candidate that was sampled takes in a graph of many; 0 where the
 * device has none, or cannot make one of these. What they left is then there for
 * verify_sampled().
 */
enum at_outcome graph_time(struct at_bench *self, struct candidate *candidate,
	double *launch_ns, struct at_error *err);
/* The same of a kernel that does nothing; before: ahead of each of its launches. */
enum at_outcome graph_time_nothing(struct at_bench *self,
	const struct call_list *before, const struct at_invocation *nothing,
	double *launch_ns, struct at_error *err);

#endif
