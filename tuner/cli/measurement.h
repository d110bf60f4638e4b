/* How the finals of a winner were measured, in words. Threads: safe. */
#ifndef AT_CLI_MEASUREMENT_H
#define AT_CLI_MEASUREMENT_H

#include "base/memory.h"

/*
 * Appends what is worth mentioning of at_crown.measurement: "30 samples in 6 blocks; a
 * kernel that does nothing takes 1.9 us; the clock went from 1.98 GHz to 1.76 GHz; the
 * board was held back in 2 rounds that were taken again". Nothing where nothing is
 * known.
 */
void at_measurement_write(const char *json, struct at_strbuf *out);

#endif
