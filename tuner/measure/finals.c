/* The finals (confirmation runs): samples the best configurations again in turns, in
   blocks that each start anew. */
#include "measure/bench.h"
#include "measure/buffers.h"
#include "measure/candidate.h"
#include "measure/contents.h"
#include "measure/energy.h"
#include "measure/result.h"
#include "measure/sample.h"
#include "measure/statistics.h"
#include "measure/support.h"
#include "measure/trip.h"
#include "measure/verify.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fewest rounds of a block, however slow the kernels: with the fewest blocks this
   gives six samples. */
#define ROUNDS_MIN 2

/* A finalist slower than the leader by this factor gets only ROUNDS_FAR rounds a block,
   from the first block on: a median of three, which one outlier does not move.
   Otherwise a baseline of 26 ms would take most of the time from winners of 3 ms. */
#define ROUNDS_FAR 3
#define FAR_AT_ONCE 1.5

struct finalist {
	struct candidate candidate; /* loaded during a block */
	uint32_t begin; /* index of its first sample in this block */
	double usual_ns; /* its least time so far; 0: not timed yet */
	bool is_warmed; /* the cache is filled before each of its samples */
	bool is_far;
	bool keeps_state; /* the candidate's keeps_state, known from an earlier block */
};

struct finals {
	struct at_measure_context *context;
	const struct at_measure_request *requests;
	struct finalist *finalists;
	struct at_measure_result *results;
	size_t count;
	const struct at_measure_finals *how;
	unsigned *order; /* of the round */
	double *sorted; /* samples of a block */
	struct at_random random;
	struct at_measure_conditions conditions;
	uint64_t start_ns;
	uint64_t energy_ns; /* of the energy windows, not part of how->seconds */
	struct energy energy;
	bool has_sampled; /* conditions has its first clock */
	bool is_lost;
	struct at_error fault; /* of this machine, not of a candidate */
};

/* ---- the rounds of a block: each takes one sample of every finalist -------------- */

/* A finalist is far if, over a whole block, even its fastest sample was slower by this
   factor than the leader's slowest. From then on it takes part only in the fewest
   rounds: more samples decide nothing. */
#define FAR 1.02

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

/* Whether a finalist is still in and has a sample in this block. */
static bool has_sampled(const struct finals *self, size_t i)
{
	return self->results[i].outcome == AT_OUTCOME_OK &&
	       self->results[i].sample_count > self->finalists[i].begin;
}

/* The slowest sample of the leader: the finalist with the fastest slowest sample. */
static double leader_ns(const struct finals *self)
{
	double least_ns = INFINITY;

	for (size_t i = 0; i < self->count; i++)
		if (has_sampled(self, i) && block_extreme(self, i, true) < least_ns)
			least_ns = block_extreme(self, i, true);
	return least_ns;
}

/* A finalist's sample is preceded by a shortened one in one of this many turns. */
#define CUT_ONE_OF 3

/* Only the output of a sample's last launch can be compared. A kernel could count its
   launches in memory that is not restored (shared memory, the heap), work only in the
   last, and so be faster by the number of launches. So some samples end early, at
   random, and their output is compared too. Their inexact time does not count. */
static enum at_outcome cut_sample_short(struct finals *self,
	struct candidate *candidate, struct at_measure_result *result,
	struct at_error *err)
{
	unsigned launches = result->launches_per_sample;
	enum at_outcome outcome;
	double time_ns;

	if (launches < 2 || at_random_below(&self->random, CUT_ONE_OF) != 0)
		return AT_OUTCOME_OK;
	launches = 1 + (unsigned)at_random_below(&self->random, launches - 1);
	outcome = sample_once(self->context, candidate, launches, &time_ns, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_sampled(self->context, candidate, false, result, err);
	return outcome;
}

/* Sets a finalist's clocks if other clocks were set, and warms the GPU up at these. */
static enum at_outcome set_clocks(
	struct finals *self, size_t which, struct at_error *err)
{
	struct candidate *candidate = &self->finalists[which].candidate;
	const uint64_t before_ns = self->context->device->clocks_set_ns;
	const unsigned next_set = candidate->next_set;
	enum at_outcome outcome =
		bench_set_clocks(self->context, candidate->request, err);
	double time_ns;
	bool pruned;

