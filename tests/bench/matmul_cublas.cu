/*
 * Compares recorded winners of a matmul space with cuBLAS (pedantic FP32) in one process: what
 * choose() of the generated header picks for each shape.
 *
 * usage: matmul_cublas FOLDER [M N K]...
 *   FOLDER holds a cubin of each configuration, 0.cubin, ...; without sizes the problems of
 *   spaces/matmul_shapes.cfg
 * Compiled with -DKERNEL=matmul_shapes -include matmul_shapes.h, and -DSEQUENCE if the space has a
 * sequence of launches; matmul_cublas.sh does so.
 *
 * Each result is compared with that of cuBLAS over all of C, which was poisoned before. Inputs
 * and outputs rotate through more memory than the L2 cache holds. "in a row" is the median over
 * rounds of launches one after the other, the two kernels in turn; "single" the median of launches
 * that wait for the one before. The exit status is 1 if a result differs by more than rounding.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>

#define CHECK(call) \
	do { \
		int code = (int)(call); \
		if (code) { \
			fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, code); \
			exit(1); \
		} \
	} while (0)

#define PASTE(a, b) a##b
#define NAME(kernel, what) PASTE(kernel, what)
#define QUOTE(name) #name
#define TEXT(name) QUOTE(name)

static const int shapes[][3] = {
	{ 512, 512, 512 }, { 1000, 1000, 1000 }, { 1024, 1024, 1024 }, { 2048, 2048, 2048 },
	{ 4096, 4096, 4096 }, { 8192, 8192, 8192 }, { 3001, 2999, 1501 }, { 4096, 64, 4096 },
	{ 8192, 32, 8192 }, { 64, 4096, 4096 }, { 16, 16384, 4096 }, { 128, 128, 65536 },
};

typedef std::function<void(const float *, const float *, float *)> product;

static const size_t ROTATED_BYTES = 220 << 20;

static cudaEvent_t start, stop;

/* reals from -1 to 1, other ones for each seed (a mixer after Steele et al., 2014) */
static __global__ void fill(float *to, size_t count, unsigned long long seed)
{
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
		unsigned long long x = seed + (i + 1) * 0x9e3779b97f4a7c15ull;

		x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
		x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
		to[i] = (float)(x >> 40) * 0x1p-23f - 1.0f;
	}
}

struct data {
	std::vector<float *> a, b, c;
	size_t turn = 0;

	data(int m, int n, int k)
	{
		const size_t bytes = 4 * ((size_t)m * k + (size_t)k * n + (size_t)m * n);
		const size_t sets = std::max<size_t>(2, ROTATED_BYTES / bytes + 1);

		for (size_t i = 0; i < sets; i++) {
			float *set[3];
			const size_t counts[3] = { (size_t)m * k, (size_t)k * n, (size_t)m * n };

			for (int j = 0; j < 3; j++) {
				CHECK(cudaMalloc(&set[j], counts[j] * 4));
				fill<<<1024, 256>>>(set[j], counts[j], 3 * i + j);
			}
			a.push_back(set[0]), b.push_back(set[1]), c.push_back(set[2]);
		}
	}
	~data()
	{
		for (auto *buffers : { &a, &b, &c })
			for (float *buffer : *buffers)
				cudaFree(buffer);
	}
};

/* a launch of the winner: how often, and which of its kernels */
struct step {
	long long times;
	struct autotune_launch at;
	std::string name;
	CUfunction function;
};

/* seconds of a launch, of so many in a row */
static double time_of(const product &multiply, data &data, int launches)
{
	float ms;

	CHECK(cudaEventRecord(start));
	for (int i = 0; i < launches; i++) {
		const size_t set = data.turn++ % data.a.size();

		multiply(data.a[set], data.b[set], data.c[set]);
	}
	CHECK(cudaEventRecord(stop));
	CHECK(cudaEventSynchronize(stop));
	CHECK(cudaGetLastError());
	CHECK(cudaEventElapsedTime(&ms, start, stop));
	return ms * 1e-3 / launches;
}

static double median(std::vector<double> values)
{
	std::sort(values.begin(), values.end());
	return values[values.size() / 2];
}

/* the largest difference of two results; NaN if a value is not a number or was not written */
static double difference(const product &one, const product &other, data &data, size_t count)
{
	std::vector<float> results[2];
	double worst = 0;

	for (int i = 0; i < 2; i++) {
		CHECK(cudaMemset(data.c[0], 0xff, count * 4));
		(i ? other : one)(data.a[0], data.b[0], data.c[0]);
		results[i].resize(count);
		CHECK(cudaMemcpy(results[i].data(), data.c[0], count * 4, cudaMemcpyDeviceToHost));
	}
	for (size_t i = 0; i < count; i++) {
		const double off = std::fabs((double)results[0][i] - results[1][i]);

		if (off > worst || std::isnan(off))
			worst = off;
	}
	return worst;
}

