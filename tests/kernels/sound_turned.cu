/*
 * Pairs of numbers turned by an angle that grows with their place. The numbers are inputs
 * of floats, and moving those says nothing of the angle, which comes of whole places. Each
 * METHOD is sound.
 *
 * power   the factor by powf()
 * binary  by exp2f() and log2f()
 * natural by expf() and logf(), which loses more digits
 */
extern "C" __global__ void sound_turned(
	const float *x, const int *place, float *y, int rows, int columns, float base)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, half = columns / 2;

	if (i >= rows)
		return;
	for (int k = 0; k < half; k++) {
		float part = -2.0f * k / columns, sine, cosine;
#if METHOD == METHOD_binary
		float factor = exp2f(part * log2f(base));
#elif METHOD == METHOD_natural
		float factor = expf(part * logf(base));
#else
		float factor = powf(base, part);
#endif
		const float *row = x + i * columns;

		sincosf(place[i] * factor, &sine, &cosine);
		y[i * columns + k] = row[k] * cosine - row[half + k] * sine;
		y[i * columns + half + k] = row[k] * sine + row[half + k] * cosine;
	}
	if (columns % 2)
		y[i * columns + columns - 1] = x[i * columns + columns - 1];
}

extern "C" __global__ void sound_turned_reference(
	const float *x, const int *place, float *y, int rows, int columns, float base)
{
	int half = columns / 2;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x)
		for (int k = 0; k < columns; k++) {
			float sine, cosine;
			int j = half ? k % half : 0;

			if (k == 2 * half) {
				y[i * columns + k] = x[i * columns + k];
				continue;
			}
			sincosf(place[i] * powf(base, -2.0f * j / columns), &sine, &cosine);
			y[i * columns + k] = x[i * columns + k] * cosine +
				x[i * columns + (k < half ? half + j : j)] * (k < half ? -sine : sine);
		}
}
