/*
 * Gaussian processes against the formulas of the textbook, solved by plain elimination
 * in double precision; and the features that they learn from.
 */
#include "search/features.h"
#include "search/gaussian.h"
#include "base/memory.h"
#include "scarce_memory.h"

#include <math.h>

#include "suite.h"

enum { FEATURES = 3, OBSERVED = 24, CANDIDATES = 40 };

/* weights and noise begin at their priors: the logarithm of the noise's is -5 */
static const double weight_priors[FEATURES] = { -1.5, 0.5, 1.2 };
#define NOISE exp(-5.0)

struct sample {
	float points[OBSERVED + CANDIDATES][FEATURES];
	float trends[OBSERVED + CANDIDATES];
	double targets[OBSERVED];
};

/* a wavy target; trends: that are about as much as it */
static struct sample sample_of(uint64_t seed, bool has_trends)
{
	struct sample sample = { 0 };
	struct at_random random;

	at_random_init(&random, seed);
	for (size_t i = 0; i < OBSERVED + CANDIDATES; i++) {
		float *x = sample.points[i];
		double target;

		for (size_t c = 0; c < FEATURES; c++)
			x[c] = (float)at_random_unit(&random);
		target = 2 * sin(4 * x[1]) + x[2] * x[2] + 0.3 * x[0];
		if (has_trends)
			sample.trends[i] =
				(float)(0.8 * target + 0.2 * at_random_unit(&random));
		if (i < OBSERVED)
			sample.targets[i] = target + 0.05 * at_random_unit(&random);
	}
	/* one that is observed and a candidate */
	memcpy(sample.points[OBSERVED], sample.points[3], sizeof(sample.points[3]));
	return sample;
}

static double covariance(const float *a, const float *b)
{
	double distance = 0, r;

	for (size_t c = 0; c < FEATURES; c++)
		distance += exp(weight_priors[c]) * ((double)a[c] - b[c]) *
			    ((double)a[c] - b[c]);
	r = sqrt(3 * distance);
	return (1 + r) * exp(-r);
}

/* x of matrix * x = x, by elimination; both are overwritten */
static void eliminate(double matrix[OBSERVED][OBSERVED], double *x, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		for (size_t i = k + 1; i < n; i++) {
			double factor = matrix[i][k] / matrix[k][k];

			for (size_t j = k; j < n; j++)
				matrix[i][j] -= factor * matrix[k][j];
			x[i] -= factor * x[k];
		}
	}
	for (size_t k = n; k-- > 0;) {
		for (size_t j = k + 1; j < n; j++)
			x[k] -= matrix[k][j] * x[j];
		x[k] /= matrix[k][k];
	}
}

/* x of covariance of the first n observations * x = of */
static void divide(const struct sample *sample, size_t n, const double *of, double *x)
{
	double matrix[OBSERVED][OBSERVED];

	for (size_t i = 0; i < n; i++) {
		x[i] = of[i];
		for (size_t j = 0; j < n; j++)
			matrix[i][j] =
				covariance(sample->points[i], sample->points[j]) +
				(i == j ? NOISE : 0);
	}
	eliminate(matrix, x, n);
}

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

struct belief {
	double mean;
	double deviation;
	double predicted; /* without the trend */
};

/*
 * What n observations say of a point; the first `told` of them have targets: with a
 * constant that nothing is known of, a slope of the trend that is 1 give or take 1/2,
 * and a scale with a prior of two observations of deviation 1.
 */
