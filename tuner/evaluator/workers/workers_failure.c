/*
 * What follows where a winner fails on a case: the baseline's opinion, and a simpler
 * case.
 *
 * A winner is not refused for a case that nothing in the space promises (is_default of
 * struct at_case) alone: the baseline is asked, and only if it is right there, the
 * winner is wrong. Otherwise the case is left out, and a note says so. On a case of the
 * domain, only a deadline that is met asks the baseline. The case is left out where the
 * baseline meets it too: it was drawn too long for this device.
 *
 * Then a simpler case is looked for: one number after the other of the failing case
 * gets its tuned value back, or in a case of the default list the value that most of
 * them have, and stays so if the winner fails then, too. What is left are numbers that
 * matter (greedy delta debugging, after Zeller and Hildebrandt 2002, "Simplifying and
 * Isolating Failure-Inducing Input").
 */
#include "evaluator/workers/workers_internal.h"

#include "base/memory.h"
#include "evaluator/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct second_opinion *workers_new_second_opinion(
	const struct workers *self, const uint16_t *configuration)
{
	const struct at_spec *spec = self->options.spec;
	const struct at_spec *whole = self->options.whole_spec;
	const size_t count = spec->parameter_count;
	uint16_t *widened = at_calloc(count + 1, sizeof(*widened));
	struct second_opinion *out = at_calloc(1, sizeof(*out));

	workers_widen(spec, whole, configuration, widened);
	out->is_of_baseline =
		!memcmp(widened, whole->defaults, count * sizeof(*widened));
	free(widened);
	return out;
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

/* Makes the outcome of an earlier task that of this one. */
static void take(struct task *task, const struct at_finding *finding)
{
	task->base.outcome = finding->outcome;
	snprintf(task->base.detail, sizeof(task->base.detail), "%.511s",
		finding->detail);
}

/* The winner is wrong where the baseline is right: says so, and what would allow it. */
static void refuse(struct task *task)
{
	const struct at_finding *finding = &task->second_opinion->finding;

	if (!workers_is_default(task->workload)) {
		take(task, finding);
		return;
	}
	task->base.outcome = finding->outcome;
	snprintf(task->base.detail, sizeof(task->base.detail),
		"%.280s (the baseline is right there; if that never comes: %.170s)",
		finding->detail, task->workload->from->promise);
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
		task->second_opinion->finding.detail);
}

/* The winner is not right: asks the baseline, where it is not known how that is. */
static bool failed(struct workers *self, struct task *task)
{
	struct second_opinion *second_opinion = task->second_opinion;
	const bool is_late = task->base.outcome == AT_OUTCOME_TIMED_OUT;

	at_finding_set(
		&second_opinion->finding, task->base.outcome, "%s", task->base.detail);
	if (!workers_is_default(task->workload) && !is_late)
		return false;
	/* these say nothing about what the kernel computes */
	if (task->base.outcome == AT_OUTCOME_NOT_APPLICABLE ||
		task->base.outcome == AT_OUTCOME_COMPILE_FAILED ||
		task->base.outcome == AT_OUTCOME_TOO_MANY_RESOURCES ||
		task->base.outcome == AT_OUTCOME_LAUNCH_FAILED) {
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

/* Begins the baseline in the task's place. False: the task is to be answered. */
static bool ask_baseline(struct workers *self, struct task *task)
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

/* ---- a simpler case -------------------------------------------------------------- */

/* Adds the workload of the smallest case so far without the number that is due; NULL
   with AT_OK: no number is left. */
static enum at_status add_next(struct workers *self, struct shrinking *shrinking,
	struct workload **out, struct at_error *err)
{
	const size_t count = self->workload_count;
	enum at_status status = AT_OK;

	*out = NULL;
	while (!status && !*out && self->added_count < ADDED_MOST) {
		struct at_case *one = &self->added[self->added_count];

		at_case_without(&self->source, shrinking->smallest->plan.problem,
			&shrinking->next, one);
		if (!one->problem.name)
			return AT_OK;
		self->added_count++;
		status = workers_add_case(self, one, err);
		/* nothing is added where the space has no such problem */
		if (!status && self->workload_count > count)
			*out = &self->workloads[count];
	}
	return status;
}

/* Begins a simpler case in the task's place. False: the task is to be answered, with
   the outcome on the smallest case. */
static bool shrink(struct workers *self, struct task *task)
{
	struct shrinking *shrinking = task->shrinking;
	/* one that is late would be late as often as a smaller case is tried */
	const bool is_failure = task->base.outcome != AT_OUTCOME_OK &&
				task->base.outcome != AT_OUTCOME_NOT_APPLICABLE &&
				task->base.outcome != AT_OUTCOME_TIMED_OUT &&
				task->base.outcome != AT_OUTCOME_NONE;
	struct task *smaller = NULL;
	struct workload *workload = NULL;
	struct at_error err = { 0 };
	enum at_status status;

	if (!shrinking || (!shrinking->smallest && !is_failure))
		return false;
	if (task->base.outcome == AT_OUTCOME_NONE) {
		take(task, &shrinking->finding);
		return false;
	}
	if (is_failure) {
		shrinking->smallest = task->workload;
		at_finding_set(&shrinking->finding, task->base.outcome, "%s",
			task->base.detail);
	}
	status = add_next(self, shrinking, &workload, &err);
	if (!status && workload)
		status = workers_new_task(workload, &workload->plan,
			shrinking->configuration, &smaller, &err);
	if (status) {
		workers_fail(self, &err);
		return true;
	}
	if (!workload) {
		take(task, &shrinking->finding);
		return false;
	}
	if (!at_plan_admits(&workload->plan, shrinking->configuration))
		smaller->base.plan.outcome = AT_OUTCOME_NOT_APPLICABLE;
	if (workers_is_default(workload))
		smaller->second_opinion =
			workers_new_second_opinion(self, shrinking->configuration);
	smaller->shrinking = shrinking;
	task->shrinking = NULL;
	workers_replace_task(self, task, smaller);
	return true;
}

bool workers_goes_on(struct workers *self, struct task *task)
{
	return ask_baseline(self, task) || shrink(self, task);
}
