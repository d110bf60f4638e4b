/* One evaluation: loads the configuration, verifies it, times it unless only
   verification is requested, verifies it again, and decides the outcome. */
#include "measure/buffers.h"
#include "measure/candidate.h"
#include "measure/contents.h"
#include "measure/verification.h"
#include "measure/result.h"
#include "measure/sample.h"
#include "measure/tolerance.h"
#include "measure/trip.h"
#include "measure/verify.h"
#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Thread orders tried before timing, if the device can shuffle them. */
#define SHUFFLED_RUNS 2
/* A module whose variables are changed by launches is launched this many times in a
   row, or for this many nanoseconds, without restoring the variables. */
#define WORN_LAUNCHES 64
#define WORN_NS 200000000.0

/* launches verified before timing, alternating between the data sets */
static unsigned count_verifications(const struct at_measure_context *self)
{
	return self->device->ops->shuffle_threads ? SHUFFLED_RUNS : 1;
}

/* The verification before timing: one launch, or several with different thread orders
   if the device can shuffle them. *launch_ns: the time of a launch that is too slow to
   justify another; else 0. */
static enum at_outcome verify(struct at_measure_context *self,
	struct candidate *candidate, const struct at_measure_request *request,
	double *launch_ns, struct at_measure_result *result, struct at_error *err)
{
	void (*shuffle)(struct at_device *, uint64_t) =
		self->device->ops->shuffle_threads;
	unsigned runs = count_verifications(self);
	enum at_outcome outcome = AT_OUTCOME_OK;
	struct verification verification = { .poison = POISON,
		.limit_ns = sample_limit_ns(self, request->incumbent_ns) };

	for (unsigned i = 0; i < runs && outcome == AT_OUTCOME_OK; i++) {
		/* from the request's seed, so that each evaluation has other orders */
		if (shuffle)
			shuffle(self->device, request->seed * SHUFFLED_RUNS + i + 1);
		verification.staging =
			(struct staging){ i % self->set_count, SIDE_END };
		outcome = verify_once(self, candidate, &verification, result, err);
	}
	if (shuffle)
		shuffle(self->device, 0);
	*launch_ns = verification.limit_ns > 0 &&
				     verification.launch_ns > verification.limit_ns
			     ? verification.launch_ns
			     : 0;
	return outcome;
}

/* A module whose variables are changed by launches was timed with its variables
   restored before each launch. Here they are not restored, as in real use: a kernel
   that stops working after some launches is wrong. */
static enum at_outcome verify_worn(struct at_measure_context *self,
	struct candidate *candidate, struct at_measure_result *result,
	struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	enum at_outcome outcome = AT_OUTCOME_OK;

	for (unsigned i = 0; i < WORN_LAUNCHES && outcome == AT_OUTCOME_OK &&
			     (double)(at_clock_now_ns() - start_ns) < WORN_NS;
		i++) {
		struct staging staging = { i % self->set_count, SIDE_END };
		const struct bound_calls *calls =
			&candidate->calls[staging.set][SIDE_END];

		self->is_unwatched = true;
		list_restore(self, &self->queue, staging, POISON, true);
		candidate_list_prepare(&self->queue, calls);
		candidate_list_launches(candidate, &self->queue, staging);
		list_copy(&self->queue, &calls->timed, true);
		outcome = bench_run(self, err);
	}
	for (unsigned set = 0; set < self->set_count && outcome == AT_OUTCOME_OK;
		set++) {
		struct verification verification = { .staging = { set, SIDE_END },
			.poison = POISON_AGAIN,
			.watches_borders = true };

		outcome = verify_once(self, candidate, &verification, result, err);
	}
	return outcome;
}

/* Called when the timed launches left a wrong output. Returns whether the data is the
   cause: a data set was not verified before timing, a fresh launch on it is wrong
   again, and a launch on the first set is still right. The kernel's author then need
   not look for a race. */
static bool is_wrong_by_data(
	struct at_measure_context *self, struct candidate *candidate)
{
	const unsigned wrong_set = candidate->last_set;
	struct at_measure_result result = { 0 };
	struct at_error reason = { 0 };
	struct verification first = { .poison = POISON };
	struct verification again = { .staging = { wrong_set, SIDE_END },
		.poison = POISON };

	return wrong_set >= count_verifications(self) &&
	       verify_once(self, candidate, &first, &result, &reason) ==
		       AT_OUTCOME_OK &&
	       verify_once(self, candidate, &again, &result, &reason) ==
		       AT_OUTCOME_WRONG_RESULT;
}

/*
 * Verifies what the timed launches left: first the last launch's output, which belongs
 * to one data set. Then one more launch from poison, on the other set if any. This
 * finds a kernel that stops working after some launches, or works only on every other
 * one. With a cold cache each timed launch began from poison too, so the second check
 * is skipped if there is only one set, or if the configuration is too slow to win.
 */
