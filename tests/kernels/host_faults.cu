// Kernels of test_host_faults.c: each goes wrong in one way, or watches for it.

// A grid of many blocks, so that every worker has some; one thread of one block errs.
extern "C" __global__ void touch_at(char *bytes, long long offset, int write, int *finished)
{
	if (blockIdx.x == 7 && threadIdx.x == 3) {
		if (write)
			bytes[offset] = 1;
		else
			finished[0] = *(volatile char *)(bytes + offset);
	}
}

extern "C" __global__ void fill(unsigned char *bytes, int count, int value)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
		bytes[i] = (unsigned char)value;
}

// Between barriers, so that fibers wait when one of them errs.
extern "C" __global__ void touch_after_barrier(int *where)
{
	__syncthreads();
	if (threadIdx.x == 40)
		where[0] = 1;
	__syncthreads();
}

// Without an end to it, and with a frame that the optimizer cannot take away.
extern "C" __global__ void overflow_stack(int depth, int *out)
{
	struct deeper {
		static __attribute__((noinline)) int go(int depth, int *out)
		{
			volatile char frame[1024];

			frame[depth % 1024] = (char)depth;
			return depth ? go(depth - 1, out) + frame[*out % 1024] : 0;
		}
	};
	*out = deeper::go(depth, out);
}

__device__ int counter;
__device__ int filled[3] = { 5, 6, 7 };
static __device__ long long hidden;
__constant__ int set_from_outside;

extern "C" __global__ void keep(int *out)
{
	static int launches = 100;
	__shared__ int shared;

	shared = 1;
	out[0] = ++counter;
	out[1] = ++filled[1];
	out[2] = (int)++hidden;
	out[3] = ++launches;
	out[4] = set_from_outside + shared;
}

// Who came when: order[0] is the first block that ran.
extern "C" __global__ void note_order(int *count, int *order)
{
	if (threadIdx.x == 0)
		order[atomicAdd(count, 1)] = blockIdx.x;
}

// A thread that is stopped at the atomic operation misses what others write.
extern "C" __global__ void lose_updates(int *visits, int *sum)
{
	int old = *sum;

	atomicAdd(visits, 1);
	*sum = old + 1;
}

// The same, between what an atomic operation gives and its use.
extern "C" __global__ void lose_places(int *next, int *sum)
{
	int old = atomicAdd(next, 1);

	if (old == *next - 1)
		*sum += 1;
}

// Sound: threads of a block that wait for each other.
extern "C" __global__ void count_in_turns(int *lock, int *sum)
{
	while (atomicCAS(lock, 0, 1))
		;
	*sum += 1;
	atomicExch(lock, 0);
}

// Sound as well, and without an atomic operation in the loop.
extern "C" __global__ void count_by_tickets(int *next, int *serving, int *sum)
{
	int ticket = atomicAdd(next, 1);

	while (*(volatile int *)serving != ticket)
		;
	*sum += 1;
	__threadfence();
	*(volatile int *)serving = ticket + 1;
}

// The first `set` of the numbers are set; all of them are added up.
extern "C" __global__ void sum_local(int set, const int *indices, int *sums)
{
	int numbers[64];

	for (int i = 0; i < set; i++)
		numbers[indices[i]] = 1;
	sums[threadIdx.x] = 0;
	for (int i = 0; i < 64; i++)
		sums[threadIdx.x] += numbers[indices[i]];
}

// All wait for a thread that does not come.
extern "C" __global__ void wait_for_the_faulty(int *where, int *flag)
{
	if (threadIdx.x == 5 && blockIdx.x == 0)
		where[0] = 1;
	while (atomicAdd(flag, 0) == 0)
		;
}

// Blocks that meet twice; in modes 1 and 2 one of them does not come as the others do.
#include <cooperative_groups.h>
extern "C" __global__ void meet(int *out, int mode)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();

	if (mode == 1 && blockIdx.x == 1)
		return;
	if (mode == 2 && threadIdx.x == 1)
		__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(out, 1);
	grid.sync();
	if (threadIdx.x == blockDim.x - 1)
		out[1 + blockIdx.x] = *(volatile int *)out;
	grid.sync();
	if (threadIdx.x == 0)
		atomicAdd(out, grid.is_valid());
}

// Numbers are a thread's affair: rounding, what becomes of small ones, and of what is
// not exact.
#include <cfenv>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

extern "C" __global__ void change_arithmetic(float *out, const float *in)
{
	out[0] = in[0] / in[1];
	out[1] = in[2] * in[1] / in[1];
	fesetround(FE_UPWARD);
#if defined(__SSE__)
	_mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}
