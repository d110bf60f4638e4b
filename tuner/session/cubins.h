/*
 * Compiles the cubins of a header's configurations in compile workers, with the options
 * of their measurement, for each architecture of the header's CUDA devices. It launches
 * nothing and opens no device.
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
 * plan's CUDA devices. *out is the caller's: at_cubins_release(), also after a failure.
 * A note replaces the cubin of a configuration that does not compile for an
 * architecture on which it was not measured. A note accompanies a cubin whose compiler,
 * registers or static shared memory differ from the measurement.
 *
 * AT_EUNAVAILABLE: NVRTC is missing, or does not know an architecture. AT_EINVAL: no
 * winner is of a CUDA device; a configuration does not compile for the device that it
 * was measured on; its kernels take other arguments than the space passes.
 */
enum at_status at_cubins_make(
	const struct at_header_plan *plan, struct at_cubins *out, struct at_error *err);

#endif
