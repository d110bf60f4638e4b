/* What the surrogate has seen: asked for, told or excluded; and how costs rank. */
#include "base/memory.h"
#include "search/surrogate_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* log(8 + rank): tells the best few ranks apart, but not much more than the others */
#define RANK_OFFSET 8
#define WORTH 0.998 /* a gain of less than 0.2 % is noise */

struct at_surrogate_seen *at_surrogate_see(struct at_surrogate *self, uint64_t index)
{
	/*
	 * configurations that are neighbours must not be neighbours in the table:
	 * Fibonacci hashing (Knuth, "The Art of Computer Programming", volume 3, 6.4)
	 */
	const struct at_hash key = {
		.low = (index * UINT64_C(0x9e3779b97f4a7c15)) >> 20, .high = index
	};
	uint32_t fresh = (uint32_t)self->seen_count, place;

	AT_GROW(self->seen, self->seen_capacity, self->seen_count + 1);
	at_hash_index_put(&self->places, key, fresh, &place);
	if (place != fresh)
		return &self->seen[place];
	at_pool_take(&self->base.pool, index);
	self->seen[fresh] =
		(struct at_surrogate_seen){ .index = index, .expected = NAN };
	return &self->seen[self->seen_count++];
}

size_t at_surrogate_count_below(const double *costs, size_t count, double cost)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (costs[middle] < cost)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t at_surrogate_rank(const struct at_surrogate *self, double cost)
{
	return at_surrogate_count_below(self->costs, self->ok_count, cost);
}

void at_surrogate_tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct at_surrogate *self = (struct at_surrogate *)strategy;
	struct at_surrogate_seen *seen = at_surrogate_see(self, told->index);
	size_t rank;

	self->told_count += seen->state == AT_SURROGATE_OUT;
	if (seen->state == AT_SURROGATE_OK) {
		/* it is told again: the last result counts */
		if (told->outcome == AT_OUTCOME_OK && told->cost == seen->cost)
			return;
		rank = at_surrogate_rank(self, seen->cost);
		self->ok_count--;
		memmove(self->costs + rank, self->costs + rank + 1,
			(self->ok_count - rank) * sizeof(*self->costs));
		/* the best was withdrawn: count from now since when the new best is
		   known */
		if (self->ok_count > 0 && self->costs[0] > self->worth) {
			self->worth = self->costs[0];
			self->worth_told = self->told_count;
		}
	}
	seen->state = AT_SURROGATE_FAILED;
	if (told->outcome != AT_OUTCOME_OK || !isfinite(told->cost))
		return;
	AT_GROW(self->costs, self->cost_capacity, self->ok_count + 1);
	if (self->ok_count == 0 || told->cost < WORTH * self->worth) {
		self->worth = told->cost;
		self->worth_told = self->told_count;
	}
	seen->state = AT_SURROGATE_OK;
	seen->cost = told->cost;
	rank = at_surrogate_rank(self, told->cost);
	memmove(self->costs + rank + 1, self->costs + rank,
		(self->ok_count - rank) * sizeof(*self->costs));
	self->costs[rank] = told->cost;
	self->ok_count++;
}

double at_surrogate_log_rank(double rank)
{
	return log(RANK_OFFSET + rank);
}

static int compare_seen(const void *a, const void *b)
{
	const struct at_surrogate_seen *left =
		*(const struct at_surrogate_seen *const *)a;
	const struct at_surrogate_seen *right =
		*(const struct at_surrogate_seen *const *)b;

	if (left->cost != right->cost)
		return left->cost < right->cost ? -1 : 1;
	return (left > right) - (left < right);
}

size_t at_surrogate_best(const struct at_surrogate *self, size_t most,
	const struct at_surrogate_seen **best)
{
	size_t count = 0;
	double worst;

	if (self->ok_count == 0)
		return 0;
	if (most > self->ok_count)
		most = self->ok_count;
	worst = self->costs[most - 1];
	for (size_t i = 0; i < self->seen_count && count < most; i++)
		if (self->seen[i].state == AT_SURROGATE_OK &&
			self->seen[i].cost <= worst)
			best[count++] = &self->seen[i];
	qsort(best, count, sizeof(*best), compare_seen);
	return count;
}
