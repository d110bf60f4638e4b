/*
 * The toolchain of device `host`: compiles a kernel template to a shared object for
 * this CPU, with the system's C++ compiler and kernel/host_dialect.h. The shared object
 * exports at_host_image (see that header); device/host/ runs it.
 *
 * The compiler is the first of $AUTOTUNE_CXX, $CXX, c++, g++, clang++ that exists. The
 * variables may contain arguments ("ccache g++"). If $AUTOTUNE_CXX is set, no other
 * compiler is tried.
 *
 * Threads: one compilation at a time in a process.
 */
#ifndef AT_KERNEL_CXX_H
#define AT_KERNEL_CXX_H

#include "kernel/toolchain.h"

/* As at_compile(). *result comes zeroed, and is empty after an error. A kernel's symbol
   is its requested name. */
enum at_status at_cxx_compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err);

/* The same for an image that counts branches and records comparisons, without
   optimisation (kernel/coverage.h). Needs gcc and its libgcov. */
enum at_status at_cxx_compile_covered(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err);
/* As at_cxx_version(), for covered images. */
enum at_status at_cxx_covered_version(char *buffer, size_t size, struct at_error *err);

/* Writes the version, as "g++ (Debian 12.2.0-14) 12.2.0, dialect 1b9d6bcd": the
   compiler's first line, and a digest of everything else that decides the code.
   AT_EUNAVAILABLE: no compiler. */
enum at_status at_cxx_version(char *buffer, size_t size, struct at_error *err);

/* The bytes of kernel/host_dialect.h, from a file that the build generates. */
extern const unsigned char at_embedded_host_dialect[];
extern const size_t at_embedded_host_dialect_size;

#endif
