#include "measure/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * The largest rank r (from 1) with P(r <= B(count, 1/2) <= count - r) >= 0.95;
 * then x[r] and x[count + 1 - r] enclose the median. 0 when there is none.
 */
static size_t interval_rank(size_t count)
{
	double tail = 0;
	double log_half = -(double)count * log(2.0);
	double log_choose = 0;
	size_t rank = 0;

	for (size_t k = 0; k < count / 2; k++) {
		tail += exp(log_choose + log_half);
		if (1 - 2 * tail < 0.95)
			break;
		rank = k + 1;
		log_choose += log((double)(count - k)) - log((double)(k + 1));
	}
	return rank;
}

struct at_interval at_statistics_median(double *samples, size_t count)
{
	struct at_interval interval;
	size_t rank;

	assert(count > 0);
	qsort(samples, count, sizeof(*samples), compare_doubles);
	interval.median = count % 2 ? samples[count / 2]
				    : (samples[count / 2 - 1] + samples[count / 2]) / 2;
	rank = interval_rank(count);
	if (rank == 0)
		rank = 1;
	interval.low = samples[rank - 1];
	interval.high = samples[count - rank];
	return interval;
}

struct at_interval at_statistics_ratio(
	const double *a, const double *b, size_t count, double *scratch)
{
	for (size_t i = 0; i < count; i++)
		scratch[i] = a[i] / b[i];
	return at_statistics_median(scratch, count);
}

void at_statistics_shuffle(unsigned *order, size_t count, struct at_random *random)
{
	for (size_t i = count; i > 1; i--) {
		size_t j = (size_t)at_random_below(random, i);
		unsigned kept = order[i - 1];

		order[i - 1] = order[j];
		order[j] = kept;
	}
}
