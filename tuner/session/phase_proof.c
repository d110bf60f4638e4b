#include "session/phase_proof.h"

#include <stdio.h>
#include <string.h>

static void proved(void *context, enum at_outcome outcome, const char *detail,
	const struct at_error *err)
{
	struct at_proof_phase *self = context;
	const struct at_proof_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->evaluator;
	struct at_error problem = { 0 };
	const char *name;
	char text[640];

	if (self->ended)
		return;
	if (err) {
		options->ended(options->context, AT_OUTCOME_NONE, "", err);
		return;
	}
	name = evaluator->ops->case_name(evaluator, self->next);
	if (outcome == AT_OUTCOME_NOT_APPLICABLE) {
		snprintf(text, sizeof(text), "the winner is not verified on \"%s\": %s",
			name, detail);
		options->passed_over(options->context, text);
	} else if (outcome != AT_OUTCOME_OK) {
		snprintf(text, sizeof(text), "on problem \"%s\" with other data: %s",
			name, detail);
		options->ended(options->context, outcome, text, NULL);
		return;
	}
	self->next++;
	if (self->next == evaluator->info.case_count)
		options->ended(options->context, AT_OUTCOME_OK, "", NULL);
	else if (evaluator->ops->prove(evaluator, options->configuration, self->next,
			 proved, self, &problem))
		options->ended(options->context, AT_OUTCOME_NONE, "", &problem);
}

enum at_status at_proof_phase_begin(struct at_proof_phase *self,
	const struct at_proof_phase_options *options, struct at_error *err)
{
	memset(self, 0, sizeof(*self));
	self->options = *options;
	return options->evaluator->ops->prove(
		options->evaluator, options->configuration, 0, proved, self, err);
}

void at_proof_phase_end(struct at_proof_phase *self)
{
	self->ended = true;
}
