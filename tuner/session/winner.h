/*
 * Makes a winner's row from what the session knows about it. Threads: pure functions.
 */
#ifndef AT_SESSION_WINNER_H
#define AT_SESSION_WINNER_H

#include "record/verification.h"
#include "session/visit.h"

/* What a winner is made from. All pointers are borrowed for the call. */
struct at_selection {
	const struct at_visit *visit;
	const struct at_compiled_plan *plan; /* of the winner */
	/* of the finals, or without finals of the evaluation */
	struct at_score score;
	struct at_score speedup; /* NAN: not known */
	/* the baseline's score in the same finals; NAN: not known */
	struct at_score baseline;
	/* the winner's measurement in the finals; NULL: no finals */
	const struct at_measure_result *final;
	/* the budget ended the finals undecided */
	bool is_undecided;
	int64_t evaluation_id;
	int64_t baseline_id; /* 0: none */
	/* evaluations of any outcome that it was chosen from */
	uint64_t evaluation_count;
	uint64_t ok_count; /* of these, ok */
	const struct at_verification
		*verification; /* NULL: the winner is not verified */
	/* searched part of the space; "" or NULL: all of it */
	const char *part;
	/* what it met in its finals (session/candidates.h); "" or NULL: nothing */
	const char *met;
	/* at_finals_phase_energy(); NULL: energy was not measured */
	const char *energy;
};

/* Fills *out, which is the caller's: at_winner_release(). */
void at_winner_make(const struct at_selection *facts, struct at_winner *out);

/* How the finals were measured (blocks, clocks, throttling), for a winner's row: JSON,
   or "" for NULL. template: what was compiled (struct at_compile_request, includes);
   zero: not known. energy: as in struct at_selection. Heap. */
char *at_winner_measurement(const struct at_measure_result *final, bool is_undecided,
	struct at_hash template, const char *energy);
/* Whether the budget ended the winner's finals undecided. */
bool at_winner_is_undecided(const struct at_winner *self);

#endif
