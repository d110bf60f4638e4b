// A plate that cools down in N steps, a launch each; the two plates change places.
extern "C" __global__ void mutant_plate(float *from, float *to, int w, int h)
{
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;

	if (x >= w || y >= h)
		return;
	float c = from[y * w + x];
	float left = x > 0 ? from[y * w + x - 1] : c, right = x < w - 1 ? from[y * w + x + 1] : c;
#if MISTAKE == MISTAKE_no_edge
	float up = from[y > 0 ? (y - 1) * w + x : x], down = y < h - 2 ? from[(y + 1) * w + x] : c;
#else
	float up = y > 0 ? from[(y - 1) * w + x] : c, down = y < h - 1 ? from[(y + 1) * w + x] : c;
#endif
#if MISTAKE == MISTAKE_in_place
	from[y * w + x] = c + 0.2f * (left + right + up + down - 4 * c);
#endif
	to[y * w + x] = c + 0.2f * (left + right + up + down - 4 * c);
}

extern "C" __global__ void mutant_plate_scaled(float *plate, int size)
{
	int i = blockIdx.x * 64 + threadIdx.x;

#if MISTAKE == MISTAKE_half_scaled
	if (i < size / 64 * 64)
#else
	if (i < size)
#endif
		plate[i] *= 0.5f;
}

// In one block, so that all threads are in the same step.
extern "C" __global__ void mutant_plate_reference(float *a, float *b, int w, int h, int n)
{
	for (int s = 0; s < n; s++) {
		const float *from = s % 2 ? b : a;
		float *to = s % 2 ? a : b;

		for (int i = threadIdx.x; i < w * h; i += blockDim.x) {
			int x = i % w, y = i / w;
			float c = from[i], sum = -4 * c;

			sum += x > 0 ? from[i - 1] : c;
			sum += x < w - 1 ? from[i + 1] : c;
			sum += y > 0 ? from[i - w] : c;
			sum += y < h - 1 ? from[i + w] : c;
			to[i] = c + 0.2f * sum;
		}
		__syncthreads();
	}
	for (int i = threadIdx.x; i < w * h; i += blockDim.x)
		a[i] = 0.5f * (n % 2 ? b[i] : a[i]);
}
