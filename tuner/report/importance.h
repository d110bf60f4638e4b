/*
 * Which parameters a model needs to tell times apart: permutation importance (Breiman,
 * "Random forests", 2001; Fisher, Rudin and Dominici, "All models are wrong, but many
 * are useful", 2019) of a Gaussian process of the kind that the search uses.
 *
 * The model learns the logarithm of the time from some of the evaluations that passed,
 * and is judged on others. Then, of those others, the values of one parameter are dealt
 * out anew: what the model then is more wrong by, as a share of all that times vary by,
 * is what it needs that parameter for. Shares do not add up to 1: parameters that work
 * together are each needed. It says what the model learned where the search looked, and
 * nothing of where it did not.
 *
 * Must not know: what is done with it. Threads: safe.
 */
#ifndef AT_REPORT_IMPORTANCE_H
#define AT_REPORT_IMPORTANCE_H

#include "base/error.h"

#include <stddef.h>

struct at_recording;

/* With fewer that passed it would be a guess. */
#define AT_IMPORTANCE_LEAST 48

struct at_importance {
	/* of the parameters of the recording; 0: none, since too few passed, their
	   times do not vary, or there is nothing to choose */
	size_t count;
	/* of what times vary by, from 0 on; above 1: what it makes of wrong values is
	   worse than no model */
	double *shares;
	size_t learned_count; /* evaluations that it learned from */
	size_t judged_count;
	/* how much of what times vary by it explains, of those that it is judged on:
	   1 all, 0 and below nothing */
	double explained;
};

/* Always the same for the same recording. Release it also after a failure. */
enum at_status at_importance_init(struct at_importance *self,
	const struct at_recording *recording, struct at_error *err);
void at_importance_release(struct at_importance *self);

#endif
