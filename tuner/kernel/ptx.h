/*
 * What PTX says about a kernel's parameters. A cubin has only their number and sizes;
 * that one is an int and another a float stands only in the PTX from which it was made,
 * and which NVRTC keeps.
 *
 * Where PTX leaves open what a parameter is, so do these facts: kernels are refused
 * because of what is reported here, so nothing may be guessed.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_PTX_H
#define AT_KERNEL_PTX_H

#include "kernel/compile.h"

/*
 * Fills in facts->parameters of the kernel facts->symbol. Where facts have parameters
 * already (from at_cubin_read_parameters()), only their kinds are set, and only if the
 * PTX has the same number and sizes. Facts stay as they are where the PTX does not have
 * the kernel, or declares it in a way that is not understood.
 */
void at_ptx_read_parameters(const char *ptx, struct at_kernel_facts *facts);

#endif
