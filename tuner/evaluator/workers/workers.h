/*
 * The evaluator that compiles and measures: a pool of compile workers, and one or
 * several boards of one model with a measure worker each.
 *
 * Several boards share one search: a ready configuration goes to any free board. A
 * board that disagrees with the first about the same configuration is left out, with a
 * note. Finals and verifications each use one board.
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
	/* recorded counterexamples, on which each winner is verified first; borrowed
	   only while the evaluator is opened */
	const struct at_counterexamples *counterexamples;
	/* seed of the night's additional cases; 0: no nightly run */
	uint64_t night;
	/* the longest wait for a program that has a board; 0: unlimited */
	double wait_seconds;
};

/* Opens the evaluator; its close() releases *out. */
enum at_status at_workers_open(const struct at_workers_options *options,
	struct at_evaluator **out, struct at_error *err);

#endif
