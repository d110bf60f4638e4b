/*
 * What the compiler calls ahead of each comparison in a fuzz target (--wrap,
 * tests/CMakeLists.txt). libFuzzer learns values from them, to write those into later
 * inputs: from comparisons of four and eight bytes, but not from those of one and two,
 * which it only counts, in half of the time of whatever reads characters. Those end
 * here, and so do all of values that are equal, or so small that it tries them by
 * itself: how many there are of something, mostly.
 */
#include <malloc.h>
#include <stdint.h>

#define QUIET __attribute__((no_sanitize("coverage")))
#define SMALL 256

#define END(name, type) \
	void __wrap___sanitizer_cov_trace_##name(type a, type b); \
	QUIET void __wrap___sanitizer_cov_trace_##name(type a, type b) \
	{ \
		(void)a; \
		(void)b; \
	}

#define PASS(name, type) \
	void __real___sanitizer_cov_trace_##name(type a, type b); \
	void __wrap___sanitizer_cov_trace_##name(type a, type b); \
	QUIET void __wrap___sanitizer_cov_trace_##name(type a, type b) \
	{ \
		if (a != b && (a | b) >= SMALL) \
			__real___sanitizer_cov_trace_##name(a, b); \
	}

END(cmp1, uint8_t)
END(const_cmp1, uint8_t)
END(cmp2, uint16_t)
END(const_cmp2, uint16_t)
PASS(cmp4, uint32_t)
PASS(const_cmp4, uint32_t)
PASS(cmp8, uint64_t)
PASS(const_cmp8, uint64_t)

/* What was freed stays with the process: an execution takes as much as the one before.
 */
__attribute__((constructor)) QUIET static void keep_memory(void)
{
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
}
