/*
 * Values of a picture at given points, between its dots; beyond its edge there is 0, the edge
 * again, or the picture in a mirror. MISTAKE none is sound.
 *
 * zeros_always    always 0 beyond the edge
 * edge_always     always the edge
 * corners_always  corners meet always
 * swapped         the two axes change places
 * cuts            cuts off in place of going down
 * mirrors_once    mirrors once
 * one_channel     the first channel
 *
 * Each METHOD is sound:
 *
 * doubles         weights in double
 * by_rows         along rows first
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float placed(float at, int size, int corners, int mode)
{
	if (IS(corners_always))
		corners = 1;
	at = corners ? (at + 1.0f) * 0.5f * (size - 1) : ((at + 1.0f) * size - 1.0f) * 0.5f;
	if (IS(edge_always))
		mode = 1;
	if (IS(zeros_always))
		mode = 0;
	if (mode == 2) {
		float low = corners ? 0.0f : -0.5f, span = corners ? size - 1.0f : (float)size;

		if (span <= 0.0f)
			return 0.0f;
		at = fabsf(at - low);
		if (IS(mirrors_once)) {
			at = at > span ? fmaxf(2.0f * span - at, 0.0f) : at;
		} else {
			float turns = floorf(at / span), rest = at - turns * span;

			at = fmodf(turns, 2.0f) == 0.0f ? rest : span - rest;
		}
		at += low;
	}
	if (mode > 0)
		at = fminf(fmaxf(at, 0.0f), size - 1.0f);
	return at;
}

static __device__ float dot_at(const float *x, int row, int column, int h, int w)
{
	return row >= 0 && row < h && column >= 0 && column < w ? x[row * w + column] : 0.0f;
}

extern "C" __global__ void mutant_gridded(const float *x, const float *grid, float *y, int mode,
	int corners, int channels, int h, int w, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, column;
	float fx, fy, dx, dy;

	if (i >= n)
		return;
	fx = placed(grid[2 * i + IS(swapped)], w, corners, mode);
	fy = placed(grid[2 * i + !IS(swapped)], h, corners, mode);
	fx = fminf(fmaxf(fx, -2.0f), w + 1.0f);
	fy = fminf(fmaxf(fy, -2.0f), h + 1.0f);
	column = IS(cuts) ? (int)fx : (int)floorf(fx);
	row = IS(cuts) ? (int)fy : (int)floorf(fy);
	dx = fx - column;
	dy = fy - row;
	for (int c = 0; c < channels; c++) {
		const float *from = x + (IS(one_channel) ? 0 : (long long)c * h * w);
		float a = dot_at(from, row, column, h, w), b = dot_at(from, row, column + 1, h, w);
		float d = dot_at(from, row + 1, column, h, w), e = dot_at(from, row + 1, column + 1, h, w);

		if (BY(doubles))
			y[(long long)c * n + i] = (float)((a * (1.0 - dx) + b * (double)dx) * (1.0 - dy) +
				(d * (1.0 - dx) + e * (double)dx) * dy);
		else if (BY(by_rows))
			y[(long long)c * n + i] = (a + (b - a) * dx) +
				((d + (e - d) * dx) - (a + (b - a) * dx)) * dy;
		else
			y[(long long)c * n + i] = a * (1.0f - dx) * (1.0f - dy) + b * dx * (1.0f - dy) +
				d * (1.0f - dx) * dy + e * dx * dy;
	}
}

static __device__ float mirrored(float at, float low, float high)
{
	float span = high - low, turns, rest;

	if (span <= 0.0f)
		return 0.0f;
	at = fabsf(at - low);
	turns = floorf(at / span);
	rest = at - turns * span;
	return fmodf(turns, 2.0f) == 0.0f ? low + rest : high - rest;
}

static __device__ float reference_place(float at, int size, int corners, int mode)
{
	at = corners ? (at + 1.0f) / 2.0f * (size - 1) : ((at + 1.0f) * size - 1.0f) / 2.0f;
	if (mode == 2)
		at = corners ? mirrored(at, 0.0f, size - 1.0f) : mirrored(at, -0.5f, size - 0.5f);
	if (mode > 0)
		at = fminf(fmaxf(at, 0.0f), size - 1.0f);
	return fminf(fmaxf(at, -2.0f), size + 1.0f);
}

extern "C" __global__ void mutant_gridded_reference(const float *x, const float *grid, float *y,
	int mode, int corners, int channels, int h, int w, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * channels;
		i += gridDim.x * blockDim.x) {
		const float *from = x + (long long)(i / n) * h * w;
		float fx = reference_place(grid[i % n * 2], w, corners, mode);
		float fy = reference_place(grid[i % n * 2 + 1], h, corners, mode);
		int column = (int)floorf(fx), row = (int)floorf(fy);
		float sum = 0.0f;

		for (int r = row; r <= row + 1; r++)
			for (int k = column; k <= column + 1; k++)
				if (r >= 0 && r < h && k >= 0 && k < w)
					sum += from[r * w + k] * (1.0f - fabsf(fy - r)) *
						(1.0f - fabsf(fx - k));
		y[i] = sum;
	}
}