	if (outcome != AT_OUTCOME_OK ||
		self->context->device->clocks_set_ns == before_ns)
		return outcome;
	outcome = sample_warm_up(self->context, candidate, 0, &time_ns, &pruned, err);
	candidate->next_set = next_set;
	return outcome;
}

/* Takes a sample and checks its output. If these launches are the first to change the
   module's variables, earlier samples of this block may have used what was kept there.
   They are dropped, and the sample is taken again with the variables restored. */
static enum at_outcome take_sample(struct finals *self, size_t which,
	struct at_measure_result *result, struct at_error *err)
{
	struct finalist *finalist = &self->finalists[which];
	struct candidate *candidate = &finalist->candidate;
	enum at_outcome outcome = set_clocks(self, which, err);

	if (outcome != AT_OUTCOME_OK)
		return outcome;
	do {
		finalist->keeps_state = candidate->keeps_state;
		outcome = cut_sample_short(self, candidate, result, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		if (finalist->is_warmed)
			outcome = sample_warm_cache(self->context, candidate, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		outcome = sample_once(self->context, candidate,
			result->launches_per_sample,
			&result->samples_ns[result->sample_count], err);
		if (outcome == AT_OUTCOME_OK)
			outcome = verify_sampled(
				self->context, candidate, false, result, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		result->sample_count++;
		if (candidate->keeps_state != finalist->keeps_state) {
			result->sample_count = finalist->begin;
			candidate_list(self->context, candidate);
		}
	} while (candidate->keeps_state != finalist->keeps_state);
	/* it was correct before it was timed */
	return outcome == AT_OUTCOME_WRONG_RESULT ? AT_OUTCOME_UNSTABLE : outcome;
}

/* Records a failure in the finalist's result, and whether it lost the device. */
static void note_failure(struct finals *self, struct at_measure_result *result,
	enum at_outcome outcome, const struct at_error *error)
{
	result->outcome = outcome;
	if (is_machines_fault(outcome, error))
		self->fault = *error;
	result_explain(result, error);
	self->is_lost = self->fault.status || self->context->device->is_lost ||
			outcome_loses_device(outcome);
}

/* Takes a sample of a finalist. A failure goes into its result, or sets is_lost. */
static void take_turn(struct finals *self, size_t which)
{
	struct at_measure_result *result = &self->results[which];
	struct at_error error = { 0 };
	enum at_outcome outcome = take_sample(self, which, result, &error);

	if (outcome != AT_OUTCOME_OK)
		note_failure(self, result, outcome, &error);
}

/* Takes a sample of each finalist that needs one; stops if the device is lost. */
static void hold_round(struct finals *self, uint32_t round)
{
	double limit_ns = INFINITY;

	if (round >= ROUNDS_FAR)
		limit_ns = FAR_AT_ONCE * leader_ns(self);
	/* a fixed order would always measure a finalist in the heat of the same one */
	at_statistics_shuffle(self->order, self->count, &self->random);
	for (size_t i = 0; i < self->count && !self->is_lost; i++) {
		unsigned which = self->order[i];

		if (self->results[which].outcome != AT_OUTCOME_OK)
			continue;
		if (round >= ROUNDS_FAR &&
			(self->finalists[which].is_far ||
				block_extreme(self, which, false) > limit_ns))
			continue;
		take_turn(self, which);
	}
}

/* Reads the GPU's state, once a round since that takes a millisecond. True: the GPU was
   throttled, so the times of this round do not count. */
static bool was_held_back(struct finals *self)
{
	struct at_device_state state = { 0 };

	self->context->device->ops->state(self->context->device, &state);
	if (!self->has_sampled)
		self->conditions.first_clock_hz = state.clock_hz;
	self->has_sampled = true;
	self->conditions.last_clock_hz = state.clock_hz;
	/* the GPU idles while its state is read, so this reason means nothing */
	self->conditions.clock_reasons |=
		state.clock_reasons & ~AT_CLOCK_REASON_BIT(AT_CLOCK_REASON_IDLE);
	self->conditions.set_clock_hz = state.set_clock_hz;
	self->conditions.default_clock_hz = state.default_clock_hz;
	self->conditions.set_memory_clock_hz = state.set_memory_clock_hz;
	self->conditions.default_memory_clock_hz = state.default_memory_clock_hz;
	self->conditions.power_limit_watts = state.power_limit_watts;
	self->conditions.ecc = state.ecc;
	self->conditions.is_ungated = self->context->device->is_ungated;
	return state.throttled;
}

/* Whether the blocks up to this one have used their share of the time. */
static bool is_late(const struct finals *self, uint32_t block)
{
	double share = (double)(block + 1) / self->how->blocks;

	return (double)(at_clock_now_ns() - self->start_ns - self->energy_ns) * 1e-9 >=
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
		/* Repeat the round, unless the GPU is throttled permanently: by heat,
		   or by a power limit below what these kernels draw. */
		if (self->conditions.repeated_rounds == self->how->blocks) {
			self->conditions.throttled_rounds++;
			continue;
		}
		self->conditions.repeated_rounds++;
		for (size_t i = 0; i < self->count; i++)
			if (self->results[i].sample_count > counts[i])
				self->results[i].sample_count = counts[i];
		round--;
	}
}

/* Ends the block: takes the median of each finalist still in. */
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

/* ---- a second way to time short launches: as nodes of a graph, which the device runs
   one after another without the host; and launches of an empty kernel ------------- */

/* Launches of a graph; fewer if the calls before each take long. */
#define GRAPH_LAUNCHES_MIN 8
#define GRAPH_LAUNCHES_MAX 50
/* Samples of a graph. Their median counts, since a sample may be disturbed. */
#define GRAPH_SAMPLES 7
/* The longest that one run of a graph should take. */
#define GRAPH_RUN_NS 10e6

struct turn {
	const struct call_list *before;
	const struct at_invocation *timed;
};

/*
 * What one launch adds to a graph: the difference between the median times of a graph
 * with the launches and one without, divided by the number of launches. The graph's own
 * cost and all other calls cancel out. Launches that are timed alone have their calls
 * before them. Other launches follow each other directly, and the second graph has half
 * as many. 0: the device cannot make such a graph, or there is no difference.
 */
static enum at_outcome time_turns(struct at_measure_context *self,
	const struct turn *turns, size_t turn_count, bool alone, unsigned launches,
	double *launch_ns, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	size_t with_count = 0, without_count = 0, room = 2 * (size_t)launches;
	struct at_invocation *with, *without;
	double with_ns[GRAPH_SAMPLES], without_ns[GRAPH_SAMPLES];
	enum at_outcome outcome;

	for (unsigned i = 0; i < launches && alone; i++)
		room += turns[i % turn_count].before->count;
	with = at_calloc(room, sizeof(*with));
	without = at_calloc(room, sizeof(*without));
	*launch_ns = 0;
	for (unsigned i = 0; i < (alone ? launches : 2 * launches); i++) {
		const struct turn *turn = &turns[i % turn_count];

		for (size_t j = 0; j < turn->before->count && alone; j++)
			with[with_count++] = without[without_count++] =
				turn->before->calls[j];
		with[with_count++] = *turn->timed;
		if (!alone && i < launches)
			without[without_count++] = *turn->timed;
	}
	outcome = ops->time_graph(
		self->device, without, without_count, without_ns, GRAPH_SAMPLES, err);
	/* the graph with all launches runs last, so that its output can be checked */
	if (outcome == AT_OUTCOME_OK)
		outcome = ops->time_graph(
			self->device, with, with_count, with_ns, GRAPH_SAMPLES, err);
	if (outcome == AT_OUTCOME_OK)
		*launch_ns = (at_statistics_median(with_ns, GRAPH_SAMPLES).median -
				     at_statistics_median(without_ns, GRAPH_SAMPLES)
					     .median) /
			     launches;
	if (!(*launch_ns > 0))
		*launch_ns = 0;
	if (outcome == AT_OUTCOME_NOT_APPLICABLE) {
		at_error_clear(err);
		outcome = AT_OUTCOME_OK;
	}
	free(with);
	free(without);
	return outcome;
}

/* If launches are timed alone, the flush before each takes most of the time. */
static unsigned graph_launches(const struct at_measure_context *self, bool alone)
{
	double launches =
		GRAPH_RUN_NS / (self->part_wall_ns > 1 ? self->part_wall_ns : 1);

	if (!alone || launches > GRAPH_LAUNCHES_MAX)
		return GRAPH_LAUNCHES_MAX;
	return launches < GRAPH_LAUNCHES_MIN ? GRAPH_LAUNCHES_MIN : (unsigned)launches;
}

/* The time of one launch of a sampled candidate in a graph of many; 0 if the device has
   no graphs or cannot make one of these launches. verify_sampled() can then check the
   output. */
static enum at_outcome graph_time(struct at_measure_context *self,
	struct candidate *candidate, double *launch_ns, struct at_error *err)
{
	bool alone = candidate_is_alone(self, candidate);
	unsigned launches = graph_launches(self, alone);
	struct turn turns[SETS];

	*launch_ns = 0;
	/* a graph cannot load a module, and a sequence has gaps of its own */
	if (!self->device->ops->time_graph || candidate->reloads || !self->set_count ||
		candidate->length > 1)
		return AT_OUTCOME_OK;
	for (unsigned i = 0; i < self->set_count; i++) {
		unsigned set = (candidate->next_set + i) % self->set_count;

		turns[i] = (struct turn){ &candidate->before[set],
			&candidate->timed[set] };
	}
	self->is_unwatched = true;
	candidate->last_set =
		(candidate->next_set + (alone ? launches : 2 * launches) - 1) %
		self->set_count;
	candidate->next_set = (candidate->last_set + 1) % self->set_count;
	return time_turns(
		self, turns, self->set_count, alone, launches, launch_ns, err);
}

/* Samples of the empty kernel: enough for a median in steps of 10 ns. */
#define EMPTY_SAMPLES 11

/* Samples the empty kernel as sample_once() samples a candidate; *time_ns: the time of
   one launch. */
static enum at_outcome sample_nothing(struct at_measure_context *context,
	const struct call_list *before, const struct at_invocation *nothing,
	unsigned launches, double *time_ns)
{
	/* with a flush before each launch, each is timed alone */
	unsigned parts = before->count ? launches : 1;
	enum at_outcome outcome = AT_OUTCOME_OK;
	double duration_ns = 0;

	for (unsigned i = 0; i < parts && outcome == AT_OUTCOME_OK; i++) {
		double part_ns = 0;

		outcome = context->device->ops->time(context->device, before->calls,
			before->count, nothing, 1, launches / parts, &part_ns, NULL);
		duration_ns += part_ns;
	}
	*time_ns = duration_ns / launches;
	return outcome;
}

/* ---- discarded samples, until the GPU has settled ----------------------- */

/*
 * For some milliseconds after memory was freed or remapped a GPU is slower: on an H200
 * a kernel that reads 400 MB took 105 us instead of 92 in three of a block's five
 * samples. The effect ends soon, even if the GPU is busy. So samples are discarded for
 * SETTLING_NS and, since more memory takes longer, until a finalist is about as fast as
 * before; but at most for SETTLING_MOST_NS, since the new addresses may really be
 * slower.
 */
#define SETTLING_NS UINT64_C(20000000)
#define SETTLING_MOST_NS UINT64_C(200000000)
#define SETTLED 1.03

/* The least usual time of the finalists still in; infinite if there are none. */
static double least_usual_ns(const struct finals *self)
{
	double least_ns = INFINITY;

	for (size_t i = 0; i < self->count; i++)
		if (self->results[i].outcome == AT_OUTCOME_OK)
			least_ns = fmin(least_ns, self->finalists[i].usual_ns);
	return least_ns;
}

/* The next finalist after `last`, in turns, that is not too slow to settle with;
   SIZE_MAX: none. */
static size_t next_near(const struct finals *self, size_t last)
{
	double least_ns = least_usual_ns(self);

	for (size_t i = 1; i <= self->count; i++) {
		size_t which = (last + i) % self->count;

		if (self->results[which].outcome == AT_OUTCOME_OK &&
			self->finalists[which].usual_ns <= FAR_AT_ONCE * least_ns)
			return which;
	}
	return SIZE_MAX;
}

static void settle(struct finals *self)
{
	uint64_t since_ns = self->context->shared->remapped_ns, now_ns;
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

/* ---- blocks ------------------------------------------------------------------ */

/* Successive samples are alike because memory and code stay in place. How much another
   run would differ shows only between blocks. There are at least three, however slow
   the kernels: two tell next to nothing about a third. */
#define BLOCKS_MIN 3

/* A block's memory is freed once the next block has its own, so the block after that
   would get it again: only two places in turns. So each block first allocates an unused
   ballast of 1 to BALLAST_PAGES pages of a GPU. */
#define BALLAST_PAGE_BYTES (UINT64_C(1) << 21)
#define BALLAST_PAGES 32

/* Loads and verifies a finalist; in the first block, also warms it up. */
static enum at_outcome enter(
	struct finals *self, uint32_t block, size_t i, struct at_error *err)
{
	struct at_measure_context *context = self->context;
	struct candidate *candidate = &self->finalists[i].candidate;
	struct at_measure_result *result = &self->results[i];
	/* Checks the borders here, because after the rounds the culprit is unknown.
	   Blocks alternate between the data sets. */
	struct verification verification = { .poison = POISON,
		.staging = { (self->how->begin + block) % context->set_count,
			SIDE_END },
		.watches_borders = true };
	enum at_outcome outcome = AT_OUTCOME_OK;
	bool pruned;

	if (block == 0)
		outcome = bench_set_clocks(context, &self->requests[i], err);
	if (outcome == AT_OUTCOME_OK)
		outcome = candidate_load(context, &self->requests[i], candidate, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_once(context, candidate, &verification, result, err);
	if (outcome == AT_OUTCOME_OK) {
		candidate->keeps_state |= self->finalists[i].keeps_state;
		candidate_list(context, candidate);
	}
	/* Later blocks need no warm-up: the verification was a launch, and the GPU has
	   been busy since the first block. They keep its launches per sample, so that
	   blocks are comparable. */
	if (outcome != AT_OUTCOME_OK || block > 0)
		return outcome;
	/* no incumbent, so no racing: all finalists have passed their races, except the
	   baseline, which need not */
	outcome = sample_warm_up(context, candidate, 0, &result->time_ns, &pruned, err);
	self->finalists[i].usual_ns = result->time_ns;
	if (outcome == AT_OUTCOME_OK)
		result->launches_per_sample =
			self->how->launches[i]
				? self->how->launches[i]
				: sample_launches(context, candidate, result->time_ns);
	return outcome;
}

/* Gives all finalists the same outcome and reason, if the culprit is unknown. */
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
   failure goes into its result. */
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
		self->is_lost = self->context->device->is_lost ||
				outcome_loses_device(result->outcome);
		if (self->is_lost)
			return AT_OK;
	}
	return AT_OK;
}

/* Gives finalists of similar speed the same number of launches per sample. A sample of
   any length includes the cost of two events: with two launches of 19.9 us and one of
   20.1 us the second kernel would look 2 % slower. A finalist with earlier blocks keeps
   its number. */
static void share_launches(struct finals *self)
{
	double least_ns = least_usual_ns(self);
	uint32_t most = 1;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < self->count; i++) {
			struct at_measure_result *result = &self->results[i];

			/* launches timed alone have two events each */
			if (result->outcome != AT_OUTCOME_OK ||
				self->finalists[i].usual_ns > FAR_AT_ONCE * least_ns ||
				candidate_is_alone(
					self->context, &self->finalists[i].candidate))
				continue;
			if (pass == 0 && result->launches_per_sample > most)
				most = result->launches_per_sample;
			if (pass == 1 && !self->how->launches[i])
				result->launches_per_sample = most;
		}
}

/* Between two samples of a finalist, others run and outputs are compared, which leaves
   other data in the cache. All finalists about as fast as the fastest share the
   decision whether to fill it again: similar kernels must be timed alike. */
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
	is_warmed = sample_needs_warm_cache(self->context,
		&self->finalists[fastest].candidate, self->finalists[fastest].usual_ns);
	for (size_t i = 0; i < self->count; i++)
		self->finalists[i].is_warmed =
			is_warmed &&
			!candidate_is_alone(
				self->context, &self->finalists[i].candidate) &&
			self->finalists[i].usual_ns <=
				FAR_AT_ONCE * self->finalists[fastest].usual_ns;
}

/* Unloads all finalists after a last check of the borders. */
static void leave_all(struct finals *self)
{
	struct at_measure_result astray = { 0 };
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	/* the rounds did not check the borders, and the next configuration must not be
	   blamed for damage found there */
	if (self->context->is_unwatched && !self->is_lost)
		outcome = verify_borders(self->context, &astray, &reason);
	if (outcome != AT_OUTCOME_OK) {
		judge_all(self->results, self->count, outcome, astray.detail, &reason);
		self->is_lost = true;
	}
	for (size_t i = 0; i < self->count; i++)
		candidate_release(self->context, &self->finalists[i].candidate);
}

/* Times short finalists again in a graph, where the host does nothing between launches.
   Once is enough: this time is reported next to the others and enters no interval. */
static void cross_check(struct finals *self)
{
	for (size_t i = 0; i < self->count && !self->is_lost; i++) {
		struct at_measure_result *result = &self->results[i];
		struct candidate *candidate = &self->finalists[i].candidate;
		struct at_error error = { 0 };
		enum at_outcome outcome;

		if (!has_sampled(self, i) || !(result->blocks_ns[0] < AT_SHORT_NS))
			continue;
		outcome = set_clocks(self, i, &error);
		if (outcome == AT_OUTCOME_OK)
			outcome = graph_time(
				self->context, candidate, &result->graph_ns, &error);
		/* a device may refuse a graph, which needs more resources than
		   launches: then there is simply no second time */
		if (outcome != AT_OUTCOME_OK && !self->context->device->is_lost &&
			!outcome_loses_device(outcome)) {
			result->graph_ns = 0;
			continue;
		}
		if (outcome == AT_OUTCOME_OK && result->graph_ns > 0)
			outcome = verify_sampled(
				self->context, candidate, false, result, &error);
		/* NONE: this machine is out of memory, so there is no second time */
		if (outcome == AT_OUTCOME_OK || outcome == AT_OUTCOME_NONE)
			continue;
		note_failure(self, result,
			outcome == AT_OUTCOME_WRONG_RESULT ? AT_OUTCOME_UNSTABLE
							   : outcome,
			&error);
	}
}

/* ---- the energy of a launch, in each block ----------------------------------- */

/* Measures a finalist in a window; its energy is stored with the block's time. */
static enum at_outcome take_energy(
	struct finals *self, size_t which, struct at_error *err)
{
	struct at_measure_result *result = &self->results[which];
	struct candidate *candidate = &self->finalists[which].candidate;
	enum at_outcome outcome = energy_measure(&self->energy, candidate,
		&result->blocks_joules[result->block_count - 1], err);

