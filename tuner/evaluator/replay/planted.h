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

#include "base/memory.h"
#include "record/recording.h"

/* What a name of a planted space begins with. */
#define AT_PLANTED_PREFIX "planted:"

/*
 * text: KIND[,seed=N][,size=N]; size is about how many configurations it has (10000),
 * 100 to 10^6. AT_EINVAL, AT_ENOENT: no such kind or key, which names the known.
 */
enum at_status at_planted_make(
	const char *text, struct at_recording **out, struct at_error *err);
/* Appends "interactions: ..., cliffs: ..." for help. */
void at_planted_add_kinds(struct at_strbuf *out);

/* A recording from wherever: a planted space, or at_recording_read(). */
enum at_status at_replay_load(
	const char *name, struct at_recording **out, struct at_error *err);

#endif
