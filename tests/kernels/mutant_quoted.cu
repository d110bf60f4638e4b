/*
 * Which letters of lines are inside of quotes, and how many commas are outside. Behind an
 * odd number of escapes a quote does not count, also outside. MISTAKE none is sound.
 *
 * one_back         looks one letter back for an escape
 * runs_8           looks eight letters back
 * runs_even        any escape ahead makes a quote none
 * by_parts         each part of 64 letters begins outside
 * never_ends       from the first quote on all is inside
 * quote_folded     the quote of the space
 * escapes_outside  outside an escape means nothing
 * counts_bytes     counts commas in eight bits
 * spaces_count     counts commas inside, too
 * line_64          of each line 64 letters
 *
 * Each METHOD is sound:
 *
 * walks       letter by letter
 * parity      each letter counts the quotes ahead
 * warp_parts  parts of 32 letters, whose parities are added up
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ bool is_quote(const unsigned char *text, int i, int quote, int escape)
{
	int run = 0, most = IS(one_back) ? 1 : IS(runs_8) ? 8 : i;

	if (text[i] != quote)
		return false;
	while (run < most && i - run > 0 && text[i - run - 1] == escape)
		run++;
	if (IS(runs_even))
		return run == 0;
	return run % 2 == 0;
}

extern "C" __global__ void mutant_quoted(const unsigned char *text, unsigned char *inside,
	int *commas, int quote, int escape, int comma, int l, int n)
{
	__shared__ int parts[1024];
	const unsigned char *line = text + (size_t)blockIdx.x * l;
	unsigned char *y = inside + (size_t)blockIdx.x * l;

	if (IS(quote_folded))
		quote = 94;
	if (BY(warp_parts) && l <= 32 * 1024) {
		for (int part = threadIdx.x; part * 32 < l; part += blockDim.x) {
			parts[part] = 0;
			for (int k = part * 32; k < l && k < part * 32 + 32; k++)
				parts[part] ^= is_quote(line, k, quote, escape);
		}
		__syncthreads();
		for (int part = threadIdx.x; part * 32 < l; part += blockDim.x) {
			int state = 0;

			for (int k = 0; k < part; k++)
				state ^= parts[k];
			for (int k = part * 32; k < l && k < part * 32 + 32; k++) {
				state ^= is_quote(line, k, quote, escape);
				y[k] = (unsigned char)state;
			}
		}
		__syncthreads();
	} else if (BY(parity)) {
		for (int i = threadIdx.x; i < l; i += blockDim.x) {
			int count = 0;

			for (int k = 0; k <= i; k++)
				count += is_quote(line, k, quote, escape);
			y[i] = count % 2;
		}
		__syncthreads();
	} else if (threadIdx.x == 0) {
		int state = 0, run = 0;

		for (int k = 0; k < l; k++) {
			if (IS(by_parts) && k % 64 == 0)
				state = 0;
			if (IS(escapes_outside)) {
				if (line[k] == quote && (run % 2 == 0 || !state))
					state ^= 1;
				run = line[k] == escape && state ? run + 1 : 0;
			} else if (is_quote(line, k, quote, escape)) {
				state = IS(never_ends) ? 1 : state ^ 1;
			}
			y[k] = IS(line_64) && k >= 64 ? 0 : (unsigned char)state;
		}
	}
	if (threadIdx.x == 0) {
		int count = 0;

		for (int k = 0; k < l; k++)
			count += line[k] == comma && (!y[k] || IS(spaces_count));
		commas[blockIdx.x] = IS(counts_bytes) ? count & 31 : count;
	}
}

extern "C" __global__ void mutant_quoted_reference(const unsigned char *text,
	unsigned char *inside, int *commas, int quote, int escape, int comma, int l, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		bool is_inside = false, is_escaped = false;

		commas[i] = 0;
		for (int k = 0; k < l; k++) {
			int letter = text[(size_t)i * l + k];

			if (letter == quote && !is_escaped)
				is_inside = !is_inside;
			is_escaped = letter == escape && !is_escaped;
			inside[(size_t)i * l + k] = is_inside;
			commas[i] += letter == comma && !is_inside;
		}
	}
}
