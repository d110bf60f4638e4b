/*
 * The floor of a time: no launch is faster than its device moves the bytes and makes
 * the operations that the space declares. A time below the floor says that the kernel
 * left work out, or that the space declares too much.
 *
 * The floor is that of the data sheet, not of ceilings that were measured (roofline.h):
 * a kernel may be better than a copy, but never better than the memory's pins. Each
 * number errs towards a lower floor; what is not known makes no floor.
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

/* Which numbers the buffers of a space hold: these decide which units of a device may
   do the work. */
enum at_floor_numbers {
	/* integers too, which may be packed bits: the fastest unit of all */
	AT_FLOOR_ANY_NUMBERS = 0,
	AT_FLOOR_REALS, /* reals alone, some of 8 bits */
	/*
	 * Reals of 16 bits and more. Units for 16 bits may do the work of wider reals
	 * too, in several steps (float from three products of bfloat16), so that double
	 * and float have no lower peak.
	 */
	AT_FLOOR_REALS_16,
};

/* What a device does at most by its data sheet; 0: not known. */
struct at_peaks {
	double bytes_per_second; /* of its memory, reads and writes together */
	double cache_bytes; /* the cache in front of the memory */
	/* of the fastest unit that may do the work, on dense data */
	double flops_per_second;
};

/*
 * Fills in *out. Only for NVIDIA architectures of a table, with memory of their own:
 * for processors, unknown architectures and boards that share the memory of the machine
 * nothing is known. clock_hz, memory_clock_hz: the highest clocks that another source
 * than the properties tells (NVML), 0 for none; the higher one counts, since the driver
 * leaves out the boost of some boards.
 * Source of the operations a clock: NVIDIA's white papers on the architectures V100,
 * Turing, A100, GA102, Ada, H100 and RTX Blackwell, and the data sheets of B200 and
 * B300.
 */
void at_peaks_of(const struct at_properties *properties, uint64_t clock_hz,
	uint64_t memory_clock_hz, enum at_floor_numbers numbers, struct at_peaks *out);

/* What one launch does; a number is 0 or NAN where it is not known. */
struct at_work {
	double flops; /* `metrics` of the space */
	double bytes;
	/*
	 * The bytes of all arguments: inputs and outputs once, inout arguments twice,
	 * scratch not at all. Of `bytes`, what is beyond this counts something several
	 * times that caches may serve.
	 */
	double argument_bytes;
	/* the cache may hold inputs when the launch begins */
	bool is_warm;
	int flops_line; /* of the metrics in the space file; 0: not known */
	int bytes_line;
};

/* Zeroed: no floor, all times are allowed. */
struct at_floor {
	struct at_work work;
	struct at_peaks peaks;
	/* bytes that go through the memory's pins in any case */
	double least_bytes;
	/* times below these cannot be; 0: no such time is known */
	double bytes_ns;
	double flops_ns;
};

/*
 * Fills in *out. A tenth is left to clocks and memory that run faster than their data
 * sheet says. Of the bytes as many as the cache holds need not go to memory: what a
 * launch writes may still be in the cache when the launch ends. With a warm cache it is
 * twice as many, since inputs may be there already.
 */
void at_floor_of(
	const struct at_work *work, const struct at_peaks *peaks, struct at_floor *out);

/*
 * Whether a launch can take so long, in ns; true for a time that is not known. If not,
 * text gets one line: what is declared, the rate that it would be, the peak, and what
 * to do. 400 bytes hold all of it; text may be NULL if size is 0.
 */
bool at_floor_allows(
	const struct at_floor *self, double time_ns, char *text, size_t size);

#endif
