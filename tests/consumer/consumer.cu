/*
 * All winners of two kernels, several problems each, linked into one executable: who is
 * chosen, whether it computes what it should, and how long it takes beside the record.
 */
#include <cuda_runtime.h>

#include "stencil.h"
#include "transpose.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static int failed;

static void expect(bool holds, const char *what, int line)
{
	if (holds)
		return;
	std::fprintf(stderr, "consumer.cu:%d: not so: %s\n", line, what);
	failed = 1;
}
#define EXPECT(holds) expect((holds), #holds, __LINE__)

/* ---- who is chosen ----------------------------------------------------------------- */

static autotune_device device_of(const char *name, int major, int minor, int multiprocessors)
{
	autotune_device device = autotune_device();

	device.name = name;
	device.major = major;
	device.minor = minor;
	device.multiprocessor_count = multiprocessors;
	return device;
}

static bool is(const autotune_choice &choice, int configuration, autotune_rung rung)
{
	return choice.configuration == configuration && choice.rung == rung;
}

static int choose(void)
{
	const autotune_device h200 = device_of("NVIDIA H200", 9, 0, 132);
	const autotune_device other = device_of("NVIDIA H100 PCIe", 9, 0, 114);
	const autotune_device older = device_of("NVIDIA A100-SXM4-80GB", 8, 0, 108);
	const int square = TRANSPOSE_NVIDIA_H200_SQUARE_8192_CONFIGURATION;
	const int ragged = TRANSPOSE_NVIDIA_H200_RAGGED_8191_CONFIGURATION;
	const int near = STENCIL_NVIDIA_H200_RADIUS_1_CONFIGURATION;
	const int far = STENCIL_NVIDIA_H200_RADIUS_6_CONFIGURATION;
	autotune_device small = device_of("of old", 9, 0, 1);

	EXPECT(square != ragged && near != far);
	EXPECT(is(transpose_choose(&h200, 8192, 8192), square, AUTOTUNE_EXACT));
	EXPECT(is(transpose_choose(&h200, 8191, 8197), ragged, AUTOTUNE_EXACT));
	EXPECT(transpose_choose(&h200, 1000, 3000).rung == AUTOTUNE_SAME_DEVICE);
	EXPECT(is(transpose_choose(&h200, 8192, 8193), square, AUTOTUNE_SAME_DEVICE) ||
		is(transpose_choose(&h200, 8192, 8193), ragged, AUTOTUNE_SAME_DEVICE));
	EXPECT(is(transpose_choose(&other, 8192, 8192), square, AUTOTUNE_SAME_ARCHITECTURE));
	EXPECT(is(transpose_choose(&older, 8192, 8192), square, AUTOTUNE_NEAREST_ARCHITECTURE));

	/* a radius is compiled in: no other one will do, whatever the sizes */
	EXPECT(is(stencil_choose(&h200, 8192, 8192, 1), near, AUTOTUNE_EXACT));
	EXPECT(is(stencil_choose(&h200, 100, 100, 6), far, AUTOTUNE_SAME_DEVICE));
	EXPECT(is(stencil_choose(&h200, 8192, 8192, 3), -1, AUTOTUNE_NONE));

	/* what does not fit is not chosen: the winners take 16 KiB and 64.5 KiB */
	small.max_shared_bytes_per_block = small.max_dynamic_shared_bytes_per_block = 8192;
	EXPECT(transpose_choose(&small, 8192, 8192).rung == AUTOTUNE_BASELINE);
	EXPECT(transpose_launch(
		       transpose_choose(&small, 8192, 8192).configuration, &small, 8192, 8192)
			.shared_bytes == 0);

	/* 65 tiles of 128 across 8197, 64 across 8191; a tile with a float more a row */
	EXPECT(transpose_launch(ragged, &h200, 8191, 8197).grid[0] == 65);
	EXPECT(transpose_launch(ragged, &h200, 8191, 8197).grid[1] == 64);
	EXPECT(transpose_launch(ragged, &h200, 8191, 8197).shared_bytes == 4 * 128 * 129);
	std::printf("%d configurations of transpose, %d of stencil\n",
		TRANSPOSE_CONFIGURATION_COUNT, STENCIL_CONFIGURATION_COUNT);
	return failed;
}