int main(int argc, char **argv)
{
	double log_row = 0, log_single = 0;
	bool agree = true;
	int count = 0;
	std::vector<int> sizes;
	cublasHandle_t handle;
	cudaDeviceProp properties;

	if (argc % 3 != 2) {
		fprintf(stderr, "usage: matmul_cublas FOLDER [M N K]...\n");
		return 2;
	}
	for (int i = 2; i < argc; i++)
		sizes.push_back(atoi(argv[i]));
	if (sizes.empty())
		sizes.assign(&shapes[0][0], &shapes[0][0] + sizeof(shapes) / sizeof(int));
	CHECK(cudaFree(0));
	CHECK(cudaGetDeviceProperties(&properties, 0));
	const struct autotune_device device = autotune_device_of(&properties);

	CHECK(cublasCreate(&handle));
	CHECK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&stop));
	printf("%5s %5s %5s  %8s %8s %6s  %8s %8s %6s  %s\n", "M", "N", "K", "cuBLAS", "winner", "ratio",
		"cuBLAS", "winner", "ratio", "differ by");
	printf("%18s %24s  %24s\n", "", "in a row, TFLOP/s", "single, us");
	for (size_t shape = 0; shape < sizes.size(); shape += 3) {
		int m = sizes[shape], n = sizes[shape + 1], k = sizes[shape + 2];
		const int number = NAME(KERNEL, _choose)(&device, m, n, k).configuration;
		const std::string number_text = std::to_string(number);
		const std::string name = std::string(TEXT(KERNEL)) + "_" + number_text;
		std::vector<step> steps;

#ifdef SEQUENCE /* the product; or its parts, and their sum */
		steps = {
			{ NAME(KERNEL, _repeat)(number, &device, m, n, k),
				NAME(KERNEL, _launch)(number, &device, m, n, k), name },
			{ NAME(KERNEL, _repeat_1)(number, &device, m, n, k),
				NAME(KERNEL, _launch_1)(number, &device, m, n, k), name },
			{ NAME(KERNEL, _repeat_2)(number, &device, m, n, k),
				NAME(KERNEL, _launch_2)(number, &device, m, n, k), name + "_matmul_add" },
		};
#else
		steps = { { 1, NAME(KERNEL, _launch)(number, &device, m, n, k), name } };
#endif
		const double flops = 2.0 * m * n * k;
		CUmodule module;
		float *parts = NULL;
		data data(m, n, k);

		CHECK(cuModuleLoad(&module, (argv[1] + ("/" + number_text) + ".cubin").c_str()));
		for (step &step : steps) {
			CHECK(cuModuleGetFunction(&step.function, module, step.name.c_str()));
			if (step.times > 0)
				CHECK(cuFuncSetAttribute(step.function,
					CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
					step.at.shared_bytes));
		}
		if (steps.size() > 1 && steps[1].times > 0) /* a grid is as deep as it has parts, or deeper */
			CHECK(cudaMalloc(&parts, sizeof(float) * m * n * steps[1].at.grid[2]));
		const product cublas = [&](const float *a, const float *b, float *c) {
			const float one = 1, zero = 0;

			/* row-major C = A B is column-major C' = B' A' */
			CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a,
				k, &zero, c, n));
		};
		const product winner = [&](const float *a, const float *b, float *c) {
			void *whole[] = { &a, &b, &c, &m, &n, &k };
			void *split[] = { &a, &b, &parts, &m, &n, &k };
			void *added[] = { &parts, &c, &m, &n };
			void **const arguments[] = { whole, split, added };

			for (size_t i = 0; i < steps.size(); i++) {
				const unsigned *grid = steps[i].at.grid, *block = steps[i].at.block;

				for (long long time = 0; time < steps[i].times; time++)
					CHECK(cuLaunchKernel(steps[i].function, grid[0], grid[1],
						grid[2], block[0], block[1], block[2],
						steps[i].at.shared_bytes, 0, arguments[i], 0));
			}
		};
		const double off = difference(winner, cublas, data, (size_t)m * n);
		const bool right = off < 2e-7 * k + 2e-5;
		std::vector<double> row[2], single[2];

		time_of(cublas, data, 2);
		const double guess = time_of(cublas, data, 4);
		const int launches = std::max(1, std::min(100, (int)(1.2e-3 / guess)));
		const int rounds = flops > 5e11 ? 5 : 15;

		for (int round = 0; round < rounds; round++)
			for (int i = 0; i < 2; i++) {
				const product &which = i ? winner : cublas;

				time_of(which, data, 1);
				row[i].push_back(time_of(which, data, launches));
			}
		for (int round = 0; round < 2 * rounds; round++)
			for (int i = 0; i < 2; i++)
				single[i].push_back(time_of(i ? winner : cublas, data, 1));
		const double in_row = median(row[0]) / median(row[1]);
		const double alone = median(single[0]) / median(single[1]);

		printf("%5d %5d %5d  %8.2f %8.2f %6.3f  %8.2f %8.2f %6.3f  %.0e%s\n", m, n, k,
			flops / median(row[0]) * 1e-12, flops / median(row[1]) * 1e-12, in_row,
			median(single[0]) * 1e6, median(single[1]) * 1e6, alone, off,
			right ? "" : " WRONG");
		fflush(stdout);
		log_row += std::log(in_row), log_single += std::log(alone), count++;
		agree = agree && right;
		CHECK(cuModuleUnload(module));
		CHECK(cudaFree(parts));
	}
	if (count > 1)
		printf("geometric mean of %d ratios: %.3f in a row, %.3f single\n", count,
			std::exp(log_row / count), std::exp(log_single / count));
	return agree ? 0 : 1;
}
