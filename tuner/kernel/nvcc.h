/*
 * The toolchain nvcc: CUDA C++ to a cubin for one exact architecture, by the toolkit's
 * compiler, a program. It can do what NVRTC cannot: a host compiler's headers
 * (<vector>, <cstdio>), Thrust, all that a project's own build compiles. It takes much
 * longer, being several programs. A space asks for it (`toolchain = "nvcc"`).
 *
 * nvcc passes its words to a shell, in double quotes and unchanged: `-DX=$(touch here)`
 * would run a program. So macros and names of files, which a space may choose freely,
 * go into the source or are reached by a link with a name of ours; only plain words go
 * onto the command line.
 * Threads: one compilation at a time in a process.
 */
#ifndef AT_KERNEL_NVCC_H
#define AT_KERNEL_NVCC_H

#include "kernel/job.h"
#include "kernel/toolchain.h"

/*
 * Finds the program: the one that $AUTOTUNE_NVCC names, and no other where that is set;
 * else the first in $CUDA_HOME/bin, $CUDA_PATH/bin, $PATH, and the toolkits in which
 * NVRTC is looked for. Starts no program. AT_EUNAVAILABLE names the places. The caller
 * releases *out with at_cxx_tool_release().
 */
enum at_status at_nvcc_find(struct at_cxx_tool *out, struct at_error *err);

/*
 * Writes the version, as "nvcc 13.0.88, gcc 12.2.0": nvcc and the host compiler whose
 * headers and preprocessor it uses, and a digest of NVCC_PREPEND_FLAGS and
 * NVCC_APPEND_FLAGS where they are set. AT_EUNAVAILABLE: there is no nvcc, or it cannot
 * preprocess a line; err says why.
 */
enum at_status at_nvcc_version(char *buffer, size_t size, struct at_error *err);

/* A request as input for nvcc. */
struct at_nvcc_unit {
	struct at_strbuf source;
	/* The first common_count words are for every step; the others (folders and
	   macros) only for the step that compiles the source. */
	struct at_words words;
	size_t common_count;
	/* the options name the architecture, instead of the request */
	bool names_architecture;
};

/*
 * Fills in *self. folder: the unit's private folder, in which links are made. The
 * caller releases *self, also after a failure.
 */
enum at_status at_nvcc_unit_make(struct at_nvcc_unit *self,
	const struct at_compile_request *request, const char *folder,
	struct at_error *err);
void at_nvcc_unit_release(struct at_nvcc_unit *self);

#endif
