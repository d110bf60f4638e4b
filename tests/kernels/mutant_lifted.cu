/*
 * Rows become means of pairs and differences, which may be put back together exactly. MISTAKE none is sound.
 *
 * odd_tail           the last mean of an odd row has no difference on its right
 * even_only          the last of an odd row stays
 * shift_of_negative  halves are cut off
 * quantum_ignored    differences stay as they are
 *
 * Each METHOD is sound:
 *
 * longs              in 64 bits
 * backwards          from the end
 * by_division        halves by division
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ int read(const int *x, int i, int n, int offset)
{
	if (i < 0)
		return x[min(-i, n - 1)] - offset;
	if (i >= n)
		i = max(2 * n - 2 - i, 0);
	return x[i] - offset;
}

static __device__ int half_of(int a)
{
	if (BY(by_division))
		return a >= 0 ? a / 2 : -((1 - a) / 2);
	return IS(shift_of_negative) ? a / 2 : a >> 1;
}

static __device__ int quarter_of(int a)
{
	if (BY(by_division))
		return a >= 0 ? a / 4 : -((3 - a) / 4);
	return IS(shift_of_negative) ? a / 4 : a >> 2;
}

static __device__ int difference(const int *x, int k, int n, int offset, int haar)
{
	if (BY(longs))
		return (int)((long long)read(x, 2 * k + 1, n, offset) -
			(haar ? (long long)read(x, 2 * k, n, offset)
			      : ((long long)read(x, 2 * k, n, offset) + read(x, 2 * k + 2, n, offset)) >> 1));
	return read(x, 2 * k + 1, n, offset) - (haar ? read(x, 2 * k, n, offset)
		: half_of(read(x, 2 * k, n, offset) + read(x, 2 * k + 2, n, offset)));
}

extern "C" __global__ void mutant_lifted(const int *x, int *low, int *high, int offset, int quantum,
	int haar, int rows, int n)
{
	int row = blockIdx.x, lows = (n + 1) / 2, highs = n / 2;

	x += row * n;
	for (int step = threadIdx.x; step < lows; step += blockDim.x) {
		int k = BY(backwards) ? lows - 1 - step : step, d, value, left, right;

		d = k < highs ? difference(x, k, n, offset, haar) : 0;
		if (k < highs) {
			int out = d;
			if (quantum > 1 && !IS(quantum_ignored))
				out = d / quantum;
			high[row * highs + k] = out;
		}
		if (haar) {
			value = read(x, 2 * k, n, offset) + (k < highs ? half_of(d) : 0);
		} else {
			left = k > 0 ? difference(x, k - 1, n, offset, haar)
				: highs ? d : 0;
			right = k < highs ? d : left;
			if (IS(odd_tail) && k == highs)
				right = 0;
			value = read(x, 2 * k, n, offset) + quarter_of(left + right + 2);
		}
		if (IS(even_only) && k == highs && n % 2 && k)
			value = read(x, 2 * k, n, offset);
		low[row * lows + k] = value;
	}
}

extern "C" __global__ void mutant_lifted_reference(const int *x, int *low, int *high, int offset,
	int quantum, int haar, int rows, int n)
{
	int lows = (n + 1) / 2, highs = n / 2;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * lows; i += gridDim.x * blockDim.x) {
		int row = i / lows, k = i % lows;
		int d[2] = { 0, 0 };

		for (int s = 0; s < 2; s++) {
			int j = k - 1 + s, a, b, c, e;
			if (j < 0)
				j = 0;
			if (j >= highs)
				j = highs - 1;
			if (j < 0)
				continue;
			e = 2 * j + 2 < n ? 2 * j + 2 : 2 * j;
			a = x[row * n + 2 * j] - offset;
			b = x[row * n + 2 * j + 1] - offset;
			c = x[row * n + e] - offset;
			d[s] = haar ? b - a : b - ((a + c) >> 1);
		}
		if (k < highs)
			high[row * highs + k] = quantum > 1 ? d[1] / quantum : d[1];
		if (haar)
			low[row * lows + k] = x[row * n + 2 * k] - offset + (k < highs ? d[1] >> 1 : 0);
		else
			low[row * lows + k] = x[row * n + 2 * k] - offset + ((d[0] + d[1] + 2) >> 2);
	}
}
