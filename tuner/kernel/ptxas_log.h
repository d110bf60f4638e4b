/* What ptxas says of kernels while it makes a cubin. Threads: pure. */
#ifndef AT_KERNEL_PTXAS_LOG_H
#define AT_KERNEL_PTXAS_LOG_H

#include "kernel/compile.h"

/* The spill lines of `ptxas -v` for facts->symbol in a compiler log, where there. */
void at_ptxas_read_spills(const char *log, struct at_kernel_facts *facts);

/* The log without ptxas's informational lines; heap. */
char *at_ptxas_strip_log(const char *log);

#endif
