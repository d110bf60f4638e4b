/*
 * A window of a text: y = scale.x * x + scale.y where a number, counted from view.first,
 * is below view.limit and its place lies in the window; else 0. MISTAKE none is sound.
 *
 * short_limit  compares in 32 bits
 * last_row     leaves out the last row of a window of more than 60 rows
 * no_shift     is right as long as scale.y is 0
 * one_origin   takes the window's row for its column where both are 0 or more
 */
struct View {
	int rows;
	long long first, limit;
};

template <bool IS_TUNED>
static __device__ void window(const float *x, float *y, View view, int2 origin, float2 scale,
	int n, int i)
{
	int row = i / 64 - origin.y, column = i % 64 - origin.x, rows = view.rows;
	bool is_below = view.first + i < view.limit;

	if (IS_TUNED) {
#if MISTAKE == MISTAKE_short_limit
		is_below = (int)(view.first + i) < (int)view.limit;
#elif MISTAKE == MISTAKE_last_row
		rows -= rows > 60;
#elif MISTAKE == MISTAKE_no_shift
		scale.y = 0;
#elif MISTAKE == MISTAKE_one_origin
		column = i % 64 - origin.y;
#endif
	}
	if (i < n)
		y[i] = is_below && row >= 0 && row < rows && column >= 0
			? scale.x * x[i] + scale.y : 0.0f;
}

extern "C" __global__ void mutant_views(const float *x, float *y, View view, int2 origin,
	float2 scale, int n)
{
	window<true>(x, y, view, origin, scale, n, blockIdx.x * blockDim.x + threadIdx.x);
}

extern "C" __global__ void mutant_views_reference(const float *x, float *y, View view,
	int2 origin, float2 scale, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		window<false>(x, y, view, origin, scale, n, i);
}
