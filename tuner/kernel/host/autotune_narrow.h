/*
 * Numbers of 16 and 8 bits from and to wider ones, each rounded once. What cuda_fp16.h,
 * cuda_bf16.h and cuda_fp8.h have in common on the device "host".
 */
#ifndef AT_HOST_NARROW_H
#define AT_HOST_NARROW_H

enum at_host_rounding {
	AT_HOST_NEAREST, /* ties to even */
	AT_HOST_ZERO,
	AT_HOST_UP,
	AT_HOST_DOWN,
};

/*
 * To a sign, EXPONENT bits and FRACTION bits. LARGEST: the code of the largest finite
 * number; the next one is the infinity, or NaN where there is none. NaN is all ones, as
 * on a GPU.
 */
template <int EXPONENT, int FRACTION, unsigned LARGEST>
inline unsigned at_host_narrow(double value, at_host_rounding mode = AT_HOST_NEAREST)
{
	const int least = 2 - (1 << (EXPONENT - 1)); /* exponent of the smallest normal */
	uint64_t bits = at_host_bits<uint64_t>(value);
	unsigned sign = (unsigned)(bits >> 63), minus = sign << (EXPONENT + FRACTION);
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	uint64_t whole = (bits & ((1ull << 52) - 1)) | 1ull << 52, kept, rest, code;
	int scale = exponent < least ? least : exponent;
	int dropped = 52 - FRACTION + scale - exponent;
	bool up;

	if (value != value)
		return (1u << (EXPONENT + FRACTION)) - 1;
	if (value == 0)
		return minus;
	if (exponent == 1024)
		return minus | (LARGEST + 1);
	if (dropped > 60) { /* below half of the smallest by far */
		kept = 0;
		rest = 1;
		dropped = 2;
	} else {
		kept = whole >> dropped;
		rest = whole & ((1ull << dropped) - 1);
	}
	if (mode == AT_HOST_NEAREST)
		up = rest + (kept & 1) > 1ull << (dropped - 1);
	else
		up = rest && ((mode == AT_HOST_UP && !sign) || (mode == AT_HOST_DOWN && sign));
	/* a carry goes on into the exponent; the leading bit adds the 1 that is missing */
	code = kept + up + ((uint64_t)(scale - least) << FRACTION);
	if (code > LARGEST)
		code = mode == AT_HOST_NEAREST || (mode == AT_HOST_UP && !sign) ||
				(mode == AT_HOST_DOWN && sign)
			? LARGEST + 1
			: LARGEST;
	return minus | (unsigned)code;
}

/*
 * x + y, its last bit 1 where something was cut off: a further rounding to a number of
 * at most 51 bits then comes to what one rounding would (Boldo and Melquiond 2008,
 * "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to
 * odd").
 */
inline double at_host_odd_sum(double x, double y)
{
	double sum = x + y, rest = sum - x;
	uint64_t bits = at_host_bits<uint64_t>(sum);

	rest = (x - (sum - rest)) + (y - rest);
	if (rest == 0 || rest != rest || sum - sum != 0 || bits & 1)
		return sum;
	return at_host_bits<double>((rest > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/* An integer of any kind, for a further rounding as above. */
template <class T> inline double at_host_odd_integer(T value)
{
	bool minus = value < 0;
	unsigned long long size = minus ? 0 - (unsigned long long)value
					: (unsigned long long)value;
	double number = size >> 53 ? (double)(size >> 11 | ((size & 2047) != 0)) * 2048
				   : (double)size;

	return minus ? -number : number;
}

/* As a GPU converts: what is too large ends at the end, NaN is 0, or the end of 64 bits. */
template <class T> inline T at_host_integer(float value)
{
	const bool is_signed = (T)-1 < (T)0;
	const int bits = 8 * (int)sizeof(T) - is_signed;
	const T largest = (T)(~0ull >> (64 - bits)), smallest = is_signed ? (T)(-largest - 1) : 0;
	const float end = bits == 64 ? 0x1p64f : (float)(1ull << (bits & 63));

	if (value != value)
		return sizeof(T) == 8 ? (T)(1ull << 63) : 0;
	if (value >= end)
		return largest;
	if (value <= (is_signed ? -end : 0.0f))
		return smallest;
	return (T)value;
}

/* ---- half: 5 and 10 bits ---- */

/* The processor's own instructions where it has them; another test asks for none. */
#if defined(AT_HOST_SOFTWARE_HALF)
#elif defined(__aarch64__) || (defined(__clang__) && defined(__F16C__))
#define AT_HOST_FP16 1
#elif defined(__F16C__)
#define AT_HOST_F16C 1
#endif

inline unsigned short at_host_half_from(double value, at_host_rounding mode = AT_HOST_NEAREST)
{
	return (unsigned short)at_host_narrow<5, 10, 0x7bff>(value, mode);
}

AT_HOST_INLINE unsigned short at_host_half_from(float value)
{
#if AT_HOST_FP16
	__fp16 half = (__fp16)value;
	unsigned short bits;

	/* no type of a parameter */
	__builtin_memcpy(&bits, &half, sizeof(bits));
	return value != value ? 0x7fff : bits;
#elif AT_HOST_F16C
	typedef float four __attribute__((vector_size(16)));

	return value != value
		? 0x7fff
		: (unsigned short)__builtin_ia32_vcvtps2ph((four){ value, 0, 0, 0 }, 0)[0];
#else
	return at_host_half_from((double)value);
#endif
}

AT_HOST_INLINE float at_host_half_to(unsigned short bits)
{
#if AT_HOST_FP16
	__fp16 half;

	__builtin_memcpy(&half, &bits, sizeof(bits));
	return (float)half;
#elif AT_HOST_F16C
	typedef short eight __attribute__((vector_size(16)));

	return __builtin_ia32_vcvtph2ps((eight){ (short)bits, 0, 0, 0, 0, 0, 0, 0 })[0];
#else
	unsigned minus = (bits & 0x8000u) << 16, rest = bits & 0x7fffu;

	if (rest >= 0x7c00)
		return at_host_bits<float>(minus | 0x7f800000u | (rest & 0x3ff) << 13);
	return at_host_bits<float>(
		minus | at_host_bits<unsigned>(at_host_bits<float>(rest << 13) * 0x1p112f));
#endif
}

/* ---- bfloat16: the upper half of a float ---- */

inline unsigned short at_host_bfloat16_from(double value, at_host_rounding mode = AT_HOST_NEAREST)
{
	return (unsigned short)at_host_narrow<8, 7, 0x7f7f>(value, mode);
}

AT_HOST_INLINE unsigned short at_host_bfloat16_from(float value)
{
	unsigned bits = at_host_bits<unsigned>(value);

	if (value != value)
		return 0x7fff;
	return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

AT_HOST_INLINE float at_host_bfloat16_to(unsigned short bits)
{
	return at_host_bits<float>((unsigned)bits << 16);
}

#endif
