/*
 * Launches one kernel of a template as often as asked, with nothing of autotune around
 * it: what Nsight Compute is pointed at (ncu.sh).
 *
 *   nvcc -DTEMPLATE='"copy.cu"' -DKERNEL=copy -DBLOCK=128 ... ncu_launch.cu -o launch
 *   launch LAUNCHES GRID_X GRID_Y GRID_Z BLOCK_X BLOCK_Y BLOCK_Z SHARED_BYTES ARGUMENT...
 *
 * An argument is float:COUNT, an input of random numbers in -1..1, out:COUNT, int:VALUE
 * or long:VALUE. Launches take two sets of inputs in turns. Ahead of each a kernel keeps
 * the board busy for 5 ms, so that its clocks are up, and an empty kernel, ncu_nothing,
 * runs, which shows what the profiler counts of a launch itself.
 */
#include TEMPLATE

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define ARGUMENTS_MAX 16
#define BUSY_NS 5000000ll

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
	check(cudaFuncSetAttribute((const void *)KERNEL,
		      cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shape[6]),
		"shared memory");
	for (int i = 0; i < launches; i++) {
		ncu_keep_busy<<<1, 1>>>(BUSY_NS);
		ncu_nothing<<<1, 1>>>();
		ncu_keep_busy<<<1, 1>>>(BUSY_NS);
		check(cudaLaunchKernel((const void *)KERNEL,
			      dim3(shape[0], shape[1], shape[2]),
			      dim3(shape[3], shape[4], shape[5]), parameters[i % 2],
			      shape[6], 0),
			"launch");
		check(cudaDeviceSynchronize(), "kernel");
	}
	return 0;
}
