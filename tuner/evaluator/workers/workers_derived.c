/*
 * Proofs on problems that no space names: derived sizes (evaluator/derived.h) and
 * varied arguments (evaluator/plan_vary.c).
 *
 * The space does not say that it is for such sizes, so that a winner that fails on them
 * is not refused for that alone: other configurations are asked first. If one of them
 * is right, the problem makes sense and the winner is wrong. If none is, the space is
 * for other sizes, for which its author may not have written a constraint.
 */
#include "evaluator/workers/workers_parts.h"

#include "base/memory.h"
#include "evaluator/derived.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many are asked. Each costs a compilation and a proof, and a new process where it
   crashes. */
#define MOST_ASKED 8
/* the same, after no configuration was right on another derived size */
#define MOST_ASKED_AGAIN 2
/*
 * So many that are too late end it: on a number that makes kernels run for ever each
 * one costs two deadlines. The winner counts, too. After that one is enough on any
 * other problem.
 */
#define MOST_LATE 2
#define MOST_LATE_AGAIN 1

/* Whether a variation changes the contents of buffers alone. */
static bool is_of_buffers(enum at_variation variation)
{
	return variation == AT_VARIATION_SUMS || variation == AT_VARIATION_TALLIES ||
	       variation == AT_VARIATION_ZEROS || variation == AT_VARIATION_MASKS ||
	       variation == AT_VARIATION_UNSAID ||
	       variation == AT_VARIATION_UNSAID_REALS || variation == AT_VARIATION_ROWS;
}

enum at_status workers_derive(struct workers *self, struct at_error *err)
{
	const struct at_workers_options *options = &self->options;
	const bool has_domain = options->spec->domain.line != 0;
	enum at_status status = AT_OK;

	/* where a domain is declared, other sizes and scalars are drawn from it */
	if (!has_domain)
		status = at_derived_make(options->spec, options->template,
			options->problem, &options->infos[0], &self->derived,
			&self->derived_count, err);
	for (unsigned i = AT_VARIATION_NONE + 1; i < AT_VARIATION_COUNT && !status; i++)
		if (!has_domain || is_of_buffers((enum at_variation)i))
			status = at_plan_name_variation(options->spec,
				options->template, (enum at_variation)i,
				&self->varied[i].name, err);
	return status;
}

/* ---- what is told before the first proof ------------------------------------- */

/* Whether a problem ahead of this one is told by the same words: two ways to vary one
   argument have one name. */
static bool is_told(const struct workers *self, size_t place)
{
	const char *name = self->workloads[place].plan.problem->name;
	size_t i = 0;

	while (i < place &&
		(!self->workloads[i].is_derived ||
			strcmp(self->workloads[i].plan.problem->name, name) != 0))
		i++;
	return i < place;
}

static void tell_derived(struct workers *self)
{
	struct at_strbuf text = { 0 };
	unsigned count = 0;

	at_strbuf_addf(&text, "%s: winners are proved with%s",
		self->case_count ? "beside cases of the domain"
		: self->options.spec->verify.problem_count
			? "beside the problems of verify"
			: "verify names no problems",
		self->derived_count ? " sizes derived from the tuned ones:" : "");
	for (size_t i = 0; i < self->workload_count; i++) {
		const struct workload *workload = &self->workloads[i];

		if (!workload->is_derived || is_told(self, i))
			continue;
		at_strbuf_add(&text, count++ ? "; " : " ");
		/* leaves out "derived " */
		at_strbuf_add(&text, strchr(workload->plan.problem->name, ' ') + 1);
	}
	at_strbuf_add(&text, " (\"derive = false\" in verify leaves them out)");
	if (count && !text.failed)
		workers_tell(self, AT_NOTICE_NOTE, at_strbuf_text(&text));
	at_strbuf_release(&text);
}