/* ---- on a GPU ------------------------------------------------------------------------- */

static void check(cudaError_t code, const char *what)
{
	if (code == cudaSuccess)
		return;
	std::fprintf(stderr, "consumer: %s: %s\n", what, cudaGetErrorString(code));
	std::exit(1);
}
#define CHECK(call) check((call), #call)

struct job {
	const char *name;
	const autotune_device *device;
	int configuration; /* or AUTOTUNE_CHOOSE */
	autotune_choice choice;
	int rows, columns;
	int radius; /* 0: a transpose */
	double recorded_ns; /* 0: nothing is recorded for these sizes */
};

static double at(const std::vector<float> &grid, const job &it, int row, int column)
{
	const bool inside = row >= 0 && row < it.rows && column >= 0 && column < it.columns;

	return inside ? grid[(size_t)row * it.columns + column] : 0.0;
}

/* what out[i] is to be */
static double expected(const std::vector<float> &in, const job &it, size_t i)
{
	const int row = (int)(i / it.columns), column = (int)(i % it.columns);
	double sum = at(in, it, row, column), weights = 1.0;

	if (it.radius == 0)
		return in[i % it.rows * it.columns + i / it.rows];
	for (int d = 1; d <= it.radius; d++) {
		sum += (at(in, it, row - d, column) + at(in, it, row + d, column) +
			       at(in, it, row, column - d) + at(in, it, row, column + d)) /
		       (1.0 + d);
		weights += 4.0 / (1.0 + d);
	}
	return sum / weights;
}

/* all of what is small, and of what is large a prime stride */
static void compare(const std::vector<float> &in, const std::vector<float> &out, const job &it)
{
	const size_t step = in.size() > 2000000 ? 997 : 1;

	for (size_t i = 0; i < in.size(); i += step) {
		const double right = expected(in, it, i);

		/* NaN is not within it */
		if (std::fabs(out[i] - right) <= (it.radius ? 1e-5 : 0.0))
			continue;
		std::fprintf(stderr, "consumer: %s %d x %d: element %zu is %g, not %g\n",
			it.name, it.rows, it.columns, i, out[i], right);
		failed = 1;
		return;
	}
}

static void launch(const job &it, const float *in, float *out)
{
	if (it.radius == 0)
		CHECK(transpose_run_configuration(it.configuration, it.device, 0, it.rows,
			it.columns, in, out));
	else
		CHECK(stencil_run_configuration(it.configuration, it.device, 0, it.rows,
			it.columns, it.radius, in, out));
}

/* the median of 21, each with cold caches */
static double measure(const job &it, const float *in, float *out)
{
	std::vector<float> samples;
	cudaEvent_t begin, end;
	void *flush;

	CHECK(cudaEventCreate(&begin));
	CHECK(cudaEventCreate(&end));
	CHECK(cudaMalloc(&flush, (size_t)256 << 20));
	for (int i = 0; i < 21; i++) {
		float ms;

		CHECK(cudaMemset(flush, i, (size_t)256 << 20));
		CHECK(cudaEventRecord(begin));
		launch(it, in, out);
		CHECK(cudaEventRecord(end));
		CHECK(cudaEventSynchronize(end));
		CHECK(cudaEventElapsedTime(&ms, begin, end));
		samples.push_back(ms);
	}
	CHECK(cudaFree(flush));
	std::sort(samples.begin(), samples.end());
	return samples[samples.size() / 2] * 1e6;
}

