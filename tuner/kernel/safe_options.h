/*
 * Which options of a space a compiler may be given when nobody has said that the space
 * is trusted: those that are known to decide code and messages alone. Everything else
 * is refused, since options can load programs into a compiler (-fplugin=), have it
 * start others (-wrapper, -fmodule-mapper=), write files (-o, --time=, -fdump-...=,
 * --create-pch=) and read more options from a file (@file, --options-file).
 *
 * One table a compiler: NVRTC, what nvcc has beside that, ptxas below both, the C++
 * compiler of the host. An option is known by its exact name, its value is held to what
 * such a value looks like.
 *
 * Threads: pure.
 */
#ifndef AT_KERNEL_SAFE_OPTIONS_H
#define AT_KERNEL_SAFE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether options[0..count), as they go to the compilers (${NAME} replaced), are all
 * known. False: *wrong is the first that is not, and *why (static) says what of it:
 * "is not on the list of options that are known to be safe" and the like.
 */
bool at_options_are_safe(
	char *const *options, size_t count, size_t *wrong, const char **why);

#endif
