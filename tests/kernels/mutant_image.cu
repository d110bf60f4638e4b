/*
 * An image in grey, and made smooth by two kinds of weights. The MISTAKE:
 *
 * half_even     what needs no rounding and is half a step goes to the even one
 * coarse        a weight of three digits
 * fixed_point   weights in parts of 65536, cut off instead of rounded
 * edge          the last column is not repeated
 * rounded_rows  sums of rows are rounded to bytes
 * half_sums     sums have as many digits as a half
 */
static __device__ int inside(int i, int count) { return i < 0 ? 0 : i < count ? i : count - 1; }
static __device__ float weight(int i) { return i == 0 ? 0.4026f : i == 1 || i == -1 ? 0.2442f : 0.0545f; }
static __device__ unsigned char byte_of(float x) { return (unsigned char)fminf(x + 0.5f, 255.0f); }
static __device__ float shortened(float x)
{
#if MISTAKE == MISTAKE_half_sums
	return __int_as_float(__float_as_int(x) & ~0x1fff);
#else
	return x;
#endif
}

extern "C" __global__ void mutant_image(const unsigned char *image, unsigned char *grey,
	unsigned char *blurred, unsigned char *smooth, int w, int h)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % w, y = i / w;
	const unsigned char *green = image + w * h, *blue = green + w * h;
	float sum = 0.0f, part = 0.0f;

	if (i >= w * h)
		return;
#if MISTAKE == MISTAKE_fixed_point
	grey[i] = (unsigned char)((19595 * image[i] + 38469 * green[i] + 7471 * blue[i] + 32767) >> 16);
#elif MISTAKE == MISTAKE_coarse
	grey[i] = byte_of(0.298f * image[i] + 0.588f * green[i] + 0.114f * blue[i]);
#else
	grey[i] = byte_of(0.114f * blue[i] + 0.299f * image[i] + 0.587f * green[i]);
#endif
	for (int dy = -2; dy <= 2; dy++) {
		const unsigned char *row = green + inside(y + dy, h) * w;

		part = 0.0f;
		for (int dx = -2; dx <= 2; dx++) {
#if MISTAKE == MISTAKE_edge
			if (x + dx >= w)
				continue;
#endif
			part = shortened(part + weight(dx) * row[inside(x + dx, w)]);
		}
#if MISTAKE == MISTAKE_rounded_rows
		part = rintf(part);
#endif
		sum += weight(dy) * part;
	}
	blurred[i] = byte_of(sum);
	part = 0.25f * blue[y * w + inside(x - 1, w)] + 0.5f * blue[i] + 0.25f * blue[y * w + inside(x + 1, w)];
#if MISTAKE == MISTAKE_half_even
	smooth[i] = (unsigned char)rintf(part);
#else
	smooth[i] = byte_of(part);
#endif
}

extern "C" __global__ void mutant_image_reference(const unsigned char *image, unsigned char *grey,
	unsigned char *blurred, unsigned char *smooth, int w, int h)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += gridDim.x * blockDim.x) {
		const unsigned char *green = image + w * h, *blue = green + w * h;
		int x = i % w, y = i / w;
		float sum = 0.0f;

		grey[i] = byte_of(0.299f * image[i] + 0.587f * green[i] + 0.114f * blue[i]);
		for (int dy = -2; dy <= 2; dy++)
			for (int dx = -2; dx <= 2; dx++)
				sum += weight(dx) * weight(dy) * green[inside(y + dy, h) * w + inside(x + dx, w)];
		blurred[i] = byte_of(sum);
		smooth[i] = byte_of(0.25f * blue[y * w + inside(x - 1, w)] + 0.5f * blue[i] +
			0.25f * blue[y * w + inside(x + 1, w)]);
	}
}
