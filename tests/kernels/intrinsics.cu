// Intrinsics whose values CUDA defines to the last bit, and functions that no C library has:
// test_host_intrinsics.c holds them to its own arithmetic, test_nvrtc_headers.c compiles
// the file for a GPU.
#include "simd_list.h"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// ---- words of several parts ----

extern "C" __global__ void parts(const unsigned *a, const unsigned *b, unsigned *out, int n)
{
	int i = INDEX;

	if (i >= n)
		return;
#define TWO(name, bits, is_signed, expression) *out_of++ = name(a[i], b[i]);
#define ONE(name, bits, is_signed, expression) *out_of++ = name(a[i]);
#define COUNT(name, bits, is_signed, expression) + 1
	const int count = 0 SIMD_PAIR(COUNT, 2, 16) SIMD_PAIR(COUNT, 4, 8) SIMD_ONE(COUNT, 2, 16)
		SIMD_ONE(COUNT, 4, 8) SIMD_SUM(COUNT, 2, 16) SIMD_SUM(COUNT, 4, 8);
	unsigned *out_of = out + i * count;
	SIMD_PAIR(TWO, 2, 16) SIMD_PAIR(TWO, 4, 8) SIMD_ONE(ONE, 2, 16) SIMD_ONE(ONE, 4, 8)
	SIMD_SUM(TWO, 2, 16) SIMD_SUM(TWO, 4, 8)
}

extern "C" __global__ void products(int *out)
{
	unsigned a = 0x8001fffeu, b = 0xff7f8002u;

	out[0] = __dp2a_lo((int)a, (int)b, 100);
	out[1] = __dp2a_hi((int)a, (int)b, 100);
	out[2] = __dp2a_lo(a, b, 100u);
	out[3] = __dp2a_hi(a, b, 100u);
	out[4] = __dp4a((int)a, (int)b, 100);
	out[5] = __dp4a(a, b, 100u);
	out[6] = __dp2a_lo(make_short2(-2, 300), make_char4(-128, 127, 3, 4), -7);
	out[7] = __dp2a_hi(make_ushort2(65535, 2), make_uchar4(1, 2, 255, 200), 1u);
	out[8] = __dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, -7, 8), 9);
	out[9] = (int)__fns(0xf0u, 0, 2);
	out[10] = (int)__fns(0xf0u, 31, -1);
	out[11] = (int)__fns(0xf0u, 5, 0);
	out[12] = (int)__fns(0xf0u, 0, 5);
}

extern "C" __global__ void extremes(const int *in, int *out)
{
	int a = in[0], b = in[1], c = in[2];
	bool first, high, low;

	out[0] = __vimax3_s32(a, b, c);
	out[1] = __vimin3_s32_relu(a, b, c);
	out[2] = __viaddmax_s32(a, b, c);
	out[3] = (int)__viaddmin_u32(a, b, c);
	out[4] = __vibmax_s32(a, a, &first) == a && first;
	out[5] = __vibmin_s32(a, b, &first) == min(a, b) && first == (a <= b);
	out[6] = (int)__viaddmax_s16x2_relu(0x7fff8000u, 0x00018000u, 0xfffe0005u);
	out[7] = (int)__vibmin_u16x2(0x00018000u, 0x00017fffu, &high, &low);
	out[8] = high * 2 + low;
}

// ---- rounding that the name says ----

#define MODES(name, ...) \
	*out++ = name##_rn(__VA_ARGS__); \
	*out++ = name##_rd(__VA_ARGS__); \
	*out++ = name##_ru(__VA_ARGS__); \
	*out++ = name##_rz(__VA_ARGS__);

extern "C" __global__ void rounded_floats(const float *in, float *out, int n)
{
	int i = INDEX;
	float x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];

	if (i >= n)
		return;
	out += 20 * i;
	MODES(__fadd, x, y)
	MODES(__fsub, x, y)
	MODES(__fmul, x, y)
	MODES(__fdiv, x, y)
	MODES(__fmaf, x, y, z)
}

extern "C" __global__ void rounded_roots(const float *in, float *out, int n)
{
	int i = INDEX;
	float x = in[i];

	if (i >= n)
		return;
	out += 9 * i;
	MODES(__fsqrt, x)
	MODES(__frcp, x)
	*out++ = __frsqrt_rn(x);
}

