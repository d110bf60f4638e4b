/*
 * Headers that are handed to NVRTC in memory: those of the standard library that
 * kernels include out of habit (NVRTC has none), and those of the toolkit that NVRTC
 * refuses (<cub/cub.cuh>, <cuda.h>). They contain what makes sense in a kernel, made
 * from what is built into NVRTC or from libcu++, which comes with the toolkit (in
 * include/cccl; before CUDA 13 in include).
 * Threads: constant.
 */
#ifndef AT_KERNEL_NVRTC_HEADERS_H
#define AT_KERNEL_NVRTC_HEADERS_H

#include "base/hash.h"

/*
 * As nvrtcCreateProgram() takes them: `count` texts, and the names that #include has
 * for them. Static storage.
 */
struct at_nvrtc_headers {
	int count;
	const char *const *texts;
	const char *const *names;
};

/* All headers. */
struct at_nvrtc_headers at_nvrtc_headers(void);

/* A hash of all names and contents. */
struct at_hash at_nvrtc_headers_digest(void);

#endif
