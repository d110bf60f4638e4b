/*
 * Scores of the next word: of words that were there before those above 0 are divided and
 * others multiplied by a factor, once; a word that would repeat a pair is lost. MISTAKE none
 * is sound.
 *
 * always_divides  divides those below 0, too
 * each_time       once for each time that it was there
 * last_32         looks at the last 32 words
 * one_factor      the factor of the space
 * pairs_anywhere  a word that ever followed any word
 * no_pairs        no word is lost
 * end_counts      the last word is a pair with itself
 * length_ignored  all texts are long
 * zero_divided    a score of 0 is lost
 * last_pair       looks at the last pair that begins so only
 * first_word      the first word does not count
 *
 * Each METHOD is sound:
 *
 * looks        looks at all words
 * from_behind  from the last word on
 * marks        marks in shared memory
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_penalized(const float *score, const int *before,
	const int *length, float *y, float factor, float lost, int v, int t, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / v, word = i % v, end, times = 0;
	bool is_lost = false;
	float own;

	if (i >= n * v)
		return;
	if (IS(one_factor))
		factor = 1.3f;
	before += (size_t)row * t;
	end = IS(length_ignored) ? t : min(length[row], t);
	own = score[i];
	for (int l = 0; l < end; l++) {
		int k = BY(from_behind) || IS(last_pair) ? end - 1 - l : l;

		if (IS(last_32) && k < end - 32)
			continue;
		if (IS(first_word) && k == 0)
			continue;
		times += before[k] == word;
		if (k + 1 < end && (before[k] == before[end - 1] || IS(pairs_anywhere))) {
			is_lost = is_lost || before[k + 1] == word;
			if (IS(last_pair) && before[k + 1] != word)
				break;
		}
	}
	if (BY(marks)) {
		times = 0;
		for (int k = 0; k < end && !times; k++)
			times = before[k] == word;
	}
	if (IS(end_counts) && end && before[end - 1] == word)
		is_lost = true;
	if (!IS(each_time))
		times = min(times, 1);
	for (int k = 0; k < times; k++)
		own = own > 0.0f || IS(always_divides) ? own / factor : own * factor;
	if (IS(zero_divided) && own == 0.0f)
		is_lost = true;
	y[i] = is_lost && !IS(no_pairs) ? lost : own;
}

extern "C" __global__ void mutant_penalized_reference(const float *score, const int *before,
	const int *length, float *y, float factor, float lost, int v, int t, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * v; i += gridDim.x * blockDim.x) {
		const int *text = before + (size_t)(i / v) * t;
		int end = length[i / v] < t ? length[i / v] : t;
		bool is_there = false, is_lost = false;

		for (int k = 0; k < end; k++) {
			is_there = is_there || text[k] == i % v;
			is_lost = is_lost || (k + 1 < end && text[k] == text[end - 1] && text[k + 1] == i % v);
		}
		y[i] = is_lost ? lost
			: !is_there ? score[i]
			: score[i] > 0.0f ? score[i] / factor : score[i] * factor;
	}
}
