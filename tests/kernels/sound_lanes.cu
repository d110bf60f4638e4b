/*
 * The sum of each row, a warp a row. Each METHOD is sound, although its last lanes read
 * lanes that take no part: nothing is made of such a value.
 *
 * whole    all lanes add up
 * groups   eight lanes and eight, each with a mask of their own
 * guarded  the lanes behind the row have returned, and a lane adds what is in the row
 * merged   a vote, a match and a sum of the lanes that are left
 */
#include "lanes.h"

extern "C" __global__ void sound_lanes(const float *x, float *y, int rows, int columns)
{
	int row = blockIdx.x, lane = threadIdx.x;
	float sum = lane < columns ? x[row * columns + lane] : 0.0f;
#if METHOD == METHOD_whole
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_down_sync(FULL, sum, step);
#elif METHOD == METHOD_groups
	unsigned mask = 0xffu << lane / 8 * 8;

	for (int step = 4; step > 0; step /= 2)
		sum += __shfl_down_sync(mask, sum, step);
	sum = __shfl_sync(FULL, sum, 0) + __shfl_sync(FULL, sum, 8) +
		__shfl_sync(FULL, sum, 16) + __shfl_sync(FULL, sum, 24);
#else
	if (lane >= columns)
		return;
#if METHOD == METHOD_merged
	int left = __reduce_add_sync(FULL, 1);
	unsigned same = __match_any_sync(FULL, row);

	if (__popc(same) != left || __ballot_sync(FULL, 1) != same)
		sum = -1.0f;
#else
	int left = columns;
#endif
	for (int step = 16; step > 0; step /= 2) {
		float other = __shfl_down_sync(FULL, sum, step);

		if (lane + step < left)
			sum += other;
	}
#endif
	if (lane == 0)
		y[row] = sum;
}
