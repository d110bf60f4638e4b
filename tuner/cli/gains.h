/*
 * Which parameter mattered, in words: the gains that the record keeps of a crown
 * (record/store.h, struct at_crown). Threads: safe.
 */
#ifndef AT_CLI_GAINS_H
#define AT_CLI_GAINS_H

#include "base/memory.h"

#include <stdbool.h>

enum at_gains {
	AT_GAINS_UNKNOWN = 0, /* it was not looked into */
	AT_GAINS_NOTHING, /* there is none: no step leads to something faster */
	AT_GAINS_STEPS,
};

/*
 * Appends the steps, which the caller has as JSON (NULL and "": not looked into);
 * nothing unless there are some. Steps below 2 % are added up as the rest.
 * markdown false: TILE 16 -> 32 71 %, PAD 0 -> 1 24 %, the rest 5 %
 * markdown true: `TILE` 16 -> 32: 71 % of the gain; `PAD` 0 -> 1: 24 %; the rest: 5 %
 * What was changed together stays together: TILE_M 1 -> 8 with TILE_N 1 -> 8 61 %.
 */
enum at_gains at_gains_write(const char *json, bool markdown, struct at_strbuf *out);

#endif
