/*
 * Says which parameters mattered, from the gains that the record keeps of a winner
 * (record/store.h, struct at_winner). Threads: safe.
 */
#ifndef AT_CLI_GAINS_H
#define AT_CLI_GAINS_H

#include "base/memory.h"
#include "record/store.h"

#include <stdbool.h>

enum at_gains {
	AT_GAINS_UNKNOWN = 0, /* it was not examined */
	/* No change of a parameter leads from the baseline to something faster. */
	AT_GAINS_NOTHING,
	AT_GAINS_STEPS,
};

/*
 * Appends the steps of the gain; nothing unless there are some. winner->gains: the
 * steps as recorded; NULL and "" mean that they were not examined. Each has its factor,
 * and all factors together are the speedup; steps of less than 1.02x are the rest:
 *
 *    TILE 16 -> 32: 3.1x; PAD 0 -> 1: 1.25x; the rest: 1.03x
 *
 * Parameters that were changed together stay together, joined by "with".
 * markdown: with names as code.
 */
enum at_gains at_gains_write(
	const struct at_winner *best, bool markdown, struct at_strbuf *out);

#endif
