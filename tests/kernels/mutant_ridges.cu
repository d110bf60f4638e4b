/*
 * Where a picture changes most, across the change, and at least by a limit; the outermost
 * pixels have no edges. MISTAKE none is sound.
 *
 * both_equal      what equals the next one does not count either
 * edges_too       the outermost pixels have edges
 * slopes_swapped  the slopes of both diagonals
 * by_amounts      the larger of both changes in place of their sum
 * across_only     looks to the left and right only
 * limit_folded    the limit of the space
 * above_limit     above the limit
 * square          as wide as high
 * four_ways       ways end at half a diagonal in place of 5 of 12
 * signed_ways     both diagonals are one
 *
 * Each METHOD is sound:
 *
 * direct  all from the picture
 * tiled   changes in shared memory where they are there
 * kept    changes of the pixel itself are kept
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ int pixel(const unsigned char *x, int row, int column, int h, int w)
{
	return x[min(max(row, 0), h - 1) * w + min(max(column, 0), w - 1)];
}

static __device__ int change(const unsigned char *x, int row, int column, int h, int w, int *across, int *down)
{
	int a = 0, d = 0;

	for (int k = -1; k <= 1; k++) {
		int weight = k ? 1 : 2;

		a += weight * (pixel(x, row + k, column + 1, h, w) - pixel(x, row + k, column - 1, h, w));
		d += weight * (pixel(x, row + 1, column + k, h, w) - pixel(x, row - 1, column + k, h, w));
	}
	*across = a;
	*down = d;
	return IS(by_amounts) ? max(abs(a), abs(d)) : abs(a) + abs(d);
}

extern "C" __global__ void mutant_ridges(const unsigned char *x, unsigned char *y, int limit, int h, int w)
{
	__shared__ int near[66];
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, column, across = 0, down = 0;
	int other_across, other_down, own = 0, step_row, step_column, ahead, behind;

	if (IS(square))
		h = w;
	if (IS(limit_folded))
		limit = 150;
	row = i / w;
	column = i % w;
	if (i < h * w)
		own = change(x, row, column, h, w, &across, &down);
	near[threadIdx.x] = own;
	__syncthreads();
	if (i >= h * w)
		return;
	if (!IS(edges_too) && (row == 0 || column == 0 || row == h - 1 || column == w - 1)) {
		y[i] = 0;
		return;
	}
	if (12 * abs(down) < (IS(four_ways) ? 6 : 5) * abs(across) || IS(across_only)) {
		step_row = 0;
		step_column = 1;
	} else if (12 * abs(across) < (IS(four_ways) ? 6 : 5) * abs(down)) {
		step_row = 1;
		step_column = 0;
	} else {
		bool is_same = IS(signed_ways) || (across < 0) == (down < 0);

		if (IS(slopes_swapped))
			is_same = !is_same;
		step_row = 1;
		step_column = is_same ? 1 : -1;
	}
	if (BY(tiled) && step_row == 0 && threadIdx.x > 0 && threadIdx.x < 63) {
		ahead = near[threadIdx.x - 1];
		behind = near[threadIdx.x + 1];
	} else {
		ahead = change(x, row - step_row, column - step_column, h, w, &other_across, &other_down);
		behind = change(x, row + step_row, column + step_column, h, w, &other_across, &other_down);
	}
	y[i] = (IS(above_limit) ? own > limit : own >= limit) && own > ahead &&
		(IS(both_equal) ? own > behind : own >= behind);
}

extern "C" __global__ void mutant_ridges_reference(
	const unsigned char *x, unsigned char *y, int limit, int h, int w)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < h * w; i += gridDim.x * blockDim.x) {
		int row = i / w, column = i % w, across, down, own, r = 1, c, other, another;

		y[i] = 0;
		if (row == 0 || column == 0 || row == h - 1 || column == w - 1)
			continue;
		own = change(x, row, column, h, w, &across, &down);
		c = (across < 0) == (down < 0) ? 1 : -1;
		if (12 * abs(down) < 5 * abs(across)) {
			r = 0;
			c = 1;
		} else if (12 * abs(across) < 5 * abs(down)) {
			c = 0;
		}
		y[i] = own >= limit && own > change(x, row - r, column - c, h, w, &other, &another) &&
			own >= change(x, row + r, column + c, h, w, &other, &another);
	}
}
