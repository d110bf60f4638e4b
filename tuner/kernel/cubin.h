/*
 * What a cubin says about its kernels and variables, read from the file alone, without
 * a device or driver. NVIDIA does not publish the layout of the .nv.info attributes:
 * unknown attributes are skipped, and facts that are absent are -1.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_CUBIN_H
#define AT_KERNEL_CUBIN_H

#include "kernel/compile.h"

/*
 * Fills in registers, local_bytes, shared_bytes, constant_bytes, max_threads and
 * barriers of the kernel facts->symbol, and the number and sizes of its parameters; a
 * cubin does not say their kinds. Where it lists no parameters, or lists them
 * inconsistently, facts->parameters stay as they are, as do facts that it does not
 * have. AT_EINVAL: the image is no cubin, or is cut short (nothing is read beyond
 * size); AT_ENOENT: the cubin has no such kernel.
 */
enum at_status at_cubin_read(const unsigned char *image, size_t size,
	struct at_kernel_facts *facts, struct at_error *err);

/*
 * Completes facts->parameters by the types in the mangled name facts->symbol: whether
 * eight bytes are a pointer or an integer, whether a pointer is to const, and to which
 * numbers. Kernels are refused because of these facts, so they stay as they are where
 * the name has no types (extern "C"), another number of types, or types that are not
 * understood. Only for a process of its own: a hostile name can stand for gigabytes.
 */
void at_cubin_name_parameters(struct at_kernel_facts *facts);

/*
 * Fills in result->kernels from the image that the result has, for a toolchain: all of
 * these facts, what ptxas's log tells, and what the PTX tells. symbols: of each kernel;
 * NULL, or NULL for a kernel: its name. ptx NULL: of parameters the sizes alone. After
 * a failure the last of the kernels is the one that failed.
 */
enum at_status at_cubin_read_kernels(const struct at_compile_request *request,
	const char *const *symbols, const char *log, const char *ptx,
	struct at_compile_result *result, struct at_error *err);

/*
 * A variable that lives as long as the module: `__device__` ones, static ones in
 * functions, and `__constant__` ones too, since a kernel that takes the address of one
 * can write there.
 */
struct at_cubin_variable {
	/* mangled; points into the image; "": no symbol names its section */
	const char *name;
	uint64_t bytes;
};

/*
 * All variables of the image. A section of variables in which no symbol lies counts as
 * one variable with name "". The caller frees *out. AT_EINVAL: the image is no cubin,
 * or a variable goes beyond its section.
 */
enum at_status at_cubin_variables(const unsigned char *image, size_t size,
	struct at_cubin_variable **out, size_t *count, struct at_error *err);

#endif
