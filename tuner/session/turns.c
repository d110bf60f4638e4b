#include "session/turns.h"

#include <math.h>
#include <stdlib.h>

/* With less than this a search that begins again does little but finals and proofs. */
#define SECOND_SECONDS (AT_TURN_FIRST_SECONDS / 2)

enum at_status at_turns_init(
	struct at_turns *self, size_t count, double seconds, struct at_error *err)
{
	*self = (struct at_turns){ calloc(count + 1, sizeof(*self->items)), count,
		seconds, seconds };
	return self->items ? AT_OK : at_fail_memory(err);
}

void at_turns_release(struct at_turns *self)
{
	free(self->items);
	*self = (struct at_turns){ 0 };
}

/* of one of so many that have waited for their first turn */
static double first_share(const struct at_turns *self, size_t wanted, size_t waiting)
{
	double equal = self->seconds / (double)wanted;
	/* 0 would be no limit: whoever comes last has a second */
	double rest = fmax(self->left / (double)waiting, 1);

	if (self->seconds == 0)
		return 0;
	/* alone there is nobody else to whom it might go */
	if (wanted == 1 || equal <= AT_TURN_FIRST_SECONDS)
		return rest;
	/* who went before may have used more than its own */
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
	/* alone it had all of it, and what is left is rounding */
	if (self->seconds == 0 || wanted == 1 || self->left < SECOND_SECONDS)
		return AT_ALLOT_NONE;
	searches = calloc(self->count + 1, sizeof(*searches));
	if (!searches)
		return AT_ALLOT_NONE; /* all had their turn */
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
