/* Simulates samples, blocks and finals with the noise of recordings (noise.h). */
#include "noise.h"

#include "measure/statistics.h"
#include "session/standings.h"

#include <math.h>

static double normal(struct at_random *random)
{
	double sum = -6;

	/* of twelve even ones: near enough within three deviations */
	for (int i = 0; i < 12; i++)
		sum += (double)at_random_below(random, 1u << 30) / (1u << 30);
	return sum;
}

void noise_begin(struct noise_source *self, const struct noise *noise, double true_ns,
	struct at_random *random)
{
	*self = (struct noise_source){
		.noise = *noise,
		.true_ns = true_ns,
		.last = noise->deviation * normal(random),
	};
}

double noise_block(struct noise_source *self, struct at_random *random, double *samples)
{
	const struct noise *noise = &self->noise;
	double fresh = sqrt(1 - noise->correlation * noise->correlation);
	double offset = noise->offset * normal(random), sorted[NOISE_ROUNDS];

	if (noise->split > 0)
		offset += at_random_below(random, 2) ? noise->split : -noise->split;
	for (int i = 0; i < NOISE_ROUNDS; i++) {
		double part = self->count++ / (NOISE_SAMPLES - 1.0) - 0.5;

		self->last = noise->correlation * self->last +
			     fresh * noise->deviation * normal(random);
		sorted[i] =
			self->true_ns * exp(self->last + offset + noise->drift * part);
		if (samples)
			samples[i] = sorted[i];
	}
	return at_statistics_median(sorted, NOISE_ROUNDS).median;
}

void noise_run(const struct noise *self, double true_ns, struct at_random *random,
	double samples[NOISE_SAMPLES], double blocks[NOISE_BLOCKS])
{
	struct noise_source source;

	noise_begin(&source, self, true_ns, random);
	for (int block = 0; block < NOISE_BLOCKS; block++)
		blocks[block] = noise_block(
			&source, random, samples + (ptrdiff_t)block * NOISE_ROUNDS);
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

struct noise_outcome noise_finals(const struct noise_kernel *kernels, size_t count,
	unsigned looks, struct at_random *random)
{
	struct noise_source sources[NOISE_KERNELS];
	struct at_standing standings[NOISE_KERNELS];
	double blocks[NOISE_KERNELS][NOISE_BLOCKS_MAX];
	bool is_wanted[NOISE_KERNELS];
	struct noise_outcome out = { 0 };
	const struct at_standing *winner;
	unsigned look = 0;
	double alpha = 0;

	for (size_t i = 0; i < count; i++) {
		noise_begin(&sources[i], &kernels[i].noise, kernels[i].true_ns, random);
		/* of strangers that tie the first needs least */
		standings[i] = (struct at_standing){
			.blocks = blocks[i], .resources = (double)i, .may_win = true
		};
		is_wanted[i] = true;
	}
	for (bool is_open = true; is_open && look < looks; look++) {
		while (out.blocks < at_standings_blocks(look)) {
			for (size_t i = 0; i < count; i++)
				if (is_wanted[i])
					blocks[i][standings[i].count++] =
						noise_block(&sources[i], random, NULL);
			out.blocks++;
		}
		alpha = at_standings_alpha(look, false);
		is_open =
			at_standings_open(standings, count, 0, alpha, true, is_wanted);
		if (is_open && look + 1 == looks)
			alpha = at_standings_alpha(look, true);
	}
	out.winner = at_standings_winner(standings, count, 0, alpha);
	winner = &standings[out.winner];
	out.time = at_statistics_blocks(winner->blocks, winner->count, 0.95);
	out.gain = at_statistics_block_ratio(
		blocks[0], winner->blocks, winner->count, 0.95);
	return out;
}
