/*
 * What the device "host" costs apart from the kernels: per launch, block, thread,
 * barrier, shuffle and compilation. By hand: bench_host
 */
#include "device/device.h"
#include "kernel/cxx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char source[] =
	"extern \"C\" __global__ void nothing() {}\n"
	"extern \"C\" __global__ void barriers(int n)\n"
	"{ for (int i = 0; i < n; i++) __syncthreads(); }\n"
	"extern \"C\" __global__ void shuffles(int n)\n"
	"{ int v = threadIdx.x; for (int i = 0; i < n; i++) v = __shfl_xor_sync(~0u, v, 1); }\n"
	"extern \"C\" __global__ void saxpy(const float *x, float *y, int n)\n"
	"{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += 2.0f * x[i]; }\n"
	/* other threads may be let in at each: only in shuffled launches */
	"extern \"C\" __global__ void histogram(const float *x, float *y, int n)\n"
	"{\n"
	"__shared__ unsigned bins[64];\n"
	"if (threadIdx.x < 64) bins[threadIdx.x] = 0;\n"
	"__syncthreads();\n"
	"for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n"
	"  atomicAdd(&bins[(unsigned)x[i] % 64], 1u);\n"
	"__syncthreads();\n"
	"if (threadIdx.x < 64) atomicAdd(&y[threadIdx.x], (float)bins[threadIdx.x]);\n"
	"}\n"
	/* 64 x 64 of the product a block of 16 x 16 threads */
	"extern \"C\" __global__ void sgemm(const float *A, const float *B, float *C, int n)\n"
	"{\n"
	"__shared__ float a[64][17], b[16][64];\n"
	"float sum[4][4] = {};\n"
	"int x = threadIdx.x, y = threadIdx.y, thread = y * 16 + x;\n"
	"int row = blockIdx.y * 64, column = blockIdx.x * 64;\n"
	"for (int k = 0; k < n; k += 16) {\n"
	"  for (int i = thread; i < 1024; i += 256) {\n"
	"    a[i / 16][i % 16] = A[(row + i / 16) * n + k + i % 16];\n"
	"    b[i / 64][i % 64] = B[(k + i / 64) * n + column + i % 64];\n"
	"  }\n"
	"  __syncthreads();\n"
	"  for (int l = 0; l < 16; l++)\n"
	"    for (int i = 0; i < 4; i++)\n"
	"      for (int j = 0; j < 4; j++)\n"
	"        sum[i][j] += a[y * 4 + i][l] * b[l][x * 4 + j];\n"
	"  __syncthreads();\n"
	"}\n"
	"for (int i = 0; i < 4; i++)\n"
	"  for (int j = 0; j < 4; j++)\n"
	"    C[(row + y * 4 + i) * n + column + x * 4 + j] = sum[i][j];\n"
	"}\n";

static char *kernels[] = { "nothing", "barriers", "shuffles", "saxpy", "histogram",
	"sgemm" };

static struct at_device *device;
static struct at_module *module;

static void check(int failed, const struct at_error *err)
{
	char text[1400];

	if (!failed)
		return;
	fprintf(stderr, "%s\n", at_error_format(err, text, sizeof(text)));
	exit(1);
}

static void load(void)
{
	struct at_compile_request request = {
		.toolchain = "c++",
		.name = "bench.cu",
		.source = source,
		.kernel_count = sizeof(kernels) / sizeof(kernels[0]),
		.kernels = kernels,
	};
	struct at_compile_result result;
	struct at_error err = { 0 };

	for (int i = 0; i < 3; i++) {
		check(at_cxx_compile(&request, &result, &err), &err);
		if (result.outcome != AT_OUTCOME_OK) {
			fputs(result.log, stderr);
			exit(1);
		}
		printf("compilation           %10.1f ms\n",
			(double)result.compile_ns / 1e6);
		if (i < 2)
			at_compile_result_release(&result);
	}
	check(device->ops->load(device, result.image, result.image_bytes, &module,
		      &err) != AT_OUTCOME_OK,
		&err);
	at_compile_result_release(&result);
}

