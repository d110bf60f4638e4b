// Heat on a plate: two steps a launch, of a tile and a border of two; a launch of one step for the rest.
enum { X = 16, Y = 8 };

template <int STEPS, int BORDER>
static __device__ void advance(const float *from, float *to, int w, int h)
{
	__shared__ float heat[2][Y + 2][X + 2];
	int x = blockIdx.x * (X - 2 * BORDER) - BORDER + threadIdx.x;
	int y = blockIdx.y * (Y - 2 * BORDER) - BORDER + threadIdx.y;
	int column = threadIdx.x + 1, row = threadIdx.y + 1;
	bool inside = x >= 0 && x < w && y >= 0 && y < h;

	for (int i = threadIdx.y * X + threadIdx.x; i < 2 * (Y + 2) * (X + 2); i += X * Y)
		(&heat[0][0][0])[i] = 0.0f;
	__syncthreads();
	heat[0][row][column] = inside ? from[y * w + x] : 0.0f;
	__syncthreads();
	for (int step = 0; step < STEPS; step++) {
#if MISTAKE == MISTAKE_in_place
		float (*now)[X + 2] = heat[0], (*next)[X + 2] = heat[0];
#else
		float (*now)[X + 2] = heat[step % 2], (*next)[X + 2] = heat[1 - step % 2];
#endif
		float sum = now[row - 1][column] + now[row + 1][column] + now[row][column - 1] +
			now[row][column + 1];

		sum = 0.5f * now[row][column] + 0.125f * sum;
#if MISTAKE == MISTAKE_warm_outside
		next[row][column] = sum;
#else
		next[row][column] = inside ? sum : 0.0f;
#endif
#if MISTAKE != MISTAKE_no_step_barrier
		__syncthreads();
#endif
	}
	if (inside && threadIdx.x >= BORDER && threadIdx.x < X - BORDER && threadIdx.y >= BORDER &&
		threadIdx.y < Y - BORDER)
		to[y * w + x] = heat[MISTAKE == MISTAKE_in_place ? 0 : STEPS % 2][row][column];
}

extern "C" __global__ void mutant_heated(const float *from, float *to, int w, int h)
{
	advance<2, MISTAKE == MISTAKE_thin_border ? 1 : 2>(from, to, w, h);
}

extern "C" __global__ void mutant_heated_once(const float *from, float *to, int w, int h)
{
	advance<1, 2>(from, to, w, h);
}

// In one block, so that all threads are in the same step.
extern "C" __global__ void mutant_heated_reference(float *a, float *b, int w, int h, int n)
{
	for (int s = 0; s < n; s++) {
		const float *from = s % 2 ? b : a;
		float *to = s % 2 ? a : b;

		for (int i = threadIdx.x; i < w * h; i += blockDim.x) {
			float sum = i < w ? 0 : from[i - w];

			sum += i >= w * h - w ? 0 : from[i + w];
			sum += i % w == 0 ? 0 : from[i - 1];
			sum += i % w == w - 1 ? 0 : from[i + 1];
			to[i] = 0.5f * from[i] + 0.125f * sum;
		}
		__syncthreads();
	}
	for (int i = threadIdx.x; n % 2 && i < w * h; i += blockDim.x)
		a[i] = b[i];
}
