/*
 * A step of an optimizer that goes as far as the weights of a layer are long, beside the step;
 * biases go as far as they like. MISTAKE none is sound.
 *
 * step_1              each step is the first
 * ratio_capped_never  however far
 * bias_decays         biases decay too
 * clip_ignored        gradients of any length
 *
 * Each METHOD is sound:
 *
 * doubles             adds up in double
 * backwards           from the end
 * pairwise            powers by logarithms
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_trusted(float *w, const float *g, float *m, float *v,
	const unsigned char *is_bias, float lr, float beta1, float beta2, float eps, float decay,
	float max_ratio, float max_grad, int step, int layers, int size)
{
	int l = blockIdx.x;
	float clip = 1.0f, c1, c2, ratio, wn, un;
	__shared__ double shared[3];
	__shared__ float single[3][64];

	if (l >= layers)
		return;
	w += l * size;
	g += l * size;
	m += l * size;
	v += l * size;
	if (threadIdx.x < 3)
		shared[threadIdx.x] = 0.0;
	for (int k = 0; k < 3; k++)
		single[k][threadIdx.x] = 0.0f;
	__syncthreads();
	for (int i = threadIdx.x; i < size; i += blockDim.x)
		single[0][threadIdx.x] += g[i] * g[i];
	__syncthreads();
	if (threadIdx.x == 0) {
		float sum = 0.0f;
		double wide = 0.0;
		for (int s = 0; s < (int)blockDim.x; s++) {
			int i = BY(backwards) ? blockDim.x - 1 - s : s;
			sum += single[0][i];
			wide += single[0][i];
		}
		shared[0] = BY(doubles) ? wide : sum;
	}
	__syncthreads();
	if (max_grad > 0.0f && !IS(clip_ignored) && sqrtf((float)shared[0]) > max_grad)
		clip = max_grad / sqrtf((float)shared[0]);
	if (IS(step_1))
		step = 1;
	c1 = 1.0f - powf(beta1, (float)step);
	c2 = 1.0f - powf(beta2, (float)step);
	if (BY(pairwise)) {
		c1 = -expm1f(step * logf(beta1));
		c2 = -expm1f(step * logf(beta2));
	}
	for (int i = threadIdx.x; i < size; i += blockDim.x) {
		float gi = g[i] * clip, u;

		m[i] = beta1 * m[i] + (1.0f - beta1) * gi;
		v[i] = beta2 * v[i] + (1.0f - beta2) * gi * gi;
		u = m[i] / c1 / (sqrtf(v[i] / c2) + eps);
		if (!is_bias[l] || IS(bias_decays))
			u += decay * w[i];
		single[1][threadIdx.x] += w[i] * w[i];
		single[2][threadIdx.x] += u * u;
	}
	__syncthreads();
	if (threadIdx.x == 0)
		for (int k = 1; k < 3; k++) {
			float sum = 0.0f;
			double wide = 0.0;
			for (int s = 0; s < (int)blockDim.x; s++) {
				int i = BY(backwards) ? blockDim.x - 1 - s : s;
				sum += single[k][i];
				wide += single[k][i];
			}
			shared[k] = BY(doubles) ? wide : sum;
		}
	__syncthreads();
	wn = sqrtf((float)shared[1]);
	un = sqrtf((float)shared[2]);
	ratio = wn > 0.0f && un > 0.0f ? wn / un : 1.0f;
	if (!IS(ratio_capped_never))
		ratio = fminf(ratio, max_ratio);
	if (is_bias[l])
		ratio = 1.0f;
	for (int i = threadIdx.x; i < size; i += blockDim.x) {
		float u = m[i] / c1 / (sqrtf(v[i] / c2) + eps);
		if (!is_bias[l] || IS(bias_decays))
			u += decay * w[i];
		w[i] -= lr * ratio * u;
	}
}

extern "C" __global__ void mutant_trusted_reference(float *w, const float *g, float *m, float *v,
	const unsigned char *is_bias, float lr, float beta1, float beta2, float eps, float decay,
	float max_ratio, float max_grad, int step, int layers, int size)
{
	for (int l = blockIdx.x * blockDim.x + threadIdx.x; l < layers; l += gridDim.x * blockDim.x) {
		float gn = 0.0f, wn = 0.0f, un = 0.0f, scale = 1.0f, ratio = 1.0f;

		for (int i = l * size; i < (l + 1) * size; i++)
			gn += g[i] * g[i];
		gn = sqrtf(gn);
		if (max_grad > 0.0f && gn > max_grad)
			scale = max_grad / gn;
		for (int pass = 0; pass < 2; pass++) {
			for (int i = l * size; i < (l + 1) * size; i++) {
				float u;
				if (pass == 0) {
					m[i] = beta1 * m[i] + (1.0f - beta1) * g[i] * scale;
					v[i] = beta2 * v[i] + (1.0f - beta2) * g[i] * scale * g[i] * scale;
				}
				u = m[i] / (1.0f - powf(beta1, (float)step)) /
					(sqrtf(v[i] / (1.0f - powf(beta2, (float)step))) + eps);
				if (!is_bias[l])
					u += decay * w[i];
				if (pass == 0) {
					wn += w[i] * w[i];
					un += u * u;
				} else {
					w[i] -= lr * ratio * u;
				}
			}
			if (!is_bias[l] && wn > 0.0f && un > 0.0f)
				ratio = fminf(sqrtf(wn) / sqrtf(un), max_ratio);
		}
	}
}
