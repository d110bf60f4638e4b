/*
 * Normalizes channels by what the batch has, which goes into running means, or by
 * these. MISTAKE none is sound.
 *
 * biased            the running variance is divided by all
 * unbiased          divides by one less
 * swapped_momentum  takes momentum for its rest
 * no_gamma          no factor
 * no_beta           no offset
 * always_training   always by the batch
 * mean_only         the variance does not run
 * one_item          the first item alone
 * no_old            running means begin anew
 * eps_root          eps outside of the root
 * one_divides       of one value the variance is divided by 0
 *
 * Each METHOD is sound:
 *
 * two_pass          mean first
 * welford           in one pass
 * doubles           in double
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_running_norm(const float *x, const float *gamma,
	const float *beta, float *mean, float *variance, float *y, float momentum,
	float eps, int items, int channels, int pixels, int training)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x, all = items * pixels, count = 0;
	float middle = 0.0f, square = 0.0f, inverse,
	      part = IS(swapped_momentum) ? 1.0f - momentum : momentum;

	if (c >= channels)
		return;
	if (training || IS(always_training)) {
		if (IS(one_item))
			items = 1;
		if (BY(doubles)) {
			double sum = 0.0, squares = 0.0;

			for (int i = 0; i < all; i++)
				sum += x[(i / pixels * channels + c) * pixels +
					 i % pixels];
			sum /= all;
			for (int i = 0; i < all; i++) {
				double d = x[(i / pixels * channels + c) * pixels +
						   i % pixels] -
					   sum;

				squares += d * d;
			}
			middle = (float)sum;
			square = (float)squares;
		} else if (BY(welford)) {
			for (int i = 0; i < all; i++) {
				float value = x[(i / pixels * channels + c) * pixels +
						i % pixels],
				      d = value - middle;

				middle += d / ++count;
				square += d * (value - middle);
			}
		} else {
			all = items * pixels;
			for (int i = 0; i < all; i++)
				middle += x[(i / pixels * channels + c) * pixels +
					    i % pixels];
			middle /= all;
			for (int i = 0; i < all; i++) {
				float d = x[(i / pixels * channels + c) * pixels +
						  i % pixels] -
					  middle;

				square += d * d;
			}
		}
		mean[c] = (1.0f - part) * (IS(no_old) ? 0.0f : mean[c]) + part * middle;
		if (!IS(mean_only))
			variance[c] =
				(1.0f - part) * (IS(no_old) ? 1.0f : variance[c]) +
				part * (square / (IS(biased) ? all
							 : all > 1 || IS(one_divides)
								 ? all - 1
								 : 1));
		square /= IS(unbiased) && all > 1 ? all - 1 : all;
	} else {
		middle = mean[c];
		square = variance[c];
	}
	inverse = IS(eps_root) ? 1.0f / (sqrtf(square) + eps)
			       : 1.0f / sqrtf(square + eps);
	all = (IS(one_item) ? 1 : items) * pixels;
	for (int i = 0; i < all; i++) {
		int at = (i / pixels * channels + c) * pixels + i % pixels;

		y[at] = (x[at] - middle) * inverse * (IS(no_gamma) ? 1.0f : gamma[c]) +
			(IS(no_beta) ? 0.0f : beta[c]);
	}
}

extern "C" __global__ void mutant_running_norm_reference(const float *x,
	const float *gamma, const float *beta, float *mean, float *variance, float *y,
	float momentum, float eps, int items, int channels, int pixels, int training)
{
	for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < channels;
		c += gridDim.x * blockDim.x) {
		int all = items * pixels;
		float m = 0, v = 0;

		for (int i = 0; i < all; i++)
			m += x[(i / pixels * channels + c) * pixels + i % pixels] / all;
		for (int i = 0; i < all; i++) {
			float d = x[(i / pixels * channels + c) * pixels + i % pixels] -
				  m;

			v += d * d / all;
		}
		if (training) {
			mean[c] = (1 - momentum) * mean[c] + momentum * m;
			variance[c] = (1 - momentum) * variance[c] +
				      momentum * v * all / (all > 1 ? all - 1 : 1);
		} else {
			m = mean[c];
			v = variance[c];
		}
		for (int i = 0; i < all; i++) {
			int at = (i / pixels * channels + c) * pixels + i % pixels;

			y[at] = gamma[c] * (x[at] - m) / sqrtf(v + eps) + beta[c];
		}
	}
}
