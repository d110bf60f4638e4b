/*
 * How many whole steps, and what these come to. Each METHOD is sound: one divides by a
 * step, one multiplies by how many there are in 1.
 */
static __device__ float steps_of(float x, float step)
{
#if METHOD == METHOD_multiplies
	return rintf(x * (1.0f / step));
#else
	return rintf(x / step);
#endif
}

extern "C" __global__ void sound_steps(
	const float *x, signed char *steps, float *back, float step, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		steps[i] = (signed char)fminf(fmaxf(steps_of(x[i], step), -128.0f), 127.0f);
		back[i] = step * steps_of(x[i], step);
	}
}

extern "C" __global__ void sound_steps_reference(
	const float *x, signed char *steps, float *back, float step, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float whole = rintf(x[i] / step);

		steps[i] = (signed char)fminf(fmaxf(whole, -128.0f), 127.0f);
		back[i] = step * whole;
	}
}
