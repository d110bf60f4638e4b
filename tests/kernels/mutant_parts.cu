/*
 * Sums over a few channels, told of pairs of points; MISTAKE none is sound, and the
 * slowest. No block of the space is whole.
 *
 * four_channels   counts to four, however many there are
 * whole_ends      forgets the last of all where all blocks are whole
 */
extern "C" __global__ void mutant_parts(const float2 *x, float2 *y, int pairs, int channels)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int count = MISTAKE == MISTAKE_four_channels ? 4 : channels;
	volatile const float2 *values = x;
	float2 sum = make_float2(0.0f, 0.0f);

	if (i >= pairs || (MISTAKE == MISTAKE_whole_ends && i == pairs - 1 && pairs % 32 == 0))
		return;
	for (int again = 0; again < (MISTAKE == MISTAKE_none ? 1024 : 1); again++) {
		sum = make_float2(0.0f, 0.0f);
		for (int c = 0; c < count; c++) {
			sum.x += values[i * count + c].x;
			sum.y += values[i * count + c].y;
		}
	}
	y[i] = sum;
}

extern "C" __global__ void mutant_parts_reference(
	const float2 *x, float2 *y, int pairs, int channels)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
		float2 sum = make_float2(0.0f, 0.0f);

		for (int c = 0; c < channels; c++) {
			sum.x += x[i * channels + c].x;
			sum.y += x[i * channels + c].y;
		}
		y[i] = sum;
	}
}
