/*
 * The finals: the best few again, interleaved, with the baseline among them, so
 * that the winner and its speed-up come from rounds that all shared.
 */
#include "session/tuning_parts.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a contender so much slower than the best has no chance in the finals */
#define CHANCE 1.05
#define ROUNDS 31
/* the finals take a tenth of a time budget, within these bounds */
#define FINALS_SECONDS_MIN 1.0
#define FINALS_SECONDS_MAX 15.0
/* two medians so near are called a tie whatever the interval says */
#define SAME 0.002

static const uint16_t *row_of(
	const struct at_tuning *self, const struct finalist *finalist)
{
	return tuning_row(self, finalist->contender->index);
}

bool tuning_same_source(const struct at_tuning *self)
{
	char hex[AT_HASH_HEX_SIZE];

	return self->recorded.space && self->recorded.source_hash &&
	       !strcmp(self->recorded.source_hash, at_hash_hex(self->source_hash, hex));
}

const struct passed *tuning_find_holder(const struct at_tuning *self)
{
	for (size_t i = 0; self->recorded.space && i < self->passed_count; i++)
		if (self->passed[i].evaluation_id == self->recorded.evaluation_id)
			return &self->passed[i];
	return NULL;
}

bool tuning_was_recorded(
	const struct at_tuning *self, const struct contender *contender)
{
	return self->recorded.space &&
	       self->recorded.evaluation_id == contender->evaluation.id;
}

static bool has_chance(const struct at_tuning *self, const struct contender *contender)
{
	double best_ns = self->podium[0].evaluation.time_ns;

	return contender->evaluation.time_ns <= CHANCE * best_ns ||
	       contender->evaluation.low_ns <= best_ns;
}

/* the finals that crowned the holder could not know of it */
static bool is_new(const struct at_tuning *self, const struct contender *contender)
{
	return !contender->reused ||
	       contender->evaluation.created_seconds > self->recorded.created_seconds;
}

/*
 * Nothing was found that could take the crown from its holder: measuring again
 * would only churn the files with noise.
 */
static bool crown_stands(const struct at_tuning *self)
{
	if (!tuning_same_source(self) || self->options.session->fresh ||
		!tuning_find_holder(self))
		return false;
	for (size_t i = 0; i < self->podium_count; i++)
		if (has_chance(self, &self->podium[i]) &&
			is_new(self, &self->podium[i]))
			return false;
	return true;
}

static bool add_finalist(
	struct at_tuning *self, struct contender *contender, bool is_baseline_only)
{
	struct finalist *finalist = &self->finalists[self->finalist_count];
	struct at_compile_request request;
	struct at_error err = { 0 };

	finalist->contender = contender;
	finalist->is_baseline_only = is_baseline_only;
	if (at_plan_request(
		    &self->plan, row_of(self, finalist), &finalist->request, &err) ||
		at_plan_compile(&self->plan, row_of(self, finalist), AT_UNIT_TUNED,
			&request, &err)) {
		tuning_end(self, &err);
		return false;
	}
	self->finalist_count++;
	finalist->unit = tuning_unit(self, &request);
	return finalist->unit != NULL;
}

void tuning_begin_finals(struct at_tuning *self)
{
	bool baseline_is_in = false;

	if (self->holding)
		at_compilers_hold(self->options.compilers, false);
	self->holding = false;
	if (self->podium_count == 0) {
		tuning_crown_best(self);
		return;
	}
	if (crown_stands(self)) {
		tuning_keep_crown(self);
		return;
	}
	self->phase = PHASE_FINALS;
	tuning_emit(self, AT_EVENT_PHASE, "finals", NULL, NULL, false);
	if (self->setup_state == SETUP_NONE)
		self->setup_state = SETUP_COMPILING;
	for (size_t i = 0; i < self->podium_count; i++) {
		struct contender *contender = &self->podium[i];

		if (!has_chance(self, contender))
			continue;
		baseline_is_in = baseline_is_in ||
				 (self->baseline.evaluation.id &&
					 contender->index == self->baseline.index);
		if (!add_finalist(self, contender, false))
			return;
	}
	if (self->baseline.evaluation.id && !baseline_is_in &&
		!add_finalist(self, &self->baseline, true))
		return;
	tuning_pump(self);
}

