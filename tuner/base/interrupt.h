/*
 * Whether the process was asked to end. Code that waits inside a library, where no
 * callback reaches it, looks here now and then. The code that hears signals notes them
 * here; what follows from a signal is decided elsewhere. Threads: safe, also in a
 * signal handler; a shield is one thread's.
 */
#ifndef AT_BASE_INTERRUPT_H
#define AT_BASE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Notes that the process was asked to end. */
void at_interrupt_note(void);
/* Whether it was noted since the last at_interrupt_forget(). */
bool at_interrupt_was_noted(void);
/* Forgets that: for a new run in the same process. */
void at_interrupt_forget(void);

/*
 * For something short that must not be left half done, such as a file that has its
 * final name only at the end: until at_shield_drop() no signal that asks the process to
 * end is delivered to this thread, and at_shield_await() on another thread waits. Not
 * around anything that waits for another process, which a signal could not interrupt.
 */
struct at_shield {
	sigset_t mask; /* the thread's before */
};
void at_shield_raise(struct at_shield *self);
void at_shield_drop(struct at_shield *self);
/* For whoever is going to end the process from another thread: waits until no thread
   has a shield, and keeps others from raising one; but no longer than about a second,
   since a disk may hang. */
void at_shield_await(void);

#endif
