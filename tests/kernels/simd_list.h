/*
 * Intrinsics of words of two halfwords or four bytes, each with what it makes of a part
 * x of one word and y of the other: test_host_intrinsics.c takes the expressions, and
 * the kernel, intrinsics.cu, the names. clip() holds a value to what a part can be.
 */
#define SIMD_PAIR(X, count, bits) \
	X(__vadd##count, bits, true, x + y) \
	X(__vsub##count, bits, true, x - y) \
	X(__vaddss##count, bits, true, clip(x + y)) \
	X(__vsubss##count, bits, true, clip(x - y)) \
	X(__vaddus##count, bits, false, clip(x + y)) \
	X(__vsubus##count, bits, false, clip(x - y)) \
	X(__vavgs##count, bits, true, \
		x + y < 0 ? -((1 - x - y) / 2) : (x + y + 1) / 2) \
	X(__vavgu##count, bits, false, (x + y + 1) / 2) \
	X(__vhaddu##count, bits, false, (x + y) / 2) \
	X(__vmaxs##count, bits, true, x > y ? x : y) \
	X(__vmaxu##count, bits, false, x > y ? x : y) \
	X(__vmins##count, bits, true, x > y ? y : x) \
	X(__vminu##count, bits, false, x > y ? y : x) \
	X(__vabsdiffs##count, bits, true, labs(x - y)) \
	X(__vabsdiffu##count, bits, false, labs(x - y)) \
	X(__vcmpeq##count, bits, true, x == y ? -1 : 0) \
	X(__vcmpne##count, bits, true, x != y ? -1 : 0) \
	X(__vcmpges##count, bits, true, x >= y ? -1 : 0) \
	X(__vcmpgeu##count, bits, false, x >= y ? -1 : 0) \
	X(__vcmpgts##count, bits, true, x > y ? -1 : 0) \
	X(__vcmpgtu##count, bits, false, x > y ? -1 : 0) \
	X(__vcmples##count, bits, true, x <= y ? -1 : 0) \
	X(__vcmpleu##count, bits, false, x <= y ? -1 : 0) \
	X(__vcmplts##count, bits, true, x < y ? -1 : 0) \
	X(__vcmpltu##count, bits, false, x < y ? -1 : 0) \
	X(__vseteq##count, bits, true, x == y) \
	X(__vsetne##count, bits, true, x != y) \
	X(__vsetges##count, bits, true, x >= y) \
	X(__vsetgeu##count, bits, false, x >= y) \
	X(__vsetgts##count, bits, true, x > y) \
	X(__vsetgtu##count, bits, false, x > y) \
	X(__vsetles##count, bits, true, x <= y) \
	X(__vsetleu##count, bits, false, x <= y) \
	X(__vsetlts##count, bits, true, x < y) \
	X(__vsetltu##count, bits, false, x < y)
#define SIMD_ONE(X, count, bits) \
	X(__vabs##count, bits, true, labs(x)) \
	X(__vabsss##count, bits, true, clip(labs(x))) \
	X(__vneg##count, bits, true, -x) \
	X(__vnegss##count, bits, true, clip(-x))
#define SIMD_SUM(X, count, bits) \
	X(__vsads##count, bits, true, labs(x - y)) \
	X(__vsadu##count, bits, false, labs(x - y))
