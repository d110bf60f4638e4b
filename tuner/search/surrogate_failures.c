/*
 * What is likely to fail. A failure costs an evaluation and says nothing about times.
 * Failures lie together: where a configuration needs too much of something, those that
 * need more of it fail, too. A Gaussian process of its own learns 1 for a failure and 0
 * for a success. Its weights are fitted to failures alone, since other parameters
 * matter for them. Its mean, cut to 0 .. 1, is the probability ("probability of
 * feasibility" by regression: Gelbart, Snoek and Adams, "Bayesian Optimization with
 * Unknown Constraints", 2014).
 */
#include "search/surrogate_parts.h"

#include <math.h>

/* No region can be learned from a single failure. */
#define FAILURES_LEAST 2
/* Failures are many if there are more than one for so many successes. */
#define FAILURES_MANY 2
/*
 * The factor is the square of the probability that it passes. Far from all successes
 * the models of costs are unsure, so that improvement is expected there, and the model
 * of failures knows little more than the share of failures. With the probability itself
 * the search would come back there too often.
 *
 * The model may be wrong however sure it is: so much of a promise is always left.
 */
#define PASSING_LEAST 0.001

bool at_surrogate_has_failures(const struct at_surrogate *self)
{
	return self->told_count - self->ok_count >= FAILURES_LEAST;
}

/*
 * A failure has no cost. Where few fail, the median of the successes, made up for it,
 * is as good as none or better. Where many do, it would hide what is good beside them.
 */
bool at_surrogate_doubts_failures(const struct at_surrogate *self)
{
	return self->learns_failures &&
	       FAILURES_MANY * (self->told_count - self->ok_count) > self->ok_count;
}

void at_surrogate_fill_failures(struct at_surrogate *self, size_t count)
{
	double sum = 0, told = 0;

	for (size_t i = 0; i < count; i++) {
		const struct at_surrogate_seen *seen = &self->seen[self->rows[i]];

		if (seen->state == AT_SURROGATE_OUT) {
			self->failures[i] = seen->failing;
			continue;
		}
		self->failures[i] = seen->state == AT_SURROGATE_FAILED;
		sum += self->failures[i];
		told++;
	}
	self->failure_mean = told > 0 ? sum / told : 0;
	self->failure_deviation =
		sqrt(self->failure_mean * (1 - self->failure_mean)) + 1e-9;
	for (size_t i = 0; i < count; i++)
		self->failures[i] = (self->failures[i] - self->failure_mean) /
				    self->failure_deviation;
}

double at_surrogate_failing(const struct at_surrogate *self, size_t slot)
{
	double failing;

	if (!self->learns_failures)
		return 0;
	failing = at_gaussian_mean(self->failing, slot) * self->failure_deviation +
		  self->failure_mean;
	return fmin(fmax(failing, 0), 1);
}

double at_surrogate_passing(const struct at_surrogate *self, size_t slot)
{
	double passing = 1 - at_surrogate_failing(self, slot);

	return fmax(passing * passing, PASSING_LEAST);
}
