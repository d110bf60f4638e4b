/*
 * CUDA's C++ for the CPU: bits, and conversions among numbers.
 * Part of the dialect, behind host_dialect.h.
 */

AT_HOST_INLINE int __float_as_int(float x) { return at_host_bits<int>(x); }
AT_HOST_INLINE unsigned __float_as_uint(float x) { return at_host_bits<unsigned>(x); }
AT_HOST_INLINE float __int_as_float(int x) { return at_host_bits<float>(x); }
AT_HOST_INLINE float __uint_as_float(unsigned x) { return at_host_bits<float>(x); }
AT_HOST_INLINE long long __double_as_longlong(double x)
{ return at_host_bits<long long>(x); }
AT_HOST_INLINE double __longlong_as_double(long long x) { return at_host_bits<double>(x); }
#define AT_HOST_CONVERT(name, to, from, expression) \
	AT_HOST_INLINE to name(from x) { return (to)(expression); }
AT_HOST_CONVERT(__double2hiint, int, double, __double_as_longlong(x) >> 32)
AT_HOST_CONVERT(__double2loint, int, double, __double_as_longlong(x))
AT_HOST_INLINE double __hiloint2double(int high, int low)
{
	return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 |
		(unsigned)low));
}

/* ---- To integers: what does not fit becomes the nearest that does ---- */

/* `whole` is an integer, or none; a number beyond either end is held against it before it
   is converted. */
template <class T, class F> AT_HOST_INLINE T at_host_whole(F whole, T of_nan)
{
	constexpr bool is_signed = (T)-1 < 0;
	constexpr T high = is_signed ? (T)(((unsigned long long)1 << (8 * sizeof(T) - 1)) - 1)
				     : (T)-1;
	/* the first that is too large: a power of two */
	constexpr F end = (F)2 * ((unsigned long long)1 << (8 * sizeof(T) - 2)) *
		(is_signed ? 1 : 2);
	constexpr F begin = is_signed ? -end : 0;

	if (whole != whole)
		return of_nan;
	return whole >= end ? high : whole <= begin ? (T)(is_signed ? -high - 1 : 0) : (T)whole;
}
/* No number is 0 of a float and 32 bits, and the highest bit alone of all others. */
#define AT_HOST_TO_INTEGER(name, to, from, f, of_nan) \
	AT_HOST_CONVERT(name##_rn, to, from, at_host_whole<to>(__builtin_rint##f(x), of_nan)) \
	AT_HOST_CONVERT(name##_rz, to, from, at_host_whole<to>(__builtin_trunc##f(x), of_nan)) \
	AT_HOST_CONVERT(name##_ru, to, from, at_host_whole<to>(__builtin_ceil##f(x), of_nan)) \
	AT_HOST_CONVERT(name##_rd, to, from, at_host_whole<to>(__builtin_floor##f(x), of_nan))
AT_HOST_TO_INTEGER(__float2int, int, float, f, 0)
AT_HOST_TO_INTEGER(__float2uint, unsigned, float, f, 0)
AT_HOST_TO_INTEGER(__float2ll, long long, float, f, LLONG_MIN)
AT_HOST_TO_INTEGER(__float2ull, unsigned long long, float, f, (unsigned long long)LLONG_MIN)
AT_HOST_TO_INTEGER(__double2int, int, double, , INT_MIN)
AT_HOST_TO_INTEGER(__double2uint, unsigned, double, , (unsigned)INT_MIN)
AT_HOST_TO_INTEGER(__double2ll, long long, double, , LLONG_MIN)
AT_HOST_TO_INTEGER(__double2ull, unsigned long long, double, , (unsigned long long)LLONG_MIN)
