/*
 * Which run measures which configuration right now. Runs that share a record claim a
 * key before they measure it, so that no two of them measure the same.
 *
 *   claim = at_store_claim(store, key, &owner);
 *   at_store_find(store, key, ...)     only now: see below
 *   found     at_store_drop_claim() if it was OURS, nothing is to be measured
 *   OURS      measure it, at_store_add(), then at_store_drop_claim()
 *   THEIRS    do something else, and begin again later
 *
 * In this order nothing is measured twice: a run that drops a claim has recorded the
 * evaluation before, so that whoever has the claim then finds it. So the look must not
 * be into an older snapshot (at_store_begin_reading()).
 *
 * A claim is advice and no lock: a run that ignores it repeats work and breaks nothing.
 * So nothing here fails; where claims are not possible (a file system without locks, a
 * file of another user, no room for another file) all keys are OURS, as in a store that
 * one process has alone (at_store_open_alone()) or that is in memory. A claim ends when
 * it is dropped, when the store is closed, or with its process, however that ends. A
 * run that stands still keeps its claims: how long to wait for it is for the caller to
 * decide.
 *
 * Versions that had claims as rows of the record see none of these, and are not seen.
 * Beside such a run both measure, both rows are kept, and the newer one counts, as
 * after --fresh.
 * Threads: as the store.
 */
#ifndef AT_RECORD_CLAIMS_H
#define AT_RECORD_CLAIMS_H

#include "record/store.h"

/*
 * `tell` is called where claims are not possible, once for each store, with the file
 * and the reason; NULL: no function. Want of room or of descriptors is not reported: it
 * may pass, and then claims are possible.
 */
void at_claims_on_refused(void (*tell)(const struct at_error *reason));

/* What came of a claim; see above for what to do then. */
enum at_claim {
	AT_CLAIM_NONE = 0,
	AT_CLAIM_OURS,
	AT_CLAIM_THEIRS,
};

/*
 * Tries to claim a key. Two stores are two runs, also in one process; a key that this
 * store has claimed before is OURS. *owner (may be NULL): for THEIRS the number of the
 * process that has it, if that process is on this machine and in this container, else
 * 0.
 */
enum at_claim at_store_claim(struct at_store *self, struct at_hash key, int64_t *owner);
/* Gives up the claim of a key; does nothing where this store has none of it. */
void at_store_drop_claim(struct at_store *self, struct at_hash key);

#endif
