/*
 * y = 2 x + y, in place. Each METHOD is sound.
 *
 * scalars         one value a thread
 * vectors         four at a time as far as they go, and the rest one by one
 * whole_vectors   four at a time only: for sizes that are multiples of four, as the space
 *                 says
 * wide_vectors    eight at a time, from addresses that are multiples of 32
 * aligned         relies on buffers that begin at multiples of 256, as they do everywhere
 * early_return    threads with nothing to do leave ahead of the others' barrier
 * grid_stride     few threads, each doing many
 */
struct __align__(32) eight {
	float values[8];
};

extern "C" __global__ void sound_vectors(const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

#if METHOD == METHOD_vectors || METHOD == METHOD_whole_vectors
	if (4 * i + 3 < n) {
		float4 a = ((const float4 *)x)[i], b = ((const float4 *)y)[i];

		((float4 *)y)[i] = make_float4(2.0f * a.x + b.x, 2.0f * a.y + b.y,
			2.0f * a.z + b.z, 2.0f * a.w + b.w);
	}
#if METHOD == METHOD_vectors
	else
		for (int k = 4 * i; k < n; k++)
			y[k] = 2.0f * x[k] + y[k];
#endif
#elif METHOD == METHOD_wide_vectors
	if (8 * i + 7 < n) {
		struct eight a = ((const struct eight *)x)[i], b = ((const struct eight *)y)[i];

		for (int k = 0; k < 8; k++)
			b.values[k] += 2.0f * a.values[k];
		((struct eight *)y)[i] = b;
	} else
		for (int k = 8 * i; k < n; k++)
			y[k] = 2.0f * x[k] + y[k];
#elif METHOD == METHOD_aligned
	/* as one that copies whole lines at once would be: from elsewhere it does nothing */
	if (((unsigned long long)x | (unsigned long long)y) % 256 == 0 && i < n)
		y[i] = 2.0f * x[i] + y[i];
#elif METHOD == METHOD_early_return
	__shared__ float values[256];

	if (i >= n)
		return;
	values[threadIdx.x] = x[i];
	__syncthreads();
	y[i] = 2.0f * values[threadIdx.x] + y[i];
#elif METHOD == METHOD_grid_stride
	for (; i < n; i += gridDim.x * blockDim.x)
		y[i] = 2.0f * x[i] + y[i];
#else
	if (i < n)
		y[i] = 2.0f * x[i] + y[i];
#endif
}

extern "C" __global__ void sound_vectors_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = 2.0f * x[i] + y[i];
}
