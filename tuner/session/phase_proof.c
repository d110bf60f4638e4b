#include "session/phase_proof.h"

#include "device/device.h"

#include <stdio.h>
#include <string.h>

/*
 * A sanitizer starts a process, a driver and a context, and instruments every kernel
 * that it meets: less than this is no time for one. What the first takes tells of the
 * next.
 */
#define SANITIZER_SECONDS 2.0
/* where it was asked for there is no budget: but what hangs has to end */
#define ASKED_SECONDS 600.0

static void step(struct at_proof_phase *self);

/* what one case was held to: of all cases together the least, but for launches */
static void add_case(struct at_proof *proof, const struct at_measure_proof *one)
{
	bool is_first = !proof->problems++;

	if (is_first || one->data_sets < proof->data_sets)
		proof->data_sets = one->data_sets;
	if (is_first || one->patterns < proof->patterns)
		proof->patterns = one->patterns;
	proof->guarded = (is_first || proof->guarded) && one->guarded;
	proof->zones = (is_first || proof->zones) && one->zones;
	proof->crowded = (is_first || proof->crowded) && one->crowded;
	proof->launches += one->launches;
}

static void case_answered(
	void *context, const struct at_proof_answer *answer, const struct at_error *err)
{
	struct at_proof_phase *self = context;
	const struct at_proof_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->evaluator;
	const char *name;
	char text[640];

	if (self->ended)
		return;
	if (err) {
		options->ended(options->context, AT_OUTCOME_NONE, "", NULL, err);
		return;
	}
	name = evaluator->ops->case_name(evaluator, self->next);
	if (answer->outcome == AT_OUTCOME_NOT_APPLICABLE) {
		snprintf(text, sizeof(text), "the winner is not verified on \"%s\": %s",
			name, answer->detail);
		options->passed_over(options->context, text);
	} else if (answer->outcome != AT_OUTCOME_OK) {
		snprintf(text, sizeof(text), "on problem \"%s\" with other data: %s",
			name, answer->detail);
		options->ended(
			options->context, answer->outcome, text, &self->proof, NULL);
		return;
	} else {
		add_case(&self->proof, &answer->proved);
	}
	self->next++;
	step(self);
}

/* ---- the checks ------------------------------------------------------------- */

static uint64_t now_ns(const struct at_proof_phase *self)
{
	return self->options.evaluator->ops->now_ns(self->options.evaluator);
}

static double seconds_since(const struct at_proof_phase *self, uint64_t begun_ns)
{
	return (double)(now_ns(self) - begun_ns) * 1e-9;
}

static void check_answered(
	void *context, const struct at_proof_answer *answer, const struct at_error *err)
{
	struct at_proof_phase *self = context;
	const struct at_proof_phase_options *options = &self->options;
	enum at_check check = (enum at_check)self->next_check;
	struct at_check_result *result = &self->proof.checks[check];
	double seconds;
	char text[640];

	if (self->ended)
		return;
	if (err) {
		options->ended(options->context, AT_OUTCOME_NONE, "", NULL, err);
		return;
	}
	if (answer->outcome == AT_OUTCOME_OK) {
		result->state = AT_CHECK_PASSED;
		seconds = seconds_since(self, self->check_begun_ns);
		if (check != AT_CHECK_HOST && seconds > self->longest_seconds)
			self->longest_seconds = seconds;
	} else if (answer->outcome == AT_OUTCOME_NOT_APPLICABLE) {
		result->state = answer->detail[0] ? AT_CHECK_NOT_RUN : AT_CHECK_UNASKED;
		snprintf(result->why, sizeof(result->why), "%s", answer->detail);
	} else {
		snprintf(text, sizeof(text), "%s: %s", at_check_name(check),
			answer->detail);
		options->ended(
			options->context, answer->outcome, text, &self->proof, NULL);
		return;
	}
	self->next_check++;
	step(self);
}

/* Where nobody could watch its memory anyway, nothing was left out. */
static bool has_sanitizer(const struct at_evaluator *evaluator)
{
	const struct at_device_kind *kind;

	return at_device_kind_find(evaluator->info.device.kind, &kind, NULL) ||
	       kind->has_sanitizer;
}

