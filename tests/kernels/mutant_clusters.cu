/*
 * The nearest centre of each point, the first of equals, and the mean of the points of
 * each; a centre without points stays. MISTAKE none is sound.
 *
 * empty_is_0       a centre without points goes to 0
 * last_of_equals   of equals the last one
 * four_numbers     looks at four numbers of a point
 * by_amount        adds up what numbers differ by
 * weights_ignored  all points count as much
 * few_centres      eight centres
 * moving           a moving mean
 * counts           divides by how many there are, not by their weights
 *
 * Each METHOD is sound:
 *
 * doubles          in double
 * expanded         squares in another form
 * backwards        the last point first
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_clusters(const float *points, const float *weight,
	float *centres, int *label, float *moved, int n, int dims, int count)
{
	int looked = IS(four_numbers) ? min(dims, 4) : dims;

	if (IS(few_centres))
		count = min(count, 8);
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		double best = 0;
		int at = 0;

		for (int c = 0; c < count; c++) {
			double wide = 0;
			float sum = 0;

			for (int d = 0; d < looked; d++) {
				float x = points[i * dims + d],
				      y = centres[c * dims + d];

				if (BY(doubles))
					wide += ((double)x - y) * ((double)x - y);
				else if (BY(expanded))
					wide += (double)y * y - 2.0 * x * y;
				else
					sum += IS(by_amount) ? fabsf(x - y)
							     : (x - y) * (x - y);
			}
			if (!BY(doubles) && !BY(expanded))
				wide = sum;
			if (c == 0 ||
				(IS(last_of_equals) ? wide <= best : wide < best)) {
				best = wide;
				at = c;
			}
		}
		label[i] = at;
	}
	__syncthreads();
	for (int k = threadIdx.x; k < count * dims; k += blockDim.x) {
		float sum = 0, all = 0;
		double wide = 0, wide_all = 0;

		for (int j = 0; j < n; j++) {
			int i = BY(backwards) ? n - 1 - j : j;
			float w = IS(weights_ignored) ? weight[0] : weight[i];

			if (label[i] != k / dims)
				continue;
			if (IS(moving)) {
				all += w;
				sum += (points[i * dims + k % dims] - sum) * 0.1f;
				continue;
			}
			sum += w * points[i * dims + k % dims];
			wide += (double)w * points[i * dims + k % dims];
			all += IS(counts) ? 1 : w;
			wide_all += w;
		}
		if (BY(doubles))
			moved[k] = wide_all > 0 ? wide / wide_all : centres[k];
		else if (IS(moving))
			moved[k] = all > 0 ? sum : centres[k];
		else
			moved[k] = all > 0          ? sum / all
				   : IS(empty_is_0) ? 0
						    : centres[k];
	}
}

extern "C" __global__ void mutant_clusters_reference(const float *points,
	const float *weight, float *centres, int *label, float *moved, int n, int dims,
	int count)
{
	if (blockIdx.x || threadIdx.x)
		return;
	for (int i = 0; i < n; i++) {
		float best = 0;

		for (int c = 0; c < count; c++) {
			float sum = 0;

			for (int d = 0; d < dims; d++) {
				float x = points[i * dims + d] - centres[c * dims + d];

				sum += x * x;
			}
			if (c == 0 || sum < best) {
				best = sum;
				label[i] = c;
			}
		}
	}
	for (int k = 0; k < count * dims; k++) {
		float sum = 0, all = 0;

		for (int i = 0; i < n; i++)
			if (label[i] == k / dims) {
				sum += weight[i] * points[i * dims + k % dims];
				all += weight[i];
			}
		moved[k] = all > 0 ? sum / all : centres[k];
	}
}
