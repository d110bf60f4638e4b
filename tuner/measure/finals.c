/* The finals: the configurations that may win are sampled again in turns, in blocks
   that each begin anew. */
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
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Successive samples are alike because memory and code stay where they are. How much
 * another run would differ shows only between blocks. There are at least three, however
 * slow the kernels are, since two tell next to nothing about a third.
 */
#define BLOCKS_MIN 3

/*
 * The memory of a block is freed when the next block has its own, and the block after
 * that would get it again: two places in turns, which is no sample of all places. So
 * each block begins by allocating a ballast of another size that nothing uses, 1 to
 * BALLAST_PAGES pages of a GPU.
 */
#define BALLAST_PAGE_BYTES (UINT64_C(1) << 21)
#define BALLAST_PAGES 32

/* Loads and proves a finalist and, in the first block, warms it up. */
static enum at_outcome enter(
	struct finals *self, uint32_t block, size_t i, struct at_error *err)
{
	struct at_bench *bench = self->bench;
	struct candidate *candidate = &self->finalists[i].candidate;
	struct at_measure_result *result = &self->results[i];
	/* The borders are checked here because after the rounds nobody could tell which
	   finalist wrote astray. Blocks take the sets of data in turns. */
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
	/* Later blocks need no warm-up: the proof was a launch, and the board has been
	   busy since the first block. They keep its launches a sample, so that blocks
	   can be compared. */
	if (outcome != AT_OUTCOME_OK || block > 0)
		return outcome;
	/* no incumbent, so no racing: all have passed their races but the baseline,
	   which need not */
	outcome = sample_warm_up(bench, candidate, 0, &result->time_ns, &hopeless, err);
	self->finalists[i].usual_ns = result->time_ns;
	if (outcome == AT_OUTCOME_OK)
		result->launches_per_sample =
			self->how->launches[i]
				? self->how->launches[i]
				: sample_launches(bench, candidate, result->time_ns);
	return outcome;
}

/* Gives all finalists the same outcome and reason, where it is unknown which of them is
   to blame. */
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

/* Loads all finalists. AT_ENOMEM: this machine ran out of memory; a finalist's own
   failure is in its result. */
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

/*
 * Gives finalists that are about as fast the same number of launches a sample. A sample
 * holds the cost of two events once, however many launches it has: with two launches of
 * 19.9 us and one of 20.1 us the second kernel would look 2 % slower. Blocks that a
 * finalist had in an earlier look fix its number.
 */
static void share_launches(struct finals *self)
{
	double least_ns = INFINITY;
	uint32_t most = 1;

	for (size_t i = 0; i < self->count; i++)
		if (self->results[i].outcome == AT_OUTCOME_OK)
			least_ns = fmin(least_ns, self->finalists[i].usual_ns);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < self->count; i++) {
			struct at_measure_result *result = &self->results[i];

			/* launches that are alone have two events each */
			if (result->outcome != AT_OUTCOME_OK ||
				self->finalists[i].usual_ns > FAR_AT_ONCE * least_ns ||
				candidate_is_alone(
					self->bench, &self->finalists[i].candidate))
				continue;
			if (pass == 0 && result->launches_per_sample > most)
				most = result->launches_per_sample;
			if (pass == 1 && !self->how->launches[i])
				result->launches_per_sample = most;
		}
}

/*
 * Between two samples of a finalist others run and outputs are compared, which leaves
 * their data in the cache. Whether it is filled again is the same for all that are
 * about as fast as the fastest: two that are alike must be timed alike.
 */
static void share_warmth(struct finals *self)
{
	size_t fastest = SIZE_MAX;
	bool is_warmed;

	for (size_t i = 0; i < self->count; i++)
		if (self->results[i].outcome == AT_OUTCOME_OK &&
			(fastest == SIZE_MAX ||
				self->finalists[i].usual_ns <
					self->finalists[fastest].usual_ns))
			fastest = i;
	if (fastest == SIZE_MAX)
		return;
	is_warmed = sample_needs_warm_cache(self->bench,
		&self->finalists[fastest].candidate, self->finalists[fastest].usual_ns);
	for (size_t i = 0; i < self->count; i++)
		self->finalists[i].is_warmed =
			is_warmed &&
			!candidate_is_alone(
				self->bench, &self->finalists[i].candidate) &&
			self->finalists[i].usual_ns <=
				FAR_AT_ONCE * self->finalists[fastest].usual_ns;
}

