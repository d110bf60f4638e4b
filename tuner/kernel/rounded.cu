/*
 * CUDA C++, ahead of a reference in which float is at_rounded: a float whose results are
 * rounded up or down at random where they lie between two floats, as rounding of other
 * orders, fused or not, may have it. What needs no rounding is what it is. Another
 * at_draw, other roundings; the same one, the same ones. Not for whoever includes
 * autotune's sources: source_rounded.c puts it ahead of a template.
 */
extern "C" { __constant__ unsigned at_draw; }

/* An integer that is one of two choices: it becomes what the other one is. */
struct at_whole {
	int value;

	__host__ __device__ constexpr explicit at_whole(int x) : value(x) {}
	__host__ __device__ constexpr operator int() const { return value; }
};

/* what floats turn into by themselves: anything else */
template <class T> struct at_turns { typedef T type; };
template <> struct at_turns<at_whole> {};

struct at_rounded {
	float value;

	at_rounded() = default;
	template <class T> __host__ __device__ constexpr at_rounded(T x) : value((float)x) {}
	template <class T, class = typename at_turns<T>::type>
	__device__ operator T() const { return (T)value; }
};

/*
 * `exact` has more digits than the result that is to be rounded. By up to two floats, as
 * several operations in place of this one may come to. In some draws all go up or all go
 * down: what takes all of its roundings in one direction is rare else.
 */
static __device__ at_rounded at_round(double exact)
{
	float near = (float)exact;
	int bits = __float_as_int(near), steps;
	unsigned hash = (unsigned)bits * 0x9e3779b9u ^ at_draw * 0x85ebca6bu;

	if (!at_draw || (double)near == exact || exact != exact || near == 0.0f ||
		(bits & 0x7f800000) == 0x7f800000)
		return at_rounded(near);
	hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
	hash = (hash ^ hash >> 12) * 0x297a2d39u;
	hash ^= hash >> 15;
	steps = at_draw % 4 == 1   ? (int)(hash % 3)
		: at_draw % 4 == 2 ? -(int)(hash % 3)
				   : (int)(hash % 5) - 2;
	/* the magnitude of a float is its bits as an integer */
	return at_rounded(__int_as_float(bits + (bits > 0 ? steps : -steps)));
}

#define AT_ROUNDED_OPERATOR(op) \
	static __device__ at_rounded operator op(at_rounded x, at_rounded y) \
	{ return at_round((double)x.value op (double)y.value); } \
	template <class T> static __device__ at_rounded operator op(at_rounded x, T y) \
	{ return x op at_rounded(y); } \
	template <class T> static __device__ at_rounded operator op(T x, at_rounded y) \
	{ return at_rounded(x) op y; } \
	static __device__ double operator op(at_rounded x, double y) \
	{ return (double)x.value op y; } \
	static __device__ double operator op(double x, at_rounded y) \
	{ return x op (double)y.value; } \
	static __device__ at_rounded &operator op##=(at_rounded &x, at_rounded y) \
	{ return x = x op y; } \
	template <class T> static __device__ at_rounded &operator op##=(at_rounded &x, T y) \
	{ return x = at_rounded(x op y); } \
	template <class T> static __device__ T &operator op##=(T &x, at_rounded y) \
	{ return x = (T)(x op y); }
AT_ROUNDED_OPERATOR(+)
AT_ROUNDED_OPERATOR(-)
AT_ROUNDED_OPERATOR(*)
AT_ROUNDED_OPERATOR(/)
#define AT_ROUNDED_COMPARISON(op) \
	static __device__ bool operator op(at_rounded x, at_rounded y) \
	{ return x.value op y.value; } \
	template <class T> static __device__ bool operator op(at_rounded x, T y) \
	{ return x.value op y; } \
	template <class T> static __device__ bool operator op(T x, at_rounded y) \
	{ return x op y.value; }
AT_ROUNDED_COMPARISON(<)
AT_ROUNDED_COMPARISON(<=)
AT_ROUNDED_COMPARISON(>)
AT_ROUNDED_COMPARISON(>=)
AT_ROUNDED_COMPARISON(==)
AT_ROUNDED_COMPARISON(!=)
static __device__ at_rounded operator-(at_rounded x) { return at_rounded(-x.value); }
static __device__ at_rounded operator+(at_rounded x) { return x; }
static __device__ at_rounded &operator++(at_rounded &x) { return x += 1; }
static __device__ at_rounded operator++(at_rounded &x, int)
{
	at_rounded before = x;

	x += 1;
	return before;
}

