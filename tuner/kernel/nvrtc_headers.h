/*
 * The standard library's headers that kernels include out of habit, for NVRTC, which
 * has none, and the toolkit's own that it refuses (<cub/cub.cuh>, <cuda.h>): what of
 * them makes sense in a kernel. What they are made of is built into NVRTC, or is
 * libcu++'s, which comes with the toolkit (folder include/cccl, or include before CUDA
 * 13). Threads: constant.
 */
#ifndef AT_KERNEL_NVRTC_HEADERS_H
#define AT_KERNEL_NVRTC_HEADERS_H

#include "base/hash.h"

/* As nvrtcCreateProgram() takes them: `count` texts and the names that they have in
   #include. Static storage. */
struct at_nvrtc_headers {
	int count;
	const char *const *texts;
	const char *const *names;
};

struct at_nvrtc_headers at_nvrtc_headers(void);

/* Of names and contents. */
struct at_hash at_nvrtc_headers_digest(void);

#endif
