/*
 * Gaussian process regression: predicts the cost of a configuration from observed
 * ones, with its uncertainty. Rasmussen and Williams, "Gaussian Processes for Machine
 * Learning" (2006), chapters 2, 4 and 5. The covariance is Matérn's with smoothness
 * 3/2, of a distance in which every feature has a weight. Weights and noise are drawn
 * from their posterior by Metropolis' algorithm: with few observations the most
 * likely weights are overconfident.
 *
 *   at_gaussian_new(&options, &gaussian, &err);
 *   at_gaussian_point(gaussian, slot) gets the features of a candidate, for each slot
 *   at_gaussian_clear(gaussian);
 *   at_gaussian_observe(gaussian, features, trend, 0);   each observation
 *   at_gaussian_fit(gaussian, targets, count, proposals, &random);
 *   at_gaussian_factor(gaussian);
 *   at_gaussian_extend(gaussian, 0, candidate_count);
 *   at_gaussian_observe(gaussian, features, trend, 0);   one more, cheaper than anew
 *   at_gaussian_condition(gaussian, targets, count);
 *   mean = at_gaussian_mean(gaussian, slot); ...
 *
 * An observation needs no target yet: a pending configuration reduces the uncertainty
 * around it, but does not change the means. Operations, for n observations of d
 * features and m candidates: a proposal n^2 (d + n / 3) / 2, factor and extend n^2 m
 * / 2, observe n (d + m), condition n m. Memory: 4 n m bytes.
 *
 * Arithmetic is element by element in one order, so results do not depend on the
 * width of the processor's vectors. Threads: one object, one thread.
 */
#ifndef AT_SEARCH_GAUSSIAN_H
#define AT_SEARCH_GAUSSIAN_H

#include "base/error.h"
#include "base/random.h"

#include <stddef.h>

struct at_gaussian;

/* The doubt of an observation with an unknown target. */
#define AT_GAUSSIAN_UNKNOWN 1e4

struct at_gaussian_options {
	size_t feature_count;
	/* for each feature the mean of the prior of its weight's logarithm: normal,
	   with deviation 1 */
	const double *weight_priors;
	size_t observations_most; /* capacity for observations */
	size_t candidates_most; /* number of slots */
	/* another process with as many features and slots, which must live longer:
	   the two share their points. NULL: points of its own */
	const struct at_gaussian *points_of;
};

/* Makes a process without observations; weights start at their prior means. */
enum at_status at_gaussian_new(const struct at_gaussian_options *options,
	struct at_gaussian **out, struct at_error *err);
/* Self may be NULL. */
void at_gaussian_free(struct at_gaussian *self);

/*
 * Where the caller writes the features of a candidate; consecutive features lie
 * at_gaussian_stride() elements apart. The slot's mean and deviation are those of the
 * old features until at_gaussian_extend().
 */
float *at_gaussian_point(struct at_gaussian *self, size_t slot);
size_t at_gaussian_stride(const struct at_gaussian *self);
/* Sets a candidate's trend: its expected cost before any observation, up to a
   constant and a factor of about 1. Initially 0. */
void at_gaussian_set_trend(struct at_gaussian *self, size_t slot, float trend);

/* Forgets all observations and what was computed from them; keeps the weights. */
void at_gaussian_clear(struct at_gaussian *self);
/*
 * Adds an observation, up to observations_most. After at_gaussian_factor() this
 * extends the factor at once; the candidates follow at the next
 * at_gaussian_condition() or at_gaussian_extend(). doubt: the variance of its own
 * noise, in units of the scale squared, in addition to the common noise. 0: no extra
 * noise; AT_GAUSSIAN_UNKNOWN: its target has no effect.
 */
void at_gaussian_observe(
	struct at_gaussian *self, const float *features, float trend, double doubt);
size_t at_gaussian_count(const struct at_gaussian *self);

/*
 * Samples weights and noise: `proposals` Metropolis steps from the present values,
 * with the costs (targets) of the first `count` observations. at_gaussian_factor()
 * must follow.
 */
void at_gaussian_fit(struct at_gaussian *self, const double *targets, size_t count,
	int proposals, struct at_random *random);
/* Factors the covariance of all observations. */
void at_gaussian_factor(struct at_gaussian *self);
/* Recomputes the candidates first to first + count - 1 from all observations, with
   the targets of the last at_gaussian_condition() since the factor was made. */
void at_gaussian_extend(struct at_gaussian *self, size_t first, size_t count);
/* Sets the costs (targets) of the first `count` observations, and computes all
   means. */
void at_gaussian_condition(
	struct at_gaussian *self, const double *targets, size_t count);

/* The mean for any configuration, without a trend. */
double at_gaussian_predict(struct at_gaussian *self, const float *features);
/* Mean and standard deviation of a candidate's cost, in the unit of the targets. */
double at_gaussian_mean(const struct at_gaussian *self, size_t slot);
double at_gaussian_deviation(const struct at_gaussian *self, size_t slot);
/* Expected improvement over `incumbent`: Mockus 1978; Jones, Schonlau, Welch 1998. */
double at_gaussian_improvement(
	const struct at_gaussian *self, size_t slot, double incumbent);
/* Adds to each most[i] a cheap upper bound of the improvement of slot first + i. */
void at_gaussian_add_improvements_most(const struct at_gaussian *self, size_t first,
	size_t count, double incumbent, float *most);

#endif
