/*
 * Which run measures which configuration right now. Runs that share a record claim a
 * key before they measure it, so that no two of them measure the same.
 *
 *   at_claimant_init(&claimant, run_id);
 *   at_store_claim(store, &claimant, key, known_id, now_seconds, &claim, &owner, &err);
 *   OURS      measure it, then at_store_add(), which ends the claim in the same commit
 *   THEIRS    do something else, try at_store_find() again later, then claim again
 *   RECORDED  at_store_find() has it by now
 *   at_store_drop_claims(store, &claimant, now_seconds, &err);
 *
 * A claim is advice and no lock: a run that ignores it repeats work and breaks nothing.
 * A claim ends when the evaluation is recorded or when its run drops it; at once when
 * its process has died and was on this machine; else when it was not renewed for
 * AT_CLAIM_SECONDS. That age is taken by the clock of the run that looks, so machines
 * whose clocks differ by more do not see each other's claims. A store that one process
 * has alone (at_store_open_alone()), or that is in memory, has no claims: every claim
 * is OURS. Threads: as the store.
 */
#ifndef AT_RECORD_CLAIMS_H
#define AT_RECORD_CLAIMS_H

#include "record/store.h"

/* A claim that is not renewed for so long has expired: the work of a run that was
   stopped (SIGSTOP), or whose machine went down, is taken over by others. */
#define AT_CLAIM_SECONDS 60

/* What came of a claim; the first comment says what to do then. */
enum at_claim {
	AT_CLAIM_NONE = 0,
	AT_CLAIM_OURS,
	AT_CLAIM_THEIRS,
	AT_CLAIM_RECORDED,
};

#define AT_OWNER_SIZE 96

/* Who claims: a process, for one of its runs. */
struct at_claimant {
	int64_t run_id; /* the run's id in the record */
	/* The process: its number, when it began, and at_process_namespace(), within
	   which such numbers mean the same: "1234 567890 00ff..". */
	char owner[AT_OWNER_SIZE];
};

/* Fills in this process, for a run. */
void at_claimant_init(struct at_claimant *self, int64_t run_id);

/*
 * Tries to claim a key for the claimant's run. known_id: the evaluation of this key
 * that the caller has found but cannot use; 0: it found none. An evaluation recorded
 * after that one gives RECORDED. *owner (may be NULL): for THEIRS the other run's
 * process number if that process is on this machine, else 0.
 */
enum at_status at_store_claim(struct at_store *self, const struct at_claimant *claimant,
	struct at_hash key, int64_t known_id, int64_t now_seconds, enum at_claim *out,
	int64_t *owner, struct at_error *err);
/* Renews all claims of the run; to be called more often than every AT_CLAIM_SECONDS. */
enum at_status at_store_renew_claims(struct at_store *self,
	const struct at_claimant *claimant, int64_t now_seconds, struct at_error *err);
/* Gives up the claim of a configuration that will not be measured. */
enum at_status at_store_drop_claim(struct at_store *self,
	const struct at_claimant *claimant, struct at_hash key, struct at_error *err);
/* Gives up all claims of the run, and removes those of other runs that have expired. */
enum at_status at_store_drop_claims(struct at_store *self,
	const struct at_claimant *claimant, int64_t now_seconds, struct at_error *err);

#endif