static struct belief expect(
	const struct sample *sample, size_t n, size_t told, size_t point)
{
	double ones[OBSERVED], trends[OBSERVED], covariances[OBSERVED];
	double by_one[OBSERVED], by_trend[OBSERVED], by_target[OBSERVED],
		rest[OBSERVED], by_rest[OBSERVED], by_covariance[OBSERVED];
	double normal[2][2], right[2], determinant, constant, slope, scale, mean = 0;

	for (size_t i = 0; i < n; i++) {
		ones[i] = 1;
		trends[i] = sample->trends[i];
		covariances[i] = covariance(sample->points[i], sample->points[point]);
	}
	divide(sample, told, ones, by_one);
	divide(sample, told, trends, by_trend);
	divide(sample, told, sample->targets, by_target);
	normal[0][0] = dot(ones, by_one, told);
	normal[0][1] = normal[1][0] = dot(ones, by_trend, told);
	normal[1][1] = dot(trends, by_trend, told) + 4;
	right[0] = dot(ones, by_target, told);
	right[1] = dot(trends, by_target, told) + 4;
	determinant = normal[0][0] * normal[1][1] - normal[0][1] * normal[1][0];
	constant = (right[0] * normal[1][1] - normal[0][1] * right[1]) / determinant;
	slope = (normal[0][0] * right[1] - normal[1][0] * right[0]) / determinant;
	for (size_t i = 0; i < told; i++)
		rest[i] = sample->targets[i] - constant - slope * trends[i];
	divide(sample, told, rest, by_rest);
	scale = sqrt((2 + dot(rest, by_rest, told)) / ((double)told + 2));
	mean = dot(covariances, by_rest, told);
	divide(sample, n, covariances, by_covariance);
	return (struct belief){
		.mean = constant + slope * sample->trends[point] + mean,
		.deviation = scale * sqrt(1 - dot(covariances, by_covariance, n)),
		.predicted = constant + mean,
	};
}

static struct at_gaussian *gaussian_of(
	const struct sample *sample, size_t candidates_most)
{
	const struct at_gaussian_options options = { FEATURES, weight_priors, OBSERVED,
		candidates_most, NULL };
	struct at_gaussian *gaussian = NULL;

	assert_ok(at_gaussian_new(&options, &gaussian, NULL));
	for (size_t slot = 0; slot < CANDIDATES && slot < candidates_most; slot++) {
		float *point = at_gaussian_point(gaussian, slot);

		for (size_t c = 0; c < FEATURES; c++)
			point[c * at_gaussian_stride(gaussian)] =
				sample->points[OBSERVED + slot][c];
		at_gaussian_set_trend(gaussian, slot, sample->trends[OBSERVED + slot]);
	}
	return gaussian;
}

static void observe(struct at_gaussian *gaussian, const struct sample *sample,
	size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		at_gaussian_observe(gaussian, sample->points[i], sample->trends[i], 0);
}

static void assert_near(double value, double expected, double by, const char *what)
{
	if (!(fabs(value - expected) <= by))
		fail_msg("%s is %.9g, not %.9g", what, value, expected);
}

/* single precision, through a factor of two dozen rows */
#define NEAR 2e-4

TEST(what_is_believed_is_the_textbook_s)
{
	static const struct {
		size_t at_once, observed, told;
		bool has_trends;
	} cases[] = {
		{ 1, 1, 1, false },
		{ 2, 2, 2, true },
		{ OBSERVED, OBSERVED, OBSERVED, false },
		{ OBSERVED, OBSERVED, OBSERVED, true },
		/* the last five came one by one; the last four have no say in costs */
		{ OBSERVED - 5, OBSERVED, OBSERVED, true },
		{ OBSERVED - 5, OBSERVED, OBSERVED - 4, true },
		{ 1, OBSERVED, OBSERVED - 4, false },
	};

	for (size_t c = 0; c < AT_COUNT_OF(cases); c++) {
		const struct sample sample = sample_of(c, cases[c].has_trends);
		OWNED(at_gaussian_free)
		struct at_gaussian *gaussian = gaussian_of(&sample, CANDIDATES);

		observe(gaussian, &sample, 0, cases[c].at_once);
		at_gaussian_factor(gaussian);
		at_gaussian_extend(gaussian, 0, CANDIDATES);
		observe(gaussian, &sample, cases[c].at_once, cases[c].observed);
		assert_int_equal(at_gaussian_count(gaussian), cases[c].observed);
		at_gaussian_condition(gaussian, sample.targets, cases[c].told);
		for (size_t slot = 0; slot < CANDIDATES; slot++) {
			struct belief belief = expect(&sample, cases[c].observed,
				cases[c].told, OBSERVED + slot);

			assert_near(at_gaussian_mean(gaussian, slot), belief.mean, NEAR,
				"a mean");
			assert_near(at_gaussian_deviation(gaussian, slot),
				belief.deviation, NEAR, "a deviation");
			assert_near(at_gaussian_predict(
					    gaussian, sample.points[OBSERVED + slot]),
				belief.predicted, NEAR, "a prediction");
		}
	}
}

