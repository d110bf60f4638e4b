/*
 * Blocks of 8 times 8 of a picture become cosines in steps, rounded half away from 0; at the
 * right and at the bottom the last pixel goes on. MISTAKE none is sound.
 *
 * no_level      nothing is taken off
 * edge_zero     beyond the edge there is 0
 * turned        rows for columns
 * one_step      the first step for all
 * no_clamp      the first cosine is not kept below 1000
 * step_8        steps are multiples of 8
 * whole_blocks  blocks that are whole only
 * edge_mirrors  beyond the edge the picture is mirrored
 * first_scale   the first cosines have the scale of others
 *
 * Each METHOD is sound:
 *
 * direct       sums of 64
 * rows_first   rows, then columns, in shared memory
 * double_sums  in double
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float cosine(int place, int wave)
{
	return cosf((2 * place + 1) * wave * 0.19634954084936207f);
}

extern "C" __global__ void mutant_cosines(
	const unsigned char *x, const int *step, short *y, float level, int h, int w)
{
	__shared__ float rows[64];
	int across = (w + 7) / 8, left = blockIdx.x % across * 8, top = blockIdx.x / across * 8;
	int u = threadIdx.x % 8, v = threadIdx.x / 8, which = threadIdx.x, q, whole;
	float sum = 0.0f, scale;

	if (IS(no_level))
		level = 0.0f;
	if (IS(whole_blocks) && (left + 8 > w || top + 8 > h)) {
		y[blockIdx.x * 64 + which] = 0;
		return;
	}
	if (BY(rows_first)) {
		for (int k = 0; k < 8; k++) {
			int row = top + v < h ? top + v : h - 1, column = left + k < w ? left + k : w - 1;

			sum += (x[row * w + column] - level) * cosine(k, u);
		}
		rows[v * 8 + u] = sum;
		__syncthreads();
		sum = 0.0f;
		for (int k = 0; k < 8; k++)
			sum += rows[k * 8 + u] * cosine(k, v);
	} else {
		double all = 0.0;

		for (int j = 0; j < 8; j++)
			for (int k = 0; k < 8; k++) {
				int row = top + j, column = left + k;
				float pixel;

				if (IS(edge_mirrors)) {
					row = row < h ? row : max(0, 2 * h - 2 - row);
					column = column < w ? column : max(0, 2 * w - 2 - column);
				}
				pixel = row < h && column < w || !IS(edge_zero)
					? x[min(row, h - 1) * w + min(column, w - 1)] : 0.0f;
				pixel = (pixel - level) * cosine(k, IS(turned) ? v : u) * cosine(j, IS(turned) ? u : v);
				if (BY(double_sums))
					all += pixel;
				else
					sum += pixel;
			}
		if (BY(double_sums))
			sum = (float)all;
	}
	scale = (u ? 0.5f : 0.35355339059327373f) * (v ? 0.5f : 0.35355339059327373f);
	if (IS(first_scale))
		scale = 0.25f;
	q = step[IS(one_step) ? 0 : which];
	if (IS(step_8))
		q = q / 8 * 8 ? q / 8 * 8 : 1;
	sum = sum * scale / q;
	whole = (int)(sum < 0.0f ? sum - 0.5f : sum + 0.5f);
	if (which == 0 && !IS(no_clamp))
		whole = whole > 200 ? 200 : whole < -200 ? -200 : whole;
	y[blockIdx.x * 64 + which] = (short)whole;
}

extern "C" __global__ void mutant_cosines_reference(
	const unsigned char *x, const int *step, short *y, float level, int h, int w)
{
	int across = (w + 7) / 8, down = (h + 7) / 8;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < across * down * 64; i += gridDim.x * blockDim.x) {
		int left = i / 64 % across * 8, top = i / 64 / across * 8, u = i % 8, v = i / 8 % 8, whole;
		float sum = 0.0f;

		for (int j = 0; j < 8; j++)
			for (int k = 0; k < 8; k++) {
				int row = top + j < h ? top + j : h - 1, column = left + k < w ? left + k : w - 1;

				sum += (x[row * w + column] - level) *
					cosf((2 * k + 1) * u * 0.19634954084936207f) *
					cosf((2 * j + 1) * v * 0.19634954084936207f);
			}
		sum *= (u ? 0.5f : 0.35355339059327373f) * (v ? 0.5f : 0.35355339059327373f);
		sum /= step[i % 64];
		whole = (int)(sum < 0.0f ? sum - 0.5f : sum + 0.5f);
		if (i % 64 == 0)
			whole = whole > 200 ? 200 : whole < -200 ? -200 : whole;
		y[i] = (short)whole;
	}
}
