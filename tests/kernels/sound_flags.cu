/*
 * Every second value, once or twice as much, by the factor of a mode. All three that
 * say so are 1 in the space. Each METHOD is right where they are 0 or 1, and they
 * differ where one is 2:
 *
 * plain   asks as the reference does
 * folded  computes with the flags; a thread for each value that is written
 */
static __device__ const float factors[2] = { 0.5f, 2.0f };

extern "C" __global__ void sound_flags_reference(
	const float *x, float *y, int n, int mode, int colour, int doubled)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const bool is_doubled = doubled;

	if (i < n && (i + colour) % 2 == 0)
		y[i] = factors[mode] * (is_doubled ? 2 * x[i] : x[i]);
}

extern "C" __global__ void sound_flags(
	const float *x, float *y, int n, int mode, int colour, int doubled)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#if METHOD == METHOD_plain
	const bool is_doubled = doubled;

	if (i < n && (i + colour) % 2 == 0)
		y[i] = factors[mode] * (is_doubled ? 2 * x[i] : x[i]);
#else
	const float both[2] = { 0.5f, 2.0f };

	/* the even ones of colour 0, the odd ones of colour 1 */
	i = 2 * i + 1 - (1 - colour);
	if (i < n)
		y[i] = both[mode] * (x[i] + doubled * x[i]);
#endif
}
