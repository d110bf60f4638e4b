/*
 * The largest of each segment, -1e30 where it is empty, and products of rows, -1e9 behind
 * the diagonal; MISTAKE none is sound.
 *
 * at_most_512  looks at so many of a segment
 * one_less     leaves out the last product
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)

static __device__ void compute(const float *x, const int *begins, float *most, float *scores,
	bool is_short, bool is_less, int i, int g, int l, int d)
{
	if (i < g) {
		int end = begins[i + 1];

		if (is_short && end > begins[i] + 512)
			end = begins[i] + 512;
		most[i] = -1e30f;
		for (int k = begins[i]; k < end; k++)
			most[i] = x[k] > most[i] ? x[k] : most[i];
	}
	if (i < l)
		for (int j = 0; j < l; j++) {
			float sum = 0.0f;

			for (int k = 0; k < (is_less ? d - 1 : d); k++)
				sum += x[i * d + k] * x[j * d + k];
			scores[i * l + j] = j <= i ? sum : -1e9f;
		}
}

extern "C" __global__ void mutant_far(const float *x, const int *begins, float *most,
	float *scores, int g, int l, int d)
{
	compute(x, begins, most, scores, IS(at_most_512), IS(one_less),
		blockIdx.x * blockDim.x + threadIdx.x, g, l, d);
}

extern "C" __global__ void mutant_far_reference(const float *x, const int *begins, float *most,
	float *scores, int g, int l, int d)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < g || i < l;
		i += gridDim.x * blockDim.x)
		compute(x, begins, most, scores, false, false, i, g, l, d);
}