/* of a normal distribution, the mean of what is below the incumbent: by small steps */
static double improvement_of(double mean, double deviation, double incumbent)
{
	double sum = 0, step = 1e-3;

	for (int i = -9000; i < 9000; i++) {
		double u = (i + 0.5) * step, cost = mean + deviation * u;

		if (cost < incumbent)
			sum += (incumbent - cost) * exp(-u * u / 2) * 0.3989422804 *
			       step;
	}
	return sum;
}

TEST(improvement_is_what_is_to_be_expected_below_the_incumbent)
{
	static const double incumbents[] = { -1.5, 0, 0.7, 3 };
	const struct sample sample = sample_of(9, false);
	OWNED(at_gaussian_free)
	struct at_gaussian *gaussian = gaussian_of(&sample, CANDIDATES);

	observe(gaussian, &sample, 0, 8);
	at_gaussian_factor(gaussian);
	at_gaussian_extend(gaussian, 0, CANDIDATES);
	at_gaussian_condition(gaussian, sample.targets, 8);
	for (size_t slot = 0; slot < CANDIDATES; slot++)
		for (size_t i = 0; i < AT_COUNT_OF(incumbents); i++) {
			double expected = improvement_of(
				at_gaussian_mean(gaussian, slot),
				at_gaussian_deviation(gaussian, slot), incumbents[i]);
			double found =
				at_gaussian_improvement(gaussian, slot, incumbents[i]);
			float most;

			assert_near(found, expected, 1e-5, "an improvement");
			assert_true(found >= 0);
			most = 0;
			at_gaussian_add_improvements_most(
				gaussian, slot, 1, incumbents[i], &most);
			assert_true(most >= found);
			assert_true(most <= 1.03 * found + 1e-4);
			at_gaussian_add_improvements_most(
				gaussian, slot, 1, incumbents[i], &most);
			assert_near(most, 2 * 1.0125 * found, 0.03 * found + 1e-4,
				"twice as much");
		}
}

TEST(some_candidates_are_extended_as_all_are)
{
	const struct sample sample = sample_of(5, true);
	/* more than are taken at a time, so that parts meet in the middle */
	enum { MANY = 2500 };
	static const size_t parts[][2] = { { 0, 900 }, { 900, 1300 }, { 2200, 300 },
		{ 1000, 64 } };
	OWNED(at_gaussian_free)
	struct at_gaussian *whole = gaussian_of(&sample, MANY),
			   *apart = gaussian_of(&sample, MANY);
	struct at_gaussian *both[] = { whole, apart };

	for (size_t g = 0; g < 2; g++) {
		for (size_t slot = 0; slot < MANY; slot++)
			for (size_t c = 0; c < FEATURES; c++)
				at_gaussian_point(both[g], slot)[c * MANY] =
					sample.points[OBSERVED + slot % CANDIDATES][c];
		observe(both[g], &sample, 0, 10);
		at_gaussian_factor(both[g]);
	}
	at_gaussian_extend(whole, 0, MANY);
	at_gaussian_condition(whole, sample.targets, 10);
	at_gaussian_extend(apart, parts[0][0], parts[0][1]);
	at_gaussian_extend(apart, parts[1][0], parts[1][1]);
	at_gaussian_condition(apart, sample.targets, 10);
	/* these, and some for the second time, after the targets are known */
	at_gaussian_extend(apart, parts[2][0], parts[2][1]);
	at_gaussian_extend(apart, parts[3][0], parts[3][1]);
	for (size_t turn = 0; turn < 2; turn++) {
		for (size_t slot = 0; slot < MANY; slot++) {
			assert_true(at_gaussian_mean(whole, slot) ==
				    at_gaussian_mean(apart, slot));
			assert_true(at_gaussian_deviation(whole, slot) ==
				    at_gaussian_deviation(apart, slot));
		}
		/* all of them hear of one more */
		for (size_t g = 0; g < 2; g++) {
			observe(both[g], &sample, 10, 11);
			at_gaussian_condition(both[g], sample.targets, 11);
		}
	}
}