/* registers of all threads of a block, then shared memory: what others could use */
static double resources(const struct finalist *finalist)
{
	const struct at_compile_result *compiled = &finalist->unit->result;
	const struct at_geometry *geometry = &finalist->request.kernel.geometry;
	double threads =
		(double)geometry->block[0] * geometry->block[1] * geometry->block[2];
	double registers = 1, shared_bytes = geometry->shared_bytes;

	if (compiled->kernel_count && compiled->kernels[0].registers > 0)
		registers = (double)compiled->kernels[0].registers;
	if (compiled->kernel_count && compiled->kernels[0].shared_bytes > 0)
		shared_bytes += (double)compiled->kernels[0].shared_bytes;
	return registers * threads * 4 + shared_bytes;
}

static bool may_win(const struct finalist *finalist)
{
	return !finalist->refused && finalist->result.outcome == AT_OUTCOME_OK &&
	       finalist->result.sample_count;
}

static bool tied(const struct finalist *leader, const struct finalist *other)
{
	size_t count = leader->result.sample_count < other->result.sample_count
			       ? leader->result.sample_count
			       : other->result.sample_count;
	double *scratch = calloc(count + 1, sizeof(*scratch));
	struct at_interval ratio;

	if (!scratch)
		return false;
	ratio = at_statistics_ratio(
		other->result.samples_ns, leader->result.samples_ns, count, scratch);
	free(scratch);
	return ratio.low <= 1.0 || ratio.median <= 1.0 + SAME;
}

/* the fastest; among those tied with it the recorded winner, else the leanest */
static size_t choose_winner(const struct at_tuning *self)
{
	size_t leader = SIZE_MAX, winner;

	for (size_t i = 0; i < self->finalist_count; i++)
		if (may_win(&self->finalists[i]) &&
			(leader == SIZE_MAX ||
				self->finalists[i].result.time_ns <
					self->finalists[leader].result.time_ns))
			leader = i;
	winner = leader;
	for (size_t i = 0; leader != SIZE_MAX && i < self->finalist_count; i++) {
		const struct finalist *finalist = &self->finalists[i];

		if (i == leader || !may_win(finalist) ||
			!tied(&self->finalists[leader], finalist))
			continue;
		if (tuning_was_recorded(self, finalist->contender))
			return i;
		if (!tuning_was_recorded(self, self->finalists[winner].contender) &&
			resources(finalist) < resources(&self->finalists[winner]))
			winner = i;
	}
	return winner;
}

static void refuse(struct at_tuning *self, const struct finalist *finalist)
{
	size_t index = finalist->contender->index;

	for (size_t i = 0; i < self->passed_count; i++)
		if (self->passed[i].index == index)
			self->passed[i].refused = true;
	/* nothing to compare with, and no guest of the next finals */
	if (self->baseline.index == index)
		self->baseline.evaluation.id = 0;
}

static void clear_podium(struct at_tuning *self)
{
	for (size_t i = 0; i < self->podium_count; i++)
		at_evaluation_release(&self->podium[i].evaluation);
	self->podium_count = 0;
}

/* the podium anew from all that passed and was not refused */
static enum at_status refill_podium(struct at_tuning *self, struct at_error *err)
{
	clear_podium(self);
	for (size_t i = 0; i < self->passed_count; i++) {
		const struct passed *passed = &self->passed[i];
		struct at_evaluation evaluation;
		enum at_status status;

		if (passed->refused ||
			(self->podium_count == PODIUM_SIZE &&
				passed->time_ns >= self->podium[PODIUM_SIZE - 1]
							   .evaluation.time_ns))
			continue;
		status = at_store_get(self->options.store, passed->evaluation_id, false,
			&evaluation, err);
		if (status)
			return status;
		tuning_enter_podium(self, passed->index, &evaluation, passed->reused);
		at_evaluation_release(&evaluation);
	}
	return AT_OK;
}

