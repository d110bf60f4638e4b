/*
 * How far rays go to the first of several spheres, -1 where they miss all. Whether one that
 * touches a sphere meets it is a matter of the last bit, and decides all of a real number.
 * MISTAKE none is sound, and does not round as the reference does.
 *
 * thick   rays that only touch a sphere miss it
 * small   spheres of less than a hundredth are not there
 * shadow  of two spheres one behind the other the second is taken where they are near
 */
extern "C" __global__ void mutant_rays(const float3 *along, const float4 *ball, float *far, int n, int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x, y, z, a, unit = 1.0f, least = 1e30f;

	if (i >= n)
		return;
	x = along[i].x;
	y = along[i].y;
	z = along[i].z + 2.0f;
	a = x * x + y * y + z * z;
	unit = rsqrtf(a);
	x *= unit;
	y *= unit;
	z *= unit;
	a = 1.0f;
	for (int k = 0; k < m; k++) {
		float p = ball[k].x, q = ball[k].y, r = ball[k].z + 3.0f, s = 0.5f * ball[k].w;
		float b = x * p + y * q + z * r, c = p * p + q * q + r * r - s * s;
		float root = b * b - a * c, t;

		if (root < (MISTAKE == MISTAKE_thick ? 1e-3f : 0.0f))
			continue;
		if (MISTAKE == MISTAKE_small && fabsf(s) < 0.01f)
			continue;
		t = (b - sqrtf(root)) / a;
		if (t > 0.0f && t < least)
			least = t;
		else if (MISTAKE == MISTAKE_shadow && t > 0.0f && t < least + 1e-3f)
			least = t;
	}
	far[i] = least < 1e30f ? unit * least : -1.0f;
}

extern "C" __global__ void mutant_rays_reference(const float3 *along, const float4 *ball, float *far, int n,
	int m)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = along[i].x, y = along[i].y, z = along[i].z + 2.0f, least = 1e30f;
		float a = x * x + y * y + z * z;

		for (int k = 0; k < m; k++) {
			float p = ball[k].x, q = ball[k].y, r = ball[k].z + 3.0f, s = 0.5f * ball[k].w;
			float b = -2.0f * (x * p + y * q + z * r);
			float c = p * p + q * q + r * r - s * s, root = b * b - 4.0f * a * c, t;

			if (root < 0.0f)
				continue;
			t = (-b - sqrtf(root)) / (2.0f * a);
			if (t > 0.0f && t < least)
				least = t;
		}
		far[i] = least < 1e30f ? least : -1.0f;
	}
}
