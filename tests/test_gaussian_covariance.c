/* The covariance of Gaussian processes against its formula in double precision. */
#include "base/memory.h"
#include "base/random.h"
#include "search/gaussian_loops.h"

#include <math.h>

#include "suite.h"

enum { MOST_FEATURES = 130, MOST_POINTS = 48, STRIDE = MOST_POINTS + 5 };

struct cloud {
	float points[MOST_FEATURES][STRIDE]; /* [feature][point] */
	float weights[MOST_FEATURES];
};

/* Points on a grid of some values for each feature, as ranks are; weights about
 * `weight`.
 */
static void make_cloud(struct cloud *cloud, uint64_t seed, double weight)
{
	struct at_random random;

	at_random_init(&random, seed);
	for (size_t c = 0; c < MOST_FEATURES; c++) {
		uint64_t values = 1 + at_random_below(&random, 6);

		cloud->weights[c] = (float)(weight * exp(at_random_normal(&random)));
		for (size_t i = 0; i < STRIDE; i++)
			cloud->points[c][i] =
				(float)at_random_below(&random, values + 1) /
				(float)values;
	}
}

/* from one point to the first `count`; what lies behind must stay as it is */
static void covary(const struct cloud *cloud, size_t features, size_t from,
	size_t count, float *covariances)
{
	float distances[STRIDE], found[STRIDE];

	for (size_t i = 0; i < STRIDE; i++)
		distances[i] = found[i] = -7;
	at_gaussian_distances(distances, cloud->points[0], STRIDE,
		&cloud->points[0][from], STRIDE, cloud->weights, features, count);
	at_gaussian_matern(found, distances, count);
	for (size_t i = count; i < STRIDE; i++)
		assert_true(distances[i] == -7 && found[i] == -7);
	memcpy(covariances, found, count * sizeof(*found));
}

static double covariance_of(
	const struct cloud *cloud, size_t features, size_t a, size_t b)
{
	double distance = 0, r;

	for (size_t c = 0; c < features; c++) {
		double difference = (double)cloud->points[c][a] - cloud->points[c][b];

		distance += cloud->weights[c] * difference * difference;
	}
	r = sqrt(3 * distance);
	return (1 + r) * exp(-r);
}

/* any number of features and points; from nearly 1 to so far that single precision has
   no number for it */
TEST(a_covariance_is_matern_s_of_the_distance)
{
	static const size_t features[] = { 0, 1, 3, 4, 5, 8, 31, 32, 33, 35, 64, 65,
		MOST_FEATURES };
	static const size_t counts[] = { 1, 2, 7, 8, 16, 33, MOST_POINTS };
	static const double weights[] = { 1e-3, 0.05, 0.3, 1, 5, 100, 1e4, 1e30 };
	static struct cloud cloud;
	size_t near = 0, far = 0;

	for (size_t r = 0; r < AT_COUNT_OF(weights); r++) {
		make_cloud(&cloud, r, weights[r]);
		for (size_t f = 0; f < AT_COUNT_OF(features); f++)
			for (size_t k = 0; k < AT_COUNT_OF(counts); k++) {
				float found[STRIDE], back[STRIDE];
				size_t from = (r + f + k) % MOST_POINTS;

				covary(&cloud, features[f], from, counts[k], found);
				for (size_t i = 0; i < counts[k]; i++) {
					double expected = covariance_of(
						&cloud, features[f], from, i);

					if (!(fabs(found[i] - expected) <=
						    2e-4 * expected + 1e-30))
						fail_msg("%g, not %g", (double)found[i],
							expected);
					near += expected > 0.01 && expected < 0.99;
					far += expected < 1e-30;
				}
				covary(&cloud, features[f], 0, from + 1, back);
				assert_true(found[0] == back[from]);
				assert_true(from >= counts[k] || found[from] == 1);
			}
	}
	assert_true(near > 300 && far > 300);
}

/* No combination of costs has a variance below 0, but for rounding: Cholesky's pivots
   are positive without any noise to speak of. */
TEST(covariances_are_positive_definite)
{
	static const size_t features[] = { 1, 2, 4, 9, 33, MOST_FEATURES };
	static const double weights[] = { 0.02, 0.3, 1, 4, 30 };
	static struct cloud cloud;

	for (size_t r = 0; r < AT_COUNT_OF(weights); r++)
		for (size_t f = 0; f < AT_COUNT_OF(features); f++) {
			double factor[MOST_POINTS][MOST_POINTS] = { { 0 } };

			make_cloud(&cloud, 100 + r, weights[r]);
			for (size_t i = 0; i < MOST_POINTS; i++) {
				float row[STRIDE];

				covary(&cloud, features[f], i, MOST_POINTS, row);
				for (size_t j = 0; j <= i; j++) {
					double sum = row[j] + (i == j ? 2e-5 : 0);

					for (size_t k = 0; k < j; k++)
						sum -= factor[i][k] * factor[j][k];
					if (j < i)
						factor[i][j] = sum / factor[j][j];
					else if (sum > 0)
						factor[i][i] = sqrt(sum);
					else
						fail_msg(
							"pivot %zu of %zu features with weight %g is %g",
							i, features[f], weights[r],
							sum);
				}
			}
		}
}

RUN_SUITE(NULL, NULL)
