/*
 * A filter of 16-bit samples with fixed-point coefficients, rounded and clipped; MISTAKE
 * none is sound.
 *
 * half_down     rounds halves the other way below 0
 * truncates     divides in place of shifting, which below 0 goes towards 0
 * no_clip       what is beyond 16 bits wraps around
 * narrow_sum    adds up in 24 bits
 * shift_folded  has the shift of the space as a number
 * symmetric     takes the second half of the coefficients for the first one mirrored
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)

extern "C" __global__ void mutant_filter(
	const short *x, const short *taps, short *y, int n, int count, int shift)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, by = IS(shift_folded) ? 7 : shift;
	long long sum = 0;

	if (i >= n)
		return;
	for (int k = 0; k < count && k <= i; k++) {
		int tap = taps[IS(symmetric) && k > count / 2 ? count - 1 - k : k];

		sum += (long long)tap * x[i - k];
	}
	if (IS(narrow_sum))
		sum = (int)((unsigned)sum << 8) >> 8;
	sum += (1LL << by >> 1) - (IS(half_down) && sum < 0);
	sum = IS(truncates) ? sum / (1LL << by) : sum >> by;
	if (!IS(no_clip))
		sum = sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum;
	y[i] = (short)sum;
}

extern "C" __global__ void mutant_filter_reference(
	const short *x, const short *taps, short *y, int n, int count, int shift)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		long long sum = 1LL << shift >> 1;

		for (int k = 0; k < count && k <= i; k++)
			sum += (long long)taps[k] * x[i - k];
		sum >>= shift;
		y[i] = (short)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
	}
}
