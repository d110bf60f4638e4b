/*
 * Shares time among searches, by what each is expected to gain from more time; that is
 * estimated from what its evaluations gained so far. The rest of a night:
 *
 * |   at_allot_read(store, ..., &item, &err);    of each, from the record
 * |   while ((i = at_allot_next(items, count, left, &share)) != AT_ALLOT_NONE) {
 * |           ... item i is searched for `share` seconds ...
 * |           items[i].is_done = true, and left -= what it took
 * |   }
 *
 * Time that a search does not use goes to those after it.
 *
 * The problems of a space that share one time have turns: a first one each, in order.
 * It lasts half of an equal share, since the time saved then goes to the problems that
 * gain most by it, but no less than a search needs to get anywhere. Problems whose
 * search was ended by the time may have one more turn, by their expected gain.
 *
 * |   at_turns_init(&turns, count, seconds);      and turns.items[i].is_left_out
 * |   while ((i = at_turns_next(&turns, &share)) != AT_ALLOT_NONE) {
 * |           ... problem i is searched for `share` seconds ...
 * |           turns.items[i] has what is known of it now
 * |           at_turns_took(&turns, i, seconds, it_was_cut_short);
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

/* Shortest share: a shorter run would hardly do more than start and end. */
#define AT_ALLOT_SECONDS_MIN 5.0

/* Why a search is wanted. The most urgent reason stands last and is searched first. */
enum at_allot_need {
	AT_ALLOT_PLAIN = 0, /* it may gain something */
	AT_ALLOT_REGRESSED, /* its winner has become slower */
	AT_ALLOT_NEW, /* it has no winner: it is new, or its source has changed */
	AT_ALLOT_REFUSED, /* its winner is not correct any more */
};

/* One search that may have a share. */
struct at_allot_item {
	enum at_allot_need need;
	uint64_t evaluated; /* distinct evaluations in the record that still hold */
	uint64_t valid; /* size of the space; 0: not known */
	double seconds_each; /* average seconds of an evaluation; 0: not known */
	/* Logarithm of the factor by which the best became better in the last doubling
	   of the evaluations, and in the doubling before; never below 0. */
	double last_gain;
	double earlier_gain;
	double lost; /* REGRESSED: logarithm of the factor by which it became slower */
	bool is_done; /* it has had its turn, or its turns */
	/* set by the caller, for turns: it is not tuned here; a turn found a winner */
	bool is_left_out;
	bool found_winner;
	bool had_first; /* its first turn */
};

/* Fills in `evaluated` and both gains from the costs of all evaluations, in the order
   in which they were recorded; INFINITY for those that failed. */
void at_allot_observe(struct at_allot_item *self, const double *costs, size_t count);
/*
 * The index of the search that is next, and its share of the `seconds` that are left,
 * in *share; AT_ALLOT_NONE: no search has a share that is worth beginning.
 */
size_t at_allot_next(
	const struct at_allot_item *items, size_t count, double seconds, double *share);

/*
 * Fills in, from the record, how many evaluations the problem has on the device, their
 * gains and their average time. Leaves `need`, `valid`, `lost` and `is_done` as they
 * are. The costs are times, as in every search.
 */
enum at_status at_allot_read(struct at_store *store, const char *space,
	const char *device_slug, const char *problem, struct at_allot_item *item,
	struct at_error *err);

/* A first turn has at least so many seconds, unless equal shares are shorter. */
#define AT_TURN_FIRST_SECONDS 20.0

/* The turns of all problems of a space. */
struct at_turns {
	struct at_allot_item *items;
	size_t count;
	double seconds; /* time for all; 0: no limit, and each has one turn */
	double left; /* seconds left; below 0: more was used */
};

/* Begins with zeroed items. */
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
