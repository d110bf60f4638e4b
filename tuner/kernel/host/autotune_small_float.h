/*
 * A floating-point type of 16 bits and the pair of two, with NVIDIA's functions on them:
 * included once for each type, so without a guard. Its caller defines AT_T, AT_T2 and
 * AT_WORD, which names of conversions contain (__float2AT_WORD_rn); AT_OTHER where there
 * is another such type to convert from.
 *
 * Here as in all headers of this folder: a template includes them behind its tuning
 * parameters, which are macros of any name. So every name that is not NVIDIA's own
 * begins with at_, but for small letters.
 */
#define AT_PASTE3_(a, b, c) a##b##c
#define AT_PASTE3(a, b, c) AT_PASTE3_(a, b, c)
/* ahead of the word, and behind it */
#define AT_NAME(a, c) AT_PASTE3(a, AT_WORD, c)
#define AT_RAW AT_PASTE3(AT_T, _raw, )
#define AT_RAW2 AT_PASTE3(AT_T2, _raw, )
#define AT_FROM AT_PASTE3(at_host_, AT_WORD, _from)
#define AT_TO AT_PASTE3(at_host_, AT_WORD, _to)

struct __attribute__((aligned(2))) AT_RAW { unsigned short x; };
struct __attribute__((aligned(4))) AT_RAW2 { unsigned short x, y; };

struct __attribute__((aligned(2))) AT_T {
protected:
	unsigned short __x;

public:
	AT_T() = default;
	constexpr AT_T(const AT_RAW &at_raw) : __x(at_raw.x) {}
	AT_T(float at_value) : __x(AT_FROM(at_value)) {}
	AT_T(double at_value) : __x(AT_FROM(at_value)) {}
#define AT_FROM_INTEGER(at_type) AT_T(at_type at_value) : __x(AT_FROM(at_host_odd_integer(at_value))) {}
	AT_WIDE_INTEGERS(AT_FROM_INTEGER)
#undef AT_FROM_INTEGER
#ifdef AT_OTHER
	explicit AT_T(AT_OTHER at_value) : __x(AT_FROM((float)at_value)) {}
#endif
	operator AT_RAW() const { return AT_RAW{ __x }; }
	operator float() const { return AT_TO(__x); }
	operator bool() const { return (__x & 0x7fff) != 0; }
#define AT_TO_INTEGER(at_type) operator at_type() const { return at_host_integer<at_type>(AT_TO(__x)); }
	AT_BYTES(AT_TO_INTEGER)
	AT_WIDE_INTEGERS(AT_TO_INTEGER)
#undef AT_TO_INTEGER
#define AT_ASSIGN(at_type) AT_T &operator=(at_type at_value) { return *this = AT_T(at_value); }
	AT_ASSIGN(float)
	AT_ASSIGN(double)
	AT_ASSIGN(short)
	AT_ASSIGN(unsigned short)
	AT_ASSIGN(int)
	AT_ASSIGN(unsigned)
	AT_ASSIGN(long long)
	AT_ASSIGN(unsigned long long)
	AT_ASSIGN(const AT_RAW &)
#undef AT_ASSIGN
};

struct __attribute__((aligned(4))) AT_T2 {
	AT_T x, y;

	AT_T2() = default;
	constexpr AT_T2(const AT_T &x, const AT_T &y) : x(x), y(y) {}
	constexpr AT_T2(const AT_RAW2 &at_raw) : x(AT_RAW{ at_raw.x }), y(AT_RAW{ at_raw.y }) {}
	AT_T2 &operator=(const AT_RAW2 &at_raw) { return *this = AT_T2(at_raw); }
	operator AT_RAW2() const { return AT_RAW2{ ((AT_RAW)x).x, ((AT_RAW)y).x }; }
};

/* ---- bits, pairs ---- */

AT_HOST_INLINE AT_T AT_NAME(__ushort_as_, )(unsigned short at_bits) { return AT_T(AT_RAW{ at_bits }); }
AT_HOST_INLINE AT_T AT_NAME(__short_as_, )(short at_bits) { return AT_T(AT_RAW{ (unsigned short)at_bits }); }
AT_HOST_INLINE unsigned short AT_NAME(__, _as_ushort)(AT_T a) { return ((AT_RAW)a).x; }
AT_HOST_INLINE short AT_NAME(__, _as_short)(AT_T a) { return (short)((AT_RAW)a).x; }
#define AT_BITS(a) (((AT_RAW)(a)).x)
#define AT_OF_BITS(at_bits) AT_T(AT_RAW{ (unsigned short)(at_bits) })

