#include "noise.h"

#include "measure/statistics.h"

#include <math.h>
#include <string.h>

static double normal(struct at_random *random)
{
	double sum = -6;

	/* of twelve even ones: near enough within three deviations */
	for (int i = 0; i < 12; i++)
		sum += (double)at_random_below(random, 1u << 30) / (1u << 30);
	return sum;
}

void noise_run(const struct noise *self, double true_ns, struct at_random *random,
	double samples[NOISE_SAMPLES], double blocks[NOISE_BLOCKS])
{
	double last = self->deviation * normal(random);
	double fresh = sqrt(1 - self->correlation * self->correlation);

	for (int block = 0; block < NOISE_BLOCKS; block++) {
		double *own = samples + (ptrdiff_t)block * NOISE_ROUNDS;
		double offset = self->offset * normal(random), sorted[NOISE_ROUNDS];

		for (int i = 0; i < NOISE_ROUNDS; i++) {
			double part =
				(block * NOISE_ROUNDS + i) / (NOISE_SAMPLES - 1.0);

			last = self->correlation * last +
			       fresh * self->deviation * normal(random);
			own[i] = true_ns *
				 exp(last + offset + self->drift * (part - 0.5));
		}
		memcpy(sorted, own, sizeof(sorted));
		blocks[block] = at_statistics_median(sorted, NOISE_ROUNDS).median;
	}
}

struct noise noise_of(const double *samples, size_t count)
{
	double mean = 0, squares = 0, products = 0, last = 0;

	for (size_t i = 0; i < count; i++)
		mean += log(samples[i]) / (double)count;
	for (size_t i = 0; i < count; i++) {
		double off = log(samples[i]) - mean;

		squares += off * off;
		products += i ? off * last : 0;
		last = off;
	}
	return (struct noise){ .deviation = sqrt(squares / (double)(count - 1)),
		.correlation = squares > 0 ? products / squares : 0 };
}
