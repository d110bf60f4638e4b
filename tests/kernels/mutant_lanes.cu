/*
 * The sum of each row, a warp a row, whose lanes behind the row have no value.
 *
 * outside    the lanes that have a value add up among themselves, in the usual loop
 *            from 16 down: they read lanes that their mask lacks
 * ended      the lanes behind the row have returned, and all the others read them
 * lacks_self  the last lane of the row calls with a mask of the lanes ahead of it
 */
#include "lanes.h"

extern "C" __global__ void mutant_lanes(const float *x, float *y, int rows, int columns)
{
	int row = blockIdx.x, lane = threadIdx.x;
	float sum = lane < columns ? x[row * columns + lane] : 0.0f;
#if MISTAKE == MISTAKE_outside
	unsigned mask = __ballot_sync(FULL, lane < columns);

	if (lane < columns)
		for (int step = 16; step > 0; step /= 2)
			sum += __shfl_down_sync(mask, sum, step);
#elif MISTAKE == MISTAKE_ended
	if (lane >= columns)
		return;
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_down_sync(FULL, sum, step);
#else
#if MISTAKE == MISTAKE_lacks_self
	if (__any_sync(FULL >> (32 - columns) >> 1, sum != 0.0f) && lane >= columns)
		sum = 0.0f;
#endif
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_down_sync(FULL, sum, step);
#endif
	if (lane == 0)
		y[row] = sum;
}
