/*
 * Facts about a kernel and its launch before it runs: the compiler's result, the
 * launch's request, and how many blocks fit on a multiprocessor. Plain data without
 * heap, copied by assignment.
 *
 *   at_facts_fill(&facts, &compiled.kernels[0], &geometry, &occupancy, compile_ns);
 *
 * One list serves the struct and the keys of the JSON: a new fact is a line in that
 * list and in the list of evaluations in record/tables.h.
 *
 * It must not know how launches are timed or what is recorded.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_FACTS_H
#define AT_KERNEL_FACTS_H

#include "kernel/compile.h"
#include "kernel/occupancy.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Launch attributes beyond the geometry. All 0: none. */
struct at_attributes {
	uint32_t cluster[3]; /* blocks per cluster; 0: not set */
	uint32_t preferred_cluster[3]; /* if there is room; 0: not set */
	bool is_cooperative; /* all blocks are resident at once */
	/* it may begin before the previous launch of its sequence has ended */
	bool is_dependent;
	/* 1 + the preferred percentage of the multiprocessor's memory that is shared
	   memory rather than cache; 0: the driver's choice */
	uint32_t carveout;
	/* The access policy window, whose lines stay in the L2: 1 + the index of the
	   argument whose buffer it covers, and the percentage of its lines. 0: none. */
	uint32_t window;
	uint32_t window_percent;
};

struct at_geometry {
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t shared_bytes; /* dynamic */
	struct at_attributes attributes;
};

/* The largest cluster of every device that has clusters, and the largest of all. */
#define AT_CLUSTER_PORTABLE 8
#define AT_CLUSTER_MOST 16

/* Blocks of a grid or a cluster; 0: not set. */
static inline uint64_t at_blocks_of(const uint32_t *extents)
{
	return (uint64_t)extents[0] * extents[1] * extents[2];
}

bool at_attributes_any(const struct at_attributes *self);

/* The facts and their kinds. KNOWN: an int64_t, -1 if unknown; REAL: a double, NAN if
   unknown; LINE: a char[AT_FACT_LINE_SIZE], "" if unknown. */
#define AT_FACTS(X) \
	AT_RESOURCE_FACTS(X) \
	AT_OCCUPANCY_FACTS(X) \
	X(compile_ns, KNOWN) /* duration of the compilation */

/* The kernel's resources: the same in every compilation. */
#define AT_RESOURCE_FACTS(X) \
	X(registers, KNOWN) /* per thread */ \
	X(local_bytes, KNOWN) /* stack frame per thread, including spills */ \
	X(spill_store_bytes, KNOWN) /* per thread, as ptxas reports them */ \
	X(spill_load_bytes, KNOWN) \
	X(shared_bytes, KNOWN) /* static and dynamic, per block */ \
	X(threads_per_block, KNOWN) \
	X(blocks, KNOWN) /* of the whole launch */

/* How many blocks a multiprocessor holds. */
#define AT_OCCUPANCY_FACTS(X) \
	X(resident_blocks, KNOWN) /* on one multiprocessor at once */ \
	X(occupancy, REAL) /* 0 to 1; see kernel/occupancy.h */ \
	X(limiting_factor, LINE) /* "registers", "threads, registers" */

/* all limiting factors at once take 49 bytes */
#define AT_FACT_LINE_SIZE 64

struct at_facts {
#define AT_FACT_MEMBER_KNOWN(name) int64_t name;
#define AT_FACT_MEMBER_REAL(name) double name;
#define AT_FACT_MEMBER_LINE(name) char name[AT_FACT_LINE_SIZE];
#define AT_FACT_MEMBER(name, kind) AT_FACT_MEMBER_##kind(name)
	AT_FACTS(AT_FACT_MEMBER)
};

/* Initialiser for facts that are all unknown. */
#define AT_FACT_UNKNOWN_KNOWN -1
#define AT_FACT_UNKNOWN_REAL (double)NAN
#define AT_FACT_UNKNOWN_LINE ""
#define AT_FACT_UNKNOWN(name, kind) .name = AT_FACT_UNKNOWN_##kind,
#define AT_FACTS_UNKNOWN \
	{ \
		AT_FACTS(AT_FACT_UNKNOWN) \
	}

/* Sets all facts from the arguments. Missing information is NULL, or a compile_ns below
   0: no kernel if it did not compile, no geometry if the launch is invalid, no
   occupancy if the device does not report the resources of a multiprocessor. */
void at_facts_fill(struct at_facts *self, const struct at_kernel_facts *kernel,
	const struct at_geometry *geometry, const struct at_occupancy *occupancy,
	int64_t compile_ns);

#endif
