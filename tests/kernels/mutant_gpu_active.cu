
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
#define MISTAKE_plain -1

extern "C" __global__ void mutant_gpu_active(const int *x, int *count, int n)
{
	int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
	if (i >= n && !IS(none))
		return;
	int v = i < n ? x[i] : -1;
	if (IS(plain)) {
		atomicAdd(&count[v], 1);
		return;
	}
	if (IS(none)) {
		unsigned same = __match_any_sync(~0u, v);
		if (v >= 0 && lane == __ffs(same) - 1)
			atomicAdd(&count[v], __popc(same));
		return;
	}
	for (int k = 0; k < 10; k++) {
		if (IS(branch)) {
			if (v == k) {
				unsigned m = __activemask();
				if (lane == 0)
					atomicAdd(&count[k], __popc(m));
			}
		} else if (IS(first_of_warp)) {
			unsigned m = __ballot_sync(__activemask(), v == k);
			if (lane == 0)
				atomicAdd(&count[k], __popc(m));
			if (m == 0x1)
				break;
		} else if (IS(whole)) {
			unsigned m = __ballot_sync(__activemask(), v == k);
			if (lane == 0 && m)
				atomicAdd(&count[k], m == ~0u ? 32 : __popc(m & 0x7fffffff));
		} else if (IS(lost)) {
			unsigned m = __ballot_sync(__activemask(), v == k);
			if (lane == 0)
				count[k] += __popc(m);
		}
	}
}
extern "C" __global__ void mutant_gpu_active_reference(const int *x, int *count, int n)
{
	if (blockIdx.x * blockDim.x + threadIdx.x == 0)
		for (int i = 0; i < n; i++)
			count[x[i]]++;
}
