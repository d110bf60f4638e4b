/*
 * Launches a winner as often as asked, with nothing of autotune around it: what Nsight
 * Compute is pointed at (ncu.sh). It is the same machine code, from the header of cubins.
 *
 *   nvcc -DCUBINS='"copy_cubins.h"' -DKERNEL=copy ncu_launch.cu -o launch
 *   launch LAUNCHES GRID_X GRID_Y GRID_Z BLOCK_X BLOCK_Y BLOCK_Z SHARED_BYTES ARGUMENT...
 *
 * An argument is float:COUNT, an input of random numbers in -1..1, out:COUNT, int:VALUE
 * or long:VALUE. Launches take two sets of inputs in turns. Ahead of each a kernel keeps
 * the board busy for 5 ms, so that its clocks are up, and an empty kernel, ncu_nothing,
 * runs, which shows what the profiler counts of a launch itself. Behind all launches it
 * prints the median nanoseconds of the kernel and of the empty one between two events, with
 * a cache that was emptied: what a program without a profiler sees.
 */
#include CUBINS

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

/* the first of the header's cubins */
#define JOIN(name, end) name##end
#define CUBINS_OF(name) JOIN(name, _cubins)

#define ARGUMENTS_MAX 16
#define BUSY_NS 5000000ll
/* first launches fetch code and are not counted */
#define FIRST 6
/* more than any second-level cache holds */
#define FLUSH_BYTES (256u << 20)

static void check(cudaError_t code, const char *what)
{
	if (code == cudaSuccess)
		return;
	fprintf(stderr, "ncu_launch: %s: %s\n", what, cudaGetErrorString(code));
	exit(1);
}

/* not by clock64(): that counts what is to be held up */
static __global__ void ncu_keep_busy(long long ns)
{
	long long begin, now;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
	do
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	while (now - begin < ns);
}

static __global__ void ncu_nothing()
{
}

static __global__ void ncu_fill(float *out, size_t count, unsigned seed)
{
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

	for (; i < count; i += (size_t)gridDim.x * blockDim.x) {
		unsigned x = (unsigned)i * 2654435761u + seed;

		x ^= x >> 16;
		x *= 0x7feb352du;
		x ^= x >> 15;
		x *= 0x846ca68bu;
		x ^= x >> 16;
		out[i] = (float)x / 2147483648.0f - 1;
	}
}

/* Queues what must come ahead of a launch that is timed, and the first event. */
static void begin(cudaEvent_t event, void *flush)
{
	ncu_keep_busy<<<1, 1>>>(BUSY_NS);
	check(cudaMemsetAsync(flush, 0, FLUSH_BYTES), "flush");
	check(cudaEventRecord(event), "event");
}

static double end(const cudaEvent_t *events)
{
	float ms;

	check(cudaEventRecord(events[1]), "event");
	check(cudaDeviceSynchronize(), "kernel");
	check(cudaEventElapsedTime(&ms, events[0], events[1]), "time");
	return ms * 1e6;
}

static double median(std::vector<double> &times)
{
	std::sort(times.begin(), times.end());
	return times.empty() ? 0 : times[times.size() / 2];
}

int main(int argc, char **argv)
{
	static union {
		float *buffer;
		int word;
		long long wide;
	} values[2][ARGUMENTS_MAX];
	void *parameters[2][ARGUMENTS_MAX];
	int count = argc - 9, launches;
	unsigned shape[7];
	std::vector<double> times, empty_times;
	cudaEvent_t events[2];
	cudaLibrary_t library;
	cudaKernel_t kernel;
	void *flush;

	if (count < 1 || count > ARGUMENTS_MAX) {
		fprintf(stderr, "ncu_launch: see the head of ncu_launch.cu\n");
		return 2;
	}
	launches = atoi(argv[1]);
	for (int i = 0; i < 7; i++)
		shape[i] = (unsigned)strtoul(argv[2 + i], NULL, 10);
	for (int i = 0; i < count; i++) {
		const char *text = argv[9 + i], *colon = strchr(text, ':');
		long long number = colon ? atoll(colon + 1) : 0;
		bool is_input = !strncmp(text, "float:", 6);

		for (int set = 0; set < 2; set++) {
			parameters[set][i] = &values[set][i];
			if (!strncmp(text, "int:", 4)) {
				values[set][i].word = (int)number;
			} else if (!strncmp(text, "long:", 5)) {
				values[set][i].wide = number;
			} else if (set == 1 && !is_input) {
				values[1][i] = values[0][i];
			} else {
				size_t bytes = (size_t)number * sizeof(float);

				check(cudaMalloc(&values[set][i].buffer, bytes), text);
				ncu_fill<<<1024, 256>>>(values[set][i].buffer,
					(size_t)number, 77u * i + set);
			}
		}
	}
	check(cudaLibraryLoadData(
		      &library, CUBINS_OF(KERNEL)()->data, NULL, NULL, 0, NULL, NULL, 0),
		"cubin");
	check(cudaLibraryGetKernel(&kernel, library, CUBINS_OF(KERNEL)()->name), "kernel");
	check(cudaKernelSetAttributeForDevice(kernel,
		      cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shape[6], 0),
		"shared memory");
	check(cudaMalloc(&flush, FLUSH_BYTES), "flush");
	for (cudaEvent_t &event : events)
		check(cudaEventCreate(&event), "event");
	for (int i = 0; i < launches; i++) {
		double empty, time;

		begin(events[0], flush);
		ncu_nothing<<<1, 1>>>();
		empty = end(events);
		begin(events[0], flush);
		check(cudaLaunchKernel((const void *)kernel,
			      dim3(shape[0], shape[1], shape[2]),
			      dim3(shape[3], shape[4], shape[5]), parameters[i % 2],
			      shape[6], 0),
			"launch");
		time = end(events);
		if (i >= FIRST) {
			times.push_back(time);
			empty_times.push_back(empty);
		}
	}
	printf("%.0f %.0f\n", median(times), median(empty_times));
	return 0;
}