/* 0, and why: there is no time for this check, or nobody wants it */
static double seconds_for(struct at_proof_phase *self, enum at_check check,
	struct at_check_result *result)
{
	const struct at_proof_phase_options *options = &self->options;
	double left, needed = SANITIZER_SECONDS;

	if (check != AT_CHECK_HOST && (options->sanitize == AT_SANITIZE_NEVER ||
					      !has_sanitizer(options->evaluator)))
		return 0;
	if (check == AT_CHECK_HOST && options->sanitizers_only)
		return 0;
	if (check != AT_CHECK_HOST && options->sanitize == AT_SANITIZE_PODIUM)
		return ASKED_SECONDS;
	left = options->check_seconds - seconds_since(self, self->checks_begun_ns);
	if (check == AT_CHECK_HOST)
		needed = 0;
	else if (self->longest_seconds > 0)
		needed = self->longest_seconds;
	if (left > needed)
		return left;
	result->state = AT_CHECK_NOT_RUN;
	snprintf(result->why, sizeof(result->why), "the budget has no time for it%s",
		check == AT_CHECK_HOST ? "" : "; --sanitize asks for it all the same");
	return 0;
}

static enum at_status prove_next(struct at_proof_phase *self, struct at_error *err)
{
	const struct at_proof_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->evaluator;
	size_t left = evaluator->info.case_count - self->next;
	double seconds = AT_PATIENT;

	if (options->budget)
		seconds = at_budget_case_seconds(
			options->budget, now_ns(self), left, self->next == 0);
	return evaluator->ops->prove(evaluator, options->configuration, self->next,
		seconds, case_answered, self, err);
}

/* the next thing to ask for, or the end */
static void step(struct at_proof_phase *self)
{
	const struct at_proof_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->evaluator;
	enum at_status status = AT_OK;
	struct at_error err = { 0 };

	if (!options->sanitizers_only && self->next < evaluator->info.case_count) {
		status = prove_next(self, &err);
	} else {
		double seconds = 0;

		if (!self->checks_begun_ns)
			self->checks_begun_ns = now_ns(self);
		if (!evaluator->ops->check)
			self->next_check = AT_CHECK_COUNT;
		for (; self->next_check < AT_CHECK_COUNT; self->next_check++) {
			seconds = seconds_for(self, (enum at_check)self->next_check,
				&self->proof.checks[self->next_check]);
			if (seconds > 0)
				break;
		}
		if (self->next_check == AT_CHECK_COUNT) {
			options->ended(options->context, AT_OUTCOME_OK, "",
				&self->proof, NULL);
			return;
		}
		self->check_begun_ns = now_ns(self);
		status = evaluator->ops->check(evaluator, options->configuration,
			(enum at_check)self->next_check, seconds, check_answered, self,
			&err);
	}
	if (status)
		options->ended(options->context, AT_OUTCOME_NONE, "", NULL, &err);
}

static void begin_checks(void *context)
{
	struct at_proof_phase *self = context;

	if (!self->ended)
		step(self);
}

enum at_status at_proof_phase_begin(struct at_proof_phase *self,
	const struct at_proof_phase_options *options, struct at_error *err)
{
	memset(self, 0, sizeof(*self));
	self->options = *options;
	/* from the loop: there may be nothing to ask for, and who asked need not be
	   prepared to be told from inside */
	if (options->sanitizers_only)
		return options->evaluator->ops->later(
			options->evaluator, begin_checks, self, err);
	return prove_next(self, err);
}

bool at_proof_phase_passed(const struct at_proof_phase *self, struct at_proof *out)
{
	const struct at_evaluator *evaluator = self->options.evaluator;

	if (!evaluator || self->options.sanitizers_only ||
		self->next < evaluator->info.case_count)
		return false;
	*out = self->proof;
	for (size_t i = self->next_check; i < AT_CHECK_COUNT; i++) {
		if (!evaluator->ops->check ||
			(i != AT_CHECK_HOST &&
				self->options.sanitize == AT_SANITIZE_NEVER))
			continue;
		out->checks[i].state = AT_CHECK_NOT_RUN;
		snprintf(out->checks[i].why, sizeof(out->checks[i].why),
			"the run was interrupted");
	}
	return true;
}

void at_proof_phase_end(struct at_proof_phase *self)
{
	self->ended = true;
}
