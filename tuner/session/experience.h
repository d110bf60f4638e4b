/*
 * What the record knows about a space before a search begins: evaluations of this very
 * problem on this model of device; and evaluations of other problems, on other models
 * of the same kind of device and by other tools, from which a strategy may learn.
 *
 * |   at_experience_gather(&visit, &experience, &err);
 * |   ... look up each of experience.own by its key in the record: only the key says
 * |       whether source, driver and so on are still the same; leave there those
 * |       that no longer hold ...
 * |   at_experience_teach(&experience, strategy, &err);
 * |   at_experience_release(&experience);
 *
 * Threads: one.
 */
#ifndef AT_SESSION_EXPERIENCE_H
#define AT_SESSION_EXPERIENCE_H

#include "search/strategy.h"
#include "session/visit.h"

/* Evaluations of one problem on one device: each configuration once, as it was recorded
   last. */
struct at_experience_prior {
	struct at_told *told; /* without facts; best first; heap */
	size_t count;
	double likeness; /* how much it is like what is tuned now, 0 .. 1 */
};

/* What the record knows. */
struct at_experience {
	/*
	 * This problem on this device. The best of them, as many as the budget has
	 * evaluations, come first, in the order in which they were recorded: a strategy
	 * that gets them in this order sees the search that they came from, and how
	 * long ago it last gained something.
	 */
	struct at_experience_prior own;
	struct at_experience_prior *others; /* most alike first; heap */
	size_t other_count;
};

/* Reads the record into *out. The caller releases *out, also after a failure. */
enum at_status at_experience_gather(
	const struct at_visit *visit, struct at_experience *out, struct at_error *err);
/* Frees everything; a zeroed experience is allowed. */
void at_experience_release(struct at_experience *self);

/* An evaluation as a strategy gets it; facts are borrowed from the evaluation. */
struct at_told at_experience_told(
	uint64_t index, const struct at_evaluation *evaluation);

/*
 * Gives the strategy everything as priors. By now `own` must hold only evaluations of
 * an older source or driver. Strategies without priors are left alone.
 */
enum at_status at_experience_teach(const struct at_experience *self,
	struct at_strategy *strategy, struct at_error *err);

#endif
