/*
 * What ptxas writes about kernels while it makes a cubin.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_PTXAS_LOG_H
#define AT_KERNEL_PTXAS_LOG_H

#include "kernel/compile.h"

/*
 * Reads the spills of facts->symbol from the output of `ptxas -v` in a compiler log;
 * where it is not there, facts stay as they are.
 */
void at_ptxas_read_spills(const char *log, struct at_kernel_facts *facts);

/* The log without the informational lines of ptxas, on the heap. */
char *at_ptxas_strip_log(const char *log);

#endif
