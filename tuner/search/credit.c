/* The bandit's choice of an arm. */
#include "search/credit.h"

#include <assert.h>
#include <math.h>

size_t at_credit_choose(
	const struct at_credit *self, uint32_t without, struct at_random *random)
{
	uint64_t counts[AT_CREDIT_ARMS_MOST] = { 0 };
	uint64_t areas[AT_CREDIT_ARMS_MOST] = { 0 };
	uint64_t first =
		self->pull_count > self->window ? self->pull_count - self->window : 0;
	double trials = 0, best = -1;
	size_t chosen = SIZE_MAX, equal_count = 0;

	for (uint64_t pull = first; pull < self->pull_count; pull++) {
		size_t place = (size_t)(pull % self->window);
		size_t arm = self->arms[place];

		counts[arm]++;
		if (self->paid[place])
			areas[arm] += counts[arm];
		/* The harmonic number replaces the logarithm in the bonus: it differs
		   by a constant, and is the same on every machine. */
		trials += 1 / (double)(pull - first + 1);
	}
	for (size_t arm = 0; arm < self->arm_count; arm++) {
		double count = (double)counts[arm], value = INFINITY;

		if (without >> arm & 1)
			continue;
		/* an arm that was never pulled comes first */
		if (counts[arm])
			value = 2 * (double)areas[arm] / (count * (count + 1)) +
				self->exploration * sqrt(2 * trials / count);
		if (value > best) {
			best = value;
			chosen = arm;
			equal_count = 1;
		} else if (value == best && !at_random_below(random, ++equal_count)) {
			chosen = arm;
		}
	}
	assert(chosen != SIZE_MAX);
	return chosen;
}

uint64_t at_credit_pull(struct at_credit *self, size_t arm)
{
	size_t place = (size_t)(self->pull_count % self->window);

	self->arms[place] = (uint8_t)arm;
	self->paid[place] = false;
	return self->pull_count++;
}

void at_credit_paid(struct at_credit *self, uint64_t pull)
{
	if (self->pull_count - pull <= self->window)
		self->paid[pull % self->window] = true;
}
