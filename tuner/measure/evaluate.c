/* One evaluation from the loaded image to the outcome, and the finals. */
#include "measure/bench.h"
#include "measure/statistics.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* orders of threads tried before timing, where the device can shuffle them */
#define SHUFFLED_RUNS 2

static void shuffle(struct at_bench *self, uint64_t seed)
{
	if (self->device->ops->shuffle_threads)
		self->device->ops->shuffle_threads(self->device, seed);
}

/*
 * Before anything is timed. Where threads can be shuffled, in several orders. The
 * timed launches are checked again from another poison, so that an integer that
 * was never written cannot equal both; where nothing will be timed, that second
 * check is made here.
 */
static enum at_outcome verify_before(struct at_bench *self, const struct candidate *candidate,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;
	int runs = self->device->ops->shuffle_threads ? SHUFFLED_RUNS : 1;

	for (int i = 0; i < runs && outcome == AT_OUTCOME_OK; i++) {
		shuffle(self, request->seed * SHUFFLED_RUNS + (uint64_t)i + 1);
		outcome = verify_once(self, candidate, POISON, result, err);
	}
	shuffle(self, 0);
	if (outcome == AT_OUTCOME_OK && request->verify_only)
		outcome = verify_once(self, candidate, POISON_AGAIN, result, err);
	return outcome;
}

