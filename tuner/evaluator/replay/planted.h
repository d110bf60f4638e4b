/*
 * Spaces with a structure that was planted in them, in the shape of a recording: a test
 * bed for strategies that nobody measured, so that nothing is fitted to the few
 * recordings that there are. A seed makes a space; other seeds make others of a kind.
 *
 *   at_planted_make("cliffs,seed=3,size=50000", &recording, &err);
 *
 * Parameters are such as kernels have: powers of two, ranges, booleans, words, of which
 * a few decide most; two of them have a product that is bounded, so that the space is
 * no box. Each kind has one thing more than a smooth bowl that is hard to search;
 * `mixed` has some of all. A time is the mean of seven noisy samples.
 *
 * Threads: safe.
 */
#ifndef AT_REPLAY_PLANTED_H
#define AT_REPLAY_PLANTED_H

#include "record/recording.h"

/*
 * The kinds, and how much each has of what: the weight of interactions beside the
 * effects of single parameters, cliffs, the share that fails, the height of a step of
 * the time (0: no plateaus), by how much the needle is below the bottom of the bowl,
 * how many flags decide whether others count, and the standard deviation of a sample.
 * Heights are on the logarithm of the time.
 */
#define AT_PLANTED_KINDS(X) \
	X(smooth, "a bowl, for comparison", 0.2, 0, 0, 0, 0, 0, 0.01) \
	X(interactions, "what is best for one parameter depends on others", 2, 0, 0, \
		0, 0, 0, 0.01) \
	X(cliffs, "the time jumps where products of parameters pass a limit", 0.5, 4, \
		0, 0, 0, 0, 0.01) \
	X(infeasible, "up to two fifths fail, in a region", 0.5, 1, 0.4, 0, 0, 0, \
		0.01) \
	X(plateaus, "large areas are equally fast", 0.5, 0, 0, 0.35, 0, 0, 0.01) \
	X(needle, "the best is narrow, and apart from the broad bowl", 0.5, 0, 0, 0, \
		0.35, 0, 0.01) \
	X(conditional, "parameters count only where a flag is set", 0.5, 0, 0, 0, 0, \
		2, 0.01) \
	X(noisy, "samples vary by a tenth", 0.5, 0, 0, 0, 0, 0, 0.1) \
	X(mixed, "some of all of these", 1, 2, 0.15, 0.05, 0.2, 0, 0.03)

/* What a name of a planted space begins with. */
#define AT_PLANTED_PREFIX "planted:"

/*
 * text: KIND[,seed=N][,size=N]; size is about how many configurations it has (10000),
 * 100 to 10^6. AT_EINVAL, AT_ENOENT: no such kind or key, which names the known.
 */
enum at_status at_planted_make(
	const char *text, struct at_recording **out, struct at_error *err);
/* A recording from wherever: a planted space, or at_recording_read(). */
enum at_status at_replay_load(
	const char *name, struct at_recording **out, struct at_error *err);

#endif