	if (outcome == AT_OUTCOME_OK)
		outcome = verify_sampled(self->context, candidate, false, result, err);
	return outcome == AT_OUTCOME_WRONG_RESULT ? AT_OUTCOME_UNSTABLE : outcome;
}

/* Measures the energy of all finalists that have a time in this block, in a shuffled
   order. If the device cannot measure energy, the finals end. */
static void measure_energy(struct finals *self)
{
	const uint64_t start_ns = at_clock_now_ns();
	enum at_outcome outcome = AT_OUTCOME_OK;
	struct at_error error = { 0 };
	bool has_begun = false;

	at_statistics_shuffle(self->order, self->count, &self->random);
	for (size_t i = 0; i < self->count && !self->is_lost; i++) {
		const size_t which = self->order[i];

		if (!has_sampled(self, which))
			continue;
		outcome = set_clocks(self, which, &error);
		if (outcome == AT_OUTCOME_OK && !has_begun)
			outcome = energy_begin(&self->energy,
				&self->finalists[which].candidate, &error);
		has_begun = outcome == AT_OUTCOME_OK;
		if (outcome == AT_OUTCOME_OK)
			outcome = take_energy(self, which, &error);
		if (outcome == AT_OUTCOME_NOT_APPLICABLE)
			break;
		if (outcome != AT_OUTCOME_OK)
			note_failure(self, &self->results[which], outcome, &error);
		outcome = AT_OUTCOME_OK;
		at_error_clear(&error);
	}
	if (has_begun && outcome == AT_OUTCOME_OK && !self->is_lost)
		outcome = energy_end(&self->energy, &error);
	if (outcome == AT_OUTCOME_NOT_APPLICABLE) {
		judge_all(self->results, self->count, outcome, "", &error);
		for (size_t i = 0; i < self->count; i++)
			self->results[i].energy_refused = true;
	}
	self->energy_ns += at_clock_now_ns() - start_ns;
}

/* Moves all buffers to other memory. Keep *ballast until the block ends; it is NULL if
   it does not fit. */
static enum at_status renew(struct finals *self, uint32_t block,
	struct at_memory **ballast, struct at_error *err)
{
	struct at_device *device = self->context->device;
	struct at_random random;
	uint64_t pages;

