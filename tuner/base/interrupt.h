/*
 * Whether the process was asked to end. Code that waits inside a library, where no
 * callback reaches it, looks here now and then. The code that hears signals notes them
 * here; what follows from a signal is decided elsewhere. Threads: safe, also in a
 * signal handler.
 */
#ifndef AT_BASE_INTERRUPT_H
#define AT_BASE_INTERRUPT_H

#include <stdbool.h>

/* Notes that the process was asked to end. */
void at_interrupt_note(void);
/* Whether it was noted since the last at_interrupt_forget(). */
bool at_interrupt_was_noted(void);
/* Forgets that: for a new run in the same process. */
void at_interrupt_forget(void);

#endif
