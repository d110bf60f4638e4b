/*
 * The toolchain nvcc: CUDA C++ to a cubin for one exact architecture, by the toolkit's
 * compiler program. It supports what NVRTC does not: headers of a host compiler
 * (<vector>, <cstdio>), Thrust, everything that a project's own build compiles. It
 * takes much longer, being several programs. A space requests it (`toolchain =
 * "nvcc"`).
 *
 * nvcc passes its words to a shell, unchanged in double quotes: `-DX=$(touch here)`
 * would run a program. So macros and file names, which a space may choose freely, go
 * into the source, or the tuner makes a link with a plain name. Only plain words go
 * onto the command line.
 *
 * Threads: one compilation at a time in a process.
 */
#ifndef AT_KERNEL_NVCC_H
#define AT_KERNEL_NVCC_H

#include "kernel/job.h"
#include "kernel/toolchain.h"

/* Finds the program: only the one that $AUTOTUNE_NVCC names, if set; else the first in
   $CUDA_HOME/bin, $CUDA_PATH/bin, $PATH, and the toolkits searched for NVRTC. Starts no
   program. AT_EUNAVAILABLE names the places. Release *out by at_cxx_tool_release(). */
enum at_status at_nvcc_find(struct at_cxx_tool *out, struct at_error *err);

/* Writes the version, as "nvcc 13.0.88, gcc 12.2.0": nvcc and the host compiler whose
   headers and preprocessor it uses, and a digest of NVCC_PREPEND_FLAGS and
   NVCC_APPEND_FLAGS if set. AT_EUNAVAILABLE: there is no nvcc, or it cannot preprocess
   a line; err says why. */
enum at_status at_nvcc_version(char *buffer, size_t size, struct at_error *err);

/* A request as input for nvcc. */
struct at_nvcc_unit {
	struct at_strbuf source;
	/* The first common_count words are for every step; the others (folders and
	   macros) only for the step that compiles the source. */
	struct at_words words;
	size_t common_count;
	/* the options name the architecture, overriding the request */
	bool names_architecture;
};

/* Fills in *self. folder: the unit's private folder, in which links are made. The
   caller releases *self, even after a failure. */
enum at_status at_nvcc_unit_make(struct at_nvcc_unit *self,
	const struct at_compile_request *request, const char *folder,
	struct at_error *err);
void at_nvcc_unit_release(struct at_nvcc_unit *self);

#endif
