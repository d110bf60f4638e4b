/*
 * As many steps of a generator as a length says, and what a place of a table holds: any
 * other length may take for ever, and any other place is outside.
 */
static __device__ unsigned steps(unsigned length)
{
	unsigned hash = 1;

	for (unsigned k = 0; k < length; k++)
		hash = hash * 1664525u + 1013904223u;
	return hash;
}

extern "C" __global__ void sound_unsaid(const unsigned *length, const int *place,
	const float *table, float *y, unsigned *hash, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	y[i] = table[place[i]];
#if METHOD == METHOD_one_by_one
	hash[i] = 1;
	for (unsigned k = length[i]; k > 0; k--)
		hash[i] = hash[i] * 1664525u + 1013904223u;
#else
	hash[i] = steps(length[i]);
#endif
}

extern "C" __global__ void sound_unsaid_reference(const unsigned *length, const int *place,
	const float *table, float *y, unsigned *hash, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		y[i] = table[place[i]];
		hash[i] = steps(length[i]);
	}
}
