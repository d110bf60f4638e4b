/* How long a launch takes that does nothing. */
#ifndef AT_MEASURE_NOTHING_H
#define AT_MEASURE_NOTHING_H

#include "measure/bench_parts.h"

/*
 * Times a kernel that does nothing, as `beside` was sampled, and once more in a graph
 * where that was: empty_ns and empty_graph_ns of the watch. What goes wrong with it
 * leaves them as they are, and is the next one's to find: only memory fails.
 */
enum at_status nothing_time(struct at_bench *self,
	const struct at_measure_result *beside, struct at_measure_watch *watch,
	struct at_error *err);

#endif
