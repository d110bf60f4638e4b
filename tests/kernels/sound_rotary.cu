/*
 * Pairs of numbers turned by an angle that grows with their place, as in transformers. The
 * angle is large, so that rounding of its factor decides the fourth digit of what comes
 * out: nothing but the reference in double tells. Each METHOD is sound.
 *
 * power   the factor by powf()
 * binary  by exp2f()
 * wide    in double
 */
#include "rotary.h"

#define FREQUENCIES 32

extern "C" __global__ void sound_rotary(float2 *pairs, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, frequency = i % FREQUENCIES;
	float sine, cosine;
	float2 pair;

	if (i >= n)
		return;
	pair = pairs[i];
#if METHOD == METHOD_wide
	double angle = place[i / FREQUENCIES] * pow(1e4, -frequency / (double)FREQUENCIES);

	sine = (float)sin(angle);
	cosine = (float)cos(angle);
#else
#if METHOD == METHOD_binary
	float factor = exp2f((float)-frequency * (13.2877124f / FREQUENCIES));
#else
	float factor = powf(1e4f, (float)-frequency / FREQUENCIES);
#endif
	sincosf((float)place[i / FREQUENCIES] * factor, &sine, &cosine);
#endif
	pairs[i].x = pair.x * cosine - pair.y * sine;
	pairs[i].y = pair.x * sine + pair.y * cosine;
}

extern "C" __global__ void sound_rotary_reference(float2 *pairs, const int *place, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float angle = place[i / FREQUENCIES] *
			powf(1e4f, (float)-(i % FREQUENCIES) / FREQUENCIES);
		float x = pairs[i].x, y = pairs[i].y;

		pairs[i].x = x * cosf(angle) - y * sinf(angle);
		pairs[i].y = x * sinf(angle) + y * cosf(angle);
	}
}
