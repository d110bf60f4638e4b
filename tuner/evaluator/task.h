/*
 * One configuration on its way from the strategy to the record and back: what is
 * compiled and launched, how it is measured, and the result. An evaluator's plan()
 * makes a task. begin() and finals() keep a reference until they answer, and leave the
 * answer in the task. at_task_free() drops a reference; the last one frees the task.
 *
 * Threads: the evaluator's loop.
 */
#ifndef AT_EVALUATOR_TASK_H
#define AT_EVALUATOR_TASK_H

#include "base/error.h"
#include "base/hash.h"
#include "base/outcome.h"
#include "evaluator/plan.h"
#include "kernel/facts.h"
#include "measure/measure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How to make one evaluation. */
struct at_task_options {
	bool first; /* the baseline: measured before all others */
	bool full; /* never dropped early, however slow it is */
	/* measured in full even if racing would drop it; result.was_pruned says if it
	   would */
	bool audit;
};

struct at_task {
	unsigned references;
	/* frees the evaluator's own data; may be NULL */
	void (*release)(struct at_task *self);
	uint16_t *configuration; /* value indices, one a parameter */
	struct at_compiled_plan plan;

	/* ---- set by the caller of begin() */
	/* The configuration's number, and the seed if a device can shuffle the order of
	   threads: a rerun shuffles them in the same way. */
	uint64_t index;
	struct at_task_options how;
	/* Receives the answer; err: why the evaluator can do nothing more, else
	   NULL. */
	void (*answered)(struct at_task *self, const struct at_error *err);
	void *context;

	/* ---- the answer, set by the evaluator */
	enum at_outcome outcome; /* NONE: cancelled, nothing is known */
	char detail[512]; /* one line, the reason; "" when OK */
	char *log; /* the compiler's; NULL: empty */
	struct at_facts facts; /* unknown if not compiled */
	bool is_measured;
	/* of the evaluation or the last finals, with the blocks of samples of
	   at_measure_context_finals(); a receiver may take the samples and set them to
	   NULL */
	struct at_measure_result result;
	/* hash of image, launch and data; tasks with equal hashes are measured once and
	   share the result; zero without an image */
	struct at_hash image;
	bool is_copy; /* copied from another configuration's result */
	const char *board; /* uuid of the measuring board, or "" */
};

/* Makes a zeroed task of `size` bytes, for evaluators whose own struct begins with one.
   Copies the configuration's parameter_count values. */
void *at_task_new(size_t size, const uint16_t *configuration, size_t parameter_count);
/* Adds a reference. */
void at_task_keep(struct at_task *self);
/* Drops a reference; NULL is allowed. */
void at_task_free(struct at_task *self);

#endif
