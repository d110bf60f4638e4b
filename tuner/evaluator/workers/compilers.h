/*
 * The compile workers: a queue, and one unit at a time in each process. A
 * compiler that crashes or does not end costs its unit and nothing else.
 *
 * What fails in a way that may be the machine's (evaluator/workers/misfortune.h) is
 * tried again, alone, between two small units that are known to compile. Only what
 * fails again although these are compiled is answered as failed; where they are not,
 * everything waits until they are, or ends with AT_EMACHINE.
 *
 * Threads: the loop's.
 */
#ifndef AT_WORKERS_COMPILERS_H
#define AT_WORKERS_COMPILERS_H

#include "evaluator/workers/process.h"

struct at_compilers;

/*
 * result: borrowed; what is taken out of it must be set to NULL. err: set when
 * nothing could be compiled at all (no compiler), and result is then empty.
 */
typedef void (*at_compiled)(
	void *context, struct at_compile_result *result, const struct at_error *err);
typedef void (*at_versioned)(
	void *context, const char *text, const struct at_error *err);

enum at_status at_compilers_new(struct at_loop *loop, unsigned jobs,
	struct at_compilers **out, struct at_error *err);
/*
 * Starts the processes of `jobs` compilers now, at most as many as there are, and has
 * them do what the first unit of each would have to wait for.
 */
void at_compilers_warm(struct at_compilers *self, unsigned jobs, const char *toolchain);
/* From now on no more than `jobs` at once: at least 1, fewer than before. */
void at_compilers_limit(struct at_compilers *self, unsigned jobs);
/* No callback follows. */
void at_compilers_free(struct at_compilers *self);

/*
 * The request is sent as it is now, and stays the caller's. path: where the worker puts
 * what it compiled (kernel/units.h); NULL: nowhere. The result comes without its image:
 * that is for whoever runs it. urgent: goes before all that waits.
 */
enum at_status at_compilers_submit(struct at_compilers *self,
	const struct at_compile_request *request, const char *path, bool urgent,
	at_compiled done, void *context, struct at_error *err);
enum at_status at_compilers_version(struct at_compilers *self, const char *toolchain,
	at_versioned done, void *context, struct at_error *err);
/* As at_toolchain_architectures() lists them. */
enum at_status at_compilers_architectures(struct at_compilers *self,
	const char *toolchain, at_versioned done, void *context, struct at_error *err);
/* Drops what waits for this context; what runs ends unheard. No callback comes. */
void at_compilers_forget(struct at_compilers *self, const void *context);

/* Units that wait or run, and those that run now. */
size_t at_compilers_pending(const struct at_compilers *self);
size_t at_compilers_running(const struct at_compilers *self);
/* While held no unit is started; those that run go on. */
void at_compilers_hold(struct at_compilers *self, bool held);
unsigned at_compilers_jobs(const struct at_compilers *self);
/* Somebody tells of trouble with the machine: it is waited for. Otherwise what does not
   work at once ends with AT_EMACHINE. */
void at_compilers_be_patient(struct at_compilers *self);
/* Why nothing is compiled at present; "" where something may be. */
void at_compilers_trouble(const struct at_compilers *self, char *text, size_t size);

#endif
