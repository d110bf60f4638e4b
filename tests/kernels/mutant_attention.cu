/*
 * Rows of attention that see no later ones, in one pass: the largest score so far is taken
 * away, and what was added up is made smaller where a larger one comes. MISTAKE none is
 * sound.
 *
 * first_score   takes away the first score, whatever comes
 * late_rescale  makes nothing smaller behind the first eight keys
 * sum_alone     behind the first 16 only the sum of weights
 * window        sees 32 keys back
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define WIDEST 64

static __device__ float score(const float *q, const float *k, int width)
{
	float sum = 0.0f;

	for (int c = 0; c < width; c++)
		sum += q[c] * k[c];
	return sum * rsqrtf((float)width);
}

extern "C" __global__ void mutant_attention(
	const float *q, const float *k, const float *v, float *y, int rows, int width)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, first;
	float most = -3.0e38f, sum = 0.0f, out[WIDEST];

	if (i >= rows || width > WIDEST)
		return;
	for (int c = 0; c < width; c++)
		out[c] = 0.0f;
	first = IS(window) && i > 32 ? i - 32 : 0;
	for (int j = first; j <= i; j++) {
		float s = score(q + i * width, k + j * width, width);

		if (s > most && !(IS(first_score) && j > first)) {
			float less = expf(most - s);

			if (IS(late_rescale) && j > 8)
				less = 1.0f;
			sum *= less;
			for (int c = 0; c < width && !(IS(sum_alone) && j > 16); c++)
				out[c] *= less;
			most = s;
		}
		s = expf(s - most);
		sum += s;
		for (int c = 0; c < width; c++)
			out[c] += s * v[j * width + c];
	}
	for (int c = 0; c < width; c++)
		y[i * width + c] = out[c] / sum;
}

extern "C" __global__ void mutant_attention_reference(
	const float *q, const float *k, const float *v, float *y, int rows, int width)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x) {
		float most = -3.0e38f, sum = 0.0f;

		for (int j = 0; j <= i; j++)
			most = fmaxf(most, score(q + i * width, k + j * width, width));
		for (int c = 0; c < width; c++)
			y[i * width + c] = 0.0f;
		for (int j = 0; j <= i; j++) {
			float weight = expf(score(q + i * width, k + j * width, width) - most);

			sum += weight;
			for (int c = 0; c < width; c++)
				y[i * width + c] += weight * v[j * width + c];
		}
		for (int c = 0; c < width; c++)
			y[i * width + c] /= sum;
	}
}
