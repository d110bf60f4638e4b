/*
 * Which measurements a winner met in its finals, as its crown keeps them
 * (at_crown.met): a list of words, one word for each measurement that took part. A
 * recorded winner stands as long as every measurement that could beat it is in the
 * list. Times of recording do not decide that: an imported evaluation may be older than
 * the crown and yet never have met it, two runs fit into one second, and clocks are set
 * back.
 * Threads: pure functions.
 */
#ifndef AT_SESSION_MET_H
#define AT_SESSION_MET_H

#include "session/candidates.h"

/*
 * Makes the list of words of the candidates at `places`, separated by blanks. A
 * configuration that is measured again under the same key has another word, since the
 * finals did not know the new time. Heap.
 */
char *at_met_list(
	const struct at_candidates *candidates, const size_t *places, size_t count);
/* Whether the list has the word of this candidate, or of another candidate that is the
   same kernel (at_candidate_is_same_kernel()). met may be NULL. */
bool at_met_has(const char *met, const struct at_candidates *candidates, size_t place);

#endif