static void run_job(const job &it)
{
	const size_t count = (size_t)it.rows * it.columns, bytes = count * sizeof(float);
	std::vector<float> in(count), out(count);
	float *from, *to;

	if (it.choice.configuration < 0) {
		std::fprintf(stderr, "consumer: %s %d x %d: nothing fits\n", it.name, it.rows,
			it.columns);
		failed = 1;
		return;
	}
	for (size_t i = 0; i < count; i++)
		in[i] = (float)((i * 2654435761u >> 8) % 20011) / 10000.0f - 1.0f;
	CHECK(cudaMalloc(&from, bytes));
	CHECK(cudaMalloc(&to, bytes));
	CHECK(cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemset(to, 0xff, bytes));
	launch(it, from, to);
	CHECK(cudaMemcpy(out.data(), to, bytes, cudaMemcpyDeviceToHost));
	compare(in, out, it);
	std::printf("%s %d x %d: configuration %d, %s", it.name, it.rows, it.columns,
		it.choice.configuration, autotune_rung_name(it.choice.rung));
	if (it.recorded_ns > 0)
		std::printf("; %.1f us, recorded %.1f us", measure(it, from, to) / 1e3,
			it.recorded_ns / 1e3);
	std::printf("\n");
	CHECK(cudaFree(from));
	CHECK(cudaFree(to));
}

static void transpose(const autotune_device &device, int rows, int columns, double recorded_ns)
{
	run_job({ "transpose", &device, AUTOTUNE_CHOOSE, transpose_choose(&device, rows, columns),
		rows, columns, 0, recorded_ns });
}

static void stencil(
	const autotune_device &device, int rows, int columns, int radius, double recorded_ns)
{
	run_job({ "stencil", &device, AUTOTUNE_CHOOSE,
		stencil_choose(&device, rows, columns, radius), rows, columns, radius,
		recorded_ns });
}

/* whoever was chosen, each of them is right, wherever it fits */
static void transpose_all(const autotune_device &device)
{
	for (int n = 0; n < TRANSPOSE_CONFIGURATION_COUNT; n++)
		if (transpose_fits(n, &device, 1021, 517))
			run_job({ "transpose", &device, n, { n, AUTOTUNE_NONE }, 1021, 517, 0,
				0 });
}

/* What does not fit is an error, and launches nothing. */
static void refused(const autotune_device &device)
{
	const cudaError_t none = cudaErrorInvalidConfiguration;

	EXPECT(stencil_run(&device, 0, 100, 100, 3, nullptr, nullptr) == none);
	EXPECT(transpose_run(&device, 0, 0, 100, nullptr, nullptr) == none);
	EXPECT(transpose_run(&device, 0, 1LL << 40, 100, nullptr, nullptr) == none);
	EXPECT(transpose_run_configuration(99, &device, 0, 100, 100, nullptr, nullptr) == none);
	EXPECT(cudaGetLastError() == cudaSuccess);
}

static int run(void)
{
	cudaDeviceProp properties;
	autotune_device device;
	int count;

	if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
		std::printf("skipped 1: no GPU\n");
		return 77;
	}
	CHECK(cudaGetDeviceProperties(&properties, 0));
	device = autotune_device_of(&properties);
	refused(device);
	transpose_all(device);
	transpose(device, 257, 131, 0);
	transpose(device, 3, 515, 0);
	transpose(device, 1, 1, 0);
	transpose(device, 8192, 8192, TRANSPOSE_NVIDIA_H200_SQUARE_8192_TIME_NS);
	transpose(device, 8191, 8197, TRANSPOSE_NVIDIA_H200_RAGGED_8191_TIME_NS);
	for (int radius = 1; radius <= 6; radius += 5) {
		stencil(device, 77, 131, radius, 0);
		stencil(device, 67, 3, radius, 0);
	}
	stencil(device, 8192, 8192, 1, STENCIL_NVIDIA_H200_RADIUS_1_TIME_NS);
	stencil(device, 8192, 8192, 6, STENCIL_NVIDIA_H200_RADIUS_6_TIME_NS);
	return failed;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !std::strcmp(argv[1], "choose"))
		return choose();
	if (argc == 2 && !std::strcmp(argv[1], "run"))
		return run();
	std::fprintf(stderr, "usage: consumer choose|run\n");
	return 2;
}
