/*
 * What the parts of a revisit share: revisit.c goes through it, revisit_record.c knows
 * what the record has of it and gets.
 */
#ifndef AT_SESSION_REVISIT_PARTS_H
#define AT_SESSION_REVISIT_PARTS_H

#include "record/history.h"
#include "session/budget.h"
#include "session/nights.h"
#include "session/revisit.h"
#include "space/search_space.h"

enum who {
	BASELINE = 0,
	WINNER,
	WHO_COUNT,
};

/* One of the two that are measured. */
struct contestant {
	uint64_t index; /* of its configuration; AT_NO_CONFIGURATION: there is none */
	struct at_planned *planned; /* for the finals */
	unsigned attempts; /* to evaluate it */
	enum at_outcome outcome;
	char detail[512];
};

struct at_revisiting {
	struct at_tuning_options options;
	struct at_search_space *space;
	uint16_t *row; /* room for one configuration */
	struct at_budget budget;
	struct at_progress progress;
	struct at_crown crown; /* space NULL: nobody is crowned */
	struct at_evaluation winner; /* of the crown */
	struct contestant contestants[WHO_COUNT];
	enum who next; /* that is evaluated */
	struct at_revisits history;
	struct at_night *nights; /* of the crown and of the history */
	size_t night_count;
	struct at_night looks[AT_NIGHTS_LOOKS_MAX];
	size_t look_count;
	unsigned lost_count; /* finals in which the device was lost */
	struct at_revisit revisit; /* of the last look */
	struct at_judgement judgement;
	struct at_error error;
	bool is_over; /* options.done() is due or was called */
	bool is_done_late; /* no memory to have it called from the loop: by the poke */
};

/* The nights before, of this very kernel on this very board. */
enum at_status revisit_read_history(struct at_revisiting *self, struct at_error *err);
/* NULL: there is none. */
const struct at_revisit *revisit_last_night(const struct at_revisiting *self);
/* All of the night but scores and verdict. final NULL: it did not come to finals. */
enum at_status revisit_fill(
	struct at_revisiting *self, const struct at_final *final, struct at_error *err);
/* Of the winner and, where it is another one and was measured, its baseline. */
void revisit_fill_scores(struct at_revisiting *self, const struct at_final *winner,
	const struct at_final *baseline);
/* The winner is not correct any more: the record, and no header, says otherwise. */
enum at_status revisit_record_refusal(struct at_revisiting *self, struct at_error *err);

#endif