AT_HOST_INLINE AT_T2 AT_NAME(make_, 2)(AT_T x, AT_T y) { return AT_T2(x, y); }
AT_HOST_INLINE AT_T2 AT_NAME(__halves2, 2)(AT_T x, AT_T y) { return AT_T2(x, y); }
AT_HOST_INLINE AT_T2 AT_NAME(AT_NAME(__, 2), 2)(AT_T a) { return AT_T2(a, a); }
AT_HOST_INLINE AT_T2 AT_NAME(__low2, 2)(AT_T2 a) { return AT_T2(a.x, a.x); }
AT_HOST_INLINE AT_T2 AT_NAME(__high2, 2)(AT_T2 a) { return AT_T2(a.y, a.y); }
AT_HOST_INLINE AT_T AT_NAME(__low2, )(AT_T2 a) { return a.x; }
AT_HOST_INLINE AT_T AT_NAME(__high2, )(AT_T2 a) { return a.y; }
AT_HOST_INLINE AT_T2 AT_NAME(__lows2, 2)(AT_T2 a, AT_T2 b) { return AT_T2(a.x, b.x); }
AT_HOST_INLINE AT_T2 AT_NAME(__highs2, 2)(AT_T2 a, AT_T2 b) { return AT_T2(a.y, b.y); }
AT_HOST_INLINE AT_T2 __lowhigh2highlow(AT_T2 a) { return AT_T2(a.y, a.x); }
AT_HOST_INLINE float __low2float(AT_T2 a) { return a.x; }
AT_HOST_INLINE float __high2float(AT_T2 a) { return a.y; }

/* ---- conversions ---- */

AT_HOST_INLINE AT_T AT_NAME(__float2, )(float a) { return AT_T(a); }
AT_HOST_INLINE AT_T AT_NAME(__float2, _rn)(float a) { return AT_T(a); }
AT_HOST_INLINE AT_T AT_NAME(__float2, _rz)(float a) { return AT_OF_BITS(AT_FROM((double)a, AT_HOST_ZERO)); }
AT_HOST_INLINE AT_T AT_NAME(__float2, _ru)(float a) { return AT_OF_BITS(AT_FROM((double)a, AT_HOST_UP)); }
AT_HOST_INLINE AT_T AT_NAME(__float2, _rd)(float a) { return AT_OF_BITS(AT_FROM((double)a, AT_HOST_DOWN)); }
AT_HOST_INLINE AT_T AT_NAME(__double2, )(double a) { return AT_T(a); }
AT_HOST_INLINE float AT_NAME(__, 2float)(AT_T a) { return a; }
AT_HOST_INLINE AT_T2 AT_NAME(__float2, 2_rn)(float a) { return AT_T2(AT_T(a), AT_T(a)); }
AT_HOST_INLINE AT_T2 AT_NAME(__floats2, 2_rn)(float x, float y) { return AT_T2(AT_T(x), AT_T(y)); }
AT_HOST_INLINE AT_T2 AT_NAME(__float22, 2_rn)(float2 a) { return AT_T2(AT_T(a.x), AT_T(a.y)); }
AT_HOST_INLINE float2 AT_NAME(__, 22float2)(AT_T2 a) { return float2{ (float)a.x, (float)a.y }; }

