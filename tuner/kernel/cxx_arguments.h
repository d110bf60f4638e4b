/*
 * The arguments of a C++ compiler's command line, as a list that grows.
 *
 * Only kernel/cxx.c includes it.
 * Threads: one at a time on one list.
 */
#ifndef AT_KERNEL_CXX_ARGUMENTS_H
#define AT_KERNEL_CXX_ARGUMENTS_H

#include "base/memory.h"
#include "kernel/compile.h"

#include <stdbool.h>
#include <stddef.h>

struct at_cxx_arguments {
	const char **items;
	size_t count;
	size_t capacity;
	char **made; /* those items that the list owns */
	size_t made_count;
	size_t made_capacity;
};

/* Adds text, which is not copied and must outlive the list. */
void at_cxx_arguments_add(struct at_cxx_arguments *self, const char *text);
void at_cxx_arguments_add_all(
	struct at_cxx_arguments *self, const char *const *texts, size_t count);

/*
 * Adds the option and the folder as two arguments; the folder is written so that it
 * cannot be taken for an option.
 */
void at_cxx_arguments_add_folder(
	struct at_cxx_arguments *self, const char *option, const char *folder);

/*
 * Adds the request's options as far as they mean something to this compiler: they are
 * written for NVRTC. Macros and files that options include are not arguments but part
 * of the source; see at_cxx_unit_write().
 */
void at_cxx_arguments_add_options(
	struct at_cxx_arguments *self, const struct at_compile_request *request);

/* Frees the list and the arguments that it owns. */
void at_cxx_arguments_release(struct at_cxx_arguments *self);

#endif
