/* The finals: those that may win, sampled again in turns, in blocks begun anew. */
#include "measure/finals_parts.h"

#include "measure/bench.h"
#include "measure/buffers.h"
#include "measure/contents.h"
#include "measure/graph.h"
#include "measure/nothing.h"
#include "measure/result.h"
#include "measure/sample.h"
#include "measure/statistics.h"
#include "measure/verify.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Samples of one process one after the other are like each other: memory lies where it
 * lies, code where it was loaded. How far another run would be from them shows only
 * between blocks. However slow the kernels are: three blocks, since two tell next to
 * nothing of how far a third would be.
 */
#define BLOCKS_MIN 3

/*
 * What lay in a block is free again when the next one has its memory, and is what the
 * block after that would get: two places in turns, which is no sample of all that there
 * are. So each block begins behind a piece of another size that nobody uses: of these
 * pages, which are a GPU's, one to so many.
 */
#define BALLAST_PAGE_BYTES (UINT64_C(1) << 21)
#define BALLAST_PAGES 32

/* Loads, proves and, the first time, warms up one of them. */
static enum at_outcome enter(
	struct finals *self, uint32_t block, size_t i, struct at_error *err)
{
	struct at_bench *bench = self->bench;
	struct candidate *candidate = &self->finalists[i].candidate;
	struct at_measure_result *result = &self->results[i];
	/* borders too: after the rounds nobody could tell whose fault it was; and a
	   block on one set of data, the next on the other */
	struct proof proof = { .poison = POISON,
		.staging = { (self->how->begin + block) % bench->set_count, SIDE_END },
		.watches_borders = true };
	enum at_outcome outcome =
		candidate_load(bench, &self->requests[i], candidate, err);
	bool hopeless;

	if (outcome == AT_OUTCOME_OK)
		outcome = verify_once(bench, candidate, &proof, result, err);
	if (outcome == AT_OUTCOME_OK) {
		candidate->keeps_state |= self->finalists[i].keeps_state;
		candidate_list(bench, candidate);
	}
	/* The proof was a launch of it, and the board is at work since the first block.
	   As many launches a sample in all blocks, or they would not compare. */
	if (outcome != AT_OUTCOME_OK || block > 0)
		return outcome;
	/* no incumbent: all have passed their races, and the baseline need not */
	outcome = sample_warm_up(bench, candidate, 0, &result->time_ns, &hopeless, err);
	self->finalists[i].usual_ns = result->time_ns;
	if (outcome == AT_OUTCOME_OK)
		result->launches_per_sample =
			self->how->launches[i]
				? self->how->launches[i]
				: sample_launches(bench, candidate, result->time_ns);
	return outcome;
}

/* Gives all of them the same outcome and reason, where nobody knows who is to blame. */
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

/* AT_ENOMEM is this machine's fault; what is the finalists' is in their results. */
static enum at_status enter_all(
	struct finals *self, uint32_t block, struct at_error *err)
{
	for (size_t i = 0; i < self->count; i++) {
		struct at_measure_result *result = &self->results[i];
		struct at_error error = { 0 };

		self->finalists[i].begin = result->sample_count;
		if (block > 0 && result->outcome != AT_OUTCOME_OK)
			continue;
		result->outcome = enter(self, block, i, &error);
		if (is_machines_fault(result->outcome, &error))
			return at_fail(err, error.status, NULL, 0, "%s", error.text);
		if (result->outcome == AT_OUTCOME_OK)
			continue;
		result_explain(result, &error);
		self->is_lost = self->bench->device->is_lost ||
				outcome_loses_device(result->outcome);
		if (self->is_lost)
			return AT_OK;
	}
	return AT_OK;
}

