/*
 * The words of a C++ compiler's command line. A call that finds no memory leaves
 * `failed` set and the rest alone, so that only the end of the list looks at it.
 *
 * Nobody but kernel/cxx.c includes it. Threads: one at a time on one list.
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
	char **made; /* those of the items that are ours to free */
	size_t made_count;
	size_t made_capacity;
	bool failed;
};

/* text: kept as it is, not copied. */
void at_cxx_arguments_add(struct at_cxx_arguments *self, const char *text);
void at_cxx_arguments_add_all(
	struct at_cxx_arguments *self, const char *const *texts, size_t count);

/* A folder behind the option, in a word of its own that is a name whatever it begins
   with. */
void at_cxx_arguments_add_folder(
	struct at_cxx_arguments *self, const char *option, const char *folder);

/*
 * Options are written for NVRTC; what means something here comes through. Files that
 * they include are part of the unit: see at_cxx_unit_write().
 */
void at_cxx_arguments_add_options(
	struct at_cxx_arguments *self, const struct at_compile_request *request);

void at_cxx_arguments_release(struct at_cxx_arguments *self);

#endif
