/* How a winner was measured and verified, in words. Threads: safe. */
#ifndef AT_CLI_MEASUREMENT_H
#define AT_CLI_MEASUREMENT_H

#include "cli/page.h"
#include "record/store.h"

/*
 * Appends what is worth mentioning of at_winner.measurement: "30 samples in 6 blocks; a
 * kernel that does nothing takes 1.9 us; the clock went from 1.98 GHz to 1.76 GHz; the
 * board was held back in 2 rounds that were taken again". Nothing where nothing is
 * known.
 */
void at_measurement_write(const char *json, struct at_strbuf *out);

/* Appends for what the winner is not verified: an entry, or nothing. It belongs right
   behind the winner, for readers who stop at the first lines. */
void at_measurement_add_unfit(struct at_page *page, const struct at_winner *best);
/* Appends entries: how the finals measured, what verified the winner, what was not
   run, the coverage. */
void at_measurement_add(struct at_page *page, const struct at_winner *best);

#endif
