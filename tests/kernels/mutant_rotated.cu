/*
 * Pairs of numbers of each head are turned by the place of their word; what is behind the
 * first R numbers stays. MISTAKE none is sound.
 *
 * halves       the first half with the second one, not neighbours
 * base_folded  the base of the space
 * all_turned   the whole head is turned
 * by_row       by the row in place of its place
 * places_512   there are 512 places
 * one_angle    all pairs by the same angle
 * other_way    turns the other way
 * rest_lost    what stays is 0
 * first_head   other heads stay
 * half_angles  angles as halves
 *
 * Each METHOD is sound:
 *
 * powers     by powf()
 * exponents  by exp2f() and log2f()
 * both       a thread for both of a pair
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif
#include <cuda_fp16.h>

extern "C" __global__ void mutant_rotated(
	const float *x, const int *place, float *y, float base, int t, int h, int d, int r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, at, pair, other, width = r, where;
	float angle, s, c;

	if (i >= t * h * d)
		return;
	if (IS(base_folded))
		base = 10000.0f;
	if (IS(all_turned))
		width = d;
	width = min(width, d) / 2 * 2;
	row = i / (h * d);
	at = i % d;
	if (at >= width || (IS(first_head) && i / d % h)) {
		y[i] = IS(rest_lost) ? 0.0f : x[i];
		return;
	}
	if (BY(both) && at % 2)
		return;
	pair = at / 2;
	other = at % 2 ? i - 1 : i + 1;
	if (IS(halves)) {
		pair = at % (width / 2);
		other = at < width / 2 ? i + width / 2 : i - width / 2;
	}
	where = IS(by_row) ? row : place[row];
	if (IS(places_512))
		where &= 511;
	angle = where * (BY(exponents) ? exp2f(-2.0f * pair / width * log2f(base))
				       : powf(base, IS(one_angle) ? 0.0f : -2.0f * pair / width));
	if (IS(half_angles))
		angle = __half2float(__float2half(angle));
	sincosf(IS(other_way) ? -angle : angle, &s, &c);
	if (BY(both)) {
		y[i] = x[i] * c - x[i + 1] * s;
		y[i + 1] = x[i + 1] * c + x[i] * s;
	} else {
		y[i] = x[i] * c + ((IS(halves) ? at < width / 2 : at % 2 == 0) ? -x[other] : x[other]) * s;
	}
}

extern "C" __global__ void mutant_rotated_reference(
	const float *x, const int *place, float *y, float base, int t, int h, int d, int r)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < t * h * d; i += gridDim.x * blockDim.x) {
		int at = i % d;
		int width = (r < d ? r : d) / 2 * 2;
		float angle;

		y[i] = x[i];
		if (at >= width)
			continue;
		angle = place[i / (h * d)] * powf(base, -2.0f * (at / 2) / width);
		y[i] = at % 2 ? x[i] * cosf(angle) + x[i - 1] * sinf(angle)
			      : x[i] * cosf(angle) - x[i + 1] * sinf(angle);
	}
}
