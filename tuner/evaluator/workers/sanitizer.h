/*
 * NVIDIA's compute-sanitizer: where it is, how a worker is run under it, and what its
 * report says. It watches each access as a kernel runs, and so sees races that did not
 * happen this time, and reads of what nobody wrote.
 *
 * Must not know: processes, boards. Threads: pure functions, but for the environment
 * and files that they read.
 */
#ifndef AT_WORKERS_SANITIZER_H
#define AT_WORKERS_SANITIZER_H

#include "base/error.h"
#include "base/outcome.h"
#include "record/proof.h"

#include <stdbool.h>
#include <stddef.h>

/* The program's path: on PATH, in $CUDA_HOME or $CUDA_PATH, in /usr/local/cuda; heap.
   AT_ENOENT: it is not installed. */
enum at_status at_sanitizer_find(char **path, struct at_error *err);

/* Kernels of one launch that are judged: the one that is tuned, what is before and
 * behind. */
#define AT_SANITIZER_FILTERS 3
/* How kernels of this symbol are chosen; heap, NULL without memory. */
char *at_sanitizer_filter(const char *symbol);

#define AT_SANITIZER_WORDS (14 + 2 * AT_SANITIZER_FILTERS)
/*
 * What stands in front of a command that is to be watched by `check`, which is not
 * HOST: words end with NULL and borrow path, report and filters, of which there are up
 * to AT_SANITIZER_FILTERS: NULL behind the last, if they are fewer.
 *
 * racecheck looks at the kernels that they choose, and at no others: it hands each
 * access to shared memory to the processor, and on an H200 takes 5 s with the tuner's
 * own kernels and 1 s without them. The others need to see all: what ours have written
 * is set, for initcheck.
 */
void at_sanitizer_command(enum at_check check, const char *path, const char *report,
	char *const filters[AT_SANITIZER_FILTERS],
	const char *words[AT_SANITIZER_WORDS]);

struct at_sanitizer_finding {
	/* OK: nothing was found; NOT_APPLICABLE: it could not do its work */
	enum at_outcome outcome;
	char detail[400]; /* one line; "" for OK */
};

/*
 * The first error in the text of a report that is not one of `others`' kernels, by
 * their symbols as compilers make them (NULL after the last): the tuner's own and the
 * reference are not what is judged. Warnings and what is no access of a kernel, such as
 * a call of the driver that failed, are no errors.
 */
void at_sanitizer_read(enum at_check check, const char *text, const char *const *others,
	struct at_sanitizer_finding *out);

#endif
