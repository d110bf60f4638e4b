/*
 * 64-bit arithmetic that reports overflow instead of wrapping: each at_checked function
 * then returns false, with *out undefined. This is the only header of the folder that
 * uses compiler extensions. Threads: pure functions.
 */
#ifndef AT_SPACE_CHECKED_H
#define AT_SPACE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

static inline bool at_checked_add(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_add_overflow(a, b, out);
}

static inline bool at_checked_subtract(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_sub_overflow(a, b, out);
}

static inline bool at_checked_multiply(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

/* Saturating arithmetic for counts of configurations: an overflow becomes UINT64_MAX,
   which callers read as "too many to count". */
static inline uint64_t at_saturated_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t at_saturated_multiply(uint64_t a, uint64_t b)
{
	return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

#endif
