/*
 * Whether the process was requested to end. Code that waits inside a library, where no
 * callback reaches it, polls this. The signal handling code records the request here;
 * the reaction is decided elsewhere. Threads: safe, also in a signal handler; a shield
 * belongs to one thread.
 */
#ifndef AT_BASE_INTERRUPT_H
#define AT_BASE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

void at_interrupt_note(void);
/* Whether the end was requested since the last at_interrupt_forget(). */
bool at_interrupt_was_noted(void);
/* Clears the request, for a new run in the same process. */
void at_interrupt_forget(void);

/*
 * Protects a short critical section that must not be left half done, such as a file
 * that gets its final name only at the end. Until at_shield_drop() no terminating
 * signal is delivered to this thread, and at_shield_await() on another thread waits.
 * Not for waiting for another process, which a signal could not interrupt.
 */
struct at_shield {
	sigset_t mask; /* the thread's previous mask */
};
void at_shield_raise(struct at_shield *self);
void at_shield_drop(struct at_shield *self);
/* For ending the process from another thread: waits until no thread has a shield, and
   prevents new ones; at most about a second, since a disk may hang. */
void at_shield_await(void);

#endif
