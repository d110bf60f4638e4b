/*
 * Turns between two turns, the short way; both are made unit first, and what has no length
 * is no turn. MISTAKE none is sound.
 *
 * long_way      may go the long way
 * no_near       divides by the sine also where both are alike
 * near_wide     a straight line up to a third of a right angle
 * never_bends   always a straight line, made unit
 * not_unit      takes them for unit
 * time_folded   the factor of the space
 * scalar_first  the fourth number is the first
 * half_time     half way
 * ends_only     one or the other
 * flips_other   turns the first one around
 *
 * Each METHOD is sound:
 *
 * acos    the angle by its cosine
 * atan    by the lengths of sum and difference
 * halves  doubles the sine of half of it
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float4 unit(float4 q)
{
	float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);

	if (length < 1e-20f)
		return make_float4(0.0f, 0.0f, 0.0f, 1.0f);
	return IS(not_unit) ? q : make_float4(q.x / length, q.y / length, q.z / length, q.w / length);
}

extern "C" __global__ void mutant_slerped(
	const float4 *a, const float4 *b, const float *time, float4 *y, float gain, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 p, q, r;
	float cosine, t, first, second, angle;

	if (i >= n)
		return;
	if (IS(time_folded))
		gain = 0.8f;
	p = unit(a[i]);
	q = unit(b[i]);
	t = IS(half_time) ? 0.5f : time[i] * gain;
	if (IS(ends_only))
		t = t < 0.5f ? 0.0f : 1.0f;
	cosine = p.x * q.x + p.y * q.y + p.z * q.z + (IS(scalar_first) ? 0.0f : p.w * q.w);
	if (cosine < 0.0f && !IS(long_way)) {
		if (IS(flips_other))
			p = make_float4(-p.x, -p.y, -p.z, -p.w);
		else
			q = make_float4(-q.x, -q.y, -q.z, -q.w);
		cosine = -cosine;
	}
	if (!IS(no_near) && cosine > (IS(near_wide) ? 0.866f : 0.9995f)) {
		first = 1.0f - t;
		second = t;
	} else if (IS(never_bends)) {
		first = 1.0f - t;
		second = t;
	} else {
		if (BY(atan) || BY(halves)) {
			float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, dw = p.w - q.w;
			float sx = p.x + q.x, sy = p.y + q.y, sz = p.z + q.z, sw = p.w + q.w;
			float off = sqrtf(dx * dx + dy * dy + dz * dz + dw * dw);
			float both = sqrtf(sx * sx + sy * sy + sz * sz + sw * sw);

			angle = BY(halves) ? 2.0f * asinf(fminf(0.5f * off, 1.0f)) : 2.0f * atan2f(off, both);
		} else {
			angle = acosf(fminf(fmaxf(cosine, -1.0f), 1.0f));
		}
		first = sinf((1.0f - t) * angle) / sinf(angle);
		second = sinf(t * angle) / sinf(angle);
	}
	r = make_float4(first * p.x + second * q.x, first * p.y + second * q.y,
		first * p.z + second * q.z, first * p.w + second * q.w);
	y[i] = unit(r);
}

extern "C" __global__ void mutant_slerped_reference(
	const float4 *a, const float4 *b, const float *time, float4 *y, float gain, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float p[4] = { a[i].x, a[i].y, a[i].z, a[i].w }, q[4] = { b[i].x, b[i].y, b[i].z, b[i].w };
		float one = 0.0f, other = 0.0f, cosine = 0.0f, t = time[i] * gain, first = 1.0f - t, second = t;
		float length = 0.0f, angle;

		for (int k = 0; k < 4; k++) {
			one += p[k] * p[k];
			other += q[k] * q[k];
		}
		one = sqrtf(one);
		other = sqrtf(other);
		for (int k = 0; k < 4; k++) {
			p[k] = one < 1e-20f ? (k == 3 ? 1.0f : 0.0f) : p[k] / one;
			q[k] = other < 1e-20f ? (k == 3 ? 1.0f : 0.0f) : q[k] / other;
			cosine += p[k] * q[k];
		}
		if (cosine < 0.0f) {
			for (int k = 0; k < 4; k++)
				q[k] = -q[k];
			cosine = -cosine;
		}
		if (cosine <= 0.9995f) {
			angle = acosf(cosine);
			first = sinf((1.0f - t) * angle) / sinf(angle);
			second = sinf(t * angle) / sinf(angle);
		}
		for (int k = 0; k < 4; k++) {
			p[k] = first * p[k] + second * q[k];
			length += p[k] * p[k];
		}
		length = sqrtf(length);
		y[i] = length < 1e-20f ? make_float4(0.0f, 0.0f, 0.0f, 1.0f)
			: make_float4(p[0] / length, p[1] / length, p[2] / length, p[3] / length);
	}
}
