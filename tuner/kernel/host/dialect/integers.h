/*
 * CUDA's C++ for the CPU: intrinsics of integers.
 * Part of the dialect, behind host_dialect.h.
 */
/* Integer intrinsics. */
AT_HOST_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
AT_HOST_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
AT_HOST_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
AT_HOST_INLINE int __clzll(long long x)
{ return x ? __builtin_clzll((unsigned long long)x) : 64; }
AT_HOST_INLINE int __ffs(int x) { return __builtin_ffs(x); }
AT_HOST_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
AT_HOST_INLINE unsigned __brev(unsigned x)
{
	x = __builtin_bswap32(x);
	x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
	x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
	return (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
}
AT_HOST_INLINE unsigned long long __brevll(unsigned long long x)
{
	return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
AT_HOST_INLINE int __mul24(int x, int y)
{ return (int)((unsigned)(x << 8 >> 8) * (unsigned)(y << 8 >> 8)); }
AT_HOST_INLINE unsigned __umul24(unsigned x, unsigned y)
{ return (x & 0xffffffu) * (y & 0xffffffu); }
AT_HOST_INLINE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
AT_HOST_INLINE unsigned __umulhi(unsigned x, unsigned y)
{ return (unsigned)((unsigned long long)x * y >> 32); }
AT_HOST_INLINE long long __mul64hi(long long x, long long y)
{ return (long long)((__int128)x * y >> 64); }
AT_HOST_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
	return (unsigned long long)((unsigned __int128)x * y >> 64);
}
AT_HOST_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
	return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
AT_HOST_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
	return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
AT_HOST_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{ return shift >= 32 ? low : __funnelshift_l(low, high, shift); }
AT_HOST_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{ return shift >= 32 ? high : __funnelshift_r(low, high, shift); }
AT_HOST_INLINE unsigned __sad(int x, int y, unsigned z)
{ return z + (x < y ? (unsigned)y - (unsigned)x : (unsigned)x - (unsigned)y); }
AT_HOST_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z)
{ return z + (x < y ? y - x : x - y); }
AT_HOST_INLINE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
AT_HOST_INLINE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
AT_HOST_INLINE unsigned __uhadd(unsigned x, unsigned y)
{ return (unsigned)(((unsigned long long)x + y) >> 1); }
AT_HOST_INLINE unsigned __urhadd(unsigned x, unsigned y)
{ return (unsigned)(((unsigned long long)x + y + 1) >> 1); }
/* The n-th bit that is set, counted from `base`, which counts: up where n is above 0, down
   where it is below, and at 0 the bit itself; all bits where there is none. */
AT_HOST_INLINE unsigned __fns(unsigned mask, unsigned base, int n)
{
	int step = n < 0 ? -1 : 1, left = n < 0 ? -n : n;

	if (!n)
		return base < 32 && mask >> base & 1 ? base : 0xffffffffu;
	for (int bit = (int)base; bit >= 0 && bit < 32; bit += step)
		if (mask >> bit & 1 && --left == 0)
			return (unsigned)bit;
	return 0xffffffffu;
}
AT_HOST_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
	unsigned long long bytes = (unsigned long long)y << 32 | x;
	unsigned result = 0;

	for (int i = 0; i < 4; i++) {
		unsigned pick = selector >> 4 * i & 15;
		unsigned byte = (unsigned)(bytes >> 8 * (pick & 7)) & 255;

		result |= (pick & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
	}
	return result;
}
