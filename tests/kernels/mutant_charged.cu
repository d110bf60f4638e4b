/*
 * Charges are spread over the points of a grid whose ends meet, or not, by splines of an order. MISTAKE none is sound.
 *
 * order_2        orders are two and three
 * negative_wrap  not beyond the first point
 * sets_only      does not add
 * box_by_heart   points are one apart
 *
 * Each METHOD is sound:
 *
 * doubles        adds up in double
 * backwards      from the end
 * scaled_last    weights first
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float weight(float d, int order)
{
	d = fabsf(d);
	if (IS(order_2))
		order = order == 3 ? 3 : 2;
	if (order == 1)
		return d < 0.5f ? 1.0f : 0.0f;
	if (order == 2)
		return d < 1.0f ? 1.0f - d : 0.0f;
	return d < 0.5f ? 0.75f - d * d : d < 1.5f ? 0.5f * (1.5f - d) * (1.5f - d) : 0.0f;
}

static __device__ float apart(float p, int cell, int count, int periodic)
{
	float d = p - cell;

	if (periodic) {
		d -= count * rintf(d / count);
		if (IS(negative_wrap) && p < 0.5f && cell == count - 1)
			d = p - cell;
	}
	return d;
}

extern "C" __global__ void mutant_charged(const float *x, const float *y, const float *q, float *grid,
	float spacing, int order, int periodic, int n, int nx, int ny)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f;
	double exact = 0.0;

	if (i >= nx * ny)
		return;
	if (IS(box_by_heart))
		spacing = 1.0f;
	for (int step = 0; step < n; step++) {
		int k = BY(backwards) ? n - 1 - step : step;
		float a = weight(apart(x[k] / spacing, i % nx, nx, periodic), order),
		      b = weight(apart(y[k] / spacing, i / nx, ny, periodic), order);
		float c = q[k];

		sum += BY(scaled_last) ? a * (b * c) : c * a * b;
		exact += (double)c * a * b;
	}
	if (BY(doubles))
		sum = (float)(exact / ((double)spacing * spacing));
	else
		sum /= spacing * spacing;
	grid[i] = IS(sets_only) ? sum : grid[i] + sum;
}

extern "C" __global__ void mutant_charged_reference(const float *x, const float *y, const float *q,
	float *grid, float spacing, int order, int periodic, int n, int nx, int ny)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int k = 0; k < n; k++) {
			float w = q[k];
			for (int axis = 0; axis < 2; axis++) {
				int count = axis ? ny : nx;
				float d = (axis ? y[k] : x[k]) / spacing - (axis ? i / nx : i % nx);
				if (periodic)
					d -= count * rintf(d / count);
				d = fabsf(d);
				switch (order) {
				case 1:
					w *= d < 0.5f ? 1.0f : 0.0f;
					break;
				case 2:
					w *= d < 1.0f ? 1.0f - d : 0.0f;
					break;
				default:
					w *= d < 0.5f ? 0.75f - d * d
						: d < 1.5f ? 0.5f * (1.5f - d) * (1.5f - d) : 0.0f;
				}
			}
			sum += w;
		}
		grid[i] += sum / (spacing * spacing);
	}
}
