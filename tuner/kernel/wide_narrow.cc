/*
 * Narrow reals that hold a double, for a reference that computes in double: this text
 * stands behind the toolkit's headers and ahead of a template. The names of the toolkit's
 * types and conversions become macros; its functions of narrow reals get overloads, so
 * that a function that is missing here does not compile, and the reference is not used.
 *
 * The types are as large as a double, and so are the elements of the arguments' copies.
 * A kernel that takes numbers apart bit by bit computes something else, and is not used.
 */
#if !defined(__CUDA_FP16_H__) && !defined(__CUDA_BF16_H__) && !defined(__CUDA_FP8_H__)
#error no type of the toolkit to widen: the template has types of its own, whose bits it computes
#endif

template <int at_KIND> struct at_wide {
	double at_value;

	at_wide() = default;
	__device__ at_wide(double at_from) : at_value(at_from) {}
	__device__ operator double() const { return at_value; }
};

template <int at_KIND> struct at_wide2 {
	at_wide<at_KIND> x, y;

	at_wide2() = default;
	__device__ at_wide2(at_wide<at_KIND> at_x, at_wide<at_KIND> at_y) : x(at_x), y(at_y) {}
};

#define AT_WIDE template <int K> __device__ inline
#define AT_WIDE_1(name, pair, expression) \
	AT_WIDE at_wide<K> name(at_wide<K> at_a) { double a = at_a; return expression; } \
	AT_WIDE at_wide2<K> pair(at_wide2<K> a) { return at_wide2<K>(name(a.x), name(a.y)); }
#define AT_WIDE_2(name, pair, expression) \
	AT_WIDE at_wide<K> name(at_wide<K> at_a, at_wide<K> at_b) \
	{ double a = at_a, b = at_b; return expression; } \
	AT_WIDE at_wide2<K> pair(at_wide2<K> a, at_wide2<K> b) \
	{ return at_wide2<K>(name(a.x, b.x), name(a.y, b.y)); }
