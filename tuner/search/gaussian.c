/* The model; the loops that cost its time are in gaussian_loops.c. */
#include "search/gaussian.h"
#include "search/gaussian_loops.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Candidates are taken so many at a time: then what is known of them stays in the
   second-level cache while all observations pass, once to extend and once to add up. */
#define TILE 512

/*
 * Prior of the logarithm of the noise's share: costs repeat to within some percent of
 * their spread, as a rule. Found on recordings.
 */
#define NOISE_MEAN -5.0
#define NOISE_DEVIATION 1.5

struct at_gaussian {
	size_t feature_count;
	size_t observations_most;
	size_t candidates_most;
	double *weight_priors;

	size_t count; /* of observations */
	size_t factored; /* of these in the factor */
	size_t extended; /* candidates 0 .. extended - 1 know ... */
	size_t known_count; /* ... of so many of the factored ones, most often of all */
	size_t conditioned; /* so many residuals are those of observations */
	double *weights; /* logarithms */
	double noise; /* logarithm */

	float *observed; /* features: [feature][observation] */
	float *observed_trends;
	float *candidates; /* features: [feature][candidate] */
	float *trends;
	/* covariance = transposed factor times factor; row k from its diagonal on */
	double *factor; /* [observation][observation] */
	/* inverse transposed factor times covariance: [tile][observation][candidate],
	   so that what is gone through together lies together */
	float *known;
	float *variances; /* of candidates, in units of the scale squared */
	float *means; /* of candidates, without trend and constant */
	double constant;
	double slope; /* what the trends count */
	double scale;

	float *scales; /* of features: what the weights at hand are logarithms of */

	/* of fitting */
	double *trial; /* weights */
	double *trial_factor;
	float *distances; /* [observation] or a tile */
	float *covariances; /* likewise */
	double *residuals;
	double *ones;
	double *slopes;
};

enum at_status at_gaussian_new(const struct at_gaussian_options *options,
	struct at_gaussian **out, struct at_error *err)
{
	struct at_gaussian *self = calloc(1, sizeof(*self));
	size_t n = options->observations_most, m = options->candidates_most;
	size_t d = options->feature_count, wide = n > TILE ? n : TILE;

	if (!self)
		return at_fail_memory(err);
	self->feature_count = d;
	self->observations_most = n;
	self->candidates_most = m;
	self->scale = 1;
	self->noise = NOISE_MEAN;
	self->weight_priors = calloc(d + 1, sizeof(double));
	self->weights = calloc(d + 1, sizeof(double));
	self->scales = calloc(d + 1, sizeof(float));
	self->trial = calloc(d + 1, sizeof(double));
	self->observed = calloc(n * d + 1, sizeof(float));
	self->observed_trends = calloc(n, sizeof(float));
	self->candidates = calloc(m * d + 1, sizeof(float));
	self->trends = calloc(m, sizeof(float));
	self->factor = calloc(n * n, sizeof(double));
	self->trial_factor = calloc(n * n, sizeof(double));
	self->known = calloc((m + TILE - 1) / TILE * n, TILE * sizeof(float));
	self->variances = calloc(m, sizeof(float));
	self->means = calloc(m, sizeof(float));
	self->distances = calloc(wide, sizeof(float));
	self->covariances = calloc(wide, sizeof(float));
	self->residuals = calloc(n, sizeof(double));
	self->ones = calloc(n, sizeof(double));
	self->slopes = calloc(n, sizeof(double));
	if (!self->weight_priors || !self->weights || !self->scales || !self->trial ||
		!self->observed || !self->observed_trends || !self->candidates ||
		!self->trends || !self->factor || !self->trial_factor || !self->known ||
		!self->variances || !self->means || !self->distances ||
		!self->covariances || !self->residuals || !self->ones ||
		!self->slopes) {
		at_gaussian_free(self);
		return at_fail_memory(err);
	}
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
	free(self->weight_priors);
	free(self->weights);
	free(self->scales);
	free(self->trial);
	free(self->observed);
	free(self->observed_trends);
	free(self->candidates);
	free(self->trends);
	free(self->factor);
	free(self->trial_factor);
	free(self->known);
	free(self->variances);
	free(self->means);
	free(self->distances);
	free(self->covariances);
	free(self->residuals);
	free(self->ones);
	free(self->slopes);
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

void at_gaussian_clear(struct at_gaussian *self)
{
	self->count = 0;
	self->factored = 0;
	self->extended = 0;
	self->known_count = 0;
	self->conditioned = 0;
}

/* ---- factors ----------------------------------------------------------------------
 */

/* self->covariances: of observation i with those from first on, so many */
static void covary_observations(
	struct at_gaussian *self, size_t i, size_t first, size_t count)
{
	size_t n = self->observations_most;

