/*
 * A step by signs: gradients are made smaller as a whole if they are long, weights decay, and
 * a slow copy follows. MISTAKE none is sound.
 *
 * always_scaled  makes short gradients longer
 * never_scaled   never makes them smaller
 * swapped        takes one rate for the other
 * zero_up        the sign of 0 is 1
 * no_decay       weights do not decay
 * follows_old    the copy follows the weight of before
 * raw_momentum   the momentum takes gradients as they are
 * anew           the copy begins anew
 *
 * Each METHOD is sound:
 *
 * doubles        in double
 * fused          by differences
 * backwards      from the end
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_signs(const float *g, const float *norm, float *w, float *m,
	float *slow, float rate, float beta1, float beta2, float decay, float longest,
	float keeps, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float scale, gradient, mixed, sign, before;

	if (i >= n)
		return;
	if (BY(backwards))
		i = n - 1 - i;
	scale = longest / (norm[0] + 1e-6f);
	if (!IS(always_scaled))
		scale = fminf(scale, 1.0f);
	if (IS(never_scaled))
		scale = 1.0f;
	gradient = g[i] * scale;
	if (IS(swapped)) {
		float other = beta1;

		beta1 = beta2;
		beta2 = other;
	}
	if (BY(doubles))
		mixed = (float)((double)beta1 * m[i] + (1.0 - (double)beta1) * (double)gradient);
	else if (BY(fused))
		mixed = beta1 * m[i] + (1.0f - beta1) * gradient;
	else
		mixed = beta1 * m[i] + (1.0f - beta1) * gradient;
	sign = mixed > 0.0f ? 1.0f : mixed < 0.0f ? -1.0f : IS(zero_up) ? 1.0f : 0.0f;
	before = w[i];
	w[i] = before - rate * (sign + (IS(no_decay) ? 0.0f : decay * before));
	if (IS(raw_momentum))
		gradient = g[i];
	m[i] = BY(fused) ? gradient + beta2 * (m[i] - gradient)
			 : beta2 * m[i] + (1.0f - beta2) * gradient;
	slow[i] = IS(anew) ? w[i]
		: keeps * slow[i] + (1.0f - keeps) * (IS(follows_old) ? before : w[i]);
}

extern "C" __global__ void mutant_signs_reference(const float *g, const float *norm, float *w,
	float *m, float *slow, float rate, float beta1, float beta2, float decay, float longest,
	float keeps, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float scale = fminf(longest / (norm[0] + 1e-6f), 1.0f), gradient = g[i] * scale;
		float mixed = beta1 * m[i] + (1.0f - beta1) * gradient;
		float sign = mixed > 0.0f ? 1.0f : mixed < 0.0f ? -1.0f : 0.0f;

		w[i] = w[i] - rate * (sign + decay * w[i]);
		m[i] = beta2 * m[i] + (1.0f - beta2) * gradient;
		slow[i] = keeps * slow[i] + (1.0f - keeps) * w[i];
	}
}
