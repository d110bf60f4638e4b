/*
 * Occupancy: how many blocks of a kernel are resident on a multiprocessor at once, and
 * which resource prevents more. Pure arithmetic, no device.
 *
 *   struct at_occupancy occupancy;
 *   if (at_occupancy(&device->properties, &kernel, &occupancy))
 *           ... occupancy.fraction, at_occupancy_limits_text(...)
 *
 * There are two ways to count. The allocator's count assigns registers to whole warps
 * and shared memory to whole blocks, in units that differ between architectures.
 * NVIDIA's cuda_occupancy.h knows these units. It is used if it was present when
 * autotune was built and knows the architecture. Otherwise the textbook's count (Kirk
 * and Hwu, Programming Massively Parallel Processors, 2010, chapter 6) divides plainly,
 * which can promise more than the hardware gives.
 *
 * It must not know devices beyond their properties, nor the search.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_OCCUPANCY_H
#define AT_KERNEL_OCCUPANCY_H

#include "base/memory.h"
#include "space/properties.h"

#include <stdbool.h>
#include <stdint.h>

/* The limiting factors, as bits of a set: one list serves the enum and the texts. */
#define AT_LIMITS(X) \
	X(THREADS, 0x1, "threads") /* none left, or the block has too many */ \
	X(REGISTERS, 0x2, "registers") \
	X(SHARED_MEMORY, 0x4, "shared memory") \
	X(BLOCKS, 0x8, "blocks") \
	X(BARRIERS, 0x10, "barriers") /* named barriers, counted since sm_90 */

enum at_limit {
	AT_LIMIT_NONE = 0,
#define AT_LIMIT_ENUM(symbol, bit, text) AT_LIMIT_##symbol = bit,
	AT_LIMITS(AT_LIMIT_ENUM)
#undef AT_LIMIT_ENUM
};

/* The resources that a launch of a kernel needs. */
struct at_occupancy_kernel {
	int64_t threads; /* per block, at least 1 */
	int64_t registers; /* per thread; below 0: unknown, and then no limit */
	int64_t static_shared_bytes; /* per block; below 0 counts as 0 */
	int64_t dynamic_shared_bytes;
	int64_t max_threads; /* from __launch_bounds__; 0 or below: no bound */
	/* per block; below 0: unknown, and counted as 1, as NVIDIA does */
	int64_t barriers;
};

struct at_occupancy {
	/* resident on a multiprocessor; 0: the kernel cannot be launched */
	int64_t blocks;
	int64_t threads; /* resident: blocks times threads per block */
	/* 0 to 1: resident divided by possible; the allocator's count counts warps, the
	   textbook's threads. */
	double fraction;
	/* A set of enum at_limit, never empty: all factors that prevent one more block;
	   if blocks is 0, all that forbid the launch. */
	unsigned limits;
	bool exact; /* true: the allocator's count; false: the textbook's */
};

/* Uses the allocator's count if available, else the textbook's; the result never
   exceeds the textbook's. False, with *out unchanged, if the properties lack a
   multiprocessor's resources (device `host`), or a block has no threads. */
bool at_occupancy(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, struct at_occupancy *out);

/* The same, using only the textbook's count. */
bool at_occupancy_textbook(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, struct at_occupancy *out);

/* Appends the set as "registers, shared memory"; nothing for an empty set. */
void at_occupancy_limits_text(unsigned limits, struct at_strbuf *out);

#endif
