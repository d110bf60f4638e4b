/*
 * For tests/test_coverage.c: branches and comparisons that few cases reach. FAULT says
 * what becomes of kind 1 in the tuned kernel; FAULT none is sound.
 *
 * wrong   another value
 * ends    the process ends
 * hangs   it never ends
 * third   kind 3 is as any other
 */
#define TWO 2
#define IS(fault) (FAULT == FAULT_##fault)

extern "C" void _exit(int);

template <int KIND> __device__ bool is_kind(int kind)
{
	return kind == KIND;
}

/* called for one size alone */
__device__ int same(int value)
{
	return value < 0 ? -(-value) : value;
}

extern "C" __global__ void covered(const int *x, int *y, int kind, int mode, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, value;

	if (i >= n)
		return;
	if (IS(ends) && kind == 1)
		_exit(3);
	while (IS(hangs) && kind == 1)
		__threadfence();
	value = x[i];
	/* in one pattern of data alone */
	if (i > 8 && x[0] == x[4] && x[4] == x[8])
		value = x[0] == x[i] ? x[0] : value;
	if (n == 5000)
		value = same(value);
	switch (kind) {
	case 1:
		value += 1 + IS(wrong);
		break;
	case TWO:
		value *= 2;
		break;
	case 3:
		value = IS(third) ? value : -value;
		break;
	}
	if (mode)
		value = mode == 1 ? value + 10 : mode == 2 ? value + 20 : value + 30;
	y[i] = value;
}

extern "C" __global__ void covered_reference(
	const int *x, int *y, int kind, int mode, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		int value = x[i];

		if (value == 1234567)
			value = 0;
		if (kind == 1)
			value += 1;
		else if (kind == TWO)
			value *= 2;
		else if (is_kind<3>(kind))
			value = -value;
		if (mode == 0)
			y[i] = value;
		else if (mode == 1)
			y[i] = value + 10;
		else if (mode == 2)
			y[i] = value + 20;
		else
			y[i] = value + 30;
	}
}