extern "C" __global__ void rounded_doubles(const double *in, double *out, int n)
{
	int i = INDEX;
	double x = in[2 * i], y = in[2 * i + 1];

	if (i >= n)
		return;
	out += 16 * i;
	MODES(__dadd, x, y)
	MODES(__dmul, x, y)
	MODES(__ddiv, x, y)
	MODES(__fma, x, y, -x * y)
}

extern "C" __global__ void rounded_integers(const long long *in, float *out, double *wide, int n)
{
	int i = INDEX;
	long long x = in[i];

	if (i >= n)
		return;
	{
		float *all = out + 16 * i;
		float *out = all;
		MODES(__ll2float, x)
		MODES(__ull2float, (unsigned long long)x)
		MODES(__int2float, (int)x)
		MODES(__uint2float, (unsigned)x)
	}
	{
		double *out = wide + 8 * i;
		MODES(__ll2double, x)
		MODES(__ull2double, (unsigned long long)x)
	}
}

extern "C" __global__ void integers(const double *in, long long *out, int n)
{
	int i = INDEX;
	double x = in[i];
	float f = (float)x;

	if (i >= n)
		return;
	out += 32 * i;
	MODES(__float2int, f)
	MODES(__float2uint, f)
	MODES(__float2ll, f)
	MODES((long long)__float2ull, f)
	MODES(__double2int, x)
	MODES(__double2uint, x)
	MODES(__double2ll, x)
	MODES((long long)__double2ull, x)
}

extern "C" __global__ void apart(const float *in, float *out, const double *wide, double *wide_out)
{
	out[0] = __fadd_rn(__fmul_rn(in[0], in[1]), in[2]);
	out[1] = __fadd_rn(in[0] * in[1], in[2]);
	out[2] = __fmul_rn(in[0], in[1]) + in[2];
	out[3] = __fmaf_rn(in[0], in[1], in[2]);
	wide_out[0] = __dadd_rn(__dmul_rn(wide[0], wide[1]), wide[2]);
	wide_out[1] = __dmul_rn(wide[0], wide[1]) - -wide[2];
	wide_out[2] = __fma_rn(wide[0], wide[1], wide[2]);
}

// ---- functions ----

#define FUNCTIONS(X) \
	X(erfinv) X(erfcinv) X(normcdfinv) X(normcdf) X(erfcx) X(cyl_bessel_i0) X(cyl_bessel_i1) \
	X(sinpi) X(cospi)
extern "C" __global__ void functions(const double *in, double *out, float *narrow, int n)
{
	int i = INDEX, k = 0;

	if (i >= n)
		return;
#define WIDE(name) if (k++ == i) { out[i] = name(in[i]); narrow[i] = name##f((float)in[i]); }
	FUNCTIONS(WIDE)
	k = 0;
	/* the overloads of C++ are the same */
#define SAME(name) if (k++ == i && !(name((float)in[i]) == name##f((float)in[i]))) narrow[i] = -999;
	FUNCTIONS(SAME)
}

extern "C" __global__ void lengths(const double *in, double *out)
{
	float narrow[4] = { 2, 3, 6, 0 };

	out[0] = norm(3, in);
	out[1] = norm4d(in[0], in[1], in[2], 0);
	out[2] = normf(3, narrow);
	out[3] = rnorm3df(2, 3, 6);
	out[4] = norm(3, in + 3);
	out[5] = sinpi(3.0) + sinpif(1e5f) + cospif(1e5f + 0.5f);
	out[6] = sinpi(1e9 + 0.5) + cospi(1e9 + 1);
}

extern "C" __global__ void lists(const int *in, int *out, int n)
{
	struct node { int value; node *next; } *head = nullptr;
	int i = INDEX, sum = 0;

	if (i >= n)
		return;
	for (int k = 0; k < 5; k++) {
		node *one = (node *)malloc(sizeof(node));
		one->value = in[(i + k) % n];
		one->next = head;
		head = one;
	}
	for (int k = 1; head; k++) {
		node *one = head;
		sum += k * one->value;
		head = one->next;
		free(one);
	}
	out[i] = sum;
}
