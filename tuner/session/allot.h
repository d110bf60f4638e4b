/*
 * Shares time among searches by their expected gain, which is estimated from the gains
 * of their evaluations so far. The rest of a night:
 *
 * |   at_allot_read(store, ..., &item, &err);    for each item, from the record
 * |   while ((i = at_allot_next(items, count, left, &share)) != AT_ALLOT_NONE) {
 * |           ... search item i for `share` seconds ...
 * |           items[i].is_done = true; left -= the seconds used;
 * |   }
 *
 * Time that a search does not use goes to the searches after it.
 *
 * The problems of a space that share a budget are searched in turns. Each problem has a
 * first turn, in order. It lasts half of an equal share, at least
 * AT_TURN_FIRST_SECONDS: the time saved goes to the problems with the largest expected
 * gain. A problem whose search ran out of time may have a second turn, chosen by
 * expected gain.
 *
 * |   at_turns_init(&turns, count, seconds);      then set turns.items[i].is_left_out
 * |   while ((i = at_turns_next(&turns, &share)) != AT_ALLOT_NONE) {
 * |           ... search problem i for `share` seconds, update turns.items[i] ...
 * |           at_turns_took(&turns, i, seconds, was_cut);
 * |   }
 * |   at_turns_release(&turns);
 *
 * Threads: one object, one thread; at_allot_read(): the store's.
 */
#ifndef AT_SESSION_ALLOT_H
#define AT_SESSION_ALLOT_H

#include "record/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT_ALLOT_NONE SIZE_MAX

/* Shortest share: a shorter run would do little but start and end. */
#define AT_ALLOT_SECONDS_MIN 5.0

/* Why a search is wanted, by urgency: the last reason is searched first. */
enum at_allot_need {
	AT_ALLOT_PLAIN = 0, /* it may gain something */
	AT_ALLOT_REGRESSED, /* its winner has become slower */
	AT_ALLOT_NEW, /* it has no winner, or its source has changed */
	AT_ALLOT_REFUSED, /* its winner is no longer correct */
};

/* A search that competes for time. */
struct at_allot_item {
	enum at_allot_need need;
	uint64_t evaluated; /* distinct recorded evaluations that are still valid */
	uint64_t valid; /* size of the space; 0: not known */
	double seconds_each; /* average seconds of an evaluation; 0: not known */
	/* Logarithm of the speed-up of the best in the last doubling of the
	   evaluations, and in the doubling before; at least 0. */
	double last_gain;
	double earlier_gain;
	double lost; /* REGRESSED: logarithm of the slowdown */
	bool is_done; /* it has had its turns */
	/* for turns, set by the caller: not tuned here; a turn found a winner */
	bool is_left_out;
	bool found_winner;
	bool had_first; /* it has had its first turn */
};

/* Fills in `evaluated` and both gains. costs: all evaluations in the order of
   recording; INFINITY: failed. */
void at_allot_observe(struct at_allot_item *self, const double *costs, size_t count);
/* Returns the index of the next search, and its share of the remaining `seconds` in
 *share. AT_ALLOT_NONE: no share is long enough. */
size_t at_allot_next(
	const struct at_allot_item *items, size_t count, double seconds, double *share);

/* Fills in `evaluated`, both gains and `seconds_each` from the record of a problem on a
   device. Leaves `need`, `valid`, `lost` and `is_done` unchanged. The costs are
   times. */
enum at_status at_allot_read(struct at_store *store, const char *space,
	const char *device_slug, const char *problem, struct at_allot_item *item,
	struct at_error *err);

/* Least seconds of a first turn, unless equal shares are shorter. */
#define AT_TURN_FIRST_SECONDS 20.0

/* The turns of all problems of a space. */
struct at_turns {
	struct at_allot_item *items;
	size_t count;
	double seconds; /* for all turns; 0: no limit, and each problem has one turn */
	double left; /* below 0: more was used */
};

/* Allocates zeroed items. */
void at_turns_init(struct at_turns *self, size_t count, double seconds);
/* Frees the items; a zeroed object is allowed. */
void at_turns_release(struct at_turns *self);
/* Returns the problem of the next turn, and its seconds in *share (0: no limit).
   AT_ALLOT_NONE: there are no more turns. */
size_t at_turns_next(const struct at_turns *self, double *share);
/* Records the duration of a turn; was_cut: the time limit ended the search. */
void at_turns_took(struct at_turns *self, size_t index, double seconds, bool was_cut);

#endif
