/*
 * Half of each value, and what else a kernel may touch on its way; MISTAKE none is sound.
 * Nothing of it changes the result, unless it is looked for where it happens.
 *
 * one_past_end      reads the value behind the last and has no use for it
 * one_before_start  the same ahead of the first
 * far_behind, far_ahead  the same 3 MiB away
 * searches_expected works out four values, looks for them beside the output, and copies
 *                   what follows them
 * far_write, far_write_ahead  writes a value 100,000 bytes beyond the output
 * farther_write     the same 5 MiB beyond it
 * input_put_back    changes the input and puts it back before it ends
 * input_touched     writes what is there already into the input
 * zone_borrowed     keeps values behind the output for a while, and puts back what was
 *                   there
 * writes_scratch_end  writes one value behind the scratch memory
 */
/* a volatile pointer's reads and writes are all made */
typedef volatile float *everything;

extern "C" __global__ void mutant_reach(const float *x, float *y, float *scratch, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	everything in = (everything)x, out = y;

#if MISTAKE == MISTAKE_one_past_end
	if (i < n) {
		float next = in[i + 1];

		y[i] = 0.5f * in[i];
		(void)next;
	}
#elif MISTAKE == MISTAKE_one_before_start
	if (i < n) {
		float before = in[i - 1];

		y[i] = 0.5f * in[i];
		(void)before;
	}
#elif MISTAKE == MISTAKE_far_behind || MISTAKE == MISTAKE_far_ahead
	if (i < n) {
		int away = MISTAKE == MISTAKE_far_behind ? 3 << 18 : -(3 << 18);
		float far = in[i + away];

		y[i] = 0.5f * in[i];
		(void)far;
	}
#elif MISTAKE == MISTAKE_searches_expected
	__shared__ long long found;

	if (threadIdx.x == 0) {
		found = 0;
		for (int step = 1; step < 6000 && !found; step++)
			for (int side = -1; side <= 1 && !found; side += 2) {
				everything place = out + side * step * 64;

				if (place[0] == 0.5f * in[0] && place[1] == 0.5f * in[1] &&
					place[2] == 0.5f * in[2] && place[3] == 0.5f * in[3])
					found = side * step * 64;
			}
	}
	__syncthreads();
	if (i < n)
		out[i] = found ? out[i + found] : 0.0f;
#else
	if (i < n)
		out[i] = 0.5f * in[i];
#endif
#if MISTAKE == MISTAKE_far_write
	if (i == 0)
		out[n + 25000] = 1.0f;
#elif MISTAKE == MISTAKE_far_write_ahead
	if (i == 0)
		out[-25000] = 1.0f;
#elif MISTAKE == MISTAKE_farther_write
	if (i == 0)
		out[n + (5 << 18)] = 1.0f;
#elif MISTAKE == MISTAKE_input_put_back
	if (i < n) {
		float mine = in[i];

		in[i] = 2.0f * mine;
		__threadfence();
		out[i] = 0.25f * in[i];
		in[i] = mine;
	}
#elif MISTAKE == MISTAKE_input_touched
	if (i < n)
		in[i] = in[i];
#elif MISTAKE == MISTAKE_zone_borrowed
	/* a place of its own for each thread of the first block */
	if (blockIdx.x == 0) {
		float there = out[n + threadIdx.x];

		out[n + threadIdx.x] = in[i];
		__syncthreads();
		out[i] = 0.5f * out[n + threadIdx.x];
		out[n + threadIdx.x] = there;
	}
#elif MISTAKE == MISTAKE_writes_scratch_end
	if (i == 0)
		((everything)scratch)[n] = 1.0f;
#endif
}

extern "C" __global__ void mutant_reach_reference(const float *x, float *y, float *scratch, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = 0.5f * x[i];
}
