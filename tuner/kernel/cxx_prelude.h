/*
 * The dialect as a precompiled header of gcc: reading host_dialect.h and the C headers
 * that it includes is more than a third of the cost of compiling a small kernel. The
 * header is made once, cached among the compiled units between runs, and lies in the
 * run's folder meanwhile.
 *
 * It does not change the code, so it is not part of any identity. The dialect is
 * compiled as text instead with other compilers, with scripts, with options that
 * headers can see, and in processes without a folder for it.
 *
 * Threads: one compilation at a time in a process.
 */
#ifndef AT_KERNEL_CXX_PRELUDE_H
#define AT_KERNEL_CXX_PRELUDE_H

#include "kernel/job.h"

/* Enables precompiled headers. folder: the run's folder, which holds them and is
   removed with them; NULL: disables them. units: the folder of kernel/units.h; NULL:
   nothing is cached for the next run. Both texts must outlive every compilation. */
void at_cxx_prelude_keep(const char *units, const char *folder);

/* The header to include before everything else in a compilation with these flags
   (others may only define macros and name files); borrowed until the next call. NULL:
   include the dialect as text. */
const char *at_cxx_prelude_find(
	const struct at_cxx_tool *tool, const struct at_words *flags);

/* Whether a compilation failed with this log because gcc could not use its own
   precompiled header. If so, this process uses none from now on. */
bool at_cxx_prelude_is_to_blame(const char *log);

#endif