static void tell_what_stays(struct workers *self)
{
	const struct at_measure_setup *setup;
	struct at_strbuf text = { 0 };
	unsigned count = 0;
	bool may_change = false;

	if (at_plan_borrow_setup(&self->workloads[0].plan, &setup, NULL, NULL))
		return;
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (at_data_access(setup, i) == AT_ACCESS_IN &&
			at_data_stays(setup, i)) {
			at_strbuf_add(&text, count++ ? ", \"" : "\"");
			at_strbuf_add(&text, setup->arguments[i].name);
			at_strbuf_add(&text, "\"");
			may_change |= !setup->arguments[i].symbol ||
				      !setup->arguments[i].symbol[0];
		}
	at_strbuf_add(&text, count > 1 ? " hold" : " holds");
	at_strbuf_add(&text, " the same in all proofs: ");
	/* a variable of the template is set when its module is loaded */
	at_strbuf_add(&text,
		may_change
			? "a \"domain\", or \"data\" in verify, gives other contents, "
			: "with a \"symbol\" it has one content; ");
	at_strbuf_add(&text, "\"fixed = true\" says that there are no others");
	if (count && !text.failed)
		workers_tell(self, AT_NOTICE_NOTE, at_strbuf_text(&text));
	at_strbuf_release(&text);
}

void workers_tell_data(struct workers *self)
{
	if (self->has_told_data)
		return;
	self->has_told_data = true;
	tell_derived(self);
	tell_what_stays(self);
}

/* ---- second opinions ------------------------------------------------------------- */

/* Finds a configuration of the spec that --set has restricted among those of the whole
   spec. */
