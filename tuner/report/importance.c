/* Permutation importance of parameters by a Gaussian process: see
   report/importance.h. */
#include "report/importance.h"

#include "base/memory.h"
#include "base/random.h"
#include "record/recording.h"
#include "search/features.h"
#include "search/gaussian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fitting costs the cube of LEARNED_MOST: a tenth of a second on one core. */
#define LEARNED_MOST 160
#define JUDGED_MOST 320
/* permutations of each parameter */
#define DEALS 4
#define PROPOSALS 60
#define SEED 12

/* as in the search (search/surrogate.c); the fit starts from them */
static const double weight_priors[] = {
	[AT_FEATURE_VALUE] = -1.25,
	[AT_FEATURE_TWOS] = -1.75,
};

/* The model and its evaluations. */
struct model {
	const struct at_recording *recording;
	size_t width; /* number of parameters */
	size_t learned_count;
	size_t judged_count;
	/* learned rows, then judged rows */
	uint16_t *rows;
	/* the logarithm of each row's time, standardized by the learned rows */
	double *targets;
	struct at_search_space *space;
	struct at_features features;
	struct at_gaussian *gaussian;
	double *priors;
	float *point;
	struct at_random random;
};

static void release(struct model *self)
{
	at_gaussian_free(self->gaussian);
	at_features_release(&self->features);
	at_search_space_free(self->space);
	free(self->rows);
	free(self->targets);
	free(self->priors);
	free(self->point);
}

static bool is_usable(const struct at_recorded *result)
{
	return result->outcome == AT_OUTCOME_OK && result->time_ns > 0 &&
	       isfinite(result->time_ns);
}

/* The shuffle of Fisher and Yates. */
static void shuffle(size_t *items, size_t count, struct at_random *random)
{
	for (size_t i = count; i > 1; i--) {
		size_t other = (size_t)at_random_below(random, i);
		size_t item = items[i - 1];

		items[i - 1] = items[other];
		items[other] = item;
	}
}

/* Draws the learned and the judged evaluations; learned_count 0: too few. */
static void draw(struct model *self)
{
	const struct at_recording *recording = self->recording;
	size_t *items = at_calloc(recording->count + 1, sizeof(*items)), count = 0,
	       used;

	for (size_t i = 0; i < recording->count; i++)
		if (is_usable(&recording->results[i]))
			items[count++] = i;
	if (count < AT_IMPORTANCE_LEAST) {
		free(items);
		return;
	}
	shuffle(items, count, &self->random);
	self->learned_count = count * 2 / 3;
	if (self->learned_count > LEARNED_MOST)
		self->learned_count = LEARNED_MOST;
	self->judged_count = count - self->learned_count;
	if (self->judged_count > JUDGED_MOST)
		self->judged_count = JUDGED_MOST;
	used = self->learned_count + self->judged_count;
	self->rows = at_calloc(used * self->width + 1, sizeof(*self->rows));
	self->targets = at_calloc(used, sizeof(*self->targets));
	for (size_t i = 0; i < used && self->rows && self->targets; i++) {
		memcpy(self->rows + i * self->width,
			recording->rows + items[i] * self->width,
			self->width * sizeof(*self->rows));
		self->targets[i] = log(recording->results[items[i]].time_ns);
	}
	free(items);
}

/* Standardizes the targets. False: all learned times are equal. */
static bool standardize(struct model *self)
{
	double sum = 0, squares = 0, mean, deviation;
	size_t count = self->learned_count;

	for (size_t i = 0; i < count; i++)
		sum += self->targets[i];
	mean = sum / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (self->targets[i] - mean) * (self->targets[i] - mean);
	deviation = sqrt(squares / (double)count);
	if (!(deviation > 1e-6))
		return false;
	for (size_t i = 0; i < count + self->judged_count; i++)
		self->targets[i] = (self->targets[i] - mean) / deviation;
	return true;
}

static enum at_status open_model(struct model *self, struct at_error *err)
{
	struct at_gaussian_options options = {
		.observations_most = self->learned_count,
		.candidates_most = 1,
	};
	enum at_status status = AT_OK;

