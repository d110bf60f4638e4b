/* Small helpers for the results of evaluations, verifications and finals. */
#ifndef AT_MEASURE_RESULT_H
#define AT_MEASURE_RESULT_H

#include "measure/measure.h"

/* Whether buffers or the device's context may hold anything after this outcome. */
bool outcome_loses_device(enum at_outcome outcome);
/* Takes the error's text as detail where the verification gave none. */
void result_explain(struct at_measure_result *result, const struct at_error *error);
/* Removes samples, times and intervals from a result. */
void result_drop_times(struct at_measure_result *result);
/* Whether this machine ran out of memory, or its board failed, so that the outcome is
   not the configuration's. */
bool is_machines_fault(enum at_outcome outcome, const struct at_error *reason);
/* The outcome that follows from the status of buffers_fit_scratch(). */
enum at_outcome judge_fit(enum at_status status);

#endif
