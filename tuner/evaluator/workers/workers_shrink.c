/*
 * Finds a simpler case on which a winner still fails: one number after the other of the
 * failing case gets its tuned value back, or in a case of the default list the value
 * that most of them have, and stays so if the winner fails then, too. What is left are
 * numbers that matter (greedy delta debugging, after Zeller and Hildebrandt 2002,
 * "Simplifying and Isolating Failure-Inducing Input").
 */
#include "evaluator/workers/workers_parts.h"

#include "base/memory.h"
#include "evaluator/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

		at_case_without(self->options.spec, self->options.problem,
			&self->options.infos[0], shrinking->smallest->plan.problem,
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

/* Makes the outcome on the smallest case the outcome of the verification. */
static void tell_smallest(struct task *task)
{
	const struct shrinking *shrinking = task->shrinking;

	task->base.outcome = shrinking->outcome;
	snprintf(task->base.detail, sizeof(task->base.detail), "%s", shrinking->detail);
}

bool workers_shrinks(struct workers *self, struct task *task)
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
		tell_smallest(task);
		return false;
	}
	if (is_failure) {
		shrinking->smallest = task->workload;
		shrinking->outcome = task->base.outcome;
		snprintf(shrinking->detail, sizeof(shrinking->detail), "%s",
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
		tell_smallest(task);
		return false;
	}
	if (!at_plan_admits(&workload->plan, shrinking->configuration))
		smaller->base.plan.outcome = AT_OUTCOME_NOT_APPLICABLE;
	if (workers_is_default(workload))
		workers_add_second_opinion(
			self, shrinking->configuration, &smaller->second_opinion);
	smaller->shrinking = shrinking;
	task->shrinking = NULL;
	workers_replace_task(self, task, smaller);
	return true;
}
