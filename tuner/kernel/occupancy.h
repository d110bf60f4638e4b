/*
 * Occupancy: how many blocks of a kernel are resident on a multiprocessor at
 * once, and what keeps it from being more. Pure arithmetic, no device.
 *
 *   struct at_occupancy occupancy;
 *   if (at_occupancy(&device->properties, &kernel, &occupancy))
 *           ... occupancy.fraction, at_occupancy_limits_text(...)
 *
 * Two ways to count. The allocator's: registers are given to whole warps and
 * shared memory to whole blocks, in units that differ between architectures;
 * NVIDIA's own cuda_occupancy.h knows them and is what is used where it was there
 * when autotune was built and knows the architecture. Else the textbook's (Kirk
 * and Hwu, Programming Massively Parallel Processors, 2010, chapter 6): plain
 * division, which can promise more than the hardware gives.
 *
 * Must not know: devices beyond their properties, the search. Threads: pure.
 */
#ifndef AT_KERNEL_OCCUPANCY_H
#define AT_KERNEL_OCCUPANCY_H

#include "base/memory.h"
#include "space/properties.h"

#include <stdbool.h>
#include <stdint.h>

/* Limiting factors: one list serves the enum and the texts. A set of bits. */
#define AT_LIMITS(X) \
	X(THREADS, 0x1, "threads") /* full, or more than a block may have */ \
	X(REGISTERS, 0x2, "registers") \
	X(SHARED_MEMORY, 0x4, "shared memory") \
	X(BLOCKS, 0x8, "blocks") \
	X(BARRIERS, 0x10, "barriers") /* named ones, since sm_90 */

enum at_limit {
	AT_LIMIT_NONE = 0,
#define AT_LIMIT_ENUM(symbol, bit, text) AT_LIMIT_##symbol = bit,
	AT_LIMITS(AT_LIMIT_ENUM)
#undef AT_LIMIT_ENUM
};

/* What a launch of a kernel needs. */
struct at_occupancy_kernel {
	int64_t threads; /* of a block, at least 1 */
	int64_t registers; /* of a thread; below 0: not known, and then no limit */
	int64_t static_shared_bytes; /* of a block; below 0 counts as 0 */
	int64_t dynamic_shared_bytes;
	int64_t max_threads; /* of __launch_bounds__; 0 or below: no bound */
	/* that a block uses; below 0: not known, counts as 1, as it does for NVIDIA */
	int64_t barriers;
};

struct at_occupancy {
	int64_t blocks; /* resident on a multiprocessor; 0: it cannot be launched */
	int64_t threads; /* resident: blocks times threads of a block */
	/* 0 to 1: resident of those there can be, warps by the allocator's count,
	   threads by the textbook's */
	double fraction;
	/* set of enum at_limit, never empty: all that allow no block more, and where
	   there is none, all that forbid the launch */
	unsigned limits;
	bool exact; /* the allocator's count; false: the textbook's */
};

/*
 * The allocator's count where it is known, else the textbook's; never more than
 * that. false, and *out untouched, where the properties do not say what a
 * multiprocessor holds (device host), or where a block has no threads.
 */
bool at_occupancy(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, struct at_occupancy *out);

/* The textbook's count alone; same result otherwise. */
bool at_occupancy_textbook(const struct at_properties *properties,
	const struct at_occupancy_kernel *kernel, struct at_occupancy *out);

/* "registers", "registers, shared memory"; "" for none. Appended to out. */
void at_occupancy_limits_text(unsigned limits, struct at_strbuf *out);

#endif
