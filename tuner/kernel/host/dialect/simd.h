/*
 * CUDA's C++ for the CPU: words of two halfwords or four bytes.
 * Part of the dialect, behind host_dialect.h.
 */

/* Half or byte `i` of a word, by its type, and a result put back: wider types wrap. */
template <class T> AT_HOST_INLINE int at_host_part(unsigned word, int i)
{ return (T)(word >> (int)(i * 8 * sizeof(T))); }
template <class T> AT_HOST_INLINE unsigned at_host_placed(int value, int i)
{
	return ((unsigned)value & ((1u << 8 * sizeof(T)) - 1)) << (int)(i * 8 * sizeof(T));
}
template <class T> AT_HOST_INLINE int at_host_saturated(int value)
{
	const int low = (T)-1 < 0 ? -(1 << (8 * sizeof(T) - 1)) : 0;
	const int high = low + (int)((1u << 8 * sizeof(T)) - 1);

	return value < low ? low : value > high ? high : value;
}

#define AT_HOST_PARTS(T, expression) \
	{ \
		unsigned parts = 0; \
		for (int i = 0; i < (int)(4 / sizeof(T)); i++) { \
			int x = at_host_part<T>(a, i), y = at_host_part<T>(b, i); \
			(void)x, (void)y; \
			parts |= at_host_placed<T>(expression, i); \
		} \
		return parts; \
	}
#define AT_HOST_SIMD_OF(name, T, expression) \
	AT_HOST_INLINE unsigned name(unsigned a, unsigned b) AT_HOST_PARTS(T, expression)
#define AT_HOST_SIMD_ONE(name, T, expression) \
	AT_HOST_INLINE unsigned name(unsigned a) { const unsigned b = 0; AT_HOST_PARTS(T, expression) }
#define AT_HOST_SIMD_SUM(name, T) \
	AT_HOST_INLINE unsigned name(unsigned a, unsigned b) \
	{ \
		unsigned sum = 0; \
		for (int i = 0; i < (int)(4 / sizeof(T)); i++) { \
			int x = at_host_part<T>(a, i), y = at_host_part<T>(b, i); \
			sum += (unsigned)(x < y ? y - x : x - y); \
		} \
		return sum; \
	}
