/*
 * Finals of kernels whose time is known, with noise as recordings have it: what the
 * coverage of an interval is shown with. Threads: pure functions but for the generator.
 */
#ifndef AT_TESTS_NOISE_H
#define AT_TESTS_NOISE_H

#include "base/random.h"
#include "measure/statistics.h"

#include <stddef.h>

/* as many as finals hold up to their first look, and at most */
enum {
	NOISE_BLOCKS = 6,
	NOISE_ROUNDS = 5,
	NOISE_SAMPLES = 30,
	NOISE_BLOCKS_MAX = 24,
	NOISE_KERNELS = 6,
};

/* Deviations are of logarithms: shares of the time. */
struct noise {
	double deviation; /* of samples */
	double correlation; /* of one and the next: AR(1), which does not end with a
			       block */
	double offset; /* deviation of blocks: where memory lies, how code was loaded */
	double drift; /* from the first to the last round of NOISE_SAMPLES */
	/* of blocks that fall into one of two lots, by where memory lies: half of them
	   take so much more, half so much less */
	double split;
};

/* One kernel on its way through finals that go on as long as somebody asks. */
struct noise_source {
	struct noise noise;
	double true_ns; /* geometric mean of all samples that there could be */
	double last; /* of the correlated part */
	unsigned count; /* samples so far */
};

void noise_begin(struct noise_source *self, const struct noise *noise, double true_ns,
	struct at_random *random);
/* The next block's NOISE_ROUNDS samples, where samples is not NULL, and its median. */
double noise_block(
	struct noise_source *self, struct at_random *random, double *samples);

/* All samples of one run, and the median of each of its blocks. */
void noise_run(const struct noise *self, double true_ns, struct at_random *random,
	double samples[NOISE_SAMPLES], double blocks[NOISE_BLOCKS]);

/* One that takes part in finals; the first is the baseline. */
struct noise_kernel {
	double true_ns;
	struct noise noise;
};

struct noise_outcome {
	size_t winner;
	uint32_t blocks; /* that it took */
	struct at_interval time; /* of the winner, as it is told */
	struct at_interval gain; /* baseline over winner */
};

/* Finals as session/phase_finals.c holds them, without a limit of time. */
struct noise_outcome noise_finals(const struct noise_kernel *kernels, size_t count,
	unsigned looks, struct at_random *random);

/* Deviation and correlation of consecutive samples; count at least 3. */
struct noise noise_of(const double *samples, size_t count);

#endif
