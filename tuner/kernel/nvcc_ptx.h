/*
 * The PTX between nvcc's two steps. It tells what the kernels that were asked for are
 * called there (a template's name follows from its arguments), and leaves behind what
 * only served to ask, and what would be another thing the next time:
 *
 *   source -> PTX;  at_nvcc_ptx_read(ptx, ...);  text -> cubin
 *
 * The functions that kernel/nvcc_unit.h adds are taken out of the text, so that the
 * machine code has no trace of them; not where it has tables for a debugger, which
 * would speak of them. Names of what is local to the unit have a number that nvcc makes
 * of the folder: it becomes 0, so that the same source is the same image.
 *
 * Nothing in the text is trusted. Threads: pure.
 */
#ifndef AT_KERNEL_NVCC_PTX_H
#define AT_KERNEL_NVCC_PTX_H

#include "base/error.h"
#include "base/memory.h"

#include <stddef.h>

/*
 * symbols[0..count): heap, NULL where the text does not say it; the caller's, also
 * after a failure, and NULL before. folder: of the unit, which is named nowhere in
 * *text. AT_ENOMEM is the only failure.
 */
enum at_status at_nvcc_ptx_read(const char *ptx, const char *folder, char **symbols,
	size_t count, struct at_strbuf *text, struct at_error *err);

#endif