/* A comparison gives all bits of a part (cmp), or its lowest one (set). */
#define AT_HOST_SIMD_COMPARED(name, count, T, operation) \
	AT_HOST_SIMD_OF(__vcmp##name##count, T, x operation y ? -1 : 0) \
	AT_HOST_SIMD_OF(__vset##name##count, T, x operation y ? 1 : 0)

#define AT_HOST_SIMD(count, S, U) \
	AT_HOST_SIMD_OF(__vadd##count, U, x + y) \
	AT_HOST_SIMD_OF(__vsub##count, U, x - y) \
	AT_HOST_SIMD_OF(__vaddss##count, S, at_host_saturated<S>(x + y)) \
	AT_HOST_SIMD_OF(__vsubss##count, S, at_host_saturated<S>(x - y)) \
	AT_HOST_SIMD_OF(__vaddus##count, U, at_host_saturated<U>(x + y)) \
	AT_HOST_SIMD_OF(__vsubus##count, U, at_host_saturated<U>(x - y)) \
	/* halves go away from zero */ \
	AT_HOST_SIMD_OF(__vavgs##count, S, (x + y + (x + y >= 0)) >> 1) \
	AT_HOST_SIMD_OF(__vavgu##count, U, (x + y + 1) >> 1) \
	AT_HOST_SIMD_OF(__vhaddu##count, U, (x + y) >> 1) \
	AT_HOST_SIMD_OF(__vmaxs##count, S, x < y ? y : x) \
	AT_HOST_SIMD_OF(__vmaxu##count, U, x < y ? y : x) \
	AT_HOST_SIMD_OF(__vmins##count, S, y < x ? y : x) \
	AT_HOST_SIMD_OF(__vminu##count, U, y < x ? y : x) \
	AT_HOST_SIMD_OF(__vabsdiffs##count, S, x < y ? y - x : x - y) \
	AT_HOST_SIMD_OF(__vabsdiffu##count, U, x < y ? y - x : x - y) \
	AT_HOST_SIMD_ONE(__vabs##count, S, x < 0 ? -x : x) \
	AT_HOST_SIMD_ONE(__vabsss##count, S, at_host_saturated<S>(x < 0 ? -x : x)) \
	AT_HOST_SIMD_ONE(__vneg##count, S, -x) \
	AT_HOST_SIMD_ONE(__vnegss##count, S, at_host_saturated<S>(-x)) \
	AT_HOST_SIMD_SUM(__vsads##count, S) \
	AT_HOST_SIMD_SUM(__vsadu##count, U) \
	AT_HOST_SIMD_COMPARED(eq, count, U, ==) \
	AT_HOST_SIMD_COMPARED(ne, count, U, !=) \
	AT_HOST_SIMD_COMPARED(ges, count, S, >=) \
	AT_HOST_SIMD_COMPARED(geu, count, U, >=) \
	AT_HOST_SIMD_COMPARED(gts, count, S, >) \
	AT_HOST_SIMD_COMPARED(gtu, count, U, >) \
	AT_HOST_SIMD_COMPARED(les, count, S, <=) \
	AT_HOST_SIMD_COMPARED(leu, count, U, <=) \
	AT_HOST_SIMD_COMPARED(lts, count, S, <) \
	AT_HOST_SIMD_COMPARED(ltu, count, U, <)
AT_HOST_SIMD(2, short, unsigned short)
AT_HOST_SIMD(4, signed char, unsigned char)

/* ---- The most and the least of sums and of three, as dynamic programming has them ---- */

template <class T> AT_HOST_INLINE T at_host_most(T x, T y) { return x < y ? y : x; }
template <class T> AT_HOST_INLINE T at_host_least(T x, T y) { return y < x ? y : x; }

#define AT_HOST_DPX_WORD(type, suffix, better, pick) \
	AT_HOST_INLINE type __vi##pick##3_##suffix(type a, type b, type c) \
	{ return better(better(a, b), c); } \
	AT_HOST_INLINE type __viadd##pick##_##suffix(type a, type b, type c) \
	{ return better((type)((unsigned)a + (unsigned)b), c); } \
	AT_HOST_INLINE type __vib##pick##_##suffix(type a, type b, bool *is_first) \
	{ \
		*is_first = better(a, b) == a; \
		return better(a, b); \
	}
AT_HOST_DPX_WORD(int, s32, at_host_most, max)
AT_HOST_DPX_WORD(int, s32, at_host_least, min)
AT_HOST_DPX_WORD(unsigned, u32, at_host_most, max)
AT_HOST_DPX_WORD(unsigned, u32, at_host_least, min)
#define AT_HOST_DPX_RELU(pick, better) \
	AT_HOST_INLINE int __vi##pick##_s32_relu(int a, int b) \
	{ return at_host_most(better(a, b), 0); } \
	AT_HOST_INLINE int __vi##pick##3_s32_relu(int a, int b, int c) \
	{ return at_host_most(__vi##pick##3_s32(a, b, c), 0); } \
	AT_HOST_INLINE int __viadd##pick##_s32_relu(int a, int b, int c) \
	{ return at_host_most(__viadd##pick##_s32(a, b, c), 0); } \
	AT_HOST_INLINE unsigned __vi##pick##_s16x2_relu(unsigned a, unsigned b) \
	{ return __vmaxs2(__v##pick##s2(a, b), 0); } \
	AT_HOST_INLINE unsigned __vi##pick##3_s16x2_relu(unsigned a, unsigned b, unsigned c) \
	{ return __vmaxs2(__v##pick##s2(__v##pick##s2(a, b), c), 0); } \
	AT_HOST_INLINE unsigned __viadd##pick##_s16x2_relu(unsigned a, unsigned b, unsigned c) \
	{ return __vmaxs2(__v##pick##s2(__vadd2(a, b), c), 0); }
AT_HOST_DPX_RELU(max, at_host_most)
AT_HOST_DPX_RELU(min, at_host_least)
#define AT_HOST_DPX_HALVES(suffix, pick, of_two) \
	AT_HOST_INLINE unsigned __vi##pick##3_##suffix(unsigned a, unsigned b, unsigned c) \
	{ return of_two(of_two(a, b), c); } \
	AT_HOST_INLINE unsigned __viadd##pick##_##suffix(unsigned a, unsigned b, unsigned c) \
	{ return of_two(__vadd2(a, b), c); } \
	AT_HOST_INLINE unsigned __vib##pick##_##suffix( \
		unsigned a, unsigned b, bool *is_high_first, bool *is_low_first) \
	{ \
		unsigned best = of_two(a, b); \
		*is_high_first = best >> 16 == a >> 16; \
		*is_low_first = (unsigned short)best == (unsigned short)a; \
		return best; \
	}
AT_HOST_DPX_HALVES(s16x2, max, __vmaxs2)
AT_HOST_DPX_HALVES(s16x2, min, __vmins2)
AT_HOST_DPX_HALVES(u16x2, max, __vmaxu2)
AT_HOST_DPX_HALVES(u16x2, min, __vminu2)

/* ---- Products of parts, summed ---- */

AT_HOST_INLINE int __dp4a(int a, int b, int sum)
{
	unsigned total = (unsigned)sum;

	for (int i = 0; i < 32; i += 8)
		total += (unsigned)((signed char)(a >> i) * (signed char)(b >> i));
	return (int)total;
}
AT_HOST_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned sum)
{
	for (int i = 0; i < 32; i += 8)
		sum += (a >> i & 255) * (b >> i & 255);
	return sum;
}
/* Two halves of a with two bytes of b: `first` is 0 for the low ones, or 2. */
AT_HOST_INLINE int at_host_dp2a(int a, int b, int sum, int first)
{
	unsigned total = (unsigned)sum;

	for (int i = 0; i < 2; i++)
		total += (unsigned)((short)(a >> 16 * i) * (signed char)(b >> 8 * (first + i)));
	return (int)total;
}
AT_HOST_INLINE unsigned at_host_dp2a(unsigned a, unsigned b, unsigned sum, int first)
{
	for (int i = 0; i < 2; i++)
		sum += (a >> 16 * i & 0xffff) * (b >> 8 * (first + i) & 255);
	return sum;
}
AT_HOST_INLINE int __dp2a_lo(int a, int b, int sum) { return at_host_dp2a(a, b, sum, 0); }
AT_HOST_INLINE int __dp2a_hi(int a, int b, int sum) { return at_host_dp2a(a, b, sum, 2); }
AT_HOST_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned sum)
{ return at_host_dp2a(a, b, sum, 0); }
AT_HOST_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned sum)
{ return at_host_dp2a(a, b, sum, 2); }
#define AT_HOST_DP_OF_VECTORS(name, left, right, word) \
	AT_HOST_INLINE word name(left a, right b, word sum) \
	{ return name(at_host_bits<word>(a), at_host_bits<word>(b), sum); }
AT_HOST_DP_OF_VECTORS(__dp4a, char4, char4, int)
AT_HOST_DP_OF_VECTORS(__dp4a, uchar4, uchar4, unsigned)
AT_HOST_DP_OF_VECTORS(__dp2a_lo, short2, char4, int)
AT_HOST_DP_OF_VECTORS(__dp2a_hi, short2, char4, int)
AT_HOST_DP_OF_VECTORS(__dp2a_lo, ushort2, uchar4, unsigned)
AT_HOST_DP_OF_VECTORS(__dp2a_hi, ushort2, uchar4, unsigned)
