/*
 * nvcc as a program: where it is, which one it is, what it compiles for. It runs in a
 * sandbox like every compiler (kernel/cxx_tool.h), scripts in its place too.
 * Threads: one user at a time.
 */
#ifndef AT_KERNEL_NVCC_TOOL_H
#define AT_KERNEL_NVCC_TOOL_H

#include "kernel/cxx_tool.h"

/*
 * The program that $AUTOTUNE_NVCC names, and no other where it is set; else the first
 * of $CUDA_HOME/bin, $CUDA_PATH/bin, $PATH, and the toolkits in which NVRTC is looked
 * for. Starts nothing. AT_EUNAVAILABLE names the places. Release with
 * at_cxx_tool_release().
 */
enum at_status at_nvcc_find(struct at_cxx_tool *out, struct at_error *err);

/*
 * "nvcc 13.0.88, gcc 12.2.0": with the compiler whose headers and preprocessor it uses,
 * and a digest of what NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS add, where they do.
 * AT_EUNAVAILABLE: there is none, or it cannot preprocess a line, and why.
 */
enum at_status at_nvcc_version(char *buffer, size_t size, struct at_error *err);

/* "sm_80 sm_90", oldest first. */
enum at_status at_nvcc_architectures(char *buffer, size_t size, struct at_error *err);

#endif