/* In double, and rounded from there: exact for whole numbers, the least and the largest. */
#define AT_ROUNDED_1(name) \
	static __device__ at_rounded name##f(at_rounded x) { return at_round(name((double)x.value)); } \
	static __device__ at_rounded name(at_rounded x) { return name##f(x); }
#define AT_ROUNDED_2_BY(f, name) \
	static __device__ at_rounded f(at_rounded x, at_rounded y) \
	{ return at_round(name((double)x.value, (double)y.value)); } \
	template <class T> static __device__ at_rounded f(at_rounded x, T y) \
	{ return f(x, at_rounded(y)); } \
	template <class T> static __device__ at_rounded f(T x, at_rounded y) \
	{ return f(at_rounded(x), y); }
#define AT_ROUNDED_2(name) AT_ROUNDED_2_BY(name, name) AT_ROUNDED_2_BY(name##f, name)
AT_ROUNDED_1(acos)
AT_ROUNDED_1(asin)
AT_ROUNDED_1(atan)
AT_ROUNDED_1(cbrt)
AT_ROUNDED_1(ceil)
AT_ROUNDED_1(cos)
AT_ROUNDED_1(cosh)
AT_ROUNDED_1(erf)
AT_ROUNDED_1(erfc)
AT_ROUNDED_1(exp)
AT_ROUNDED_1(exp2)
AT_ROUNDED_1(expm1)
AT_ROUNDED_1(fabs)
AT_ROUNDED_1(floor)
AT_ROUNDED_1(log)
AT_ROUNDED_1(log10)
AT_ROUNDED_1(log1p)
AT_ROUNDED_1(log2)
AT_ROUNDED_1(nearbyint)
AT_ROUNDED_1(rint)
AT_ROUNDED_1(round)
AT_ROUNDED_1(rsqrt)
AT_ROUNDED_1(sin)
AT_ROUNDED_1(sinh)
AT_ROUNDED_1(sqrt)
AT_ROUNDED_1(tan)
AT_ROUNDED_1(tanh)
AT_ROUNDED_1(trunc)
AT_ROUNDED_2(atan2)
AT_ROUNDED_2(fmax)
AT_ROUNDED_2(fmin)
AT_ROUNDED_2(fmod)
AT_ROUNDED_2(hypot)
AT_ROUNDED_2(pow)
AT_ROUNDED_2_BY(max, fmax)
AT_ROUNDED_2_BY(min, fmin)
static __device__ at_rounded abs(at_rounded x) { return fabsf(x); }
static __device__ at_rounded fmaf(at_rounded x, at_rounded y, at_rounded z)
{ return at_round((double)x.value * (double)y.value + (double)z.value); }
/* Two results, one by a pointer. */
static __device__ void sincosf(at_rounded x, at_rounded *sine, at_rounded *cosine)
{
	*sine = sinf(x);
	*cosine = cosf(x);
}
static __device__ void sincos(at_rounded x, at_rounded *sine, at_rounded *cosine)
{ sincosf(x, sine, cosine); }
static __device__ void sincospif(at_rounded x, at_rounded *sine, at_rounded *cosine)
{
	double s, c;

	sincospi((double)x.value, &s, &c);
	*sine = at_round(s);
	*cosine = at_round(c);
}
/* these round nothing */
static __device__ at_rounded modff(at_rounded x, at_rounded *whole)
{ return at_rounded(modff(x.value, &whole->value)); }
static __device__ at_rounded frexpf(at_rounded x, int *exponent)
{ return at_rounded(frexpf(x.value, exponent)); }

static __device__ at_rounded atomicAdd(at_rounded *at, at_rounded x)
{ return at_rounded(atomicAdd(&at->value, x.value)); }
static __device__ at_rounded __ldg(const at_rounded *at) { return *at; }
#ifndef AUTOTUNE_HOST
/* those of the processor are for any type */
#define AT_ROUNDED_SHUFFLE(name, type) \
	static __device__ at_rounded name(unsigned mask, at_rounded x, type lane, int width = 32) \
	{ return at_rounded(name(mask, x.value, lane, width)); }
AT_ROUNDED_SHUFFLE(__shfl_sync, int)
AT_ROUNDED_SHUFFLE(__shfl_up_sync, unsigned)
AT_ROUNDED_SHUFFLE(__shfl_down_sync, unsigned)
AT_ROUNDED_SHUFFLE(__shfl_xor_sync, int)
#endif