	/* features are ranks among a parameter's values, and only the order of values
	   matters, so a space of these rows serves as well as the real one */
	status = at_search_space_from_rows(self->recording->parameters, self->width,
		self->recording->rows, self->recording->count, &self->space, err);
	if (!status)
		at_features_init(&self->features, self->space);
	if (status || !self->features.count)
		return status;
	options.feature_count = self->features.count;
	self->priors = at_calloc(options.feature_count, sizeof(*self->priors));
	self->point = at_calloc(options.feature_count, sizeof(*self->point));
	for (size_t i = 0; i < options.feature_count; i++)
		self->priors[i] = weight_priors[self->features.kinds[i]];
	options.weight_priors = self->priors;
	return at_gaussian_new(&options, &self->gaussian, err);
}

static void learn(struct model *self)
{
	for (size_t i = 0; i < self->learned_count; i++) {
		at_features_write(
			&self->features, self->rows + i * self->width, self->point, 1);
		at_gaussian_observe(self->gaussian, self->point, 0, 0);
	}
	at_gaussian_fit(self->gaussian, self->targets, self->learned_count, PROPOSALS,
		&self->random);
	at_gaussian_factor(self->gaussian);
	at_gaussian_condition(self->gaussian, self->targets, self->learned_count);
}

/* The model's mean squared error, with the values of `parameter` (SIZE_MAX: none)
   permuted by `permutation`. Overwrites the first learned row. */
static double judge(struct model *self, size_t parameter, const size_t *permutation)
{
	const uint16_t *rows = self->rows + self->learned_count * self->width;
	uint16_t *row = self->rows; /* learned rows are not needed any more */
	double sum = 0;

	for (size_t i = 0; i < self->judged_count; i++) {
		double error;

		memcpy(row, rows + i * self->width, self->width * sizeof(*row));
		if (parameter != SIZE_MAX)
			row[parameter] = rows[permutation[i] * self->width + parameter];
		at_features_write(&self->features, row, self->point, 1);
		error = at_gaussian_predict(self->gaussian, self->point) -
			self->targets[self->learned_count + i];
		sum += error * error;
	}
	return sum / (double)self->judged_count;
}

static double variance(const double *values, size_t count)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	for (size_t i = 0; i < count; i++) {
		double off = values[i] - sum / (double)count;

		squares += off * off;
	}
	return squares / (double)count;
}

static void weigh(struct model *self, struct at_importance *out)
{
	double whole =
		variance(self->targets + self->learned_count, self->judged_count);
	double error = judge(self, SIZE_MAX, NULL);
	size_t *permutation;

	/* the judged times happen to be equal */
	if (!(whole > 1e-9))
		return;
	permutation = at_calloc(self->judged_count, sizeof(*permutation));
	out->shares = at_calloc(self->width, sizeof(*out->shares));
	for (size_t i = 0; i < self->judged_count; i++)
		permutation[i] = i;
	for (size_t p = 0; p < self->width; p++) {
		double sum = 0;

		for (int i = 0; i < DEALS; i++) {
			shuffle(permutation, self->judged_count, &self->random);
			sum += judge(self, p, permutation) - error;
		}
		/* the mean squared difference of two independent draws is twice the
		   variance */
		out->shares[p] = fmax(0, sum / DEALS / whole / 2);
	}
	free(permutation);
	out->count = self->width;
	out->learned_count = self->learned_count;
	out->judged_count = self->judged_count;
	out->explained = 1 - error / whole;
}

enum at_status at_importance_init(struct at_importance *self,
	const struct at_recording *recording, struct at_error *err)
{
	struct model model = {
		.recording = recording,
		.width = recording->parameter_count,
	};
	enum at_status status = AT_OK;

	*self = (struct at_importance){ 0 };
	at_random_init(&model.random, SEED);
	draw(&model);
	if (model.learned_count && standardize(&model)) {
		status = open_model(&model, err);
		if (!status && model.gaussian) {
			learn(&model);
			weigh(&model, self);
		}
	}
	release(&model);
	return status;
}

void at_importance_release(struct at_importance *self)
{
	free(self->shares);
	*self = (struct at_importance){ 0 };
}
