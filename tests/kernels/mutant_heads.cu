/*
 * One word of each sequence looks at those before it, at most as far as a window, in heads of
 * which several share keys and values; farther ones count less by a slope of the head. MISTAKE none is sound.
 *
 * group_4            four heads share one
 * slopes_by_power    slopes are powers of a half
 * head_mod           heads take turns
 * window_never_zero  no window is one of nothing
 *
 * Each METHOD is sound:
 *
 * online             one pass
 * backwards          from the end
 * exponents          powers of two
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float score(const float *q, const float *k, int dim, float scale, float cap,
	float slope, int behind)
{
	float s = 0.0f;

	for (int i = 0; i < dim; i++)
		s += q[i] * k[i];
	s *= scale;
	if (cap > 0.0f)
		s = cap * tanhf(s / cap);
	return s - slope * behind;
}

extern "C" __global__ void mutant_heads(const float *q, const float *k, const float *v,
	const int *kv_len, float *out, float scale, float softcap, int window, int alibi,
	int batch, int heads, int kv_heads, int max_len, int dim)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, d, h, b, from, length, kh;
	float best = -1e30f, sum = 0.0f, y = 0.0f, slope = 0.0f;

	if (i >= batch * heads * dim)
		return;
	d = i % dim;
	h = i / dim % heads;
	b = i / dim / heads;
	kh = IS(head_mod) ? h % kv_heads : IS(group_4) ? h / 4 : h / (heads / kv_heads);
	if (kh >= kv_heads)
		kh = kv_heads - 1;
	length = kv_len[b];
	from = 0;
	if (window > 0 || IS(window_never_zero))
		from = max(0, length - window);
	if (alibi)
		slope = IS(slopes_by_power) ? exp2f(-(h + 1.0f)) : exp2f(-8.0f * (h + 1) / heads);
	if (from >= length) {
		out[i] = 0.0f;
		return;
	}
	q += (b * heads + h) * dim;
	if (BY(online)) {
		for (int t = from; t < length; t++) {
			float s = score(q, k + ((b * max_len + t) * kv_heads + kh) * dim, dim, scale,
				softcap, slope, length - 1 - t);
			float next = fmaxf(best, s), keep = expf(best - next), w = expf(s - next);

			sum = sum * keep + w;
			y = y * keep + w * v[((b * max_len + t) * kv_heads + kh) * dim + d];
			best = next;
		}
		out[i] = y / sum;
		return;
	}
	for (int t = from; t < length; t++)
		best = fmaxf(best,
			score(q, k + ((b * max_len + t) * kv_heads + kh) * dim, dim, scale, softcap, slope,
				length - 1 - t));
	for (int step = from; step < length; step++) {
		int t = BY(backwards) ? length - 1 - (step - from) : step;
		float s = score(q, k + ((b * max_len + t) * kv_heads + kh) * dim, dim, scale, softcap,
			slope, length - 1 - t);
		float w = BY(exponents) ? exp2f((s - best) * 1.44269504f) : expf(s - best);

		sum += w;
		y += w * v[((b * max_len + t) * kv_heads + kh) * dim + d];
	}
	out[i] = y / sum;
}

extern "C" __global__ void mutant_heads_reference(const float *q, const float *k,
	const float *v, const int *kv_len, float *out, float scale, float softcap, int window,
	int alibi, int batch, int heads, int kv_heads, int max_len, int dim)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < batch * heads * dim;
		i += gridDim.x * blockDim.x) {
		int d = i % dim, h = i / dim % heads, b = i / dim / heads;
		int kh = h / (heads / kv_heads), len = kv_len[b], from = 0;
		float slope = alibi ? exp2f(-8.0f * (h + 1) / heads) : 0.0f;
		float m = -1e30f, sum = 0.0f, acc = 0.0f;

		if (window > 0 && len > window)
			from = len - window;
		for (int pass = 0; pass < 2; pass++)
			for (int t = from; t < len; t++) {
				float s = 0.0f;
				for (int j = 0; j < dim; j++)
					s += q[(b * heads + h) * dim + j] *
						k[((b * max_len + t) * kv_heads + kh) * dim + j];
				s *= scale;
				if (softcap > 0.0f)
					s = softcap * tanhf(s / softcap);
				s -= slope * (len - 1 - t);
				if (pass == 0) {
					m = fmaxf(m, s);
				} else {
					float w = expf(s - m);
					sum += w;
					acc += w * v[((b * max_len + t) * kv_heads + kh) * dim + d];
				}
			}
		out[i] = len > 0 ? acc / sum : 0.0f;
	}
}
