/*
 * Forces and energies between particles that are less than a radius apart: a few are next
 * to each other, and their forces are far above all others. The MISTAKE, or the METHOD:
 *
 * less       the radius is a thousandth less
 * no_wrap    the box does not go on behind its end
 * half       half of the energy
 * backwards  the others in the opposite order
 * power      divides once, and takes powers of that
 */
#if defined(METHOD) && !defined(MISTAKE)
#define IS(name) (METHOD == METHOD_##name)
#define MISTAKE_less -1
#define MISTAKE_no_wrap -1
#define MISTAKE_half -1
#define MISTAKE -2
#else
#define IS(name) 0
#endif

static __device__ float apart(float a, float b, float box)
{
	float d = a - b;

#if MISTAKE == MISTAKE_no_wrap
	return d;
#endif
	return d - box * rintf(d / box);
}

extern "C" __global__ void mutant_close(const float4 *p, float4 *f, int n, float box, float radius)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f), me;
	float most = radius * radius;

	if (i >= n)
		return;
#if MISTAKE == MISTAKE_less
	most *= 0.999f;
#endif
	me = p[i];
	for (int k = 0; k < n; k++) {
		int j = IS(backwards) ? n - 1 - k : k;
		float dx = apart(me.x, p[j].x, box), dy = apart(me.y, p[j].y, box);
		float dz = apart(me.z, p[j].z, box), r = dx * dx + dy * dy + dz * dz;
		float inverse, six, force;

		if (j == i || r >= most)
			continue;
		inverse = 1.0f / fmaxf(r, 0.0025f);
		if (IS(power))
			six = powf(inverse, 3.0f);
		else
			six = inverse * inverse * inverse;
		force = 24.0f * six * (2.0f * six - 1.0f) * inverse;
		sum.x += force * dx;
		sum.y += force * dy;
		sum.z += force * dz;
#if MISTAKE == MISTAKE_half
		sum.w += 2.0f * six * (six - 1.0f);
#else
		sum.w += 4.0f * six * (six - 1.0f);
#endif
	}
	f[i] = sum;
}

extern "C" __global__ void mutant_close_reference(
	const float4 *p, float4 *f, int n, float box, float radius)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

		for (int j = 0; j < n; j++) {
			float dx = p[i].x - p[j].x, dy = p[i].y - p[j].y, dz = p[i].z - p[j].z;
			float r, six, force;

			dx -= box * rintf(dx / box);
			dy -= box * rintf(dy / box);
			dz -= box * rintf(dz / box);
			r = dx * dx + dy * dy + dz * dz;
			if (j == i || r >= radius * radius)
				continue;
			r = fmaxf(r, 0.0025f);
			six = 1.0f / (r * r * r);
			force = 24.0f * six * (2.0f * six - 1.0f) / r;
			sum.x += force * dx;
			sum.y += force * dy;
			sum.z += force * dz;
			sum.w += 4.0f * six * (six - 1.0f);
		}
		f[i] = sum;
	}
}
