/*
 * Softmax of rows: capped where the cap is above 0, warmed where the heat is not 0, of a
 * window of the last ones and of the first some where these are above 0, and without what
 * is below a least part of the largest. MISTAKE none is sound.
 *
 * always_capped     divides by a cap of 0, too
 * always_windowed   a window of 0 has nothing
 * always_cooled     divides by a heat of 0, too
 * cap_folded        the cap of the space
 * window_late       a window of one more
 * sink_in_window    the first one is always there
 * never_capped      no cap
 *
 * Each METHOD is sound:
 *
 * passes       computes scores twice
 * one_array    keeps them in the output
 * from_behind  from the last one on
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float score(float x, float cap, float heat)
{
	if (IS(cap_folded) && cap > 0.0f)
		cap = 3.0f;
	if ((cap > 0.0f || IS(always_capped)) && !IS(never_capped))
		x = cap * tanhf(x / cap);
	if (heat != 0.0f || IS(always_cooled))
		x /= heat;
	return x;
}

static __device__ bool is_in(int k, int window, int some, int m)
{
	if (IS(window_late) && window > 0)
		window++;
	if ((window > 0 || IS(always_windowed)) && k < m - window && !(IS(sink_in_window) && k == 0))
		return false;
	if (some > 0 && k >= m - window / 2 - some && k >= some && k < m - window / 2)
		return false;
	return true;
}

extern "C" __global__ void mutant_switched(const float *x, float *y, float cap, float heat,
	float least, int window, int some, int m, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float largest = -1e30f, sum = 0.0f;

	if (i >= n)
		return;
	x += (size_t)i * m;
	y += (size_t)i * m;
	for (int l = 0; l < m; l++) {
		int k = BY(from_behind) ? m - 1 - l : l;
		float s = is_in(k, window, some, m) ? score(x[k], cap, heat) : -1e30f;

		if (BY(one_array))
			y[k] = s;
		largest = fmaxf(largest, s);
	}
	for (int l = 0; l < m; l++) {
		int k = BY(from_behind) ? m - 1 - l : l;
		float s = BY(one_array) ? y[k] : is_in(k, window, some, m) ? score(x[k], cap, heat) : -1e30f;
		float e = s <= -1e30f ? 0.0f : expf(s - largest);

		if (e < least)
			e = 0.0f;
		y[k] = e;
		sum += e;
	}
	for (int k = 0; k < m; k++)
		y[k] = sum > 0.0f ? y[k] / sum : 0.0f;
}

extern "C" __global__ void mutant_switched_reference(const float *x, float *y, float cap,
	float heat, float least, int window, int some, int m, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float largest = -1e30f, sum = 0.0f;

		for (int k = 0; k < m; k++) {
			float s = x[(size_t)i * m + k];

			if (cap > 0.0f)
				s = cap * tanhf(s / cap);
			if (heat != 0.0f)
				s /= heat;
			if (window > 0 && k < m - window)
				s = -1e30f;
			if (some > 0 && k >= m - window / 2 - some && k >= some && k < m - window / 2)
				s = -1e30f;
			y[(size_t)i * m + k] = s;
			largest = s > largest ? s : largest;
		}
		for (int k = 0; k < m; k++) {
			float s = y[(size_t)i * m + k], e = s <= -1e30f ? 0.0f : expf(s - largest);

			e = e < least ? 0.0f : e;
			y[(size_t)i * m + k] = e;
			sum += e;
		}
		for (int k = 0; k < m; k++)
			y[(size_t)i * m + k] = sum > 0.0f ? y[(size_t)i * m + k] / sum : 0.0f;
	}
}