/* Nothing stays loaded; the buffers are looked at before they are given away. */
static void leave_all(struct finals *self)
{
	struct at_measure_result astray = { 0 };
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	/* nobody looked at the borders during the rounds, and the next configuration
	   must not be blamed for what it finds there */
	if (self->bench->is_unwatched && !self->is_lost)
		outcome = verify_borders(self->bench, &astray, &reason);
	if (outcome != AT_OUTCOME_OK) {
		judge_all(self->results, self->count, outcome, astray.detail, &reason);
		self->is_lost = true;
	}
	for (size_t i = 0; i < self->count; i++)
		candidate_release(self->bench, &self->finalists[i].candidate);
}

/*
 * Short ones once more in a graph, which has nothing between them but the device's own
 * doing. Once is enough: it is beside what is told, and in no interval.
 */
static void cross_check(struct finals *self)
{
	for (size_t i = 0; i < self->count && !self->is_lost; i++) {
		struct at_measure_result *result = &self->results[i];
		struct candidate *candidate = &self->finalists[i].candidate;
		struct at_error error = { 0 };
		enum at_outcome outcome;

		if (!finals_has_sampled(self, i) ||
			!(result->blocks_ns[0] < AT_SHORT_NS))
			continue;
		outcome = graph_time(self->bench, candidate, &result->graph_ns, &error);
		if (outcome == AT_OUTCOME_OK && result->graph_ns > 0)
			outcome = verify_sampled(
				self->bench, candidate, false, result, &error);
		/* this machine ran out of memory: no second opinion then */
		if (outcome == AT_OUTCOME_OK || outcome == AT_OUTCOME_NONE)
			continue;
		result->outcome = outcome == AT_OUTCOME_WRONG_RESULT
					  ? AT_OUTCOME_UNSTABLE
					  : outcome;
		result_explain(result, &error);
		self->is_lost =
			self->bench->device->is_lost || outcome_loses_device(outcome);
	}
}

static bool somebody_is_left(const struct finals *self)
{
	for (size_t i = 0; i < self->count; i++)
		if (self->results[i].outcome == AT_OUTCOME_OK)
			return true;
	return false;
}

/* Other memory for all buffers. *ballast: to be held as long as the block lasts; NULL
   where there is no room for it. */
static enum at_status renew(struct finals *self, uint32_t block,
	struct at_memory **ballast, struct at_error *err)
{
	struct at_device *device = self->bench->device;
	struct at_random random;
	uint64_t pages;

	at_random_init(&random, self->how->seed + self->how->begin + block);
	pages = 1 + at_random_below(&random, BALLAST_PAGES);
	if (device->ops->allocate(device, pages * BALLAST_PAGE_BYTES, ballast, NULL))
		*ballast = NULL;
	return bench_renew(
		self->bench, self->how->seed + self->how->begin + block, err);
}

static enum at_status hold_blocks(struct finals *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t block = 0; block < self->how->blocks; block++) {
		struct at_memory *ballast = NULL;

		if (block >= BLOCKS_MIN && finals_is_late(self, self->how->blocks - 1))
			break;
		/* the very first block uses the memory that the bench has */
		if (self->how->begin + block > 0)
			status = renew(self, block, &ballast, err);
		if (!status)
			status = enter_all(self, block, err);
		if (!status && !self->is_lost)
			finals_settle(self);
		if (!status && !self->is_lost)
			finals_hold_rounds(self, block);
		if (!status && !self->is_lost)
			finals_close_block(self);
		if (!status && !self->is_lost && self->how->begin + block == 0)
			cross_check(self);
		leave_all(self);
		if (ballast && !self->is_lost)
			self->bench->device->ops->release(self->bench->device, ballast);
		if (status || self->is_lost || !somebody_is_left(self))
			break;
	}
	return status;
}

/* Where the fastest is so short that the launch itself is a good part of it: how long
   that part is. */
static enum at_status time_nothing(struct finals *self, struct at_error *err)
{
	const struct at_measure_result *fastest = NULL;

