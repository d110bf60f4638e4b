/*
 * A request as nvcc takes it: one source file, and words of a command line. nvcc hands
 * its words on to a shell, in double quotes and as they are: `-DX=$(touch here)` runs a
 * program. So what a space may say freely, macros and names of files, goes into the
 * source, or by a link whose name is ours; only plain words go onto the command line.
 *
 *   at_nvcc_unit_make(&unit, request, folder, &err);
 *   ... unit.source, unit.words ...
 *   at_nvcc_unit_release(&unit);
 *
 * Threads: pure, but for the links that it makes in the folder.
 */
#ifndef AT_KERNEL_NVCC_UNIT_H
#define AT_KERNEL_NVCC_UNIT_H

#include "base/memory.h"
#include "kernel/compile.h"

/* A function of the unit that has the address of kernel N: see kernel/nvcc_ptx.h. */
#define AT_NVCC_MARKER "autotune_kernel_"

struct at_nvcc_unit {
	struct at_strbuf source;
	/* of every step; heap. Those for the source alone follow the first
	   `common_count`: folders and macros. */
	char **words;
	size_t word_count;
	size_t common_count;
	size_t word_capacity;
	bool names_architecture; /* the options do, and not the request */
};

/* folder: the private one of the unit. Release also after a failure. */
enum at_status at_nvcc_unit_make(struct at_nvcc_unit *self,
	const struct at_compile_request *request, const char *folder,
	struct at_error *err);
void at_nvcc_unit_release(struct at_nvcc_unit *self);

/* Whether a shell and nvcc's lists leave it as it is: letters, digits, "/._-+". */
bool at_nvcc_is_plain(const char *text);

/*
 * Where the first error is about the list of kernels behind the source, the plain words
 * for it: "kernel "x" not found in matmul.cu".
 */
void at_nvcc_explain(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out);

#endif