	at_random_init(&random, self->how->seed + self->how->begin + block);
	pages = 1 + at_random_below(&random, BALLAST_PAGES);
	if (device->ops->allocate(device, pages * BALLAST_PAGE_BYTES, ballast, NULL))
		*ballast = NULL;
	return bench_renew(
		self->context, self->how->seed + self->how->begin + block, err);
}

static enum at_status hold_blocks(struct finals *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t block = 0; block < self->how->blocks; block++) {
		struct at_memory *ballast = NULL;

		if (block >= BLOCKS_MIN && is_late(self, self->how->blocks - 1))
			break;
		/* the very first block uses the bench's present memory */
		if (self->how->begin + block > 0)
			status = renew(self, block, &ballast, err);
		self->conditions.unmoved_blocks +=
			self->how->begin + block > 0 && self->context->unmoved > 0;
		if (!status)
			status = enter_all(self, block, err);
		if (!status && !self->is_lost && block == 0) {
			share_launches(self);
			share_warmth(self);
		}
		if (!status && !self->is_lost)
			settle(self);
		/* so that round by round the same data sets are compared */
		for (size_t i = 0; i < self->count; i++)
			self->finalists[i].candidate.next_set = 0;
		if (!status && !self->is_lost)
			hold_rounds(self, block);
		if (!status && !self->is_lost)
			close_block(self);
		if (!status && !self->is_lost && self->how->begin + block == 0)
			cross_check(self);
		if (!status && !self->is_lost && self->how->energy_seconds > 0)
			measure_energy(self);
		leave_all(self);
		/* a fault of the machine: the caller runs these finals again */
		if (!status && self->fault.status)
			status = at_fail(err, self->fault.status, NULL, 0, "%s",
				self->fault.text);
		if (ballast && !self->is_lost)
			self->context->device->ops->release(
				self->context->device, ballast);
		/* infinite: no finalist is left */
		if (status || self->is_lost || isinf(least_usual_ns(self)))
			break;
	}
	return status;
}

