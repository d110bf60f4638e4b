/*
 * Which options of an untrusted space a compiler may get: those that are known to
 * affect nothing but code and messages. All others are rejected, since options can load
 * programs into a compiler (-fplugin=), start programs (-wrapper, -fmodule-mapper=),
 * write files (-o, --time=, -fdump-...=, --create-pch=) and read more options from a
 * file (@file, --options-file).
 *
 * There is one table for each compiler: NVRTC, nvcc's additions, ptxas below both, and
 * the C++ compiler of the host. An option is recognised by its exact name, and its
 * value must look like a value of that option.
 *
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_SAFE_OPTIONS_H
#define AT_KERNEL_SAFE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether options[0..count), as compilers get them (${NAME} is replaced), are all known
   to be safe. If not, *wrong is the index of the first unsafe option, and *why (static)
   says what is wrong, as "is not on the list of options that are known to be safe". */
bool at_options_are_safe(
	char *const *options, size_t count, size_t *wrong, const char **why);

#endif
