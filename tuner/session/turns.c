/* Turns of problems that share one time (turns.h): first turns by equal shares, second
   turns by allot.c. */
#include "session/turns.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The least time for a second turn: a shorter one would be spent on finals and
   proofs. */
#define SECOND_SECONDS (AT_TURN_FIRST_SECONDS / 2)

void at_turns_init(struct at_turns *self, size_t count, double seconds)
{
	*self = (struct at_turns){ at_calloc(count + 1, sizeof(*self->items)), count,
		seconds, seconds };
}

void at_turns_release(struct at_turns *self)
{
	free(self->items);
	*self = (struct at_turns){ 0 };
}

/* Seconds of a first turn, where `wanted` problems are to be tuned in all, and
   `waiting` of them have not had theirs. */
static double first_share(const struct at_turns *self, size_t wanted, size_t waiting)
{
	double equal = self->seconds / (double)wanted;
	/* at least a second, since 0 would be no limit */
	double rest = fmax(self->left / (double)waiting, 1);

	if (self->seconds == 0)
		return 0;
	/* a problem alone has all the time, as no other could use the rest */
	if (wanted == 1 || equal <= AT_TURN_FIRST_SECONDS)
		return rest;
	/* earlier problems may have used more than their share */
	return fmin(fmax(equal / 2, AT_TURN_FIRST_SECONDS), rest);
}

size_t at_turns_next(const struct at_turns *self, double *share)
{
	size_t wanted = 0, waiting = 0, next = AT_ALLOT_NONE;
	struct at_allot_item *searches;

	for (size_t i = 0; i < self->count; i++) {
		const struct at_turn *turn = &self->items[i];

		wanted += !turn->is_left_out;
		if (turn->is_left_out || turn->had_first)
			continue;
		if (!waiting++)
			next = i;
	}
	if (waiting) {
		*share = first_share(self, wanted, waiting);
		return next;
	}
	*share = 0;
	/* a problem alone has had all of the time */
	if (self->seconds == 0 || wanted == 1 || self->left < SECOND_SECONDS)
		return AT_ALLOT_NONE;
	searches = at_calloc(self->count + 1, sizeof(*searches));
	/* each had its first turn already */
	for (size_t i = 0; i < self->count; i++) {
		searches[i] = self->items[i].search;
		searches[i].is_done |= self->items[i].is_left_out;
	}
	next = at_allot_next(searches, self->count, self->left, share);
	free(searches);
	return next;
}

void at_turns_took(struct at_turns *self, size_t index, double seconds, bool was_cut)
{
	struct at_turn *turn = &self->items[index];

	turn->search.is_done = turn->had_first || !was_cut;
	turn->had_first = true;
	self->left -= seconds;
}
