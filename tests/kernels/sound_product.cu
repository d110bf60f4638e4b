/*
 * C = A B, whose elements have both signs and cancel. Each METHOD is sound.
 *
 * fused      multiply and add are rounded once
 * apart      and here twice
 * backwards  adds from the last to the first
 * tiled      through shared memory, with zeros beyond the edges
 * split      three blocks share an element's sum, in any order, upon what finish adds up
 */
#define TILE 16
#define SPLIT 3

extern "C" __global__ void sound_product(const float *a, const float *b, float *c, float *parts,
	int m, int n, int depth)
{
	int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
	float sum = 0.0f;

#if METHOD == METHOD_tiled
	__shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE + 1];

	for (int first = 0; first < depth; first += TILE) {
		int of_a = first + threadIdx.x, of_b = first + threadIdx.y;

		tile_a[threadIdx.y][threadIdx.x] =
			row < m && of_a < depth ? a[row * depth + of_a] : 0.0f;
		tile_b[threadIdx.y][threadIdx.x] =
			of_b < depth && column < n ? b[of_b * n + column] : 0.0f;
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
		__syncthreads();
	}
	if (row < m && column < n)
		c[row * n + column] = sum;
#else
	if (row >= m || column >= n)
		return;
#if METHOD == METHOD_fused
	for (int k = 0; k < depth; k++)
		sum = __fmaf_rn(a[row * depth + k], b[k * n + column], sum);
#elif METHOD == METHOD_apart
	for (int k = 0; k < depth; k++)
		sum = __fadd_rn(sum, __fmul_rn(a[row * depth + k], b[k * n + column]));
#elif METHOD == METHOD_backwards
	for (int k = depth - 1; k >= 0; k--)
		sum += a[row * depth + k] * b[k * n + column];
#else
	for (int k = blockIdx.z; k < depth; k += SPLIT)
		sum += a[row * depth + k] * b[k * n + column];
	parts[(blockIdx.z * m + row) * n + column] = sum;
	return;
#endif
	c[row * n + column] = sum;
#endif
}

extern "C" __global__ void sound_product_finish(float *c, const float *parts, int m, int n)
{
#if METHOD == METHOD_split
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n;
		i += gridDim.x * blockDim.x)
		c[i] = parts[i] + parts[m * n + i] + parts[2 * m * n + i];
#endif
}

extern "C" __global__ void sound_product_reference(const float *a, const float *b, float *c,
	float *parts, int m, int n, int depth)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n;
		i += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int k = 0; k < depth; k++)
			sum += a[i / n * depth + k] * b[k * n + i % n];
		c[i] = sum;
	}
}
