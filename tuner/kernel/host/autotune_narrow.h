/*
 * Numbers of 16 and 8 bits from and to wider ones, each rounded once. What cuda_fp16.h,
 * cuda_bf16.h and cuda_fp8.h have in common on the device "host".
 */
#ifndef AT_HOST_NARROW_H
#define AT_HOST_NARROW_H

/* `each` of the integer types of a byte, and of wider ones, with further arguments. */
#define AT_BYTES(at_each, ...) \
	at_each(char, ##__VA_ARGS__) at_each(signed char, ##__VA_ARGS__) at_each(unsigned char, ##__VA_ARGS__)
#define AT_WIDE_INTEGERS(at_each, ...) \
	at_each(short, ##__VA_ARGS__) at_each(unsigned short, ##__VA_ARGS__) \
	at_each(int, ##__VA_ARGS__) at_each(unsigned, ##__VA_ARGS__) \
	at_each(long, ##__VA_ARGS__) at_each(unsigned long, ##__VA_ARGS__) \
	at_each(long long, ##__VA_ARGS__) at_each(unsigned long long, ##__VA_ARGS__)

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
template <int at_EXPONENT, int at_FRACTION, unsigned at_LARGEST>
inline unsigned at_host_narrow(double at_value, at_host_rounding at_mode = AT_HOST_NEAREST)
{
	const int at_least = 2 - (1 << (at_EXPONENT - 1)); /* exponent of the smallest normal */
	uint64_t at_bits = at_host_bits<uint64_t>(at_value);
	unsigned at_sign = (unsigned)(at_bits >> 63), at_minus = at_sign << (at_EXPONENT + at_FRACTION);
	int at_exponent = (int)(at_bits >> 52 & 0x7ff) - 1023;
	uint64_t at_whole = (at_bits & ((1ull << 52) - 1)) | 1ull << 52, at_kept, at_rest, at_code;
	int at_scale = at_exponent < at_least ? at_least : at_exponent;
	int at_dropped = 52 - at_FRACTION + at_scale - at_exponent;
	bool at_up;

	if (at_value != at_value)
		return (1u << (at_EXPONENT + at_FRACTION)) - 1;
	if (at_value == 0)
		return at_minus;
	if (at_exponent == 1024)
		return at_minus | (at_LARGEST + 1);
	if (at_dropped > 60) { /* below half of the smallest by far */
		at_kept = 0;
		at_rest = 1;
		at_dropped = 2;
	} else {
		at_kept = at_whole >> at_dropped;
		at_rest = at_whole & ((1ull << at_dropped) - 1);
	}
	if (at_mode == AT_HOST_NEAREST)
		at_up = at_rest + (at_kept & 1) > 1ull << (at_dropped - 1);
	else
		at_up = at_rest && ((at_mode == AT_HOST_UP && !at_sign) || (at_mode == AT_HOST_DOWN && at_sign));
	/* a carry goes on into the exponent; the leading bit adds the 1 that is missing */
	at_code = at_kept + at_up + ((uint64_t)(at_scale - at_least) << at_FRACTION);
	if (at_code > at_LARGEST)
		at_code = at_mode == AT_HOST_NEAREST || (at_mode == AT_HOST_UP && !at_sign) ||
				(at_mode == AT_HOST_DOWN && at_sign)
			? at_LARGEST + 1
			: at_LARGEST;
	return at_minus | (unsigned)at_code;
}

/*
 * x + y, its last bit 1 where something was cut off: a further rounding to a number of
 * at most 51 bits then comes to what one rounding would (Boldo and Melquiond 2008,
 * "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to
 * odd").
 */
inline double at_host_odd_sum(double x, double y)
{
	double at_sum = x + y, at_rest = at_sum - x;
	uint64_t at_bits = at_host_bits<uint64_t>(at_sum);

	at_rest = (x - (at_sum - at_rest)) + (y - at_rest);
	if (at_rest == 0 || at_rest != at_rest || at_sum - at_sum != 0 || at_bits & 1)
		return at_sum;
	return at_host_bits<double>((at_rest > 0) == (at_sum > 0) ? at_bits + 1 : at_bits - 1);
}

/* An integer of any kind, for a further rounding as above. */
template <class at_T> inline double at_host_odd_integer(at_T at_value)
{
	bool at_minus = at_value < 0;
	unsigned long long at_size = at_minus ? 0 - (unsigned long long)at_value
					: (unsigned long long)at_value;
	double at_number = at_size >> 53 ? (double)(at_size >> 11 | ((at_size & 2047) != 0)) * 2048
				   : (double)at_size;

	return at_minus ? -at_number : at_number;
}

/* As a GPU converts: what is too large ends at the end, NaN is 0, or the end of 64 bits. */
template <class at_T> inline at_T at_host_integer(float at_value)
{
	const bool at_is_signed = (at_T)-1 < (at_T)0;
	const int at_bits = 8 * (int)sizeof(at_T) - at_is_signed;
	const at_T at_largest = (at_T)(~0ull >> (64 - at_bits)), at_smallest = at_is_signed ? (at_T)(-at_largest - 1) : 0;
	const float at_end = at_bits == 64 ? 0x1p64f : (float)(1ull << (at_bits & 63));

	if (at_value != at_value)
		return sizeof(at_T) == 8 ? (at_T)(1ull << 63) : 0;
	if (at_value >= at_end)
		return at_largest;
	if (at_value <= (at_is_signed ? -at_end : 0.0f))
		return at_smallest;
	return (at_T)at_value;
}

/* ---- half: 5 and 10 bits ---- */

/* The processor's own instructions where it has them; another test asks for none. */
#if defined(AT_HOST_SOFTWARE_HALF)
#elif defined(__aarch64__) || (defined(__clang__) && defined(__F16C__))
#define AT_HOST_FP16 1
#elif defined(__F16C__)
#define AT_HOST_F16C 1
#endif

inline unsigned short at_host_half_from(double at_value, at_host_rounding at_mode = AT_HOST_NEAREST)
{
	return (unsigned short)at_host_narrow<5, 10, 0x7bff>(at_value, at_mode);
}

AT_HOST_INLINE unsigned short at_host_half_from(float at_value)
{
#if AT_HOST_FP16
	__fp16 at_half = (__fp16)at_value;
	unsigned short at_bits;

	/* no type of a parameter */
	__builtin_memcpy(&at_bits, &at_half, sizeof(at_bits));
	return at_value != at_value ? 0x7fff : at_bits;
#elif AT_HOST_F16C
	typedef float at_four __attribute__((vector_size(16)));

	return at_value != at_value
		? 0x7fff
		: (unsigned short)__builtin_ia32_vcvtps2ph((at_four){ at_value, 0, 0, 0 }, 0)[0];
#else
	return at_host_half_from((double)at_value);
#endif
}

AT_HOST_INLINE float at_host_half_to(unsigned short at_bits)
{
#if AT_HOST_FP16
	__fp16 at_half;

	__builtin_memcpy(&at_half, &at_bits, sizeof(at_bits));
	return (float)at_half;
#elif AT_HOST_F16C
	typedef short at_eight __attribute__((vector_size(16)));

	return __builtin_ia32_vcvtph2ps((at_eight){ (short)at_bits, 0, 0, 0, 0, 0, 0, 0 })[0];
#else
	unsigned at_minus = (at_bits & 0x8000u) << 16, at_rest = at_bits & 0x7fffu;

	if (at_rest >= 0x7c00)
		return at_host_bits<float>(at_minus | 0x7f800000u | (at_rest & 0x3ff) << 13);
	return at_host_bits<float>(
		at_minus | at_host_bits<unsigned>(at_host_bits<float>(at_rest << 13) * 0x1p112f));
#endif
}

/* ---- bfloat16: the upper half of a float ---- */

inline unsigned short at_host_bfloat16_from(double at_value, at_host_rounding at_mode = AT_HOST_NEAREST)
{
	return (unsigned short)at_host_narrow<8, 7, 0x7f7f>(at_value, at_mode);
}

AT_HOST_INLINE unsigned short at_host_bfloat16_from(float at_value)
{
	unsigned at_bits = at_host_bits<unsigned>(at_value);

	if (at_value != at_value)
		return 0x7fff;
	return (unsigned short)((at_bits + 0x7fffu + (at_bits >> 16 & 1)) >> 16);
}

AT_HOST_INLINE float at_host_bfloat16_to(unsigned short at_bits)
{
	return at_host_bits<float>((unsigned)at_bits << 16);
}

#endif
