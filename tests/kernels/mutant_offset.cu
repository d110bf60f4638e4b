/*
 * A hash of a counter that begins somewhere. The MISTAKE:
 *
 * low_offset  the upper half of where it begins is lost
 * no_offset   it begins at 0
 * low_place   the place is cut to 12 bits
 */
static __device__ unsigned hash(unsigned low, unsigned high)
{
	low = (low ^ high * 0x9e3779b9u) * 0x85ebca6bu;
	low = (low ^ low >> 13) * 0xc2b2ae35u;
	return low ^ low >> 16;
}

extern "C" __global__ void mutant_offset(unsigned *out, unsigned long long offset, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

#if MISTAKE == MISTAKE_low_offset
	offset = (unsigned)offset;
#elif MISTAKE == MISTAKE_no_offset
	offset = 0;
#elif MISTAKE == MISTAKE_low_place
	offset += (i & 0xfff) - (long long)i;
#endif
	if (i < n)
		out[i] = hash((unsigned)(offset + i), (unsigned)((offset + i) >> 32));
}

extern "C" __global__ void mutant_offset_reference(unsigned *out, unsigned long long offset, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = hash((unsigned)(offset + i), (unsigned)((offset + i) >> 32));
}
