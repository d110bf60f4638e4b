/* The finals: those that may win, sampled again in turns. */
#include "measure/bench.h"
#include "measure/statistics.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* of the finals, however slow: fewer give no interval (statistics.h) */
#define ROUNDS_MIN 6

/*
 * After so many rounds in which no sample of one came near the slowest of the best,
 * more rounds would only make sure of what is sure: by chance that happens once in
 * 700,000 times (11 of 22 in one order). A slow baseline would take most of the finals'
 * time.
 */
#define ROUNDS_TELLING 11
#define FAR 1.02
/* So far behind needs no more rounds than an interval of the gain does: a baseline of
   26 ms beside winners of 3 takes half of the finals' time with 11 rounds. */
#define FAR_AT_ONCE 1.5

static double extreme(const struct at_measure_result *result, bool largest)
{
	double found = result->samples_ns[0];

	for (uint32_t i = 1; i < result->sample_count; i++)
		if ((result->samples_ns[i] > found) == largest)
			found = result->samples_ns[i];
	return found;
}

/* the slowest sample of the one whose slowest is the fastest */
static double leader_ns(const struct at_measure_result *results, size_t count)
{
	double least_ns = INFINITY;

	for (size_t i = 0; i < count; i++)
		if (results[i].outcome == AT_OUTCOME_OK && results[i].sample_count &&
			extreme(&results[i], true) < least_ns)
			least_ns = extreme(&results[i], true);
	return least_ns;
}

/* The rounds; results get their samples and, where one fails, its outcome. */
static void run_rounds(struct at_bench *self, struct candidate *candidates,
	size_t count, uint32_t rounds, double limit_seconds, uint64_t seed,
	unsigned *order, struct at_measure_result *results)
{
	struct at_random random;
	uint64_t start_ns = at_clock_now_ns();
	double limit_ns = INFINITY; /* whose fastest sample is above it is out */

	at_random_init(&random, seed);
	for (uint32_t round = 0; round < rounds; round++) {
		if (round >= ROUNDS_MIN && limit_seconds > 0 &&
			(double)(at_clock_now_ns() - start_ns) * 1e-9 > limit_seconds)
			break;
		if (round >= ROUNDS_MIN)
			limit_ns = leader_ns(results, count) *
				   (round >= ROUNDS_TELLING ? FAR : FAR_AT_ONCE);
		/* nobody is always behind the same one, whose heat it would get */
		at_statistics_shuffle(order, count, &random);
		for (size_t i = 0; i < count; i++) {
			struct at_measure_result *result = &results[order[i]];
			struct at_error error = { 0 };

			/* one that is out stays out: its samples are of the first
			 * rounds */
			if (result->outcome != AT_OUTCOME_OK ||
				result->sample_count < round ||
				(round >= ROUNDS_MIN &&
					extreme(result, false) > limit_ns))
				continue;
			result->outcome = sample_once(self, &candidates[order[i]],
				result->launches_per_sample, &result->samples_ns[round],
				&error);
			result->sample_count = round + 1;
			if (result->outcome != AT_OUTCOME_OK)
				result_explain(result, &error);
			if (result->outcome == AT_OUTCOME_CRASHED) {
				result->device_lost = true;
				return;
			}
		}
	}
}

/* Loads, proves and warms up one of them. */
static enum at_outcome enter_final(struct at_bench *self,
	const struct at_measure_request *request, struct candidate *candidate,
	struct at_measure_result *result, struct at_error *err)
{
	/* borders too: after the rounds nobody could tell whose fault it was */
	struct proof proof = { .poison = POISON, .watches_borders = true };
	enum at_outcome outcome = candidate_load(self, request, candidate, err);
	bool hopeless;

	if (outcome == AT_OUTCOME_OK)
		outcome = verify_once(self, candidate, &proof, result, err);
	/* no incumbent: all have passed their races, and the baseline need not */
	if (outcome == AT_OUTCOME_OK)
		outcome = sample_warm_up(
			self, candidate, 0, &result->time_ns, &hopeless, err);
	if (outcome == AT_OUTCOME_OK)
		result->launches_per_sample =
			sample_launches(self, candidate, result->time_ns);
	return outcome;
}