/* Unloads all finalists, after a last check of the borders. */
static void leave_all(struct finals *self)
{
	struct at_measure_result astray = { 0 };
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	/* the borders were not checked during the rounds, and the next configuration
	   must not be blamed for what is found there */
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
 * Times short finalists once more in a graph, in which the host does nothing between
 * the launches. Once is enough: this time is reported beside the others and is in no
 * interval.
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
		/* a graph needs more of the device than launches do, and may be
		   refused: then there is no second time, and nothing is wrong */
		if (outcome != AT_OUTCOME_OK && !self->bench->device->is_lost &&
			!outcome_loses_device(outcome)) {
			result->graph_ns = 0;
			continue;
		}
		if (outcome == AT_OUTCOME_OK && result->graph_ns > 0)
			outcome = verify_sampled(
				self->bench, candidate, false, result, &error);
		/* NONE: this machine ran out of memory, so there is no second
		   measurement */
		if (outcome == AT_OUTCOME_OK || outcome == AT_OUTCOME_NONE)
			continue;
		if (is_machines_fault(outcome, &error))
			self->fault = error;
		result->outcome = outcome == AT_OUTCOME_WRONG_RESULT
					  ? AT_OUTCOME_UNSTABLE
					  : outcome;
		result_explain(result, &error);
		self->is_lost = self->fault.status || self->bench->device->is_lost ||
				outcome_loses_device(outcome);
	}
}

static bool somebody_is_left(const struct finals *self)
{
	for (size_t i = 0; i < self->count; i++)
		if (self->results[i].outcome == AT_OUTCOME_OK)
			return true;
	return false;
}

/* Moves all buffers to other memory. *ballast must be kept as long as the block lasts;
   it is NULL where there is no room for it. */
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
		/* the very first block uses the memory that the bench already has */
		if (self->how->begin + block > 0)
			status = renew(self, block, &ballast, err);
		self->conditions.unmoved_blocks +=
			self->how->begin + block > 0 && self->bench->unmoved > 0;
		if (!status)
			status = enter_all(self, block, err);
		if (!status && !self->is_lost && block == 0) {
			share_launches(self);
			share_warmth(self);
		}
		if (!status && !self->is_lost)
			finals_settle(self);
		/* so that the same data sets are compared, round by round */
		for (size_t i = 0; i < self->count; i++)
			self->finalists[i].candidate.next_set = 0;
		if (!status && !self->is_lost)
			finals_hold_rounds(self, block);
		if (!status && !self->is_lost)
			finals_close_block(self);
		if (!status && !self->is_lost && self->how->begin + block == 0)
			cross_check(self);
		leave_all(self);
		/* the machine's: these finals are held again */
		if (!status && self->fault.status)
			status = at_fail(err, self->fault.status, NULL, 0, "%s",
				self->fault.text);
		if (ballast && !self->is_lost)
			self->bench->device->ops->release(self->bench->device, ballast);
		if (status || self->is_lost || !somebody_is_left(self))
			break;
	}
	return status;
}

/* Where the fastest finalist is short: times an empty launch, to show how much of its
   time is the launch itself. */
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
	return nothing_time(self->bench, fastest, &self->conditions, err);
}

/* Makes scratch as large as any finalist needs, since their calls keep its address. */
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
	/* the proof of a winner may have left other data in the sets */
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
		.finalists = at_calloc(count + 1, sizeof(*finals.finalists)),
		.results = results,
		.count = count,
		.how = how,
		.order = at_calloc(count + 1, sizeof(*finals.order)),
		.sorted = at_calloc(how->rounds + 1, sizeof(*finals.sorted)),
		.start_ns = at_clock_now_ns(),
	};
	struct at_measure_binding *largest =
		at_calloc(self->setup->argument_count + 1, sizeof(*largest));
	enum at_status status = AT_OK;

	memset(results, 0, count * sizeof(*results));
	at_random_init(&finals.random, how->seed + how->begin);
	for (size_t i = 0; i < count; i++) {
		struct at_measure_result *result = &results[i];

		finals.order[i] = (unsigned)i;
		result->samples_ns = at_calloc((size_t)how->blocks * how->rounds + 1,
			sizeof(*result->samples_ns));
	}
	status = fit_largest(&finals, largest, err);
	if (!status && !finals.is_lost && results[0].outcome == AT_OUTCOME_NONE)
		status = hold_blocks(&finals, err);
	if (!status && !finals.is_lost)
		status = time_nothing(&finals, err);
	finals.is_lost = finals.is_lost || self->device->is_lost;
	finals.conditions.knows_neighbours = self->device->ops->neighbours != NULL;
	if (!status && !finals.is_lost)
		finals.conditions.neighbours =
			(uint32_t)at_device_add_neighbours(self->device, NULL);
	for (size_t i = 0; i < count; i++) {
		struct at_measure_result *result = &results[i];

		if (status)
			at_measure_result_release(result);
		else if (result->outcome != AT_OUTCOME_OK || !result->block_count)
			result_drop_times(result);
		else
			summarize(result);
		result->conditions = finals.conditions;
		result->device_lost = finals.is_lost;
	}
	free(finals.finalists);
	free(finals.order);
	free(finals.sorted);
	free(largest);
	return status;
}
