/*
 * Quotients rounded down and rests from 0 on, means rounded down, and roots of magnitudes.
 * MISTAKE none is sound.
 *
 * by_inverse      times the inverse as a float
 * to_zero         quotients towards 0
 * rest_signed     rests have the sign of the number
 * shifts          the divisor is taken for a power of two
 * mean_overflows  sums of 32 bits
 * mean_to_zero    means towards 0
 * root_in_float   roots of floats
 * divisor_folded  the divisor of the space
 * root_byte       roots have 15 bits
 * half_mean       halves are added
 *
 * Each METHOD is sound:
 *
 * plain    64 bits where it needs them
 * doubles  in double, which is exact
 * steps    bit by bit
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_quotients(const int *a, const int *b, int *quotient, int *rest,
	int *mean, int *root, int divisor, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, q, r, m;
	unsigned size, s;
	long long sum;

	if (i >= n)
		return;
	if (IS(divisor_folded))
		divisor = 7;
	q = a[i] / divisor;
	if (IS(by_inverse))
		q = (int)(a[i] * (1.0f / divisor));
	if (IS(shifts))
		q = a[i] >> (31 - __clz(divisor));
	if (BY(doubles))
		q = (int)floor((double)a[i] / divisor);
	r = a[i] - q * divisor;
	if (r < 0 && !IS(shifts)) {
		q -= !IS(to_zero);
		r += IS(rest_signed) ? 0 : divisor;
	}
	quotient[i] = q;
	rest[i] = r;
	sum = (long long)a[i] + b[i];
	m = IS(mean_overflows) ? (a[i] + b[i]) >> 1
		: IS(mean_to_zero) ? (int)(sum / 2)
		: IS(half_mean) ? (a[i] >> 1) + (b[i] >> 1)
		: BY(steps) ? (a[i] & b[i]) + ((a[i] ^ b[i]) >> 1)
				: (int)(sum >> 1);
	mean[i] = m;
	size = (unsigned)(a[i] < 0 ? -(long long)a[i] : a[i]);
	if (BY(steps)) {
		s = 0;
		for (unsigned bit = 1u << 15; bit; bit >>= 1)
			if ((s | bit) * (unsigned long long)(s | bit) <= size)
				s |= bit;
	} else if (IS(root_in_float)) {
		s = (unsigned)sqrtf((float)size);
	} else {
		s = (unsigned)sqrt((double)size);
	}
	root[i] = IS(root_byte) ? (int)(s & 0x7fff) : (int)s;
}

extern "C" __global__ void mutant_quotients_reference(const int *a, const int *b, int *quotient,
	int *rest, int *mean, int *root, int divisor, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		long long s = 0, size = a[i] < 0 ? -(long long)a[i] : a[i];

		rest[i] = (a[i] % divisor + divisor) % divisor;
		quotient[i] = (int)(((long long)a[i] - rest[i]) / divisor);
		mean[i] = (int)(((long long)a[i] + b[i]) >> 1);
		for (long long bit = 1 << 16; bit; bit >>= 1)
			if ((s + bit) * (s + bit) <= size)
				s += bit;
		root[i] = (int)s;
	}
}
