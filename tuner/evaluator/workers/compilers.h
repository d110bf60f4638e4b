/*
 * The compile workers: a queue, and processes that compile one unit at a time each. A
 * compiler that crashes or hangs loses its unit and nothing else.
 *
 * A unit whose failure may be the machine's (recovery.h) is tried again, alone, between
 * two small units that compile on a healthy machine. The unit is answered as failed
 * only if it fails again while the small units compile. If the small units fail too,
 * everything waits until they compile, or ends with AT_EMACHINE.
 *
 * Threads: the loop's.
 */
#ifndef AT_WORKERS_COMPILERS_H
#define AT_WORKERS_COMPILERS_H

#include "evaluator/workers/process.h"

struct at_compilers;

/* Called when a unit is done. result: borrowed; a receiver that takes a member sets it
   to NULL. err is set, and result empty, if nothing can be compiled at all (no
   compiler). */
typedef void (*at_compiled)(
	void *context, struct at_compile_result *result, const struct at_error *err);
/* Receives a compiler's version or list of architectures; text is borrowed. */
typedef void (*at_versioned)(
	void *context, const char *text, const struct at_error *err);

/* Makes a queue for at most `jobs` processes; none is started yet. */
void at_compilers_new(struct at_loop *loop, unsigned jobs, struct at_compilers **out);
/* Starts up to `jobs` compiler processes now, and has them do what the first unit of
   each would otherwise wait for. */
void at_compilers_warm(struct at_compilers *self, unsigned jobs, const char *toolchain);
/* Lowers the number of units compiled at once to `jobs`: at least 1, fewer than
   before. */
void at_compilers_limit(struct at_compilers *self, unsigned jobs);
/* Ends all processes; no callback follows. */
void at_compilers_free(struct at_compilers *self);

/* Queues a unit. The request is copied into a message and stays the caller's. path: the
   file for the compiled unit (kernel/units.h); NULL: none. The result has no image: the
   measure worker reads it from the file. urgent: before everything that waits. */
enum at_status at_compilers_submit(struct at_compilers *self,
	const struct at_compile_request *request, const char *path, bool urgent,
	at_compiled done, void *context, struct at_error *err);
/* Requests a toolchain's version (AT_MESSAGE_TOOLCHAIN), or its architectures as
   at_toolchain_architectures() lists them (AT_MESSAGE_ARCHITECTURES). */
void at_compilers_ask(struct at_compilers *self, enum at_message question,
	const char *toolchain, at_versioned done, void *context);
/* Measures the coverage of a verification; takes ownership of the message body. `done`
   receives JSON (at_case_coverage_to_json()). */
void at_compilers_cover(struct at_compilers *self, struct at_wire_writer *body,
	at_versioned done, void *context);
/* Moves the waiting units of this context before all that are not urgent. */
void at_compilers_urge(struct at_compilers *self, const void *context);
/* Drops the units of this context. A unit that is being compiled ends without an
   answer: at once, or within two seconds if others took longer. */
void at_compilers_forget(struct at_compilers *self, const void *context);

/* How many seconds the unit of this context has been compiling; 0: it is not. */
double at_compilers_seconds(const struct at_compilers *self, const void *context);
/* Ten times the median of the compiled units, and at least a second; 0: too few
   units. */
double at_compilers_slow_seconds(const struct at_compilers *self);

/* The number of units that wait or run, and that run. */
size_t at_compilers_pending(const struct at_compilers *self);
size_t at_compilers_running(const struct at_compilers *self);
/* While held no unit is started; running units continue. */
void at_compilers_hold(struct at_compilers *self, bool held);
/* +1: keeps one compiler free for urgent units, until as many calls with -1. A unit
   that takes minutes must not delay a run's first result. One unit at a time is
   compiled in any case. */
void at_compilers_reserve(struct at_compilers *self, int change);
/* The most units at once. */
unsigned at_compilers_jobs(const struct at_compilers *self);
/* Makes the compilers wait while the machine is unwell, for a caller that reports such
   a pause. Otherwise the first check that finds it unwell ends with AT_EMACHINE. */
void at_compilers_be_patient(struct at_compilers *self);
/* Writes why nothing can be compiled at present, or "". */
void at_compilers_trouble(const struct at_compilers *self, char *text, size_t size);

#endif
