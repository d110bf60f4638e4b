/*
 * A picture that is moved by a quarter of a pixel to the left and half of one up, as
 * brightness: the texture gives parts of 255 between pixels, and the result is written to
 * a surface. MISTAKE none is sound.
 *
 * no_half        forgets that the middle of a pixel is at a half
 * bgr            takes red for blue
 * by_element     forgets that a surface counts bytes
 * by_row         takes the row for the column
 * opaque         has the fourth channel in place of the third
 * narrow         the space gives a row one pixel less
 * short          the space leaves out the last row
 *
 * Each METHOD is sound:
 *
 * by_hand        four pixels, and weights of its own
 * level          of a level, through a pointer
 * back           reads what the surface has, and writes only what differs
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define RED 0.299f
#define GREEN 0.587f
#define BLUE 0.114f

static __device__ float brightness(float4 pixel)
{
	if (IS(bgr))
		return BLUE * pixel.x + GREEN * pixel.y + RED * pixel.z;
	return RED * pixel.x + GREEN * pixel.y + BLUE * (IS(opaque) ? pixel.w : pixel.z);
}

extern "C" __global__ void mutant_textured(
	cudaTextureObject_t picture, cudaSurfaceObject_t out, int width, int height)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	const float half = IS(no_half) ? 0.0f : 0.5f;
	float value;

	if (x >= width || y >= height)
		return;
	if (BY(by_hand)) {
		const float left = x + half, top = y + half;

		value = 0.375f * brightness(tex2D<float4>(picture, left, top)) +
			0.125f * brightness(tex2D<float4>(picture, left + 1, top)) +
			0.375f * brightness(tex2D<float4>(picture, left, top + 1)) +
			0.125f * brightness(tex2D<float4>(picture, left + 1, top + 1));
	} else if (BY(level)) {
		float4 pixel;

		tex2DLod(&pixel, picture, x + half + 0.25f, y + half + 0.5f, 0.0f);
		value = brightness(pixel);
	} else if (IS(by_row)) {
		value = brightness(
			tex2D<float4>(picture, y + half + 0.25f, x + half + 0.5f));
	} else {
		value = brightness(
			tex2D<float4>(picture, x + half + 0.25f, y + half + 0.5f));
	}
	if (BY(back) && surf2Dread<float>(out, x * 4, y) == value)
		return;
	surf2Dwrite(value, out, IS(by_element) ? x : x * (int)sizeof(float), y);
}

static __device__ float plain_brightness(const uchar4 *picture, int width, int height, int x, int y)
{
	const uchar4 pixel = picture[min(y, height - 1) * width + min(x, width - 1)];

	return (RED * pixel.x + GREEN * pixel.y + BLUE * pixel.z) / 255.0f;
}

extern "C" __global__ void mutant_textured_reference(
	const uchar4 *pixels, float *bright, int width, int height)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height;
		i += gridDim.x * blockDim.x) {
		const int x = i % width, y = i / width;

		bright[i] = 0.375f * plain_brightness(pixels, width, height, x, y) +
			0.125f * plain_brightness(pixels, width, height, x + 1, y) +
			0.375f * plain_brightness(pixels, width, height, x, y + 1) +
			0.125f * plain_brightness(pixels, width, height, x + 1, y + 1);
	}
}
