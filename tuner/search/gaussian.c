/* The regression; the loops that take most of its time are in gaussian_loops.c. */
#include "search/gaussian.h"
#include "search/gaussian_loops.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Candidates processed together: their `known` stays in the second-level cache during
   a pass over all observations. */
#define TILE 512

/* Prior of the logarithm of the noise's share of the variance, found on recordings:
   costs repeat to some percent of their spread. */
#define NOISE_MEAN -5.0
#define NOISE_DEVIATION 1.5

struct at_gaussian {
	double *doubles; /* the memory of all arrays below */
	float *floats;
	size_t feature_count;
	size_t observations_most;
	size_t candidates_most;
	size_t stride; /* of factors: padded to whole vectors */
	double *weight_priors;

	size_t count; /* of observations */
	size_t factored; /* observations in the factor */
	size_t extended; /* candidates 0 .. extended - 1 are computed ... */
	size_t known_count; /* ... from this many factored observations, often all */
	size_t conditioned; /* observations whose residuals are known */
	size_t solved; /* ones and slopes divided by the factor */
	double *weights; /* logarithms */
	double noise; /* logarithm */

	float *observed; /* features: [feature][observation] */
	float *observed_trends;
	double *doubts; /* of observations: noise in addition to the common noise */
	bool has_trends; /* at least one is not 0 */
	float *candidates; /* features: [feature][candidate] */
	float *trends;
	/* covariance = transposed factor times factor; row k from its diagonal on */
	double *factor; /* [observation][stride] */
	/* the same by columns: [observation][earlier ones, and itself] */
	float *columns;
	/* inverse transposed factor times covariance: [tile][observation][candidate] */
	float *known;
	float *variances; /* of candidates, in units of the scale squared */
	float *means; /* of candidates, without trend and constant */
	double constant;
	double slope; /* the factor of the trends */
	double scale;

	float *scales; /* of features: the weights in use, exponentiated */

	/* scratch, mostly for fitting */
	double *trial; /* weights */
	double *trial_factor;
	float *distances; /* [observation] or a tile */
	float *covariances; /* likewise */
	double *residuals;
	float *negated; /* residuals, negated: means accumulate by subtraction */
	double *ones;
	double *slopes;
	double *column; /* of the factor, for one new observation */
};

static double *take_doubles(double **memory, size_t count)
{
	*memory += count;
	return *memory - count;
}

static float *take_floats(float **memory, size_t count)
{
	*memory += count;
	return *memory - count;
}

enum at_status at_gaussian_new(const struct at_gaussian_options *options,
	struct at_gaussian **out, struct at_error *err)
{
	struct at_gaussian *self = calloc(1, sizeof(*self));
	size_t n = options->observations_most, m = options->candidates_most;
	size_t d = options->feature_count, wide = n > TILE ? n : TILE;
	size_t stride =
		(n + AT_GAUSSIAN_WHOLE - 1) / AT_GAUSSIAN_WHOLE * AT_GAUSSIAN_WHOLE;
	size_t tiled = (m + TILE - 1) / TILE * TILE * n;
	size_t own = options->points_of ? 0 : m * d;
	double *doubles =
		calloc(2 * n * stride + 4 * stride + n + 3 * d + 1, sizeof(*doubles));
	float *floats = calloc(tiled + n * stride + stride + 2 * wide + own + 3 * m +
				       n * d + n + d + 1,
		sizeof(*floats));

	if (!self || !doubles || !floats) {
		free(self);
		free(doubles);
		free(floats);
		return at_fail_memory(err);
	}
	self->doubles = doubles;
	self->floats = floats;
	self->feature_count = d;
	self->observations_most = n;
	self->candidates_most = m;
	self->stride = stride;
	self->scale = 1;
	self->noise = NOISE_MEAN;
	self->factor = take_doubles(&doubles, n * stride);
	self->trial_factor = take_doubles(&doubles, n * stride);
	self->residuals = take_doubles(&doubles, stride);
	self->ones = take_doubles(&doubles, stride);
	self->slopes = take_doubles(&doubles, stride);
	self->column = take_doubles(&doubles, stride);
	self->doubts = take_doubles(&doubles, n);
	self->weight_priors = take_doubles(&doubles, d);
	self->weights = take_doubles(&doubles, d);
	self->trial = take_doubles(&doubles, d);
	self->known = take_floats(&floats, tiled);
	self->columns = take_floats(&floats, n * stride);
	self->negated = take_floats(&floats, stride);
	self->distances = take_floats(&floats, wide);
	self->covariances = take_floats(&floats, wide);
	self->candidates = take_floats(&floats, own);
	self->trends = take_floats(&floats, m);
	self->variances = take_floats(&floats, m);
	self->means = take_floats(&floats, m);
	self->observed = take_floats(&floats, n * d);
	self->observed_trends = take_floats(&floats, n);
	self->scales = take_floats(&floats, d);
	if (options->points_of)
		self->candidates = options->points_of->candidates;
	if (d > 0) {
		memcpy(self->weight_priors, options->weight_priors, d * sizeof(double));
		memcpy(self->weights, options->weight_priors, d * sizeof(double));
	}
	*out = self;
	return AT_OK;
}

