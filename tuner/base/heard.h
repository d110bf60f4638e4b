/*
 * Signals that ask for the end, heard by work that runs no event loop meanwhile.
 *
 *   at_heard_begin();
 *   ... at_heard_any() now and then ...
 *   at_heard_end();
 *
 * SIGINT, SIGTERM and SIGHUP go on to whoever handles them; where nobody does they are
 * left as they are, and end the process. Threads: one, and one such pair at a time.
 */
#ifndef AT_BASE_HEARD_H
#define AT_BASE_HEARD_H

#include <stdbool.h>

void at_heard_begin(void);
bool at_heard_any(void); /* since then */
void at_heard_end(void);
/* By a thread that hears signals instead of a handler; from any. */
void at_heard_tell(void);

#endif
