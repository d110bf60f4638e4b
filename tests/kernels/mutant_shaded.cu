/*
 * Light becomes bytes of a screen, a line near black and a power above it; what has no
 * cover keeps what is behind. MISTAKE none is sound.
 *
 * power_only        a power alone
 * power_22          a power of 2.2
 * not_bounded       what is too light goes around
 * cut_off           cuts digits off
 * no_cover          all is covered
 * exposure_ignored  as light as it comes
 * alpha_bent        the cover goes through the curve too
 * behind_ignored    black is behind
 *
 * Each METHOD is sound:
 *
 * doubles           in double
 * by_logarithm      the power by a logarithm
 * inverse           digits of the byte by comparison
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float curve(float x)
{
	if (IS(power_22))
		return powf(x, 1.0f / 2.2f);
	if (x <= 0.0031308f && !IS(power_only))
		return 12.92f * x;
	if (BY(doubles))
		return 1.055 * pow((double)x, 1.0 / 2.4) - 0.055;
	if (BY(by_logarithm))
		return 1.055f * exp2f(log2f(x) / 2.4f) - 0.055f;
	return fmaxf(1.055f * powf(x, 1.0f / 2.4f) - 0.055f, 0.0f);
}

extern "C" __global__ void mutant_shaded(const float *light, const unsigned char *behind,
	unsigned char *out, float exposure, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float cover;

	if (i >= n)
		return;
	if (IS(exposure_ignored))
		exposure = 1;
	cover = fminf(fmaxf(light[i * 4 + 3], 0.0f), 1.0f);
	if (IS(alpha_bent))
		cover = curve(cover);
	if (IS(no_cover))
		cover = 1;
	for (int k = 0; k < 3; k++) {
		float x = light[i * 4 + k] * exposure, bent;

		x = fmaxf(x, 0.0f);
		if (!IS(not_bounded))
			x = fminf(x, 1.0f);
		bent = curve(x) * 255.0f;
		bent = cover * bent +
		       (1.0f - cover) * (IS(behind_ignored) ? 0 : behind[i * 3 + k]);
		if (BY(inverse)) {
			int byte = (int)bent;

			out[i * 3 + k] = byte + (bent - byte >= 0.5f);
			continue;
		}
		out[i * 3 + k] = (unsigned char)(int)(IS(cut_off) ? bent : bent + 0.5f);
	}
}

extern "C" __global__ void mutant_shaded_reference(const float *light,
	const unsigned char *behind, unsigned char *out, float exposure, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x)
		for (int k = 0; k < 3; k++) {
			float x = fminf(fmaxf(light[i * 4 + k] * exposure, 0.0f), 1.0f);
			float cover = fminf(fmaxf(light[i * 4 + 3], 0.0f), 1.0f), bent;

			if (x <= 0.0031308f)
				bent = 12.92f * x;
			else
				bent = 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
			out[i * 3 + k] =
				(unsigned char)(cover * bent * 255.0f +
						(1.0f - cover) * behind[i * 3 + k] +
						0.5f);
		}
}