void at_gaussian_free(struct at_gaussian *self)
{
	if (!self)
		return;
	free(self->doubles);
	free(self->floats);
	free(self);
}

float *at_gaussian_point(struct at_gaussian *self, size_t slot)
{
	return self->candidates + slot;
}

size_t at_gaussian_stride(const struct at_gaussian *self)
{
	return self->candidates_most;
}

void at_gaussian_set_trend(struct at_gaussian *self, size_t slot, float trend)
{
	self->trends[slot] = trend;
}

size_t at_gaussian_count(const struct at_gaussian *self)
{
	return self->count;
}

static void forget_factor(struct at_gaussian *self)
{
	self->factored = 0;
	self->extended = 0;
	self->known_count = 0;
	self->conditioned = 0;
	self->solved = 0;
}

void at_gaussian_clear(struct at_gaussian *self)
{
	self->count = 0;
	self->has_trends = false;
	forget_factor(self);
}

/* ---- factors -------------------------------------------------------------------- */

/* Writes the covariances of observation i with `count` others from `first` on. */
static void covary_observations(
	struct at_gaussian *self, size_t i, size_t first, size_t count)
{
	size_t n = self->observations_most;

	at_gaussian_distances(self->distances, self->observed + first, n,
		self->observed + i, n, self->scales, self->feature_count, count);
	at_gaussian_matern(self->covariances, self->distances, count);
}

/* A pivot below this is rounding error: two observations are the same. */
#define PIVOT_LEAST 1e-10

/* Cholesky's factor of the covariance of the first `count` observations. */
static void factorize(struct at_gaussian *self, const double *weights, double noise,
	double *factor, size_t count)
{
	for (size_t c = 0; c < self->feature_count; c++)
		self->scales[c] = (float)exp(weights[c]);
	for (size_t i = 0; i < count; i++) {
		double *row = factor + i * self->stride;

		covary_observations(self, i, i + 1, count - i - 1);
		/* the loops also read the padding */
		for (size_t j = i / AT_GAUSSIAN_WHOLE * AT_GAUSSIAN_WHOLE; j < i; j++)
			row[j] = 0;
		row[i] = 1 + exp(noise) + self->doubts[i];
		for (size_t j = i + 1; j < count; j++)
			row[j] = self->covariances[j - i - 1];
		for (size_t j = count; j % AT_GAUSSIAN_WHOLE; j++)
			row[j] = 0;
	}
	at_gaussian_factorize(factor, self->stride, count, PIVOT_LEAST);
}

/* The prediction of a target is constant + slope * trend, with deviation scale. */
struct regression {
	double constant;
	double slope; /* of the trend */
	double scale;
};

/* Divides ones and slopes (trends) of the first `count` observations by the factor;
   the first `known` are already divided. */
static void solve_ones(
	struct at_gaussian *self, const double *factor, size_t known, size_t count)
{
	size_t stride = self->stride;

	if (known == 0) {
		for (size_t i = 0; i < count; i++) {
			self->ones[i] = 1;
			self->slopes[i] = self->observed_trends[i];
		}
		at_gaussian_solve(factor, stride, self->ones, count);
		/* without trends the slopes are 0, and stay 0 */
		if (self->has_trends)
			at_gaussian_solve(factor, stride, self->slopes, count);
		return;
	}
	for (size_t i = known; i < count; i++) {
		double one = 1, slope = self->observed_trends[i];

		for (size_t k = 0; k < i; k++) {
			one -= self->ones[k] * factor[k * stride + i];
			slope -= self->slopes[k] * factor[k * stride + i];
		}
		self->ones[i] = one / factor[i * stride + i];
		self->slopes[i] = slope / factor[i * stride + i];
	}
}

