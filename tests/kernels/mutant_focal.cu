/*
 * The focal loss of values and classes, its gradient, and nothing where a class is left out.
 * MISTAKE none is sound.
 *
 * squared          the exponent is 2
 * one_alpha        one weight for both kinds
 * overflows        a logarithm of a sigmoid
 * clamped          chances of 1e-4 at least
 * none_too         takes what is left out for no class
 * no_log           the gradient leaves out the logarithm
 * sixteen_classes  classes in four bits
 *
 * Each METHOD is sound:
 *
 * two_sided        by the sign
 * doubles          in double
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_focal(const float *x, const int *target, float *loss, float *dx,
	float alpha, float gamma, int n, int classes)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, own, is;
	float s, p, miss, less, weight, power;

	if (i >= n * classes)
		return;
	own = target[i / classes];
	if (own < 0 && !IS(none_too)) {
		loss[i] = dx[i] = 0.0f;
		return;
	}
	is = (IS(sixteen_classes) ? own & 15 : own) == i % classes;
	if (IS(squared))
		gamma = 2.0f;
	weight = is || IS(one_alpha) ? alpha : 1.0f - alpha;
	if (BY(doubles)) {
		double t = is ? (double)x[i] : -(double)x[i];
		double q = t > 0 ? exp(-t) / (1.0 + exp(-t)) : 1.0 / (1.0 + exp(t));
		double l = (t > 0 ? 0.0 : -t) + log1p(exp(-fabs(t)));
		double slope = -weight * pow(q, (double)gamma) * (gamma * (1.0 - q) * l + q);

		loss[i] = (float)(weight * pow(q, (double)gamma) * l);
		dx[i] = (float)(is ? slope : -slope);
		return;
	}
	s = is ? x[i] : -x[i];
	if (BY(two_sided)) {
		float e = expf(-fabsf(s));

		miss = s >= 0.0f ? e / (1.0f + e) : 1.0f / (1.0f + e);
		less = s >= 0.0f ? log1pf(e) : log1pf(e) - s;
	} else {
		miss = 1.0f / (1.0f + expf(s));
		less = fmaxf(-s, 0.0f) + log1pf(expf(-fabsf(s)));
	}
	if (IS(overflows))
		less = logf(1.0f + expf(-s));
	if (IS(clamped)) {
		miss = fminf(fmaxf(miss, 1e-4f), 1.0f - 1e-4f);
		less = -logf(1.0f - miss);
	}
	p = 1.0f - miss;
	power = powf(miss, gamma);
	loss[i] = weight * power * less;
	power *= -weight * (IS(no_log) ? miss : gamma * p * less + miss);
	dx[i] = is ? power : -power;
}

extern "C" __global__ void mutant_focal_reference(const float *x, const int *target, float *loss,
	float *dx, float alpha, float gamma, int n, int classes)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * classes;
		i += gridDim.x * blockDim.x) {
		int own = target[i / classes];
		float sign = own == i % classes ? 1.0f : -1.0f, s = sign * x[i];
		float weight = sign > 0.0f ? alpha : 1.0f - alpha;
		float miss = 1.0f / (1.0f + expf(s));
		float less = fmaxf(-s, 0.0f) + log1pf(expf(-fabsf(s)));

		loss[i] = own < 0 ? 0.0f : weight * powf(miss, gamma) * less;
		dx[i] = own < 0 ? 0.0f
				: -sign * weight * powf(miss, gamma) *
					(gamma * (1.0f - miss) * less + miss);
	}
}
