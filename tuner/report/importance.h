/*
 * Which parameters a model needs to tell times apart: permutation importance (Breiman,
 * "Random forests", 2001; Fisher, Rudin and Dominici, "All models are wrong, but many
 * are useful", 2019) of a Gaussian process of the kind that the search uses.
 *
 * The model learns the logarithm of the time from some of the evaluations that passed,
 * and is judged on others. Then, of those others, the values of one parameter are dealt
 * out anew: half of what the model is then more wrong by, as a share of all that times
 * vary by, is what they owe to that parameter, alone and together with others (for a
 * perfect model and parameters that are drawn independently it is Sobol's total index).
 * Shares do not add up to 1: what two parameters do together counts for each. It says
 * what the model learned where the search looked, and nothing of where it did not.
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
	/* of what times vary by, from 0 on; somewhat above 1 by chance */
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
