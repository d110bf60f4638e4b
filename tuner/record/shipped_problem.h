/*
 * What a result file says of one problem. Readers do nothing once one has failed
 * (shipped_values.h); self->place is "problems[2]." while they read. Nobody but
 * record/shipped_read.c includes it. Threads: one reading, one thread.
 */
#ifndef AT_RECORD_SHIPPED_PROBLEM_H
#define AT_RECORD_SHIPPED_PROBLEM_H

#include "record/shipped.h"
#include "record/shipped_values.h"

/* Winner and baseline of the problem; *out is the caller's, also after a failure. */
void at_shipped_problem(struct at_reading *self, const struct at_json *problem,
	const char *space, struct at_result *out);
/* Who serves the problem in the portfolio, where the file names one: into out's. */
void at_shipped_member(struct at_reading *self, const struct at_json *problem,
	const char *space, struct at_result *out);

#endif
