/*
 * The evaluations of one space, problem and device as columns, in order of time: the
 * data of plots.
 *
 * Only the newest evaluation of each configuration counts; evaluations whose parameters
 * differ from the newest evaluation's are omitted.
 *
 *   at_report_evaluations_init(&evaluations, "results", rows, count, &err);
 *   for (i < evaluations.count) evaluations.rows[i] ... evaluations.values[...]
 *   at_report_evaluations_release(&evaluations);
 *
 * Must not know: how it is shown. Threads: one; constant after it was made.
 */
#ifndef AT_REPORT_EVALUATIONS_H
#define AT_REPORT_EVALUATIONS_H

#include "record/store.h"
#include "report/importance.h"
#include "space/search_space.h"

/* A longer pause between two evaluations separates two runs, and is not counted. */
#define AT_REPORT_PAUSE_SECONDS 600

/* The columns; all arrays are in the order of time. */
struct at_report_evaluations {
	size_t count; /* 0: none */
	size_t parameter_count;
	/* borrowed from the recording; numeric values ascend */
	const struct at_search_parameter *parameters;
	/* value indices, parameter_count for each evaluation */
	uint16_t *values;
	const struct at_evaluation **rows; /* borrowed from the caller */
	/* seconds spent searching since the first evaluation, without pauses */
	double *seconds;
	size_t pause_count;
	/* omitted evaluations: repeated later, with other parameters, or with an
	   unreadable configuration */
	size_t left_out;
	struct at_importance importance;
	struct at_recording *recording; /* owns `parameters` */
};

/* rows, in any order, must outlive *self. path: for errors. No rows are no error.
   Release *self also after a failure. */
enum at_status at_report_evaluations_init(struct at_report_evaluations *self,
	const char *path, const struct at_evaluation *rows, size_t count,
	struct at_error *err);
/* Frees the contents and zeroes the struct. */
void at_report_evaluations_release(struct at_report_evaluations *self);

#endif