static enum at_outcome verify_timed(struct at_measure_context *self,
	struct candidate *candidate, struct at_measure_result *result,
	struct at_error *err)
{
	bool is_last = self->setup->cache == AT_CACHE_COLD &&
		       (self->set_count == 1 || result->raced);
	struct verification verification = { .poison = POISON_AGAIN,
		.watches_borders = true };
	enum at_outcome outcome = verify_sampled(self, candidate, is_last, result, err);

	verification.staging =
		(struct staging){ (candidate->last_set + 1) % self->set_count,
			SIDE_END };
	if (outcome == AT_OUTCOME_OK && !is_last)
		outcome = verify_once(self, candidate, &verification, result, err);
	if (outcome == AT_OUTCOME_OK && candidate->keeps_state && !result->raced)
		outcome = verify_worn(self, candidate, result, err);
	/* it was correct before it was timed */
	if (outcome == AT_OUTCOME_WRONG_RESULT && !is_wrong_by_data(self, candidate))
		return AT_OUTCOME_UNSTABLE;
	return outcome;
}

/* Samples the configuration and verifies the results. If only then the launches turn
   out to change the module's variables, it is sampled again with the variables restored
   before each launch: values kept there may have made later launches fast. */
static enum at_outcome time_candidate(struct at_measure_context *self,
	struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;
	bool kept_state;

	candidate_list(self, candidate);
	do {
		kept_state = candidate->keeps_state;
		result->sample_count = 0;
		result->raced = false;
		outcome = sample_candidate(self, candidate, request, result, err);
		if (outcome == AT_OUTCOME_OK)
			outcome = verify_timed(self, candidate, result, err);
		candidate_list(self, candidate);
	} while (outcome == AT_OUTCOME_OK && candidate->keeps_state != kept_state);
	return outcome;
}

enum at_status at_measure_context_evaluate(struct at_measure_context *self,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err)
{
	struct candidate candidate = { 0 };
	struct at_error reason = { 0 };
	uint64_t start_ns = at_clock_now_ns();
	double launch_ns = 0;
	enum at_status status = AT_OK;
	enum at_outcome outcome;

	memset(result, 0, sizeof(*result));
	result->samples_ns =
		at_calloc(request->samples_max + 1, sizeof(*result->samples_ns));
	status = bench_settle(self, &reason);
	if (!status)
		status = buffers_fit_scratch(self, request->bindings, &reason);
	outcome = judge_fit(status);
	status = AT_OK;
	if (outcome == AT_OUTCOME_OK)
		outcome = bench_set_clocks(self, request, &reason);
	/* buffers are fitted first, since calls hold their addresses */
	if (outcome == AT_OUTCOME_OK)
		outcome = candidate_load(self, request, &candidate, &reason);
	if (outcome == AT_OUTCOME_OK && request->verify_only)
		outcome = verify_winner(self, &candidate, request, result, &reason);
	else if (outcome == AT_OUTCOME_OK)
		outcome =
			verify(self, &candidate, request, &launch_ns, result, &reason);
	result->was_pruned = request->audit && launch_ns > 0;
	if (outcome == AT_OUTCOME_OK && launch_ns > 0 && !request->audit) {
		/* correct, but much too slow: no further launch */
		result->raced = true;
		result->launches_per_sample = 1;
		result->samples_ns[result->sample_count++] = launch_ns;
		sample_summarize(result, result->samples_ns);
	} else if (outcome == AT_OUTCOME_OK && !request->verify_only) {
		outcome = time_candidate(self, &candidate, request, result, &reason);
	}
	/* However the evaluation ended, the borders are checked after its last launch,
	   before the next configuration uses the buffers. An out-of-bounds write
	   overrides any other outcome. */
	if (self->is_unwatched && !self->device->is_lost &&
		!outcome_loses_device(outcome)) {
		enum at_outcome borders = verify_borders(self, result, &reason);

		if (borders != AT_OUTCOME_OK)
			outcome = borders;
	}
	candidate_release(self, &candidate);
	if (is_machines_fault(outcome, &reason)) {
		status = at_fail(err, reason.status, NULL, 0, "%s", reason.text);
		outcome = AT_OUTCOME_NONE;
	}
	if (outcome != AT_OUTCOME_OK)
		result_drop_times(result);
	if (outcome != AT_OUTCOME_OK && outcome != AT_OUTCOME_NONE)
		result_explain(result, &reason);
	if (outcome == AT_OUTCOME_OK && request->is_baseline)
		tolerance_tell(self, result);
	result->outcome = outcome;
	result->device_lost = self->device->is_lost || outcome_loses_device(outcome);
	result->measure_ns = at_clock_now_ns() - start_ns;
	return status;
}
