/*
 * What the record knows about a space before a search begins: evaluations of this
 * problem on this model of device, and evaluations that a strategy may learn from:
 * other problems, other models of this kind of device, other tools.
 *
 * |   at_experience_gather(&visit, &experience, &err);
 * |   ... look up each of experience.own in the record by its key, which covers source,
 * |       driver and so on; keep only the stale ones, which are not found ...
 * |   at_experience_teach(&experience, strategy, &err);
 * |   at_experience_release(&experience);
 *
 * Threads: one.
 */
#ifndef AT_SESSION_EXPERIENCE_H
#define AT_SESSION_EXPERIENCE_H

#include "search/strategy.h"
#include "session/visit.h"

/* The last recorded evaluation of each configuration, for one problem on one device. */
struct at_experience_prior {
	struct at_told *told; /* without facts; best first; heap */
	size_t count;
	double similarity; /* similarity to what is tuned now, 0 .. 1 */
};

/* What the record knows. */
struct at_experience {
	/* This problem on this device. The best of them, as many as the budget has
	   evaluations, come first, in the order of recording: a strategy then sees the
	   original search, and how long ago it last improved. */
	struct at_experience_prior own;
	struct at_experience_prior *others; /* most similar first; heap */
	size_t other_count;
};

/* Reads the record into *out. The caller releases *out, also after a failure. */
enum at_status at_experience_gather(
	const struct at_visit *visit, struct at_experience *out, struct at_error *err);
/* Frees everything; a zeroed experience is allowed. */
void at_experience_release(struct at_experience *self);

/* Converts an evaluation for a strategy; facts are borrowed from the evaluation. */
struct at_told at_experience_told(
	uint64_t index, const struct at_evaluation *evaluation);

/* Gives the strategy everything as priors. `own` must now hold only evaluations of an
   older source or driver. Strategies without priors are unchanged. */
enum at_status at_experience_teach(const struct at_experience *self,
	struct at_strategy *strategy, struct at_error *err);

#endif
