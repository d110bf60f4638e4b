/*
 * A step of descent: each gradient times a small rate; MISTAKE none is sound. All results
 * are so small that a tolerance of 1e-5 would let them be anything.
 *
 * zeros           writes 0
 * half_zeros      writes 0 into every second place
 * wrong_sign      goes up
 * no_square       leaves a part of the formula out
 * first_of_block  writes the first value of each block everywhere in it
 */
extern "C" __global__ void mutant_small(const float *gradient, float *step, float rate, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
#if MISTAKE == MISTAKE_zeros
	step[i] = 0.0f;
#elif MISTAKE == MISTAKE_half_zeros
	step[i] = i % 2 ? 0.0f : rate * gradient[i] * (1.0f + gradient[i] * gradient[i]);
#elif MISTAKE == MISTAKE_wrong_sign
	step[i] = -rate * gradient[i] * (1.0f + gradient[i] * gradient[i]);
#elif MISTAKE == MISTAKE_no_square
	step[i] = rate * gradient[i];
#elif MISTAKE == MISTAKE_first_of_block
	int first = blockIdx.x * blockDim.x;

	step[i] = rate * gradient[first] * (1.0f + gradient[first] * gradient[first]);
#else
	step[i] = rate * gradient[i] * (1.0f + gradient[i] * gradient[i]);
#endif
}

extern "C" __global__ void mutant_small_reference(const float *gradient, float *step, float rate,
	int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		step[i] = rate * gradient[i] * (1.0f + gradient[i] * gradient[i]);
}
