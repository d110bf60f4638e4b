/*
 * Prices of options that may be exercised before they end, on a lattice; of calls and
 * puts, with and without that. MISTAKE none is sound.
 *
 * at_the_end    never exercised before the end
 * puts_only     all are puts
 * steps_folded  as many steps as the space has
 * no_yield      the yield is 0
 * rate_folded   the rate of the space
 * not_at_once   not exercised at once
 * always_early  all may be exercised early
 * spots_folded  one spread for all
 *
 * Each METHOD is sound:
 *
 * doubles       in double
 * other_branch  from the upper end
 * by_powers     prices by exponents
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define STEPS_MAX 128

template <typename real>
static __device__ real price(real spot, real strike, real spread, real years, real rate,
	real yield, int steps, int call, int early)
{
	real value[STEPS_MAX + 1], dt = years / steps, up = exp(spread * sqrt(dt));
	real part = (exp((rate - yield) * dt) - 1 / up) / (up - 1 / up),
	     less = exp(-rate * dt);

	for (int left = steps; left >= 0; left--)
		for (int k = 0; k <= left; k++) {
			int j = BY(other_branch) && left == steps ? left - k : k;
			real at =
				BY(by_powers)
					? spot * exp(spread * sqrt(dt) * (2 * j - left))
					: spot * pow(up, (real)(2 * j - left));
			real now = call ? at - strike : strike - at;

			if (left == steps) {
				value[j] = now > 0 ? now : 0;
				continue;
			}
			value[j] = less * (part * value[j + 1] + (1 - part) * value[j]);
			if (early && now > value[j] && !(IS(not_at_once) && left == 0))
				value[j] = now;
		}
	return value[0];
}

extern "C" __global__ void mutant_early(const float *spot, const float *strike,
	const float *spread, const unsigned char *call, float *value, float years,
	float rate, float yield, int early, int steps, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	if (IS(at_the_end))
		early = 0;
	if (IS(always_early))
		early = 1;
	if (IS(steps_folded))
		steps = 40;
	if (IS(no_yield))
		yield = 0;
	if (IS(rate_folded))
		rate = 0.05f;
	if (BY(doubles))
		value[i] = price<double>(spot[i], strike[i], spread[i], years, rate,
			yield, steps, call[i], early);
	else
		value[i] = price<float>(spot[i], strike[i],
			spread[IS(spots_folded) ? 0 : i], years, rate, yield, steps,
			IS(puts_only) ? 0 : call[i], early);
}

extern "C" __global__ void mutant_early_reference(const float *spot, const float *strike,
	const float *spread, const unsigned char *call, float *value, float years,
	float rate, float yield, int early, int steps, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		float at[STEPS_MAX + 1], dt = years / steps,
					 up = expf(spread[i] * sqrtf(dt));
		float part = (expf((rate - yield) * dt) - 1.0f / up) / (up - 1.0f / up);
		float less = expf(-rate * dt);

		for (int left = steps; left >= 0; left--)
			for (int k = 0; k <= left; k++) {
				float asset = spot[i] * powf(up, 2 * k - left);
				float now =
					call[i] ? asset - strike[i] : strike[i] - asset;

				if (left == steps)
					at[k] = fmaxf(now, 0.0f);
				else
					at[k] = less * (part * at[k + 1] +
							       (1.0f - part) * at[k]);
				if (early)
					at[k] = fmaxf(at[k], now);
			}
		value[i] = at[0];
	}
}
