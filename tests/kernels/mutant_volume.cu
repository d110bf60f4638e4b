/*
 * A filter along the rows of a volume whose rows are so many bytes apart, as
 * cudaMalloc3D() gives: each number plus half of its neighbours in the row, and a quarter
 * of the number in the row below. MISTAKE none is sound.
 *
 * reads_padding  the last number of a row has the padding as its neighbour
 * weighs_padding multiplies the padding by 0, and adds the product
 * writes_padding stores four numbers at a time
 * writes_last    the padding of the last row is set to 0
 * no_pitch       rows of the input are as far apart as they are wide
 * no_out_pitch   rows of the output are
 * one_pitch      rows of the input are as far apart as those of the output
 * flat           the numbers of all rows follow each other, in both
 * flat_slices    slices follow each other without padding
 *
 * Each METHOD is sound:
 *
 * loads_padding  loads four numbers at a time, and uses none of the padding
 * by_index       a thread for each number of the volume
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ const float *row_of(
	const float *data, int pitch, int width, int height, int y, int z)
{
	const size_t slice = IS(flat_slices) ? (size_t)height * width * 4 : (size_t)height * pitch;

	return (const float *)((const char *)data + z * slice +
			       (size_t)y * (IS(flat) ? width * 4 : pitch));
}

static __device__ float filtered(
	const float *in, int pitch, int width, int height, int x, int y, int z)
{
	const float *row = row_of(in, pitch, width, height, y, z);
	const float *below = row_of(in, pitch, width, height, min(y + 1, height - 1), z);
	float value = row[x] + 0.25f * below[x];

	if (BY(loads_padding) && x + 1 < width) {
		/* a row begins at a multiple of 16 bytes */
		const float4 next = *(const float4 *)(row + (x + 1) / 4 * 4);
		const float four[4] = { next.x, next.y, next.z, next.w };

		value += 0.5f * four[(x + 1) % 4];
	} else if (x + 1 < width || IS(reads_padding)) {
		value += 0.5f * row[x + 1];
	} else if (IS(weighs_padding)) {
		value += 0.0f * row[x + 1];
	}
	return x > 0 ? value + 0.5f * row[x - 1] : value;
}

extern "C" __global__ void mutant_volume(const float *in, float *out, int width, int height,
	int depth, int in_pitch, int out_pitch)
{
	const int from = IS(no_pitch) ? width * 4 : IS(one_pitch) ? out_pitch : in_pitch;
	const int to = IS(no_out_pitch) ? width * 4 : out_pitch;
	const int end = IS(writes_padding) ? (width + 3) / 4 * 4 : width;
	const int rows = height * depth;

	if (BY(by_index)) {
		const size_t stride = (size_t)gridDim.x * blockDim.x;

		for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
			i < (size_t)rows * width; i += stride) {
			const int x = i % width, y = i / width % height;
			const int z = i / width / height;

			*(float *)((char *)out + i / width * to + 4 * x) =
				filtered(in, from, width, height, x, y, z);
		}
		return;
	}
	for (int row = blockIdx.x; row < rows; row += gridDim.x) {
		const int y = row % height, z = row / height;
		float *result = (float *)row_of(out, to, width, height, y, z);

		for (int x = threadIdx.x; x < end; x += blockDim.x)
			result[x] = x < width ? filtered(in, from, width, height, x, y, z)
					      : 0.0f;
		if (IS(writes_last) && row == rows - 1 && threadIdx.x == 0)
			result[width] = 0.0f;
	}
}

extern "C" __global__ void mutant_volume_reference(const float *in, float *out, int width,
	int height, int depth, int in_pitch, int out_pitch)
{
	const int stride = gridDim.x * blockDim.x;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height * depth;
		i += stride) {
		const int x = i % width, y = i / width % height, row = i / width;
		const float *at = (const float *)((const char *)in + (size_t)row * in_pitch);
		const float *below = y + 1 < height ? at + in_pitch / 4 : at;
		float value = at[x] + 0.25f * below[x];

		if (x + 1 < width)
			value += 0.5f * at[x + 1];
		if (x > 0)
			value += 0.5f * at[x - 1];
		*(float *)((char *)out + (size_t)row * out_pitch + 4 * x) = value;
	}
}

/* Rows that follow each other, to rows with padding and back, as `prepare` and `finish`
   copy them where the pitch is a tuning parameter. */
static __device__ void copy_rows(
	const float *from, float *to, int width, int rows, int from_pitch, int to_pitch)
{
	for (int row = blockIdx.x; row < rows; row += gridDim.x)
		for (int x = threadIdx.x; x < width; x += blockDim.x)
			to[(size_t)row * (to_pitch / 4) + x] =
				from[(size_t)row * (from_pitch / 4) + x];
}

extern "C" __global__ void pad(
	const float *from, float *to, int width, int height, int depth, int to_pitch)
{
	copy_rows(from, to, width, height * depth, width * 4, to_pitch);
}

extern "C" __global__ void cut(
	const float *from, float *to, int width, int height, int depth, int from_pitch)
{
	copy_rows(from, to, width, height * depth, from_pitch, width * 4);
}
