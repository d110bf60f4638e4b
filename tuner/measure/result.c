/* Helpers that evaluations, verifications and finals share for their results. */
#include "measure/result.h"

#include <stdio.h>
#include <stdlib.h>

bool outcome_loses_device(enum at_outcome outcome)
{
	return outcome == AT_OUTCOME_CRASHED || outcome == AT_OUTCOME_OUT_OF_BOUNDS;
}

void result_explain(struct at_measure_result *result, const struct at_error *error)
{
	if (!result->detail[0])
		snprintf(result->detail, sizeof(result->detail), "%.*s",
			(int)sizeof(result->detail) - 1, error->text);
}

void result_drop_times(struct at_measure_result *result)
{
	free(result->samples_ns);
	result->samples_ns = NULL;
	result->sample_count = result->block_count = 0;
	result->raced = false;
	result->time_ns = result->low_ns = result->high_ns = 0;
}

/* When this machine runs out of memory, the function that noticed sets AT_ENOMEM in the
   error, and its outcome does not count. An outcome that loses the device does count,
   since the loss has to be reported; unless the device reports that it, and no kernel,
   was at fault (AT_EUNAVAILABLE). */
bool is_machines_fault(enum at_outcome outcome, const struct at_error *reason)
{
	if (outcome != AT_OUTCOME_OK && reason->status == AT_EUNAVAILABLE)
		return true;
	return outcome != AT_OUTCOME_OK && outcome != AT_OUTCOME_NOT_APPLICABLE &&
	       !outcome_loses_device(outcome) && reason->status == AT_ENOMEM;
}

/* AT_ENOMEM gives NONE, since other benches or programs may hold the memory. A size
   beyond any device makes the configuration not applicable. */
enum at_outcome judge_fit(enum at_status status)
{
	if (!status)
		return AT_OUTCOME_OK;
	if (status == AT_EDEVICE)
		return AT_OUTCOME_CRASHED;
	return status == AT_ENOMEM ? AT_OUTCOME_NONE : AT_OUTCOME_NOT_APPLICABLE;
}
