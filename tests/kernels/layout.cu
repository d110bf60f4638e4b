/*
 * points of two fields, doubled; the layout is a parameter: as they come (aos), one
 * array a field (soa), or blocks of WIDTH (tiled). Pitch: what a field's array has.
 */
#if LAYOUT == LAYOUT_aos
#define AT(i, field) ((i) * 2 + (field))
#elif LAYOUT == LAYOUT_soa
#define AT(i, field) ((field) * pitch + (i))
#else
#define AT(i, field) ((i) / WIDTH * 2 * WIDTH + (field) * WIDTH + (i) % WIDTH)
#endif
#define FIRST (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void to_layout(const float2 *points, float *packed, int n, int pitch)
{
	int i = FIRST;

	if (i < n) {
		packed[AT(i, 0)] = points[i].x;
		packed[AT(i, 1)] = points[i].y;
	}
}

extern "C" __global__ void twice(const float *packed, float *result, int n, int pitch)
{
	int i = FIRST;

	if (i < n) {
		result[AT(i, 0)] = 2.0f * packed[AT(i, 0)];
#ifdef FORGET_Y
		result[AT(i, 1)] = packed[AT(i, 1)];
#else
		result[AT(i, 1)] = 2.0f * packed[AT(i, 1)];
#endif
	}
}

extern "C" __global__ void from_layout(const float *result, float2 *doubled, int n, int pitch)
{
	int i = FIRST;

	if (i < n)
		doubled[i] = make_float2(result[AT(i, 0)], result[AT(i, 1)]);
}

extern "C" __global__ void twice_reference(const float2 *points, float2 *doubled, int n)
{
	for (int i = FIRST; i < n; i += gridDim.x * blockDim.x)
		doubled[i] = make_float2(2.0f * points[i].x, 2.0f * points[i].y);
}
