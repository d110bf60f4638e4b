/*
 * A tuning, as its files share it; nobody else includes this. tuning.c goes from phase
 * to phase; it stands on tuning_open.c (what it begins with), tuning_crown.c (who is
 * crowned, and why) and tuning_tell.c (who hears of it, and how it ends).
 * Threads: the loop's.
 */
#ifndef AT_SESSION_TUNING_PARTS_H
#define AT_SESSION_TUNING_PARTS_H

#include "session/tuning.h"

#include "search/strategy.h"
#include "session/budget.h"
#include "session/candidates.h"
#include "session/journal.h"
#include "session/phase_explanation.h"
#include "session/phase_finals.h"
#include "session/phase_proof.h"
#include "session/phase_search.h"
#include "space/search_space.h"

enum phase {
	PHASE_NONE = 0,
	PHASE_SEARCH,
	PHASE_FINALS,
	PHASE_PROOF,
	PHASE_EXPLANATION,
	PHASE_DONE,
};

/* Who is crowned: since the finals of today, or before and still. */
struct winner {
	uint64_t index; /* of the configuration */
	struct at_evaluation evaluation;
	struct at_crown crown; /* space NULL: nobody is crowned yet */
};

struct at_tuning {
	struct at_tuning_options options;
	struct at_search_space *space;
	/* rooms for two configurations; see row_of() and emit() */
	uint16_t *row;
	uint16_t *incumbent_row;
	struct at_strategy *strategy;
	struct at_journal *journal;
	struct at_budget budget;
	struct at_progress progress;
	struct at_candidates candidates;
	/* copies for whoever watches; id 0: there is none */
	struct at_evaluation incumbent;
	struct at_evaluation baseline;
	struct at_record_ceilings ceilings;
	bool has_ceilings;
	struct at_crown recorded; /* the crown that there was; space NULL: none */
	uint64_t recorded_index; /* its configuration; AT_NO_CONFIGURATION: not here */
	struct winner winner;
	enum phase phase;
	struct at_search_phase search;
	struct at_finals_phase finals;
	struct at_proof_phase proof;
	struct at_finalist *proved_winner;
	struct at_proof winners_proof;
	size_t next_sanitized; /* of the finalists */
	struct at_explanation_phase explanation;
	struct at_error error;
	char part[48]; /* "3/8"; "": the whole */
	bool is_waiting; /* for another run, and this was told */
	bool interrupted;
	bool is_over; /* options.done() is due or was called */
	bool is_done_late; /* no memory to have it called from the loop: by the tick */
};

/* ---- tuning_open.c */

/* Space, budget, strategy, journal; who is crowned, and what is known from elsewhere.
 */
enum at_status tuning_open(struct at_tuning *self, struct at_error *err);

/* ---- tuning_tell.c */

/* Until the next call: for who wants one configuration for a moment. */
const uint16_t *tuning_row_of(struct at_tuning *self, uint64_t index);
uint64_t tuning_now_ns(const struct at_tuning *self);
void tuning_emit_text(
	struct at_tuning *self, enum at_event_kind kind, const char *text);
void tuning_emit_entry(struct at_tuning *self, enum at_event_kind kind,
	const char *text, const struct at_entry *entry);
/* The end: err NULL, or copied. */
void tuning_end(struct at_tuning *self, const struct at_error *err);
/* options.done(), which may free it. */
void tuning_call_done(void *context);
enum at_status tuning_write_files(
	struct at_tuning *self, char **header, struct at_error *err);
/* The files, the summary, the end. */
void tuning_finish(struct at_tuning *self);
/* Nobody is crowned by this run; text: why, where somebody was crowned before. */
void tuning_finish_uncrowned(struct at_tuning *self, const char *text);

/* ---- tuning_crown.c: who is crowned; then the explanation, which ends the tuning */

/* The recorded crown was won on the same source, problem and device. */
bool tuning_has_same_source(const struct at_tuning *self);
/* The recorded winner's place among what passed in this run. */
size_t tuning_find_recorded_winner(const struct at_tuning *self);
void tuning_crown_finalist(struct at_tuning *self, const struct at_finalist *winner,
	const struct at_proof *proof);
/* Nothing new came near it: the recorded winner, and its files brought up to date. */
void tuning_keep_recorded_winner(struct at_tuning *self, size_t place);
/*
 * The finals chose whom they chose before, under the same driver and compiler, and it
 * is proved: where headers are not to follow noise, it stays with the times it has.
 */
bool tuning_won_again(const struct at_tuning *self, const struct at_finalist *winner);
void tuning_confirm_recorded_winner(struct at_tuning *self, size_t place);
/*
 * An interruption: the best so far, without finals and proof, until a run is not
 * interrupted. Whoever was proved stays, by whatever it was proved and however slow it
 * is: a header is better slow than wrong.
 */
void tuning_crown_best(struct at_tuning *self);

#endif
