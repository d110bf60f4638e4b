/* The kernels that a text has; private to source*.c. Threads: pure. */
#ifndef AT_KERNEL_SOURCE_KERNELS_H
#define AT_KERNEL_SOURCE_KERNELS_H

#include "kernel/scan.h"

/*
 * Moves *at behind the next __global__ function's name and says where that is; *head is
 * what stands behind the "template" ahead of it, NULL where it is none. False when
 * there is none.
 */
bool at_source_next_kernel(const char **at, struct at_lexeme *name, const char **head);

#endif
