/*
 * Identifies the processor that "-march=native" means. Code compiled for one processor
 * may end in SIGILL or run slower on another, and machines with the same compiler but
 * different processors often share home folders.
 *
 * Threads: safe.
 */
#ifndef AT_KERNEL_NATIVE_H
#define AT_KERNEL_NATIVE_H

#include "base/hash.h"

/* A hash of the kinds and features of this machine's processors, without their numbers
   and clocks, and of the C library that images are linked with. Computed once per
   process. If /proc/cpuinfo does not describe the processors, the machine's name is
   hashed instead. */
struct at_hash at_native_identity(void);

/* The same for a text in the form of /proc/cpuinfo. */
struct at_hash at_native_identity_of(const char *cpuinfo);

#endif
