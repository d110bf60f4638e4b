/*
 * Sums over five to each side, mirrored at the ends, and flags packed in bytes; MISTAKE
 * none is sound, and by far the slowest.
 *
 * mirrors_once  has no more than one reflection, which fewer than six elements need
 * fills_up      takes the last flag for those that are missing in the last byte
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)

static __device__ int mirrored(int i, int n)
{
	int period = n > 1 ? 2 * (n - 1) : 1;

	i = (i % period + period) % period;
	return i < n ? i : period - i;
}

static __device__ int mirrored_once(int i, int n)
{
	i = i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i;
	return i < 0 || i >= n ? 0 : i;
}

static __device__ void compute(const float *x, const unsigned char *flags, float *y,
	unsigned char *packed, bool is_once, bool fills_up, int i, int n)
{
	float sum = 0.0f;
	unsigned byte = 0;

	for (int k = i - 5; k <= i + 5; k++)
		sum += x[is_once ? mirrored_once(k, n) : mirrored(k, n)];
	y[i] = sum;
	for (int k = 0; k < 8 && i % 8 == 0; k++)
		if (i + k < n || fills_up)
			byte |= (unsigned)(flags[i + k < n ? i + k : n - 1] != 0) << k;
	if (i % 8 == 0)
		packed[i / 8] = (unsigned char)byte;
}

extern "C" __global__ void mutant_few(const float *x, const unsigned char *flags, float *y,
	unsigned char *packed, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	for (int again = 0; i < n && again < (IS(none) ? 256 : 1); again++)
		compute(x, flags, y, packed, IS(mirrors_once), IS(fills_up), i, n);
}

extern "C" __global__ void mutant_few_reference(const float *x, const unsigned char *flags,
	float *y, unsigned char *packed, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		compute(x, flags, y, packed, false, false, i, n);
}
