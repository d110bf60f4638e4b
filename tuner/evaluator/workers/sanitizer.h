/*
 * NVIDIA's compute-sanitizer: where it is, how a worker is run under it, and what its
 * report says. It watches every access while a kernel runs, and so finds races that did
 * not show in the results, and reads of memory that nothing has written.
 *
 * Must not know: processes, boards. Threads: pure functions, except for the environment
 * and the files that they read.
 */
#ifndef AT_WORKERS_SANITIZER_H
#define AT_WORKERS_SANITIZER_H

#include "evaluator/workers/process.h"
#include "base/error.h"
#include "base/outcome.h"
#include "record/verification.h"

/* Finds the program: on PATH, in $CUDA_HOME or $CUDA_PATH, in /usr/local/cuda. *path is
   on the heap. AT_ENOENT: it is not installed. */
enum at_status at_sanitizer_find(char **path, struct at_error *err);

/* Kernels of one evaluation that are judged: as many as a space can launch, and
   prepare and finish. */
#define AT_SANITIZER_FILTERS (AT_SPEC_LAUNCHES_MAX + 2)
/* The filter by which racecheck chooses kernels of this symbol; heap. */
char *at_sanitizer_filter(const char *symbol);

#define AT_SANITIZER_WORDS (14 + 2 * AT_SANITIZER_FILTERS)
/*
 * Fills words with what stands in front of a command that `check` (not HOST) is to
 * watch. The words end with NULL and borrow path, report and filters. There are up to
 * AT_SANITIZER_FILTERS filters, with NULL behind the last if there are fewer.
 *
 * racecheck watches only the kernels that the filters choose, since it hands each
 * access to shared memory to the processor: on an H200 it takes 5 s with the tuner's
 * own kernels and 1 s without. The other checks must watch all kernels: initcheck has
 * to see what the tuner's kernels write.
 */
void at_sanitizer_command(enum at_check check, const char *path, const char *report,
	char *const filters[AT_SANITIZER_FILTERS],
	const char *words[AT_SANITIZER_WORDS]);

/*
 * Finds the first error in the text of a report that is in none of the kernels `others`
 * (symbols as compilers make them, NULL behind the last): the tuner's own kernels and
 * the reference are not what is judged. Warnings do not count, nor what is no access of
 * a kernel, such as a call of the driver that failed. OK: there is no error;
 * NOT_APPLICABLE: the check could not be made.
 */
void at_sanitizer_read(enum at_check check, const char *text, const char *const *others,
	struct at_finding *out);

/*
 * One evaluation under compute-sanitizer, in a process of its own: an ordinary measure
 * worker (worker.h) that opens the device, makes a setup, evaluates once and ends.
 * Where another program has the device it waits for its turn, as all measure workers
 * do; this run's own measure worker has the device only while it measures.
 */
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
typedef void (*at_sanitizer_ran)(void *context, const struct at_finding *finding);

/* Begins; after AT_OK done() will be called. */
enum at_status at_sanitizer_run_begin(const struct at_sanitizer_run_options *options,
	at_sanitizer_ran done, void *context, struct at_sanitizer_run **out,
	struct at_error *err);
/* Kills the process if it is still there; no callback follows. */
void at_sanitizer_run_free(struct at_sanitizer_run *self);

#endif
