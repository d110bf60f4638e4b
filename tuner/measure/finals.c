/* The finals: those that may win, sampled again in turns, in blocks begun anew. */
#include "measure/bench.h"
#include "measure/buffers.h"
#include "measure/candidate.h"
#include "measure/contents.h"
#include "measure/graph.h"
#include "measure/result.h"
#include "measure/sample.h"
#include "measure/support.h"
#include "measure/trip.h"
#include "measure/verify.h"
#include "measure/statistics.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Samples of one process one after the other are like each other: memory lies where it
 * lies, code where it was loaded. How far another run would be from them shows only
 * between blocks. However slow the kernels are: three blocks, since two tell next to
 * nothing of how far a third would be, of two rounds, so that there are six samples.
 */
#define BLOCKS_MIN 3
#define ROUNDS_MIN 2

/*
 * Of one of which no sample came near the slowest of the best in a whole block, more
 * samples would only make sure of what is sure: from then on it has the fewest. A slow
 * baseline would take most of the finals' time.
 */
#define FAR 1.02
/* So far behind it has had its samples of this block already after the fewest: a
   baseline of 26 ms beside winners of 3 takes half of the finals' time in a whole one.
 */
#define FAR_AT_ONCE 1.5

/*
 * What lay in a block is free again when the next one has its memory, and is what the
 * block after that would get: two places in turns, which is no sample of all that there
 * are. So each block begins behind a piece of another size that nobody uses: of these
 * pages, which are a GPU's, one to so many.
 */
#define BALLAST_PAGE_BYTES (UINT64_C(1) << 21)
#define BALLAST_PAGES 32

/*
 * For some milliseconds after memory was freed, or mapped otherwise, a GPU is slower:
 * on an H200 what reads 400 MB takes 105 us instead of 92, in three of a block's five
 * samples; soon after, busy or not, nothing is left of it. So long a block goes on
 * without being recorded, and, since more memory takes longer, until one of the
 * finalists is about as fast as it was before; but a place that is slower stays so.
 */
#define SETTLING_NS UINT64_C(20000000)
#define SETTLING_MOST_NS UINT64_C(200000000)
#define SETTLED 1.03

/* samples of a kernel that does nothing: for its median, which is told in 10 ns */
#define EMPTY_SAMPLES 11

/* One of those that may win. */
struct finalist {
	struct candidate candidate; /* loaded during a block */
	uint32_t begin; /* where its samples of this block begin */
	double usual_ns; /* the least that it took so far; 0: it was not timed yet */
	bool is_far;
	bool keeps_state; /* as a candidate's: known since an earlier block */
};

/* All of them, on their way through the blocks. */
struct finals {
	struct at_bench *bench;
	const struct at_measure_request *requests;
	struct finalist *finalists;
	struct at_measure_result *results;
	size_t count;
	const struct at_measure_finals *how;
	unsigned *order; /* of the round */
	double *sorted; /* samples of a block */
	struct at_random random;
	struct at_measure_watch watch;
	uint64_t start_ns;
	bool has_sampled; /* a round: watch has its first clock */
	bool is_lost;
};

static double block_extreme(const struct finals *self, size_t i, bool largest)
{
	const struct at_measure_result *result = &self->results[i];
	uint32_t begin = self->finalists[i].begin;
	double found = result->samples_ns[begin];

	for (uint32_t j = begin + 1; j < result->sample_count; j++)
		if ((result->samples_ns[j] > found) == largest)
			found = result->samples_ns[j];
	return found;
}

static bool has_sampled(const struct finals *self, size_t i)
{
	return self->results[i].outcome == AT_OUTCOME_OK &&
	       self->results[i].sample_count > self->finalists[i].begin;
}

/* of the finalist whose slowest sample in this block is the fastest: that sample */
static double leader_ns(const struct finals *self)
{
	double least_ns = INFINITY;

	for (size_t i = 0; i < self->count; i++)
		if (has_sampled(self, i) && block_extreme(self, i, true) < least_ns)
			least_ns = block_extreme(self, i, true);
	return least_ns;
}

/*
 * A sample, and a look at what it left. Where the timed launches themselves have shown
 * that the module keeps something, those before it of this block were of a kernel that
 * may have lived on it: they are forgotten.
 */
static enum at_outcome take_sample(struct finals *self, size_t which,
	struct at_measure_result *result, struct at_error *err)
{
	struct finalist *finalist = &self->finalists[which];
	struct candidate *candidate = &finalist->candidate;
	enum at_outcome outcome;

