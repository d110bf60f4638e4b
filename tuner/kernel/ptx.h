/*
 * What PTX says of a kernel's parameters. A cubin knows how many they are and how
 * large; that an int and a float are two things only stands in the PTX that it was
 * made from, which NVRTC keeps beside it.
 *
 * Where PTX leaves it open what a parameter is, so does this: a kernel is refused for
 * what is told here. Threads: pure.
 */
#ifndef AT_KERNEL_PTX_H
#define AT_KERNEL_PTX_H

#include "kernel/compile.h"

/*
 * Fills in facts->parameters of the kernel facts->symbol: kinds, where their number
 * and sizes (at_cubin_read_parameters()) are those of the PTX; all of them where facts
 * have none yet. Facts stay as they are where the PTX does not have the kernel, or
 * declares it in a way that is not known here. AT_ENOMEM is the only failure.
 */
enum at_status at_ptx_read_parameters(
	const char *ptx, struct at_kernel_facts *facts, struct at_error *err);

#endif
