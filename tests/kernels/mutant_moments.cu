/*
 * A step of Adam with decoupled decay and clipped gradients. MISTAKE none is sound.
 *
 * no_correction  does not correct the first steps
 * no_decay       no decay, as in the space
 * coupled        adds the decay to the gradient
 * eps_inside     eps below the root
 * first_step     takes every step for the first one
 * no_old         moments begin at 0
 * no_clip        does not clip
 * same_beta      one factor for both moments
 * tail           leaves out what is no whole block
 *
 * Each METHOD is sound:
 *
 * fused          by fmaf
 * inverse        by inverses
 * roots          the root of each part
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_moments(float *p, const float *g, float *m, float *v,
	float rate, float beta1, float beta2, float eps, float decay, float clip,
	int step, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float a, b, gradient, c1, c2, size;

	if (i >= (IS(tail) && n > 128 ? n / 128 * 128 : n))
		return;
	if (IS(first_step))
		step = 1;
	if (IS(same_beta))
		beta2 = beta1;
	gradient = IS(no_clip) ? g[i] : fminf(fmaxf(g[i], -clip), clip);
	if (IS(coupled))
		gradient += decay * p[i];
	a = IS(no_old) ? 0.0f : m[i];
	b = IS(no_old) ? 0.0f : v[i];
	if (BY(fused)) {
		a = fmaf(beta1, a, (1.0f - beta1) * gradient);
		b = fmaf(beta2, b, (1.0f - beta2) * gradient * gradient);
	} else {
		a = beta1 * a + (1.0f - beta1) * gradient;
		b = beta2 * b + (1.0f - beta2) * (gradient * gradient);
	}
	c1 = 1.0f - powf(beta1, (float)step);
	c2 = 1.0f - powf(beta2, (float)step);
	if (IS(no_correction))
		c1 = c2 = 1.0f;
	if (IS(eps_inside))
		size = a / c1 / sqrtf(b / c2 + eps);
	else if (BY(inverse))
		size = a * (1.0f / c1) * (1.0f / (sqrtf(b * (1.0f / c2)) + eps));
	else if (BY(roots))
		size = a / c1 / (sqrtf(b) / sqrtf(c2) + eps);
	else
		size = a / c1 / (sqrtf(b / c2) + eps);
	m[i] = a;
	v[i] = b;
	p[i] -= rate * (size + (IS(no_decay) || IS(coupled) ? 0.0f : decay * p[i]));
}

extern "C" __global__ void mutant_moments_reference(float *p, const float *g, float *m,
	float *v, float rate, float beta1, float beta2, float eps, float decay,
	float clip, int step, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		float gradient = g[i] > clip ? clip : g[i] < -clip ? -clip : g[i];

		m[i] = beta1 * m[i] + (1 - beta1) * gradient;
		v[i] = beta2 * v[i] + (1 - beta2) * gradient * gradient;
		p[i] -= rate *
			(m[i] / (1 - powf(beta1, step)) /
					(sqrtf(v[i] / (1 - powf(beta2, step))) + eps) +
				decay * p[i]);
	}
}
