extern "C" __global__ void vector_add(float *x)
{
	for (int i = 0; i < PER_THREAD; i++)
		x[(blockIdx.x * PER_THREAD + i) * BLOCK_X + threadIdx.x] += 1;
}

extern "C" __global__ void reference(float *x)
{
	x[threadIdx.x] += 1;
}

extern "C" __global__ void helper(float *x)
{
	x[0] = 0;
}
