/*
 * The evaluations of one space, problem and device as columns, in the order in which
 * they were made: what plots are drawn from.
 *
 * Of each configuration the newest evaluation counts, as far as it has the parameters
 * of the newest of all.
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

/* Pauses between two evaluations that are longer count as none: runs of other days. */
#define AT_REPORT_PAUSE_SECONDS 600

struct at_report_evaluations {
	size_t count; /* 0: none */
	size_t parameter_count;
	/* values that are numbers ascend; borrowed */
	const struct at_search_parameter *parameters;
	/* of each evaluation the numbers of its values, parameter_count of them */
	uint16_t *values;
	const struct at_evaluation **rows; /* borrowed from the caller */
	double *seconds; /* of searching, from the first one on, in whole seconds */
	/* what is not among them: repeated since, with other parameters, or without a
	   configuration that can be read */
	size_t left_out;
	struct at_importance importance;
	struct at_recording *recording; /* what of this is borrowed from */
};

/*
 * rows are to live as long as *self, and are needed in no order. path is for errors.
 * None at all is no error. Release it also after a failure.
 */
enum at_status at_report_evaluations_init(struct at_report_evaluations *self,
	const char *path, const struct at_evaluation *rows, size_t count,
	struct at_error *err);
void at_report_evaluations_release(struct at_report_evaluations *self);

#endif
