/*
 * One configuration on its way from the strategy to the record and back: what is
 * compiled and launched for it, how it is to be measured, and the result. An
 * evaluator's plan() makes a task. begin() and finals() keep a reference to it until
 * they answer, and leave the answer in it. at_task_free() drops a reference; the last
 * one frees the task.
 *
 * Threads: those of the evaluator's loop.
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

/* How one evaluation is to be made. */
struct at_task_options {
	bool first; /* the baseline: measured before all others */
	bool full; /* never dropped early, however slow it is */
	/* measured on where racing would drop it; result.was_pruned says whether it
	   would have */
	bool audit;
};

struct at_task {
	unsigned references;
	/* frees what the evaluator keeps with the task; NULL: nothing */
	void (*release)(struct at_task *self);
	uint16_t *configuration; /* value indices, one a parameter */
	struct at_compiled_plan plan;

	/* ---- set by the caller of begin() */
	/* The configuration's number. Where a device can shuffle the order of threads,
	   the number is the seed, so that a rerun shuffles them in the same way. */
	uint64_t index;
	struct at_task_options how;
	/* Receives the answer. err: why the evaluator can do nothing more; else NULL.
	 */
	void (*answered)(struct at_task *self, const struct at_error *err);
	void *context;

	/* ---- the answer, set by the evaluator */
	enum at_outcome outcome; /* NONE: it was cancelled, and nothing is known */
	char detail[512]; /* one line that says why; "" when OK */
	char *log; /* the compiler's; NULL: it wrote nothing */
	struct at_facts facts; /* unknown where it was not compiled */
	bool is_measured; /* it has a result */
	/* of the evaluation, or of the last finals, with the blocks of samples as
	   at_measure_context_finals() gives them; a receiver may take the samples and
	   set them to NULL */
	struct at_measure_result result;
	/*
	 * hash of the image, its launch and its data: of several with the same hash
	 * only one is measured, and its result is copied; zero where there is no image
	 */
	struct at_hash image;
	bool is_copy; /* the result is copied from another configuration's */
	const char *board; /* uuid of the board that measured it; "" where none did */
};

/* Makes a task of `size` bytes, zeroed, for evaluators whose own struct begins with it.
   The configuration of so many parameters is copied. */
void *at_task_new(size_t size, const uint16_t *configuration, size_t parameter_count);
/* Adds a reference. */
void at_task_keep(struct at_task *self);
/* Drops a reference; NULL is allowed. */
void at_task_free(struct at_task *self);

#endif
