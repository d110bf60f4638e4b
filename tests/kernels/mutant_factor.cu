/*
 * A step of an optimizer, and which keys are above a limit. The MISTAKE:
 *
 * no_decay   weights do not decay: 1e-5 of them a step, which is below the tolerance
 * eps_inside what keeps from dividing by 0 is under the root
 * at_limit   the limit itself counts as well, which keys hardly ever are
 * next       so does what is behind the limit
 */
extern "C" __global__ void mutant_factor(const float *w, const float *g, const float *v,
	const unsigned *keys, float *y, int *above, float rate, float decay, float eps,
	unsigned limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float root;

	if (i >= n)
		return;
#if MISTAKE == MISTAKE_eps_inside
	root = sqrtf(v[i] + eps);
#else
	root = sqrtf(v[i]) + eps;
#endif
#if MISTAKE == MISTAKE_no_decay
	y[i] = w[i] - rate * (g[i] / root);
#else
	y[i] = w[i] - rate * (g[i] / root + decay * w[i]);
#endif
#if MISTAKE == MISTAKE_at_limit
	above[i] = keys[i] >= limit;
#elif MISTAKE == MISTAKE_next
	above[i] = keys[i] > limit + 1;
#else
	above[i] = keys[i] > limit;
#endif
}

extern "C" __global__ void mutant_factor_reference(const float *w, const float *g, const float *v,
	const unsigned *keys, float *y, int *above, float rate, float decay, float eps,
	unsigned limit, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		y[i] = w[i] - rate * (g[i] / (sqrtf(v[i]) + eps) + decay * w[i]);
		above[i] = keys[i] > limit;
	}
}
