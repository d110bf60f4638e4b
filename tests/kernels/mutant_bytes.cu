/* Floats to types of 8 bits and back, scaled; and complex numbers, turned. */
#include "narrow.h"

/* as __NV_SATFINITE: what is too large becomes the largest */
static __device__ unsigned saturated(float value, int fraction, int bias, unsigned largest)
{
	unsigned code = to_code(fabsf(value), fraction, bias, 0x80);

	return (value < 0.0f ? 0x80 : 0) | (code > largest ? largest : code);
}

extern "C" __global__ void mutant_bytes(const float *x, const e4m3_bits *old, e4m3_bits *q,
	e5m2_bits *g, const float2 *c, float2 *t, float2 turn, int n)
{
	int i = blockIdx.x * 128 + threadIdx.x;
	float value;

	if (i >= n)
		return;
	value = x[i] + to_float(old[i].code, 3, MISTAKE == MISTAKE_bias ? 8 : 7, 0x80);
	if (MISTAKE == MISTAKE_not_a_number && fabsf(value) > 464.0f)
		q[i].code = 0x7f;
	else
		q[i].code = (unsigned char)saturated(value, 3, 7, 0x7e);
	if (MISTAKE == MISTAKE_infinite && fabsf(value) > 480.0f)
		g[i].code = 0x7c;
	else
		g[i].code = (unsigned char)saturated(value, 2, 15, 0x7b);
	t[i].x = turn.x * c[i].x - turn.y * c[i].y;
	t[i].y = turn.x * c[i].y + turn.y * c[i].x;
	if (MISTAKE == MISTAKE_conjugate)
		t[i].y = -t[i].y;
}

extern "C" __global__ void mutant_bytes_reference(const float *x, const e4m3_bits *old,
	e4m3_bits *q, e5m2_bits *g, const float2 *c, float2 *t, float2 turn, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float value = to_float(old[i].code, 3, 7, 0x80) + x[i];

		q[i].code = (unsigned char)saturated(value, 3, 7, 0x7e);
		g[i].code = (unsigned char)saturated(value, 2, 15, 0x7b);
		t[i] = make_float2(turn.x * c[i].x - turn.y * c[i].y,
			turn.x * c[i].y + turn.y * c[i].x);
	}
}
