/*
 * The conditions of a measurement: what may change from night to night and influences
 * times, such as driver, compiler, power limit, ECC, fixed clocks, and other processes
 * on the board. The record keeps them with each revisit (record/history.h). Threads:
 * pure function.
 */
#ifndef AT_SESSION_CONDITIONS_H
#define AT_SESSION_CONDITIONS_H

#include "evaluator/evaluator.h"

/*
 * The conditions as a flat JSON object: {"driver", "toolchain", "power_limit_watts",
 * "ecc", "set_clock_hz", "set_memory_clock_hz", "processes"}; what is not known is left
 * out. The clocks are the highest that the board's setting allows, also where nobody
 * has set it. conditions: as the finals found them; NULL: there were no finals. Heap.
 */
char *at_conditions_json(const struct at_evaluator_info *info,
	const struct at_measure_conditions *conditions);

#endif