TEST(processes_may_share_their_points)
{
	const struct sample sample = sample_of(6, false);
	struct at_gaussian *owner = gaussian_of(&sample, CANDIDATES), *sharer = NULL;
	const struct at_gaussian_options options = { FEATURES, weight_priors, OBSERVED,
		CANDIDATES, owner };
	struct at_gaussian *both[2];

	assert_ok(at_gaussian_new(&options, &sharer, NULL));
	both[0] = owner;
	both[1] = sharer;
	/* written through either of them, after both were made */
	for (size_t c = 0; c < FEATURES; c++)
		at_gaussian_point(both[c % 2], 1)[c * at_gaussian_stride(owner)] =
			0.25f * (float)(c + 1);
	for (size_t g = 0; g < 2; g++) {
		observe(both[g], &sample, 0, OBSERVED);
		at_gaussian_factor(both[g]);
		at_gaussian_extend(both[g], 0, CANDIDATES);
		at_gaussian_condition(both[g], sample.targets, OBSERVED);
	}
	for (size_t slot = 0; slot < CANDIDATES; slot++) {
		assert_true(at_gaussian_mean(owner, slot) ==
			    at_gaussian_mean(sharer, slot));
		assert_true(at_gaussian_deviation(owner, slot) ==
			    at_gaussian_deviation(sharer, slot));
	}
	at_gaussian_free(sharer);
	/* the owner's are still there */
	at_gaussian_extend(owner, 0, CANDIDATES);
	at_gaussian_free(owner);
}

TEST(what_is_cleared_is_forgotten)
{
	const struct sample sample = sample_of(3, true), other = sample_of(4, true);
	OWNED(at_gaussian_free)
	struct at_gaussian *used = gaussian_of(&sample, CANDIDATES),
			   *fresh = gaussian_of(&sample, CANDIDATES);
	struct at_gaussian *both[] = { fresh, used };

	observe(used, &other, 0, 20);
	at_gaussian_factor(used);
	at_gaussian_extend(used, 0, CANDIDATES);
	at_gaussian_condition(used, other.targets, 20);
	at_gaussian_clear(used);
	assert_int_equal(at_gaussian_count(used), 0);
	for (size_t g = 0; g < 2; g++) {
		observe(both[g], &sample, 0, 7);
		at_gaussian_factor(both[g]);
		at_gaussian_extend(both[g], 0, CANDIDATES);
		at_gaussian_condition(both[g], sample.targets, 7);
	}
	for (size_t slot = 0; slot < CANDIDATES; slot++) {
		assert_true(
			at_gaussian_mean(used, slot) == at_gaussian_mean(fresh, slot));
		assert_true(at_gaussian_deviation(used, slot) ==
			    at_gaussian_deviation(fresh, slot));
	}
}

/* an observation without a target changes no mean, before the factor is made or after
 */
TEST(what_is_unknown_has_no_say)
{
	static const double doubts[] = { 0, AT_GAUSSIAN_UNKNOWN };
	const struct sample sample = sample_of(5, false);

	for (int is_late = 0; is_late < 2; is_late++) {
		double most[AT_COUNT_OF(doubts)] = { 0 };

		for (size_t d = 0; d < AT_COUNT_OF(doubts); d++) {
			double means[2][CANDIDATES];

			for (int other = 0; other < 2; other++) {
				OWNED(at_gaussian_free)
				struct at_gaussian *gaussian =
					gaussian_of(&sample, CANDIDATES);
				double targets[11];

				for (size_t i = 0; i < 11; i++)
					targets[i] = sample.targets[i];
				targets[10] += other ? 3 : 0;
				observe(gaussian, &sample, 0, 10);
				if (is_late)
					at_gaussian_factor(gaussian);
				at_gaussian_observe(
					gaussian, sample.points[10], 0, doubts[d]);
				if (!is_late)
					at_gaussian_factor(gaussian);
				at_gaussian_extend(gaussian, 0, CANDIDATES);
				at_gaussian_condition(gaussian, targets, 11);
				for (size_t slot = 0; slot < CANDIDATES; slot++)
					means[other][slot] =
						at_gaussian_mean(gaussian, slot);
			}
			for (size_t slot = 0; slot < CANDIDATES; slot++)
				most[d] = fmax(
					most[d], fabs(means[1][slot] - means[0][slot]));
		}
		assert_true(most[0] > 0.1);
		assert_true(most[1] < 0.002);
	}
}

