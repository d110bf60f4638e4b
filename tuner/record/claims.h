/*
 * Claims: which run is measuring which configuration. Runs that share a record claim a
 * key before they measure it, so that no two runs measure the same key.
 *
 *   claim = at_store_claim(store, key, &owner);
 *   at_store_find(store, key, ...)     only after the claim: see below
 *   found     at_store_drop_claim() if it was OURS; nothing to measure
 *   OURS      measure it, at_store_add(), then at_store_drop_claim()
 *   THEIRS    do something else, and try again later
 *
 * This order prevents double work: a run records the evaluation before it drops the
 * claim, so the next owner of the claim finds it. So the lookup must not use an older
 * snapshot (at_store_begin_reading()).
 *
 * A claim is advisory: a run that ignores it repeats work and breaks nothing. So
 * nothing here fails. If claims are impossible (a file system without locks, a file of
 * another user, no room for another file), all keys are OURS, as in a store opened
 * alone (at_store_open_alone()) or in memory. A claim ends when it is dropped, when the
 * store is closed, or with its process, even if that is killed. A stopped run keeps its
 * claims; the caller decides how long to wait.
 *
 * Versions that had claims as rows of the record do not see these claims, nor the
 * reverse. Then both runs measure, both rows stay, and the newer one counts, as after
 * --fresh. Threads: as the store.
 */
#ifndef AT_RECORD_CLAIMS_H
#define AT_RECORD_CLAIMS_H

#include "record/store.h"

/* Sets a function to call if claims are impossible, once for each store, with the file
   and the reason; NULL: none. It is not called for lack of room or descriptors, which
   may pass. */
void at_claims_on_refused(void (*tell)(const struct at_error *reason));

/* The result of a claim; see above. */
enum at_claim {
	AT_CLAIM_NONE = 0,
	AT_CLAIM_OURS,
	AT_CLAIM_THEIRS,
};

/* Tries to claim a key. Two stores are two runs, even in one process; a key that this
   store has claimed before is OURS. *owner (may be NULL): for THEIRS the id of the
   owning process if it is on this machine and in this container, else 0. */
enum at_claim at_store_claim(struct at_store *self, struct at_hash key, int64_t *owner);
/* Drops the claim of a key; does nothing if this store has not claimed it. */
void at_store_drop_claim(struct at_store *self, struct at_hash key);

#endif
