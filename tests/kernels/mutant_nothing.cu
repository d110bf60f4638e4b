/*
 * The largest of every 60th number, for 64 of them: four have no number, and a maximum of
 * minus infinity. MISTAKE none is sound.
 *
 * from_zero  begins with 0, so that negative numbers are not seen
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)

extern "C" __global__ void mutant_nothing(const float *x, float *most, int n)
{
	const float none = -__int_as_float(0x7f800000);
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	float m = none;

	if (k >= 64)
		return;
	for (int i = k; i < n && k < 60; i += 60) {
		if (m == none)
			m = IS(from_zero) ? 0 : x[i];
		if (x[i] > m)
			m = x[i];
	}
	most[k] = m;
}

extern "C" __global__ void mutant_nothing_reference(const float *x, float *most, int n)
{
	for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < 64; k += gridDim.x * blockDim.x) {
		most[k] = -__int_as_float(0x7f800000);
		for (int i = k; i < n && k < 60; i += 60)
			most[k] = fmaxf(most[k], x[i]);
	}
}
