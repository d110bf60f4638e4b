/*
 * What may change from night to night and decides times: driver, compiler, power limit,
 * ECC, clocks that were set, who else computes on the board. As the record keeps it
 * with each revisit (record/history.h). Threads: pure function.
 */
#ifndef AT_SESSION_CONDITIONS_H
#define AT_SESSION_CONDITIONS_H

#include "evaluator/evaluator.h"

/*
 * A flat JSON object: {"driver", "toolchain", "power_limit_watts", "ecc",
 * "set_clock_hz", "set_memory_clock_hz", "processes"}; what is not known is not in it.
 * watch: of finals; NULL: none were held. Heap; NULL when memory
 * ran out.
 */
char *at_conditions_json(
	const struct at_evaluator_info *info, const struct at_measure_watch *watch);

#endif
