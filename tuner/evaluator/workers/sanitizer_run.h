/*
 * One evaluation under compute-sanitizer, in a process of its own: an ordinary measure
 * worker (worker.h) that opens the device, makes a setup, evaluates once and ends.
 * Where another program has the device it waits for its turn, as all measure workers
 * do; this run's own measure worker has the device only while it measures. Threads: the
 * loop's.
 */
#ifndef AT_WORKERS_SANITIZER_RUN_H
#define AT_WORKERS_SANITIZER_RUN_H

#include "evaluator/workers/process.h"
#include "evaluator/workers/sanitizer.h"

struct at_sanitizer_run;

/* All borrowed for the call, except the loop and `others`: until
 * at_sanitizer_run_free(). */
struct at_sanitizer_run_options {
	struct at_loop *loop;
	enum at_check check; /* not HOST */
	const char *program; /* see at_sanitizer_find() */
	const char *device_id;
	const struct at_strbuf *setup; /* see AT_MESSAGE_SETUP */
	struct at_hash setup_id;
	const char *unit; /* path of the compiled unit */
	const struct at_measure_request *request;
	const char *const *others; /* see at_sanitizer_read() */
	double seconds; /* the limit, not counting waits for another program */
};

/*
 * Told from the loop when it is over; the run is to be freed then. outcome OK: the
 * evaluation passed and the report has no error; NOT_APPLICABLE: the check could not be
 * made, and finding->detail says why.
 */
typedef void (*at_sanitizer_ran)(
	void *context, const struct at_sanitizer_finding *finding);

/* Begins; after AT_OK done() will be called. */
enum at_status at_sanitizer_run_begin(const struct at_sanitizer_run_options *options,
	at_sanitizer_ran done, void *context, struct at_sanitizer_run **out,
	struct at_error *err);
/* Kills the process if it is still there; no callback follows. */
void at_sanitizer_run_free(struct at_sanitizer_run *self);

#endif
