/*
 * The parts of a tuning that its files share; no other file includes this. Each file
 * calls only those behind it: tuning.c leads from phase to phase, tuning_open.c opens
 * what a tuning needs before it begins, tuning_verification.c verifies winners,
 * tuning_winner.c selects and explains them, tuning_tell.c tells events and ends the
 * tuning. Threads: the loop's.
 */
#ifndef AT_SESSION_TUNING_PARTS_H
#define AT_SESSION_TUNING_PARTS_H

#include "session/tuning.h"

#include "search/strategy.h"
#include "session/budget.h"
#include "session/candidates.h"
#include "session/journal.h"
#include "session/phase_counters.h"
#include "session/phase_explanation.h"
#include "session/phase_finals.h"
#include "session/phase_verification.h"
#include "session/phase_search.h"
#include "space/search_space.h"

/* The phase that the tuning is in. */
enum phase {
	PHASE_NONE = 0,
	PHASE_SEARCH,
	PHASE_FINALS,
	PHASE_VERIFICATION,
	PHASE_EXPLANATION,
	PHASE_COUNTERS,
	PHASE_DONE,
};

/* The problem's winner: selected by this run, or by an earlier run and confirmed now.
 */
struct winner {
	uint64_t index; /* of the configuration */
	struct at_evaluation evaluation;
	struct at_winner best; /* space NULL: there is no winner yet */
};

/* The winner that the record had when the tuning began. */
struct recorded_winner {
	struct at_winner best; /* space NULL: there was none */
	/* Its configuration in this space; AT_NO_CONFIGURATION: it is not in this
	   space. */
	uint64_t index;
};

/* What events show beside their own subject; tuning_tell.c keeps it. */
struct shown {
	/* The best and the baseline so far, copied; id 0: none exists. */
	struct at_evaluation incumbent;
	struct at_evaluation baseline;
	uint16_t *incumbent_row; /* buffer for the incumbent's configuration */
	struct at_record_ceilings ceilings;
	bool has_ceilings;
	/* the listener was told that the tuning waits for another run */
	bool is_waiting;
};

/*
 * Configurations that miss the reference alike. Two kernels that give close outputs,
 * one of them the baseline, are evidence against the reference or the tolerance.
 */
struct doubt {
	unsigned alike; /* how many there were, one after the other */
	double error; /* the max_relative_error of the first */
	bool has_baseline; /* the baseline is one of them */
	bool is_settled; /* something else came to pass: there is no more to learn */
	size_t verification_case; /* of verifications: where they miss it */
};

/* The verification of the winner, then of the other finalists; tuning_verification.c
 * keeps it. */
struct verifying {
	struct at_verification_phase phase;
	/* The finalist that passed, in finals.finalists, and its verification; NULL:
	   none yet. */
	struct at_finalist *winner;
	struct at_verification verification;
	/* buffer for the configuration that a check is also made of, without defaults
	 */
	uint16_t *witness;
	uint16_t *shared_witness; /* the same, of racecheck and synccheck */
	/* index of the finalist to run under the sanitizers next */
	size_t next_sanitized;
	struct doubt doubt;
	char detail[640]; /* why the last winner was refused */
	/* called when the winner of the finals was refused */
	void (*refused)(struct at_tuning *self);
};

/* The tuning; everything that is not marked as borrowed belongs to it. */
struct at_tuning {
	struct at_visit visit;
	/* part of the space that is searched: "3/8"; "": the whole space */
	char part[48];
	struct at_strategy *strategy;
	struct at_journal *journal;
	struct at_candidates candidates;
	struct recorded_winner recorded;
	/* of --seeds, in this space */
	uint64_t *seeds;
	size_t seed_count;
	struct winner winner;
	enum phase phase;
	struct at_search_phase search;
	struct at_finals_phase finals;
	struct verifying verifying;
	struct at_explanation_phase explanation;
	struct at_counters_phase counters;
	struct shown shown;
	bool interrupted;
	/* why the tuning ends, where nothing that it finds means anything; "": it does
	   not */
	char fault[900];
	struct doubt
		doubt; /* of the search; that of verifications is in struct verifying */
};

/* ---- tuning_open.c */

/* Opens what a tuning needs before it begins: search space, budget, strategy and
   journal; reads the recorded winner and the device's ceilings. */
enum at_status tuning_open(
	struct at_tuning *self, const struct at_visit *given, struct at_error *err);

