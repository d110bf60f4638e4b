/*
 * The parts of a revisit that its two files share; no other file includes this.
 * revisit.c leads through it, revisit_record.c reads and writes its part of the record.
 */
#ifndef AT_SESSION_REVISIT_PARTS_H
#define AT_SESSION_REVISIT_PARTS_H

#include "record/history.h"
#include "session/nights.h"
#include "session/phase_proof.h"
#include "session/revisit.h"

/* The two configurations that a revisit measures, in the order of evaluation. */
enum who {
	BASELINE = 0,
	WINNER,
	WHO_COUNT,
};

/* One of the two configurations, and what became of it tonight. */
struct contestant {
	/* its configuration; AT_NO_CONFIGURATION: it is not in the space */
	uint64_t index;
	/* for the finals; NULL: it is not correct, or not evaluated yet */
	struct at_planned *planned;
	unsigned attempts; /* how often its evaluation was begun */
	enum at_outcome outcome;
	char detail[512]; /* why the outcome is not OK; "": it is */
};

/* The revisit; see struct at_tuning. */
struct at_revisiting {
	struct at_visit visit;
	struct at_crown crown; /* the recorded crown; space NULL: there is none */
	struct at_evaluation winner; /* the crown's evaluation */
	struct contestant contestants[WHO_COUNT];
	enum who next; /* the one that is evaluated now */
	struct at_revisits history; /* the nights before, oldest first */
	/* the same as nights, behind the crown's finals where they count */
	struct at_night *nights;
	size_t night_count;
	struct at_night looks[AT_NIGHTS_LOOKS_MAX]; /* of tonight */
	size_t look_count;
	unsigned lost_count; /* how often the device was lost in the finals */
	struct at_revisit revisit; /* tonight's row of the record, by the last look */
	struct at_judgement judgement;
	struct at_proof_phase
		proof; /* of the winner, on cases that it did not pass yet */
	struct at_proof known; /* what the crown's verification was held to */
	unsigned proof_count; /* how often the proof was begun */
};

/* Reads the nights before, of this very kernel on this very board. */
enum at_status revisit_read_history(struct at_revisiting *self, struct at_error *err);
/* The night before; NULL: there is none. Borrowed. */
const struct at_revisit *revisit_last_night(const struct at_revisiting *self);
/* Fills self->revisit, all of it but scores and verdict. final: the winner's in the
   last look; NULL: there were no finals. */
void revisit_fill(struct at_revisiting *self, const struct at_final *final);
/* Adds the scores: of the winner, and of the baseline where it is another configuration
   and was measured (else NULL). */
void revisit_fill_scores(struct at_revisiting *self, const struct at_final *winner,
	const struct at_final *baseline);
/* Records on which cases the winner has passed, in its crown and in the files. */
enum at_status revisit_record_proof(
	struct at_revisiting *self, const struct at_proof *proof, struct at_error *err);
/* Records that the winner is not correct any more, withdraws its crown and writes the
   files without it. */
enum at_status revisit_record_refusal(struct at_revisiting *self, struct at_error *err);

#endif
