/* Samples that are not kept, until the board is settled. */
#include "measure/finals_parts.h"
#include "base/clock.h"

#include <math.h>

/*
 * For some milliseconds after memory was freed or mapped differently a GPU is slower:
 * on an H200 a kernel that reads 400 MB took 105 us instead of 92 in three of a block's
 * five samples. Soon after, busy or not, the effect is gone. So samples are not
 * recorded for SETTLING_NS, and, since more memory takes longer, until a finalist is
 * about as fast as it was before. SETTLING_MOST_NS ends that, as the new place of the
 * memory may really be slower.
 */
#define SETTLING_NS UINT64_C(20000000)
#define SETTLING_MOST_NS UINT64_C(200000000)
#define SETTLED 1.03

/* The next finalist after `last`, in turns, that is not too slow to wait with;
   SIZE_MAX: there is none. */
static size_t next_near(const struct finals *self, size_t last)
{
	double least_ns = INFINITY;

	for (size_t i = 0; i < self->count; i++)
		if (self->results[i].outcome == AT_OUTCOME_OK)
			least_ns = fmin(least_ns, self->finalists[i].usual_ns);
	for (size_t i = 1; i <= self->count; i++) {
		size_t which = (last + i) % self->count;

		if (self->results[which].outcome == AT_OUTCOME_OK &&
			self->finalists[which].usual_ns <= FAR_AT_ONCE * least_ns)
			return which;
	}
	return SIZE_MAX;
}

void finals_settle(struct finals *self)
{
	uint64_t since_ns = self->bench->shared->remapped_ns, now_ns;
	size_t which = self->count - 1;
	bool is_settled = false;

	for (;;) {
		struct at_measure_result *result;

		now_ns = at_clock_now_ns();
		if (self->is_lost || now_ns - since_ns >= SETTLING_MOST_NS ||
			(is_settled && now_ns - since_ns >= SETTLING_NS))
			return;
		which = next_near(self, which);
		if (which == SIZE_MAX)
			return;
		finals_take_turn(self, which);
		result = &self->results[which];
		is_settled = finals_has_sampled(self, which) &&
			     result->samples_ns[result->sample_count - 1] <=
				     SETTLED * self->finalists[which].usual_ns;
		result->sample_count = self->finalists[which].begin;
	}
}
