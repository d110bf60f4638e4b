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
