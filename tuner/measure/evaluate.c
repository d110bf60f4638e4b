/* One evaluation from the loaded image to the outcome, and the finals. */
#include "measure/bench.h"
#include "measure/statistics.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* orders of threads tried before timing, where the device can shuffle them */
#define SHUFFLED_RUNS 2
/* proofs of a winner where they cannot: a race need not show in each of them */
#define WINNERS_RUNS 8
/* of the finals, however slow: fewer give no interval (statistics.h) */
#define ROUNDS_MIN 6

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
static enum at_outcome verify_before(struct at_bench *self,
	const struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;
	int runs = self->device->ops->shuffle_threads ? SHUFFLED_RUNS : 1;

	for (int i = 0; i < runs && outcome == AT_OUTCOME_OK; i++) {
		shuffle(self, request->seed * SHUFFLED_RUNS + (uint64_t)i + 1);
		outcome = verify_once(self, candidate, POISON, result, err);
	}
	shuffle(self, 0);
	if (!request->verify_only)
		return outcome;
	runs = self->device->ops->shuffle_threads ? 1 : WINNERS_RUNS - 1;
	for (int i = 0; i < runs && outcome == AT_OUTCOME_OK; i++)
		outcome = verify_once(
			self, candidate, i % 2 ? POISON : POISON_AGAIN, result, err);
	return outcome;
}

/*
 * The outputs that the timed launches left behind: where the cache was cold, the
 * last one's, since each began from poison. A warm cache must not be disturbed;
 * there the launch after the last begins from poison, so that a kernel that stops
 * working after some launches is not timed as a fast one.
 */
static enum at_outcome verify_after(struct at_bench *self,
	const struct candidate *candidate, struct at_measure_result *result,
	struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (candidate->finish.invocation.kernel)
		outcome = self->device->ops->run(
			self->device, &candidate->finish.invocation, 1, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_outputs(self, result, err);
	if (outcome == AT_OUTCOME_OK && self->setup->cache != AT_CACHE_COLD)
		outcome = verify_once(self, candidate, POISON_AGAIN, result, err);
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
		outcome = self->device->ops->run(
			self->device, &candidate->prepare.invocation, 1, err);
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

/* what the verification did not say itself */
static void explain(struct at_measure_result *result, const struct at_error *error)
{
	if (!result->detail[0])
		snprintf(result->detail, sizeof(result->detail), "%.*s",
			(int)sizeof(result->detail) - 1, error->text);
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
	enum at_status status;

	memset(result, 0, sizeof(*result));
	status = bench_fit_scratch(self, request->bindings, &error);
	if (status)
		result->outcome = status == AT_EDEVICE ? AT_OUTCOME_CRASHED
						       : AT_OUTCOME_NOT_APPLICABLE;
	else
		result->outcome = candidate_load(self, request, &candidate, &error);
	if (result->outcome == AT_OUTCOME_OK)
		result->outcome =
			verify_before(self, &candidate, request, result, &error);
	if (result->outcome == AT_OUTCOME_OK && !request->verify_only)
		result->outcome =
			time_verified(self, &candidate, request, result, &error);
	if (result->outcome != AT_OUTCOME_OK) {
		drop_times(result);
		explain(result, &error);
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
		if (round >= ROUNDS_MIN && limit_seconds > 0 &&
			(double)(at_clock_now_ns() - start_ns) * 1e-9 > limit_seconds)
			break;
		at_statistics_shuffle(order, count, &random);
		for (size_t i = 0; i < count; i++) {
			struct at_measure_result *result = &results[order[i]];
			struct at_error error = { 0 };

			if (result->outcome != AT_OUTCOME_OK)
				continue;
			result->outcome = sample_once(self, &candidates[order[i]],
				result->launches_per_sample, &result->samples_ns[round],
				&error);
			result->sample_count = round + 1;
			if (result->outcome != AT_OUTCOME_OK)
				explain(result, &error);
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
	bool hopeless;

	result->outcome = candidate_load(self, request, candidate, &error);
	if (result->outcome == AT_OUTCOME_OK)
		result->outcome = verify_once(self, candidate, POISON, result, &error);
	if (result->outcome == AT_OUTCOME_OK)
		result->outcome = sample_warm_up(
			self, candidate, 0, &result->time_ns, &hopeless, &error);
	if (result->outcome == AT_OUTCOME_OK)
		result->launches_per_sample =
			sample_launches(self, candidate, result->time_ns);
	else
		explain(result, &error);
}

/* loads, proves and warms up all of them; false when the device is lost */
static bool enter_all(struct at_bench *self, const struct at_measure_request *requests,
	size_t count, uint32_t rounds, struct candidate *candidates,
	struct at_measure_result *results)
{
	for (size_t i = 0; i < count; i++) {
		results[i].samples_ns =
			calloc(rounds + 1, sizeof(*results[i].samples_ns));
		if (!results[i].samples_ns)
			continue; /* outcome NONE: it was not in the finals */
		enter_final(self, &requests[i], &candidates[i], &results[i]);
		if (loses_device(results[i].outcome))
			return false;
	}
	return true;
}

void at_bench_finals(struct at_bench *self, const struct at_measure_request *requests,
	size_t count, uint32_t rounds, uint64_t seed, struct at_measure_result *results)
{
	struct candidate *candidates = calloc(count + 1, sizeof(*candidates));
	unsigned *order = calloc(count + 1, sizeof(*order));
	double *sorted = calloc(rounds + 1, sizeof(*sorted));
	struct at_error error = { 0 };
	enum at_status status;
	bool lost, crashed = false;

	memset(results, 0, count * sizeof(*results));
	status = candidates && order && sorted ? fit_all(self, requests, count, &error)
					       : at_fail_memory(&error);
	lost = status == AT_EDEVICE;
	if (status) {
		for (size_t i = 0; i < count; i++) {
			results[i].outcome =
				lost ? AT_OUTCOME_CRASHED : AT_OUTCOME_NOT_APPLICABLE;
			explain(&results[i], &error);
		}
		goto release;
	}
	for (size_t i = 0; i < count; i++)
		order[i] = (unsigned)i;
	lost = !enter_all(self, requests, count, rounds, candidates, results);
	if (!lost)
		run_rounds(self, candidates, count, rounds,
			requests[0].sampling_seconds, seed, order, results);
	for (size_t i = 0; i < count; i++) {
		lost = lost || results[i].device_lost;
		crashed = crashed || results[i].outcome == AT_OUTCOME_CRASHED;
		summarize(&results[i], sorted);
	}
	for (size_t i = 0; i < count && !crashed; i++)
		candidate_release(self, &candidates[i]);
release:
	for (size_t i = 0; i < count; i++)
		results[i].device_lost = lost;
	free(candidates);
	free(order);
	free(sorted);
}
