/*
 * The roofline: a kernel's speed relative to its device's ceilings, and which of the
 * two ceilings limits it (Williams, Waterman and Patterson, "Roofline: an insightful
 * visual performance model for multicore architectures", 2009).
 *
 * The ceilings are measured on the device (measure/ceilings.h), not taken from a data
 * sheet.
 *
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_ROOFLINE_H
#define AT_KERNEL_ROOFLINE_H

#include <stdbool.h>

/* The best measured rates of a device; 0 or NAN: not measured. */
struct at_ceilings {
	/* The vendor's own copy within the device; both read and written bytes
	   count. */
	double copy_bytes_per_second;
	/* fused multiply-adds; each counts as two operations */
	double float_flops_per_second;
	double double_flops_per_second;
};

enum at_bound {
	AT_BOUND_NONE = 0, /* unknown */
	AT_BOUND_MEMORY, /* the intensity is below the ridge: bytes decide */
	AT_BOUND_COMPUTE, /* the intensity is above the ridge: operations decide */
};

/* NAN: unknown. */
struct at_roofline {
	double intensity; /* operations per byte */
	double ridge; /* the intensity above which operations decide */
	double flops_per_second; /* achieved by the kernel */
	double bytes_per_second; /* achieved by the kernel */
	double flops_fraction; /* of the ceiling; may exceed 1, see below */
	double bytes_fraction;
	double fraction; /* of the ceiling that limits the kernel */
	enum at_bound bound;
};

/*
 * Sets *out from the flops and bytes of one launch (0 or NAN: the space does not
 * declare them) and its time. With bytes alone a kernel counts as memory-bound, with
 * flops alone as compute-bound. is_double: use the ceiling for double precision.
 * ceilings may be NULL. A fraction may exceed 1: a kernel that only reads can beat a
 * copy, as can a kernel that reuses data that the space's bytes count twice.
 */
void at_roofline(double flops, double bytes, double time_ns,
	const struct at_ceilings *ceilings, bool is_double, struct at_roofline *out);

/* "memory-bound", "compute-bound", or "" for none. Static storage. */
const char *at_bound_text(enum at_bound bound);

#endif
