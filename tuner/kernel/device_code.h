/*
 * Compiles files that also hold code for the CPU (main(), launches by <<<>>>, <vector>)
 * with compilers that accept only device code.
 *
 * The compiler decides: its errors name lines. If such a line belongs to a declaration
 * without __global__, __device__ and the like, or to an #include, this module replaces
 * the declaration by blanks and compiles again, until the compiler accepts the rest or
 * complains only about device code. Line numbers stay. A failed static_assert or #error
 * is the template's own verdict, and ends the compilation.
 *
 * Each compilation reads all headers, which takes seconds for CUB. So a single
 * compilation finds all missing headers. Explicit instantiations are always left out:
 * one library's file has 150 kernels by them, and a unit needs one.
 *
 * Threads: one compilation at a time in a process, since it remembers the last one.
 */
#ifndef AT_KERNEL_DEVICE_CODE_H
#define AT_KERNEL_DEVICE_CODE_H

#include "kernel/toolchain.h"

/* A log begins with these words if declarations were left out; one line names them. */
#define AT_DEVICE_CODE_WORDS "left out: "

/* As compile() of struct at_toolchain; context is the caller's. */
typedef enum at_status at_device_code_compiler(const struct at_compile_request *request,
	const void *context, struct at_compile_result *result, struct at_error *err);

/* Calls compile(), which is the toolchain's, with the request, and, as long as that
   helps, with a source that lacks more declarations. *result comes zeroed. */
enum at_status at_device_code_compile(const struct at_compile_request *request,
	const struct at_toolchain *toolchain, at_device_code_compiler *compile,
	const void *context, struct at_compile_result *result, struct at_error *err);

#endif
