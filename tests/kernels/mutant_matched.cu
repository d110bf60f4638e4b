/*
 * An automaton reads texts: in which state it is at the end, and how often it came to its
 * goal. MISTAKE none is sound.
 *
 * forgets_32    halves of a text at once: 32 letters ahead tell the state in the middle
 * forgets_64    64 letters do
 * start_0       it starts in state 0
 * start_folded  in that of the space
 * end_only      looks for its goal at the end
 * stops_at_0    a letter of 0 ends the text
 * one_less      the last letter is not read
 * half_letters  there are eight letters
 *
 * Each METHOD is sound:
 *
 * plain     letter by letter
 * by_fours  four letters at a time, and the rest
 * composed  from each state through the second half, and then from the one that is right
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_matched(const unsigned char *next, const unsigned char *text,
	int *state, int *hits, int start, int goal, int length, int states, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, now, count = 0, k = 0;
	const unsigned char *letters = text + (size_t)i * length;

	if (i >= n)
		return;
	if (IS(start_0))
		start = 0;
	if (IS(start_folded))
		start = 3;
	now = start;
	if (IS(one_less))
		length--;
	if (IS(forgets_32) || IS(forgets_64)) {
		int far = IS(forgets_32) ? 32 : 64, half = length / 2, other = start;

		for (k = half > far ? half - far : 0; k < half; k++)
			other = next[other * 16 + letters[k]];
		for (k = 0; k < half; k++) {
			now = next[now * 16 + letters[k]];
			count += now == goal;
		}
		for (now = other; k < length; k++) {
			now = next[now * 16 + letters[k]];
			count += now == goal;
		}
	}
	if (BY(composed)) {
		int half = length / 2, ends[2] = { 0, 0 };

		for (; k < half; k++) {
			now = next[now * 16 + letters[k]];
			count += now == goal;
		}
		for (int from = 0; from < states; from++) {
			int to = from, seen = 0;

			for (int m = half; m < length; m++) {
				to = next[to * 16 + letters[m]];
				seen += to == goal;
			}
			if (from == now) {
				ends[0] = to;
				ends[1] = seen;
			}
		}
		now = ends[0];
		count += ends[1];
		k = length;
	}
	if (BY(by_fours))
		for (; k + 4 <= length; k += 4)
			for (int m = 0; m < 4; m++) {
				now = next[now * 16 + letters[k + m]];
				count += now == goal;
			}
	for (; k < length; k++) {
		int letter = letters[k];

		if (IS(stops_at_0) && letter == 0)
			break;
		if (IS(half_letters))
			letter &= 7;
		now = next[now * 16 + letter];
		count += now == goal;
	}
	if (IS(end_only))
		count = now == goal;
	state[i] = now;
	hits[i] = count;
}

extern "C" __global__ void mutant_matched_reference(const unsigned char *next,
	const unsigned char *text, int *state, int *hits, int start, int goal, int length,
	int states, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int now = start, count = 0;

		for (int k = 0; k < length; k++) {
			now = next[now * 16 + text[(size_t)i * length + k]];
			count += now == goal;
		}
		state[i] = now;
		hits[i] = count;
	}
}