static void widen(const struct at_spec *spec, const struct at_spec *whole,
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

enum at_status workers_add_second_opinion(const struct workers *self,
	const uint16_t *configuration, struct second_opinion **out,
	struct at_error *err)
{
	const struct at_spec *spec = self->options.spec;
	size_t count = spec->parameter_count;
	struct second_opinion *second_opinion = calloc(1, sizeof(*second_opinion));

	if (second_opinion) {
		second_opinion->winner =
			calloc(count + 1, sizeof(*second_opinion->winner));
		second_opinion->other =
			calloc(count + 1, sizeof(*second_opinion->other));
	}
	if (!second_opinion || !second_opinion->winner || !second_opinion->other) {
		workers_free_second_opinion(second_opinion);
		return at_fail_memory(err);
	}
	widen(spec, self->options.whole_spec, configuration, second_opinion->winner);
	*out = second_opinion;
	return AT_OK;
}

/*
 * Sets second_opinion->other to the index-th configuration to ask: first the baseline,
 * then the winner with one parameter changed. Words and booleans are changed before
 * numbers, since they choose between different ways to compute, one of which may be
 * right. False: the index is too high.
 */
static bool make_other(
	const struct at_spec *spec, struct second_opinion *second_opinion, size_t index)
{
	size_t bytes = spec->parameter_count * sizeof(*second_opinion->other);

	if (index-- == 0) {
		memcpy(second_opinion->other, spec->defaults, bytes);
		return true;
	}
	memcpy(second_opinion->other, second_opinion->winner, bytes);
	for (int numbers = 0; numbers < 2; numbers++)
		for (size_t i = 0; i < spec->parameter_count; i++) {
			const struct at_parameter *parameter = &spec->parameters[i];
			bool is_number = parameter->type == AT_TYPE_INTEGER ||
					 parameter->type == AT_TYPE_REAL;

			if (is_number != (numbers != 0))
				continue;
			if (index < parameter->value_count) {
				second_opinion->other[i] = (uint16_t)index;
				return true;
			}
			index -= parameter->value_count;
		}
	return false;
}

/* Plans the next configuration to ask; *out NULL: none is left. */
static enum at_status plan_other(struct workers *self, struct workload *workload,
	struct second_opinion *second_opinion, struct at_planned **out,
	struct at_error *err)
{
	/* also those that --set leaves out: the kernel is the same */
	const struct at_spec *spec = self->options.whole_spec;
	size_t bytes = spec->parameter_count * sizeof(*second_opinion->other);
	struct at_plan tuned = self->workloads[0].plan, derived = workload->plan;
	/* A space that does not work on one size may work on the next. Where it works
	   on none, few are asked for each size. */
	unsigned most = self->nobody_fits && !workload->plan.variation
				? MOST_ASKED_AGAIN
				: MOST_ASKED;

	/* shares slots and setups with the plans, which were made for the winner */
	tuned.spec = derived.spec = spec;
	*out = NULL;
	if (second_opinion->late >= (self->nobody_ends ? MOST_LATE_AGAIN : MOST_LATE)) {
		second_opinion->was_late = self->nobody_ends = true;
		return AT_OK;
	}
	while (second_opinion->asked < most &&
		make_other(spec, second_opinion, second_opinion->next++)) {
		enum at_status status;

		if (!memcmp(second_opinion->other, second_opinion->winner, bytes) ||
			/* the defaults were asked as the first */
			(second_opinion->next > 1 && !memcmp(second_opinion->other,
							     spec->defaults, bytes)) ||
			!at_plan_admits(&tuned, second_opinion->other) ||
			!at_plan_admits(&derived, second_opinion->other))
			continue;
		status = at_planned_new(&derived, second_opinion->other, out, err);
		if (status)
			return status;
		if ((*out)->outcome == AT_OUTCOME_OK) {
			second_opinion->asked++;
			return AT_OK;
		}
		at_planned_free(*out);
		*out = NULL;
	}
	return AT_OK;
}

/* Outcomes that say nothing about what the kernel computes. */
static bool is_passed_over(enum at_outcome outcome)
{
	return outcome == AT_OUTCOME_NOT_APPLICABLE ||
	       outcome == AT_OUTCOME_COMPILE_FAILED ||
	       outcome == AT_OUTCOME_TOO_MANY_RESOURCES ||
	       outcome == AT_OUTCOME_LAUNCH_FAILED;
}

bool workers_asks_others(struct workers *self, struct trial *trial)
{
	struct second_opinion *second_opinion = trial->second_opinion;
	struct trial facts = { .proved = trial->proved,
		.context = trial->context,
		.proof_seconds = trial->proof_seconds };
	struct at_planned *planned;
	struct at_error err = { 0 };

	if (!second_opinion || trial->outcome == AT_OUTCOME_NONE)
		return false;
	if (!second_opinion->outcome) {
		if (trial->outcome == AT_OUTCOME_OK)
			return false;
		if (is_passed_over(trial->outcome)) {
			trial->outcome = AT_OUTCOME_NOT_APPLICABLE;
			return false;
		}
		second_opinion->outcome = trial->outcome;
		second_opinion->late += trial->outcome == AT_OUTCOME_TIMED_OUT;
		snprintf(second_opinion->detail, sizeof(second_opinion->detail), "%s",
			trial->detail);
	} else if (trial->outcome == AT_OUTCOME_OK) {
		trial->outcome = second_opinion->outcome;
		snprintf(trial->detail, sizeof(trial->detail),
			"%.300s (%s, on which another configuration is right; %s, \"derive = false\" in verify leaves %s out)",
			second_opinion->detail,
			trial->workload->plan.variation
				? "another value than the space gives"
				: "sizes derived from the tuned ones",
			trial->workload->plan.variation
				? "\"fixed = true\" says that there is none"
				: "a constraint says what a kernel is not for",
			trial->workload->plan.variation ? "it" : "them");
		return false;
	} else if (trial->outcome == AT_OUTCOME_TIMED_OUT &&
		   !second_opinion->is_again) {
		/* perhaps only the machine was slow: ask the same once more */
		second_opinion->is_again = true;
		second_opinion->next--;
		second_opinion->asked--;
	} else {
		second_opinion->was_late |= trial->outcome == AT_OUTCOME_TIMED_OUT;
		second_opinion->late += trial->outcome == AT_OUTCOME_TIMED_OUT;
		second_opinion->is_again = false;
	}
	if (plan_other(self, trial->workload, second_opinion, &planned, &err)) {
		workers_fail(self, &err);
		return true;
	}
	if (!planned) {
		/* one that was late twice has not shown that the problem makes no
		   sense */
		if (!second_opinion->was_late) {
			trial->workload->nobody_fits = true;
			self->nobody_fits |= !trial->workload->plan.variation;
		}
		trial->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(trial->detail, sizeof(trial->detail),
			"the problem is derived, and no other configuration that was tried is right on it either%s (%.300s)",
			second_opinion->was_late ? ", or in time" : "",
			second_opinion->detail);
		return false;
	}
	facts.second_opinion = second_opinion;
	trial->second_opinion = NULL;
	/* on failure this trial stays, since its owner waits for an answer, which is
	   the error */
	if (workers_add_trial(self, trial->workload, planned, &facts, &err)) {
		workers_fail(self, &err);
		return true;
	}
	workers_unlink_trial(self, trial);
	workers_free_trial(trial);
	return true;
}
