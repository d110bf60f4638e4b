/*
 * CUDA's C++ for the CPU: functions of real numbers.
 * Part of the dialect, behind host_dialect.h.
 */
/* Arithmetic whose fast forms on a GPU are the plain ones here. */
AT_HOST_CONVERT(rsqrtf, float, float, 1.0f / sqrtf(x))
AT_HOST_CONVERT(rsqrt, double, double, 1.0 / sqrt(x))
AT_HOST_CONVERT(__saturatef, float, float, x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f)
AT_HOST_CONVERT(rcbrtf, float, float, 1.0f / cbrtf(x))
AT_HOST_CONVERT(rcbrt, double, double, 1.0 / cbrt(x))
#define AT_HOST_BINARY(name, type, expression) \
	AT_HOST_INLINE type name(type x, type y) { return expression; }
AT_HOST_BINARY(__fdividef, float, x / y)
AT_HOST_BINARY(fdividef, float, x / y)
AT_HOST_BINARY(fdivide, double, x / y)
AT_HOST_BINARY(rhypotf, float, 1.0f / hypotf(x, y))
AT_HOST_BINARY(rhypot, double, 1.0 / hypot(x, y))
AT_HOST_BINARY(umin, unsigned, x < y ? x : y)
AT_HOST_BINARY(umax, unsigned, x < y ? y : x)
AT_HOST_BINARY(llmin, long long, x < y ? x : y)
AT_HOST_BINARY(llmax, long long, x < y ? y : x)
AT_HOST_BINARY(ullmin, unsigned long long, x < y ? x : y)
AT_HOST_BINARY(ullmax, unsigned long long, x < y ? y : x)
/* Macros, since glibc has private functions of these names. */
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf
#define __sincosf sincosf

/*
 * CUDA's overloads. In a namespace of their own, so that a template that does
 * include <cmath> or <algorithm> meets no second declaration.
 */
