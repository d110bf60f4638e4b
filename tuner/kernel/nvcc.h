/*
 * The toolchain nvcc: CUDA C++ to a cubin for one exact architecture, by the toolkit's
 * compiler, a program. It can do what NVRTC cannot: a host compiler's headers
 * (<vector>, <cstdio>), Thrust, all that a project's own build compiles. It takes much
 * longer, being several programs. A space asks for it (`toolchain = "nvcc"`).
 * Threads: one compilation at a time in a process.
 */
#ifndef AT_KERNEL_NVCC_H
#define AT_KERNEL_NVCC_H

#include "kernel/toolchain.h"

#define AT_TOOLCHAIN_NVCC "nvcc"

/* The row in kernel/toolchain.c. */
extern const struct at_toolchain at_toolchain_nvcc;

#endif
