/*
 * Reads facts about kernels and variables from a cubin alone, without a device or
 * driver. NVIDIA does not publish the layout of .nv.info attributes: unknown attributes
 * are skipped, and missing facts are -1.
 *
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_CUBIN_H
#define AT_KERNEL_CUBIN_H

#include "kernel/compile.h"

/*
 * Sets registers, local_bytes, shared_bytes, constant_bytes, max_threads and barriers
 * of the kernel facts->symbol, and the number and sizes of its parameters; a cubin does
 * not store their kinds. Parameters that are missing or inconsistent stay unchanged in
 * facts, as do other facts that the cubin lacks. AT_EINVAL: the image is no cubin or is
 * truncated (nothing is read beyond size); AT_ENOENT: the cubin has no such kernel.
 */
enum at_status at_cubin_read(const unsigned char *image, size_t size,
	struct at_kernel_facts *facts, struct at_error *err);

/*
 * Completes facts->parameters from the types in the mangled name facts->symbol: whether
 * eight bytes are a pointer or an integer, whether a pointer is to const, and its
 * element type. Wrong facts would reject kernels. So they stay unchanged if the name
 * has no types (extern "C"), another number of types, or unknown types. Only for a
 * process of its own: a hostile name can expand to gigabytes.
 */
void at_cubin_name_parameters(struct at_kernel_facts *facts);

/* For toolchains: fills in result->kernels from the result's image, ptxas's log and the
   PTX. symbols: of each kernel; NULL, or NULL for a kernel: its name. ptx NULL:
   parameters get only their sizes. After a failure the last of the kernels is the one
   that failed. */
enum at_status at_cubin_read_kernels(const struct at_compile_request *request,
	const char *const *symbols, const char *log, const char *ptx,
	struct at_compile_result *result, struct at_error *err);

/* A variable that lives as long as the module: `__device__` variables, static variables
   in functions, and `__constant__` variables too, since a kernel that takes the address
   of one can write there. */
struct at_cubin_variable {
	/* mangled, in the image; "": no symbol names its section */
	const char *name;
	uint64_t bytes;
};

/* All variables of the image. A section of variables without symbols counts as one
   variable with name "". The caller frees *out. AT_EINVAL: the image is no cubin, or a
   variable exceeds its section. */
enum at_status at_cubin_variables(const unsigned char *image, size_t size,
	struct at_cubin_variable **out, size_t *count, struct at_error *err);

#endif
