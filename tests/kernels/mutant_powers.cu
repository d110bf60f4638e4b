/*
 * Powers modulo a number. MISTAKE none is sound.
 *
 * low_base        the low half of a base
 * signed_base     takes a base for signed
 * few_bits        sixteen bits of an exponent
 * modulus_folded  the modulus of the space
 * no_reduce       does not reduce the base first
 * zero_power      0 to the power of 0 is 0
 * product_64      products in 64 bits
 *
 * Each METHOD is sound:
 *
 * upwards         from the lowest bit
 * downwards       from the highest bit
 * wide            by the 128 bits of a product
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ unsigned long long product(
	unsigned long long a, unsigned long long b, unsigned long long m)
{
	unsigned long long sum = 0;

	if (IS(product_64))
		return a * b % m;
	if (BY(wide)) {
		unsigned long long low = a * b;

		sum = __umul64hi(a, b) % m;
		for (int bit = 63; bit >= 0; bit--) {
			sum = sum >= m - sum ? sum - (m - sum) : sum + sum;
			if (low >> bit & 1)
				sum = sum == m - 1 ? 0 : sum + 1;
		}
		return sum;
	}
	while (b) {
		if (b & 1)
			sum = sum >= m - a ? sum - (m - a) : sum + a;
		a = a >= m - a ? a - (m - a) : a + a;
		b >>= 1;
	}
	return sum;
}

extern "C" __global__ void mutant_powers(const unsigned long long *base,
	const unsigned *exponent, unsigned long long *y, unsigned long long modulus,
	int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned long long x, result;
	unsigned e;

	if (i >= n)
		return;
	if (IS(modulus_folded))
		modulus = 1000000007ull;
	x = base[i];
	e = exponent[i];
	if (IS(low_base))
		x = (unsigned)x;
	if (IS(signed_base))
		x = (unsigned long long)(((long long)x % (long long)modulus +
						 (long long)modulus) %
					 (long long)modulus);
	if (IS(few_bits))
		e &= 0xffff;
	if (!IS(no_reduce))
		x %= modulus;
	else if (x >= modulus)
		x -= modulus;
	result = 1 % modulus;
	if (IS(zero_power) && x == 0) {
		y[i] = 0;
		return;
	}
	if (BY(downwards)) {
		for (int bit = 31; bit >= 0; bit--) {
			result = product(result, result, modulus);
			if (e >> bit & 1)
				result = product(result, x, modulus);
		}
	} else {
		for (; e; e >>= 1) {
			if (e & 1)
				result = product(result, x, modulus);
			x = product(x, x, modulus);
		}
	}
	y[i] = result;
}

/* a * b modulo m, both below m */
static __device__ unsigned long long reference_product(
	unsigned long long a, unsigned long long b, unsigned long long m)
{
	unsigned long long sum = 0;

	for (int bit = 63; bit >= 0; bit--) {
		sum = sum >= m - sum ? sum - (m - sum) : sum + sum;
		if (b >> bit & 1)
			sum = sum >= m - a ? sum - (m - a) : sum + a;
	}
	return sum;
}

extern "C" __global__ void mutant_powers_reference(const unsigned long long *base,
	const unsigned *exponent, unsigned long long *y, unsigned long long modulus,
	int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		unsigned long long x = base[i] % modulus, result = 1 % modulus;

		for (unsigned e = exponent[i]; e; e >>= 1) {
			if (e & 1)
				result = reference_product(result, x, modulus);
			x = reference_product(x, x, modulus);
		}
		y[i] = result;
	}
}
