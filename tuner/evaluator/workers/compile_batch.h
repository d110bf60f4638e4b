/*
 * Compiles units for a caller that does nothing else meanwhile. Results come in the
 * caller's order, whichever unit was compiled first. A batch has its own loop and
 * compiler pool (compile_queue.h).
 *
 *   at_compile_batch_open(executable, jobs, &batch, &err);
 *   at_compile_batch_toolchain(batch, "nvrtc", &version, &err);
 *   at_compile_batch_run(batch, &work, &err);          any number of times
 *   at_compile_batch_close(batch);
 *
 * A signal ends a call with AT_EINTERRUPTED. Threads: one batch at a time in a process.
 */
#ifndef AT_WORKERS_COMPILE_BATCH_H
#define AT_WORKERS_COMPILE_BATCH_H

#include "base/error.h"
#include "kernel/compile.h"

#include <stddef.h>

struct at_compile_batch;
struct at_loop;

/* The units to compile. An error of a callback ends the run with this error. */
struct at_compile_work {
	size_t count;
	const char *version; /* of the toolchain: at_compile_batch_toolchain() */
	/* Makes the request of a unit; the batch owns it. A request without a source:
	   there is nothing to compile. */
	enum at_status (*request)(void *context, size_t index,
		struct at_compile_request *out, struct at_error *err);
	/* Called for one unit after the other. path: the unit's file, if it compiled.
	   Both are borrowed, and NULL if there was nothing to compile. */
	enum at_status (*compiled)(void *context, size_t index, const char *path,
		const struct at_compile_result *result, struct at_error *err);
	void *context;
};

/* executable: the program to start as workers; NULL: this one. jobs: number of compile
   workers; 0: one for each core. */
enum at_status at_compile_batch_open(const char *executable, unsigned jobs,
	struct at_compile_batch **out, struct at_error *err);
/* Ends the workers; NULL is allowed. */
void at_compile_batch_close(struct at_compile_batch *self);
/* The loop, for other workers between two runs. */
struct at_loop *at_compile_batch_loop(struct at_compile_batch *self);

/* The version of a toolchain, such as "NVRTC 13.0"; borrowed until a call names another
   toolchain. AT_EUNAVAILABLE: it is not installed; the message says how to get it. */
enum at_status at_compile_batch_toolchain(struct at_compile_batch *self,
	const char *toolchain, const char **version, struct at_error *err);
/* The newest architecture that NVRTC knows; see at_probe_newest_architecture(). */
enum at_status at_compile_batch_newest(
	struct at_compile_batch *self, char *name, size_t size, struct at_error *err);

/* AT_EUNAVAILABLE: there is no compiler, or it does not know the architecture. */
enum at_status at_compile_batch_run(struct at_compile_batch *self,
	const struct at_compile_work *work, struct at_error *err);

#endif
