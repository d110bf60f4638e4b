/*
 * The evaluator that compiles and measures: a farm of compile workers, and one board
 * or several of one model with a measure worker each.
 *
 * Several boards make one search: whatever is ready goes to whichever is free. A board
 * that does not agree with the first about the same configuration is said and left
 * out. Finals and proofs are made on one board.
 *
 * Threads: the loop's.
 */
#ifndef AT_WORKERS_WORKERS_H
#define AT_WORKERS_WORKERS_H

#include "evaluator/evaluator.h"
#include "evaluator/workers/board.h"
#include "evaluator/workers/farm.h"
#include "kernel/source.h"
#include "space/spec.h"

/* At most so many boards in one search. */
#define AT_BOARDS_MAX 64

/* All borrowed until the evaluator is closed. */
struct at_workers_options {
	struct at_loop *loop;
	struct at_farm *farm;
	struct at_board *const *boards; /* open, of one model */
	const struct at_device_info *infos; /* one a board */
	size_t board_count;
	const struct at_spec *spec;
	const struct at_spec *whole_spec; /* without --set */
	struct at_template *template;
	const struct at_problem *problem;
	const char *toolchain; /* version and all */
	/* a program that has a board is waited for no longer, each time; 0: without end
	 */
	double wait_seconds;
};

enum at_status at_workers_open(const struct at_workers_options *options,
	struct at_evaluator **out, struct at_error *err);

#endif
