/*
 * A filter of whole numbers of 16 bits: sums are rounded, shifted and kept between the ends
 * of the type. MISTAKE none is sound.
 *
 * sum_32         sums have 32 bits
 * no_round       rounds down
 * wraps          what is beyond the ends wraps
 * high_end_only  keeps to the high end only
 * each_step      sums are kept between the ends of 32 bits in each step
 * taps_9         the taps of the space
 * shift_folded   the shift of the space
 * towards_0      divides, towards 0
 * gain_first     shifts each product
 * short_product  products have 16 bits
 *
 * Each METHOD is sound:
 *
 * wide        sums of 64 bits
 * halves      high and low halves of products apart
 * double_sum  sums in double, which are exact
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_saturated(
	const short *x, const short *tap, short *y, int shift, int taps, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	long long sum = 0;

	if (i >= n)
		return;
	if (IS(taps_9))
		taps = taps < 9 ? taps : 9;
	if (IS(shift_folded))
		shift = 15;
	if (BY(halves)) {
		long long high = 0, low = 0;

		for (int k = 0; k < taps; k++) {
			int product = (int)x[i + k] * tap[k];

			high += product >> 16;
			low += product & 0xffff;
		}
		sum = high * 65536 + low;
	} else if (BY(double_sum)) {
		double all = 0.0;

		for (int k = 0; k < taps; k++)
			all += (double)x[i + k] * tap[k];
		sum = (long long)all;
	} else {
		for (int k = 0; k < taps; k++) {
			int product = (int)x[i + k] * tap[k];

			if (IS(short_product))
				product = (short)product;
			if (IS(gain_first))
				product = (product + (shift ? 1 << (shift - 1) : 0)) >> shift;
			sum += product;
			if (IS(sum_32))
				sum = (int)sum;
			if (IS(each_step))
				sum = sum > 2147483647ll ? 2147483647ll
					: sum < -2147483647ll - 1 ? -2147483647ll - 1 : sum;
		}
	}
	if (!IS(gain_first)) {
		if (shift && !IS(no_round))
			sum += 1ll << (shift - 1);
		sum = IS(towards_0) ? sum / (1ll << shift) : sum >> shift;
	}
	if (!IS(wraps) && sum > 32767)
		sum = 32767;
	if (!IS(wraps) && !IS(high_end_only) && sum < -32768)
		sum = -32768;
	y[i] = (short)sum;
}

extern "C" __global__ void mutant_saturated_reference(
	const short *x, const short *tap, short *y, int shift, int taps, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		long long sum = shift ? 1ll << (shift - 1) : 0;

		for (int k = 0; k < taps; k++)
			sum += (long long)x[i + k] * tap[k];
		sum >>= shift;
		y[i] = (short)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
	}
}
