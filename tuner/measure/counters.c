/* Reads the hardware counters of configurations, one launch after another. */
#include "measure/buffers.h"
#include "measure/candidate.h"
#include "measure/contents.h"
#include "measure/result.h"
#include "measure/sample.h"
#include "measure/support.h"
#include "measure/trip.h"
#include "measure/verify.h"
#include "base/clock.h"
#include "base/memory.h"
#include "device/counters.h"

#include <string.h>

/* Further launches are not counted: each is counted after all launches before it, in
   every pass, and a launch with steps is as many launches. */
#define LAUNCHES_MOST 32

/* Counts each launch of a sequence; of a repeated launch, the first. A launch finds the
   same state as when it is timed: restored buffers, a cache that was flushed before or
   warmed by the whole sequence, and the results of the launches before it. */
static enum at_outcome count_launches(struct at_measure_context *self,
	struct candidate *candidate, struct at_measure_result *result,
	struct at_error *err)
{
	const struct at_measure_request *request = candidate->request;
	const struct staging staging = { 0, SIDE_END };
	const struct bound_sequence *timed =
		&candidate->calls[staging.set][staging.side].timed;
	const size_t launches = request->more_count < LAUNCHES_MOST
					? 1 + request->more_count
					: LAUNCHES_MOST;
	struct call_list list;
	enum at_outcome outcome = AT_OUTCOME_OK;
	size_t place = 0, begun;

	result->counters =
		at_calloc(launches * AT_COUNTER_COUNT, sizeof(*result->counters));
	call_list_init(&list, 2 * (2 * self->setup->argument_count + 3) +
				      2 * timed->count + SUPPORT_FLUSH_CALLS);
	candidate_list_anew(self, candidate, &list, staging);
	if (self->setup->cache == AT_CACHE_COLD) {
		support_flush(self, &list);
	} else {
		candidate_list_launches(candidate, &list, staging);
		candidate_list_anew(self, candidate, &list, staging);
	}
	begun = list.count;
	self->is_unwatched = true;
	for (size_t i = 0; i < launches && outcome == AT_OUTCOME_OK; i++) {
		list.count = begun;
		for (size_t k = 0; k < place; k++)
			call_list_add(&list, &timed->launches[k]);
		outcome = self->device->ops->count(self->device, list.calls, list.count,
			&timed->launches[place],
			&result->counters[result->counter_count], err);
		if (outcome == AT_OUTCOME_OK)
			result->counter_count += AT_COUNTER_COUNT;
		place += 1 + (size_t)at_measure_launch(request, i)->repeats;
	}
	call_list_release(&list);
	return outcome;
}

static enum at_outcome count_candidate(struct at_measure_context *self,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err)
{
	struct verification verification = { .poison = POISON };
	struct candidate candidate = { 0 };
	double time_ns;
	bool pruned;
	enum at_outcome outcome = candidate_load(self, request, &candidate, err);

	/* a verified launch shows which variables the launches change */
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_once(self, &candidate, &verification, result, err);
	if (outcome == AT_OUTCOME_OK)
		candidate_list(self, &candidate);
	/* at low clocks a GPU has other shares of its ceilings */
	if (outcome == AT_OUTCOME_OK)
		outcome = sample_warm_up(self, &candidate, 0, &time_ns, &pruned, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = count_launches(self, &candidate, result, err);
	if (self->is_unwatched && !self->device->is_lost &&
		!outcome_loses_device(outcome)) {
		enum at_outcome borders = verify_borders(self, result, err);

		if (borders != AT_OUTCOME_OK)
			outcome = borders;
	}
	candidate_release(self, &candidate);
	return outcome;
}

enum at_status at_measure_context_count(struct at_measure_context *self,
	const struct at_measure_request *requests, size_t count,
	struct at_measure_result *results, struct at_error *err)
{
	enum at_status status = AT_OK;
	enum at_outcome outcome = AT_OUTCOME_OK;

	memset(results, 0, count * sizeof(*results));
	for (size_t i = 0; i < count && !status && !self->device->is_lost; i++) {
		struct at_measure_result *result = &results[i];
		struct at_error reason = { 0 };
		uint64_t start_ns = at_clock_now_ns();

		status = bench_settle(self, &reason);
		if (!status)
			status = buffers_fit_scratch(
				self, requests[i].bindings, &reason);
		outcome = judge_fit(status);
		status = AT_OK;
		if (outcome == AT_OUTCOME_OK && !self->device->ops->count) {
			at_fail(&reason, AT_EUNAVAILABLE, NULL, 0,
				"%s has no hardware counters", self->device->info.id);
			outcome = AT_OUTCOME_NOT_APPLICABLE;
		}
		if (outcome == AT_OUTCOME_OK)
			outcome = count_candidate(self, &requests[i], result, &reason);
		if (outcome != AT_OUTCOME_NOT_APPLICABLE &&
			is_machines_fault(outcome, &reason)) {
			status =
				at_fail(err, reason.status, NULL, 0, "%s", reason.text);
			outcome = AT_OUTCOME_NONE;
		} else if (outcome != AT_OUTCOME_OK) {
			result_explain(result, &reason);
		}
		result->outcome = outcome;
		result->measure_ns = at_clock_now_ns() - start_ns;
	}
	for (size_t i = 0; i < count; i++) {
		if (status)
			at_measure_result_release(&results[i]);
		results[i].device_lost = self->device->is_lost;
		/* this process must not time anything from now on */
		results[i].left_traces = self->device->is_profiled;
	}
	return status;
}
