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
	/* in logarithms: C(count, k) leaves the doubles at a thousand samples, and so
	   does 1 / 2^count */
	double tail = 0;
	double log_half = -(double)count * log(2.0);
	double log_choose = 0;
	size_t rank = 0;

	/* both tails are alike: one is summed, from its end */
	for (size_t k = 0; k < count / 2; k++) {
		tail += exp(log_choose + log_half);
		if (1 - 2 * tail < 0.95)
			break;
		rank = k + 1;
		log_choose += log((double)(count - k)) - log((double)(k + 1));
	}
	return rank;
}

struct at_interval at_statistics_median_sorted(const double *sorted, size_t count)
{
	size_t rank = interval_rank(count);

	assert(count > 0);
	/* too few for any pair: the widest that there is */
	if (rank == 0)
		rank = 1;
	return (struct at_interval){
		.median = count % 2 ? sorted[count / 2]
				    : (sorted[count / 2 - 1] + sorted[count / 2]) / 2,
		.low = sorted[rank - 1],
		.high = sorted[count - rank],
	};
}

struct at_interval at_statistics_median(double *samples, size_t count)
{
	qsort(samples, count, sizeof(*samples), compare_doubles);
	return at_statistics_median_sorted(samples, count);
}

void at_statistics_insert(double *sorted, size_t count, double value)
{
	/* from behind: samples of one kernel come in no order, and there are few */
	while (count > 0 && sorted[count - 1] > value) {
		sorted[count] = sorted[count - 1];
		count--;
	}
	sorted[count] = value;
}

struct at_interval at_statistics_ratio(
	const double *a, const double *b, size_t count, double *scratch)
{
	for (size_t i = 0; i < count; i++)
		/* of a pair both had the same drift: it goes out of the quotient */
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
