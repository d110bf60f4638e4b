/*
 * The evaluator that compiles and measures: a farm of compile workers, and one board or
 * several of one model with a measure worker each.
 *
 * Several boards make one search: a configuration that is ready goes to whichever board
 * is free. A board that does not agree with the first about the same configuration is
 * left out, with a note. Finals and verifications are made on one board.
 *
 * Threads: the loop's.
 */
#ifndef AT_WORKERS_WORKERS_H
#define AT_WORKERS_WORKERS_H

#include "evaluator/evaluator.h"
#include "evaluator/workers/board.h"
#include "evaluator/workers/compile_queue.h"
#include "kernel/source.h"
#include "record/counterexample.h"
#include "space/spec.h"

/* The most boards in one search. */
#define AT_BOARDS_MAX 64

/* All borrowed until the evaluator is closed. */
struct at_workers_options {
	struct at_loop *loop;
	struct at_compile_queue *compile_queue;
	struct at_board *const *boards; /* open, of one model */
	const struct at_device_info *infos; /* one for each board */
	size_t board_count;
	const struct at_spec *spec;
	const struct at_spec *whole_spec; /* without --set */
	struct at_template *template;
	const struct at_problem *problem;
	const char *toolchain; /* name and version */
	/* recorded counterexamples, on which each winner is verified first; needed only
	   while the evaluator is opened */
	const struct at_counterexamples *counterexamples;
	/* the number of the night, from which it draws further cases; 0: no night */
	uint64_t night;
	/* how long each wait for a program that has a board may last; 0: without end */
	double wait_seconds;
};

/* Opens the evaluator; *out is released by its close(). */
enum at_status at_workers_open(const struct at_workers_options *options,
	struct at_evaluator **out, struct at_error *err);

#endif
