/*
 * An image in grey, blurred, and with other distances between its points. Each METHOD is
 * sound: they add up the same in other orders.
 *
 * direct   as the reference does it, all products in one sum
 * by_rows  sums of rows, and of these a sum
 * fused    by fused operations
 * lines    from one number to the next by its part of their difference
 */
static __device__ int inside(int i, int count) { return i < 0 ? 0 : i < count ? i : count - 1; }
static __device__ float weight(int i) { return i == 0 ? 0.3878f : i == 1 || i == -1 ? 0.2447f : 0.0614f; }
static __device__ unsigned char byte_of(float x) { return (unsigned char)fminf(x + 0.5f, 255.0f); }

extern "C" __global__ void sound_image(const unsigned char *image, unsigned char *grey,
	unsigned char *blurred, unsigned char *turned, int w, int h)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % w, y = i / w;
	const unsigned char *green = image + w * h, *blue = green + w * h;
	float sum = 0.0f;

	if (i >= w * h)
		return;
#if METHOD == METHOD_fused
	grey[i] = (unsigned char)fmaf(0.299f, image[i], fmaf(0.587f, green[i], fmaf(0.114f, blue[i], 0.5f)));
#elif METHOD == METHOD_direct
	grey[i] = byte_of(0.299f * image[i] + 0.587f * green[i] + 0.114f * blue[i]);
#else
	grey[i] = byte_of(0.114f * blue[i] + 0.587f * green[i] + 0.299f * image[i]);
#endif
	for (int dy = -2; dy <= 2; dy++) {
		const unsigned char *row = green + inside(y + dy, h) * w;
		float part = 0.0f;

		for (int dx = -2; dx <= 2; dx++)
#if METHOD == METHOD_by_rows || METHOD == METHOD_lines
			part += weight(dx) * row[inside(x + dx, w)];
		sum += weight(dy) * part;
#elif METHOD == METHOD_fused
			sum = fmaf(weight(dx) * weight(dy), row[inside(x + dx, w)], sum);
#else
			sum += weight(dx) * weight(dy) * row[inside(x + dx, w)];
#endif
	}
	blurred[i] = byte_of(sum);
	float u = fmaxf((x + 0.5f) * 0.6f - 0.5f, 0.0f), v = fmaxf((y + 0.5f) * 0.75f - 0.5f, 0.0f);
	int left = (int)u, right = inside(left + 1, w), up = (int)v, down = inside(up + 1, h);

	u -= (float)left;
	v -= (float)up;
#if METHOD == METHOD_lines
	float above = blue[up * w + left] + u * (blue[up * w + right] - blue[up * w + left]);
	float below = blue[down * w + left] + u * (blue[down * w + right] - blue[down * w + left]);

	turned[i] = byte_of(above + v * (below - above));
#elif METHOD == METHOD_by_rows
	float above = (1.0f - u) * blue[up * w + left] + u * blue[up * w + right];
	float below = (1.0f - u) * blue[down * w + left] + u * blue[down * w + right];

	turned[i] = byte_of((1.0f - v) * above + v * below);
#else
	turned[i] = byte_of((1.0f - u) * (1.0f - v) * blue[up * w + left] + u * (1.0f - v) * blue[up * w + right] +
		(1.0f - u) * v * blue[down * w + left] + u * v * blue[down * w + right]);
#endif
}

extern "C" __global__ void sound_image_reference(const unsigned char *image, unsigned char *grey,
	unsigned char *blurred, unsigned char *turned, int w, int h)
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
		float u = fmaxf((x + 0.5f) * 0.6f - 0.5f, 0.0f), v = fmaxf((y + 0.5f) * 0.75f - 0.5f, 0.0f);
		int left = (int)u, right = inside(left + 1, w), up = (int)v, down = inside(up + 1, h);

		u -= (float)left;
		v -= (float)up;
		turned[i] = byte_of((1.0f - u) * (1.0f - v) * blue[up * w + left] + u * (1.0f - v) * blue[up * w + right] +
			(1.0f - u) * v * blue[down * w + left] + u * v * blue[down * w + right]);
	}
}
