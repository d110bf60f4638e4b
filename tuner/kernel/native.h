/*
 * Which processor "-march=native" means. What is compiled for one processor may end in
 * SIGILL on another, or be slower there; and home folders are often shared by machines
 * that have the same compiler and different processors.
 *
 * Threads: safe.
 */
#ifndef AT_KERNEL_NATIVE_H
#define AT_KERNEL_NATIVE_H

#include "base/hash.h"

/*
 * A hash of what the processors of this machine are and can do, without their numbers
 * and clocks, and of the C library that images are linked with. Looked up once in a
 * process. Where /proc/cpuinfo does not describe the processors, the machine's name is
 * hashed instead.
 */
struct at_hash at_native_identity(void);

/* The same for a text in the form of /proc/cpuinfo. */
struct at_hash at_native_identity_of(const char *cpuinfo);

#endif