/* The least time of one launch in five samples. */
static double time_launch(const char *kernel, const uint32_t grid[3],
	const uint32_t block[3], const struct at_parameter_value *arguments,
	size_t count, unsigned launches)
{
	struct at_invocation call = {
		.kernel = device->ops->find(device, module, kernel),
		.grid = { grid[0], grid[1], grid[2] },
		.block = { block[0], block[1], block[2] },
		.argument_count = count,
		.arguments = arguments,
	};
	struct at_error err = { 0 };
	double least = 0.0, duration_ns;

	for (int i = 0; i < 5; i++) {
		check(device->ops->time(device, &call, 1, &call, 1, launches,
			      &duration_ns, &err) != AT_OUTCOME_OK,
			&err);
		if (i == 0 || duration_ns < least)
			least = duration_ns;
	}
	return least / launches;
}

static void bench_overhead(void)
{
	static const uint32_t one[3] = { 1, 1, 1 }, few[3] = { 64, 1, 1 },
			      many[3] = { 100000, 1, 1 };
	struct at_parameter_value argument = { .more = NULL };
	int32_t repeats = 1000;

	printf("launch, 1 block       %10.1f ns\n",
		time_launch("nothing", one, one, NULL, 0, 1000));
	printf("launch, 64 blocks     %10.1f ns\n",
		time_launch("nothing", few, one, NULL, 0, 1000));
	memcpy(argument.bytes, &repeats, sizeof(repeats));
	for (uint32_t threads = 1; threads <= 1024; threads *= 4) {
		uint32_t block[3] = { threads, 1, 1 };
		double each = threads * (double)repeats;

		printf("block of %4u threads: %8.1f ns on all cores; a thread on one core, barrier %5.1f ns, shuffle %5.1f ns\n",
			threads,
			time_launch("nothing", many, block, NULL, 0, 1) / many[0],
			time_launch("barriers", one, block, &argument, 1, 3) / each,
			time_launch("shuffles", one, block, &argument, 1, 3) / each);
	}
}

static void bench_kernels(void)
{
	enum { SIDE = 256 };
	static const uint32_t sgemm_grid[3] = { SIDE / 64, SIDE / 64, 1 },
			      sgemm_block[3] = { 16, 16, 1 },
			      saxpy_grid[3] = { SIDE * SIDE / 256, 1, 1 },
			      saxpy_block[3] = { 256, 1, 1 },
			      histogram_grid[3] = { 16, 1, 1 };
	static float matrices[3][SIDE * SIDE];
	struct at_parameter_value arguments[4] = { 0 };
	int32_t side = SIDE, count = SIDE * SIDE;

	for (int i = 0; i < 3; i++) {
		float *address = matrices[i];

		memcpy(arguments[i].bytes, &address, sizeof(address));
	}
	memcpy(arguments[3].bytes, &side, sizeof(side));
	printf("sgemm %d x %d x %d  %10.3f ms\n", SIDE, SIDE, SIDE,
		time_launch("sgemm", sgemm_grid, sgemm_block, arguments, 4, 5) / 1e6);
	memcpy(arguments[2].bytes, &count, sizeof(count));
	printf("saxpy of %d        %10.3f ms\n", count,
		time_launch("saxpy", saxpy_grid, saxpy_block, arguments, 3, 50) / 1e6);
	printf("histogram of %d    %10.3f ms\n", count,
		time_launch(
			"histogram", histogram_grid, saxpy_block, arguments, 3, 50) /
			1e6);
}

int main(void)
{
	struct at_error err = { 0 };

	check(at_device_kind_host.open(0, &device, &err), &err);
	printf("%s, %lld cores\n", device->info.model,
		(long long)device->info.properties
			.value[AT_PROPERTY_MULTIPROCESSOR_COUNT]);
	load();
	bench_overhead();
	bench_kernels();
	device->ops->unload(device, module);
	device->ops->close(device);
	return 0;
}
