/*
 * A picture over another one by its alpha and one opacity, divided by 255 to the
 * nearest; and how many of its dots are opaque, which are added. MISTAKE none is sound.
 *
 * by_256         divides by 256
 * truncates      cuts off
 * no_opacity     takes all of it for opaque
 * opaque_copies  copies where alpha is 254 or more
 * skips_clear    where alpha is 0 writes nothing
 * alpha_too      alpha is that of the upper one
 * sets_count     sets the count
 * wraps          sums in eight bits
 *
 * Each METHOD is sound:
 *
 * shifts         divides by shifts
 * early          copies where alpha is 0 or 255
 * floats         in floats
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ unsigned divided(unsigned value)
{
	if (IS(by_256))
		return (value + 128) >> 8;
	if (IS(truncates))
		return value / 255;
	if (BY(shifts)) {
		value += 128;
		return (value + (value >> 8)) >> 8;
	}
	return (value + 127) / 255;
}

static __device__ unsigned char mixed(unsigned a, unsigned b, unsigned alpha)
{
	if (BY(floats))
		return (unsigned char)((
			int)(((float)(a * alpha + b * (255 - alpha)) + 127.0f) /
				     255.0f +
			     1e-4f));
	if (IS(wraps))
		return (unsigned char)(divided(a * alpha) + divided(b * (255 - alpha)));
	return (unsigned char)divided(a * alpha + b * (255 - alpha));
}

extern "C" __global__ void mutant_blended(const uchar4 *over, const uchar4 *under,
	uchar4 *y, unsigned *covered, int opacity, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	uchar4 a, b, out;
	unsigned alpha;

	if (i >= n)
		return;
	a = over[i];
	b = under[i];
	alpha = IS(no_opacity) ? a.w : divided(a.w * (unsigned)opacity);
	if (IS(sets_count) && i == 0) {
		unsigned count = 0;

		for (int k = 0; k < n; k++)
			count += divided(over[k].w * (unsigned)opacity) == 255;
		*covered = count;
	}
	if (alpha == 255 && !IS(sets_count))
		atomicAdd(covered, 1u);
	if (IS(skips_clear) && alpha == 0)
		return;
	if ((IS(opaque_copies) && alpha >= 254) || (BY(early) && alpha == 255)) {
		a.w = (unsigned char)(alpha == 255 ? 255 : a.w);
		y[i] = a;
		if (BY(early))
			y[i].w = 255;
		return;
	}
	if (BY(early) && alpha == 0) {
		y[i] = b;
		return;
	}
	out.x = mixed(a.x, b.x, alpha);
	out.y = mixed(a.y, b.y, alpha);
	out.z = mixed(a.z, b.z, alpha);
	out.w = IS(alpha_too) ? (unsigned char)alpha : mixed(255, b.w, alpha);
	y[i] = out;
}

extern "C" __global__ void mutant_blended_reference(const uchar4 *over,
	const uchar4 *under, uchar4 *y, unsigned *covered, int opacity, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		unsigned alpha = (over[i].w * (unsigned)opacity + 127) / 255,
			 rest = 255 - alpha;

		if (alpha == 255)
			atomicAdd(covered, 1u);
		y[i].x = (unsigned char)((over[i].x * alpha + under[i].x * rest + 127) /
					 255);
		y[i].y = (unsigned char)((over[i].y * alpha + under[i].y * rest + 127) /
					 255);
		y[i].z = (unsigned char)((over[i].z * alpha + under[i].z * rest + 127) /
					 255);
		y[i].w = (unsigned char)((255 * alpha + under[i].w * rest + 127) / 255);
	}
}