	memset(self->distances, 0, count * sizeof(float));
	for (size_t c = 0; c < self->feature_count; c++)
		at_gaussian_add_distances(self->distances,
			self->observed + c * n + first, self->observed[c * n + i],
			self->scales[c], count);
	at_gaussian_matern(self->covariances, self->distances, count);
}

/* Below it a pivot is what rounding left of two observations that are the same. */
#define PIVOT_LEAST 1e-10

/*
 * Cholesky's factor of the covariance of the first `count` observations, row by row: of
 * each are taken off those above it.
 */
static void factorize(struct at_gaussian *self, const double *weights, double noise,
	double *factor, size_t count)
{
	size_t n = self->observations_most;

	for (size_t c = 0; c < self->feature_count; c++)
		self->scales[c] = (float)exp(weights[c]);
	for (size_t i = 0; i < count; i++) {
		double *row = factor + i * n + i;

		covary_observations(self, i, i + 1, count - i - 1);
		row[0] = 1 + exp(noise);
		for (size_t j = 1; j < count - i; j++)
			row[j] = self->covariances[j - 1];
	}
	for (size_t i = 0; i < count; i++) {
		double *row = factor + i * n, pivot;
		size_t k = 0;

		for (; k + AT_GAUSSIAN_ROWS <= i; k += AT_GAUSSIAN_ROWS) {
			const double *from = factor + k * n + i;

			at_gaussian_subtract_rows_of_doubles(row + i, from, from + n,
				from + 2 * n, from + 3 * n, count - i);
		}
		for (; k < i; k++)
			at_gaussian_subtract_scaled(row + i, factor + k * n + i,
				factor[k * n + i], count - i);
		pivot = sqrt(row[i] < PIVOT_LEAST ? PIVOT_LEAST : row[i]);
		row[i] = pivot;
		for (size_t j = i + 1; j < count; j++)
			row[j] /= pivot;
	}
}

/* x becomes what the transposed factor makes x of */
static void solve(
	const struct at_gaussian *self, const double *factor, double *x, size_t count)
{
	size_t n = self->observations_most;

	for (size_t k = 0; k < count; k++) {
		x[k] /= factor[k * n + k];
		at_gaussian_subtract_scaled(
			x + k + 1, factor + k * n + k + 1, x[k], count - k - 1);
	}
}

/* What targets are expected to be made of. */
struct regression {
	double constant;
	double slope; /* of the trend */
	double scale;
};

/*
 * The constant, slope and scale that go best with the targets, by generalized least
 * squares, and the residuals divided by the factor. Of the slope it is expected that it
 * is 1, give or take 1/2: a trend is what something alike has shown. The scale has a
 * weak prior of two observations with deviation 1.
 */
static struct regression regress(struct at_gaussian *self, const double *factor,
	const double *targets, size_t count)
{
	double one_one = 1e-9, one_slope = 0, one_target = 0, sum = 2;
	double slope_slope = 4, slope_target = 4, determinant;
	struct regression found;

	for (size_t i = 0; i < count; i++) {
		self->residuals[i] = targets[i];
		self->ones[i] = 1;
		self->slopes[i] = self->observed_trends[i];
	}
	solve(self, factor, self->residuals, count);
	solve(self, factor, self->ones, count);
	solve(self, factor, self->slopes, count);
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
	found.scale = sqrt(sum / ((double)count + 2));
	return found;
}

void at_gaussian_factor(struct at_gaussian *self)
{
	factorize(self, self->weights, self->noise, self->factor, self->count);
	self->factored = self->count;
	self->extended = 0;
	self->known_count = 0;
	self->conditioned = 0;
}

/* what is known of a candidate by the first observation; the next one is TILE further
 */
static float *known_of(struct at_gaussian *self, size_t slot)
{
	return self->known + slot / TILE * TILE * self->observations_most + slot % TILE;
}

/* how many of the candidates first .. end - 1 are in the first one's tile */
static size_t count_in_tile(size_t first, size_t end)
{
	size_t rest = TILE - first % TILE;

	return end - first < rest ? end - first : rest;
}

/*
 * Observations begin .. end - 1 for the candidates first .. first + count - 1 of one
 * tile, which know of those before.
 */
static void extend_tile(
	struct at_gaussian *self, size_t begin, size_t end, size_t first, size_t count)
{
	size_t n = self->observations_most, m = self->candidates_most;
	float *known = known_of(self, first);

