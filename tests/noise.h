/*
 * Finals of a kernel whose time is known, with noise as recordings have it: what the
 * coverage of an interval is shown with. Threads: pure functions but for the generator.
 */
#ifndef AT_TESTS_NOISE_H
#define AT_TESTS_NOISE_H

#include "base/random.h"

#include <stddef.h>

/* as many as finals hold */
enum { NOISE_BLOCKS = 6, NOISE_ROUNDS = 5, NOISE_SAMPLES = 30 };

/* Deviations are of logarithms: shares of the time. */
struct noise {
	double deviation; /* of samples */
	double correlation; /* of one and the next: AR(1), which does not end with a
			       block */
	double offset; /* deviation of blocks: where memory lies, how code was loaded */
	double drift; /* from the first to the last round */
};

/* All samples of one run, and the median of each of its blocks. */
void noise_run(const struct noise *self, double true_ns, struct at_random *random,
	double samples[NOISE_SAMPLES], double blocks[NOISE_BLOCKS]);

/* Deviation and correlation of consecutive samples; count at least 3. */
struct noise noise_of(const double *samples, size_t count);

#endif
