/*
 * Every other spin of a plane whose ends meet turns by chance, as its four neighbours,
 * a field and the heat say; by one of two rules. MISTAKE none is sound.
 *
 * all_turn        all turn at once
 * colour_folded   those of the space
 * no_field        no field
 * heat_folded     the heat of the space
 * no_wrap         the ends do not meet
 * rule_folded     always the first rule
 * below_or_equal  the other side of chance
 * square          takes rows for columns
 *
 * Each METHOD is sound:
 *
 * doubles         in double
 * table           chances of all sums
 * half_angle      by a hyperbolic function
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float chance(float heat, float field, int sum)
{
	if (BY(half_angle))
		return 0.5f * (1 + tanhf(heat * (sum + field)));
	if (BY(doubles))
		return 1 / (1 + exp(-2.0 * heat * ((double)sum + field)));
	return 1 / (1 + expf(-2 * heat * (sum + field)));
}

extern "C" __global__ void mutant_spins(const signed char *spin, const float *draw,
	signed char *out, int *up, float heat, float field, int colour, int rule, int w,
	int h)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, x, y, sum, now, next;

	if (i >= w * h)
		return;
	x = i % (IS(square) ? h : w);
	y = i / (IS(square) ? h : w);
	if (IS(square) && y >= h)
		y = h - 1;
	if (IS(square) && x >= w)
		x = w - 1;
	if (IS(colour_folded))
		colour = 0;
	if (IS(no_field))
		field = 0;
	if (IS(heat_folded))
		heat = 0.44f;
	if (IS(rule_folded))
		rule = 0;
	now = spin[i] > 0 ? 1 : -1;
	sum = 0;
	for (int k = 0; k < 4; k++) {
		int dx = k == 0   ? 1
			 : k == 1 ? -1
				  : 0,
		    dy = k == 2   ? 1
			 : k == 3 ? -1
				  : 0;

		if (IS(no_wrap) &&
			(x + dx < 0 || x + dx >= w || y + dy < 0 || y + dy >= h))
			continue;
		sum += spin[(y + dy + h) % h * w + (x + dx + w) % w] > 0 ? 1 : -1;
	}
	next = now;
	if ((x + y) % 2 == colour || IS(all_turn)) {
		float p =
			rule == 0 ? chance(heat, field, sum)
			: BY(doubles)
				? (float)exp(-2.0 * heat * now * ((double)sum + field))
				: expf(-2 * heat * now * (sum + field));

		if (IS(below_or_equal))
			p = rule == 0 ? 1 - p : p;
		if (rule == 0)
			next = draw[i] < p ? 1 : -1;
		else
			next = draw[i] < p ? -now : now;
	}
	out[i] = next;
	if (next > 0)
		atomicAdd(up, 1);
}

extern "C" __global__ void mutant_spins_reference(const signed char *spin,
	const float *draw, signed char *out, int *up, float heat, float field,
	int colour, int rule, int w, int h)
{
	if (blockIdx.x || threadIdx.x)
		return;
	for (int i = 0; i < w * h; i++) {
		int x = i % w, y = i / w, now = spin[i] > 0 ? 1 : -1, sum = 0;

		sum += spin[y * w + (x + 1) % w] > 0 ? 1 : -1;
		sum += spin[y * w + (x + w - 1) % w] > 0 ? 1 : -1;
		sum += spin[(y + 1) % h * w + x] > 0 ? 1 : -1;
		sum += spin[(y + h - 1) % h * w + x] > 0 ? 1 : -1;
		out[i] = now;
		if ((x + y) % 2 == colour) {
			float about = 2.0f * heat * ((float)sum + field);

			if (rule == 0)
				out[i] =
					draw[i] < 1.0f / (1.0f + expf(-about)) ? 1 : -1;
			else if (draw[i] < expf(-about * (float)now))
				out[i] = -now;
		}
		*up += out[i] > 0;
	}
}
