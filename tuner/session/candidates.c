/* The candidates of a tuning (candidates.h), in the order in which they passed. */
#include "session/candidates.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <inttypes.h>
#include <stdio.h>

/* One evaluation may be off by a few per cent, because of clocks, or because racing
   took only two samples. A candidate has no chance in the finals if it is slower than
   the best by more than this factor and its interval does not reach the best. */
#define CHANCE 1.05

void at_candidates_init(struct at_candidates *self)
{
	*self = (struct at_candidates){ .pace = 1,
		.baseline = AT_NO_CANDIDATE,
		.best = AT_NO_CANDIDATE,
		.best_old = AT_NO_CANDIDATE };
}

void at_candidates_release(struct at_candidates *self)
{
	free(self->items);
	at_candidates_init(self);
}

double at_candidates_value(const struct at_candidates *self, size_t place)
{
	double pace = self->items[place].is_old ? self->pace : 1;

	return pace * self->items[place].score.value;
}

static double cost_of(const struct at_candidates *self, size_t place)
{
	return at_objective_cost(&at_objective_time, at_candidates_value(self, place));
}

/* Makes the candidate the best, and the best old one by its recorded value, if it is;
   returns whether it is the best. */
static bool consider(struct at_candidates *self, size_t place)
{
	const struct at_candidate *candidate = &self->items[place];
	const bool is_best = self->best == AT_NO_CANDIDATE ||
			     cost_of(self, place) < cost_of(self, self->best);

	if (is_best)
		self->best = place;
	if (candidate->is_old &&
		(self->best_old == AT_NO_CANDIDATE ||
			at_objective_better(&at_objective_time, candidate->score.value,
				self->items[self->best_old].score.value)))
		self->best_old = place;
	return is_best;
}

void at_candidates_add(struct at_candidates *self, const struct at_candidate *candidate,
	bool is_baseline, bool *is_best)
{
	const size_t place = self->count++;

	AT_GROW(self->items, self->capacity, self->count);
	self->items[place] = *candidate;
	if (is_baseline)
		self->baseline = place;
	*is_best = consider(self, place);
}

size_t at_candidates_find(const struct at_candidates *self, int64_t evaluation_id)
{
	for (size_t i = 0; evaluation_id && i < self->count; i++)
		if (self->items[i].evaluation_id == evaluation_id)
			return i;
	return AT_NO_CANDIDATE;
}

size_t at_candidates_find_configuration(
	const struct at_candidates *self, uint64_t index)
{
	for (size_t i = 0; i < self->count; i++)
		if (self->items[i].index == index && !self->items[i].refused)
			return i;
	return AT_NO_CANDIDATE;
}

static void find_best(struct at_candidates *self)
{
	self->best = self->best_old = AT_NO_CANDIDATE;
	for (size_t i = 0; i < self->count; i++)
		if (!self->items[i].refused)
			consider(self, i);
}

void at_candidates_refuse(struct at_candidates *self, size_t place)
{
	self->items[place].refused = true;
	/* a wrong baseline is no basis for comparison */
	if (place == self->baseline)
		self->baseline = AT_NO_CANDIDATE;
	find_best(self);
}

void at_candidates_set_pace(struct at_candidates *self, double pace)
{
	self->pace = pace;
	find_best(self);
}

size_t at_candidates_best_as_measured(const struct at_candidates *self)
{
	size_t best = AT_NO_CANDIDATE;

	if (self->pace == 1)
		return self->best;
	for (size_t i = 0; i < self->count; i++)
		if (!self->items[i].refused &&
			(best == AT_NO_CANDIDATE ||
				at_objective_better(&at_objective_time,
					self->items[i].score.value,
					self->items[best].score.value)))
			best = i;
	return best;
}

/* Whether the candidate could beat the best in finals, judged by one evaluation. pace:
   factor of old values; chance: largest factor behind the best. */
static bool has_chance_at(const struct at_candidates *self, size_t place, double best,
	double pace, double chance)
{
	const struct at_score *score = &self->items[place].score;
	double factor = self->items[place].is_old ? pace : 1;
	double cost = at_objective_cost(&at_objective_time, factor * score->value);
	double low = at_objective_cost(&at_objective_time, factor * score->low);
	double high = at_objective_cost(&at_objective_time, factor * score->high);

	return cost <= chance * best || (low < high ? low : high) <= best;
}

/* The pace comes from few measurements: a candidate that has a chance without it
   counts, too. */
static bool has_chance(
	const struct at_candidates *self, size_t place, double best_raw, double chance)
{
	return has_chance_at(
		       self, place, cost_of(self, self->best), self->pace, chance) ||
	       (self->pace != 1 && has_chance_at(self, place, best_raw, 1, chance));
}

/* Whether both are the same image, launched in the same way on the same data. False if
   an image is not known. */
static bool is_same_kernel(const struct at_candidate *a, const struct at_candidate *b)
{
	return (a->image.low || a->image.high) && at_hash_equal(a->image, b->image);
}

size_t at_candidates_finalists(
	const struct at_candidates *self, double reach, size_t *places, size_t most)
{
	size_t first = at_candidates_best_as_measured(self);
	double best_raw = first == AT_NO_CANDIDATE
				  ? INFINITY
				  : at_objective_cost(&at_objective_time,
					    self->items[first].score.value);
	size_t count = 0;

	for (size_t i = 0; i < self->count; i++) {
		size_t place = count;
		bool stands_already = false;

		if (self->items[i].refused ||
			!has_chance(self, i, best_raw, fmax(reach, CHANCE)))
			continue;
		/* items are in the order in which they passed: keep the first copy */
		for (size_t j = 0; j < count; j++)
			stands_already =
				stands_already || is_same_kernel(&self->items[i],
							  &self->items[places[j]]);
		if (stands_already)
			continue;
		while (place > 0 && cost_of(self, i) < cost_of(self, places[place - 1]))
			place--;
		if (place == most)
			continue;
		if (count < most)
			count++;
		memmove(&places[place + 1], &places[place],
			(count - place - 1) * sizeof(*places));
		places[place] = i;
	}
	return count;
}

/* ---- what a winner met in its finals --------------------------------------- */

/* A candidate's word: a hash of its key and of its exact score. */
static const char *word_of(
	const struct at_candidate *candidate, char word[AT_HASH_HEX_SIZE])
{
	char text[80];
	int length = snprintf(text, sizeof(text), "%016" PRIx64 "%016" PRIx64 " %a",
		candidate->key.high, candidate->key.low, candidate->score.value);

	return at_hash_hex(at_hash_bytes(text, (size_t)length), word);
}

char *at_met_list(
	const struct at_candidates *candidates, const size_t *places, size_t count)
{
	struct at_strbuf out = { 0 };
	char word[AT_HASH_HEX_SIZE];

	at_strbuf_add(&out, "");
	for (size_t i = 0; i < count; i++)
		at_strbuf_addf(&out, "%s%s", i ? " " : "",
			word_of(&candidates->items[places[i]], word));
	return at_strbuf_detach(&out);
}

bool at_met_has(const char *met, const struct at_candidates *candidates, size_t place)
{
	const struct at_candidate *candidate = &candidates->items[place];
	char word[AT_HASH_HEX_SIZE];

	/* a substring suffices: a crafted record could claim any word anyway */
	for (size_t i = 0; met && i < candidates->count; i++)
		if ((i == place || is_same_kernel(&candidates->items[i], candidate)) &&
			strstr(met, word_of(&candidates->items[i], word)))
			return true;
	return false;
}
