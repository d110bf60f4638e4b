/*
 * The floor of a time: no launch is faster than its device can move the bytes and do
 * the operations that the space declares. A time below the floor means that the kernel
 * left out work, or that the space declares too much.
 *
 * The floor follows from the data sheet, not from measured ceilings (roofline.h): a
 * kernel may beat a copy, but never the memory's pins. Each number errs towards a lower
 * floor; unknown numbers give no floor.
 *
 *   at_peaks_of(&properties, clock_hz, memory_clock_hz, numbers, &peaks);
 *   at_floor_of(&work, &peaks, &floor);
 *   if (!at_floor_allows(&floor, time_ns, text, sizeof(text))) ... text says why
 *
 * This module must not know spaces, devices or the record. Threads: pure functions.
 */
#ifndef AT_KERNEL_FLOOR_H
#define AT_KERNEL_FLOOR_H

#include "space/properties.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers in a space's buffers decide which units of a device may do the work. */
enum at_floor_numbers {
	/* also integers, which may be packed bits: the fastest unit of all */
	AT_FLOOR_ANY_NUMBERS = 0,
	AT_FLOOR_REALS, /* only floating-point numbers, some of 8 bits */
	/* Floating-point numbers of 16 bits and more. Units for 16 bits may also do the
	   work of wider types in several steps (float from three products of bfloat16),
	   so double and float have no lower peak. */
	AT_FLOOR_REALS_16,
};

/* A device's peak rates by its data sheet; 0: unknown. */
struct at_peaks {
	double bytes_per_second; /* of its memory, reads and writes together */
	double cache_bytes; /* the cache in front of that memory */
	/* of the fastest unit that may do the work, on dense data */
	double flops_per_second;
};

/*
 * Sets *out. Only for the NVIDIA architectures of a table, with memory of their own:
 * all peaks of CPUs, unknown architectures and GPUs that share the machine's memory are
 * unknown. clock_hz, memory_clock_hz: the highest clocks by another source (NVML), 0
 * for none. The higher clock counts, since the driver omits the boost of some GPUs.
 *
 * Source of the operations per clock: NVIDIA's white papers on the architectures V100,
 * Turing, A100, GA102, Ada, H100 and RTX Blackwell, and the data sheets of B200 and
 * B300.
 */
void at_peaks_of(const struct at_properties *properties, uint64_t clock_hz,
	uint64_t memory_clock_hz, enum at_floor_numbers numbers, struct at_peaks *out);

/* The work of one launch; 0 or NAN: unknown. */
struct at_work {
	double flops; /* `metrics` of the space */
	double bytes;
	/* The bytes of all arguments: inputs and outputs once, inout arguments twice,
	   scratch not at all. Any excess of `bytes` over this counts data several times
	   that caches may serve. */
	double argument_bytes;
	/* the cache may hold inputs when the launch begins */
	bool is_warm;
	int flops_line; /* of the metrics in the space file; 0: unknown */
	int bytes_line;
};

/* Zeroed: no floor; all times are allowed. */
struct at_floor {
	struct at_work work;
	struct at_peaks peaks;
	/* bytes that must pass through the memory's pins */
	double least_bytes;
	/* times below these are impossible; 0: unknown */
	double bytes_ns;
	double flops_ns;
};

/* Sets *out. A margin of a tenth covers clocks and memory faster than the data sheet.
   As many bytes as the cache holds need not go to memory: data that a launch writes may
   still be in the cache when it ends. With a warm cache the factor is two, since inputs
   may be cached too. */
void at_floor_of(
	const struct at_work *work, const struct at_peaks *peaks, struct at_floor *out);

/* Whether a launch can take this many ns; true for an unknown time. If not, text gets
   one line: the declaration, the rate that it implies, the peak, and what to do. 400
   bytes are enough; text may be NULL if size is 0. */
bool at_floor_allows(
	const struct at_floor *self, double time_ns, char *text, size_t size);

#endif