/* What is told of all of them, since it is no one's: an outcome and its reason. */
static void judge_all(struct at_measure_result *results, size_t count,
	enum at_outcome outcome, const char *detail, const struct at_error *reason)
{
	for (size_t i = 0; i < count; i++) {
		if (results[i].outcome != AT_OUTCOME_OK &&
			results[i].outcome != AT_OUTCOME_NONE)
			continue;
		results[i].outcome = outcome;
		snprintf(results[i].detail, sizeof(results[i].detail), "%s", detail);
		result_explain(&results[i], reason);
	}
}

enum at_status at_bench_finals(struct at_bench *self,
	const struct at_measure_request *requests, size_t count, uint32_t rounds,
	uint64_t seed, struct at_measure_result *results, struct at_error *err)
{
	struct candidate *candidates = calloc(count + 1, sizeof(*candidates));
	unsigned *order = calloc(count + 1, sizeof(*order));
	double *sorted = calloc(rounds + 1, sizeof(*sorted));
	uint32_t arguments = self->setup->argument_count;
	struct at_measure_binding *largest = calloc(arguments + 1, sizeof(*largest));
	struct at_measure_result astray = { 0 };
	struct at_error reason = { 0 };
	enum at_outcome outcome;
	enum at_status status = AT_OK;
	bool crashed = false, lost = false;

	memset(results, 0, count * sizeof(*results));
	if (!candidates || !order || !sorted || !largest)
		status = at_fail_memory(err);
	for (size_t i = 0; i < count && !status; i++) {
		order[i] = (unsigned)i;
		results[i].samples_ns =
			calloc(rounds + 1, sizeof(*results[i].samples_ns));
		if (!results[i].samples_ns)
			status = at_fail_memory(err);
	}
	if (status)
		goto release;
	/* scratch as large as the largest of them needs: their calls keep its address
	 */
	for (size_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < arguments; j++)
			if (requests[i].bindings[j].count > largest[j].count)
				largest[j].count = requests[i].bindings[j].count;
	outcome = judge_fit(self, bench_fit_scratch(self, largest, &reason));
	if (outcome == AT_OUTCOME_NONE)
		status = at_fail(err, reason.status, NULL, 0, "%s", reason.text);
	else if (outcome != AT_OUTCOME_OK)
		judge_all(results, count, outcome, "", &reason);
	crashed = lost = self->device->is_lost;
	if (outcome != AT_OUTCOME_OK)
		goto release;
	for (size_t i = 0; i < count; i++) {
		struct at_error error = { 0 };

		outcome = enter_final(
			self, &requests[i], &candidates[i], &results[i], &error);
		if (is_machines_fault(outcome, &error)) {
			status = at_fail(err, error.status, NULL, 0, "%s", error.text);
			goto release;
		}
		results[i].outcome = outcome;
		if (outcome != AT_OUTCOME_OK)
			result_explain(&results[i], &error);
		crashed = self->device->is_lost;
		lost = outcome_loses_device(outcome);
		if (lost)
			goto release;
	}
	run_rounds(self, candidates, count, rounds, requests[0].sampling_seconds, seed,
		order, results);
	for (size_t i = 0; i < count; i++)
		crashed = crashed || results[i].device_lost;
	lost = crashed;
release:
	/* the rounds went unwatched, and the next evaluation must not pay for them */
	if (self->is_unwatched && !lost) {
		outcome = verify_borders(self, &astray, &reason);
		if (outcome != AT_OUTCOME_OK)
			judge_all(results, count, outcome, astray.detail, &reason);
		crashed = self->device->is_lost;
		lost = outcome != AT_OUTCOME_OK;
	}
	for (size_t i = 0; i < count; i++) {
		struct at_measure_result *result = &results[i];

		if (candidates)
			candidate_release(self, &candidates[i]);
		if (status) {
			at_measure_result_release(result);
		} else if (result->outcome != AT_OUTCOME_OK || !result->sample_count) {
			result_drop_times(result);
		} else {
			/* pairs are found by index: samples stay in rounds' order */
			for (uint32_t j = 0; j < result->sample_count; j++)
				at_statistics_insert(sorted, j, result->samples_ns[j]);
			sample_summarize(result, sorted);
		}
		result->device_lost = lost;
	}
	free(candidates);
	free(order);
	free(sorted);
	free(largest);
	return status;
}
