/*
 * Softmax of rows, and where each row is largest (the first place of several); MISTAKE
 * none is sound.
 *
 * unsafe          does not subtract the row's largest value ahead of exp()
 * unsafe_by_first subtracts the row's first value instead
 * largest_from_zero  looks for the largest value from 0 on
 * last_of_equals  gives the last place of several
 * stops_early     takes the first value for the largest that is so near the upper end of
 *                 what there is that hardly any row has two of the kind
 * first_in_lane   forgets that another lane may have the same value at an earlier place
 */
#define FULL 0xffffffffu

extern "C" __global__ void mutant_softmax(const float *x, float *y, int *places, int rows,
	int columns)
{
	int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
	const float *values = x + (long long)row * columns;
	float *results = y + (long long)row * columns;
	float most = -3.4e38f, sum = 0.0f, shift;
	int place = columns;

	if (row >= rows)
		return;
#if MISTAKE == MISTAKE_largest_from_zero
	most = 0.0f;
	place = 0;
#endif
	for (int i = lane; i < columns; i += 32) {
		bool is_larger = values[i] > most;

#if MISTAKE == MISTAKE_last_of_equals
		is_larger = values[i] >= most;
#endif
		if (is_larger) {
			most = values[i];
			place = i;
		}
	}
	for (int step = 16; step > 0; step /= 2) {
		float other = __shfl_xor_sync(FULL, most, step);
		int other_place = __shfl_xor_sync(FULL, place, step);
		bool is_other = other > most || (other == most && other_place < place);

#if MISTAKE == MISTAKE_last_of_equals
		is_other = other > most || (other == most && other_place > place);
#elif MISTAKE == MISTAKE_first_in_lane
		is_other = other > most;
#endif
		if (is_other) {
			most = other;
			place = other_place;
		}
	}
#if MISTAKE == MISTAKE_stops_early
	for (int i = columns - 1; i >= 0; i--)
		if (values[i] > 84.92f)
			place = i;
#endif
	shift = most;
#if MISTAKE == MISTAKE_unsafe
	shift = 0.0f;
#elif MISTAKE == MISTAKE_unsafe_by_first
	shift = values[0];
#endif
	for (int i = lane; i < columns; i += 32)
		sum += expf(values[i] - shift);
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_xor_sync(FULL, sum, step);
	for (int i = lane; i < columns; i += 32)
		results[i] = expf(values[i] - shift) / sum;
	if (lane == 0)
		places[row] = place;
}

extern "C" __global__ void mutant_softmax_reference(const float *x, float *y, int *places,
	int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		const float *values = x + (long long)row * columns;
		double sum = 0.0;
		int place = 0;

		for (int i = 1; i < columns; i++)
			if (values[i] > values[place])
				place = i;
		for (int i = 0; i < columns; i++)
			sum += exp((double)values[i] - values[place]);
		for (int i = 0; i < columns; i++)
			y[(long long)row * columns + i] =
				(float)(exp((double)values[i] - values[place]) / sum);
		places[row] = place;
	}
}
