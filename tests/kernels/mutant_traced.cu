/*
 * The best way through states, of equal ones the one with the lowest states from the end
 * on, and -1 behind the end of a row. MISTAKE none is sound.
 *
 * last_of_equal   of equal states the highest
 * no_start        the first state costs nothing
 * greedy          the best next state in each step
 * from_last_best  each place has the best state there
 * seven_states    the states of the space
 * length_ignored  all rows are long
 * folded_move     moves are as good in the other direction
 * end_state_0     ends in the first state
 * floors          no score is below 0
 * byte_scores     scores in 8 bits
 *
 * Each METHOD is sound:
 *
 * forwards   keeps where each state came from
 * backwards  keeps all scores and looks for where they came from
 * again      computes the scores anew for each step back
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif
#define STATES 16
#define STEPS 64

extern "C" __global__ void mutant_traced(const int *score, const int *move, const int *start,
	const int *length, int *way, int *best, int n, int t, int s)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, end, state = 0;
	int now[STATES], next[STATES];
	unsigned char from[STEPS][STATES];

	if (i >= n)
		return;
	score += (size_t)i * t * s;
	way += (size_t)i * t;
	end = IS(length_ignored) ? t : length[i] < t ? length[i] : t;
	if (IS(seven_states))
		s = 7;
	for (int k = end; k < t; k++)
		way[k] = -1;
	if (BY(backwards) || BY(again) || s > STATES || t > STEPS) {
		/* without room: as many passes as steps */
		for (int last = end - 1; last >= 0; last--) {
			int found = 0;

			for (int k = 0; k < s; k++)
				now[k < STATES ? k : 0] = start[k] + score[k];
			if (s > STATES)
				return;
			for (int k = 1; k <= last; k++) {
				for (int to = 0; to < s; to++) {
					next[to] = now[0] + move[to];
					for (int o = 1; o < s; o++)
						next[to] = max(next[to], now[o] + move[o * s + to]);
					next[to] += score[k * s + to];
				}
				for (int to = 0; to < s; to++)
					now[to] = next[to];
			}
			for (int k = 1; k < s; k++) {
				int one = now[k], other = now[found];

				if (last < end - 1) {
					one += move[k * s + state];
					other += move[found * s + state];
				}
				if (one > other)
					found = k;
			}
			if (last == end - 1)
				best[i] = now[found];
			state = found;
			way[last] = state;
		}
		return;
	}
	for (int k = 0; k < s; k++)
		now[k] = (IS(no_start) ? 0 : start[k]) + score[k];
	for (int k = 1; k < end; k++) {
		for (int to = 0; to < s; to++) {
			int origin = 0, most = now[0] + move[to];

			for (int o = 1; o < s; o++) {
				int other = now[o] + (IS(folded_move) ? move[to * s + o] : move[o * s + to]);

				if (IS(last_of_equal) ? other >= most : other > most) {
					most = other;
					origin = o;
				}
			}
			from[k][to] = origin;
			next[to] = most + score[k * s + to];
			if (IS(floors) && next[to] < 0)
				next[to] = 0;
			if (IS(byte_scores))
				next[to] = (short)next[to] < -1000 ? -1000 : next[to] & 2047;
		}
		for (int to = 0; to < s; to++)
			now[to] = next[to];
		if (IS(from_last_best) || IS(greedy)) {
			int top = 0;

			for (int o = 1; o < s; o++)
				if (now[o] > now[top])
					top = o;
			way[k] = top;
			if (IS(greedy))
				for (int o = 0; o < s; o++)
					now[o] = now[top];
		}
	}
	for (int k = 1; k < s && !IS(end_state_0); k++)
		if (IS(last_of_equal) ? now[k] >= now[state] : now[k] > now[state])
			state = k;
	best[i] = now[state];
	for (int k = end - 1; k >= 0; k--) {
		if (!(IS(from_last_best) || IS(greedy)) || k == 0)
			way[k] = state;
		if (k)
			state = from[k][state];
	}
}

extern "C" __global__ void mutant_traced_reference(const int *score, const int *move,
	const int *start, const int *length, int *way, int *best, int n, int t, int s)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		const int *row = score + (size_t)i * t * s;
		int end = length[i] < t ? length[i] : t, state = 0;
		int now[64], next[64];

		for (int k = 0; k < t; k++)
			way[i * t + k] = -1;
		/* steps back: each time the scores up to there */
		for (int last = end - 1; last >= 0; last--) {
			int found = 0;

			for (int k = 0; k < s; k++)
				now[k] = start[k] + row[k];
			for (int k = 1; k <= last; k++) {
				for (int to = 0; to < s; to++) {
					next[to] = -1000000;
					for (int o = 0; o < s; o++)
						if (now[o] + move[o * s + to] > next[to])
							next[to] = now[o] + move[o * s + to];
					next[to] += row[k * s + to];
				}
				for (int to = 0; to < s; to++)
					now[to] = next[to];
			}
			for (int k = 1; k < s; k++)
				if (now[k] + (last < end - 1 ? move[k * s + state] : 0) >
					now[found] + (last < end - 1 ? move[found * s + state] : 0))
					found = k;
			if (last == end - 1)
				best[i] = now[found];
			state = found;
			way[i * t + last] = state;
		}
	}
}
