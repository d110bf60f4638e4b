/*
 * Says which parameters mattered, from the gains that the record keeps of a crown
 * (record/store.h, struct at_crown). Threads: safe.
 */
#ifndef AT_CLI_GAINS_H
#define AT_CLI_GAINS_H

#include "base/memory.h"

#include <stdbool.h>

enum at_gains {
	AT_GAINS_UNKNOWN = 0, /* it was not examined */
	/* No change of a parameter leads from the baseline to something faster. */
	AT_GAINS_NOTHING,
	AT_GAINS_STEPS,
};

/*
 * Appends the steps of the gain; nothing unless there are some. json: the steps as
 * recorded; NULL and "" mean that they were not examined. Steps of less than 2 % of the
 * gain are added up as the rest.
 * markdown false: TILE 16 -> 32 71 %, PAD 0 -> 1 24 %, the rest 5 %
 * markdown true: `TILE` 16 -> 32: 71 % of the gain; `PAD` 0 -> 1: 24 %; the rest: 5 %
 * Parameters that were changed together stay together: TILE_M 1 -> 8 with TILE_N 1 -> 8
 * 61 %.
 */
enum at_gains at_gains_write(const char *json, bool markdown, struct at_strbuf *out);

#endif
