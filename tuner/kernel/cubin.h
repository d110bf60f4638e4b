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

/* The spill lines of `ptxas -v` for facts->symbol in a compiler log, where there. */
void at_cubin_read_spills(const char *log, struct at_kernel_facts *facts);

/* The log without ptxas's informational lines; heap. */
char *at_cubin_strip_log(const char *log);

#endif