/* the same point again and again, equal targets, targets of any size: numbers come out
 */
TEST(what_is_degenerate_still_gives_numbers)
{
	static const double sizes[] = { 0, 1, 1e-12, 1e12 };

	for (size_t s = 0; s < AT_COUNT_OF(sizes); s++) {
		struct sample sample = sample_of(1, false);
		OWNED(at_gaussian_free)
		struct at_gaussian *gaussian = gaussian_of(&sample, CANDIDATES);
		struct at_random random;

		at_random_init(&random, 1);
		for (size_t i = 0; i < OBSERVED; i++) {
			sample.targets[i] = sizes[s] * (1 + (i % 2 ? 1e-3 : 0));
			at_gaussian_observe(gaussian, sample.points[0], 0, 0);
		}
		at_gaussian_fit(gaussian, sample.targets, OBSERVED, 200, &random);
		at_gaussian_factor(gaussian);
		at_gaussian_extend(gaussian, 0, CANDIDATES);
		at_gaussian_condition(gaussian, sample.targets, OBSERVED);
		for (size_t slot = 0; slot < CANDIDATES; slot++) {
			assert_true(isfinite(at_gaussian_mean(gaussian, slot)));
			assert_true(at_gaussian_deviation(gaussian, slot) > 0);
			assert_true(isfinite(
				at_gaussian_improvement(gaussian, slot, sizes[s])));
		}
	}
}

/* by how much the mean changes when one feature alone goes from 0 to 1 */
static double swing(struct at_gaussian *gaussian, size_t feature)
{
	double sum = 0;

	for (int i = 0; i < 10; i++) {
		float point[FEATURES] = { 0.1f * (float)i, 0.3f, 0.7f };
		double low, high;

		point[feature] = 0;
		low = at_gaussian_predict(gaussian, point);
		point[feature] = 1;
		high = at_gaussian_predict(gaussian, point);
		sum += fabs(high - low);
	}
	return sum;
}

/* the second feature alone decides; the first alone in the other half of the cases */
TEST(fitting_finds_the_feature_that_matters)
{
	static const double same[FEATURES] = { -1.5, -1.5, -1.5 };
	const struct at_gaussian_options options = { FEATURES, same, OBSERVED, 1,
		NULL };
	double fitted = 0, unfitted = 0;

	for (uint64_t seed = 0; seed < 10; seed++) {
		struct sample sample = sample_of(seed, false);
		size_t matters = seed % 2, other = !matters;

		for (int fits = 0; fits < 2; fits++) {
			OWNED(at_gaussian_free) struct at_gaussian *gaussian = NULL;
			struct at_random random;

			at_random_init(&random, seed);
			assert_ok(at_gaussian_new(&options, &gaussian, NULL));
			for (size_t i = 0; i < OBSERVED; i++)
				sample.targets[i] = sin(7 * sample.points[i][matters]);
			observe(gaussian, &sample, 0, OBSERVED);
			if (fits)
				at_gaussian_fit(gaussian, sample.targets, OBSERVED, 200,
					&random);
			at_gaussian_factor(gaussian);
			at_gaussian_condition(gaussian, sample.targets, OBSERVED);
			*(fits ? &fitted : &unfitted) +=
				swing(gaussian, other) / swing(gaussian, matters) / 10;
		}
	}
	/* what the other feature seems to do, as a share of what the one does */
	if (!(fitted < 0.5 * unfitted && fitted < 0.25))
		fail_msg("%g after fitting, %g without", fitted, unfitted);
}

/* ---- features -------------------------------------------------------------------- */

struct example {
	enum at_type type;
	size_t value_count;
	struct at_value values[8];
	size_t feature_count;
	float features[8][8];
};

#define INTEGER(number) \
	{ \
		AT_TYPE_INTEGER, .integer = (number) \
	}
#define REAL(number) \
	{ \
		AT_TYPE_REAL, .real = (number) \
	}
