/*
 * A request as input for nvcc: one source file, and words for the command line. nvcc
 * passes its words to a shell, in double quotes and unchanged: `-DX=$(touch here)`
 * would run a program. So macros and names of files, which a space may choose freely,
 * go into the source or are reached by a link with a name of ours; only plain words go
 * onto the command line.
 *
 *   at_nvcc_unit_make(&unit, request, folder, &err);
 *   ... unit.source, unit.words ...
 *   at_nvcc_unit_release(&unit);
 *
 * Threads: pure functions, except that they make links in the folder.
 */
#ifndef AT_KERNEL_NVCC_UNIT_H
#define AT_KERNEL_NVCC_UNIT_H

#include "base/memory.h"
#include "kernel/compile.h"

/*
 * Prefix of the functions that the unit has in addition; number N contains the address
 * of kernel N. See kernel/nvcc_ptx.h.
 */
#define AT_NVCC_MARKER "autotune_kernel_"

struct at_nvcc_unit {
	struct at_strbuf source;
	/* Words for the command line, on the heap. The first common_count are for every
	   step; the others (folders and macros) only for the step that compiles the
	   source. */
	char **words;
	size_t word_count;
	size_t common_count;
	size_t word_capacity;
	/* the options name the architecture, instead of the request */
	bool names_architecture;
};

/*
 * Fills in *self, which comes zeroed. folder: the unit's private folder. The caller
 * releases *self, also after a failure.
 */
enum at_status at_nvcc_unit_make(struct at_nvcc_unit *self,
	const struct at_compile_request *request, const char *folder,
	struct at_error *err);
void at_nvcc_unit_release(struct at_nvcc_unit *self);

/*
 * Whether neither a shell nor nvcc, which splits its lists, would change the text: it
 * has only letters, digits and "/._-+".
 */
bool at_nvcc_is_plain(const char *text);

/*
 * Where the first error of the log is about the list of kernels behind the source,
 * appends a plain message: "kernel "x" not found in matmul.cu".
 */
void at_nvcc_explain(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out);

#endif
