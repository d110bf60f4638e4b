/*
 * Who measures what at this moment: runs that share a record claim a key before they
 * measure it, so that none of them repeats what another one is at.
 *
 *   at_claimant_init(&claimant, run_id);
 *   at_store_claim(store, &claimant, key, known_id, now_seconds, &claim, &err);
 *   OURS      measure it, and at_store_add(), which ends the claim with the same commit
 *   THEIRS    do something else, look at_store_find() again, claim again
 *   RECORDED  at_store_find() has it by now
 *   at_store_drop_claims(store, &claimant, now_seconds, &err);
 *
 * A claim is a courtesy and no lock: who ignores it repeats work and breaks nothing. It
 * ends with the evaluation that is recorded, when its run drops it, at once when its
 * process has died and both are on one machine, else when it was not renewed for
 * AT_CLAIM_SECONDS, by the clock of whoever looks: machines whose clocks differ by more
 * do not see each other's claims. A store that one process has alone
 * (at_store_open_alone()), or that is in memory, has no claims: all are OURS.
 * Threads: as the store.
 */
#ifndef AT_RECORD_CLAIMS_H
#define AT_RECORD_CLAIMS_H

#include "record/store.h"

/* A claim holds for so long if nobody renews it: a run that was stopped (SIGSTOP), or
   is on a machine that went down, has its work done by others after a minute. */
#define AT_CLAIM_SECONDS 60

enum at_claim {
	AT_CLAIM_NONE = 0,
	AT_CLAIM_OURS,
	AT_CLAIM_THEIRS,
	AT_CLAIM_RECORDED,
};

#define AT_OWNER_SIZE 96

struct at_claimant {
	int64_t run_id; /* of the record */
	/* the process: its number, when it began, and where such numbers count:
	   "1234 567890 00ff.." */
	char owner[AT_OWNER_SIZE];
};

/* This process, for a run. */
void at_claimant_init(struct at_claimant *self, int64_t run_id);

/*
 * known_id: the evaluation of this key that the caller found and that is no answer for
 * him; 0: he found none. One that was recorded since is RECORDED. *owner (may be NULL):
 * of THEIRS the number of the process where that is on this machine, else 0.
 */
enum at_status at_store_claim(struct at_store *self, const struct at_claimant *claimant,
	struct at_hash key, int64_t known_id, int64_t now_seconds, enum at_claim *out,
	int64_t *owner, struct at_error *err);
/* All of the run; more often than AT_CLAIM_SECONDS. */
enum at_status at_store_renew_claims(struct at_store *self,
	const struct at_claimant *claimant, int64_t now_seconds, struct at_error *err);
/* One that will not be measured. */
enum at_status at_store_drop_claim(struct at_store *self,
	const struct at_claimant *claimant, struct at_hash key, struct at_error *err);
/* All of the run, and of others those that have expired. */
enum at_status at_store_drop_claims(struct at_store *self,
	const struct at_claimant *claimant, int64_t now_seconds, struct at_error *err);

#endif
