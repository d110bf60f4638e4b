/*
 * The parameters that a model needs to predict times: permutation importance (Breiman,
 * "Random forests", 2001; Fisher, Rudin and Dominici, "All models are wrong, but many
 * are useful", 2019) of a Gaussian process like the search's.
 *
 * The model learns the logarithm of the time from some of the evaluations that are ok,
 * and is judged on other such evaluations. Then the values of one parameter are
 * permuted among these. A parameter's share is half of the growth of the model's mean
 * squared error, divided by the variance of the logarithms: the variance due to this
 * parameter, alone and jointly with others. For a perfect model and independently drawn
 * parameters it is Sobol's total index. Shares need not add up to 1, since the joint
 * effect of two parameters counts for both. They describe only the part of the space
 * that the search visited.
 *
 * Must not know: what is done with it. Threads: safe.
 */
#ifndef AT_REPORT_IMPORTANCE_H
#define AT_REPORT_IMPORTANCE_H

#include "base/error.h"

#include <stddef.h>

struct at_recording;

/* With fewer ok evaluations, shares would be guesses. */
#define AT_IMPORTANCE_LEAST 48

/* The shares of parameters, and the quality of the model. */
struct at_importance {
	/* Parameters of the recording; 0: there are no shares, because too few
	   evaluations are ok, their times do not vary, or no parameter has a choice. */
	size_t count;
	/* by parameter: the share of the variance, at least 0; by chance slightly above
	   1 */
	double *shares;
	size_t learned_count; /* evaluations used for learning */
	size_t judged_count; /* evaluations used for judging */
	/* The share of the judged evaluations' variance that the model explains: 1 is
	   all, 0 and below is nothing. */
	double explained;
};

/* Deterministic in the recording. Release it also after a failure. */
enum at_status at_importance_init(struct at_importance *self,
	const struct at_recording *recording, struct at_error *err);
/* Frees the shares and zeroes the struct. */
void at_importance_release(struct at_importance *self);

#endif
