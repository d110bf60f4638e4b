/*
 * Attention of sequences that lie behind one another and begin where a list says; heads share
 * keys, what is far is left out, and each head has a sink. MISTAKE none is sound.
 *
 * even          sequences are as long as the first one
 * no_sink       no sinks
 * in_turns      heads take keys in turns
 * no_window     nothing is too far
 * one_further   one word further
 * scale_folded  the scale of the space
 * across        looks into the sequence before
 *
 * Each METHOD is sound:
 *
 * online        in one pass
 * doubles       adds up in double
 * backwards     from the word itself backwards
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_sequences(const float *q, const float *k, const float *v,
	const float *sink, const int *start, float *out, float scale, int window, int total,
	int batch, int heads, int key_heads, int size)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, t, head, key_head, item = 0, first;
	float largest, sum = 0.0f;

	if (i >= total * heads)
		return;
	t = i / heads;
	head = i % heads;
	key_head = IS(in_turns) ? head % key_heads : head / (heads / key_heads);
	if (IS(scale_folded))
		scale = 0.25f;
	while (item + 1 < batch && start[item + 1] <= t)
		item++;
	first = start[item];
	if (IS(even) && batch > 1)
		first = start[1] > 0 ? t / start[1] * start[1] : t;
	if (IS(across))
		first = 0;
	if (!IS(no_window) && window > 0)
		first = max(first, t - window + (IS(one_further) ? 0 : 1));
	q += ((long long)t * heads + head) * size;
	out += ((long long)t * heads + head) * size;
	largest = IS(no_sink) ? -3.0e38f : sink[head];
	if (BY(online)) {
		float acc[64] = { 0.0f };

		sum = 1.0f;
		for (int j = first; j <= t; j++) {
			const float *key = k + ((long long)j * key_heads + key_head) * size;
			const float *value = v + ((long long)j * key_heads + key_head) * size;
			float score = 0.0f, more, weight;

			for (int d = 0; d < size; d++)
				score += q[d] * key[d];
			score *= scale;
			more = score > largest ? expf(largest - score) : 1.0f;
			largest = fmaxf(largest, score);
			weight = expf(score - largest);
			sum = sum * more + weight;
			for (int d = 0; d < size; d++)
				acc[d] = acc[d] * more + weight * value[d];
		}
		for (int d = 0; d < size; d++)
			out[d] = acc[d] / sum;
		return;
	}
	for (int j = first; j <= t; j++) {
		float score = 0.0f;

		for (int d = 0; d < size; d++)
			score += q[d] * k[((long long)j * key_heads + key_head) * size + d];
		largest = fmaxf(largest, score * scale);
	}
	for (int d = 0; d < size; d++)
		out[d] = 0.0f;
	for (int step = first; step <= t; step++) {
		int j = BY(backwards) ? t - (step - first) : step;
		float score = 0.0f;
		double exact = 0.0;

		for (int d = 0; d < size; d++)
			if (BY(doubles))
				exact += (double)q[d] * k[((long long)j * key_heads + key_head) * size + d];
			else
				score += q[d] * k[((long long)j * key_heads + key_head) * size + d];
		score = BY(doubles) ? (float)(exact * scale) : score * scale;
		score = expf(score - largest);
		sum += score;
		for (int d = 0; d < size; d++)
			out[d] += score * v[((long long)j * key_heads + key_head) * size + d];
	}
	if (!IS(no_sink))
		sum += expf(sink[head] - largest);
	for (int d = 0; d < size; d++)
		out[d] /= sum;
}

extern "C" __global__ void mutant_sequences_reference(const float *q, const float *k,
	const float *v, const float *sink, const int *start, float *out, float scale, int window,
	int total, int batch, int heads, int key_heads, int size)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total * heads;
		i += gridDim.x * blockDim.x) {
		int t = i / heads, head = i % heads, key_head = head / (heads / key_heads), item = 0;
		float largest = sink[head], sum = 0.0f;

		while (item + 1 < batch && start[item + 1] <= t)
			item++;
		for (int pass = 0; pass < 2; pass++) {
			for (int d = 0; pass && d < size; d++)
				out[(long long)i * size + d] = 0.0f;
			for (int j = start[item]; j <= t; j++) {
				float score = 0.0f;

				if (window > 0 && t - j >= window)
					continue;
				for (int d = 0; d < size; d++)
					score += q[(long long)i * size + d] *
						k[((long long)j * key_heads + key_head) * size + d];
				score *= scale;
				if (!pass) {
					largest = fmaxf(largest, score);
					continue;
				}
				score = expf(score - largest);
				sum += score;
				for (int d = 0; d < size; d++)
					out[(long long)i * size + d] +=
						score * v[((long long)j * key_heads + key_head) * size + d];
			}
		}
		sum += expf(sink[head] - largest);
		for (int d = 0; d < size; d++)
			out[(long long)i * size + d] /= sum;
	}
}
