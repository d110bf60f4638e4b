/* One evaluation from the loaded image to the outcome, and the finals. */
#include "measure/bench.h"
#include "measure/statistics.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* orders of threads tried before timing, where the device can shuffle them */
#define SHUFFLED_RUNS 2
/* proofs of a winner where they cannot: a race need not show in each of them */
#define WINNERS_RUNS 8
/* of the finals, however slow: fewer give no interval (statistics.h) */
#define ROUNDS_MIN 6

/* after these the buffers or the context may hold anything */
static bool loses_device(enum at_outcome outcome)
{
	return outcome == AT_OUTCOME_CRASHED || outcome == AT_OUTCOME_OUT_OF_BOUNDS;
}

/* what the verification did not say itself */
static void explain(struct at_measure_result *result, const struct at_error *error)
{
	if (!result->detail[0])
		snprintf(result->detail, sizeof(result->detail), "%.*s",
			(int)sizeof(result->detail) - 1, error->text);
}

static void drop_times(struct at_measure_result *result)
{
	free(result->samples_ns);
	result->samples_ns = NULL;
	result->sample_count = 0;
	result->raced = false;
	result->time_ns = result->low_ns = result->high_ns = 0;
}

/*
 * Memory of this machine that ran out while something was done for a configuration:
 * whoever noticed says so in the error, and an outcome that it gave beside is none. But
 * a device that is lost has to be said to be.
 */
static bool is_machines_fault(enum at_outcome outcome, const struct at_error *reason)
{
	return outcome != AT_OUTCOME_OK && outcome != AT_OUTCOME_NOT_APPLICABLE &&
	       !loses_device(outcome) && reason->status == AT_ENOMEM;
}

/*
 * The outcome of scratch that cannot be had: NONE where the fault may be that benches
 * beside this one hold the memory.
 */
static enum at_outcome judge_fit(const struct at_bench *self, enum at_status status)
{
	if (!status)
		return AT_OUTCOME_OK;
	if (status == AT_EDEVICE)
		return AT_OUTCOME_CRASHED;
	return status == AT_ENOMEM && self->shared->bench_count > 1
		       ? AT_OUTCOME_NONE
		       : AT_OUTCOME_NOT_APPLICABLE;
}

/*
 * Before anything is timed, or instead of it. Where threads can be shuffled, in several
 * orders; where they cannot, a winner many times. A winner's proofs begin from two
 * poisons in turns, so that an integer that was never written cannot equal both; what
 * is timed is checked again from the other one afterwards. *launch_ns: of a launch so
 * slow that no other is worth it, else 0.
 */
static enum at_outcome prove(struct at_bench *self, const struct candidate *candidate,
	const struct at_measure_request *request, double *launch_ns,
	struct at_measure_result *result, struct at_error *err)
{
	void (*shuffle)(struct at_device *, uint64_t) =
		self->device->ops->shuffle_threads;
	int shuffled = shuffle ? SHUFFLED_RUNS : 0;
	int runs = shuffle ? SHUFFLED_RUNS : 1;
	enum at_outcome outcome = AT_OUTCOME_OK;
	struct proof proof = { .poison = POISON };

	if (request->verify_only)
		runs = shuffle ? SHUFFLED_RUNS + 1 : WINNERS_RUNS;
	else
		proof.limit_ns = sample_limit_ns(self, request->incumbent_ns);
	for (int i = 0; i < runs && outcome == AT_OUTCOME_OK; i++) {
		/* no two evaluations have an order in common; 0 is the natural one */
		if (shuffle)
			shuffle(self->device, i < shuffled
						      ? request->seed * SHUFFLED_RUNS +
								(uint64_t)i + 1
						      : 0);
		if (request->verify_only) {
			proof.poison = i % 2 ? POISON_AGAIN : POISON;
			/* once; where samples follow, after those */
			proof.watches_borders = i == runs - 1;
		}
		outcome = verify_once(self, candidate, &proof, result, err);
	}
	if (shuffle)
		shuffle(self->device, 0);
	*launch_ns = proof.limit_ns > 0 && proof.launch_ns > proof.limit_ns
			     ? proof.launch_ns
			     : 0;
	return outcome;
}

