/*
 * Each block's values in reverse, through memory of its own, which is used to the
 * last byte. Each METHOD is sound.
 *
 * static_exact   shared memory of the kernel's own
 * dynamic_exact  shared memory that the launch gives
 * dynamic_most   as much as the device has
 * static_and_dynamic  half of it each
 * local_deep     a long array in local memory
 * two_loads      with all of 1,024 threads
 * inline_ptx     with an instruction that only a GPU has
 */
extern "C" __global__ void sound_room(const float *x, float *y, int n, int floats)
{
	int begin = blockIdx.x * 512, count = min(512, n - begin), thread = threadIdx.x;

#if METHOD == METHOD_inline_ptx
	asm("mov.u32 %0, %%tid.x;" : "=r"(thread));
#endif
#if METHOD == METHOD_local_deep
	volatile float own[600];

	for (int k = 0; k < 600; k++)
		own[k] = k < count ? x[begin + k] : 0.0f;
	for (int k = thread; k < count; k += blockDim.x)
		y[begin + count - 1 - k] = own[k];
#elif METHOD == METHOD_static_and_dynamic
	__shared__ float low[256];
	extern __shared__ float high[];

	for (int k = thread; k < 512; k += blockDim.x)
		(k < 256 ? low[k] : high[k - 256]) = k < count ? x[begin + k] : 0.0f;
	__syncthreads();
	for (int k = thread; k < count; k += blockDim.x)
		y[begin + count - 1 - k] = k < 256 ? low[k] : high[k - 256];
#else
#if METHOD == METHOD_static_exact || METHOD == METHOD_two_loads || METHOD == METHOD_inline_ptx
	__shared__ float values[512];
#else
	extern __shared__ float values[];
#endif
#if METHOD == METHOD_dynamic_most
	/* from its very end */
	int shift = floats - 512;

	for (int k = thread; k < floats; k += blockDim.x)
		values[k] = 0.0f;
	__syncthreads();
#else
	int shift = 0;
#endif

	for (int k = thread; k < 512; k += blockDim.x)
		values[shift + k] = k < count ? x[begin + k] : 0.0f;
	__syncthreads();
	for (int k = thread; k < count; k += blockDim.x)
		y[begin + count - 1 - k] = values[shift + k];
#endif
}

extern "C" __global__ void sound_room_reference(const float *x, float *y, int n, int floats)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int begin = i / 512 * 512, count = min(512, n - begin);

		y[begin + count - 1 - (i - begin)] = x[i];
	}
}
