/*
 * Compiles the cubins of a header's configurations, by compile workers, with the
 * options that they were measured with, for each architecture of the header's CUDA
 * devices. Nothing is launched and no device is opened.
 *
 * |   at_header_plan_make(...)  ->  at_cubins_make()  ->  at_cubins_write()
 *
 * It prints nothing. A signal ends it with AT_EINTERRUPTED. Threads: one call at a time
 * in a process.
 */
#ifndef AT_SESSION_CUBINS_H
#define AT_SESSION_CUBINS_H

#include "record/cubins.h"

/*
 * Compiles each configuration of a CUDA device in the plan for each architecture of the
 * plan's CUDA devices. It adds a note instead of a cubin where a configuration does not
 * compile for an architecture that it was not measured on, and a note beside the cubin
 * where the compiler, the registers or the static shared memory differ from when it was
 * measured. *out is the caller's: at_cubins_release(), also after a failure.
 *
 * AT_EUNAVAILABLE: there is no NVRTC, or it does not know an architecture. AT_EINVAL:
 * no winner is of a CUDA device; a configuration does not compile for the device that
 * it was measured on, or its kernels take other arguments than the space gives them.
 */
enum at_status at_cubins_make(
	const struct at_header_plan *plan, struct at_cubins *out, struct at_error *err);

#endif
