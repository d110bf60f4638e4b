/*
 * Makes a winner, as the record keeps it, from what the session
 * knows about it. Threads: pure functions.
 */
#ifndef AT_SESSION_WINNER_H
#define AT_SESSION_WINNER_H

#include "record/verification.h"
#include "session/visit.h"

/* What a winner is made from. All pointers are borrowed for the call. */
struct at_selection {
	const struct at_visit *visit;
	const struct at_compiled_plan *plan; /* of the winner */
	/* of the finals; without finals that of the evaluation */
	struct at_score score;
	struct at_score speedup; /* NAN: not known */
	/* the baseline's score in the same finals; NAN: not known */
	struct at_score baseline;
	/* the winner's measurement in the finals; NULL: no finals */
	const struct at_measure_result *final;
	/* the budget ended the finals before they were decided */
	bool is_undecided;
	int64_t evaluation_id;
	int64_t baseline_id; /* 0: none exists */
	uint64_t evaluation_count; /* evaluations it was chosen from, of all outcomes */
	uint64_t ok_count; /* of these, evaluations that were ok */
	const struct at_verification
		*verification; /* NULL: the winner is not verified */
	/* part of the space that was searched; "" or NULL: the whole space */
	const char *part;
	/* what it met in the finals (session/candidates.h); "" or NULL: nothing */
	const char *met;
	/* at_finals_phase_energy(); NULL: energy was not measured */
	const char *energy;
};

/* Fills *out, which is the caller's: at_winner_release(). */
void at_winner_make(const struct at_selection *facts, struct at_winner *out);

/* How the finals were measured (blocks, clocks, throttling), as a winner keeps it:
   JSON, or "" for NULL. template: what was compiled (struct at_compile_request,
   includes); zero: not known. energy: as in struct at_selection. Heap. */
char *at_winner_measurement(const struct at_measure_result *final, bool is_undecided,
	struct at_hash template, const char *energy);
/* Whether the budget ended the winner's finals before they were decided. */
bool at_winner_is_undecided(const struct at_winner *self);

#endif
