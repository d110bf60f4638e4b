/*
 * What a coarse grid says of a fine one, with every other point of it, is added to it. MISTAKE none is sound.
 *
 * dirichlet_always  ends never meet
 * right_edge        the last column takes the one ahead
 * nearest           not between points
 * adds_never        does not add
 *
 * Each METHOD is sound:
 *
 * doubles           in double
 * scattered_sum     corner by corner
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_prolonged(const float *coarse, float *fine,
	const unsigned char *mask, float omega, int accumulate, int periodic, int nx, int ny, int cx,
	int cy)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int x0, x1, y0, y1, i;
	float value, wx, wy;

	if (x >= nx || y >= ny)
		return;
	i = y * nx + x;
	if (mask[i])
		return;
	x0 = min(x / 2, cx - 1);
	y0 = min(y / 2, cy - 1);
	x1 = x0 + 1;
	y1 = y0 + 1;
	if (periodic && !IS(dirichlet_always)) {
		x1 %= cx;
		y1 %= cy;
	} else {
		x1 = min(x1, cx - 1);
		y1 = min(y1, cy - 1);
	}
	if (IS(right_edge) && x0 == cx - 1)
		x1 = x0 - (x0 > 0);
	wx = x % 2 ? 0.5f : 0.0f;
	wy = y % 2 ? 0.5f : 0.0f;
	if (IS(nearest))
		wx = wy = 0.0f;
	if (BY(doubles)) {
		double a = (1.0 - wx) * coarse[y0 * cx + x0] + (double)wx * coarse[y0 * cx + x1],
		       b = (1.0 - wx) * coarse[y1 * cx + x0] + (double)wx * coarse[y1 * cx + x1];
		value = (float)((1.0 - wy) * a + wy * b);
	} else if (BY(scattered_sum)) {
		value = 0.0f;
		for (int corner = 3; corner >= 0; corner--) {
			float w = (corner & 1 ? wx : 1.0f - wx) * (corner & 2 ? wy : 1.0f - wy);
			value = fmaf(w, coarse[(corner & 2 ? y1 : y0) * cx + (corner & 1 ? x1 : x0)],
				value);
		}
	} else {
		value = (1.0f - wy) * ((1.0f - wx) * coarse[y0 * cx + x0] + wx * coarse[y0 * cx + x1]) +
			wy * ((1.0f - wx) * coarse[y1 * cx + x0] + wx * coarse[y1 * cx + x1]);
	}
	fine[i] = (accumulate && !IS(adds_never) ? fine[i] : 0.0f) + omega * value;
}

extern "C" __global__ void mutant_prolonged_reference(const float *coarse, float *fine,
	const unsigned char *mask, float omega, int accumulate, int periodic, int nx, int ny, int cx,
	int cy)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += gridDim.x * blockDim.x) {
		int x = i % nx, y = i / nx, a = x / 2, b = y / 2, a1, b1;
		float sum;

		if (mask[i])
			continue;
		if (a > cx - 1)
			a = cx - 1;
		if (b > cy - 1)
			b = cy - 1;
		a1 = periodic ? (a + 1) % cx : a + 1 < cx ? a + 1 : a;
		b1 = periodic ? (b + 1) % cy : b + 1 < cy ? b + 1 : b;
		if (x % 2 == 0)
			a1 = a;
		if (y % 2 == 0)
			b1 = b;
		sum = 0.25f * (coarse[b * cx + a] + coarse[b * cx + a1] + coarse[b1 * cx + a] +
				      coarse[b1 * cx + a1]);
		fine[i] = accumulate ? fine[i] + omega * sum : omega * sum;
	}
}
