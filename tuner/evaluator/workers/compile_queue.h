/*
 * Where compiled units come from: a folder of units, and compile workers for what the
 * folder lacks. A unit that several callers want at once is compiled once. One farm
 * serves everything that a session tunes.
 *
 * The folder is the user's cache (kernel/units.h), so that the next run finds what this
 * one compiled. With `fresh`, or where there is no such folder, it is a folder of this
 * run's own.
 *
 * Threads: the loop's.
 */
#ifndef AT_WORKERS_COMPILE_QUEUE_H
#define AT_WORKERS_COMPILE_QUEUE_H

#include "evaluator/workers/compilers.h"

struct at_compile_queue;

/*
 * Told when a unit is there. path: the unit's file; result: without its image; both
 * borrowed. On failure nothing can be compiled at all, and path and result are NULL.
 * Never called from inside a call to the farm.
 */
typedef void (*at_farmed)(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *err);

/* jobs: at most so many compile workers. */
enum at_status at_compile_queue_new(struct at_loop *loop, unsigned jobs, bool fresh,
	struct at_compile_queue **out, struct at_error *err);
/* Frees the farm and trims the folder to its bounds; no callback follows. */
void at_compile_queue_free(struct at_compile_queue *self);

/* Asks for a unit. The request stays the caller's. id: at_compile_identity() of the
   request. urgent: ahead of all that waits for a compiler. */
enum at_status at_compile_queue_want(struct at_compile_queue *self,
	const struct at_compile_request *request, struct at_hash id, bool urgent,
	at_farmed done, void *context, struct at_error *err);
/* Drops all wishes of this context; no callback comes for them. */
void at_compile_queue_forget(struct at_compile_queue *self, const void *context);

/* How long the unit of this context has been compiling, in seconds; 0: it is not. */
double at_compile_queue_seconds(
	const struct at_compile_queue *self, const void *context);

/* The compilers: to ask them for versions, and to hold them while a board needs the
   cores. */
struct at_compilers *at_compile_queue_compilers(struct at_compile_queue *self);
/* Why the user's folder is not used, and which one is; told once, "" afterwards. That
   the folder cannot be written to may be found out only after some units. */
const char *at_compile_queue_note(struct at_compile_queue *self);

#endif
