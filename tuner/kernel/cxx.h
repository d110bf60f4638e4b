/*
 * The C++ half of kernel/compile.h: a kernel template to a shared object for this
 * CPU, by the system's C++ compiler against kernel/host_dialect.h. The shared
 * object exports at_host_image (see that header); device/host/ runs it.
 *
 * The compiler is the first of $AUTOTUNE_CXX, $CXX, c++, g++, clang++ that is
 * there; the variables may carry arguments ("ccache g++"), and $AUTOTUNE_CXX
 * admits no other.
 * Threads: one compilation at a time in a process.
 */
#ifndef AT_KERNEL_CXX_H
#define AT_KERNEL_CXX_H

#include "kernel/toolchain.h"

#define AT_TOOLCHAIN_CXX "c++"

/* The row of kernel/toolchain.c; the functions below are its slots. */
extern const struct at_toolchain at_toolchain_cxx;

/* As at_compile(); result comes zeroed, and after an error
   holds nothing. A kernel's symbol is its name as it was asked for. */
enum at_status at_cxx_compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err);

/* "g++ (Debian 12.2.0-14) 12.2.0, dialect 1b9d6bcd": the compiler's first line and
   a digest of what else decides the code. */
enum at_status at_cxx_version(char *buffer, size_t size, struct at_error *err);

/* kernel/host_dialect.h as bytes; the build makes the file that defines them. */
extern const unsigned char at_embedded_host_dialect[];
extern const size_t at_embedded_host_dialect_size;

#endif
