/*
 * What limits a kernel's speed, in words: the resources of a multiprocessor (occupancy)
 * and the ceilings of the device (roofline). What is not known is left out. Threads:
 * safe.
 */
#ifndef AT_CLI_LIMITS_H
#define AT_CLI_LIMITS_H

#include "base/memory.h"
#include "kernel/facts.h"
#include "kernel/roofline.h"

#include <stdbool.h>

/* Whether it is known how many blocks of the kernel are resident. */
bool at_limits_has_occupancy(const struct at_facts *facts);

/*
 * Appends "31 registers, 8 KiB shared; 8 blocks of 256 threads on a multiprocessor,
 * occupancy 100 %, limited by threads"; nothing where none of it is known.
 */
void at_limits_write_resources(const struct at_facts *facts, struct at_strbuf *out);
/* Appends "8 blocks of 256 threads on a multiprocessor, 100 %, limited by threads". */
void at_limits_write_occupancy(const struct at_facts *facts, struct at_strbuf *out);

/*
 * Appends what is special about a recorded launch (struct at_winner): of a sequence
 * "0: 31 registers, 8 KiB shared, cluster 8x1x1; 1: 40 registers, dependent", else the
 * attributes; nothing where there are none.
 */
void at_limits_write_launch(const char *launch, struct at_strbuf *out);

/* Appends "4.29 TB/s", the rate of what limits the kernel; both rates where that is not
   known. */
void at_limits_write_rate(const struct at_roofline *roofline, struct at_strbuf *out);
/*
 * Appends "4.29 TB/s, 101 % of the copy ceiling; 0.125 flop/B, memory-bound (ridge at
 * 14.3 flop/B)"; nothing where no rate is known. is_double: as for at_roofline().
 */
void at_limits_write_speed(
	const struct at_roofline *roofline, bool is_double, struct at_strbuf *out);
/* Appends "44.1 TFLOP/s (73 % of the float FMA ceiling), 65.2 GB/s; 683 flop/B,
   ...". */
void at_limits_write_rates(
	const struct at_roofline *roofline, bool is_double, struct at_strbuf *out);

/* Appends "copy 4.25 TB/s, float FMA 60.3 TFLOP/s"; nothing where none was measured. */
void at_limits_write_ceilings(
	const struct at_ceilings *ceilings, struct at_strbuf *out);

#endif
