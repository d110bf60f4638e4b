/* Measures how long the launch of an empty kernel takes. */
#ifndef AT_MEASURE_NOTHING_H
#define AT_MEASURE_NOTHING_H

#include "measure/bench_parts.h"

/*
 * Times an empty kernel with as many launches a sample as `beside` had, and in a graph
 * if `beside` was timed in one: fills empty_ns and empty_graph_ns of the conditions. A
 * failure of the device leaves them as they are and is found by the next job; the
 * function itself fails only with AT_ENOMEM.
 */
enum at_status nothing_time(struct at_bench *self,
	const struct at_measure_result *beside,
	struct at_measure_conditions *conditions, struct at_error *err);

#endif
