/*
 * Simulates finals of kernels whose times are known, with the noise of recordings, to
 * test how often intervals cover the true time. Threads: pure functions but for the
 * random generator.
 */
#ifndef AT_TESTS_NOISE_H
#define AT_TESTS_NOISE_H

#include "base/random.h"
#include "measure/statistics.h"

#include <stddef.h>

/* The sizes of finals up to their first look, and the most blocks. */
enum {
	NOISE_BLOCKS = 6,
	NOISE_ROUNDS = 5,
	NOISE_SAMPLES = 30,
	NOISE_BLOCKS_MAX = 72,
	NOISE_KERNELS = 6,
};

/* All deviations are of logarithms of times. */
struct noise {
	double deviation; /* of samples */
	double correlation; /* of successive samples (AR(1)), across blocks too */
	double offset; /* deviation of blocks, by the places of memory and code */
	double drift; /* from the first to the last round of NOISE_SAMPLES */
	/* half of the blocks take this much more and half this much less, as where the
	   place of memory decides between two times */
	double split;
};

/* The state of one kernel in finals that take block after block. */
struct noise_source {
	struct noise noise;
	double true_ns; /* the geometric mean of all possible samples */
	double last; /* the last value of the correlated part */
	unsigned count; /* samples so far */
};

void noise_begin(struct noise_source *self, const struct noise *noise, double true_ns,
	struct at_random *random);
/* Takes the next block: returns its median, and its NOISE_ROUNDS samples in `samples`
   unless that is NULL. */
double noise_block(
	struct noise_source *self, struct at_random *random, double *samples);

/* Takes all samples of one run, and the median of each of its blocks. */
void noise_run(const struct noise *self, double true_ns, struct at_random *random,
	double samples[NOISE_SAMPLES], double blocks[NOISE_BLOCKS]);

/* A kernel in finals; the first is the baseline. */
struct noise_kernel {
	double true_ns;
	struct noise noise;
};

struct noise_outcome {
	size_t winner;
	uint32_t blocks; /* how many were held */
	struct at_interval time; /* of the winner, as reported */
	struct at_interval gain; /* the baseline's time over the winner's */
};

/* Holds finals as session/phase_finals.c does, without a limit of time. */
struct noise_outcome noise_finals(const struct noise_kernel *kernels, size_t count,
	unsigned looks, struct at_random *random);

/* The deviation and correlation of successive samples; count at least 3. */
struct noise noise_of(const double *samples, size_t count);

#endif
