/* Tells the answers that are due; called from the loop. */
#include "evaluator/workers/workers_parts.h"

#include <stdlib.h>

/* Tells the outcome of a proof; of a failure on a case also the case. */
static void tell_proof(const struct workers *self, struct trial *trial)
{
	const struct workload *workload = trial->shrinking && trial->shrinking->smallest
						  ? trial->shrinking->smallest
						  : trial->workload;
	const struct at_case_data data = { workload->plan.contents, workload->plan.seed,
		workload->plan.is_scaled };
	char *instance = NULL;
	struct at_proof_answer proof = {
		.outcome = trial->outcome,
		.detail = trial->detail,
		.error = trial->result.max_relative_error,
		.proved = trial->result.proved,
		.is_unfit = trial->workload->is_unfit &&
			    trial->outcome == AT_OUTCOME_NOT_APPLICABLE,
		.reference_fails = trial->workload->reference_fails,
	};
	struct at_strbuf line = { 0 };

	if (trial->outcome != AT_OUTCOME_OK &&
		trial->outcome != AT_OUTCOME_NOT_APPLICABLE &&
		trial->outcome != AT_OUTCOME_NONE &&
		(workload->from || workload->is_shrunk)) {
		at_case_write(workload->plan.problem, &line);
		proof.line = line.data;
		proof.instance = instance = at_case_instance(self->options.spec,
			workload->plan.problem, self->options.problem, &data);
	}
	trial->proved(trial->context, &proof, NULL);
	free(instance);
	at_strbuf_release(&line);
}

void workers_answer(struct workers *self, struct trial *trial)
{
	struct at_answer answer = {
		.planned = trial->planned,
		.outcome = trial->outcome,
		.detail = trial->detail,
		.log = trial->compiled.log ? trial->compiled.log : "",
		.facts = trial->compiled.facts,
		.result = trial->is_measured ? &trial->result : NULL,
		.image = trial->image,
		.is_copy = trial->is_copy,
		.board = trial->seat ? trial->seat->info->uuid : "",
	};

	if (trial->proved && workers_asks_baseline(self, trial))
		return;
	if (trial->proved && workers_shrinks(self, trial))
		return;
	workers_unlink_trial(self, trial);
	self->has_answered = true;
	if (trial->proved) {
		tell_proof(self, trial);
	} else {
		trial->answered(trial->context, &answer, NULL);
		trial->planned = answer.planned;
	}
	/* The caller may have kept planned; without it the trial cannot be the
	   yardstick any more. */
	if (trial == self->yardstick && !trial->planned)
		self->yardstick = NULL;
	if (trial != self->yardstick)
		workers_free_trial(trial);
}

/*
 * Whether the units of the setup are compiled. If the reference does not compile, the
 * user must be told that, and not the outcome of configurations, which were compiled
 * beside it.
 */
static bool parts_are_known(const struct workers *self, const struct workload *workload)
{
	return self->support.path &&
	       (workload->reference.path ||
		       self->options.spec->reference.kind != AT_REFERENCE_KERNEL);
}

void workers_tell_due(void *context)
{
	struct workers *self = context;
	struct trial *trial = self->trials;

	self->is_telling_later = false;
	while (trial && !self->failed) {
		if (trial->stage != STAGE_TOLD) {
			trial = trial->next;
			continue;
		}
		/* an outcome without a measurement waits until the setup's units are
		   known to compile */
		if (trial->outcome != AT_OUTCOME_NONE && !trial->is_measured &&
			trial->planned->outcome == AT_OUTCOME_OK &&
			!parts_are_known(self, trial->workload)) {
			trial = trial->next;
			continue;
		}
		/* the callback may begin others, stop everything or end the search:
		   start again */
		workers_answer(self, trial);
		trial = self->trials;
	}
	self->pump(self);
}
