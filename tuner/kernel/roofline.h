/*
 * The roofline: what a kernel achieves beside what its device can do, and which
 * of the two ceilings it is under (Williams, Waterman and Patterson, "Roofline:
 * an insightful visual performance model for multicore architectures", 2009).
 *
 * The ceilings are measured on the device (measure/ceilings.h), not read from a
 * data sheet. Pure arithmetic. Threads: pure.
 */
#ifndef AT_KERNEL_ROOFLINE_H
#define AT_KERNEL_ROOFLINE_H

#include <stdbool.h>

/* What a device was measured to do at best; 0 or NAN: not measured. */
struct at_ceilings {
	/* of a device-to-device copy by the vendor's own means; read and written
	   bytes both count */
	double copy_bytes_per_second;
	/* fused multiply-adds, two operations each */
	double float_flops_per_second;
	double double_flops_per_second;
};

enum at_bound {
	AT_BOUND_NONE = 0, /* cannot be told */
	AT_BOUND_MEMORY, /* left of the ridge: bytes decide */
	AT_BOUND_COMPUTE, /* right of it: operations decide */
};

/* NAN where it cannot be known. */
struct at_roofline {
	double intensity; /* operations a byte */
	double ridge; /* intensity from which the operations decide */
	double flops_per_second; /* achieved */
	double bytes_per_second;
	double flops_fraction; /* of the ceilings; may exceed 1: see below */
	double bytes_fraction;
	double fraction; /* of the ceiling that the kernel is under */
	enum at_bound bound;
};

/*
 * flops and bytes of one launch (0 or NAN: the space does not say), its time.
 * With bytes alone a kernel is memory-bound, with flops alone compute-bound.
 * is_double: judged by the double-precision ceiling. A fraction above 1 is no
 * mistake: a kernel that only reads can beat a copy, and one that reuses what the
 * bytes count twice can, too.
 */
void at_roofline(double flops, double bytes, double time_ns,
	const struct at_ceilings *ceilings, bool is_double, struct at_roofline *out);

/* "memory-bound", "compute-bound", "". Static storage. */
const char *at_bound_text(enum at_bound bound);

#endif
