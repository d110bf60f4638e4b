/*
 * Decides which problem of a space is tuned next and for how long, where the problems
 * share one time. Each problem has a first turn, in order. It lasts half of an equal
 * share, since the time saved then goes to the problems that gain most by it, but no
 * less than a search needs to get anywhere. Problems whose search was ended by the time
 * may have one more turn, by what they are expected to gain (session/allot.h).
 *
 * |   at_turns_init(&turns, count, seconds, &err);   and turns.items[i].is_left_out
 * |   while ((i = at_turns_next(&turns, &share)) != AT_ALLOT_NONE) {
 * |           ... problem i is searched for `share` seconds ...
 * |           turns.items[i].search has what is known of it now
 * |           at_turns_took(&turns, i, seconds, it_was_cut_short);
 * |   }
 * |   at_turns_release(&turns);
 *
 * Threads: one object, one thread.
 */
#ifndef AT_SESSION_TURNS_H
#define AT_SESSION_TURNS_H

#include "base/error.h"
#include "session/allot.h"

/* A first turn has at least so many seconds, unless equal shares are shorter. */
#define AT_TURN_FIRST_SECONDS 20.0

/* The turns of one problem. */
struct at_turn {
	bool is_left_out; /* set by the caller: the problem is not tuned here */
	bool had_first;
	bool found_winner; /* set by the caller after a turn */
	/* what at_allot_next() decides by; is_done: no more turns */
	struct at_allot_item search;
};

/* The turns of all problems of a space. */
struct at_turns {
	struct at_turn *items;
	size_t count;
	double seconds; /* time for all; 0: no limit, and each has one turn */
	double left; /* seconds left; below 0: more was used */
};

/* Begins with zeroed items; fails only for memory. at_turns_release() in any case. */
void at_turns_init(struct at_turns *self, size_t count, double seconds);
/* Frees the items; a zeroed object is allowed. */
void at_turns_release(struct at_turns *self);
/* The problem whose turn is next, and its seconds in *share (0: no limit);
   AT_ALLOT_NONE: there are no more turns. */
size_t at_turns_next(const struct at_turns *self, double *share);
/* Notes that a turn of this problem took so many seconds; was_cut: the search ended
   because its time was over. */
void at_turns_took(struct at_turns *self, size_t index, double seconds, bool was_cut);

#endif
