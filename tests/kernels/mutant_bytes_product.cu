/*
 * A product of bytes with zeros of their own, scaled by column, rounded, cut to a byte.
 * MISTAKE none is sound.
 *
 * zero_folded     the zero of the space
 * no_column_zero  columns have no zero
 * sum_16          sums in 16 bits
 * symmetric       from -127 on
 * cuts            cuts off
 * one_scale       the scale of the first column
 * never_below     nothing below the zero, always
 * fours           whole fours of the depth
 *
 * Each METHOD is sound:
 *
 * sums_first      zeros by sums of rows and columns
 * backwards       from the end
 * by_fours        four at a time, and the rest
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_bytes_product(const signed char *a, const signed char *b,
	const int *bias, const float *scale, const int *zero_b, signed char *out, int zero_a,
	int zero_out, int relu, int m, int n, int depth)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, column, sum, zb, low;
	float real;

	if (i >= m * n)
		return;
	row = i / n;
	column = i % n;
	a += (long long)row * depth;
	b += (long long)column * depth;
	sum = bias[column];
	zb = IS(no_column_zero) ? 0 : zero_b[column];
	if (IS(zero_folded))
		zero_a = 3;
	if (BY(sums_first)) {
		int sum_a = 0, sum_b = 0;

		for (int k = 0; k < depth; k++) {
			sum += a[k] * b[k];
			sum_a += a[k];
			sum_b += b[k];
		}
		sum += depth * zero_a * zb - zero_a * sum_b - zb * sum_a;
	} else if (BY(by_fours)) {
		int k = 0;

		for (; k + 4 <= depth; k += 4)
			sum += (a[k] - zero_a) * (b[k] - zb) + (a[k + 1] - zero_a) * (b[k + 1] - zb) +
				(a[k + 2] - zero_a) * (b[k + 2] - zb) +
				(a[k + 3] - zero_a) * (b[k + 3] - zb);
		for (; k < depth; k++)
			sum += (a[k] - zero_a) * (b[k] - zb);
	} else {
		for (int step = 0; step < (IS(fours) ? depth & ~3 : depth); step++) {
			int k = BY(backwards) ? depth - 1 - step : step;

			sum += (a[k] - zero_a) * (b[k] - zb);
		}
	}
	if (IS(sum_16))
		sum = (short)sum;
	real = sum * scale[IS(one_scale) ? 0 : column];
	sum = (IS(cuts) ? (int)real : (int)rintf(real)) + zero_out;
	low = relu || IS(never_below) ? zero_out : IS(symmetric) ? -127 : -128;
	out[i] = (signed char)min(127, max(low, sum));
}

extern "C" __global__ void mutant_bytes_product_reference(const signed char *a,
	const signed char *b, const int *bias, const float *scale, const int *zero_b,
	signed char *out, int zero_a, int zero_out, int relu, int m, int n, int depth)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n; i += gridDim.x * blockDim.x) {
		int sum = bias[i % n], low = relu ? zero_out : -128;

		for (int k = 0; k < depth; k++)
			sum += (a[(long long)(i / n) * depth + k] - zero_a) *
				(b[(long long)(i % n) * depth + k] - zero_b[i % n]);
		sum = (int)rintf(sum * scale[i % n]) + zero_out;
		out[i] = (signed char)(sum < low ? low : sum > 127 ? 127 : sum);
	}
}