/* The effective number of the first `count` observations: doubted ones count less. */
static double worth_of(const struct at_gaussian *self, size_t count)
{
	double worth = 0;

	for (size_t i = 0; i < count; i++)
		worth += 1 / (1 + self->doubts[i]);
	return worth;
}

/*
 * Finds the constant, slope and scale that fit the targets best (generalized least
 * squares), and the residuals divided by the factor. The slope has prior 1 ± 1/2,
 * since a trend comes from a similar problem. The scale's prior is worth two
 * observations with deviation 1.
 */
static struct regression regress(struct at_gaussian *self, const double *factor,
	const double *targets, size_t known, size_t count)
{
	double one_one = 1e-9, one_slope = 0, one_target = 0, sum = 2;
	double slope_slope = 4, slope_target = 4, determinant;
	struct regression found;

	memcpy(self->residuals, targets, count * sizeof(double));
	at_gaussian_solve(factor, self->stride, self->residuals, count);
	solve_ones(self, factor, known, count);
	for (size_t i = 0; i < count; i++) {
		one_one += self->ones[i] * self->ones[i];
		one_slope += self->ones[i] * self->slopes[i];
		one_target += self->ones[i] * self->residuals[i];
		slope_slope += self->slopes[i] * self->slopes[i];
		slope_target += self->slopes[i] * self->residuals[i];
	}
	determinant = one_one * slope_slope - one_slope * one_slope;
	found.constant =
		(one_target * slope_slope - slope_target * one_slope) / determinant;
	found.slope = (slope_target * one_one - one_target * one_slope) / determinant;
	for (size_t i = 0; i < count; i++) {
		self->residuals[i] -=
			found.constant * self->ones[i] + found.slope * self->slopes[i];
		sum += self->residuals[i] * self->residuals[i];
	}
	found.scale = sqrt(sum / (worth_of(self, count) + 2));
	return found;
}

void at_gaussian_factor(struct at_gaussian *self)
{
	factorize(self, self->weights, self->noise, self->factor, self->count);
	forget_factor(self);
	self->factored = self->count;
	for (size_t i = 0; i < self->count; i++)
		for (size_t k = 0; k < i; k++)
			self->columns[i * self->stride + k] =
				(float)self->factor[k * self->stride + i];
}

/* The candidate's known value for the first observation; the next is TILE further. */
static float *known_of(struct at_gaussian *self, size_t slot)
{
	return self->known + slot / TILE * TILE * self->observations_most + slot % TILE;
}

/* How many of the candidates first .. end - 1 share the tile of the first. */
static size_t count_in_tile(size_t first, size_t end)
{
	size_t rest = TILE - first % TILE;

	return end - first < rest ? end - first : rest;
}

static void covary_candidates(
	struct at_gaussian *self, size_t i, size_t first, float *row, size_t count)
{
	at_gaussian_distances(self->distances, self->candidates + first,
		self->candidates_most, self->observed + i, self->observations_most,
		self->scales, self->feature_count, count);
	at_gaussian_matern(row, self->distances, count);
}

/* Completes row i, which holds covariances minus the rows before `from`. */
static void finish_row(struct at_gaussian *self, size_t from, size_t i, size_t first,
	float *known, size_t count)
{
	at_gaussian_subtract_rows(known + i * TILE, known + from * TILE, TILE,
		self->columns + i * self->stride + from, i - from, count);
	at_gaussian_normalize(known + i * TILE, self->variances + first,
		(float)(1 / self->factor[i * self->stride + i]), count);
}

/* Adds observations begin .. end - 1 to the candidates first .. first + count - 1 of
   one tile, which already have all earlier ones. */
static void extend_tile(
	struct at_gaussian *self, size_t begin, size_t end, size_t first, size_t count)
{
	float *known = known_of(self, first);

