/*
 * Whose turn it is and for how long, where the problems of a space share one time. Each
 * has a first turn, in order: half of an equal share, since what is not used then goes
 * where more is gained by it, but not less than a search needs to get anywhere. Those
 * that ended because their time was over may have one more, by what they are expected
 * to gain (session/allot.h).
 *
 *   at_turns_init(&turns, count, seconds, &err);   and turns.items[i].is_left_out
 *   while ((i = at_turns_next(&turns, &share)) != AT_ALLOT_NONE) {
 *           ... problem i is searched for `share` seconds ...
 *           turns.items[i].search has what is known of it now
 *           at_turns_took(&turns, i, seconds, it_was_cut_short);
 *   }
 *   at_turns_release(&turns);
 *
 * Threads: one object, one thread.
 */
#ifndef AT_SESSION_TURNS_H
#define AT_SESSION_TURNS_H

#include "base/error.h"
#include "session/allot.h"

/* A first turn is not shorter, unless equal shares are. */
#define AT_TURN_FIRST_SECONDS 20.0

struct at_turn {
	bool is_left_out; /* it is not to be searched */
	bool had_first;
	bool found_winner; /* whoever searches keeps it here */
	struct at_allot_item search; /* is_done: it has no more turns */
};

struct at_turns {
	struct at_turn *items;
	size_t count;
	double seconds; /* for all of them; 0: no limit, and each has one turn */
	double left; /* of these; below 0 where more was used */
};

enum at_status at_turns_init(
	struct at_turns *self, size_t count, double seconds, struct at_error *err);
void at_turns_release(struct at_turns *self);
/* AT_ALLOT_NONE: nobody has one any more. *share 0: there is no limit. */
size_t at_turns_next(const struct at_turns *self, double *share);
/* A turn took so long; was_cut: the search ended since its time was over. */
void at_turns_took(struct at_turns *self, size_t index, double seconds, bool was_cut);

#endif
