// A mistake in what a kernel uses, which has no __device__.
#include <cstdio>
struct Cell { float mass; Missing place; };
__global__ void weigh(float *y, const Cell *cells, int n)
{
	if (threadIdx.x < n)
		y[threadIdx.x] = cells[threadIdx.x].place.x;
}
struct Grid { Cell cells[3] = missing_cells(); };
constexpr int factor() { return missing_factor; }
__global__ void scale(float *y) { y[threadIdx.x] *= factor(); }
int main() { weigh<<<1, 2>>>(0, 0, 1); }
