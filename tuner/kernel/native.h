/*
 * Which processor "-march=native" means: what is compiled for one may end in SIGILL
 * on another, or be slower code there. A home folder is often shared by machines that
 * have the same compiler and different processors.
 *
 * Threads: any.
 */
#ifndef AT_KERNEL_NATIVE_H
#define AT_KERNEL_NATIVE_H

#include "base/hash.h"

/*
 * The processors of this machine by what they are and can, and not by their number or
 * clock; and the C library, which images are linked against. Looked up once a process.
 * Where /proc does not say what they are, the machine's name.
 */
struct at_hash at_native_identity(void);

/* The same of text as /proc/cpuinfo has it. */
struct at_hash at_native_identity_of(const char *cpuinfo);

#endif
