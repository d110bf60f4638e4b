/*
 * Baseline, tuned and cuBLAS in one run: interleaved rounds on the same data,
 * medians. cuBLAS in pedantic single precision, as the kernel is. Exit status 1 when a
 * result is not a number: its time is not a result either.
 * usage: matmul_cublas [size]
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>
#include <cuda_runtime.h>

extern "C" void launch_baseline(const float *, const float *, float *, int, int, int);
extern "C" void launch_tuned(const float *, const float *, float *, int, int, int);

#define CHECK(call) \
	do { \
		int code = (int)(call); \
		if (code) { \
			fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, code); \
			exit(1); \
		} \
	} while (0)

static cublasHandle_t handle;

static void launch_cublas(const float *a, const float *b, float *c, int m, int n, int k)
{
	const float one = 1, zero = 0;

	/* row-major C = A B is column-major C' = B' A' */
	CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero,
		c, n));
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 4096, rounds = 41;
	static void (*const launches[3])(const float *, const float *, float *, int, int, int) = {
		launch_baseline, launch_tuned, launch_cublas };
	static const char *const names[3] = { "baseline", "tuned", "cuBLAS" };
	const size_t count = (size_t)n * n;
	std::vector<float> host(count), results[3];
	std::vector<float> times[3];
	float *a, *b, *c;
	cudaEvent_t start, stop;

	CHECK(cublasCreate(&handle));
	CHECK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
	CHECK(cudaMalloc(&a, count * 4));
	CHECK(cudaMalloc(&b, count * 4));
	CHECK(cudaMalloc(&c, count * 4));
	srand(1);
	for (float *to : { a, b }) {
		for (float &v : host)
			v = 2.0f * rand() / RAND_MAX - 1;
		CHECK(cudaMemcpy(to, host.data(), count * 4, cudaMemcpyHostToDevice));
	}
	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&stop));
	for (int round = -10; round < rounds; round++)
		for (int i = 0; i < 3; i++) {
			const int which = (i + round + 12) % 3;
			float ms;

			if (round == rounds - 1) /* nobody may pass with another's result */
				CHECK(cudaMemset(c, 0xff, count * 4));
			CHECK(cudaEventRecord(start));
			launches[which](a, b, c, n, n, n);
			CHECK(cudaEventRecord(stop));
			CHECK(cudaEventSynchronize(stop));
			CHECK(cudaGetLastError());
			CHECK(cudaEventElapsedTime(&ms, start, stop));
			if (round >= 0)
				times[which].push_back(ms);
			if (round == rounds - 1) {
				results[which].resize(count);
				CHECK(cudaMemcpy(results[which].data(), c, count * 4,
					cudaMemcpyDeviceToHost));
			}
		}
	bool agree = true;

	for (int i = 0; i < 3; i++) {
		double worst = 0;

		std::sort(times[i].begin(), times[i].end());
		for (size_t j = 0; j < count; j++) {
			const double difference =
				std::fabs((double)results[i][j] - results[2][j]);

			/* a NaN stays: no later difference is greater than it */
			if (difference > worst || std::isnan(difference))
				worst = difference;
		}
		/* an infinity beside a number, or a NaN: no result at all */
		agree = agree && std::isfinite(worst);
		printf("%-9s %5d^3  %8.3f ms  %6.2f TFLOP/s  differs from cuBLAS by at most %.1e\n",
			names[i], n, times[i][rounds / 2],
			2e-9 * n * n * n / times[i][rounds / 2], worst);
	}
	if (!agree)
		fprintf(stderr, "a result holds NaN or infinity, or was not written\n");
	return agree ? 0 : 1;
}
