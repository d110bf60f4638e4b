/*
 * A recording as it would be measured another night: the samples are drawn anew, and
 * on them lies what boards do, a factor of the night, one of each kernel, a board that
 * warms up and drifts, and in some nights a stretch of rounds at clocks that are held
 * down. What is to be found can be planted.
 *
 *   "FILE,night=17,noise=3,slower=1.05,wrong=1"
 *
 *   night    its number, from 1; without it nothing of this is done
 *   noise    a seed: another one, other nights (0)
 *   slower   the fastest configuration of the recording takes so many times as long
 *   board    all configurations do
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

/* Zeroed: as it was recorded. */
struct at_replay_night {
	uint64_t night; /* 0: none */
	uint64_t noise;
	double slower; /* 0: as it is */
	double board;
	bool is_wrong;
};

/*
 * Takes these keys out of a recording's name: what is left, heap, is the caller's. A
 * file of that very name has none. AT_EINVAL: a value that makes no sense, or a key
 * without a night.
 */
enum at_status at_replay_night_split(const char *name, char **file,
	struct at_replay_night *out, struct at_error *err);

/*
 * Puts the night on samples[0..count) of one configuration, in the order taken.
 * occasion: of samples that were taken in the same rounds the same, of others another.
 */
void at_replay_night_apply(const struct at_replay_night *self, size_t row,
	bool is_fastest, uint64_t occasion, double *samples_ns, size_t count);

#endif
