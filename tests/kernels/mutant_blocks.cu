/*
 * Rows of blocks with a list of where they begin, times a few columns; added to a part of
 * what is there. MISTAKE none is sound.
 *
 * even          rows have as many blocks as the first one
 * blocks_4      blocks of four
 * turned        blocks the other way round
 * sets          does not add to what is there
 * keeps_empty   leaves rows without blocks as they were
 * eight_blocks  eight blocks of a row
 * last_of_same  of blocks in one place the last one
 *
 * Each METHOD is sound:
 *
 * backwards     from the last block
 * doubles       adds up in double
 * blocks_apart  block by block
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_blocks(const int *first, const int *place, const float *value,
	const float *x, float *y, float alpha, float beta, int rows, int size, int columns)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, inner, column, begin, end;
	int width = IS(blocks_4) ? min(size, 4) : size;
	float sum = 0.0f;
	double exact = 0.0;

	if (i >= rows * size * columns)
		return;
	row = i / columns / size;
	inner = i / columns % size;
	column = i % columns;
	begin = first[row];
	end = first[row + 1];
	if (IS(even)) {
		begin = min(first[1] * row, first[rows]);
		end = min(begin + first[1], first[rows]);
	}
	if (IS(keeps_empty) && begin == end)
		return;
	if (IS(eight_blocks))
		end = min(end, begin + 8);
	for (int step = begin; step < end; step++) {
		int k = BY(backwards) ? end - 1 - (step - begin) : step;
		float part = 0.0f;

		if (IS(last_of_same) && k + 1 < end && place[k] == place[k + 1])
			continue;
		for (int j = 0; j < width; j++) {
			float factor = value[((long long)k * size + (IS(turned) ? j : inner)) * size +
				(IS(turned) ? inner : j)];
			float other = x[((long long)place[k] * size + j) * columns + column];

			if (BY(doubles))
				exact += (double)factor * other;
			else if (BY(blocks_apart))
				part += factor * other;
			else
				sum += factor * other;
		}
		sum += part;
	}
	if (BY(doubles))
		sum = (float)exact;
	y[i] = IS(sets) ? alpha * sum : alpha * sum + beta * y[i];
}

extern "C" __global__ void mutant_blocks_reference(const int *first, const int *place,
	const float *value, const float *x, float *y, float alpha, float beta, int rows, int size,
	int columns)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * size * columns;
		i += gridDim.x * blockDim.x) {
		int row = i / columns / size, inner = i / columns % size;
		float sum = 0.0f;

		for (int k = first[row]; k < first[row + 1]; k++)
			for (int j = 0; j < size; j++)
				sum += value[((long long)k * size + inner) * size + j] *
					x[((long long)place[k] * size + j) * columns + i % columns];
		y[i] = alpha * sum + beta * y[i];
	}
}