/* the outputs that the timed launches left behind, or a fresh launch's */
static enum at_outcome verify_after(struct at_bench *self, const struct candidate *candidate,
	struct at_measure_result *result, struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (candidate->finish.invocation.kernel)
		outcome = self->device->ops->run(self->device,
			&candidate->finish.invocation, 1, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_outputs(self, result, err);
	return outcome == AT_OUTCOME_WRONG_RESULT ? AT_OUTCOME_UNSTABLE : outcome;
}

static enum at_outcome time_verified(struct at_bench *self,
	const struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, struct at_error *err)
{
	enum at_outcome outcome = bench_restore(self, POISON_AGAIN, err);

	/* the layout that the timed launches read; made again before each where
	   sampling lists it */
	if (outcome == AT_OUTCOME_OK && candidate->prepare.invocation.kernel)
		outcome = self->device->ops->run(self->device,
			&candidate->prepare.invocation, 1, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = sample_candidate(self, candidate, request, result, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_after(self, candidate, result, err);
	return outcome;
}

static void drop_times(struct at_measure_result *result)
{
	free(result->samples_ns);
	result->samples_ns = NULL;
	result->sample_count = 0;
	result->time_ns = result->low_ns = result->high_ns = 0;
}

/* after these the buffers or the context may hold anything */
static bool loses_device(enum at_outcome outcome)
{
	return outcome == AT_OUTCOME_CRASHED || outcome == AT_OUTCOME_OUT_OF_BOUNDS;
}

void at_bench_evaluate(struct at_bench *self, const struct at_measure_request *request,
	struct at_measure_result *result)
{
	struct candidate candidate = { 0 };
	struct at_error error = { 0 };
	uint64_t start_ns = at_clock_now_ns();

	memset(result, 0, sizeof(*result));
	if (bench_fit_scratch(self, request->bindings, &error))
		result->outcome = AT_OUTCOME_NOT_APPLICABLE;
	else
		result->outcome = candidate_load(self, request, &candidate, &error);
	if (result->outcome == AT_OUTCOME_OK)
		result->outcome = verify_before(self, &candidate, request, result, &error);
	if (result->outcome == AT_OUTCOME_OK && !request->verify_only)
		result->outcome = time_verified(self, &candidate, request, result, &error);
	if (result->outcome != AT_OUTCOME_OK) {
		drop_times(result);
		if (!result->detail[0])
			snprintf(result->detail, sizeof(result->detail), "%.*s",
				(int)sizeof(result->detail) - 1, error.text);
	}
	result->device_lost = loses_device(result->outcome);
	if (result->outcome != AT_OUTCOME_CRASHED)
		candidate_release(self, &candidate);
	result->measure_ns = at_clock_now_ns() - start_ns;
}

static void run_rounds(struct at_bench *self, const struct candidate *candidates,
	size_t count, uint32_t rounds, double limit_seconds, uint64_t seed,
	unsigned *order, struct at_measure_result *results)
{
	struct at_random random;
	uint64_t start_ns = at_clock_now_ns();

	at_random_init(&random, seed);
	for (uint32_t round = 0; round < rounds; round++) {
		if (round >= 5 && limit_seconds > 0 &&
			(double)(at_clock_now_ns() - start_ns) * 1e-9 > limit_seconds)
			break;
		at_statistics_shuffle(order, count, &random);
		for (size_t i = 0; i < count; i++) {
			struct at_measure_result *result = &results[order[i]];
			struct at_error error = { 0 };

			if (result->outcome != AT_OUTCOME_OK)
				continue;
			result->outcome = sample_once(self, &candidates[order[i]],
				result->launches_per_sample,
				&result->samples_ns[round], &error);
			result->sample_count = round + 1;
			if (result->outcome != AT_OUTCOME_OK)
				snprintf(result->detail, sizeof(result->detail), "%.*s",
					(int)sizeof(result->detail) - 1, error.text);
			if (result->outcome == AT_OUTCOME_CRASHED) {
				result->device_lost = true;
				return;
			}
		}
	}
}

static void summarize(struct at_measure_result *result, double *sorted)
{
	struct at_interval interval;

	if (result->outcome != AT_OUTCOME_OK || result->sample_count == 0) {
		drop_times(result);
		return;
	}
	memcpy(sorted, result->samples_ns, result->sample_count * sizeof(*sorted));
	interval = at_statistics_median(sorted, result->sample_count);
	result->time_ns = interval.median;
	result->low_ns = interval.low;
	result->high_ns = interval.high;
}

/* scratch as large as the largest of them needs: their calls keep its address */
static enum at_status fit_all(struct at_bench *self,
	const struct at_measure_request *requests, size_t count, struct at_error *err)
{
	uint32_t bindings = self->setup->argument_count;
	struct at_measure_binding *largest = calloc(bindings + 1, sizeof(*largest));
	enum at_status status;

	if (!largest)
		return at_fail_memory(err);
	for (size_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < bindings; j++)
			if (requests[i].bindings[j].count > largest[j].count)
				largest[j].count = requests[i].bindings[j].count;
	status = bench_fit_scratch(self, largest, err);
	free(largest);
	return status;
}

static void enter_final(struct at_bench *self, const struct at_measure_request *request,
	struct candidate *candidate, struct at_measure_result *result)
{
	struct at_error error = { 0 };

	result->outcome = candidate_load(self, request, candidate, &error);
	if (result->outcome == AT_OUTCOME_OK)
		result->outcome = verify_once(self, candidate, POISON, result, &error);
	if (result->outcome == AT_OUTCOME_OK)
		result->outcome = sample_once(self, candidate, 1, &result->time_ns, &error);
	if (result->outcome == AT_OUTCOME_OK)
		result->launches_per_sample = sample_launches(self, candidate,
			result->time_ns);
	else if (!result->detail[0])
		snprintf(result->detail, sizeof(result->detail), "%.*s",
			(int)sizeof(result->detail) - 1, error.text);
}

void at_bench_finals(struct at_bench *self, const struct at_measure_request *requests,
	size_t count, uint32_t rounds, uint64_t seed, struct at_measure_result *results)
{
	struct candidate *candidates = calloc(count + 1, sizeof(*candidates));
	unsigned *order = calloc(count + 1, sizeof(*order));
	double *sorted = calloc(rounds + 1, sizeof(*sorted));
	bool lost = false;

	memset(results, 0, count * sizeof(*results));
	if (!candidates || !order || !sorted || fit_all(self, requests, count, NULL))
		goto release;
	for (size_t i = 0; i < count; i++) {
		order[i] = (unsigned)i;
		results[i].samples_ns = calloc(rounds + 1, sizeof(*results[i].samples_ns));
		if (!results[i].samples_ns)
			goto release;
		if (!lost)
			enter_final(self, &requests[i], &candidates[i], &results[i]);
		lost = lost || loses_device(results[i].outcome);
	}
	if (!lost)
		run_rounds(self, candidates, count, rounds, requests[0].sampling_seconds, seed,
			order, results);
	for (size_t i = 0; i < count; i++) {
		lost = lost || results[i].device_lost;
		summarize(&results[i], sorted);
	}
	for (size_t i = 0; i < count; i++)
		results[i].device_lost = lost;
	for (size_t i = 0; i < count && !lost; i++)
		candidate_release(self, &candidates[i]);
release:
	free(candidates);
	free(order);
	free(sorted);
}
