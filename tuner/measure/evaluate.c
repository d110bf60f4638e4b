/* One evaluation from the loaded image to the outcome. */
#include "measure/buffers.h"
#include "measure/candidate.h"
#include "measure/contents.h"
#include "measure/proof.h"
#include "measure/result.h"
#include "measure/sample.h"
#include "measure/tolerance.h"
#include "measure/trip.h"
#include "measure/verify.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* orders of threads tried before timing, where the device can shuffle them */
#define SHUFFLED_RUNS 2
/* launches in a row of a module that keeps something, and how long they may take */
#define WORN_LAUNCHES 64
#define WORN_NS 200000000.0

/*
 * Before anything is timed: one launch, or several in different orders where threads
 * can be shuffled. *launch_ns: how long a launch took that is too slow to be worth
 * another one; else 0.
 */
static enum at_outcome prove(struct at_bench *self, struct candidate *candidate,
	const struct at_measure_request *request, double *launch_ns,
	struct at_measure_result *result, struct at_error *err)
{
	void (*shuffle)(struct at_device *, uint64_t) =
		self->device->ops->shuffle_threads;
	unsigned runs = shuffle ? SHUFFLED_RUNS : 1;
	enum at_outcome outcome = AT_OUTCOME_OK;
	struct proof proof = { .poison = POISON,
		.limit_ns = sample_limit_ns(self, request->incumbent_ns) };

	for (unsigned i = 0; i < runs && outcome == AT_OUTCOME_OK; i++) {
		/* each evaluation draws orders of its own */
		if (shuffle)
			shuffle(self->device, request->seed * SHUFFLED_RUNS + i + 1);
		proof.staging = (struct staging){ i % self->set_count, SIDE_END };
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
 * A module that keeps something from launch to launch was timed with that put back.
 * Here nothing is, for as many launches as a first use of it may see: one that stops
 * working after some of them is not right.
 */
static enum at_outcome verify_worn(struct at_bench *self, struct candidate *candidate,
	struct at_measure_result *result, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	enum at_outcome outcome = AT_OUTCOME_OK;

	for (unsigned i = 0; i < WORN_LAUNCHES && outcome == AT_OUTCOME_OK &&
			     (double)(at_clock_now_ns() - start_ns) < WORN_NS;
		i++) {
		struct staging staging = { i % self->set_count, SIDE_END };
		const struct bound_calls *calls =
			&candidate->calls[staging.set][SIDE_END];

		self->is_unwatched = true;
		list_restore(self, &self->queue, staging, POISON, true);
		if (calls->prepare.invocation.kernel)
			call_list_add(&self->queue, &calls->prepare.invocation);
		call_list_add(&self->queue, &calls->kernel.invocation);
		outcome = bench_run(self, err);
	}
	for (unsigned set = 0; set < self->set_count && outcome == AT_OUTCOME_OK;
		set++) {
		struct proof proof = { .staging = { set, SIDE_END },
			.poison = POISON_AGAIN,
			.watches_borders = true };

		outcome = verify_once(self, candidate, &proof, result, err);
	}
	return outcome;
}

/*
 * The outputs that the timed launches left behind: the last one's, of one set of data.
 * Then the other set's, and where the cache was warm a launch that begins from poison:
 * a kernel that stops working after some launches, or works on every other one, is not
 * timed as a fast one. What is too slow to win need not be looked at twice.
 */
static enum at_outcome verify_timed(struct at_bench *self, struct candidate *candidate,
	struct at_measure_result *result, struct at_error *err)
{
	bool is_last = self->setup->cache == AT_CACHE_COLD &&
		       (self->set_count == 1 || result->raced);
	struct proof proof = { .poison = POISON_AGAIN, .watches_borders = true };
	enum at_outcome outcome = verify_sampled(self, candidate, is_last, result, err);

	proof.staging = (struct staging){ (candidate->last_set + 1) % self->set_count,
		SIDE_END };
	if (outcome == AT_OUTCOME_OK && !is_last)
		outcome = verify_once(self, candidate, &proof, result, err);
	if (outcome == AT_OUTCOME_OK && candidate->keeps_state && !result->raced)
		outcome = verify_worn(self, candidate, result, err);
	/* it was right before it was timed */
	return outcome == AT_OUTCOME_WRONG_RESULT ? AT_OUTCOME_UNSTABLE : outcome;
}

/*
 * Samples, and what they left. A module in which only these launches have changed
 * something is sampled once more, with that put back ahead of each of them: what was
 * kept after some launches may have been what made the others fast.
 */
static enum at_outcome time_candidate(struct at_bench *self,
	struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;
	bool kept_state;

	candidate_list(self, candidate);
	do {
		kept_state = candidate->keeps_state;
		result->sample_count = 0;
		result->raced = false;
		outcome = sample_candidate(self, candidate, request, result, err);
		if (outcome == AT_OUTCOME_OK)
			outcome = verify_timed(self, candidate, result, err);
		candidate_list(self, candidate);
	} while (outcome == AT_OUTCOME_OK && candidate->keeps_state != kept_state);
	return outcome;
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
	/* allocated before anything runs, so that a lack of memory leaves no
	   evaluation half done */
	result->samples_ns =
		calloc(request->samples_max + 1, sizeof(*result->samples_ns));
	if (!result->samples_ns)
		return at_fail_memory(err);
	status = bench_settle(self, &reason);
	if (!status)
		status = buffers_fit_scratch(self, request->bindings, &reason);
	outcome = judge_fit(status);
	status = AT_OK;
	/* loading keeps addresses, so buffers come first */
	if (outcome == AT_OUTCOME_OK)
		outcome = candidate_load(self, request, &candidate, &reason);
	if (outcome == AT_OUTCOME_OK && request->verify_only)
		outcome = prove_winner(self, &candidate, request, result, &reason);
	else if (outcome == AT_OUTCOME_OK)
		outcome = prove(self, &candidate, request, &launch_ns, result, &reason);
	result->was_hopeless = request->audit && launch_ns > 0;
	if (outcome == AT_OUTCOME_OK && launch_ns > 0 && !request->audit) {
		/* it is correct, but much too slow: it gets no further launch */
		result->raced = true;
		result->launches_per_sample = 1;
		result->samples_ns[result->sample_count++] = launch_ns;
		sample_summarize(result, result->samples_ns);
	} else if (outcome == AT_OUTCOME_OK && !request->verify_only) {
		outcome = time_candidate(self, &candidate, request, result, &reason);
	}
	/*
	 * Wherever it ended, no configuration passes the buffers on to the next one
	 * unless somebody looked at them after its last launch. What it wrote astray
	 * outweighs what else is wrong with it.
	 */
	if (self->is_unwatched && !self->device->is_lost &&
		!outcome_loses_device(outcome)) {
		enum at_outcome borders = verify_borders(self, result, &reason);

		if (borders != AT_OUTCOME_OK)
			outcome = borders;
	}
	candidate_release(self, &candidate);
	if (is_machines_fault(outcome, &reason)) {
		status = at_fail(err, reason.status, NULL, 0, "%s", reason.text);
		outcome = AT_OUTCOME_NONE;
	}
	if (outcome != AT_OUTCOME_OK)
		result_drop_times(result);
	if (outcome != AT_OUTCOME_OK && outcome != AT_OUTCOME_NONE)
		result_explain(result, &reason);
	if (outcome == AT_OUTCOME_OK && request->is_baseline)
		tolerance_tell(self, result);
	result->outcome = outcome;
	result->device_lost = self->device->is_lost || outcome_loses_device(outcome);
	result->measure_ns = at_clock_now_ns() - start_ns;
	return status;
}