/* ---- tuning_tell.c */

/* Tells an evaluation of the search: counts it, and copies it if it is the best so far
   or the baseline. An error: memory. */
void tuning_show(struct at_tuning *self, const struct at_entry *entry, bool is_best);
/* Updates the best and the baseline that events show, after a candidate was refused or
   another one leads for another reason. Nothing can be compared with a refused
   baseline, so it is dropped. */
enum at_status tuning_show_leader(struct at_tuning *self, struct at_error *err);
/* Tells when the tuning begins to wait only for another run, and when this ends. */
void tuning_tell_waiting(struct at_tuning *self);
void tuning_release_shown(struct at_tuning *self);
/* Tells the listener an event with only a text, or with an evaluation and its
   configuration. */
void tuning_emit_text(
	struct at_tuning *self, enum at_event_kind kind, const char *text);
void tuning_emit_entry(struct at_tuning *self, enum at_event_kind kind,
	const char *text, const struct at_entry *entry);
/* Ends the tuning: stops the evaluator and all phases, and queues done(). err is
   copied; NULL: no error. Further calls do nothing. */
void tuning_end(struct at_tuning *self, const struct at_error *err);
/* Writes result file and header from the record; a share writes none. *header: the
   header's path, heap, NULL where none was written; header may be NULL. */
enum at_status tuning_write_files(
	struct at_tuning *self, char **header, struct at_error *err);
/* With a winner: writes the files, tells the summary and ends the tuning. */
void tuning_finish(struct at_tuning *self);
/* This run winners no configuration: tells the summary and ends the tuning. text: why,
   where a recorded winner stands; else NULL. */
void tuning_finish_unselected(struct at_tuning *self, const char *text);

/* Notes a configuration that missed the reference by this error, of all values. True:
   it missed it as the one before did. */
bool tuning_doubts(struct doubt *doubt, double error, bool is_baseline);
/* Writes self->fault: configurations miss the reference alike, as detail says. */
void tuning_blame_reference(struct at_tuning *self, unsigned alike, const char *detail);

/* ---- tuning_winner.c: selects a winner, then explains it, which ends the tuning */

/* Whether the recorded winner was won with the source that the evaluator compiles
   now. */
bool tuning_has_same_source(const struct at_tuning *self);
/* Whether the recorded winner is verified on all cases that each run lists, as the
   space has them now, and on all recorded counterexamples (tuning_verification.c). */
bool tuning_is_verified(const struct at_tuning *self);
/* The recorded winner's place among the candidates; AT_NO_CANDIDATE: it did not pass in
   this run. */
size_t tuning_find_recorded_winner(const struct at_tuning *self);
/* Records the winner of a finalist that was verified, then explains it. */
void tuning_winner_finalist(struct at_tuning *self, const struct at_finalist *winner,
	const struct at_verification *verification);
/* No new configuration came near the recorded winner: keeps its record as it is and
   brings the files up to date. place: of the recorded winner among the candidates. */
void tuning_keep_recorded_winner(struct at_tuning *self, size_t place);
/*
 * Whether the finals chose the recorded winner again, from the same source, and its
 * verification still stands. With keeps_winner it then keeps its record with the times
 * it has, so that headers do not follow noise.
 */
bool tuning_won_again(const struct at_tuning *self, const struct at_finalist *winner);
/* Keeps that winner and records that it stood once more, and against which finalists.
 */
void tuning_confirm_recorded_winner(struct at_tuning *self, size_t place);
/*
 * After an interruption: selects the best so far without finals and verification. A
 * recorded winner that was verified stays, whatever its time: a slow header is better
 * than a wrong one.
 */
void tuning_winner_best(struct at_tuning *self);

/* ---- tuning_verification.c: verifies the winner of the finals, which leads to its
 * record */

/* Records that a candidate is wrong after all, and tells it: the record and the
   listener have it as ok so far. */
enum at_status tuning_refuse(struct at_tuning *self, size_t place,
	enum at_outcome outcome, const char *detail, struct at_error *err);
/* Verifies the winner of the finals and selects it; refused() is called where it fails.
 */
void tuning_verify(struct at_tuning *self, const struct at_finalist *winner,
	void (*refused)(struct at_tuning *self));
/* At an interruption of the verification: selects the winner if it is verified, and
   only sanitizers of others or checks were left. False: it is not verified. */
bool tuning_winner_if_verified(struct at_tuning *self);

#endif
