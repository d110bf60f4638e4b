/*
 * What NVRTC reads before every source, its own headers, read once in a process: a
 * precompiled header of nothing else. NVRTC uses one in the process that made it alone.
 *
 *   at_nvrtc_precompile(folder);               where files may lie; or none are made
 *   at_nvrtc_precompiled(name, options, count) the folder for a compilation, or NULL
 *
 * Threads: as kernel/nvrtc.h.
 */
#ifndef AT_KERNEL_NVRTC_PRECOMPILED_H
#define AT_KERNEL_NVRTC_PRECOMPILED_H

#include <stddef.h>

/* The header that AT_NVRTC_PRECOMPILED_HEAD includes: of no text. */
#define AT_NVRTC_PRECOMPILED_NAME "autotune_nothing.h"
/*
 * The head of a source. NVRTC precompiles what stands before the pragma, and only if
 * that includes something; lines are counted from one again behind it.
 */
#define AT_NVRTC_PRECOMPILED_HEAD \
	"#include \"" AT_NVRTC_PRECOMPILED_NAME "\"\n#pragma nv_hdrstop\n#line 1\n"

/*
 * From now on precompiled headers are made and used, in a new folder inside this one,
 * with which they are removed. NULL: none are made any more.
 */
void at_nvrtc_precompile(const char *folder);

/*
 * The folder for --pch-dir of a unit of this name that is compiled with these options;
 * NVRTC compares both. Four folders are kept, and emptied in turn. NULL: without.
 * Static until the next call.
 */
const char *at_nvrtc_precompiled(
	const char *name, char *const *options, size_t option_count);

#endif
