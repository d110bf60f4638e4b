/* What is done with a result, whether of an evaluation, a proof or finals. */
#ifndef AT_MEASURE_RESULT_H
#define AT_MEASURE_RESULT_H

#include "measure/measure.h"

/* After these the buffers or the context may hold anything. */
bool outcome_loses_device(enum at_outcome outcome);
/* Takes the error's text where the verification said nothing itself. */
void result_explain(struct at_measure_result *result, const struct at_error *error);
void result_drop_times(struct at_measure_result *result);
/* The outcome is not the configuration's: this machine ran out of memory. */
bool is_machines_fault(enum at_outcome outcome, const struct at_error *reason);
/* The outcome of what buffers_fit_scratch() gave. */
enum at_outcome judge_fit(enum at_status status);

#endif
