/*
 * nvcc as a program: which one it is, its version, and its architectures. It is run by
 * kernel/cxx_tool.h in a sandbox like every compiler, even if it is a script.
 * Threads: one user at a time.
 */
#ifndef AT_KERNEL_NVCC_TOOL_H
#define AT_KERNEL_NVCC_TOOL_H

#include "kernel/cxx_tool.h"

/*
 * Finds the program: the one that $AUTOTUNE_NVCC names, and no other where that is set;
 * else the first in $CUDA_HOME/bin, $CUDA_PATH/bin, $PATH, and the toolkits in which
 * NVRTC is looked for. Starts no program. AT_EUNAVAILABLE names the places. The caller
 * releases *out with at_cxx_tool_release().
 */
enum at_status at_nvcc_find(struct at_cxx_tool *out, struct at_error *err);

/*
 * Writes the version, as "nvcc 13.0.88, gcc 12.2.0": nvcc and the host compiler whose
 * headers and preprocessor it uses, and a digest of NVCC_PREPEND_FLAGS and
 * NVCC_APPEND_FLAGS where they are set. AT_EUNAVAILABLE: there is no nvcc, or it cannot
 * preprocess a line; err says why.
 */
enum at_status at_nvcc_version(char *buffer, size_t size, struct at_error *err);

/* Writes the architectures that it compiles for, oldest first: "sm_80 sm_90". */
enum at_status at_nvcc_architectures(char *buffer, size_t size, struct at_error *err);

#endif
