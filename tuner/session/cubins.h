/*
 * Cubins of a header's configurations: compiled now, by compile workers, with the
 * options that they were measured with, for each architecture of the header's CUDA
 * devices. Nothing is launched and no device is opened.
 *
 *   at_header_plan_make(...)  ->  at_cubins_make()  ->  at_cubins_write()
 *
 * It prints nothing. A signal ends it with AT_EINTERRUPTED. Threads: one call at a time
 * in a process.
 */
#ifndef AT_SESSION_CUBINS_H
#define AT_SESSION_CUBINS_H

#include "record/cubins.h"

struct at_cubins_options {
	const char *executable; /* to start workers from; NULL: this executable */
	unsigned jobs; /* compile workers; 0: one a core */
};

/*
 * Every configuration of a CUDA device, for every architecture of these: one that does
 * not compile for another architecture than it was measured on has a note instead, and
 * so has what is not as it was measured: another compiler, registers or static shared
 * memory. *out is the caller's: at_cubins_release(), also after a failure.
 *
 * AT_EUNAVAILABLE: there is no NVRTC, or it does not know an architecture. AT_EINVAL:
 * no winner is of a CUDA device; a configuration does not compile for the device that
 * it was measured on, or its kernels take other arguments than the space gives them.
 */
enum at_status at_cubins_make(const struct at_header_plan *plan,
	const struct at_cubins_options *options, struct at_cubins *out,
	struct at_error *err);

#endif
