/*
 * Verification on cases that nothing in the space promises (is_default of struct
 * at_case). A winner that fails on one is not refused for that alone: the baseline is
 * asked, and only if it is right there, the winner is wrong. Otherwise the case is left
 * out, and a note says so.
 *
 * On a case of the domain, only a deadline that is met asks the baseline. The case is
 * left out where the baseline meets it too: it was drawn too long for this device.
 */
#include "evaluator/workers/workers_parts.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- notes ahead of the first case --------------------------------------- */

void workers_tell_default(struct workers *self)
{
	char text[256];
	size_t count = 0;

	for (size_t i = 0; i < self->case_count; i++)
		/* counterexamples and a night's cases have seeds of their own */
		count += self->cases[i].is_default && !self->cases[i].contents &&
			 !self->cases[i].seed;
	if (self->has_told_default || !count)
		return;
	self->has_told_default = true;
	snprintf(text, sizeof(text),
		"the space declares no \"domain\": winners are verified on %zu cases of the default list, where the baseline is right on them (\"derive = false\" in verify leaves them out)",
		count);
	workers_tell(self, AT_NOTICE_NOTE, text);
}

/* ---- the baseline's opinion ------------------------------------------------------ */

void workers_widen(const struct at_spec *spec, const struct at_spec *whole,
	const uint16_t *configuration, uint16_t *out)
{
	for (size_t i = 0; i < spec->parameter_count; i++) {
		const struct at_value value =
			spec->parameters[i].values[configuration[i]];
		const struct at_parameter *parameter = &whole->parameters[i];

		out[i] = 0;
		while ((size_t)out[i] + 1 < parameter->value_count &&
			!at_value_equal(parameter->values[out[i]], value))
			out[i]++;
	}
}

void workers_add_second_opinion(const struct workers *self,
	const uint16_t *configuration, struct second_opinion **out)
{
	const struct at_spec *spec = self->options.spec;
	const struct at_spec *whole = self->options.whole_spec;
	const size_t count = spec->parameter_count;
	uint16_t *widened = at_calloc(count + 1, sizeof(*widened));

	workers_widen(spec, whole, configuration, widened);
	*out = at_calloc(1, sizeof(**out));
	(*out)->is_of_baseline =
		!memcmp(widened, whole->defaults, count * sizeof(*widened));
	free(widened);
}

/* Outcomes that say nothing about what the kernel computes. */
static bool is_passed_over(enum at_outcome outcome)
{
	return outcome == AT_OUTCOME_NOT_APPLICABLE ||
	       outcome == AT_OUTCOME_COMPILE_FAILED ||
	       outcome == AT_OUTCOME_TOO_MANY_RESOURCES ||
	       outcome == AT_OUTCOME_LAUNCH_FAILED;
}

/* Plans the baseline; *out NULL: the constraints exclude it on this case. */
static enum at_status plan_asked(struct workers *self, struct workload *workload,
	struct task **out, struct at_error *err)
{
	const uint16_t *configuration = self->options.whole_spec->defaults;
	/* also where --set leaves it out: the kernel is the same */
	struct at_plan plan = workload->plan;
	enum at_status status;

	*out = NULL;
	/* shares slots and setups with the plan, which was made for the winner */
	plan.spec = self->options.whole_spec;
	if (!at_plan_admits(&plan, configuration))
		return AT_OK;
	status = workers_new_task(workload, &plan, configuration, out, err);
	if (!status && (*out)->base.plan.outcome != AT_OUTCOME_OK) {
		at_task_free(&(*out)->base);
		*out = NULL;
	}
	return status;
}

/* The winner is wrong where the baseline is right: says so, and what would allow it. */
static void refuse(struct task *task)
{
	const struct second_opinion *second_opinion = task->second_opinion;

	task->base.outcome = second_opinion->outcome;
	if (workers_is_default(task->workload))
		snprintf(task->base.detail, sizeof(task->base.detail),
			"%.280s (the baseline is right there; if that never comes: %.170s)",
			second_opinion->detail, task->workload->from->promise);
	else
		snprintf(task->base.detail, sizeof(task->base.detail), "%s",
			second_opinion->detail);
}

#define BASELINE_FAILS "nothing promises it, and the baseline is not right on it either"
#define BASELINE_IS_LATE "the baseline does not end in time there either"

/* A number may make kernels run for ever. After so many cases on which the baseline is
   late, a winner that is late is not compared with it any more. */
#define LATE_MOST 2

static void leave_out(struct task *task, const char *why)
{
	task->base.outcome = AT_OUTCOME_NOT_APPLICABLE;
	snprintf(task->base.detail, sizeof(task->base.detail), "%s (%.300s)", why,
		task->second_opinion->detail);
}

/* The winner is not right: asks the baseline, where it is not known how that is. */
static bool failed(struct workers *self, struct task *task)
{
	struct second_opinion *second_opinion = task->second_opinion;
	const bool is_late = task->base.outcome == AT_OUTCOME_TIMED_OUT;

	second_opinion->outcome = task->base.outcome;
	snprintf(second_opinion->detail, sizeof(second_opinion->detail), "%s",
		task->base.detail);
	if (!workers_is_default(task->workload) && !is_late)
		return false;
	if (is_passed_over(task->base.outcome)) {
		task->base.outcome = AT_OUTCOME_NOT_APPLICABLE;
		return false;
	}
	if (second_opinion->is_of_baseline) {
		leave_out(task, is_late ? BASELINE_IS_LATE : BASELINE_FAILS);
		return false;
	}
	if (is_late && workers_is_default(task->workload) &&
		self->late_count >= LATE_MOST) {
		leave_out(task, "the baseline did not end in time on others");
		return false;
	}
	second_opinion->asks_baseline = true;
	return true;
}

/* Whether the baseline is asked next; false: the trial's outcome is the answer. */
static bool decide(struct workers *self, struct task *task)
{
	struct second_opinion *second_opinion = task->second_opinion;
	struct workload *workload = task->workload;

	if (!second_opinion->asks_baseline) {
		if (task->base.outcome == AT_OUTCOME_OK || !failed(self, task))
			return false;
		if (!workload->baseline_fits)
			return true;
	} else if (task->base.outcome == AT_OUTCOME_TIMED_OUT) {
		self->late_count++;
		leave_out(task, BASELINE_IS_LATE);
		return false;
	} else if (task->base.outcome != AT_OUTCOME_OK &&
		   workers_is_default(workload)) {
		workload->is_unfit = true;
		leave_out(task, BASELINE_FAILS);
		return false;
	}
	workload->baseline_fits |= task->base.outcome == AT_OUTCOME_OK;
	refuse(task);
	return false;
}

bool workers_asks_baseline(struct workers *self, struct task *task)
{
	struct task *asked;
	struct at_error err = { 0 };

	if (!task->second_opinion || task->base.outcome == AT_OUTCOME_NONE ||
		!decide(self, task))
		return false;
	if (plan_asked(self, task->workload, &asked, &err)) {
		workers_fail(self, &err);
		return true;
	}
	if (!asked) {
		if (workers_is_default(task->workload))
			leave_out(task,
				"nothing promises it, and the baseline is not for it");
		return false;
	}
	asked->second_opinion = task->second_opinion;
	task->second_opinion = NULL;
	asked->shrinking = task->shrinking;
	task->shrinking = NULL;
	workers_replace_task(self, task, asked);
	return true;
}
