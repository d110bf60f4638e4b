/*
 * One evaluation in a process of its own, under compute-sanitizer: a measure worker as
 * any other (worker.h), which opens the device, makes a setup, evaluates and ends.
 * Where another program has the device it waits for its turn, as all do; the measure
 * worker of this run only has it while it measures. Threads: the loop's.
 */
#ifndef AT_WORKERS_WATCH_H
#define AT_WORKERS_WATCH_H

#include "evaluator/workers/process.h"
#include "evaluator/workers/sanitizer.h"

struct at_watch;

/* Borrowed for the call, but for the loop and `others`. */
struct at_watch_options {
	struct at_loop *loop;
	enum at_check check; /* not HOST */
	const char *program; /* see at_sanitizer_find() */
	const char *device_id;
	const struct at_strbuf *setup; /* see AT_MESSAGE_SETUP */
	struct at_hash setup_id;
	const char *unit; /* path */
	const struct at_measure_request *request;
	const char *const *others; /* see at_sanitizer_read() */
	double seconds; /* at most, without waiting for another program */
};

/*
 * outcome OK: it passed, and nothing was found; NOT_APPLICABLE: the check could not be
 * made, and finding->detail says why. From the loop; free it then.
 */
typedef void (*at_watched)(void *context, const struct at_sanitizer_finding *finding);

/* AT_OK: done() will come. */
enum at_status at_watch_begin(const struct at_watch_options *options, at_watched done,
	void *context, struct at_watch **out, struct at_error *err);
/* No callback follows; the process is killed if it is still there. */
void at_watch_free(struct at_watch *self);

#endif
