/*
 * Makes a crown, which is what the record keeps of a winner, from what the session
 * knows about it. Threads: pure functions.
 */
#ifndef AT_SESSION_CROWN_H
#define AT_SESSION_CROWN_H

#include "record/proof.h"
#include "session/visit.h"

/* What a crown is made from. All pointers are borrowed for the call. */
struct at_crowning {
	const struct at_visit *visit;
	const struct at_planned *planned; /* of the winner */
	/* of the finals; without finals that of the evaluation */
	struct at_score score;
	struct at_score speedup; /* NAN: not known */
	/* the baseline's score in the same finals; NAN: not known */
	struct at_score baseline;
	/* the winner's measurement in the finals; NULL: no finals */
	const struct at_final *final;
	/* the budget ended the finals before they were decided */
	bool is_undecided;
	int64_t evaluation_id;
	int64_t baseline_id; /* 0: there is none */
	uint64_t evaluation_count; /* evaluations it was chosen from, of all outcomes */
	uint64_t ok_count; /* of these, evaluations that were ok */
	const struct at_proof *proof; /* NULL: the winner is not proved */
	/* part of the space that was searched; "" or NULL: the whole space */
	const char *part;
	/* what it met in the finals (session/candidates.h); "" or NULL: nothing */
	const char *met;
};

/* Fills *out, which is the caller's: at_crown_release(). */
void at_crown_make(const struct at_crowning *facts, struct at_crown *out);

/* How the finals were measured (blocks, clocks, throttling), as a crown keeps it: JSON,
   or "" for NULL. Heap. */
char *at_crown_measurement(const struct at_final *final, bool is_undecided);
/* Whether the budget ended the winner's finals before they were decided. */
bool at_crown_is_undecided(const struct at_crown *self);

#endif
