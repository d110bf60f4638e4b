/*
 * What holds a kernel back, in words: the resources of a multiprocessor (occupancy)
 * and the ceilings of the device (roofline). What is not known is left out.
 * Threads: safe.
 */
#ifndef AT_CLI_LIMITS_H
#define AT_CLI_LIMITS_H

#include "base/memory.h"
#include "kernel/facts.h"
#include "kernel/roofline.h"

#include <stdbool.h>

/* Whether the record says how many blocks of it are resident. */
bool at_limits_has_occupancy(const struct at_facts *facts);

/*
 * "31 registers, 8 KiB shared; 8 blocks of 256 threads on a multiprocessor,
 * occupancy 100 %, limited by threads"; nothing where neither is known.
 */
void at_limits_write_resources(const struct at_facts *facts, struct at_strbuf *out);
/* "8 blocks of 256 threads on a multiprocessor, 100 %, limited by threads" */
void at_limits_write_occupancy(const struct at_facts *facts, struct at_strbuf *out);

/* "4.29 TB/s": of what it is bound by; both rates where that cannot be told. */
void at_limits_write_rate(const struct at_roofline *roofline, struct at_strbuf *out);
/*
 * "4.29 TB/s, 101 % of the copy ceiling; 0.125 flop/B, memory-bound (ridge at
 * 14.3 flop/B)"; nothing where there is no rate. is_double: as it was given to
 * at_roofline().
 */
void at_limits_write_speed(
	const struct at_roofline *roofline, bool is_double, struct at_strbuf *out);
/* "44.1 TFLOP/s (73 % of the float FMA ceiling), 65.2 GB/s; 683 flop/B, ..." */
void at_limits_write_rates(
	const struct at_roofline *roofline, bool is_double, struct at_strbuf *out);

/* "copy 4.25 TB/s, float FMA 60.3 TFLOP/s"; nothing where none is measured. */
void at_limits_write_ceilings(
	const struct at_ceilings *ceilings, struct at_strbuf *out);

#endif