#define AT_INTEGER(at_word, at_type) \
	AT_HOST_INLINE AT_T AT_NAME(__##at_word##2, _rn)(at_type a) { return AT_T(a); } \
	AT_HOST_INLINE AT_T AT_NAME(__##at_word##2, _rz)(at_type a) \
	{ return AT_OF_BITS(AT_FROM(at_host_odd_integer(a), AT_HOST_ZERO)); } \
	AT_HOST_INLINE AT_T AT_NAME(__##at_word##2, _ru)(at_type a) \
	{ return AT_OF_BITS(AT_FROM(at_host_odd_integer(a), AT_HOST_UP)); } \
	AT_HOST_INLINE AT_T AT_NAME(__##at_word##2, _rd)(at_type a) \
	{ return AT_OF_BITS(AT_FROM(at_host_odd_integer(a), AT_HOST_DOWN)); } \
	AT_HOST_INLINE at_type AT_NAME(__, 2##at_word##_rn)(AT_T a) { return at_host_integer<at_type>(rintf(a)); } \
	AT_HOST_INLINE at_type AT_NAME(__, 2##at_word##_rz)(AT_T a) { return at_host_integer<at_type>(truncf(a)); } \
	AT_HOST_INLINE at_type AT_NAME(__, 2##at_word##_ru)(AT_T a) { return at_host_integer<at_type>(ceilf(a)); } \
	AT_HOST_INLINE at_type AT_NAME(__, 2##at_word##_rd)(AT_T a) { return at_host_integer<at_type>(floorf(a)); }
AT_INTEGER(short, short)
AT_INTEGER(ushort, unsigned short)
AT_INTEGER(int, int)
AT_INTEGER(uint, unsigned)
AT_INTEGER(ll, long long)
AT_INTEGER(ull, unsigned long long)
#undef AT_INTEGER
AT_HOST_INLINE signed char AT_NAME(__, 2char_rz)(AT_T a) { return at_host_integer<signed char>(truncf(a)); }
AT_HOST_INLINE unsigned char AT_NAME(__, 2uchar_rz)(AT_T a) { return at_host_integer<unsigned char>(truncf(a)); }

/* ---- arithmetic: one rounding ---- */

/* NaN is 0 */
AT_HOST_INLINE AT_T at_host_saturate(AT_T a)
{
	float at_value = a;

	return at_value > 0 ? at_value < 1 ? a : AT_T(1.0f) : AT_T(0.0f);
}
AT_HOST_INLINE AT_T at_host_relu(AT_T a) { return (float)a < 0 ? AT_T(0.0f) : a; }
AT_HOST_INLINE AT_T __hadd(AT_T a, AT_T b) { return AT_T((float)a + (float)b); }
AT_HOST_INLINE AT_T __hsub(AT_T a, AT_T b) { return AT_T((float)a - (float)b); }
AT_HOST_INLINE AT_T __hmul(AT_T a, AT_T b) { return AT_T((float)a * (float)b); }
/* in double: a float of small numbers has too few bits behind those of the type */
AT_HOST_INLINE AT_T __hdiv(AT_T a, AT_T b) { return AT_T((double)(float)a / (double)(float)b); }
/* a product of two is exact in double */
AT_HOST_INLINE AT_T __hfma(AT_T a, AT_T b, AT_T c)
{ return AT_T(at_host_odd_sum((double)(float)a * (double)(float)b, (float)c)); }
AT_HOST_INLINE AT_T __hneg(AT_T a) { return AT_OF_BITS(AT_BITS(a) ^ 0x8000); }
AT_HOST_INLINE AT_T __habs(AT_T a) { return AT_OF_BITS(AT_BITS(a) & 0x7fff); }
AT_HOST_INLINE AT_T __hadd_rn(AT_T a, AT_T b) { return __hadd(a, b); }
AT_HOST_INLINE AT_T __hsub_rn(AT_T a, AT_T b) { return __hsub(a, b); }
AT_HOST_INLINE AT_T __hmul_rn(AT_T a, AT_T b) { return __hmul(a, b); }
AT_HOST_INLINE AT_T __hadd_sat(AT_T a, AT_T b) { return at_host_saturate(__hadd(a, b)); }
AT_HOST_INLINE AT_T __hsub_sat(AT_T a, AT_T b) { return at_host_saturate(__hsub(a, b)); }
AT_HOST_INLINE AT_T __hmul_sat(AT_T a, AT_T b) { return at_host_saturate(__hmul(a, b)); }
AT_HOST_INLINE AT_T __hfma_sat(AT_T a, AT_T b, AT_T c) { return at_host_saturate(__hfma(a, b, c)); }
AT_HOST_INLINE AT_T __hfma_relu(AT_T a, AT_T b, AT_T c) { return at_host_relu(__hfma(a, b, c)); }

#define AT_PAIR1(at_name, at_single) \
	AT_HOST_INLINE AT_T2 at_name(AT_T2 a) { return AT_T2(at_single(a.x), at_single(a.y)); }
#define AT_PAIR2(at_name, at_single) \
	AT_HOST_INLINE AT_T2 at_name(AT_T2 a, AT_T2 b) \
	{ return AT_T2(at_single(a.x, b.x), at_single(a.y, b.y)); }
#define AT_PAIR3(at_name, at_single) \
	AT_HOST_INLINE AT_T2 at_name(AT_T2 a, AT_T2 b, AT_T2 c) \
	{ return AT_T2(at_single(a.x, b.x, c.x), at_single(a.y, b.y, c.y)); }
AT_PAIR2(__hadd2, __hadd)
AT_PAIR2(__hsub2, __hsub)
AT_PAIR2(__hmul2, __hmul)
AT_PAIR2(__h2div, __hdiv)
AT_PAIR2(__hadd2_rn, __hadd)
AT_PAIR2(__hsub2_rn, __hsub)
AT_PAIR2(__hmul2_rn, __hmul)
AT_PAIR2(__hadd2_sat, __hadd_sat)
AT_PAIR2(__hsub2_sat, __hsub_sat)
AT_PAIR2(__hmul2_sat, __hmul_sat)
AT_PAIR3(__hfma2, __hfma)
AT_PAIR3(__hfma2_sat, __hfma_sat)
AT_PAIR3(__hfma2_relu, __hfma_relu)
AT_PAIR1(__hneg2, __hneg)
AT_PAIR1(__habs2, __habs)
/* a * b + c of complex numbers */
AT_HOST_INLINE AT_T2 __hcmadd(AT_T2 a, AT_T2 b, AT_T2 c)
{
	return AT_T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
		__hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* ---- comparisons ---- */

AT_HOST_INLINE bool __hisnan(AT_T a) { return (float)a != (float)a; }
AT_HOST_INLINE int __hisinf(AT_T a)
{
	float at_value = a;

	return at_value == __builtin_inff() ? 1 : at_value == -__builtin_inff() ? -1 : 0;
}
/* name, and nameu, which is true of NaN too */
#define AT_COMPARE(at_name, at_operation) \
	AT_HOST_INLINE bool at_name(AT_T a, AT_T b) { return (float)a at_operation (float)b; } \
	AT_HOST_INLINE bool at_name##u(AT_T a, AT_T b) \
	{ return (float)a at_operation (float)b || __hisnan(a) || __hisnan(b); }
AT_COMPARE(__heq, ==)
AT_COMPARE(__hlt, <)
AT_COMPARE(__hle, <=)
AT_COMPARE(__hgt, >)
AT_COMPARE(__hge, >=)
#undef AT_COMPARE
AT_HOST_INLINE bool __hne(AT_T a, AT_T b)
{ return (float)a != (float)b && !__hisnan(a) && !__hisnan(b); }
AT_HOST_INLINE bool __hneu(AT_T a, AT_T b) { return (float)a != (float)b; }
AT_HOST_INLINE AT_T2 __hisnan2(AT_T2 a)
{ return AT_T2(AT_T((float)__hisnan(a.x)), AT_T((float)__hisnan(a.y))); }
#define AT_COMPARE2(at_name) \
	AT_HOST_INLINE bool __hb##at_name##2(AT_T2 a, AT_T2 b) \
	{ return __h##at_name(a.x, b.x) && __h##at_name(a.y, b.y); } \
	AT_HOST_INLINE AT_T2 __h##at_name##2(AT_T2 a, AT_T2 b) \
	{ return AT_T2(AT_T((float)__h##at_name(a.x, b.x)), AT_T((float)__h##at_name(a.y, b.y))); } \
	AT_HOST_INLINE unsigned __h##at_name##2_mask(AT_T2 a, AT_T2 b) \
	{ return (__h##at_name(a.x, b.x) ? 0xffffu : 0) | (__h##at_name(a.y, b.y) ? 0xffff0000u : 0); }
AT_COMPARE2(eq)
AT_COMPARE2(ne)
AT_COMPARE2(lt)
AT_COMPARE2(le)
AT_COMPARE2(gt)
AT_COMPARE2(ge)
AT_COMPARE2(equ)
AT_COMPARE2(neu)
AT_COMPARE2(ltu)
AT_COMPARE2(leu)
AT_COMPARE2(gtu)
AT_COMPARE2(geu)
#undef AT_COMPARE2

/* of NaN and a number the number; +0 is more than -0 */
AT_HOST_INLINE AT_T __hmax(AT_T a, AT_T b)
{
	float x = a, y = b;

	if (x != x || y != y)
		return x == x ? a : y == y ? b : AT_OF_BITS(0x7fff);
	return x > y || (x == y && !(AT_BITS(a) & 0x8000)) ? a : b;
}
AT_HOST_INLINE AT_T __hmin(AT_T a, AT_T b)
{
	float x = a, y = b;

	if (x != x || y != y)
		return x == x ? a : y == y ? b : AT_OF_BITS(0x7fff);
	return x < y || (x == y && AT_BITS(a) & 0x8000) ? a : b;
}
AT_HOST_INLINE AT_T __hmax_nan(AT_T a, AT_T b)
{ return __hisnan(a) || __hisnan(b) ? AT_OF_BITS(0x7fff) : __hmax(a, b); }
AT_HOST_INLINE AT_T __hmin_nan(AT_T a, AT_T b)
{ return __hisnan(a) || __hisnan(b) ? AT_OF_BITS(0x7fff) : __hmin(a, b); }
AT_PAIR2(__hmax2, __hmax)
AT_PAIR2(__hmin2, __hmin)
AT_PAIR2(__hmax2_nan, __hmax_nan)
AT_PAIR2(__hmin2_nan, __hmin_nan)

/* ---- functions ---- */

#define AT_FUNCTION(at_word, at_expression) \
	AT_HOST_INLINE AT_T h##at_word(AT_T a) { float x = a; return AT_T(at_expression); } \
	AT_PAIR1(h2##at_word, h##at_word)
AT_FUNCTION(sqrt, sqrtf(x))
AT_FUNCTION(rsqrt, 1 / sqrt((double)x))
AT_FUNCTION(rcp, 1 / (double)x)
AT_FUNCTION(exp, expf(x))
AT_FUNCTION(exp2, exp2f(x))
AT_FUNCTION(exp10, exp10f(x))
AT_FUNCTION(log, logf(x))
AT_FUNCTION(log2, log2f(x))
AT_FUNCTION(log10, log10f(x))
AT_FUNCTION(sin, sinf(x))
AT_FUNCTION(cos, cosf(x))
AT_FUNCTION(tanh, tanhf(x))
AT_FUNCTION(tanh_approx, tanhf(x))
AT_FUNCTION(ceil, ceilf(x))
AT_FUNCTION(floor, floorf(x))
AT_FUNCTION(trunc, truncf(x))
AT_FUNCTION(rint, rintf(x))
#undef AT_FUNCTION

/* ---- operators ---- */

#define AT_OPERATOR(at_operation, at_single, at_pair) \
	AT_HOST_INLINE AT_T operator at_operation(const AT_T &a, const AT_T &b) { return at_single(a, b); } \
	AT_HOST_INLINE AT_T2 operator at_operation(const AT_T2 &a, const AT_T2 &b) { return at_pair(a, b); } \
	AT_HOST_INLINE AT_T &operator at_operation##=(AT_T &a, const AT_T &b) { return a = at_single(a, b); } \
	AT_HOST_INLINE AT_T2 &operator at_operation##=(AT_T2 &a, const AT_T2 &b) { return a = at_pair(a, b); }
AT_OPERATOR(+, __hadd, __hadd2)
AT_OPERATOR(-, __hsub, __hsub2)
AT_OPERATOR(*, __hmul, __hmul2)
AT_OPERATOR(/, __hdiv, __h2div)
#undef AT_OPERATOR
AT_HOST_INLINE AT_T operator+(const AT_T &a) { return a; }
AT_HOST_INLINE AT_T2 operator+(const AT_T2 &a) { return a; }
AT_HOST_INLINE AT_T operator-(const AT_T &a) { return __hneg(a); }
AT_HOST_INLINE AT_T2 operator-(const AT_T2 &a) { return __hneg2(a); }
#define AT_STEP(at_operation, at_sign) \
	AT_HOST_INLINE AT_T &operator at_operation(AT_T &a) { return a = a at_sign AT_T(1.0f); } \
	AT_HOST_INLINE AT_T operator at_operation(AT_T &a, int) { AT_T at_old = a; at_operation a; return at_old; } \
	AT_HOST_INLINE AT_T2 &operator at_operation(AT_T2 &a) \
	{ return a = a at_sign AT_T2(AT_T(1.0f), AT_T(1.0f)); } \
	AT_HOST_INLINE AT_T2 operator at_operation(AT_T2 &a, int) { AT_T2 at_old = a; at_operation a; return at_old; }
AT_STEP(++, +)
AT_STEP(--, -)
#undef AT_STEP
#define AT_RELATION(at_operation, at_single, at_pair) \
	AT_HOST_INLINE bool operator at_operation(const AT_T &a, const AT_T &b) { return at_single(a, b); } \
	AT_HOST_INLINE bool operator at_operation(const AT_T2 &a, const AT_T2 &b) { return at_pair(a, b); }
AT_RELATION(==, __heq, __hbeq2)
AT_RELATION(!=, __hneu, __hbneu2)
AT_RELATION(<, __hlt, __hblt2)
AT_RELATION(<=, __hle, __hble2)
AT_RELATION(>, __hgt, __hbgt2)
AT_RELATION(>=, __hge, __hbge2)
#undef AT_RELATION

AT_HOST_INLINE AT_T atomicAdd(AT_T *a, AT_T b) { return at_host_atomic_add<unsigned short>(a, b); }
AT_HOST_INLINE AT_T2 atomicAdd(AT_T2 *a, AT_T2 b) { return at_host_atomic_add<unsigned>(a, b); }

#undef AT_PAIR1
#undef AT_PAIR2
#undef AT_PAIR3
#undef AT_BITS
#undef AT_OF_BITS
#undef AT_PASTE3_
#undef AT_PASTE3
#undef AT_NAME
#undef AT_RAW
#undef AT_RAW2
#undef AT_FROM
#undef AT_TO
