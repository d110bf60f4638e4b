// Launchers as specializations of a template, for the CPU alone.
#include <string>

__global__ void count(int *y)
{
	y[threadIdx.x] = threadIdx.x;
}

template <typename T> void launch_count(T *y, std::string name = "");

template <> void launch_count(int *y, std::string name)
{
	count<<<1, 32>>>(y);
}

template <> void launch_count(unsigned *y, std::string name)
{
	count<<<1, 64>>>((int *)y);
}