	for (size_t i = begin, rows; i < end; i += rows) {
		float *to = known + i * TILE;
		size_t b = 0;

		rows = end - i < AT_GAUSSIAN_ROWS ? 1 : AT_GAUSSIAN_ROWS;
		for (size_t r = 0; r < rows; r++) {
			memset(self->distances, 0, count * sizeof(float));
			for (size_t c = 0; c < self->feature_count; c++)
				at_gaussian_add_distances(self->distances,
					self->candidates + c * m + first,
					self->observed[c * n + i + r], self->scales[c],
					count);
			at_gaussian_matern(to + r * TILE, self->distances, count);
		}
		for (; b + AT_GAUSSIAN_ROWS <= i; b += AT_GAUSSIAN_ROWS) {
			const float *from = known + b * TILE;
			float by[AT_GAUSSIAN_ROWS][AT_GAUSSIAN_ROWS];

			for (size_t r = 0; r < rows; r++)
				for (size_t s = 0; s < AT_GAUSSIAN_ROWS; s++)
					by[r][s] =
						(float)self
							->factor[(b + s) * n + i + r];
			if (rows == AT_GAUSSIAN_ROWS)
				at_gaussian_subtract_rows_of_rows(to, to + TILE,
					to + 2 * TILE, to + 3 * TILE, from, from + TILE,
					from + 2 * TILE, from + 3 * TILE, by, count);
			else
				at_gaussian_subtract_rows(to, from, from + TILE,
					from + 2 * TILE, from + 3 * TILE, by[0], count);
		}
		/* the rest of those before, and each other */
		for (size_t r = 0; r < rows; r++) {
			for (size_t s = b; s < i + r; s++)
				at_gaussian_subtract_scaled_floats(to + r * TILE,
					known + s * TILE,
					(float)self->factor[s * n + i + r], count);
			at_gaussian_normalize(to + r * TILE, self->variances + first,
				(float)(1 / self->factor[(i + r) * n + i + r]), count);
		}
	}
}

/* the means of the candidates first .. first + count - 1, by the residuals */
static void add_up(struct at_gaussian *self, size_t first, size_t count)
{
	size_t i = 0;
	const float *known = known_of(self, first);
	float *means = self->means + first;

	memset(means, 0, count * sizeof(float));
	for (; i + AT_GAUSSIAN_ROWS <= self->conditioned; i += AT_GAUSSIAN_ROWS) {
		const float *from = known + i * TILE;
		float by[AT_GAUSSIAN_ROWS];

		for (size_t r = 0; r < AT_GAUSSIAN_ROWS; r++)
			by[r] = -(float)self->residuals[i + r];
		at_gaussian_subtract_rows(means, from, from + TILE, from + 2 * TILE,
			from + 3 * TILE, by, count);
	}
	for (; i < self->conditioned; i++)
		at_gaussian_subtract_scaled_floats(
			means, known + i * TILE, -(float)self->residuals[i], count);
}

/* the extended candidates hear of what was observed since */
static void catch_up(struct at_gaussian *self, bool adds_up)
{
	for (size_t first = 0, tile; first < self->extended; first += tile) {
		tile = count_in_tile(first, self->extended);
		extend_tile(self, self->known_count, self->factored, first, tile);
		if (adds_up)
			add_up(self, first, tile);
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
		add_up(self, first, tile);
		if (self->extended < first + tile)
			self->extended = first + tile;
	}
}

void at_gaussian_observe(struct at_gaussian *self, const float *features, float trend)
{
	size_t n = self->observations_most, i = self->count++;
	double *column = self->ones; /* free at this moment */

	for (size_t c = 0; c < self->feature_count; c++)
		self->observed[c * n + i] = features[c];
	self->observed_trends[i] = trend;
	if (self->factored < i || i == 0)
		return;
	covary_observations(self, i, 0, i);
	for (size_t j = 0; j < i; j++)
		column[j] = self->covariances[j];
	solve(self, self->factor, column, i);
	self->factor[i * n + i] = 1 + exp(self->noise);
	for (size_t j = 0; j < i; j++) {
		self->factor[j * n + i] = column[j];
		self->factor[i * n + i] -= column[j] * column[j];
	}
	if (self->factor[i * n + i] < PIVOT_LEAST)
		self->factor[i * n + i] = PIVOT_LEAST;
	self->factor[i * n + i] = sqrt(self->factor[i * n + i]);
	self->factored++;
}

/* ---- what candidates cost ----------------------------------------------- */

void at_gaussian_condition(
	struct at_gaussian *self, const double *targets, size_t count)
{
	struct regression found = regress(self, self->factor, targets, count);

