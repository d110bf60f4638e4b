/* Reads and writes of textures and surfaces, at coordinates that a test gives. */

extern "C" __global__ void sample(cudaTextureObject_t texture, int rank, const float3 *at,
	float4 *out, int n)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		out[i] = rank == 0 ? tex1Dfetch<float4>(texture, (int)at[i].x)
			: rank == 1 ? tex1D<float4>(texture, at[i].x)
			: rank == 2 ? tex2D<float4>(texture, at[i].x, at[i].y)
			: tex3D<float4>(texture, at[i].x, at[i].y, at[i].z);
}

template <class T>
static __device__ int is_equal(const T &a, const T &b)
{
	for (unsigned i = 0; i < sizeof(T); i++)
		if (((const char *)&a)[i] != ((const char *)&b)[i])
			return 0;
	return 1;
}

/* All forms of a read give the same; types of fewer channels give the first ones. */
extern "C" __global__ void forms(
	cudaTextureObject_t texture, float x, float y, unsigned *words, int *equal)
{
	uint4 whole = tex2D<uint4>(texture, x, y), by_pointer, by_level;
	unsigned char part;

	tex2D(&by_pointer, texture, x, y);
	tex2DLod(&by_level, texture, x, y, 2.0f);
	tex2D(&part, texture, x, y);
	words[0] = whole.x;
	words[1] = whole.y;
	words[2] = whole.z;
	words[3] = whole.w;
	equal[0] = is_equal(whole, by_pointer);
	equal[1] = is_equal(whole, by_level);
	equal[2] = is_equal(whole, tex2DLod<uint4>(texture, x, y, 0.0f));
	equal[3] = is_equal(make_uint2(whole.x, whole.y), tex2D<uint2>(texture, x, y));
	equal[4] = part == (unsigned char)whole.x;
	equal[5] = tex2D<signed char>(texture, x, y) == (signed char)whole.x;
	equal[6] = is_equal(make_short4((short)whole.x, (short)whole.y, (short)whole.z,
				    (short)whole.w),
		tex2D<short4>(texture, x, y));
}

/* Reads a word, and writes another one to the same place. */
extern "C" __global__ void access(cudaSurfaceObject_t surface, int rank, int x, int y, int z,
	int mode, unsigned *read, unsigned written)
{
	cudaSurfaceBoundaryMode outside = (cudaSurfaceBoundaryMode)mode;

	if (rank == 1) {
		*read = surf1Dread<unsigned>(surface, x, outside);
		surf1Dwrite(written, surface, x, outside);
	} else if (rank == 2) {
		surf2Dread(read, surface, x, y, outside);
		surf2Dwrite(written, surface, x, y, outside);
	} else {
		*read = surf3Dread<unsigned>(surface, x, y, z, outside);
		surf3Dwrite(written, surface, x, y, z, outside);
	}
}
