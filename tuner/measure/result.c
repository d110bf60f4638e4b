/* What becomes of a result, whoever made it: an evaluation, a proof or finals. */
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

/*
 * Memory of this machine that ran out while something was done for a configuration:
 * whoever noticed says so in the error, and an outcome that it gave beside is none. But
 * a device that is lost has to be said to be.
 */
bool is_machines_fault(enum at_outcome outcome, const struct at_error *reason)
{
	return outcome != AT_OUTCOME_OK && outcome != AT_OUTCOME_NOT_APPLICABLE &&
	       !outcome_loses_device(outcome) && reason->status == AT_ENOMEM;
}

/*
 * The outcome of scratch that cannot be had: NONE where others may hold the memory,
 * benches beside this one or other programs.
 */
enum at_outcome judge_fit(enum at_status status)
{
	if (!status)
		return AT_OUTCOME_OK;
	if (status == AT_EDEVICE)
		return AT_OUTCOME_CRASHED;
	return status == AT_ENOMEM ? AT_OUTCOME_NONE : AT_OUTCOME_NOT_APPLICABLE;
}