	self->constant = found.constant;
	self->slope = found.slope;
	self->scale = found.scale;
	self->conditioned = count;
	catch_up(self, true);
}

double at_gaussian_mean(const struct at_gaussian *self, size_t slot)
{
	return self->constant + self->slope * self->trends[slot] + self->means[slot];
}

double at_gaussian_predict(struct at_gaussian *self, const float *features)
{
	size_t n = self->observations_most, count = self->conditioned;
	double *column = self->ones; /* free at this moment */
	double mean = self->constant;

	memset(self->distances, 0, count * sizeof(float));
	for (size_t c = 0; c < self->feature_count; c++)
		at_gaussian_add_distances(self->distances, self->observed + c * n,
			features[c], self->scales[c], count);
	at_gaussian_matern(self->covariances, self->distances, count);
	for (size_t i = 0; i < count; i++)
		column[i] = self->covariances[i];
	solve(self, self->factor, column, count);
	for (size_t i = 0; i < count; i++)
		mean += column[i] * self->residuals[i];
	return mean;
}

double at_gaussian_deviation(const struct at_gaussian *self, size_t slot)
{
	double variance = self->variances[slot];

	/* rounding may leave less than nothing of it where the candidate was observed
	 */
	return self->scale * sqrt(variance > 1e-9 ? variance : 1e-9);
}

double at_gaussian_improvement(
	const struct at_gaussian *self, size_t slot, double incumbent)
{
	double deviation = at_gaussian_deviation(self, slot);
	double u = (incumbent - at_gaussian_mean(self, slot)) / deviation;

	/* so far off it is nothing, and the difference below only rounding */
	if (u < -8)
		return 0;
	return deviation * (u * 0.5 * erfc(-u * 0.70710678118654752) +
				   0.39894228040143268 * exp(-0.5 * u * u));
}

double at_gaussian_improvement_most(
	const struct at_gaussian *self, size_t slot, double incumbent)
{
	double deviation = at_gaussian_deviation(self, slot);
	double u = (incumbent - at_gaussian_mean(self, slot)) / deviation;
	double x = u * u / 2;
	/* below 0 it is at most the density over 1 + u^2, by Gordon's inequality
	   (1941) on Mills' ratio, and as much more as u above; exp(x) is no less than
	   the beginning of its series. The last factor is for rounding. */
	double most = 0.39895 / ((1 + u * u) * (1 + x * (1 + x * (0.5 + x / 6))));

	return deviation * (most + (u > 0 ? u : 0)) * 1.0001;
}

/* ---- weights ------------------------------------------------------------ */

/*
 * The negative logarithm of the posterior density of weights and noise, up to a
 * constant; infinite where rounding left no number of it: nothing moves there.
 */
static double energy(struct at_gaussian *self, const double *weights, double noise,
	const double *targets, size_t count)
{
	size_t n = self->observations_most;
	double sum, deviations;

	factorize(self, weights, noise, self->trial_factor, count);
	/* the scale is integrated out but for its mode: (count + 2) / 2 log scale^2 */
	sum = ((double)count + 2) *
	      log(regress(self, self->trial_factor, targets, count).scale);
	for (size_t i = 0; i < count; i++)
		sum += log(self->trial_factor[i * n + i]);
	for (size_t c = 0; c < self->feature_count; c++) {
		deviations = weights[c] - self->weight_priors[c];
		sum += deviations * deviations / 2;
	}
	deviations = (noise - NOISE_MEAN) / NOISE_DEVIATION;
	sum += deviations * deviations / 2;
	return isfinite(sum) ? sum : INFINITY;
}

/* 0 to 1, 1 excluded */
static double uniform(struct at_random *random)
{
	return (double)(at_random_next(random) >> 11) * 0x1p-53;
}

/* Box and Muller 1958 */
static double normal(struct at_random *random)
{
	double radius = sqrt(-2 * log(1 - uniform(random)));

	return radius * cos(6.283185307179586 * uniform(random));
}

void at_gaussian_fit(struct at_gaussian *self, const double *targets, size_t count,
	int proposals, struct at_random *random)
{
	size_t d = self->feature_count;
	double now = energy(self, self->weights, self->noise, targets, count);

	for (int i = 0; i < proposals; i++) {
		double noise = self->noise, energy_there;

		memcpy(self->trial, self->weights, d * sizeof(double));
		/* by turns one far, to jump between modes, and all a little: how
		   little, from 1/20 to 1, is left to chance, since nobody knows it
		   before */
		if (i % 2) {
			size_t c = (size_t)at_random_below(random, d + 1);

			*(c < d ? &self->trial[c] : &noise) += normal(random);
		} else {
			double step = 0.05 * exp(uniform(random) * log(20));

			for (size_t c = 0; c < d; c++)
				self->trial[c] += normal(random) * step;
			noise += normal(random) * step;
		}
		energy_there = energy(self, self->trial, noise, targets, count);
		/* as a negation: two that are infinite have no difference */
		if (!(log(1 - uniform(random)) < now - energy_there))
			continue;
		memcpy(self->weights, self->trial, d * sizeof(double));
		self->noise = noise;
		now = energy_there;
	}
	/* the factor is that of other weights */
	self->factored = 0;
	self->extended = 0;
	self->known_count = 0;
	self->conditioned = 0;
}
