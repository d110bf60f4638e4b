/*
 * Values through four curves, some by a gate. MISTAKE none is sound.
 *
 * by_tanh       the curve with a tanh in place of the one with an error function
 * no_gate       leaves out the gate
 * no_beta       beta is 1
 * unsafe        an exponential that overflows
 * no_alpha      alpha is 1
 * hard          a broken line
 * elu_below     the last curve without its 1
 * sigmoid_only  the sigmoid without the value
 *
 * Each METHOD is sound:
 *
 * tanhs         sigmoids by a tanh
 * complements   by erfc and expm1
 * apart         halves apart
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_bent(const float *x, const float *gate, float *gelu,
	float *silu, float *softplus, float *elu, float beta, float alpha, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float value, g, sigmoid, z;

	if (i >= n)
		return;
	value = x[i];
	g = IS(no_gate) ? 1.0f : gate[i];
	if (IS(no_beta))
		beta = 1.0f;
	if (IS(no_alpha))
		alpha = 1.0f;
	if (IS(by_tanh))
		gelu[i] = 0.5f * value *
			  (1.0f + tanhf(0.797884561f *
					  (value + 0.044715f * value * value * value)));
	else if (BY(complements))
		gelu[i] = 0.5f * value * erfcf(-value * 0.707106781f);
	else
		gelu[i] = 0.5f * value * (1.0f + erff(value * 0.707106781f));
	sigmoid = BY(tanhs) ? 0.5f + 0.5f * tanhf(0.5f * beta * value)
			    : 1.0f / (1.0f + expf(-beta * value));
	if (IS(hard))
		sigmoid = fminf(fmaxf(beta * value / 6.0f + 0.5f, 0.0f), 1.0f);
	silu[i] = IS(sigmoid_only) ? sigmoid * g : value * sigmoid * g;
	z = beta * value;
	softplus[i] =
		IS(unsafe)  ? logf(1.0f + expf(z)) / beta
		: BY(apart) ? (z > 0.0f ? z + log1pf(expf(-z)) : log1pf(expf(z))) / beta
			    : (fmaxf(z, 0.0f) + log1pf(expf(-fabsf(z)))) / beta;
	elu[i] = value > 0.0f
			 ? value
			 : alpha * (BY(complements) ? expm1f(value)
						    : expf(value) -
							      (IS(elu_below) ? 0.0f
									     : 1.0f));
}

extern "C" __global__ void mutant_bent_reference(const float *x, const float *gate,
	float *gelu, float *silu, float *softplus, float *elu, float beta, float alpha,
	int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		float z = beta * x[i];

		gelu[i] = 0.5f * x[i] * (1 + erff(x[i] * 0.70710678118654752f));
		silu[i] = x[i] * gate[i] / (1 + expf(-z));
		softplus[i] = (z > 20 ? z : log1pf(expf(z))) / beta;
		elu[i] = x[i] > 0 ? x[i] : alpha * expm1f(x[i]);
	}
}