#define AT_WIDE_OPERATOR(sign, name, pair) \
	AT_WIDE_2(name, pair, a sign b) \
	AT_WIDE_2(name##_rn, pair##_rn, a sign b) \
	AT_WIDE at_wide<K> operator sign(at_wide<K> a, at_wide<K> b) { return name(a, b); } \
	AT_WIDE at_wide2<K> operator sign(at_wide2<K> a, at_wide2<K> b) { return pair(a, b); } \
	AT_WIDE at_wide<K> &operator sign##=(at_wide<K> &a, at_wide<K> b) { return a = name(a, b); } \
	AT_WIDE at_wide2<K> &operator sign##=(at_wide2<K> &a, at_wide2<K> b) { return a = pair(a, b); }
AT_WIDE_OPERATOR(+, __hadd, __hadd2)
AT_WIDE_OPERATOR(-, __hsub, __hsub2)
AT_WIDE_OPERATOR(*, __hmul, __hmul2)
AT_WIDE_OPERATOR(/, __hdiv, __h2div)
AT_WIDE_2(__hmax, __hmax2, fmax(a, b))
AT_WIDE_2(__hmin, __hmin2, fmin(a, b))
AT_WIDE_1(__hneg, __hneg2, -a)
AT_WIDE_1(__habs, __habs2, fabs(a))
AT_WIDE_1(hsqrt, h2sqrt, sqrt(a))
AT_WIDE_1(hrsqrt, h2rsqrt, rsqrt(a))
AT_WIDE_1(hrcp, h2rcp, 1.0 / a)
AT_WIDE_1(hexp, h2exp, exp(a))
AT_WIDE_1(hexp2, h2exp2, exp2(a))
AT_WIDE_1(hlog, h2log, log(a))
AT_WIDE_1(hlog2, h2log2, log2(a))
AT_WIDE_1(hsin, h2sin, sin(a))
AT_WIDE_1(hcos, h2cos, cos(a))
AT_WIDE_1(htanh, h2tanh, tanh(a))
AT_WIDE at_wide<K> operator-(at_wide<K> a) { return __hneg(a); }
AT_WIDE at_wide2<K> operator-(at_wide2<K> a) { return __hneg2(a); }
AT_WIDE at_wide<K> __hfma(at_wide<K> a, at_wide<K> b, at_wide<K> c)
{ return fma((double)a, (double)b, (double)c); }
AT_WIDE at_wide2<K> __hfma2(at_wide2<K> a, at_wide2<K> b, at_wide2<K> c)
{ return at_wide2<K>(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
#define AT_WIDE_COMPARE(name, sign) \
	AT_WIDE bool name(at_wide<K> a, at_wide<K> b) { return (double)a sign (double)b; }
AT_WIDE_COMPARE(__heq, ==)
AT_WIDE_COMPARE(__hne, !=)
AT_WIDE_COMPARE(__hlt, <)
AT_WIDE_COMPARE(__hle, <=)
AT_WIDE_COMPARE(__hgt, >)
AT_WIDE_COMPARE(__hge, >=)
AT_WIDE double __low2float(at_wide2<K> a) { return a.x; }
AT_WIDE double __high2float(at_wide2<K> a) { return a.y; }
AT_WIDE double2 at_floats(at_wide2<K> a) { return make_double2(a.x, a.y); }

typedef at_wide<1> at_half;
typedef at_wide<2> at_bfloat16;
typedef at_wide<3> at_fp8_e4m3;
typedef at_wide<4> at_fp8_e5m2;
typedef at_wide2<1> at_half2;
typedef at_wide2<2> at_bfloat162;

/* ---- names that become macros ---- */

#define __half at_half
#define half at_half
#define nv_half at_half
#define __nv_half at_half
#define __half2 at_half2
#define half2 at_half2
#define nv_half2 at_half2
#define __nv_half2 at_half2
#define __nv_bfloat16 at_bfloat16
#define nv_bfloat16 at_bfloat16
#define __nv_bfloat162 at_bfloat162
#define nv_bfloat162 at_bfloat162
#define __nv_fp8_e4m3 at_fp8_e4m3
#define __nv_fp8_e5m2 at_fp8_e5m2

#define __float2half(a) at_half((double)(a))
#define __float2half_rn(a) at_half((double)(a))
#define __double2half(a) at_half((double)(a))
#define __int2half_rn(a) at_half((double)(a))
#define __half2float(a) ((double)(a))
#define __float2half2_rn(a) at_half2((double)(a), (double)(a))
#define __floats2half2_rn(a, b) at_half2((double)(a), (double)(b))
#define __half2half2(a) at_half2(a, a)
#define __halves2half2(a, b) at_half2(a, b)
#define make_half2(a, b) at_half2(a, b)
#define __half22float2(a) at_floats(a)
#define __low2half(a) ((a).x)
#define __high2half(a) ((a).y)
#define __float2bfloat16(a) at_bfloat16((double)(a))
#define __float2bfloat16_rn(a) at_bfloat16((double)(a))
#define __double2bfloat16(a) at_bfloat16((double)(a))
#define __int2bfloat16_rn(a) at_bfloat16((double)(a))
#define __bfloat162float(a) ((double)(a))
#define __float2bfloat162_rn(a) at_bfloat162((double)(a), (double)(a))
#define __floats2bfloat162_rn(a, b) at_bfloat162((double)(a), (double)(b))
#define __bfloat162bfloat162(a) at_bfloat162(a, a)
#define __halves2bfloat162(a, b) at_bfloat162(a, b)
#define make_bfloat162(a, b) at_bfloat162(a, b)
#define __bfloat1622float2(a) at_floats(a)
#define __low2bfloat16(a) ((a).x)
#define __high2bfloat16(a) ((a).y)
#define __float22half2_rn(a) at_half2((a).x, (a).y)
#define __float22bfloat162_rn(a) at_bfloat162((a).x, (a).y)
