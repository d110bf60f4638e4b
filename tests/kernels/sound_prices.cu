/*
 * Prices of options by Black and Scholes, most of them far below the mean. The METHOD:
 *
 * tails   the normal distribution of -d
 * ones    1 less that of d; few digits are left where it is next to 1
 * parity  a put from the price of the call
 */
static __device__ float normal(float d)
{
	return 0.5f * erfcf(-0.70710678f * d);
}

extern "C" __global__ void sound_prices(const float *price, const float *strike, const float *years,
	float *call, float *put, float rate, float volatility, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float root, d1, d2, due;

	if (i >= n)
		return;
	root = sqrtf(years[i]);
	d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
		(volatility * root);
	d2 = d1 - volatility * root;
	due = strike[i] * expf(-rate * years[i]);
	call[i] = price[i] * normal(d1) - due * normal(d2);
#if METHOD == METHOD_ones
	put[i] = due * (1.0f - normal(d2)) - price[i] * (1.0f - normal(d1));
#elif METHOD == METHOD_parity
	put[i] = call[i] - price[i] + due;
#else
	put[i] = due * normal(-d2) - price[i] * normal(-d1);
#endif
}

extern "C" __global__ void sound_prices_reference(const float *price, const float *strike,
	const float *years, float *call, float *put, float rate, float volatility, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float root = sqrtf(years[i]), due = strike[i] * expf(-rate * years[i]);
		float d1 = (logf(price[i] / strike[i]) +
			(rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
		float d2 = d1 - volatility * root;

		call[i] = price[i] * normal(d1) - due * normal(d2);
		put[i] = due * normal(-d2) - price[i] * normal(-d1);
	}
}
