/*
 * CUDA's C++ for the CPU: functions that no C library has. Those of floats are computed in
 * double, so that they are off by hardly more than half a last bit; those of doubles by a
 * few, as CUDA's are.
 * Part of the dialect, behind host_dialect.h.
 */

/* ---- Of turns ---- */

/* x is halves * 0.5 + rest, all of it exact, and |rest| <= 0.25; halves of a turn are what
   is left of those of x. */
template <class T> AT_HOST_INLINE T at_host_turns(T x, int *halves)
{
	T in_turn = x - 2 * (T)__builtin_rint(0.5 * x);
	T half = (T)__builtin_rint(2.0 * in_turn);

	*halves = half == half ? (int)half & 3 : 0;
	return in_turn - (T)0.5 * half;
}
AT_HOST_INLINE void sincospi(double x, double *sine, double *cosine)
{
	int halves;
	double angle = 3.14159265358979323846 * at_host_turns(x, &halves);
	double s = __builtin_sin(angle), c = __builtin_cos(angle), of = x;

	*sine = halves == 0 ? s : halves == 1 ? c : halves == 2 ? -s : -c;
	*cosine = halves == 0 ? c : halves == 1 ? -s : halves == 2 ? -c : s;
	/* whole numbers keep their sign, and all other zeros have none */
	if (*sine == 0)
		*sine = __builtin_copysign(0.0, of);
	*cosine += 0.0;
}
AT_HOST_INLINE double sinpi(double x)
{
	double sine, cosine;

	sincospi(x, &sine, &cosine);
	return sine;
}
AT_HOST_INLINE double cospi(double x)
{
	double sine, cosine;

	sincospi(x, &sine, &cosine);
	return cosine;
}
AT_HOST_CONVERT(sinpif, float, float, sinpi((double)x))
AT_HOST_CONVERT(cospif, float, float, cospi((double)x))
AT_HOST_INLINE void sincospif(float x, float *sine, float *cosine)
{
	double s, c;

	sincospi((double)x, &s, &c);
	*sine = (float)s;
	*cosine = (float)c;
}

/* ---- Lengths: by the largest of all, so that no square is too large or too small ---- */

