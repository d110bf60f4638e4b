/*
 * Parities of pieces of data, in the field of bytes. MISTAKE none is sound.
 *
 * zero_is_1         products by logarithms; 0 has that of 1
 * logs_folded       sums of logarithms lose their ninth bit
 * other_polynomial  reduces by another polynomial
 * added             sums in place of exclusive ors
 * six_pieces        the pieces of the space
 * three_parities    the parities of the space
 * first_row         factors of the first parity
 * no_top            loses what goes beyond the byte
 * factor_zero_only  looks for 0 in factors only
 *
 * Each METHOD is sound:
 *
 * peasant    doubles and adds
 * logs       logarithms in shared memory
 * carryless  the product first, then its remainder
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif
#define HAS_LOGS (BY(logs) || IS(zero_is_1) || IS(logs_folded) || IS(factor_zero_only))

static __device__ unsigned times(unsigned a, unsigned b)
{
	unsigned product = 0;

	if (BY(carryless)) {
		for (int k = 0; k < 8; k++)
			if (b >> k & 1)
				product ^= a << k;
		for (int k = 14; k >= 8; k--)
			if (product >> k & 1)
				product ^= 0x11du << (k - 8);
		return product;
	}
	for (; b; b >>= 1) {
		if (b & 1)
			product ^= a;
		a <<= 1;
		if (a & 256)
			a ^= IS(other_polynomial) ? 0x11b : IS(no_top) ? 0x100 : 0x11d;
	}
	return product;
}

extern "C" __global__ void mutant_parities(const unsigned char *matrix, const unsigned char *data,
	unsigned char *parity, int pieces, int parities, int n)
{
	__shared__ unsigned char to_log[256], from_log[256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (HAS_LOGS) {
		if (threadIdx.x == 0) {
			unsigned power = 1;

			to_log[0] = 0;
			for (int k = 0; k < 255; k++) {
				from_log[k] = power;
				to_log[power] = k;
				power = power << 1 ^ (power >> 7) * 0x11d;
			}
			from_log[255] = 1;
		}
		__syncthreads();
	}
	if (i >= n)
		return;
	if (IS(six_pieces))
		pieces = pieces < 6 ? pieces : 6;
	if (IS(three_parities))
		parities = parities < 3 ? parities : 3;
	for (int row = 0; row < parities; row++) {
		unsigned sum = 0;

		for (int k = 0; k < pieces; k++) {
			unsigned factor = matrix[(IS(first_row) ? 0 : row) * pieces + k];
			unsigned value = data[(size_t)k * n + i], product;

			if (HAS_LOGS) {
				int log = to_log[factor] + to_log[value];

				log = IS(logs_folded) ? log & 255 : log % 255;
				product = from_log[log];
				if (!IS(zero_is_1) && (factor == 0 || (value == 0 && !IS(factor_zero_only))))
					product = 0;
			} else {
				product = times(factor, value);
			}
			if (IS(added))
				sum += product;
			else
				sum ^= product;
		}
		parity[(size_t)row * n + i] = (unsigned char)sum;
	}
}

extern "C" __global__ void mutant_parities_reference(const unsigned char *matrix,
	const unsigned char *data, unsigned char *parity, int pieces, int parities, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		for (int row = 0; row < parities; row++) {
			unsigned sum = 0;

			for (int k = 0; k < pieces; k++) {
				unsigned a = matrix[row * pieces + k], b = data[(size_t)k * n + i];

				for (; b; b >>= 1) {
					if (b & 1)
						sum ^= a;
					a <<= 1;
					if (a & 256)
						a ^= 0x11d;
				}
			}
			parity[(size_t)row * n + i] = (unsigned char)sum;
		}
}