	for (size_t i = begin, rows; i < end; i += rows) {
		size_t together = 0;

		rows = end - i < AT_GAUSSIAN_ROWS ? 1 : AT_GAUSSIAN_ROWS;
		for (size_t r = 0; r < rows; r++)
			covary_candidates(
				self, i + r, first, known + (i + r) * TILE, count);
		if (rows == AT_GAUSSIAN_ROWS) {
			together = i / AT_GAUSSIAN_ROWS * AT_GAUSSIAN_ROWS;
			at_gaussian_subtract_rows_from_rows(known + i * TILE, known,
				TILE, self->columns + i * self->stride, self->stride,
				together, count);
		}
		/* the remaining earlier rows, then these among themselves */
		for (size_t r = 0; r < rows; r++)
			finish_row(self, together, i + r, first, known, count);
	}
}

/* Adds the rows from `from` on to the means of the candidates first .. first + count
   - 1. */
static void add_up(struct at_gaussian *self, size_t from, size_t first, size_t count)
{
	float *means = self->means + first;

	if (from == 0)
		memset(means, 0, count * sizeof(float));
	at_gaussian_subtract_rows(means, known_of(self, first) + from * TILE, TILE,
		self->negated + from, self->conditioned - from, count);
}

/* extend_tile() and add_up() for observation i in a single pass: reading `known` from
   memory is most of the cost of an ask. */
static void extend_and_add_up(
	struct at_gaussian *self, size_t i, size_t first, size_t count)
{
	size_t common = (i < self->conditioned ? i : self->conditioned) /
			AT_GAUSSIAN_ROWS * AT_GAUSSIAN_ROWS;
	float *known = known_of(self, first);

	covary_candidates(self, i, first, known + i * TILE, count);
	memset(self->means + first, 0, count * sizeof(float));
	at_gaussian_subtract_rows_from_two(known + i * TILE, self->means + first, known,
		TILE, self->columns + i * self->stride, self->negated, common, count);
	finish_row(self, common, i, first, known, count);
	add_up(self, common, first, count);
}

/* Adds later observations to the candidates that are already extended. */
static void catch_up(struct at_gaussian *self, bool adds_up)
{
	for (size_t first = 0, tile; first < self->extended; first += tile) {
		tile = count_in_tile(first, self->extended);
		if (adds_up && self->known_count + 1 == self->factored) {
			extend_and_add_up(self, self->known_count, first, tile);
			continue;
		}
		extend_tile(self, self->known_count, self->factored, first, tile);
		if (adds_up)
			add_up(self, 0, first, tile);
	}
	self->known_count = self->factored;
}

void at_gaussian_extend(struct at_gaussian *self, size_t first, size_t count)
{
	if (self->known_count < self->factored)
		catch_up(self, false);
	for (size_t end = first + count, tile; first < end; first += tile) {
		tile = count_in_tile(first, end);
		for (size_t i = 0; i < tile; i++)
			self->variances[first + i] = 1;
		extend_tile(self, 0, self->factored, first, tile);
		add_up(self, 0, first, tile);
		if (self->extended < first + tile)
			self->extended = first + tile;
	}
}

void at_gaussian_observe(
	struct at_gaussian *self, const float *features, float trend, double doubt)
{
	size_t n = self->observations_most, i = self->count++, stride = self->stride;
	double *column = self->column, pivot;

	for (size_t c = 0; c < self->feature_count; c++)
		self->observed[c * n + i] = features[c];
	self->observed_trends[i] = trend;
	self->doubts[i] = doubt;
	self->has_trends |= trend != 0;
	if (self->factored < i || i == 0)
		return;
	covary_observations(self, i, 0, i);
	for (size_t j = 0; j < i; j++)
		column[j] = self->covariances[j];
	at_gaussian_solve(self->factor, stride, column, i);
	pivot = 1 + exp(self->noise) + doubt;
	for (size_t j = 0; j < i; j++) {
		self->factor[j * stride + i] = column[j];
		self->columns[i * stride + j] = (float)column[j];
		pivot -= column[j] * column[j];
	}
	self->factor[i * stride + i] = sqrt(pivot < PIVOT_LEAST ? PIVOT_LEAST : pivot);
	self->factored++;
}

/* ---- costs of candidates ------------------------------------------------ */

void at_gaussian_condition(
	struct at_gaussian *self, const double *targets, size_t count)
{
	struct regression found =
		regress(self, self->factor, targets, self->solved, count);

	if (self->solved < count)
		self->solved = count;
	self->constant = found.constant;
	self->slope = found.slope;
	self->scale = found.scale;
	self->conditioned = count;
	for (size_t i = 0; i < count; i++)
		self->negated[i] = -(float)self->residuals[i];
	catch_up(self, true);
}

