/*
 * Reads PTX, and ptxas's messages about kernels in a compiler's log. Nothing in these
 * texts is trusted.
 *
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_PTX_H
#define AT_KERNEL_PTX_H

#include "base/memory.h"
#include "kernel/compile.h"

/*
 * Sets facts->parameters of the kernel facts->symbol. A cubin has only the number and
 * sizes of parameters; only the PTX from which it was made, and which NVRTC keeps, says
 * whether one is an int or a float. Wrong facts would reject kernels, so a kind that
 * PTX leaves open stays open.
 *
 * If facts already have parameters (from at_cubin_read()), only their kinds are set,
 * and only if the PTX has the same number and sizes. Facts stay unchanged if the PTX
 * lacks the kernel, or declares it in an unknown way.
 */
void at_ptx_read_parameters(const char *ptx, struct at_kernel_facts *facts);

/* Prefix of the extra functions in a unit for nvcc; function N contains the address of
   kernel N. The symbol of a C++ template's kernel depends on its arguments: these
   functions reveal it. */
#define AT_PTX_MARKER "autotune_kernel_"

/*
 * Between the two steps of nvcc: appends PTX to *text as ptxas is to get it.
 *
 * The extra functions are removed, so that they leave no trace in the machine code; but
 * not if the PTX has debugging tables, which refer to them. Names local to the unit
 * contain a number that nvcc derives from the folder: it becomes 0, so that the same
 * source always gives the same image. symbols[0..count): NULL on entry; receives each
 * kernel's symbol on the heap, NULL if the PTX does not show it. The caller frees them.
 * folder: the unit's, which *text does not name.
 */
void at_ptx_take_markers(const char *ptx, const char *folder, char **symbols,
	size_t count, struct at_strbuf *text);

/* Sets spill_store_bytes and spill_load_bytes of the kernel facts->symbol; unchanged if
   the log does not mention the kernel. */
void at_ptxas_read_spills(const char *log, struct at_kernel_facts *facts);
/* The log without ptxas's information about kernels, or without all of ptxas's lines;
   heap. "" for a log of blank lines. */
char *at_ptxas_strip_log(const char *log, bool is_all);

#endif