	do {
		finalist->keeps_state = candidate->keeps_state;
		outcome =
			sample_once(self->bench, candidate, result->launches_per_sample,
				&result->samples_ns[result->sample_count], err);
		if (outcome == AT_OUTCOME_OK)
			outcome = verify_sampled(
				self->bench, candidate, false, result, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		result->sample_count++;
		if (candidate->keeps_state != finalist->keeps_state) {
			result->sample_count = finalist->begin;
			candidate_list(self->bench, candidate);
		}
	} while (candidate->keeps_state != finalist->keeps_state);
	/* it was right before it was timed */
	return outcome == AT_OUTCOME_WRONG_RESULT ? AT_OUTCOME_UNSTABLE : outcome;
}

/* A sample; what goes wrong with it is in its result, or with it all is lost. */
static void take_turn(struct finals *self, size_t which)
{
	struct at_measure_result *result = &self->results[which];
	struct at_error error = { 0 };

	result->outcome = take_sample(self, which, result, &error);
	if (result->outcome == AT_OUTCOME_OK)
		return;
	result_explain(result, &error);
	self->is_lost =
		self->bench->device->is_lost || outcome_loses_device(result->outcome);
}

/* Takes a sample of each finalist that needs one; stops if one loses the device. */
static void hold_round(struct finals *self, uint32_t round)
{
	double limit_ns = INFINITY;

	if (round >= ROUNDS_MIN)
		limit_ns = FAR_AT_ONCE * leader_ns(self);
	/* or a finalist would always follow the same one, and be measured in its
	   heat */
	at_statistics_shuffle(self->order, self->count, &self->random);
	for (size_t i = 0; i < self->count && !self->is_lost; i++) {
		unsigned which = self->order[i];

		if (self->results[which].outcome != AT_OUTCOME_OK)
			continue;
		if (round >= ROUNDS_MIN &&
			(self->finalists[which].is_far ||
				block_extreme(self, which, false) > limit_ns))
			continue;
		take_turn(self, which);
	}
}

/* Of those behind this one, in turns, the next that is not too slow for it; SIZE_MAX:
   nobody is. */
static size_t next_near(const struct finals *self, size_t last)
{
	double least_ns = INFINITY;

	for (size_t i = 0; i < self->count; i++)
		if (self->results[i].outcome == AT_OUTCOME_OK)
			least_ns = fmin(least_ns, self->finalists[i].usual_ns);
	for (size_t i = 1; i <= self->count; i++) {
		size_t which = (last + i) % self->count;

		if (self->results[which].outcome == AT_OUTCOME_OK &&
			self->finalists[which].usual_ns <= FAR_AT_ONCE * least_ns)
			return which;
	}
	return SIZE_MAX;
}

/* Samples of which none is kept, until the board is what it will be. */
static void settle(struct finals *self)
{
	uint64_t since_ns = self->bench->shared->remapped_ns, now_ns;
	size_t which = self->count - 1;
	bool is_settled = false;

	for (;;) {
		struct at_measure_result *result;

		now_ns = at_clock_now_ns();
		if (self->is_lost || now_ns - since_ns >= SETTLING_MOST_NS ||
			(is_settled && now_ns - since_ns >= SETTLING_NS))
			return;
		which = next_near(self, which);
		if (which == SIZE_MAX)
			return;
		take_turn(self, which);
		result = &self->results[which];
		is_settled = has_sampled(self, which) &&
			     result->samples_ns[result->sample_count - 1] <=
				     SETTLED * self->finalists[which].usual_ns;
		result->sample_count = self->finalists[which].begin;
	}
}

/*
 * Asks the board how it was, which takes it a millisecond: once a round. true: it was
 * held back, and the round is no more than a hint of what that costs.
 */
static bool was_held_back(struct finals *self)
{
	struct at_device_state state = { 0 };

	self->bench->device->ops->state(self->bench->device, &state);
	if (!self->has_sampled)
		self->watch.first_clock_hz = state.clock_hz;
	self->has_sampled = true;
	self->watch.last_clock_hz = state.clock_hz;
	/* the board idles while it is asked, which explains nothing */
	self->watch.clock_reasons |=
		state.clock_reasons & ~AT_CLOCK_REASON_BIT(AT_CLOCK_REASON_IDLE);
	self->watch.set_clock_hz = state.set_clock_hz;
	self->watch.set_memory_clock_hz = state.set_memory_clock_hz;
	self->watch.power_limit_watts = state.power_limit_watts;
	self->watch.ecc = state.ecc;
	return state.throttled;
}

/* the blocks up to this one have used their share of the time */
static bool is_late(const struct finals *self, uint32_t block)
{
	double share = (double)(block + 1) / self->how->blocks;

	return (double)(at_clock_now_ns() - self->start_ns) * 1e-9 >=
	       self->how->seconds * share;
}

static void hold_rounds(struct finals *self, uint32_t block)
{
	for (uint32_t round = 0; round < self->how->rounds && !self->is_lost; round++) {
		uint32_t counts[AT_FINALISTS_MAX] = { 0 };

		if (round >= ROUNDS_MIN && is_late(self, block))
			break;
		for (size_t i = 0; i < self->count; i++)
			counts[i] = self->results[i].sample_count;
		hold_round(self, round);
		if (self->is_lost || !was_held_back(self))
			continue;
		/* again, unless that is how the board is: heat does not go away, nor
		   does a cap below what these kernels draw */
		if (self->watch.repeated_rounds == self->how->blocks) {
			self->watch.throttled_rounds++;
			continue;
		}
		self->watch.repeated_rounds++;
		for (size_t i = 0; i < self->count; i++)
			if (self->results[i].sample_count > counts[i])
				self->results[i].sample_count = counts[i];
		round--;
	}
}

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

/* Sums up the block: the median of each finalist that is still in. */
static void close_block(struct finals *self)
{
	double limit_ns = FAR * leader_ns(self);

	for (size_t i = 0; i < self->count; i++) {
		struct at_measure_result *result = &self->results[i];
		uint32_t begin = self->finalists[i].begin;
		uint32_t count = result->sample_count - begin;
		double median_ns;

		if (!has_sampled(self, i))
			continue;
		memcpy(self->sorted, result->samples_ns + begin,
			count * sizeof(*self->sorted));
		median_ns = at_statistics_median(self->sorted, count).median;
		result->blocks_ns[result->block_count++] = median_ns;
		self->finalists[i].usual_ns =
			fmin(self->finalists[i].usual_ns, median_ns);
		self->finalists[i].is_far = self->finalists[i].is_far ||
					    block_extreme(self, i, false) > limit_ns;
	}
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

		if (!has_sampled(self, i) || !(result->blocks_ns[0] < AT_SHORT_NS))
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

		if (block >= BLOCKS_MIN && is_late(self, self->how->blocks - 1))
			break;
		/* the very first block uses the memory that the bench has */
		if (self->how->begin + block > 0)
			status = renew(self, block, &ballast, err);
		if (!status)
			status = enter_all(self, block, err);
		if (!status && !self->is_lost)
			settle(self);
		if (!status && !self->is_lost)
			hold_rounds(self, block);
		if (!status && !self->is_lost)
			close_block(self);
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

/* A sample of a kernel that does nothing, as sample_once() takes one: a launch's time.
 */
static enum at_outcome sample_nothing(struct at_bench *bench,
	const struct call_list *before, const struct at_invocation *nothing,
	unsigned launches, double *time_ns)
{
	/* behind a flush each has to be timed alone */
	unsigned parts = before->count ? launches : 1;
	enum at_outcome outcome = AT_OUTCOME_OK;
	double duration_ns = 0;

	for (unsigned i = 0; i < parts && outcome == AT_OUTCOME_OK; i++) {
		double part_ns = 0;

		outcome = bench->device->ops->time(bench->device, before->calls,
			before->count, nothing, 1, launches / parts, &part_ns, NULL);
		duration_ns += part_ns;
	}
	*time_ns = duration_ns / launches;
	return outcome;
}

/*
 * Where the fastest is so short that the launch itself is a good part of it: how long
 * that part is. What goes wrong with it leaves it unknown, and is the next one's to
 * find.
 */
static enum at_status time_nothing(struct finals *self, struct at_error *err)
{
	const struct at_measure_result *fastest = NULL;
	struct at_bench *bench = self->bench;
	struct at_invocation nothing;
	struct call_list before = { 0 };
	double samples_ns[EMPTY_SAMPLES];
	enum at_outcome outcome;
	enum at_status status;

	for (size_t i = 0; i < self->count; i++)
		if (self->results[i].block_count &&
			(!fastest ||
				self->results[i].blocks_ns[0] < fastest->blocks_ns[0]))
			fastest = &self->results[i];
	if (!fastest || !(fastest->blocks_ns[0] < AT_SHORT_NS))
		return AT_OK;
	status = call_list_init(&before, 1, err);
	if (!status) {
		support_nothing(bench, &bench->queue);
		nothing = bench->queue.calls[bench->queue.count - 1];
		if (bench->setup->cache == AT_CACHE_COLD)
			support_flush(bench, &before);
		/* a kernel has to run once before it is timed */
		outcome = bench_run(bench, NULL);
		for (int i = 0; i < EMPTY_SAMPLES && outcome == AT_OUTCOME_OK; i++)
			outcome = sample_nothing(bench, &before, &nothing,
				fastest->launches_per_sample, &samples_ns[i]);
		if (outcome == AT_OUTCOME_OK)
			self->watch.empty_ns =
				at_statistics_median(samples_ns, EMPTY_SAMPLES).median;
		if (outcome == AT_OUTCOME_OK && fastest->graph_ns > 0)
			graph_time_nothing(bench, &before, &nothing,
				&self->watch.empty_graph_ns, NULL);
	}
	call_list_release(&before);
	return status;
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
