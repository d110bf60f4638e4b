/*
 * Gaussian process regression: from some observed configurations, what others are
 * likely to cost, and how sure that is. Rasmussen and Williams, "Gaussian Processes for
 * Machine Learning" (2006), chapters 2, 4 and 5; the covariance is Matérn's with
 * smoothness 3/2 of a distance in which every feature has a weight. Weights and noise
 * are drawn from their posterior by Metropolis' algorithm: with few observations the
 * most likely ones are far too sure of themselves.
 *
 *   at_gaussian_new(&options, &gaussian, &err);
 *   at_gaussian_point(gaussian, slot) gets the features of a candidate, for each slot
 *   at_gaussian_clear(gaussian);
 *   at_gaussian_observe(gaussian, features);             each observation
 *   at_gaussian_fit(gaussian, targets, count, proposals, &random);
 *   at_gaussian_factor(gaussian);
 *   at_gaussian_extend(gaussian, 0, candidate_count);
 *   at_gaussian_observe(gaussian, features);             one more, cheaper than anew
 *   at_gaussian_condition(gaussian, targets, count);
 *   mean = at_gaussian_mean(gaussian, slot); ...
 *
 * Observing needs no target: what is pending makes its surroundings surer, and has no
 * say in what they cost. Costs, for n observations of d features and m candidates: a
 * proposal n^2 (d + n / 3) / 2, factor and extend n^2 m / 2, observe n (d + m),
 * condition n m. Memory 4 n m bytes.
 *
 * Arithmetic is element by element in one order, so that results do not depend on how
 * wide the vectors of the processor are. Threads: one object, one thread.
 */
#ifndef AT_SEARCH_GAUSSIAN_H
#define AT_SEARCH_GAUSSIAN_H

#include "base/error.h"
#include "base/random.h"

#include <stddef.h>

struct at_gaussian; /* opaque */

struct at_gaussian_options {
	size_t feature_count;
	/* prior of the logarithm of each feature's weight: normal, deviation 1 */
	const double *weight_priors;
	size_t observations_most;
	size_t candidates_most;
};

/* Weights begin at their priors. */
enum at_status at_gaussian_new(const struct at_gaussian_options *options,
	struct at_gaussian **out, struct at_error *err);
void at_gaussian_free(struct at_gaussian *self);

/*
 * Where the features of a candidate are written, with at_gaussian_stride() between one
 * and the next. What is known of the slot holds until at_gaussian_extend().
 */
float *at_gaussian_point(struct at_gaussian *self, size_t slot);
size_t at_gaussian_stride(const struct at_gaussian *self);
/*
 * A candidate's trend: what it is expected to cost before anything is observed, up to
 * a constant, and a factor of about 1. 0 at first.
 */
void at_gaussian_set_trend(struct at_gaussian *self, size_t slot, float trend);

/* Forgets observations, and what was made of them; weights stay. */
void at_gaussian_clear(struct at_gaussian *self);
/*
 * One observation, at most observations_most. After at_gaussian_factor() it is taken
 * into the factor, and by the next at_gaussian_condition() or at_gaussian_extend() into
 * the candidates that are extended.
 */
void at_gaussian_observe(struct at_gaussian *self, const float *features, float trend);
size_t at_gaussian_count(const struct at_gaussian *self);

/*
 * Draws weights and noise anew, from those there are, by so many proposals, by what the
 * first `count` observations cost. Afterwards the factor is to be made again.
 */
void at_gaussian_fit(struct at_gaussian *self, const double *targets, size_t count,
	int proposals, struct at_random *random);
/* Factors the covariance of all observations. */
void at_gaussian_factor(struct at_gaussian *self);
/* What the observations say of the candidates first .. first + count - 1, and what
   they cost by the targets of the last at_gaussian_condition() since the factor. */
void at_gaussian_extend(struct at_gaussian *self, size_t first, size_t count);
/* What the first `count` observations cost; their means follow from it. */
void at_gaussian_condition(
	struct at_gaussian *self, const double *targets, size_t count);

/* What any other configuration costs, likewise; without a trend. */
double at_gaussian_predict(struct at_gaussian *self, const float *features);
/* In units of the targets. */
double at_gaussian_mean(const struct at_gaussian *self, size_t slot);
double at_gaussian_deviation(const struct at_gaussian *self, size_t slot);
/* Expected improvement on `incumbent`: Mockus 1978; Jones, Schonlau, Welch 1998. */
double at_gaussian_improvement(
	const struct at_gaussian *self, size_t slot, double incumbent);
/* Adds to most[i] no less than the improvement of slot first + i, and is cheap. */
void at_gaussian_add_improvements_most(const struct at_gaussian *self, size_t first,
	size_t count, double incumbent, float *most);

#endif
