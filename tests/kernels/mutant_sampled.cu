/*
 * The next word of each row: the likeliest that have a part of all together, and of these
 * the one that a given number at random falls to. MISTAKE none is sound.
 *
 * no_temperature  the temperature of the space
 * without_last    leaves out the word that goes over the part
 * last_of_equal   of equal words the last one is likelier
 * unscaled        takes the number at random beside all words
 * sixteen         keeps sixteen words
 * from_zero       the largest is 0 at least
 * first_word      the likeliest word
 * no_most         ignores how many words to keep at most
 *
 * Each METHOD is sound:
 *
 * ranks           by the rank of each
 * doubles         chances in double
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#ifdef METHOD
#if METHOD == METHOD_doubles
typedef double chance_t;
#else
typedef float chance_t;
#endif
#else
typedef float chance_t;
#endif

static __device__ bool is_ahead(float a, int at, float b, int of)
{
	if (IS(last_of_equal))
		return a > b || (a == b && at > of);
	return a > b || (a == b && at < of);
}

extern "C" __global__ void mutant_sampled(const float *logits, const float *given, int *word,
	float *chance, float temperature, float part, int most, int rows, int words)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, kept = 0, last = -1, chosen = -1;
	float largest;
	chance_t sum = 0, before = 0, fallen, share = 0;

	if (row >= rows)
		return;
	logits += (long long)row * words;
	if (IS(no_temperature))
		temperature = 0.8f;
	if (IS(no_most) || most > words || most <= 0)
		most = words;
	if (IS(sixteen))
		most = min(most, 16);
	largest = logits[0];
	for (int i = 1; i < words; i++)
		largest = fmaxf(largest, logits[i]);
	if (IS(from_zero))
		largest = fmaxf(largest, 0.0f);
	for (int i = 0; i < words; i++)
		sum += expf((logits[i] - largest) / temperature);
	while (kept < most && before < part * sum) {
		int best = -1;

		if (BY(ranks)) {
			for (int i = 0; i < words && best < 0; i++) {
				int rank = 0;

				for (int j = 0; j < words; j++)
					rank += is_ahead(logits[j], j, logits[i], i);
				if (rank == kept)
					best = i;
			}
		} else {
			for (int i = 0; i < words; i++)
				if ((last < 0 || is_ahead(logits[last], last, logits[i], i)) &&
					(best < 0 || is_ahead(logits[i], i, logits[best], best)))
					best = i;
		}
		share = expf((logits[best] - largest) / temperature);
		if (IS(without_last) && kept && before + share > part * sum)
			break;
		before += share;
		last = best;
		kept++;
		if (IS(first_word))
			break;
	}
	fallen = given[row] * (IS(unscaled) ? sum : before);
	sum = before;
	before = 0;
	last = -1;
	for (int k = 0; k < kept; k++) {
		int best = -1;

		for (int i = 0; i < words; i++)
			if ((last < 0 || is_ahead(logits[last], last, logits[i], i)) &&
				(best < 0 || is_ahead(logits[i], i, logits[best], best)))
				best = i;
		chosen = last = best;
		share = expf((logits[best] - largest) / temperature);
		before += share;
		if (before > fallen)
			break;
	}
	word[row] = chosen;
	chance[row] = share / sum;
}

extern "C" __global__ void mutant_sampled_reference(const float *logits, const float *given,
	int *word, float *chance, float temperature, float part, int most, int rows, int words)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		const float *x = logits + (long long)row * words;
		float largest = x[0], sum = 0.0f, kept = 0.0f, so_far = 0.0f, own = 0.0f;
		int limit = most > 0 && most < words ? most : words, count = 0, last = -1;

		for (int i = 0; i < words; i++)
			largest = fmaxf(largest, x[i]);
		for (int i = 0; i < words; i++)
			sum += expf((x[i] - largest) / temperature);
		for (int pass = 0; pass < 2; pass++) {
			last = -1;
			for (int k = 0; pass ? k < count : (count < limit && kept < part * sum); k++) {
				int best = -1;

				for (int i = 0; i < words; i++)
					if ((last < 0 || x[i] < x[last] || (x[i] == x[last] && i > last)) &&
						(best < 0 || x[i] > x[best]))
						best = i;
				last = best;
				own = expf((x[best] - largest) / temperature);
				if (!pass) {
					kept += own;
					count++;
					continue;
				}
				so_far += own;
				if (so_far > given[row] * kept)
					break;
			}
		}
		word[row] = last;
		chance[row] = own / kept;
	}
}
