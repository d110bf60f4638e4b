/*
 * CUDA's C++ for the CPU: arithmetic and conversions whose names say how they are rounded.
 * The processor does it, in the mode of the name; a compiler knows nothing of modes, so
 * that what goes in and what comes out is hidden from it.
 * Part of the dialect, behind host_dialect.h.
 */

#if defined(__x86_64__)
#define AT_HOST_MODE_DOWN 0x2000u
#define AT_HOST_MODE_UP 0x4000u
#define AT_HOST_MODE_CUT 0x6000u
#define AT_HOST_REGISTER "+x"
AT_HOST_INLINE unsigned at_host_round(unsigned mode)
{
	unsigned before = __builtin_ia32_stmxcsr();

	__builtin_ia32_ldmxcsr((before & ~0x6000u) | mode);
	return before;
}
AT_HOST_INLINE void at_host_round_as(unsigned before) { __builtin_ia32_ldmxcsr(before); }
#elif defined(__aarch64__)
#define AT_HOST_MODE_UP (1ul << 22)
#define AT_HOST_MODE_DOWN (2ul << 22)
#define AT_HOST_MODE_CUT (3ul << 22)
#define AT_HOST_REGISTER "+w"
AT_HOST_INLINE void at_host_round_as(unsigned long before)
{ __asm__ volatile("msr fpcr, %0" : : "r"(before)); }
AT_HOST_INLINE unsigned long at_host_round(unsigned long mode)
{
	unsigned long before;

	__asm__ volatile("mrs %0, fpcr" : "=r"(before));
	at_host_round_as((before & ~(3ul << 22)) | mode);
	return before;
}
#else
#include <fenv.h>
#define AT_HOST_MODE_DOWN FE_DOWNWARD
#define AT_HOST_MODE_UP FE_UPWARD
#define AT_HOST_MODE_CUT FE_TOWARDZERO
#define AT_HOST_REGISTER "+m"
AT_HOST_INLINE void at_host_round_as(int before) { fesetround(before); }
AT_HOST_INLINE int at_host_round(int mode)
{
	int before = fegetround();

	fesetround(mode);
	return before;
}
#endif

AT_HOST_INLINE void at_host_hide(float &x) { __asm__ volatile("" : AT_HOST_REGISTER(x)); }
AT_HOST_INLINE void at_host_hide(double &x) { __asm__ volatile("" : AT_HOST_REGISTER(x)); }
template <class T> AT_HOST_INLINE void at_host_hide(T &x) { __asm__ volatile("" : "+r"(x)); }

/* What is rounded by itself: no product goes into a sum here, or out of here into one, and
   is fused with it. */
AT_HOST_INLINE float at_host_kept(float x)
{
	__asm__("" : AT_HOST_REGISTER(x));
	return x;
}
AT_HOST_INLINE double at_host_kept(double x)
{
	__asm__("" : AT_HOST_REGISTER(x));
	return x;
}
template <class T> AT_HOST_INLINE T at_host_kept(T x) { return x; }

#define AT_HOST_IN_MODE(name, mode, to, parameters, hidden, expression) \
	AT_HOST_INLINE to name parameters \
	{ \
		auto before = at_host_round(mode); \
		hidden; \
		to result = (to)(expression); \
		at_host_hide(result); \
		at_host_round_as(before); \
		return result; \
	}
#define AT_HOST_IN_ALL_MODES(name, to, parameters, kept, hidden, expression) \
	AT_HOST_INLINE to name##_rn parameters \
	{ \
		kept; \
		return at_host_kept((to)(expression)); \
	} \
	AT_HOST_IN_MODE(name##_rd, AT_HOST_MODE_DOWN, to, parameters, hidden, expression) \
	AT_HOST_IN_MODE(name##_ru, AT_HOST_MODE_UP, to, parameters, hidden, expression) \
	AT_HOST_IN_MODE(name##_rz, AT_HOST_MODE_CUT, to, parameters, hidden, expression)
#define AT_HOST_OF_ONE(name, to, from, expression) \
	AT_HOST_IN_ALL_MODES(name, to, (from x), (void)0, at_host_hide(x), expression)
#define AT_HOST_OF_TWO(name, type, expression) \
	AT_HOST_IN_ALL_MODES(name, type, (type x, type y), (x = at_host_kept(x), y = at_host_kept(y)), \
		(at_host_hide(x), at_host_hide(y)), expression)
#define AT_HOST_OF_THREE(name, type, expression) \
	AT_HOST_IN_ALL_MODES(name, type, (type x, type y, type z), (void)0, \
		(at_host_hide(x), at_host_hide(y), at_host_hide(z)), expression)
AT_HOST_OF_TWO(__fadd, float, x + y)
AT_HOST_OF_TWO(__fsub, float, x - y)
AT_HOST_OF_TWO(__fmul, float, x * y)
AT_HOST_OF_TWO(__fdiv, float, x / y)
AT_HOST_OF_ONE(__frcp, float, float, 1.0f / x)
AT_HOST_OF_ONE(__fsqrt, float, float, __builtin_sqrtf(x))
AT_HOST_OF_THREE(__fmaf, float, __builtin_fmaf(x, y, z))
AT_HOST_OF_THREE(__fmaf_ieee, float, __builtin_fmaf(x, y, z))
AT_HOST_OF_TWO(__dadd, double, x + y)
AT_HOST_OF_TWO(__dsub, double, x - y)
AT_HOST_OF_TWO(__dmul, double, x * y)
AT_HOST_OF_TWO(__ddiv, double, x / y)
AT_HOST_OF_ONE(__drcp, double, double, 1.0 / x)
AT_HOST_OF_ONE(__dsqrt, double, double, __builtin_sqrt(x))
AT_HOST_OF_THREE(__fma, double, __builtin_fma(x, y, z))
AT_HOST_OF_ONE(__int2float, float, int, x)
AT_HOST_OF_ONE(__uint2float, float, unsigned, x)
AT_HOST_OF_ONE(__ll2float, float, long long, x)
AT_HOST_OF_ONE(__ull2float, float, unsigned long long, x)
AT_HOST_OF_ONE(__ll2double, double, long long, x)
AT_HOST_OF_ONE(__ull2double, double, unsigned long long, x)
AT_HOST_OF_ONE(__double2float, float, double, x)
/* exact */
AT_HOST_CONVERT(__int2double_rn, double, int, x)
AT_HOST_CONVERT(__uint2double_rn, double, unsigned, x)
/* of a float the double is as near as to be rounded to the same */
AT_HOST_CONVERT(__frsqrt_rn, float, float, 1.0 / __builtin_sqrt((double)x))

/* Pairs, each number by itself. */
#define AT_HOST_PAIRS(suffix) \
	AT_HOST_INLINE float2 __fadd2_##suffix(float2 x, float2 y) \
	{ return float2{ __fadd_##suffix(x.x, y.x), __fadd_##suffix(x.y, y.y) }; } \
	AT_HOST_INLINE float2 __fmul2_##suffix(float2 x, float2 y) \
	{ return float2{ __fmul_##suffix(x.x, y.x), __fmul_##suffix(x.y, y.y) }; } \
	AT_HOST_INLINE float2 __ffma2_##suffix(float2 x, float2 y, float2 z) \
	{ return float2{ __fmaf_##suffix(x.x, y.x, z.x), __fmaf_##suffix(x.y, y.y, z.y) }; }
AT_HOST_PAIRS(rn)
AT_HOST_PAIRS(rz)
AT_HOST_PAIRS(ru)
AT_HOST_PAIRS(rd)
