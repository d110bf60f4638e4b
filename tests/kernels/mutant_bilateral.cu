/*
 * Means of what is near and alike; beyond the edge the last pixel goes on. MISTAKE none is
 * sound.
 *
 * near_only       weights by how near
 * alike_only      weights by how alike
 * edge_zero       beyond the edge there is 0
 * edge_skips      beyond the edge there is nothing
 * sigmas_swapped  the one width for the other
 * radius_folded   the radius of the space
 * no_sum          divides by the number of pixels
 * table_16        likeness from a table of 16 steps
 * linear          the first term of the exponential
 * square          as wide as high
 * cut_far         what is unlike has no weight
 *
 * Each METHOD is sound:
 *
 * direct        one exponential
 * separate_exp  two
 * table         nearness from shared memory
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_bilateral(
	const float *x, float *y, float near, float alike, int r, int h, int w)
{
#ifdef METHOD
	__shared__ float table[64];
#endif
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, column;
	float sum = 0.0f, weights = 0.0f, own;

#ifdef METHOD
	if (BY(table)) {
		table[threadIdx.x] = expf(-0.5f * threadIdx.x / (near * near));
		__syncthreads();
	}
#endif
	if (IS(sigmas_swapped)) {
		float kept = near;

		near = alike;
		alike = kept;
	}
	if (IS(radius_folded))
		r = 2;
	if (IS(square))
		h = w;
	if (i >= h * w)
		return;
	row = i / w;
	column = i % w;
	own = x[i];
	for (int j = -r; j <= r; j++)
		for (int k = -r; k <= r; k++) {
			int other_row = min(max(row + j, 0), h - 1), other_column = min(max(column + k, 0), w - 1);
			bool is_outside = other_row != row + j || other_column != column + k;
			float other = IS(edge_zero) && is_outside ? 0.0f : x[other_row * w + other_column];
			float off = (other - own) / alike, far = (float)(j * j + k * k), weight;

			if (IS(edge_skips) && is_outside)
				continue;
			if (IS(table_16))
				off = rintf(off * 16.0f) / 16.0f;
			if (IS(near_only))
				off = 0.0f;
			if (IS(alike_only))
				far = 0.0f;
#ifdef METHOD
			if (BY(table) && j * j + k * k < 64)
				weight = table[j * j + k * k] * expf(-0.5f * off * off);
			else if (BY(separate_exp))
				weight = expf(-0.5f * far / (near * near)) * expf(-0.5f * off * off);
			else
#endif
				weight = expf(-0.5f * (far / (near * near) + off * off));
			if (IS(linear))
				weight = fmaxf(0.0f, 1.0f - 0.5f * (far / (near * near) + off * off));
			if (IS(cut_far) && fabsf(off) > 4.5f)
				weight = 0.0f;
			sum += weight * other;
			weights += weight;
		}
	y[i] = IS(no_sum) ? sum / ((2 * r + 1) * (2 * r + 1)) : sum / weights;
}

extern "C" __global__ void mutant_bilateral_reference(
	const float *x, float *y, float near, float alike, int r, int h, int w)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < h * w; i += gridDim.x * blockDim.x) {
		float sum = 0.0f, weights = 0.0f;

		for (int j = -r; j <= r; j++)
			for (int k = -r; k <= r; k++) {
				int row = i / w + j, column = i % w + k;
				float other, weight;

				row = row < 0 ? 0 : row >= h ? h - 1 : row;
				column = column < 0 ? 0 : column >= w ? w - 1 : column;
				other = x[row * w + column];
				weight = expf(-0.5f * ((j * j + k * k) / (near * near) +
					(other - x[i]) * (other - x[i]) / (alike * alike)));
				sum += weight * other;
				weights += weight;
			}
		y[i] = sum / weights;
	}
}
