/*
 * Cells that are born and live on by how many of eight neighbours live, on a field
 * whose ends meet; how many were born. MISTAKE none is sound.
 *
 * no_wrap       nothing lives beyond the ends
 * lives_folded  two or three live on
 * itself        counts itself
 * square        takes rows for columns
 * all_live      counts those that live
 * in_four       four neighbours
 * wrap_one_way  the ends meet in a row alone
 *
 * Each METHOD is sound:
 *
 * by_columns    sums of columns
 * by_set        by bits of sums
 * one_thread    the first thread does all
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ int next_of(
	const unsigned char *cells, int born, int lives, int w, int h, int i)
{
	int x = IS(square) ? i % h : i % w, y = IS(square) ? i / h : i / w, sum = 0;

	if (BY(by_columns)) {
		for (int dx = -1; dx <= 1; dx++) {
			const unsigned char *column = cells + (x + dx + w) % w;

			sum += column[(y + h - 1) % h * w] + column[y * w] +
			       column[(y + 1) % h * w];
		}
		sum -= cells[i];
		return (cells[i] ? lives : born) >> sum & 1;
	}
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++) {
			int nx = (x + dx + w) % w, ny = (y + dy + h) % h;

			if (!dx && !dy && !IS(itself))
				continue;
			if (IS(in_four) && dx && dy)
				continue;
			if (IS(no_wrap) && (nx != x + dx || ny != y + dy))
				continue;
			if (IS(wrap_one_way) && ny != y + dy)
				continue;
			if (ny * w + nx < w * h)
				sum += cells[ny * w + nx];
		}
	if (IS(lives_folded))
		lives = 12;
	if (BY(by_set))
		return ((1 << sum) & (cells[i] ? lives : born)) != 0;
	return (cells[i] ? lives : born) >> sum & 1;
}

extern "C" __global__ void mutant_generations(const unsigned char *cells,
	unsigned char *next, unsigned *count, int born, int lives, int w, int h)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (BY(one_thread)) {
		for (int k = 0; i == 0 && k < w * h; k++) {
			next[k] = next_of(cells, born, lives, w, h, k);
			*count += next[k] && !cells[k];
		}
		return;
	}
	if (i >= w * h)
		return;
	next[i] = next_of(cells, born, lives, w, h, i);
	if (next[i] && (!cells[i] || IS(all_live)))
		atomicAdd(count, 1u);
}

extern "C" __global__ void mutant_generations_reference(const unsigned char *cells,
	unsigned char *next, unsigned *count, int born, int lives, int w, int h)
{
	if (blockIdx.x || threadIdx.x)
		return;
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++) {
			int sum = 0;

			for (int k = 0; k < 9; k++)
				if (k != 4)
					sum += cells[(y + k / 3 - 1 + h) % h * w +
						     (x + k % 3 - 1 + w) % w];
			next[y * w + x] =
				((cells[y * w + x] ? lives : born) & 1 << sum) != 0;
			*count += next[y * w + x] && !cells[y * w + x];
		}
}
