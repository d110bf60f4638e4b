// A sum: of one part, of many, or with parts that are moved about in between.
extern "C" __global__ void sound_launches_sum(const float *x, float *work, int n)
{
	__shared__ float part[64];
	float sum = 0;

	for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64)
		sum += x[i];
	part[threadIdx.x] = sum;
	__syncthreads();
	for (int step = 32; step > 0; step /= 2) {
		if (threadIdx.x < step)
			part[threadIdx.x] += part[threadIdx.x + step];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		work[blockIdx.x] = part[0];
}

// Moves the parts to the other buffer, in reverse.
extern "C" __global__ void sound_launches_move(const float *from, float *to, int parts)
{
	if (threadIdx.x < parts)
		to[parts - 1 - threadIdx.x] = from[threadIdx.x];
}

extern "C" __global__ void sound_launches_last(const float *work, float *y, int parts)
{
	float sum = 0;

	for (int i = 0; i < parts; i++)
		sum += work[i];
	y[0] = sum;
}

extern "C" __global__ void sound_launches_reference(const float *x, float *y, int n)
{
	double sum = 0;

	if (blockIdx.x || threadIdx.x)
		return;
	for (int i = 0; i < n; i++)
		sum += x[i];
	y[0] = sum;
}