/* If the fastest finalist is short: times an empty kernel with as many launches per
   sample, and in a graph if the finalist was, to show the launch overhead. If the
   device fails, the conditions stay unchanged, and the next job finds it. */
static void time_nothing(struct finals *self)
{
	struct at_measure_context *context = self->context;
	const struct at_measure_result *fastest = NULL;
	struct at_invocation nothing;
	struct call_list before = { 0 };
	const struct turn turn = { &before, &nothing };
	double samples_ns[EMPTY_SAMPLES];
	enum at_outcome outcome;
	bool alone;

	for (size_t i = 0; i < self->count; i++)
		if (self->results[i].block_count &&
			(!fastest ||
				self->results[i].blocks_ns[0] < fastest->blocks_ns[0]))
			fastest = &self->results[i];
	/* one empty launch says nothing about the gaps in a sequence */
	if (!fastest || !(fastest->blocks_ns[0] < AT_SHORT_NS) ||
		at_measure_is_sequence(&self->requests[fastest - self->results]))
		return;
	call_list_init(&before, SUPPORT_FLUSH_CALLS);
	support_nothing(context, &context->queue);
	nothing = context->queue.calls[context->queue.count - 1];
	if (context->setup->cache == AT_CACHE_COLD)
		support_flush(context, &before);
	alone = before.count > 0;
	/* a kernel has to run once before time() (device.h) */
	outcome = bench_run(context, NULL);
	for (int i = 0; i < EMPTY_SAMPLES && outcome == AT_OUTCOME_OK; i++)
		outcome = sample_nothing(context, &before, &nothing,
			fastest->launches_per_sample, &samples_ns[i]);
	if (outcome == AT_OUTCOME_OK)
		self->conditions.empty_ns =
			at_statistics_median(samples_ns, EMPTY_SAMPLES).median;
	if (outcome == AT_OUTCOME_OK && fastest->graph_ns > 0)
		(void)time_turns(context, &turn, 1, alone,
			graph_launches(context, alone),
			&self->conditions.empty_graph_ns, NULL);
	call_list_release(&before);
}

