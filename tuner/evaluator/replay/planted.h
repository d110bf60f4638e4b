/*
 * Artificial search spaces with a known kind of difficulty, in the form of a recording.
 * They test strategies without measurements, so that strategies are not fitted to the
 * few real recordings. A seed determines a space; other seeds give similar spaces of
 * the same kind.
 *
 *   at_planted_make("cliffs,seed=3,size=50000", &recording, &err);
 *
 * Parameters are like those of kernels: powers of two, ranges, booleans, words. A few
 * of them decide most of the time. The product of two of them is bounded, so the space
 * is not a box. Each kind adds one difficulty to a smooth bowl; `mixed` has some of
 * each. A time is the mean of seven noisy samples.
 *
 * Threads: safe.
 */
#ifndef AT_REPLAY_PLANTED_H
#define AT_REPLAY_PLANTED_H

#include "record/recording.h"

/*
 * The kinds. Columns, as in struct kind (planted.c): the weight of interactions
 * relative to single parameters; the number of cliffs; the share that fails; the height
 * of a step of the time (0: no plateaus); the needle's depth below the bottom of the
 * bowl; the number of flags that decide whether other parameters count; the standard
 * deviation of a sample. Heights are on the natural logarithm of the time.
 */
#define AT_PLANTED_KINDS(X) \
	X(smooth, "a bowl, for comparison", 0.2, 0, 0, 0, 0, 0, 0.01) \
	X(interactions, "what is best for one parameter depends on others", 2, 0, 0, \
		0, 0, 0, 0.01) \
	X(cliffs, "the time jumps where products of parameters pass a limit", 0.5, 4, \
		0, 0, 0, 0, 0.01) \
	X(infeasible, "up to two fifths of the configurations fail, in one region", \
		0.5, 1, 0.4, 0, 0, 0, 0.01) \
	X(plateaus, "large areas are equally fast", 0.5, 0, 0, 0.35, 0, 0, 0.01) \
	X(needle, "the best place is narrow, and apart from the broad bowl", 0.5, 0, \
		0, 0, 0.35, 0, 0.01) \
	X(conditional, "parameters count only where a flag is set", 0.5, 0, 0, 0, 0, \
		2, 0.01) \
	X(noisy, "samples vary by a tenth", 0.5, 0, 0, 0, 0, 0, 0.1) \
	X(mixed, "some of all of these", 1, 2, 0.15, 0.05, 0.2, 0, 0.03)

/* Prefix of a planted space's name. */
#define AT_PLANTED_PREFIX "planted:"

/* text: KIND[,seed=N][,size=N]. size: the approximate number of configurations, 100 to
   10^6, by default 10,000. The caller frees *out as a recording. AT_EINVAL, AT_ENOENT:
   the kind or key is unknown; the line lists the known ones. */
enum at_status at_planted_make(
	const char *text, struct at_recording **out, struct at_error *err);
/* Loads a recording: a planted space, or a file (at_recording_read()). */
enum at_status at_replay_load(
	const char *name, struct at_recording **out, struct at_error *err);

#endif