double at_gaussian_mean(const struct at_gaussian *self, size_t slot)
{
	return self->constant + self->slope * self->trends[slot] + self->means[slot];
}

double at_gaussian_predict(struct at_gaussian *self, const float *features)
{
	size_t n = self->observations_most, count = self->conditioned;
	double *column = self->column;
	double mean = self->constant;

	at_gaussian_distances(self->distances, self->observed, n, features, 1,
		self->scales, self->feature_count, count);
	at_gaussian_matern(self->covariances, self->distances, count);
	for (size_t i = 0; i < count; i++)
		column[i] = self->covariances[i];
	at_gaussian_solve(self->factor, self->stride, column, count);
	for (size_t i = 0; i < count; i++)
		mean += column[i] * self->residuals[i];
	return mean;
}

double at_gaussian_deviation(const struct at_gaussian *self, size_t slot)
{
	double variance = self->variances[slot];

	/* rounding may leave less than 0 at an observed candidate */
	return self->scale * sqrt(variance > 1e-9 ? variance : 1e-9);
}

double at_gaussian_improvement(
	const struct at_gaussian *self, size_t slot, double incumbent)
{
	double deviation = at_gaussian_deviation(self, slot);
	double u = (incumbent - at_gaussian_mean(self, slot)) / deviation;

	/* the improvement is 0 here, and the difference below would be rounding
	   error */
	if (u < -8)
		return 0;
	return deviation * (u * 0.5 * erfc(-u * 0.70710678118654752) +
				   0.39894228040143268 * exp(-0.5 * u * u));
}

void at_gaussian_add_improvements_most(const struct at_gaussian *self, size_t first,
	size_t count, double incumbent, float *most)
{
	at_gaussian_add_improvements(most, self->means + first, self->trends + first,
		self->variances + first, (float)self->constant, (float)self->slope,
		(float)self->scale, (float)incumbent, count);
}

/* ---- weights ------------------------------------------------------------ */

/* The negative logarithm of the posterior density, up to a constant. Infinite if
   rounding left no number: such a proposal is rejected. */
static double energy(struct at_gaussian *self, const double *weights, double noise,
	const double *targets, size_t count)
{
	double sum, deviations;

	factorize(self, weights, noise, self->trial_factor, count);
	/* the scale is replaced by its mode: (worth + 2) / 2 log scale^2 */
	sum = (worth_of(self, count) + 2) *
	      log(regress(self, self->trial_factor, targets, 0, count).scale);
	for (size_t i = 0; i < count; i++)
		sum += log(self->trial_factor[i * self->stride + i]);
	for (size_t c = 0; c < self->feature_count; c++) {
		deviations = weights[c] - self->weight_priors[c];
		sum += deviations * deviations / 2;
	}
	deviations = (noise - NOISE_MEAN) / NOISE_DEVIATION;
	sum += deviations * deviations / 2;
	return isfinite(sum) ? sum : INFINITY;
}

void at_gaussian_fit(struct at_gaussian *self, const double *targets, size_t count,
	int proposals, struct at_random *random)
{
	size_t d = self->feature_count;
	double now = energy(self, self->weights, self->noise, targets, count);

	for (int i = 0; i < proposals; i++) {
		double noise = self->noise, energy_there;

		memcpy(self->trial, self->weights, d * sizeof(double));
		/* alternately, change one weight a lot, to jump between modes, and
		   all weights a little (1/20 to 1, at random) */
		if (i % 2) {
			size_t c = (size_t)at_random_below(random, d + 1);

			*(c < d ? &self->trial[c] : &noise) += at_random_normal(random);
		} else {
			double step = 0.05 * exp(at_random_unit(random) * log(20));

			for (size_t c = 0; c < d; c++)
				self->trial[c] += at_random_normal(random) * step;
			noise += at_random_normal(random) * step;
		}
		energy_there = energy(self, self->trial, noise, targets, count);
		/* negated, since the difference of two infinities is NAN */
		if (!(log(1 - at_random_unit(random)) < now - energy_there))
			continue;
		memcpy(self->weights, self->trial, d * sizeof(double));
		self->noise = noise;
		now = energy_there;
	}
	/* the factor belongs to the old weights */
	forget_factor(self);
}
