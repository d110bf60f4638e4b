/* The score of a search, and its interval. */
#include "search/score.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The percentiles of 2.5 % are then the 25th from each end; they vary between seeds
   by about a twentieth of the interval. */
#define RESAMPLES 1000

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

double at_score_quantile(double *values, size_t count, double share)
{
	double place = share * (double)(count - 1);
	size_t below = (size_t)place;

	qsort(values, count, sizeof(*values), compare);
	if (below + 1 >= count)
		return values[count - 1];
	return values[below] +
	       (place - (double)below) * (values[below + 1] - values[below]);
}

enum at_status at_score_space_init(struct at_score_space *self, const double *costs,
	size_t count, size_t horizon, struct at_error *err)
{
	double *sorted = at_malloc((count + 1) * sizeof(*sorted));
	size_t passed = 0;

	*self = (struct at_score_space){ .horizon = horizon };
	self->expected = at_calloc(horizon + 1, sizeof(*self->expected));
	for (size_t i = 0; i < count; i++)
		if (isfinite(costs[i]))
			sorted[passed++] = costs[i];
	if (!passed) {
		free(sorted);
		at_score_space_release(self);
		return at_fail(
			err, AT_EINVAL, NULL, 0, "none of its configurations passed");
	}
	qsort(sorted, passed, sizeof(*sorted), compare);
	self->optimum = sorted[0];
	self->worst = sorted[passed - 1];
	/*
	 * The least of n random draws out of `count` is the i-th in order (from 0) if
	 * that one is drawn and none before it. For i = 0 the probability is n /
	 * count, and from i to i + 1 it changes by the factor (count - i - n) /
	 * (count - i - 1). Failures come last in order and count as the worst: they
	 * get the remaining probability.
	 */
	for (size_t n = 1; n <= horizon; n++) {
		double chance = n < count ? (double)n / (double)count : 1;
		double left = 1, sum = 0;

		for (size_t i = 0; i < passed && chance > 0; i++) {
			sum += chance * sorted[i];
			left -= chance;
			if (i + n >= count || i + 1 >= count)
				break;
			chance *= (double)(count - i - n) / (double)(count - i - 1);
			/* too small to change the sum in double precision */
			if (chance * (double)count < 1e-18)
				break;
		}
		self->expected[n - 1] = sum + (left > 0 ? left * self->worst : 0);
	}
	free(sorted);
	return AT_OK;
}

void at_score_space_release(struct at_score_space *self)
{
	free(self->expected);
	*self = (struct at_score_space){ 0 };
}

double at_score_area(const struct at_score_space *self, const double *best)
{
	double sum = 0;
	size_t used = 0;

	for (size_t i = 0; i < self->horizon; i++) {
		double room = self->expected[i] - self->optimum;

		/* such a small difference is rounding error */
		if (room <= self->optimum * 1e-12)
			continue;
		sum += (self->expected[i] - best[i]) / room;
		used++;
	}
	return used ? sum / (double)used : (double)NAN;
}

static double statistic_of(
	double *values, size_t count, enum at_score_statistic statistic)
{
	double sum = 0;

	switch (statistic) {
	case AT_SCORE_MEAN:
		break;
	case AT_SCORE_MEDIAN:
		return at_score_quantile(values, count, 0.5);
	}
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

void at_score_estimate_groups(const struct at_score_group *groups, size_t count,
	enum at_score_statistic statistic, uint64_t seed, struct at_score_estimate *out)
{
	double *means = at_calloc(RESAMPLES, sizeof(*means)), *drawn;
	struct at_random random;
	size_t most = 1;

	*out = (struct at_score_estimate){ NAN, NAN, NAN };
	for (size_t g = 0; g < count; g++)
		most = groups[g].count > most ? groups[g].count : most;
	drawn = at_calloc(most, sizeof(*drawn));
	at_random_init(&random, seed);
	out->value = 0;
	for (size_t g = 0; g < count; g++) {
		memcpy(drawn, groups[g].values, groups[g].count * sizeof(*drawn));
		out->value +=
			statistic_of(drawn, groups[g].count, statistic) / (double)count;
	}
	for (size_t r = 0; r < RESAMPLES; r++)
		for (size_t g = 0; g < count; g++) {
			size_t size = groups[g].count;

			for (size_t i = 0; i < size; i++)
				drawn[i] =
					groups[g]
						.values[at_random_below(&random, size)];
			means[r] +=
				statistic_of(drawn, size, statistic) / (double)count;
		}
	out->low = at_score_quantile(means, RESAMPLES, 0.025);
	out->high = at_score_quantile(means, RESAMPLES, 0.975);
	free(means);
	free(drawn);
}
