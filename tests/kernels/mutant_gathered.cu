/*
 * Values of each row that places name, from the end where they are below 0; a number stands
 * for what is left out. MISTAKE none is sound.
 *
 * no_negative  takes the sign away
 * wraps_64     places in rows of 64
 * first_row    the places of the first row
 * clamped      below 0 is the first one
 * filler_zero  0 for what is left out
 * last_only    of what is below 0 the last one
 *
 * Each METHOD is sound:
 *
 * backwards    from the end
 * modulo       by a remainder
 * row_by_row   in place of element by element
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_gathered(const float *x, const int *place, const int *keep,
	float *y, float filler, int rows, int columns, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, at;

	if (i >= rows * count)
		return;
	if (BY(backwards))
		i = rows * count - 1 - i;
	if (BY(row_by_row))
		i = i % rows * count + i / rows;
	row = i / count;
	at = place[IS(first_row) ? i % count : i];
	if (IS(no_negative))
		at = at < 0 ? -1 - at : at;
	else if (IS(wraps_64))
		at = at < 0 ? at + 64 : at;
	else if (IS(clamped))
		at = max(at, 0);
	else if (IS(last_only))
		at = at < 0 ? columns - 1 : at;
	else if (BY(modulo))
		at = (at + columns) % columns;
	else
		at += at < 0 ? columns : 0;
	at = min(max(at, 0), columns - 1);
	y[i] = keep[i] ? x[(long long)row * columns + at] : IS(filler_zero) ? 0.0f : filler;
}

extern "C" __global__ void mutant_gathered_reference(const float *x, const int *place,
	const int *keep, float *y, float filler, int rows, int columns, int count)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * count;
		i += gridDim.x * blockDim.x) {
		int at = place[i];

		y[i] = keep[i] ? x[(long long)(i / count) * columns + (at < 0 ? at + columns : at)]
			       : filler;
	}
}
