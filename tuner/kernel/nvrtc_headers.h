/*
 * Headers that are passed to NVRTC in memory: those of the standard library that
 * kernels include out of habit (NVRTC has none), and those of the toolkit that NVRTC
 * rejects (<cub/cub.cuh>, <cuda.h>). They contain the parts that make sense in a
 * kernel, from NVRTC's built-ins or from libcu++, which comes with the toolkit (in
 * include/cccl; before CUDA 13 in include).
 *
 * Threads: constant.
 */
#ifndef AT_KERNEL_NVRTC_HEADERS_H
#define AT_KERNEL_NVRTC_HEADERS_H

#include "base/hash.h"

/* Arguments of nvrtcCreateProgram(): `count` texts and names in #include; static. */
struct at_nvrtc_headers {
	int count;
	const char *const *texts;
	const char *const *names;
};

struct at_nvrtc_headers at_nvrtc_headers(void);

/* A hash of all names and contents. */
struct at_hash at_nvrtc_headers_digest(void);

#endif
