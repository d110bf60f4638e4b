/*
 * How the finals of a winner were measured, for people. Threads: safe.
 */
#ifndef AT_CLI_MEASUREMENT_H
#define AT_CLI_MEASUREMENT_H

#include "base/memory.h"

/*
 * "30 samples in 6 blocks; a kernel that does nothing takes 1.9 us; the clock went from
 * 1.98 GHz to 1.76 GHz; the board was held back in 2 rounds that were taken again": of
 * at_crown.measurement, only what is worth a word. Nothing where nothing is known.
 */
void at_measurement_write(const char *json, struct at_strbuf *out);

#endif
