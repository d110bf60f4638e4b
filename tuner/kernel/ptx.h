/*
 * PTX, and what ptxas writes about kernels into a compiler's log. Nothing in these
 * texts is trusted.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_PTX_H
#define AT_KERNEL_PTX_H

#include "base/memory.h"
#include "kernel/compile.h"

/*
 * A cubin has only the number and sizes of parameters. That one is an int and another a
 * float stands only in the PTX from which it was made, and which NVRTC keeps. Where PTX
 * leaves open what a parameter is, so do these facts: kernels are refused because of
 * what is reported here, so nothing may be guessed.
 *
 * Fills in facts->parameters of the kernel facts->symbol. Where facts have parameters
 * already (from at_cubin_read()), only their kinds are set, and only if the
 * PTX has the same number and sizes. Facts stay as they are where the PTX does not have
 * the kernel, or declares it in a way that is not understood.
 */
void at_ptx_read_parameters(const char *ptx, struct at_kernel_facts *facts);

/*
 * Prefix of the functions that a unit for nvcc has in addition; number N contains the
 * address of kernel N. A kernel's symbol follows from its template arguments, so that
 * it has to be found out: these functions contain it.
 */
#define AT_PTX_MARKER "autotune_kernel_"

/*
 * Between the two steps of nvcc: appends PTX to *text as ptxas is to have it. The added
 * functions are removed again, so that the machine code has no trace of them; not where
 * the PTX has debugging tables, which refer to them. Names that are local to the unit
 * contain a number that nvcc derives from the folder: it becomes 0, so that the same
 * source always gives the same image. symbols[0..count): on entry NULL; receives the
 * symbol of each kernel on the heap, NULL where the PTX does not tell it. The caller
 * frees them. folder: the unit's, which *text does not name.
 */
void at_ptx_take_markers(const char *ptx, const char *folder, char **symbols,
	size_t count, struct at_strbuf *text);

/*
 * Sets spill_store_bytes and spill_load_bytes of the kernel facts->symbol. They stay as
 * they are where the log does not mention the kernel.
 */
void at_ptxas_read_spills(const char *log, struct at_kernel_facts *facts);
/* The log without ptxas's information about kernels, or without all that ptxas has
   said; heap. "" for a log of blank lines. */
char *at_ptxas_strip_log(const char *log, bool is_all);

#endif
