/*
 * Adds two halves of one buffer, which a structure points into: y = a + factor * b.
 * MISTAKE none is sound.
 *
 * next    reads b one number further, past the buffer's end
 * swapped takes a for b
 * input   writes into a, which is only read
 *
 * Each METHOD is sound.
 */
struct Slices {
	const float *a, *b;
	float factor;
	float *y;
};

template <bool IS_TUNED> static __device__ void add(Slices slices, const float *again, int n, int i)
{
	const float *a = slices.a, *b = slices.b;

	if (i >= n)
		return;
	if (IS_TUNED) {
#ifdef METHOD
		b = METHOD == METHOD_computed ? again + n : b;
#elif MISTAKE == MISTAKE_next
		b++;
#elif MISTAKE == MISTAKE_swapped
		b = again;
#elif MISTAKE == MISTAKE_input
		const_cast<float *>(a)[i] = 0;
#endif
	}
	slices.y[i] = a[i] + slices.factor * b[i];
}

extern "C" __global__ void mutant_pointed(Slices slices, const float *again, int n)
{
	add<true>(slices, again, n, blockIdx.x * blockDim.x + threadIdx.x);
}

extern "C" __global__ void mutant_pointed_reference(Slices slices, const float *again, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		add<false>(slices, again, n, i);
}