/*
 * The outputs that the timed launches left behind: where the cache was cold, the
 * last one's, since each began from poison. A warm cache must not be disturbed;
 * there the launch after the last begins from poison, so that a kernel that stops
 * working after some launches is not timed as a fast one.
 */
static enum at_outcome verify_timed(struct at_bench *self,
	const struct candidate *candidate, struct at_measure_result *result,
	struct at_error *err)
{
	bool cold = self->setup->cache == AT_CACHE_COLD;
	struct proof proof = { .poison = POISON_AGAIN, .watches_borders = true };
	enum at_outcome outcome;

	if (candidate->finish.invocation.kernel)
		call_list_add(&self->queue, &candidate->finish.invocation);
	outcome = verify_left(self, cold, result, err);
	if (outcome == AT_OUTCOME_OK && !cold)
		outcome = verify_once(self, candidate, &proof, result, err);
	/* it was right before it was timed */
	return outcome == AT_OUTCOME_WRONG_RESULT ? AT_OUTCOME_UNSTABLE : outcome;
}

enum at_status at_bench_evaluate(struct at_bench *self,
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
	/* room before anything runs: a device is not left half-way for want of it */
	result->samples_ns =
		calloc(request->samples_max + 1, sizeof(*result->samples_ns));
	if (!result->samples_ns)
		return at_fail_memory(err);
	outcome = judge_fit(self, bench_fit_scratch(self, request->bindings, &reason));
	/* loading keeps addresses, so buffers come first */
	if (outcome == AT_OUTCOME_OK)
		outcome = candidate_load(self, request, &candidate, &reason);
	if (outcome == AT_OUTCOME_OK)
		outcome = prove(self, &candidate, request, &launch_ns, result, &reason);
	if (outcome == AT_OUTCOME_OK && launch_ns > 0) {
		/* right, and much too slow: no launch more */
		result->raced = true;
		result->launches_per_sample = 1;
		result->samples_ns[result->sample_count++] = launch_ns;
		sample_summarize(result, result->samples_ns);
	} else if (outcome == AT_OUTCOME_OK && !request->verify_only) {
		outcome = sample_candidate(self, &candidate, request, result, &reason);
		if (outcome == AT_OUTCOME_OK)
			outcome = verify_timed(self, &candidate, result, &reason);
	}
	/*
	 * Wherever it ended, no configuration passes the buffers on to the next one
	 * unless somebody looked at them after its last launch. What it wrote astray
	 * outweighs what else is wrong with it.
	 */
	if (self->is_unwatched && !loses_device(outcome)) {
		enum at_outcome borders = verify_borders(self, result, &reason);

		if (borders != AT_OUTCOME_OK)
			outcome = borders;
	}
	candidate_release(self, &candidate, outcome == AT_OUTCOME_CRASHED);
	if (is_machines_fault(outcome, &reason)) {
		status = at_fail(err, reason.status, NULL, 0, "%s", reason.text);
		outcome = AT_OUTCOME_NONE;
	}
	if (outcome != AT_OUTCOME_OK)
		drop_times(result);
	if (outcome != AT_OUTCOME_OK && outcome != AT_OUTCOME_NONE)
		explain(result, &reason);
	result->outcome = outcome;
	result->device_lost = loses_device(outcome);
	result->measure_ns = at_clock_now_ns() - start_ns;
	return status;
}

/* ---- the finals -------------------------------------------------------------- */

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
static void run_rounds(struct at_bench *self, const struct candidate *candidates,
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
				explain(result, &error);
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
		explain(&results[i], reason);
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
	crashed = lost = outcome == AT_OUTCOME_CRASHED;
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
			explain(&results[i], &error);
		crashed = outcome == AT_OUTCOME_CRASHED;
		lost = loses_device(outcome);
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
		crashed = outcome == AT_OUTCOME_CRASHED;
		lost = outcome != AT_OUTCOME_OK;
	}
	for (size_t i = 0; i < count; i++) {
		struct at_measure_result *result = &results[i];

		if (candidates)
			candidate_release(self, &candidates[i], crashed);
		if (status) {
			at_measure_result_release(result);
		} else if (result->outcome != AT_OUTCOME_OK || !result->sample_count) {
			drop_times(result);
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
