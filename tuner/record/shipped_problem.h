/*
 * One problem of a result file. As in shipped_values.h, a reader does nothing after a
 * failure; self->place must be "problems[2]." when it is called. Only
 * record/shipped_read.c includes this. Threads: one reading, one thread.
 */
#ifndef AT_RECORD_SHIPPED_PROBLEM_H
#define AT_RECORD_SHIPPED_PROBLEM_H

#include "record/shipped.h"
#include "record/shipped_values.h"

/* Reads winner and baseline into *out, which must be released, also after a failure. */
void at_shipped_problem(struct at_reading *self, const struct at_json *problem,
	const char *space, struct at_result *out);
/* Reads the problem's portfolio member, if the file names one, into out->member. */
void at_shipped_member(struct at_reading *self, const struct at_json *problem,
	const char *space, struct at_result *out);
/* Reads a counterexample into *out, which must be released, also after a failure. */
void at_shipped_counterexample(struct at_reading *self, const struct at_json *object,
	const char *space, const struct at_record_device *device,
	struct at_counterexample *out);

#endif
