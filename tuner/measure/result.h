/* Small helpers for the results of evaluations, verifications and finals. */
#ifndef AT_MEASURE_RESULT_H
#define AT_MEASURE_RESULT_H

#include "measure/measure.h"

/* Whether after this outcome the buffers or the device's context may be corrupted. */
bool outcome_loses_device(enum at_outcome outcome);
/* Uses the error's text as detail if the verification gave none. */
void result_explain(struct at_measure_result *result, const struct at_error *error);
/* Removes samples, times and intervals from a result. */
void result_drop_times(struct at_measure_result *result);
/* Whether this machine ran out of memory or its GPU failed, so that the outcome is not
   the configuration's. */
bool is_machines_fault(enum at_outcome outcome, const struct at_error *reason);
/* The outcome that follows from the status of buffers_fit_scratch(). */
enum at_outcome judge_fit(enum at_status status);

#endif