#define WORD(text) \
	{ \
		AT_TYPE_WORD, .word = (text) \
	}

static const struct example examples[] = {
	/* one value says nothing */
	{ AT_TYPE_INTEGER, 1, { INTEGER(7) }, 0, { { 0 } } },
	/* ranks, in whatever order they are listed */
	{ AT_TYPE_INTEGER, 3, { INTEGER(64), INTEGER(1), INTEGER(8) }, 1,
		{ { 1 }, { 0 }, { 0.5f } } },
	{ AT_TYPE_REAL, 3, { REAL(0.5), REAL(-2), REAL(1e300) }, 1,
		{ { 0.5f }, { 0 }, { 1 } } },
	{ AT_TYPE_BOOLEAN, 2,
		{ { AT_TYPE_BOOLEAN, .integer = 1 },
			{ AT_TYPE_BOOLEAN, .integer = 0 } },
		1, { { 1 }, { 0 } } },
	/* how often 2 divides it, where the order does not say so: 0, 1, 0, 2, 0 */
	{ AT_TYPE_INTEGER, 5,
		{ INTEGER(1), INTEGER(2), INTEGER(3), INTEGER(4), INTEGER(5) }, 2,
		{ { 0, 0 }, { 0.25f, 0.5f }, { 0.5f, 0 }, { 0.75f, 1 }, { 1, 0 } } },
	/* the order does say so; all are as even; few; none or less cannot be divided
	 */
	{ AT_TYPE_INTEGER, 5,
		{ INTEGER(1), INTEGER(2), INTEGER(4), INTEGER(8), INTEGER(16) }, 1,
		{ { 0 }, { 0.25f }, { 0.5f }, { 0.75f }, { 1 } } },
	{ AT_TYPE_INTEGER, 5,
		{ INTEGER(1), INTEGER(3), INTEGER(5), INTEGER(7), INTEGER(9) }, 1,
		{ { 0 }, { 0.25f }, { 0.5f }, { 0.75f }, { 1 } } },
	{ AT_TYPE_INTEGER, 3, { INTEGER(2), INTEGER(3), INTEGER(4) }, 1,
		{ { 0 }, { 0.5f }, { 1 } } },
	{ AT_TYPE_INTEGER, 5,
		{ INTEGER(0), INTEGER(1), INTEGER(2), INTEGER(3), INTEGER(4) }, 1,
		{ { 0 }, { 0.25f }, { 0.5f }, { 0.75f }, { 1 } } },
	{ AT_TYPE_INTEGER, 5,
		{ INTEGER(INT64_MAX), INTEGER(INT64_MIN), INTEGER(0), INTEGER(-6),
			INTEGER(4) },
		1, { { 1 }, { 0 }, { 0.5f }, { 0.25f }, { 0.75f } } },
	/* too large for a double to tell apart: in the order of the list */
	{ AT_TYPE_INTEGER, 3,
		{ INTEGER(INT64_MAX - 1), INTEGER(INT64_MAX), INTEGER(1) }, 1,
		{ { 0.5f }, { 1 }, { 0 } } },
	/* of two words one number is enough */
	{ AT_TYPE_WORD, 2, { WORD("b"), WORD("a") }, 1, { { 0 }, { 1 } } },
	{ AT_TYPE_WORD, 3, { WORD("c"), WORD("b"), WORD("a") }, 3,
		{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
};

static struct at_search_space *space_of(const struct at_search_parameter *parameters,
	size_t count, const uint16_t *rows, size_t row_count)
{
	struct at_search_space *space = NULL;

	assert_ok(at_search_space_from_rows(
		parameters, count, rows, row_count, &space, NULL));
	return space;
}

TEST(a_parameter_becomes_numbers)
{
	static const uint16_t rows[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

	for (size_t e = 0; e < AT_COUNT_OF(examples); e++) {
		const struct example *example = &examples[e];
		const struct at_search_parameter parameter = { "P", example->type,
			example->value_count, example->values };
		OWNED(at_search_space_free)
		struct at_search_space *space =
			space_of(&parameter, 1, rows, example->value_count);
		struct at_features features;

		at_features_init(&features, space);
		assert_int_equal(features.count, example->feature_count);
		for (uint16_t v = 0; v < example->value_count; v++) {
			float found[16];

			for (size_t i = 0; i < AT_COUNT_OF(found); i++)
				found[i] = -1;
			/* every other place is somebody else's */
			at_features_write(&features, &v, found, 2);
			for (size_t i = 0; i < 8; i++) {
				float expected = i < features.count
							 ? example->features[v][i]
							 : -1;

				if (found[2 * i] != expected || found[2 * i + 1] != -1)
					fail_msg(
						"example %zu, value %u: feature %zu is %g, not %g",
						e, v, i, (double)found[2 * i],
						(double)expected);
			}
		}
		at_features_release(&features);
	}
}

TEST(features_of_parameters_follow_each_other)
{
	struct at_search_parameter parameters[AT_COUNT_OF(examples)];
	uint16_t rows[2 * AT_COUNT_OF(examples)] = { 0 };
	float found[32];
	OWNED(at_search_space_free) struct at_search_space *space;
	RELEASED(at_features_release) struct at_features features;
	size_t at = 0;

	for (size_t e = 0; e < AT_COUNT_OF(examples); e++) {
		parameters[e] = (struct at_search_parameter){ "P", examples[e].type,
			examples[e].value_count, examples[e].values };
		rows[AT_COUNT_OF(examples) + e] =
			(uint16_t)(examples[e].value_count - 1);
	}
	space = space_of(parameters, AT_COUNT_OF(examples), rows, 2);
	at_features_init(&features, space);
	assert_in_range(features.count, 1, AT_COUNT_OF(found));
	at_features_write(&features, rows + AT_COUNT_OF(examples), found, 1);
	for (size_t e = 0; e < AT_COUNT_OF(examples); e++) {
		const struct example *example = &examples[e];

		for (size_t i = 0; i < example->feature_count; i++, at++) {
			bool is_twos = example->type == AT_TYPE_INTEGER && i == 1;

			assert_true(found[at] ==
				    example->features[example->value_count - 1][i]);
			assert_int_equal(features.kinds[at],
				is_twos ? AT_FEATURE_TWOS : AT_FEATURE_VALUE);
		}
	}
	assert_int_equal(at, features.count);
}

/* 65,535 values; more words than have a number each */
TEST(long_lists_have_few_features)
{
	enum { MANY = 65535 };
	static struct at_value values[MANY], words[140];
	const struct at_search_parameter parameters[] = {
		{ "P", AT_TYPE_INTEGER, MANY, values },
		{ "W", AT_TYPE_WORD, AT_COUNT_OF(words), words },
	};
	const uint16_t rows[] = { 0, 0, MANY - 1, AT_COUNT_OF(words) - 1 };
	OWNED(at_search_space_free) struct at_search_space *space;
	RELEASED(at_features_release) struct at_features features;
	float found[3];

	for (size_t i = 0; i < MANY; i++)
		values[i] = (struct at_value)INTEGER((int64_t)i + 1);
	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		words[i] = (struct at_value)WORD("w");
	space = space_of(parameters, 2, rows, 2);
	at_features_init(&features, space);
	assert_int_equal(features.count, 3);
	at_features_write(&features, rows + 2, found, 1);
	assert_true(found[0] == 1 && found[1] == 0 && found[2] == 1);
}

/* ---- memory ---------------------------------------------------------------- */

TEST(memory_that_runs_out_is_said_and_given_back)
{
	const struct at_gaussian_options options = { FEATURES, weight_priors, OBSERVED,
		CANDIDATES, NULL };
	enum at_status status = AT_OK;
	long n;

	for (n = 0, status = AT_ENOMEM; status; n++) {
		OWNED(at_gaussian_free) struct at_gaussian *gaussian = NULL;
		struct at_error err = { 0 };

		allocations_left = n;
		status = at_gaussian_new(&options, &gaussian, &err);
		allocations_left = -1;
		assert_int_equal(status, status ? AT_ENOMEM : AT_OK);
		assert_int_equal(err.status, status);
		assert_true(!status == !!gaussian);
	}
	assert_int_equal(n, 4); /* after a failure of each of three */
}

RUN_SUITE(NULL, NULL)
