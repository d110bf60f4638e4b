/*
 * The PTX between the two steps of nvcc: finds the kernels' symbols in it, and rewrites
 * it for the second step.
 *
 *   source -> PTX;  at_nvcc_ptx_read(ptx, ...);  text -> cubin
 *
 * A kernel's symbol follows from its template arguments, so that it has to be found
 * out: the functions that kernel/nvcc.c adds to the source contain it. They are
 * removed from the text again, so that the machine code has no trace of them; not where
 * the PTX has debugging tables, which refer to them. Names that are local to the unit
 * contain a number that nvcc derives from the folder: it becomes 0, so that the same
 * source always gives the same image.
 *
 * Nothing in the text is trusted.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_NVCC_PTX_H
#define AT_KERNEL_NVCC_PTX_H

#include "base/memory.h"

/*
 * Prefix of the functions that the unit has in addition; number N contains the address
 * of kernel N.
 */
#define AT_NVCC_MARKER "autotune_kernel_"

/*
 * Reads ptx and appends the rewritten text to *text. symbols[0..count): on entry NULL;
 * receives the symbol of each kernel on the heap, NULL where the PTX does not tell it.
 * The caller frees them. folder: the unit's, which *text does not name.
 */
void at_nvcc_ptx_read(const char *ptx, const char *folder, char **symbols, size_t count,
	struct at_strbuf *text);

#endif
