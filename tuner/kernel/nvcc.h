/*
 * The nvcc toolchain of kernel/compile.h: CUDA C++ to a cubin for one exact
 * architecture by the toolkit's compiler, as a program. It knows what NVRTC does not: a
 * host compiler's headers (<vector>, <cstdio>), Thrust, whatever a project's own build
 * compiles; and takes ten times as long. A space asks for it (`toolchain = "nvcc"`).
 * Threads: one compilation at a time in a process.
 */
#ifndef AT_KERNEL_NVCC_H
#define AT_KERNEL_NVCC_H

#include "kernel/toolchain.h"

#define AT_TOOLCHAIN_NVCC "nvcc"

/* The row of kernel/toolchain.c. */
extern const struct at_toolchain at_toolchain_nvcc;

#endif
