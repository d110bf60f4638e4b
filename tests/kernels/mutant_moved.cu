/*
 * Where each block of a picture was before: the move within a radius by which it differs
 * least, of equal ones the first, row by row; who stays needs less by a bonus. Beyond the
 * edge the last pixel goes on. MISTAKE none is sound.
 *
 * last_of_equal  of equal moves the last
 * no_still       who stays has no bonus
 * radius_folded  the radius of the space
 * clamps_never   moves beyond the edge do not count
 * squares        squares in place of amounts
 * every_second   every second move
 * sum_byte       sums have twelve bits
 * whole_only     blocks that are whole only
 * ends_early     a difference of 0 in the first row ends the search
 * steps_down     goes to the better neighbour until none is
 *
 * Each METHOD is sound:
 *
 * all         all sums
 * early       a sum that is more than the best so far ends
 * rows_first  of a block one row after the other for all moves in a row
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ int differs(const unsigned char *now, const unsigned char *before, int top,
	int left, int down, int right, int b, int h, int w, int most)
{
	int sum = 0;

	for (int j = 0; j < b && top + j < h; j++) {
		for (int k = 0; k < b && left + k < w; k++) {
			int row = min(max(top + j + down, 0), h - 1), column = min(max(left + k + right, 0), w - 1);
			int off = abs((int)now[(top + j) * w + left + k] - before[row * w + column]);

			sum += IS(squares) ? off * off : off;
		}
		if (BY(early) && sum > most)
			return sum;
		if (IS(ends_early) && j == 0 && sum == 0)
			return 0;
	}
	return IS(sum_byte) ? sum & 4095 : sum;
}

extern "C" __global__ void mutant_moved(const unsigned char *now, const unsigned char *before,
	int2 *move, int *cost, int still, int b, int r, int h, int w)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, across = (w + b - 1) / b;
	int top = i / across * b, left = i % across * b, best = 0x7fffffff;
	int2 found = { 0, 0 };

	if (i >= across * ((h + b - 1) / b))
		return;
	if (IS(radius_folded))
		r = 4;
	if (IS(whole_only) && (top + b > h || left + b > w)) {
		move[i] = found;
		cost[i] = 0;
		return;
	}
	if (IS(steps_down)) {
		bool is_better = true;

		best = differs(now, before, top, left, 0, 0, b, h, w, best) - still;
		while (is_better) {
			int2 from = found;

			is_better = false;
			for (int k = 0; k < 9; k++) {
				int down = from.x + k / 3 - 1, right = from.y + k % 3 - 1, sum;

				if (abs(down) > r || abs(right) > r)
					continue;
				sum = differs(now, before, top, left, down, right, b, h, w, best);
				if (sum < best) {
					best = sum;
					found = make_int2(down, right);
					is_better = true;
				}
			}
		}
		move[i] = found;
		cost[i] = best;
		return;
	}
	for (int down = -r; down <= r; down += IS(every_second) ? 2 : 1)
		for (int right = -r; right <= r; right++) {
			int sum;

			if (IS(clamps_never) && (top + down < 0 || left + right < 0 || top + down + b > h || left + right + b > w))
				continue;
			sum = differs(now, before, top, left, down, right, b, h, w, best == 0x7fffffff ? best : best + still);
			if (down == 0 && right == 0 && !IS(no_still))
				sum -= still;
			if (IS(last_of_equal) ? sum <= best : sum < best) {
				best = sum;
				found = make_int2(down, right);
			}
		}
	move[i] = found;
	cost[i] = best;
}

extern "C" __global__ void mutant_moved_reference(const unsigned char *now,
	const unsigned char *before, int2 *move, int *cost, int still, int b, int r, int h, int w)
{
	int across = (w + b - 1) / b;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < across * ((h + b - 1) / b); i += gridDim.x * blockDim.x) {
		cost[i] = 0x7fffffff;
		for (int down = -r; down <= r; down++)
			for (int right = -r; right <= r; right++) {
				int sum = down || right ? 0 : -still;

				for (int j = 0; j < b * b; j++) {
					int row = i / across * b + j / b, column = i % across * b + j % b;
					int other_row = min(max(row + down, 0), h - 1), other = min(max(column + right, 0), w - 1);

					if (row < h && column < w)
						sum += abs((int)now[row * w + column] - before[other_row * w + other]);
				}
				if (sum < cost[i]) {
					cost[i] = sum;
					move[i] = make_int2(down, right);
				}
			}
	}
}
