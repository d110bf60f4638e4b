/*
 * The toolchain NVRTC: CUDA C++ to a cubin for one exact architecture, in the calling
 * process. The library is found at run time.
 * Threads: one compilation at a time in a process.
 */
#ifndef AT_KERNEL_NVRTC_H
#define AT_KERNEL_NVRTC_H

#include "kernel/toolchain.h"

#define AT_TOOLCHAIN_NVRTC "nvrtc"

/* The row in kernel/toolchain.c; its slots call the functions below. */
extern const struct at_toolchain at_toolchain_nvrtc;

/* Writes the version, as "NVRTC 13.0". AT_EUNAVAILABLE: there is no NVRTC. */
enum at_status at_nvrtc_version(char *buffer, size_t size, struct at_error *err);

/*
 * The architectures that it compiles for, as numbers (90 for sm_90), ascending. *count
 * is how many there are; at most `capacity` of them are stored in out.
 */
enum at_status at_nvrtc_architectures(
	int *out, size_t capacity, size_t *count, struct at_error *err);

#endif
