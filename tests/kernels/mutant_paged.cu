/*
 * Attention of one query to keys in pages that a table names; heads share keys, scores
 * are capped, and a window leaves out what is far. MISTAKE none is sound.
 *
 * whole_pages  takes the last page for full
 * in_order     takes pages in their order
 * own_heads    heads take keys by turns
 * page_16      pages of 16
 * no_cap       does not cap
 * no_window    no window, as in the space
 * window_late  a window that is one too wide
 * scale_of_d   the scale from the width
 * shared_2     two heads share
 *
 * Each METHOD is sound:
 *
 * one_pass     in one pass
 * two_pass     in three passes
 * backwards    from the last key
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define MOST 64

extern "C" __global__ void mutant_paged(const float *q, const float *k, const float *v,
	const int *page_of, const int *length, float *y, float scale, float cap,
	int window, int words, int heads, int shared, int d, int pages, int page)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, word = i / heads,
	    head = i % heads;
	int groups = heads / shared, group = head / shared, end, first;
	float most = -__int_as_float(0x7f800000), sum = 0.0f, part[MOST];

	if (word >= words)
		return;
	if (IS(own_heads))
		group = head % groups;
	if (IS(shared_2))
		group = min(head / 2, groups - 1);
	if (IS(scale_of_d))
		scale = rsqrtf((float)d);
	end = length[word];
	first = window > 0 && end > window ? end - window : 0;
	if (IS(no_window))
		first = 0;
	if (IS(window_late) && first > 0)
		first--;
	if (IS(whole_pages))
		end = (end + page - 1) / page * page;
	q += (long long)i * d;
	for (int c = 0; c < d; c++)
		part[c] = 0.0f;
	for (int pass = BY(two_pass) ? 0 : 1; pass < 2; pass++)
		for (int t = 0; t < end - first; t++) {
			int at = BY(backwards) ? end - 1 - t : first + t;
			int size = IS(page_16) ? 16 : page;
			int of = IS(in_order) ? at / size
					      : page_of[word * pages +
							min(at / size, pages - 1)];
			long long place =
				(((long long)of * page + at % size) * groups + group) *
				d;
			float score = 0.0f, weight;

			for (int c = 0; c < d; c++)
				score += q[c] * k[place + c];
			score *= scale;
			if (!IS(no_cap))
				score = cap * tanhf(score / cap);
			if (BY(two_pass) && pass == 0) {
				most = fmaxf(most, score);
				continue;
			}
			if (score > most) {
				float shrink = expf(most - score);

				sum *= shrink;
				for (int c = 0; c < d; c++)
					part[c] *= shrink;
				most = score;
			}
			weight = expf(score - most);
			sum += weight;
			for (int c = 0; c < d; c++)
				part[c] += weight * v[place + c];
		}
	for (int c = 0; c < d; c++)
		y[(long long)i * d + c] = part[c] / sum;
}

extern "C" __global__ void mutant_paged_reference(const float *q, const float *k,
	const float *v, const int *page_of, const int *length, float *y, float scale,
	float cap, int window, int words, int heads, int shared, int d, int pages,
	int page)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words * heads;
		i += gridDim.x * blockDim.x) {
		int word = i / heads, group = i % heads / shared, end = length[word],
		    first = 0;
		float most = -__int_as_float(0x7f800000), sum = 0;

		if (window > 0 && end > window)
			first = end - window;
		for (int c = 0; c < d; c++)
			y[i * d + c] = 0;
		for (int pass = 0; pass < 2; pass++)
			for (int t = first; t < end; t++) {
				int place = ((page_of[word * pages + t / page] * page +
						     t % page) *
							    (heads / shared) +
						    group) *
					    d;
				float score = 0;

				for (int c = 0; c < d; c++)
					score += q[i * d + c] * k[place + c];
				score = cap * tanhf(score * scale / cap);
				if (pass == 0) {
					most = score > most ? score : most;
					continue;
				}
				sum += expf(score - most);
				for (int c = 0; c < d; c++)
					y[i * d + c] +=
						expf(score - most) * v[place + c];
			}
		for (int c = 0; c < d; c++)
			y[i * d + c] /= sum;
	}
}
