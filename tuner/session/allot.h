/*
 * Shares the rest of a night among searches, by what each is expected to gain from more
 * time; that is estimated from what its evaluations gained so far.
 *
 * |   at_allot_observe(&item, costs, count);     of each, from the record
 * |   while ((i = at_allot_next(items, count, left, &share)) != AT_ALLOT_NONE) {
 * |           ... item i is searched for `share` seconds ...
 * |           items[i].is_done = true, and left -= what it took
 * |   }
 *
 * Time that a search does not use goes to those after it. Threads: pure functions.
 */
#ifndef AT_SESSION_ALLOT_H
#define AT_SESSION_ALLOT_H

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
	bool is_done; /* it has had its turn */
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

#endif
