/*
 * The source of compiled units: a folder of units, and compile workers for missing
 * ones. A unit that several callers want at once is compiled once. One pool serves
 * everything that a session tunes.
 *
 * The folder is the user's cache (kernel/units.h), so that the next run finds this
 * run's units. With `fresh`, or without such a folder, this run uses a folder of its
 * own.
 *
 * Threads: the loop's.
 */
#ifndef AT_WORKERS_COMPILE_QUEUE_H
#define AT_WORKERS_COMPILE_QUEUE_H

#include "evaluator/workers/compilers.h"

struct at_compile_queue;

/* Called when a unit is available. path: the unit's file; result: without its image;
   both borrowed. On failure nothing can be compiled at all, and path and result are
   NULL. Never called from inside a call to the pool. */
typedef void (*at_unit_ready)(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *err);

/* jobs: the most compile workers. */
enum at_status at_compile_queue_new(struct at_loop *loop, unsigned jobs, bool fresh,
	struct at_compile_queue **out, struct at_error *err);
/* Frees the pool and trims the folder to its bounds; no callback follows. */
void at_compile_queue_free(struct at_compile_queue *self);

/* Requests a unit; the request stays the caller's. id: at_compile_identity() of the
   request. urgent: before everything that waits for a compiler. */
enum at_status at_compile_queue_want(struct at_compile_queue *self,
	const struct at_compile_request *request, struct at_hash id, bool urgent,
	at_unit_ready done, void *context, struct at_error *err);
/* Drops all requests of this context; no callback follows. */
void at_compile_queue_forget(struct at_compile_queue *self, const void *context);

/* How many seconds the unit of this context has been compiling; 0: it is not. */
double at_compile_queue_seconds(
	const struct at_compile_queue *self, const void *context);

/* The compilers, for asking their versions and for holding them while a board needs the
   cores. */
struct at_compilers *at_compile_queue_compilers(struct at_compile_queue *self);
/* Why the user's folder is not used, and which one is; returned once, "" afterwards. A
   failure to write may show only after some units. */
const char *at_compile_queue_note(struct at_compile_queue *self);

#endif
