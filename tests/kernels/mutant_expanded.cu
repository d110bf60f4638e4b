/*
 * Squares of distances between points, and an exponential of them. MISTAKE none is
 * sound.
 *
 * no_own     leaves out the squares of the second
 * half_dot   products in half
 * last_axis  leaves out the last axis
 * no_gamma   gamma is 1 over the axes
 * rooted     the distance and not its square in the exponential
 * twelve     twelve axes
 * by_fours   four axes at a time
 *
 * Each METHOD is sound:
 *
 * direct     differences
 * folded     squares less twice the product
 * binary     powers of two
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

extern "C" __global__ void mutant_expanded(const float *a, const float *b,
	float *distance, float *near, float gamma, int n, int m, int d)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, axes = d;
	float sum = 0.0f, power;

	if (i >= n * m)
		return;
	a += i / m * d;
	b += i % m * d;
	if (IS(last_axis))
		axes--;
	if (IS(by_fours) && d > 3)
		axes = d / 4 * 4;
	if (IS(twelve))
		axes = 12;
	if (BY(folded) || IS(half_dot) || IS(no_own)) {
		float dot = 0.0f, first = 0.0f, second = 0.0f;

		for (int k = 0; k < axes; k++) {
			dot += IS(half_dot) ? __half2float(__float2half(a[k] * b[k]))
					    : a[k] * b[k];
			first += a[k] * a[k];
			second += b[k] * b[k];
		}
		sum = fmaxf(first + (IS(no_own) ? 0.0f : second) - 2.0f * dot, 0.0f);
	} else {
		for (int k = 0; k < axes; k++)
			sum += (a[k] - b[k]) * (a[k] - b[k]);
	}
	power = -(IS(no_gamma) ? 1.0f / d : gamma) * (IS(rooted) ? sqrtf(sum) : sum);
	distance[i] = sum;
	near[i] = BY(binary) ? exp2f(power * 1.44269504f) : expf(power);
}

extern "C" __global__ void mutant_expanded_reference(const float *a, const float *b,
	float *distance, float *near, float gamma, int n, int m, int d)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * m;
		i += gridDim.x * blockDim.x) {
		float sum = 0;

		for (int k = 0; k < d; k++)
			sum += (a[i / m * d + k] - b[i % m * d + k]) *
			       (a[i / m * d + k] - b[i % m * d + k]);
		distance[i] = sum;
		near[i] = expf(-gamma * sum);
	}
}
