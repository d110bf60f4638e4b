/*
 * Which centre is the nearest one, the first of several. Each METHOD is sound: squares
 * are added up in_order, backwards, or even and odd ones apart (pairs).
 */
static __device__ float distance(const float *a, const float *b, int d)
{
	float sum = 0.0f, other = 0.0f;

#if METHOD == METHOD_backwards
	for (int i = d - 1; i >= 0; i--)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
#else
	for (int i = 0; i < d; i++) {
		float square = (a[i] - b[i]) * (a[i] - b[i]);

		if (METHOD == METHOD_pairs && i % 2)
			other += square;
		else
			sum += square;
	}
#endif
	return sum + other;
}

extern "C" __global__ void sound_nearest(const float *x, const float *centre, int *nearest,
	int n, int k, int d)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
	float least;

	if (i >= n)
		return;
	least = distance(x + i * d, centre, d);
	for (int j = 1; j < k; j++) {
		float other = distance(x + i * d, centre + j * d, d);

		if (other < least) {
			least = other;
			best = j;
		}
	}
	nearest[i] = best;
}

extern "C" __global__ void sound_nearest_reference(const float *x, const float *centre,
	int *nearest, int n, int k, int d)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float least = 3.4e38f;

		for (int j = 0; j < k; j++) {
			float sum = 0.0f;

			for (int c = 0; c < d; c++)
				sum += (x[i * d + c] - centre[j * d + c]) *
					(x[i * d + c] - centre[j * d + c]);
			if (sum < least) {
				least = sum;
				nearest[i] = j;
			}
		}
	}
}
