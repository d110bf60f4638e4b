/* Two configurations of a C++ template in one program: by scale_run(), and by their
   pointers. */
#include <cuda_runtime.h>

#include "scale.h"

#include <cstdio>
#include <vector>

#define DECLARE(n, name) extern "C" void (*const name)(const float *, float *, float, int);
SCALE_CONFIGURATIONS(DECLARE)

typedef void (*kernel)(const float *x, float *y, float factor, int n);
#define POINTER(n, name) name,
static const kernel kernels[] = { SCALE_CONFIGURATIONS(POINTER) };

static bool computes(int configuration, const autotune_device &device, int n)
{
	const kernel run = kernels[configuration];
	const autotune_launch it = scale_launch(configuration, &device, n);
	std::vector<float> x(n), y(n);
	float *from, *to;
	bool right = cudaMalloc(&from, n * sizeof(float)) == cudaSuccess &&
		     cudaMalloc(&to, n * sizeof(float)) == cudaSuccess;

	for (int i = 0; i < n; i++)
		x[i] = (float)(i % 97);
	right = right && cudaMemcpy(from, x.data(), n * sizeof(float),
				 cudaMemcpyHostToDevice) == cudaSuccess;
	run<<<dim3(it.grid[0], it.grid[1], it.grid[2]),
		dim3(it.block[0], it.block[1], it.block[2]), it.shared_bytes>>>(
		from, to, 2.5f, n);
	right = right && cudaMemcpy(y.data(), to, n * sizeof(float),
				 cudaMemcpyDeviceToHost) == cudaSuccess;
	for (int i = 0; i < n && right; i++)
		right = y[i] == 2.5f * x[i];
	right = right &&
		scale_run_configuration(configuration, &device, 0, n, from, to, 3.5f) ==
			cudaSuccess &&
		cudaMemcpy(y.data(), to, n * sizeof(float), cudaMemcpyDeviceToHost) ==
			cudaSuccess;
	for (int i = 0; i < n && right; i++)
		right = y[i] == 3.5f * x[i];
	cudaFree(from);
	cudaFree(to);
	return right;
}

int main()
{
	autotune_device device = autotune_device();
	int gpus = 0, threads = 0;

	device.name = "NVIDIA H200";
	device.major = 9;
	device.multiprocessor_count = 132;
	if (cudaGetDeviceCount(&gpus) != cudaSuccess)
		gpus = 0;
	for (int i = 0; i < SCALE_CONFIGURATION_COUNT; i++) {
		const autotune_launch it = scale_launch(i, &device, 5000);

		threads += (int)it.block[0];
		if (!kernels[i] || it.grid[0] != (5000 + it.block[0] - 1) / it.block[0] ||
			(i > 0 && kernels[i] == kernels[i - 1]) ||
			(gpus > 0 && !computes(i, device, 5000))) {
			std::fprintf(stderr, "configuration %d is not what it should be\n", i);
			return 1;
		}
	}
	std::printf("%d instances of %d threads in all\n", SCALE_CONFIGURATION_COUNT, threads);
	return 0;
}
