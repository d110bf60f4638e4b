/*
 * Whether the process was asked to end, for whatever waits inside a library and cannot
 * be told: it looks here now and then. Who hears signals says so; what is to be done
 * about one is his business.
 * Threads: safe, and safe in a signal handler.
 */
#ifndef AT_BASE_INTERRUPT_H
#define AT_BASE_INTERRUPT_H

#include <stdbool.h>

void at_interrupt_note(void);
bool at_interrupt_was_noted(void);
/* Where a new run begins in the same process. */
void at_interrupt_forget(void);

#endif
