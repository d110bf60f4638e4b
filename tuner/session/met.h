/*
 * Whom a winner met in its finals, as crowns keep it (at_crown.met): words, one for
 * each measurement that took part. A winner stands as long as all that could beat it
 * are among them. Clocks have no say in that: what is imported may be older than the
 * crown that it never met, two runs fit into a second, and clocks are set back.
 * Threads: pure functions.
 */
#ifndef AT_SESSION_MET_H
#define AT_SESSION_MET_H

#include "session/candidates.h"

/*
 * The words of these candidates, at `places`. One that is measured again, under the
 * same key, has another word: the finals did not know of that. Heap; NULL where memory
 * ran out.
 */
char *at_met_list(
	const struct at_candidates *candidates, const size_t *places, size_t count);
/* Whether `met` has this candidate, or one that is the same kernel, launched in the
   same way on the same data. */
bool at_met_has(const char *met, const struct at_candidates *candidates, size_t place);

#endif
