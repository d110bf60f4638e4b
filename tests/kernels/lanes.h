/* Sums of rows of up to 32 values, a warp a row, for mutant_lanes.cu and
   sound_lanes.cu. NVRTC knows no uint by itself. */
#define FULL 0xffffffffu

extern "C" __global__ void lanes_reference(
	const float *x, float *y, uint rows, uint columns)
{
	for (uint row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		double sum = 0;

		for (uint i = 0; i < columns; i++)
			sum += x[row * columns + i];
		y[row] = (float)sum;
	}
}