/* Makes scratch as large as any finalist needs, since their calls hold its address. */
static enum at_status fit_largest(
	struct finals *self, struct at_measure_binding *largest, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_outcome outcome;
	enum at_status status;

	for (size_t i = 0; i < self->count; i++)
		for (uint32_t j = 0; j < self->context->setup->argument_count; j++)
			if (self->requests[i].bindings[j].count > largest[j].count)
				largest[j].count = self->requests[i].bindings[j].count;
	/* the verification of a winner may have left other data in the sets */
	status = bench_settle(self->context, &reason);
	if (!status)
		status = buffers_fit_scratch(self->context, largest, &reason);
	outcome = judge_fit(status);
	if (outcome == AT_OUTCOME_NONE)
		return at_fail(err, reason.status, NULL, 0, "%s", reason.text);
	if (outcome != AT_OUTCOME_OK)
		judge_all(self->results, self->count, outcome, "", &reason);
	self->is_lost = self->context->device->is_lost;
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

enum at_status at_measure_context_finals(struct at_measure_context *self,
	const struct at_measure_request *requests, size_t count,
	const struct at_measure_finals *how, struct at_measure_result *results,
	struct at_error *err)
{
	struct finals finals = {
		.context = self,
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
	finals.energy = (struct energy){
		.context = self,
		.random = &finals.random,
		.conditions = &finals.conditions,
		.seconds = how->energy_seconds,
	};
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
		time_nothing(&finals);
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
