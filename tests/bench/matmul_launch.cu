/*
 * The matmul template in one configuration, and its launch, under the names that
 * KERNEL and LAUNCH give: compiled once for each configuration to be compared.
 */
#define matmul KERNEL
#define matmul_reference REFERENCE
#include "../../templates/matmul.cu"

extern "C" void LAUNCH(const float *a, const float *b, float *c, int m, int n, int k)
{
	dim3 block(BLOCK_X, BLOCK_Y);
	dim3 grid((n + COLUMNS - 1) / COLUMNS, (m + ROWS - 1) / ROWS);

#if SHARED == SHARED_dynamic
	const int shared_bytes = sizeof(a_tiles) + sizeof(b_tiles);
#else
	const int shared_bytes = 0;
#endif

	cudaFuncSetAttribute(
		KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
	KERNEL<<<grid, block, shared_bytes>>>(a, b, c, m, n, k);
}
