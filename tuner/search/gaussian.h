/*
 * Gaussian process regression: from some observed configurations it computes what
 * others are likely to cost, and how sure that is. Rasmussen and Williams, "Gaussian
 * Processes for Machine Learning" (2006), chapters 2, 4 and 5. The covariance is
 * Matérn's with smoothness 3/2, of a distance in which every feature has a weight.
 * Weights and noise are drawn from their posterior by Metropolis' algorithm: with few
 * observations the most likely weights are far too sure of themselves.
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
 * An observation needs no target yet: a configuration whose cost is pending makes its
 * surroundings surer, but does not change their means. Operations, for n observations
 * of d features and m candidates: a proposal n^2 (d + n / 3) / 2, factor and extend n^2
 * m / 2, observe n (d + m), condition n m. Memory: 4 n m bytes.
 *
 * Arithmetic is done element by element in one order, so that results do not depend on
 * the width of the processor's vectors. Threads: one object, one thread.
 */
#ifndef AT_SEARCH_GAUSSIAN_H
#define AT_SEARCH_GAUSSIAN_H

#include "base/error.h"
#include "base/random.h"

#include <stddef.h>

struct at_gaussian; /* opaque */

/* The doubt of an observation whose target is not known. */
#define AT_GAUSSIAN_UNKNOWN 1e4

struct at_gaussian_options {
	size_t feature_count;
	/* for each feature the mean of the prior of its weight's logarithm, a normal
	   one with deviation 1 */
	const double *weight_priors;
	size_t observations_most; /* the most that are kept at once */
	size_t candidates_most; /* number of slots */
	/* another process with as many features and slots, which lives longer: what is
	   written to a point of one is a point of both. NULL: points of its own */
	const struct at_gaussian *points_of;
};

/* Makes a process without observations; weights begin at the means of their priors. */
enum at_status at_gaussian_new(const struct at_gaussian_options *options,
	struct at_gaussian **out, struct at_error *err);
/* Releases the process; self may be NULL. */
void at_gaussian_free(struct at_gaussian *self);

/*
 * Where the caller writes the features of a candidate, with at_gaussian_stride()
 * elements from one to the next. The slot's mean and deviation stay those of the old
 * features until at_gaussian_extend().
 */
float *at_gaussian_point(struct at_gaussian *self, size_t slot);
size_t at_gaussian_stride(const struct at_gaussian *self);
/* Sets a candidate's trend: what it is expected to cost before anything is observed, up
   to a constant and a factor of about 1. It is 0 at first. */
void at_gaussian_set_trend(struct at_gaussian *self, size_t slot, float trend);

/* Forgets all observations and what was computed from them; the weights stay. */
void at_gaussian_clear(struct at_gaussian *self);
/*
 * Adds an observation, of at most observations_most. After at_gaussian_factor() the
 * factor is extended by it at once; the candidates follow at the next
 * at_gaussian_condition() or at_gaussian_extend(). Its doubt is the variance, in units
 * of the scale squared, of noise that it has beside that of all observations: 0 is
 * none, and with AT_GAUSSIAN_UNKNOWN its target says nothing.
 */
void at_gaussian_observe(
	struct at_gaussian *self, const float *features, float trend, double doubt);
/* The number of observations. */
size_t at_gaussian_count(const struct at_gaussian *self);

/*
 * Draws weights and noise anew: `proposals` steps of Metropolis' algorithm from the
 * present ones, with the costs (targets) of the first `count` observations.
 * at_gaussian_factor() must follow.
 */
void at_gaussian_fit(struct at_gaussian *self, const double *targets, size_t count,
	int proposals, struct at_random *random);
/* Factors the covariance of all observations. */
void at_gaussian_factor(struct at_gaussian *self);
/* Computes the candidates first to first + count - 1 anew from all observations, with
   the targets of the last at_gaussian_condition() since the factor was made. */
void at_gaussian_extend(struct at_gaussian *self, size_t first, size_t count);
/* Sets the costs (targets) of the first `count` observations, and computes all means
   from them. */
void at_gaussian_condition(
	struct at_gaussian *self, const double *targets, size_t count);

/* The mean for any other configuration, without a trend. */
double at_gaussian_predict(struct at_gaussian *self, const float *features);
/* Mean and standard deviation of a candidate's cost, in the unit of the targets. */
double at_gaussian_mean(const struct at_gaussian *self, size_t slot);
double at_gaussian_deviation(const struct at_gaussian *self, size_t slot);
/* Expected improvement on `incumbent`: Mockus 1978; Jones, Schonlau, Welch 1998. */
double at_gaussian_improvement(
	const struct at_gaussian *self, size_t slot, double incumbent);
/* Adds to each most[i] an upper bound of the improvement of slot first + i, which is
   cheap. */
void at_gaussian_add_improvements_most(const struct at_gaussian *self, size_t first,
	size_t count, double incumbent, float *most);

#endif