namespace at_host_overloads
{
#define AT_HOST_MIN_MAX(result, left, right) \
	AT_HOST_INLINE constexpr result min(left x, right y) \
	{ return (result)y < (result)x ? (result)y : (result)x; } \
	AT_HOST_INLINE constexpr result max(left x, right y) \
	{ return (result)x < (result)y ? (result)y : (result)x; }
#define AT_HOST_MIN_MAX_MIXED(signed_type, unsigned_type) \
	AT_HOST_MIN_MAX(signed_type, signed_type, signed_type) \
	AT_HOST_MIN_MAX(unsigned_type, unsigned_type, unsigned_type) \
	AT_HOST_MIN_MAX(unsigned_type, signed_type, unsigned_type) \
	AT_HOST_MIN_MAX(unsigned_type, unsigned_type, signed_type)
AT_HOST_MIN_MAX_MIXED(int, unsigned)
AT_HOST_MIN_MAX_MIXED(long, unsigned long)
AT_HOST_MIN_MAX_MIXED(long long, unsigned long long)
AT_HOST_INLINE float min(float x, float y) { return __builtin_fminf(x, y); }
AT_HOST_INLINE float max(float x, float y) { return __builtin_fmaxf(x, y); }
AT_HOST_INLINE double min(double x, double y) { return __builtin_fmin(x, y); }
AT_HOST_INLINE double max(double x, double y) { return __builtin_fmax(x, y); }
AT_HOST_INLINE double min(float x, double y) { return __builtin_fmin(x, y); }
AT_HOST_INLINE double max(float x, double y) { return __builtin_fmax(x, y); }
AT_HOST_INLINE double min(double x, float y) { return __builtin_fmin(x, y); }
AT_HOST_INLINE double max(double x, float y) { return __builtin_fmax(x, y); }

#ifndef _LIBCPP_VERSION
#define AT_HOST_FLOAT(name) \
	AT_HOST_INLINE float name(float x) { return __builtin_##name##f(x); }
#define AT_HOST_FLOAT2(name) \
	AT_HOST_INLINE float name(float x, float y) { return __builtin_##name##f(x, y); }
AT_HOST_FLOAT(sqrt)
AT_HOST_FLOAT(cbrt)
AT_HOST_FLOAT(exp)
AT_HOST_FLOAT(exp2)
AT_HOST_FLOAT(expm1)
AT_HOST_FLOAT(log)
AT_HOST_FLOAT(log2)
AT_HOST_FLOAT(log10)
AT_HOST_FLOAT(log1p)
AT_HOST_FLOAT(sin)
AT_HOST_FLOAT(cos)
AT_HOST_FLOAT(tan)
AT_HOST_FLOAT(asin)
AT_HOST_FLOAT(acos)
AT_HOST_FLOAT(atan)
AT_HOST_FLOAT(sinh)
AT_HOST_FLOAT(cosh)
AT_HOST_FLOAT(tanh)
AT_HOST_FLOAT(erf)
AT_HOST_FLOAT(erfc)
AT_HOST_FLOAT(floor)
AT_HOST_FLOAT(ceil)
AT_HOST_FLOAT(round)
AT_HOST_FLOAT(trunc)
AT_HOST_FLOAT(rint)
AT_HOST_FLOAT(fabs)
AT_HOST_FLOAT2(pow)
AT_HOST_FLOAT2(fmod)
AT_HOST_FLOAT2(atan2)
AT_HOST_FLOAT2(hypot)
AT_HOST_FLOAT2(fmin)
AT_HOST_FLOAT2(fmax)
AT_HOST_FLOAT2(copysign)
AT_HOST_INLINE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
AT_HOST_INLINE float abs(float x) { return __builtin_fabsf(x); }
AT_HOST_INLINE double abs(double x) { return __builtin_fabs(x); }
AT_HOST_INLINE long long abs(long long x) { return x < 0 ? -x : x; }
AT_HOST_INLINE long abs(long x) { return x < 0 ? -x : x; }
#endif
AT_HOST_INLINE float exp10(float x) { return exp10f(x); }
#define AT_HOST_SINGLE(name) \
	AT_HOST_INLINE float name(float x) { return name##f(x); }
AT_HOST_SINGLE(rsqrt)
AT_HOST_SINGLE(rcbrt)
AT_HOST_SINGLE(sinpi)
AT_HOST_SINGLE(cospi)
AT_HOST_SINGLE(normcdf)
AT_HOST_SINGLE(normcdfinv)
AT_HOST_SINGLE(erfinv)
AT_HOST_SINGLE(erfcinv)
AT_HOST_SINGLE(erfcx)
AT_HOST_SINGLE(cyl_bessel_i0)
AT_HOST_SINGLE(cyl_bessel_i1)
AT_HOST_SINGLE(j0)
AT_HOST_SINGLE(j1)
AT_HOST_SINGLE(y0)
AT_HOST_SINGLE(y1)
AT_HOST_INLINE float jn(int n, float x) { return jnf(n, x); }
AT_HOST_INLINE float yn(int n, float x) { return ynf(n, x); }
AT_HOST_INLINE void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
AT_HOST_INLINE void sincospi(float x, float *sine, float *cosine)
{ sincospif(x, sine, cosine); }
}
using namespace at_host_overloads;
#pragma GCC visibility push(default)
extern "C" {
int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
/* of the heap of a device, which is this process's */
void *malloc(size_t) noexcept;
void free(void *) noexcept;
}
#pragma GCC visibility pop

AT_HOST_INLINE long long clock64()
{
#if defined(__x86_64__)
	return (long long)__builtin_ia32_rdtsc();
#else
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
#endif
}
AT_HOST_INLINE int at_host_clock() { return (int)clock64(); }
#define clock at_host_clock
AT_HOST_INLINE void __nanosleep(unsigned) { at_host_turn(); }
#define __trap() __builtin_trap()
#define __brkpt() __builtin_trap()
#define __prof_trigger(counter) ((void)(counter))
#define __assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#ifndef __clang__
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif
