/*
 * A recording as it would be measured on another night: samples are drawn anew, and
 * changed by what boards do. There is a factor for the night, one for each kernel, a
 * board that warms up and drifts, and in some nights a stretch of rounds with clocks
 * held down. What a night's report is to find can be planted.
 *
 *   "FILE,night=17,noise=3,slower=1.05,wrong=1"
 *
 *   night    its number, from 1; without it nothing of this is done
 *   noise    a seed; another one makes other nights (default 0)
 *   slower   the recording's fastest configuration takes so many times as long
 *   board    all configurations take so many times as long
 *   wrong    1: the fastest configuration gives wrong results
 *
 * Threads: pure functions.
 */
#ifndef AT_REPLAY_REPLAY_NIGHT_H
#define AT_REPLAY_REPLAY_NIGHT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: as it was recorded. */
struct at_replay_night {
	uint64_t night; /* its number; 0: as recorded */
	uint64_t noise; /* seed */
	double slower; /* factor for the fastest; 0: none */
	double board; /* factor for all; 0: none */
	bool is_wrong; /* the fastest gives wrong results */
};

/*
 * Takes these keys out of a recording's name. *file is the rest, on the heap, the
 * caller's. A whole name that is a file has no keys. AT_EINVAL: a value makes no
 * sense, or there is a key but no night.
 */
enum at_status at_replay_night_split(const char *name, char **file,
	struct at_replay_night *out, struct at_error *err);

/*
 * Changes samples[0..count) of one configuration as the night does, in the order in
 * which they were taken. occasion: the same number for samples of the same rounds,
 * another for others.
 */
void at_replay_night_apply(const struct at_replay_night *self, size_t row,
	bool is_fastest, uint64_t occasion, double *samples_ns, size_t count);

#endif
