// A library's file: its explicit instantiations make every kernel that its programs
// launch. A unit needs its own alone; those of width 7 do not compile.
#include <vector>
#include <missing_library.h>

template <typename T, int WIDTH> __global__ void fill(T *y, T value)
{
	static_assert(WIDTH != 7, "an instance that no unit needs");
	y[blockIdx.x * WIDTH + threadIdx.x] = value;
}

template <typename T> void launch_fill(std::vector<T> &y, T value)
{
	fill<T, 8><<<1, 8>>>(y.data(), value);
}

extern template __global__ void fill<float, 16>(float *y, float value);
template __global__ void fill<float, 7>(float *y, float value);
template void launch_fill<float>(std::vector<float> &y, float value);

#define MAKE_FILL(type, width) \
	template __global__ void fill<type, width>(type *y, type value);
#define MAKE_FILLS(type) MAKE_FILL(type, 7) MAKE_FILL(type, 16)
#define DECLARE(name, type) __device__ type name##_value() { return 1; }

MAKE_FILL(double, 7)
DECLARE(first, float)
MAKE_FILL(int, 7);

namespace inner {
__global__ void read(float *y) { y[threadIdx.x] = first_value(); }
MAKE_FILLS(short)
}

MAKE_FILLS(char)
