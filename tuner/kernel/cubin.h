/*
 * What a cubin says of its kernels, read from the file itself: no device, no
 * driver. The layout of the .nv.info attributes is not published by NVIDIA;
 * unknown attributes are skipped and what is absent is -1.
 */
#ifndef AT_KERNEL_CUBIN_H
#define AT_KERNEL_CUBIN_H

#include "kernel/compile.h"

#include <stdbool.h>

/*
 * Fills facts->registers, local_bytes, shared_bytes, constant_bytes,
 * max_threads, barriers of the kernel facts->symbol. AT_EINVAL for what is no
 * cubin or is cut short (never reads past size); AT_ENOENT when the kernel is
 * not in it.
 */
enum at_status at_cubin_read(const unsigned char *image, size_t size,
	struct at_kernel_facts *facts, struct at_error *err);

/*
 * Fills facts->parameters of the kernel facts->symbol: their number and sizes; what
 * they are a cubin does not say. Where it tells no parameters, or tells them in a way
 * that does not add up, facts stay as they are: a kernel without any says nothing
 * that could be told from silence. AT_EINVAL for what is no cubin.
 */
enum at_status at_cubin_read_parameters(const unsigned char *image, size_t size,
	struct at_kernel_facts *facts, struct at_error *err);

/*
 * A variable that lives as long as the module: `__device__`, static, of a function, and
 * `__constant__` as well: a kernel that takes its address can write to it.
 */
struct at_cubin_variable {
	const char *name; /* as mangled, in the image; "": nothing names its section */
	uint64_t bytes;
};

/*
 * All of them; a section of variables in which nothing has a name gives one with name
 * "". Heap: free(). AT_EINVAL as above, and for a variable that leaves its section.
 */
enum at_status at_cubin_variables(const unsigned char *image, size_t size,
	struct at_cubin_variable **out, size_t *count, struct at_error *err);

#endif
