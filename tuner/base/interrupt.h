/*
 * Signals that ask for the end, heard by work that runs no event loop meanwhile.
 *
 *   at_interrupt_listen();
 *   ... at_interrupt_heard() now and then ...
 *   at_interrupt_leave();
 *
 * SIGINT, SIGTERM and SIGHUP go on to whoever handles them; where nobody does they are
 * left as they are, and end the process. Threads: one, and one such pair at a time.
 */
#ifndef AT_BASE_INTERRUPT_H
#define AT_BASE_INTERRUPT_H

#include <stdbool.h>

void at_interrupt_listen(void);
bool at_interrupt_heard(void); /* since then */
void at_interrupt_leave(void);

#endif
