/*
 * A recording as another night would measure it: samples are drawn anew and perturbed
 * as on real boards. There is a factor for the night, one for each kernel, a board that
 * warms up and drifts, and on some nights throttled rounds. Changes that a nightly
 * report must find can be planted.
 *
 *   "FILE,night=17,noise=3,slower=1.05,wrong=1"
 *
 *   night    its number, from 1; without it nothing of this is done
 *   noise    a seed; another one makes other nights (default 0)
 *   slower   factor on the time of the recording's fastest configuration
 *   board    factor on the time of all configurations
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

/* All zero: as recorded. */
struct at_replay_night {
	uint64_t night; /* its number; 0: as recorded */
	uint64_t noise; /* seed */
	double slower; /* factor for the fastest; 0: none */
	double board; /* factor for all; 0: none */
	bool is_wrong; /* the fastest gives wrong results */
};

/* Splits these keys off a recording's name. *file: the rest, on the heap, the caller's.
   If the whole name is an existing file, it has no keys. AT_EINVAL: a value is invalid,
   or there are keys without a night. */
enum at_status at_replay_night_split(const char *name, char **file,
	struct at_replay_night *out, struct at_error *err);

/* Perturbs samples[0..count) of one configuration, in the order of measurement, as the
   night does. occasion: equal for samples of the same rounds, different otherwise. */
void at_replay_night_apply(const struct at_replay_night *self, size_t row,
	bool is_fastest, uint64_t occasion, double *samples_ns, size_t count);

#endif
