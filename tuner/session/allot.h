/*
 * How the rest of a night is shared among searches: by what more of each is expected to
 * gain, from what its evaluations so far gained.
 *
 *   at_allot_observe(&item, costs, count);     of each, from the record
 *   while ((i = at_allot_next(items, count, left, &share)) != AT_ALLOT_NONE) {
 *           ... item i is searched for `share` seconds ...
 *           items[i].is_done = true, and left -= what it took
 *   }
 *
 * What a search does not use goes to those after it. Threads: pure functions.
 */
#ifndef AT_SESSION_ALLOT_H
#define AT_SESSION_ALLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT_ALLOT_NONE SIZE_MAX

/* A run that is shorter does little but begin and end: it is not begun. */
#define AT_ALLOT_SECONDS_MIN 5.0

/* Why a search is wanted, the more urgent ones last: these go first. */
enum at_allot_need {
	AT_ALLOT_PLAIN = 0, /* for what it may gain */
	AT_ALLOT_REGRESSED, /* its winner became slower */
	AT_ALLOT_NEW, /* nobody is crowned: new, or of another source */
	AT_ALLOT_REFUSED, /* its winner is not correct any more */
};

struct at_allot_item {
	enum at_allot_need need;
	uint64_t evaluated; /* distinct configurations that still hold */
	uint64_t valid; /* size of the space; 0: not known */
	double seconds_each; /* that an evaluation took; 0: not known */
	/* the logarithm of how many times better it became in the last doubling of its
	   evaluations, and in the one before; 0 and above */
	double last_gain;
	double earlier_gain;
	double lost; /* REGRESSED: the logarithm of how many times slower */
	bool is_done; /* had its turn tonight */
};

/* Fills in evaluated and both gains from all costs, in the order of their recording;
   INFINITY of what failed. */
void at_allot_observe(struct at_allot_item *self, const double *costs, size_t count);
/*
 * Which one is next, and for how many of the seconds that are left; AT_ALLOT_NONE: none
 * of them has a share that is worth beginning.
 */
size_t at_allot_next(
	const struct at_allot_item *items, size_t count, double seconds, double *share);

#endif
