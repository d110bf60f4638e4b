/*
 * Lines through edges: each pixel at a limit or above votes for all lines through it,
 * by angle and distance. MISTAKE none is sound.
 *
 * above_limit    who is at the limit has no vote
 * limit_folded   the limit of the space
 * cut_off        distances cut off, not rounded
 * ahead_only     lines behind the corner have no votes
 * square         takes the height for the width
 * few_votes      at most 31 votes
 * angles_folded  knows how many angles there are
 * one_wide       distances are one apart
 *
 * Each METHOD is sound:
 *
 * doubles        in double
 * half_turns     angles as parts of a half turn
 * by_pixels      each pixel votes
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_votes(const unsigned char *edge, unsigned *votes,
	int limit, float wide, int width, int height, int angles, int distances)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x, angle = k / distances,
	    bin = k % distances;
	float part, c, s;
	unsigned sum = 0;

	if (k >= angles * distances)
		return;
	if (IS(limit_folded))
		limit = 200;
	if (IS(one_wide))
		wide = 1;
	part = (float)angle / (IS(angles_folded) ? 60 : angles);
	c = BY(half_turns) ? cospif(part) : cosf(3.14159265f * part);
	s = BY(half_turns) ? sinpif(part) : sinf(3.14159265f * part);
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			int at = IS(square) ? y * height + x : y * width + x, place;

			if (at >= width * height)
				continue;
			if (IS(above_limit) ? edge[at] <= limit : edge[at] < limit)
				continue;
			if (BY(doubles))
				place = (int)floor(
					((double)x * cos(3.14159265f * (double)part) +
						(double)y * sin(3.14159265f *
								    (double)part)) /
						wide +
					0.5);
			else if (IS(cut_off))
				place = (int)((x * c + y * s) / wide);
			else
				place = (int)floorf((x * c + y * s) / wide + 0.5f);
			if (IS(ahead_only) && place < 0)
				continue;
			sum += place + distances / 2 == bin;
		}
	votes[k] = IS(few_votes) ? min(sum, 31u) : sum;
}

extern "C" __global__ void mutant_votes_reference(const unsigned char *edge,
	unsigned *votes, int limit, float wide, int width, int height, int angles,
	int distances)
{
	int angle = blockIdx.x * blockDim.x + threadIdx.x;

	for (; angle < angles; angle += gridDim.x * blockDim.x) {
		float turn = 3.14159265f * ((float)angle / angles), c = cosf(turn),
		      s = sinf(turn);

		for (int i = 0; i < distances; i++)
			votes[angle * distances + i] = 0;
		for (int y = 0; y < height; y++)
			for (int x = 0; x < width; x++) {
				int place = (int)floorf((x * c + y * s) / wide + 0.5f) +
					    distances / 2;

				if (edge[y * width + x] >= limit && place >= 0 &&
					place < distances)
					votes[angle * distances + place]++;
			}
	}
}
