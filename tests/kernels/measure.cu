/*
 * Kernels that test_measure.c proves and times: one that is right, and one for
 * each way of being wrong. y = 2 x + 1, z += x, flags = -1.
 */
#define ARGUMENTS const float *x, float *y, float *z, signed char *flags, float *t, int n, \
	long long reach
#define KERNEL extern "C" __global__ void
#define ME (int)(blockIdx.x * blockDim.x + threadIdx.x)

static __device__ void compute(const float *x, float *y, float *z, signed char *flags, int i)
{
	y[i] = 2.0f * x[i] + 1.0f;
	if (z)
		z[i] += x[i];
	flags[i] = -1;
}

KERNEL right(ARGUMENTS)
{
	if (ME < n)
		compute(x, y, z, flags, ME);
}

/* x comes by a tensor map, which the test's device encodes as x's address */
struct alignas(64) map {
	const float *x;
	char rest[120];
};
KERNEL by_map(const float *, float *y, float *z, signed char *flags, float *, int n, map m)
{
	if (ME < n)
		compute(m.x, y, z, flags, ME);
}

/* x comes as a texture, y is a surface */
KERNEL by_texels(cudaTextureObject_t x, cudaSurfaceObject_t y, float *z, signed char *flags,
	float *, int n, long long)
{
	if (ME < n) {
		float value = tex1D<float>(x, ME + 0.5f);

		surf1Dwrite(2.0f * value + 1.0f, y, ME * 4);
		if (z)
			z[ME] += value;
		flags[ME] = -1;
	}
}

/* x, y and z have rows of 13 numbers, 64 bytes apart; reach: number 13 of row 2 too */
KERNEL by_rows(ARGUMENTS)
{
	const int at = ME / 13 * 16 + ME % 13;

	if (ME < n) {
		y[at] = 2.0f * x[at] + 1.0f;
		z[at] += x[at];
		flags[ME] = -1;
	}
	if (ME == 0 && reach)
		y[2 * 16 + 13] = 0.0f;
}

/* the same by another name */
KERNEL right_too(ARGUMENTS)
{
	if (ME < n)
		compute(x, y, z, flags, ME);
}

KERNEL wrong(ARGUMENTS)
{
	if (ME < n)
		compute(x, y, z, flags, ME);
	if (ME == 7)
		y[7] = 5.0f;
}

KERNEL nan_at_the_end(ARGUMENTS)
{
	if (ME < n)
		compute(x, y, z, flags, ME);
	if (ME == n - 1)
		y[ME] = sqrtf(-1.0f - fabsf(x[0]));
}

KERNEL infinite(ARGUMENTS)
{
	if (ME < n) {
		compute(x, y, z, flags, ME);
		y[ME] = 1e38f * (100.0f + x[0] * x[0]);
	}
}

KERNEL half(ARGUMENTS)
{
	if (ME < n / 2)
		compute(x, y, z, flags, ME);
}

/* what it leaves out is what the first poison looks like */
KERNEL no_flags(ARGUMENTS)
{
	signed char kept;

	if (ME >= n)
		return;
	kept = flags[ME];
	compute(x, y, z, flags, ME);
	flags[ME] = kept;
}

KERNEL astray(ARGUMENTS)
{
	if (ME < n)
		compute(x, y, z, flags, ME);
	if (ME == 0)
		flags[reach] = 0;
}

/* writes a y that is far away */
KERNEL far(ARGUMENTS)
{
	if (ME < n)
		compute(x, y, z, flags, ME);
	if (ME == 0)
		y[reach] = 0.0f;
}

/* one value too many, from behind x to behind y */
KERNEL copies_too_much(ARGUMENTS)
{
	if (ME < n)
		compute(x, y, z, flags, ME);
	if (ME == n)
		y[n] = x[n];
}

KERNEL changes_input(ARGUMENTS)
{
	if (ME < n)
		compute(x, y, z, flags, ME);
	if (ME == 3)
		((float *)x)[n - 1] = 77.0f;
}

static __device__ int launches;

/* `reach` launches long it works, then it is very fast */
KERNEL tires(ARGUMENTS)
{
	if (ME < n && launches < reach)
		compute(x, y, z, flags, ME);
	if (ME == n)
		launches++;
}

/* right on data that begins with the float whose bits `reach` has */
KERNEL right_on_one(ARGUMENTS)
{
	if (ME < n)
		compute(x, y, z, flags, ME);
	if (ME == n - 1 && __float_as_int(x[0]) != (int)reach)
		y[ME] = 5.0f;
}

/* all of its scratch, and nothing but that */
KERNEL fills_scratch(ARGUMENTS)
{
	if (ME < n)
		compute(x, y, z, flags, ME);
	for (long long i = ME; i < reach; i += (long long)gridDim.x * blockDim.x)
		t[i] = 0.0f;
}

/* in place, so that it must be prepared before each launch */
KERNEL prepare(ARGUMENTS)
{
	if (ME < n)
		t[ME] = x[ME];
}

KERNEL in_place(ARGUMENTS)
{
	if (ME >= n)
		return;
	z[ME] += t[ME];
	t[ME] = 2.0f * t[ME] + 1.0f;
	flags[ME] = -1;
}

KERNEL finish(ARGUMENTS)
{
	if (ME < n)
		y[ME] = t[ME];
}

/* what x holds, where it is the one that the variable gets */
__constant__ float table[1003];
__constant__ float few[1000];

KERNEL looks_up(ARGUMENTS)
{
	if (ME < n)
		compute(table, y, z, flags, ME);
}

KERNEL looks_up_few(ARGUMENTS)
{
	if (ME < n)
		compute(few, y, z, flags, ME);
}
