/*
 * What the record knows of a space before a search of it begins: what was evaluated for
 * this very problem on this model of device, and for its other problems, on other
 * models of the same kind, and by other tools, from which a strategy may learn.
 *
 *   at_experience_gather(&options, &experience, &err);
 *   ... experience.own: looked up by key, one by one, since only that says whether
 *       source, driver and all are still the same; those that are not stay there ...
 *   at_experience_teach(&experience, strategy, &err);
 *   at_experience_release(&experience);
 *
 * Threads: one.
 */
#ifndef AT_SESSION_EXPERIENCE_H
#define AT_SESSION_EXPERIENCE_H

#include "base/objective.h"
#include "record/store.h"
#include "search/strategy.h"
#include "space/spec.h"

struct at_experience_options {
	struct at_store *store;
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct at_search_space *space;
	const struct at_objective *objective;
	int64_t device_id;
	uint64_t evaluations; /* of the search's budget; 0: no limit */
};

/* Each configuration once, as it was recorded last. */
struct at_experience_prior {
	struct at_told *told; /* without facts; best first */
	size_t count;
	double likeness;
};

/* Zeroed it is empty. */
struct at_experience {
	/* the best, as many as the budget has evaluations, stand in the order in which
	   they were recorded: a strategy that is told of them in turn sees the search
	   they come from, and how long ago it gained anything */
	struct at_experience_prior own;
	struct at_experience_prior *others; /* the likest first */
	size_t other_count;
};

/* Release it also after a failure. */
enum at_status at_experience_gather(const struct at_experience_options *options,
	struct at_experience *out, struct at_error *err);
void at_experience_release(struct at_experience *self);

/*
 * What a strategy is told of an evaluation. Its facts are borrowed from it.
 */
struct at_told at_experience_told(uint64_t index,
	const struct at_evaluation *evaluation, const struct at_objective *objective);

/*
 * Gives all of it to the strategy as priors: `own` is what is left there, of an older
 * source or driver.
 */
enum at_status at_experience_teach(const struct at_experience *self,
	struct at_strategy *strategy, struct at_error *err);

#endif
