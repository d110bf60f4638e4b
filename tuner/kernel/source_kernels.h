/*
 * Finds the kernels in a text; private to source*.c.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_SOURCE_KERNELS_H
#define AT_KERNEL_SOURCE_KERNELS_H

#include "kernel/scan.h"

/*
 * Finds the next __global__ function. *name is its name, and *at is moved behind the
 * "(" that follows it. *head points behind the word "template" ahead of it, NULL where
 * it is no template. False when there is none.
 */
bool at_source_next_kernel(const char **at, struct at_lexeme *name, const char **head);

#endif