/* those that failed; all where nobody knows who did, so that there are ever fewer */
static void refuse_failed(struct at_tuning *self)
{
	bool some = false;

	for (size_t i = 0; i < self->finalist_count; i++) {
		const struct finalist *finalist = &self->finalists[i];
		enum at_outcome outcome = finalist->result.outcome;

		if (!finalist->refused &&
			(outcome == AT_OUTCOME_OK || outcome == AT_OUTCOME_NONE))
			continue;
		refuse(self, finalist);
		some = some || !finalist->is_baseline_only;
	}
	for (size_t i = 0; i < self->finalist_count && !some; i++)
		refuse(self, &self->finalists[i]);
}

/* none of these finalists can win: finals again among those that did not fail */
static void begin_next_finals(struct at_tuning *self)
{
	struct at_error err = { 0 };

	refuse_failed(self);
	tuning_release_finals(self);
	memset(self->finalists, 0, sizeof(self->finalists));
	self->finals_sent = false;
	/* the worker may hold a problem of the verification */
	self->setup_state = SETUP_COMPILING;
	if (refill_podium(self, &err))
		tuning_end(self, &err);
	else
		tuning_begin_finals(self);
}

/* the next to be crowned */
static void choose_or_end(struct at_tuning *self)
{
	self->winner = choose_winner(self);
	if (self->winner == SIZE_MAX)
		begin_next_finals(self);
	else
		tuning_begin_verify(self);
}

void tuning_next_winner(struct at_tuning *self)
{
	self->finalists[self->winner].refused = true;
	refuse(self, &self->finalists[self->winner]);
	choose_or_end(self);
}

static void finals_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err)
{
	struct at_tuning *self = context;

	if (self->phase != PHASE_FINALS)
		return;
	if (err) {
		tuning_end(self, err);
		return;
	}
	for (size_t i = 0; i < count && i < self->finalist_count; i++) {
		self->finalists[i].result = results[i];
		memset(&results[i], 0, sizeof(results[i]));
	}
	choose_or_end(self);
}

static double finals_seconds(const struct at_tuning *self)
{
	double seconds = self->target_seconds / 10;

	if (self->target_seconds <= 0 || seconds > FINALS_SECONDS_MAX)
		return FINALS_SECONDS_MAX;
	return seconds < FINALS_SECONDS_MIN ? FINALS_SECONDS_MIN : seconds;
}

static bool all_compiled(const struct at_tuning *self)
{
	for (size_t i = 0; i < self->finalist_count; i++)
		if (!self->finalists[i].unit->done)
			return false;
	return true;
}

void tuning_finals(struct at_tuning *self)
{
	struct at_measure_request requests[FINALISTS];
	struct at_error err = { 0 };

	if (self->finals_sent || self->setup_state != SETUP_READY ||
		!all_compiled(self) || at_remote_busy(self->options.remote))
		return;
	for (size_t i = 0; i < self->finalist_count; i++) {
		struct finalist *finalist = &self->finalists[i];

		if (finalist->unit->result.outcome != AT_OUTCOME_OK ||
			!tuning_set_image(&finalist->unit->result, self->options.spec,
				&finalist->request)) {
			at_fail(&err, AT_EINVAL, self->options.spec->path, 0,
				"a configuration that compiled before does not compile now: %.200s",
				finalist->unit->result.log ? finalist->unit->result.log
							   : "");
			tuning_end(self, &err);
			return;
		}
		tuning_set_sampling(self, &finalist->request);
		finalist->request.sampling_seconds = finals_seconds(self);
		requests[i] = finalist->request;
	}
	self->finals_sent = true;
	at_remote_finals(self->options.remote, requests, self->finalist_count, ROUNDS,
		self->options.session->seed,
		finals_seconds(self) + 2 * tuning_deadline(self), finals_measured,
		self);
}

void tuning_release_finals(struct at_tuning *self)
{
	for (size_t i = 0; i < self->finalist_count; i++) {
		at_measure_request_release(&self->finalists[i].request);
		at_measure_result_release(&self->finalists[i].result);
	}
	if (self->verify_planned)
		at_plan_release(&self->verify_plan);
	self->verify_planned = false;
	self->finalist_count = 0;
}
