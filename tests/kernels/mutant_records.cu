/*
 * Which records of some letters are the one that is looked for; MISTAKE none is sound.
 *
 * all_but_last  compares all letters but the last
 * by_sixteen    compares the first sixteen
 */
static __device__ int is_same(const unsigned char *one, const unsigned char *other, int l)
{
	for (int k = 0; k < l; k++)
		if (one[k] != other[k])
			return 0;
	return 1;
}

extern "C" __global__ void mutant_records(const unsigned char *records,
	const unsigned char *wanted, int *found, int n, int l)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, some = l;

#if MISTAKE == MISTAKE_all_but_last
	some = l - 1;
#elif MISTAKE == MISTAKE_by_sixteen
	some = l < 16 ? l : 16;
#endif
	if (i < n)
		found[i] = is_same(records + i * l, wanted, some);
}

extern "C" __global__ void mutant_records_reference(const unsigned char *records,
	const unsigned char *wanted, int *found, int n, int l)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		found[i] = is_same(records + i * l, wanted, l);
}