AT_HOST_INLINE double norm(int count, const double *x)
{
	double largest = 0, sum = 0, scale;
	int exponent;

	for (int i = 0; i < count; i++) {
		if (__builtin_isinf(x[i]))
			return __builtin_inf();
		largest = __builtin_fabs(x[i]) > largest || x[i] != x[i] ? __builtin_fabs(x[i])
									 : largest;
	}
	if (largest != largest || largest == 0)
		return largest;
	(void)__builtin_frexp(largest, &exponent);
	/* two steps: the scale of a denormal number is none itself */
	scale = __builtin_ldexp(1.0, -exponent / 2);
	for (int i = 0; i < count; i++) {
		double part = __builtin_ldexp(x[i] * scale, -exponent - -exponent / 2);

		sum += part * part;
	}
	return __builtin_ldexp(__builtin_sqrt(sum), exponent);
}
AT_HOST_INLINE float normf(int count, const float *x)
{
	double sum = 0;
	bool is_infinite = false;

	for (int i = 0; i < count; i++) {
		is_infinite |= (bool)__builtin_isinf(x[i]);
		sum += (double)x[i] * x[i];
	}
	return is_infinite ? __builtin_inff() : (float)__builtin_sqrt(sum);
}
AT_HOST_INLINE double rnorm(int count, const double *x) { return 1.0 / norm(count, x); }
AT_HOST_INLINE float rnormf(int count, const float *x) { return 1.0f / normf(count, x); }
#define AT_HOST_NORMS(type, suffix, of) \
	AT_HOST_INLINE type norm3d##suffix(type x, type y, type z) \
	{ const type all[] = { x, y, z }; return of(3, all); } \
	AT_HOST_INLINE type norm4d##suffix(type x, type y, type z, type w) \
	{ const type all[] = { x, y, z, w }; return of(4, all); } \
	AT_HOST_INLINE type rnorm3d##suffix(type x, type y, type z) \
	{ return 1 / norm3d##suffix(x, y, z); } \
	AT_HOST_INLINE type rnorm4d##suffix(type x, type y, type z, type w) \
	{ return 1 / norm4d##suffix(x, y, z, w); }
AT_HOST_NORMS(double, , norm)
AT_HOST_NORMS(float, f, normf)

/* ---- The normal distribution, and the error function the other way ---- */

/* The argument of erfc() has a rest, which counts where it falls steeply. */
AT_HOST_INLINE double normcdf(double x)
{
	const double high = 0.70710678118654757, low = -4.8336466567264567e-17;
	double z, rest, tail;

	x = x < -38.6 ? -38.6 : x > 38.6 ? 38.6 : x;
	z = -x * high;
	rest = __builtin_fma(-x, high, -z) - x * low;
	tail = erfc(z);
	/* erfc' is about -2 z erfc far out */
	return 0.5 * (z > 0.7 ? __builtin_fma(-2 * z * rest, tail, tail) : tail);
}
AT_HOST_CONVERT(normcdff, float, float, normcdf((double)x))

/*
 * The quantile of p = 0.5 + middle, whose distance from the nearer end is `tail`: algorithm
 * AS 241 (Wichura, 1988), relative error about 1e-16.
 */
static __attribute__((noinline, unused)) double at_host_quantile(double middle, double tail)
{
	double r, value;

	if (__builtin_fabs(middle) <= 0.425) {
		r = 0.180625 - middle * middle;
		return middle *
			(((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r + 45921.953931549871457) * r + 13731.693765509461125) * r + 1971.5909503065514427) * r + 133.14166789178437745) * r + 3.387132872796366608) /
			(((((((5226.495278852545925 * r + 28729.085735721942674) * r + 39307.89580009271061) * r + 21213.794301586595867) * r + 5394.1960214247511077) * r + 687.1870074920579083) * r + 42.313330701600911252) * r + 1.0);
	}
	r = __builtin_sqrt(-__builtin_log(tail));
	if (r <= 5) {
		r -= 1.6;
		value = (((((((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r + 0.24178072517745061177) * r + 1.27045825245236838258) * r + 3.64784832476320460504) * r + 5.7694972214606914055) * r + 4.6303378461565452959) * r + 1.42343711074968357734) /
			(((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r + 0.14810397642748007459) * r + 0.68976733498510000455) * r + 1.6763848301838038494) * r + 2.05319162663775882187) * r + 1.0);
	} else {
		r -= 5;
		value = (((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.0012426609473880784386) * r + 0.026532189526576123093) * r + 0.29656057182850489123) * r + 1.7848265399172913358) * r + 5.4637849111641143699) * r + 6.6579046435011037772) /
			(((((((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r + 7.868691311456132591e-4) * r + 0.0148753612908506148525) * r + 0.13692988092273580531) * r + 0.59983220655588793769) * r + 1.0);
	}
	return middle < 0 ? -value : value;
}
AT_HOST_INLINE double normcdfinv(double p)
{
	if (!(p > 0 && p < 1))
		return p == 0 ? -__builtin_inf() : p == 1 ? __builtin_inf() : __builtin_nan("");
	return at_host_quantile(p - 0.5, p < 0.5 ? p : 1 - p);
}
AT_HOST_INLINE double erfcinv(double y)
{
	if (!(y > 0 && y < 2))
		return y == 0 ? __builtin_inf() : y == 2 ? -__builtin_inf() : __builtin_nan("");
	return -0.70710678118654757 *
		at_host_quantile(0.5 * (y - 1), 0.5 * (y < 1 ? y : 2 - y));
}
AT_HOST_INLINE double erfinv(double x)
{
	double size = __builtin_fabs(x);

	if (!(size < 1))
		return size == 1 ? __builtin_copysign(__builtin_inf(), x) : __builtin_nan("");
	return 0.70710678118654757 * at_host_quantile(0.5 * x, 0.5 * (1 - size));
}
/* exp(x * x) * erfc(x) */
static __attribute__((noinline, unused)) double erfcx(double x)
{
	double square = x * x, rest = __builtin_fma(x, x, -square);
	double term = 1, sum = 1;

	if (x < 20)
		return x < -26.7 ? (x == x ? __builtin_inf() : x)
				 : __builtin_exp(square) * __builtin_fma(rest, erfc(x), erfc(x));
	if (x != x)
		return x;
	/* far out the series ends before it diverges */
	for (int k = 1; k <= 10; k++)
		sum += term *= -(2 * k - 1) / (2 * square);
	return 0.56418958354775629 / x * sum;
}
AT_HOST_CONVERT(normcdfinvf, float, float, normcdfinv((double)x))
AT_HOST_CONVERT(erfcinvf, float, float, erfcinv((double)x))
AT_HOST_CONVERT(erfinvf, float, float, erfinv((double)x))
AT_HOST_CONVERT(erfcxf, float, float, erfcx((double)x))

/* ---- Modified Bessel functions of the first kind, order 0 and 1 ---- */

static __attribute__((noinline, unused)) double at_host_bessel_i(int order, double x)
{
	/* wider than the result: there are dozens of terms */
	long double size = __builtin_fabs(x), term, sum;

	if (size != size || __builtin_isinf(size))
		return order ? x : (double)size;
	if (size < 30) {
		/* all terms have one sign */
		sum = term = order ? 0.5 * size : 1;
		for (int k = 1; term > 1e-17L * sum; k++)
			sum += term *= 0.25 * size * size / k / (k + order);
	} else {
		sum = term = 1;
		for (int k = 1; k < 60 && __builtin_fabsl(term) > 1e-17L; k++)
			sum += term *= ((2 * k - 1) * (2 * k - 1) - 4 * order) / (8 * size * k);
		/* in two steps: e to the whole may be too large by itself */
		sum *= __builtin_exp(0.5 * size) /
			__builtin_sqrt(6.28318530717958648 * size) * __builtin_exp(0.5 * size);
	}
	return (double)(order && x < 0 ? -sum : sum);
}
AT_HOST_CONVERT(cyl_bessel_i0, double, double, at_host_bessel_i(0, x))
AT_HOST_CONVERT(cyl_bessel_i1, double, double, at_host_bessel_i(1, x))
AT_HOST_CONVERT(cyl_bessel_i0f, float, float, at_host_bessel_i(0, x))
AT_HOST_CONVERT(cyl_bessel_i1f, float, float, at_host_bessel_i(1, x))
