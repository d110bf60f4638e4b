/*
 * The compile workers: a queue, and processes that compile one unit at a time each. A
 * compiler that crashes or hangs costs its unit and nothing else.
 *
 * A unit whose failure may be the machine's (recovery.h) is tried again, alone,
 * between two small units that are known to compile. It is answered as failed only if
 * it fails again while the small units compile. Where the small units fail too,
 * everything waits until they compile, or ends with AT_EMACHINE.
 *
 * Threads: the loop's.
 */
#ifndef AT_WORKERS_COMPILERS_H
#define AT_WORKERS_COMPILERS_H

#include "evaluator/workers/process.h"

struct at_compilers;

/*
 * Told when a unit is done. result is borrowed; whoever takes something out of it sets
 * it to NULL. err is set, and result empty, when nothing can be compiled at all (no
 * compiler).
 */
typedef void (*at_compiled)(
	void *context, struct at_compile_result *result, const struct at_error *err);
/* Told a compiler's version, or its list of architectures; text is borrowed. */
typedef void (*at_versioned)(
	void *context, const char *text, const struct at_error *err);

/* Makes a queue for at most `jobs` processes; none is started yet. */
void at_compilers_new(struct at_loop *loop, unsigned jobs, struct at_compilers **out);
/* Starts the processes of `jobs` compilers now, at most as many as there are, and has
   them do what the first unit of each would have to wait for. */
void at_compilers_warm(struct at_compilers *self, unsigned jobs, const char *toolchain);
/* Lowers the number of units that are compiled at once to `jobs`: at least 1, fewer
   than before. */
void at_compilers_limit(struct at_compilers *self, unsigned jobs);
/* Ends all processes; no callback follows. */
void at_compilers_free(struct at_compilers *self);

/*
 * Queues a unit. The request is copied into a message and stays the caller's. path: the
 * file in which the worker puts what it compiled (kernel/units.h); NULL: none. The
 * result has no image: the measure worker reads that from the file. urgent: ahead of
 * all that waits.
 */
enum at_status at_compilers_submit(struct at_compilers *self,
	const struct at_compile_request *request, const char *path, bool urgent,
	at_compiled done, void *context, struct at_error *err);
/* Asks for a toolchain's version. */
void at_compilers_version(struct at_compilers *self, const char *toolchain,
	at_versioned done, void *context);
/* Asks for a toolchain's architectures, as at_toolchain_architectures() lists them. */
void at_compilers_architectures(struct at_compilers *self, const char *toolchain,
	at_versioned done, void *context);
/* Measures the coverage of a verification; takes the body of the message over.
   `done` receives JSON (at_case_coverage_to_json()). */
void at_compilers_cover(struct at_compilers *self, struct at_wire_writer *body,
	at_versioned done, void *context);
/* Puts what waits for this context ahead of all that waits and is not urgent. */
void at_compilers_urge(struct at_compilers *self, const void *context);
/* Drops what waits for this context; a unit that is being compiled ends without an
   answer: at once, or within two seconds if others took longer. */
void at_compilers_forget(struct at_compilers *self, const void *context);

/* How long the unit of this context has been compiling, in seconds; 0: it is not. */
double at_compilers_seconds(const struct at_compilers *self, const void *context);
/* Ten times the median of the units that were compiled, and at least a second; 0: there
   were too few. */
double at_compilers_dear_seconds(const struct at_compilers *self);

/* How many units wait or run, and how many run. */
size_t at_compilers_pending(const struct at_compilers *self);
size_t at_compilers_running(const struct at_compilers *self);
/* While held no unit is started; those that run go on. */
void at_compilers_hold(struct at_compilers *self, bool held);
/* +1: one compiler is kept free for urgent units, until as many have called with -1: a
   unit that takes minutes must not keep a run from its first result. One at a time is
   compiled in any case. */
void at_compilers_reserve(struct at_compilers *self, int change);
/* How many units may be compiled at once. */
unsigned at_compilers_jobs(const struct at_compilers *self);
/* Has the compilers wait while the machine is not well, since the caller reports such a
   pause. Otherwise the first look that finds it unwell ends with AT_EMACHINE. */
void at_compilers_be_patient(struct at_compilers *self);
/* Writes why nothing is compiled at present; "" where something may be compiled. */
void at_compilers_trouble(const struct at_compilers *self, char *text, size_t size);

#endif