	for (size_t i = 0; i < self->count; i++)
		if (self->results[i].block_count &&
			(!fastest ||
				self->results[i].blocks_ns[0] < fastest->blocks_ns[0]))
			fastest = &self->results[i];
	if (!fastest || !(fastest->blocks_ns[0] < AT_SHORT_NS))
		return AT_OK;
	return nothing_time(self->bench, fastest, &self->watch, err);
}

/* Scratch as large as the largest of them needs: their calls keep its address. */
static enum at_status fit_largest(
	struct finals *self, struct at_measure_binding *largest, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_outcome outcome;
	enum at_status status;

	for (size_t i = 0; i < self->count; i++)
		for (uint32_t j = 0; j < self->bench->setup->argument_count; j++)
			if (self->requests[i].bindings[j].count > largest[j].count)
				largest[j].count = self->requests[i].bindings[j].count;
	/* a proof of a winner that was refused may have left other data */
	status = bench_settle(self->bench, &reason);
	if (!status)
		status = buffers_fit_scratch(self->bench, largest, &reason);
	outcome = judge_fit(status);
	if (outcome == AT_OUTCOME_NONE)
		return at_fail(err, reason.status, NULL, 0, "%s", reason.text);
	if (outcome != AT_OUTCOME_OK)
		judge_all(self->results, self->count, outcome, "", &reason);
	self->is_lost = self->bench->device->is_lost;
	return AT_OK;
}

static void summarize(struct at_measure_result *result)
{
	struct at_interval interval =
		at_statistics_blocks(result->blocks_ns, result->block_count, 0.95);

	result->time_ns = interval.median;
	result->low_ns = interval.low;
	result->high_ns = interval.high;
}

enum at_status at_bench_finals(struct at_bench *self,
	const struct at_measure_request *requests, size_t count,
	const struct at_measure_finals *how, struct at_measure_result *results,
	struct at_error *err)
{
	struct finals finals = {
		.bench = self,
		.requests = requests,
		.finalists = calloc(count + 1, sizeof(*finals.finalists)),
		.results = results,
		.count = count,
		.how = how,
		.order = calloc(count + 1, sizeof(*finals.order)),
		.sorted = calloc(how->rounds + 1, sizeof(*finals.sorted)),
		.start_ns = at_clock_now_ns(),
	};
	struct at_measure_binding *largest =
		calloc(self->setup->argument_count + 1, sizeof(*largest));
	enum at_status status = AT_OK;

	memset(results, 0, count * sizeof(*results));
	at_random_init(&finals.random, how->seed + how->begin);
	if (!finals.finalists || !finals.order || !finals.sorted || !largest)
		status = at_fail_memory(err);
	for (size_t i = 0; i < count && !status; i++) {
		struct at_measure_result *result = &results[i];

		finals.order[i] = (unsigned)i;
		result->samples_ns = calloc((size_t)how->blocks * how->rounds + 1,
			sizeof(*result->samples_ns));
		if (!result->samples_ns)
			status = at_fail_memory(err);
	}
	if (!status)
		status = fit_largest(&finals, largest, err);
	if (!status && !finals.is_lost && results[0].outcome == AT_OUTCOME_NONE)
		status = hold_blocks(&finals, err);
	if (!status && !finals.is_lost)
		status = time_nothing(&finals, err);
	finals.watch.knows_neighbours = self->device->ops->neighbours != NULL;
	if (!status && !finals.is_lost)
		finals.watch.neighbours =
			(uint32_t)at_device_add_neighbours(self->device, NULL);
	for (size_t i = 0; i < count; i++) {
		struct at_measure_result *result = &results[i];

		if (status)
			at_measure_result_release(result);
		else if (result->outcome != AT_OUTCOME_OK || !result->block_count)
			result_drop_times(result);
		else
			summarize(result);
		result->watch = finals.watch;
		result->device_lost = finals.is_lost;
	}
	free(finals.finalists);
	free(finals.order);
	free(finals.sorted);
	free(largest);
	return status;
}
