/* Prechecks (precheck.h): draws configurations, compiles them and the references, and
   reports the results in order. */
#include "session/precheck.h"

#include "base/memory.h"
#include "evaluator/plan.h"
#include "search/strategy.h"
#include "session/counting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One problem, and what drawing its configurations needs. */
struct subject {
	const struct at_problem *problem;
	struct at_plan plan;
	struct at_search_space *space;
	struct at_strategy *strategy;
};

/* One configuration on one problem. */
struct unit {
	struct subject *subject;
	uint16_t *configuration; /* heap */
	bool is_baseline;
	struct at_measure_request request; /* empty if the launch is invalid */
	char *misfit; /* why its launch is invalid; heap; NULL: it is valid */
};

struct run {
	const struct at_precheck_request *request;
	const char *version; /* of the toolchain */
	struct subject *subjects; /* one for each problem */
	size_t reference_count; /* compiled before the units */
	struct unit *units; /* in the order of reports */
	size_t unit_count;
	size_t unit_capacity;
	/* for each argument: a unit has the variable of its symbol */
	bool *symbols_found;
	bool has_compiled; /* a configuration has */
};

/* ---- configurations and problems ------------------------------------------- */

static void add_unit(
	struct run *self, struct subject *subject, uint64_t index, bool is_baseline)
{
	uint16_t *configuration =
		at_calloc(self->request->spec->parameter_count, sizeof(*configuration));

	AT_GROW(self->units, self->unit_capacity, self->unit_count + 1);
	at_search_space_get(subject->space, index, configuration);
	self->units[self->unit_count++] = (struct unit){
		.subject = subject,
		.configuration = configuration,
		.is_baseline = is_baseline,
	};
}

/* Keeps the configuration from being drawn again, on any problem. */
static void claim(struct run *self, const uint16_t *configuration)
{
	for (size_t i = 0; i < self->request->problem_count; i++) {
		struct subject *subject = &self->subjects[i];
		uint64_t index = at_search_space_find(subject->space, configuration);

		if (index != AT_NO_CONFIGURATION)
			subject->strategy->kind->exclude(subject->strategy, index);
	}
}

/* Fills in the units: baselines, then drawn ones. */
static void draw(struct run *self)
{
	const struct at_spec *spec = self->request->spec;
	size_t subjects = self->request->problem_count, dry = 0;
	uint64_t left = self->request->random_count, index;

	for (size_t i = 0; i < subjects && spec->has_defaults; i++) {
		struct subject *subject = &self->subjects[i];
		const uint16_t *defaults = subject->plan.spec->defaults;

		index = at_search_space_find(subject->space, defaults);
		if (index != AT_NO_CONFIGURATION)
			add_unit(self, subject, index, true);
		claim(self, defaults);
	}
	/* problems draw in turn; an exhausted one passes */
	for (size_t i = 0; left && dry < subjects; i = (i + 1) % subjects) {
		struct subject *subject = &self->subjects[i];

		if (subject->strategy->kind->ask(subject->strategy, &index) !=
			AT_ASK_CONFIGURATION) {
			dry++;
			continue;
		}
		dry = 0;
		left--;
		add_unit(self, subject, index, false);
		claim(self, self->units[self->unit_count - 1].configuration);
	}
}

static enum at_status open_subject(struct run *self, struct subject *subject,
	const struct at_problem *problem, struct at_error *err)
{
	const struct at_precheck_request *request = self->request;
	struct at_counting counting = { 0 };
	const struct at_strategy_kind *kind;
	const char *options;
	enum at_status status;

	subject->problem = problem;
	status = at_plan_init(&subject->plan, at_spec_of(request->spec, problem),
		request->template, problem, NULL, request->device, self->version, 0,
		err);
	if (status)
		return status;
	status = at_count_space(&counting, request->spec, problem,
		&request->device->properties, true, &subject->space, err);
	if (!status)
		status = at_strategy_find("random", &kind, &options, err);
	if (!status)
		status = kind->open(kind, subject->space, options, request->seed,
			&subject->strategy, err);
	return status;
}

static void release(struct run *self)
{
	for (size_t i = 0; i < self->unit_count; i++) {
		free(self->units[i].configuration);
		free(self->units[i].misfit);
		at_measure_request_release(&self->units[i].request);
	}
	for (size_t i = 0; i < self->request->problem_count; i++) {
		struct subject *subject = &self->subjects[i];

		if (subject->strategy)
			subject->strategy->kind->close(subject->strategy);
		at_search_space_free(subject->space);
		at_plan_release(&subject->plan);
	}
	free(self->units);
	free(self->subjects);
	free(self->symbols_found);
}

/* ---- compiling ------------------------------------------------------------------ */

/* The references of all problems, then the units with valid launch and arguments. */
static enum at_status request_unit(void *context, size_t index,
	struct at_compile_request *out, struct at_error *err)
{
	struct run *self = context;
	struct at_error reason = { 0 };
	struct unit *unit;

	if (index < self->reference_count)
		return at_plan_compile(&self->subjects[index].plan,
			self->subjects[index].plan.spec->defaults, AT_UNIT_REFERENCE,
			out, err);
	unit = &self->units[index - self->reference_count];
	switch (at_plan_request(
		&unit->subject->plan, unit->configuration, &unit->request, &reason)) {
	case AT_OK:
		return at_plan_compile(&unit->subject->plan, unit->configuration,
			AT_UNIT_TUNED, out, err);
	case AT_EINVAL:
		unit->misfit = at_strdup(reason.text);
		return AT_OK;
	default:
		*err = reason;
		return reason.status;
	}
}

static enum at_status reference_compiled(struct run *self, size_t index,
	const struct at_compile_result *result, struct at_error *err)
{
	const struct at_precheck_request *request = self->request;
	char line[512];

	if (result->outcome != AT_OUTCOME_OK) {
		at_compile_first_error(result->log, line, sizeof(line));
		return at_fail(err, AT_EINVAL, request->spec->path,
			request->spec->reference.line,
			"the reference (with the defaults, problem %s) does not compile for %s: %s",
			request->problems[index]->name, request->device->id, line);
	}
	at_plan_find_symbols(request->spec, result, self->symbols_found);
	return at_plan_check_signatures(request->spec, AT_UNIT_REFERENCE, result, err);
}

/* Whether a kernel that compiles can also be launched. */
static enum at_outcome judge(const struct unit *unit,
	const struct at_compile_result *result, const struct at_facts *facts,
	char *detail, size_t size)
{
	enum at_outcome outcome = at_plan_check_resources(
		&unit->subject->plan, &unit->request, result, detail, size);

	if (outcome != AT_OUTCOME_OK || facts->resident_blocks != 0)
		return outcome;
	/* It keeps each limit by itself, but not once its needs are rounded up to the
	   multiprocessor's allocation units. */
	snprintf(detail, size, "a multiprocessor cannot hold one block of it: %s",
		facts->limiting_factor);
	return AT_OUTCOME_TOO_MANY_RESOURCES;
}

/* Reports a unit to the listener. */
static enum at_status unit_compiled(struct run *self, const struct unit *unit,
	const struct at_compile_result *result, struct at_error *err)
{
	const struct at_spec *spec = self->request->spec;
	const struct at_measure_call *first = &unit->request.kernel;
	const struct at_kernel_facts *kernel =
		result && result->outcome == AT_OUTCOME_OK
			? at_plan_find_kernel(spec, &spec->calls[first->call], result)
			: NULL;
	struct at_error misfit = { 0 };
	struct at_occupancy occupancy;
	bool known = kernel && at_plan_occupancy(&unit->subject->plan, kernel,
				       &first->geometry, &occupancy);
	char detail[512] = "";
	struct at_precheck_results prechecks = {
		.problem = unit->subject->problem,
		.configuration = unit->configuration,
		.is_baseline = unit->is_baseline,
		.outcome = result ? result->outcome : AT_OUTCOME_NOT_APPLICABLE,
		.detail = result ? detail : unit->misfit,
		.exact = known && occupancy.exact,
	};

	at_facts_fill(&prechecks.facts, kernel, result ? &first->geometry : NULL,
		known ? &occupancy : NULL, result ? (int64_t)result->compile_ns : -1);
	if (result && result->outcome != AT_OUTCOME_OK)
		at_compile_first_error(result->log, detail, sizeof(detail));
	if (kernel) {
		self->has_compiled = true;
		at_plan_find_symbols(spec, result, self->symbols_found);
		if (!at_plan_check_signatures(spec, AT_UNIT_TUNED, result, &misfit)) {
			prechecks.outcome = judge(
				unit, result, &prechecks.facts, detail, sizeof(detail));
		} else if (unit->is_baseline || misfit.status != AT_EINVAL) {
			/* a mismatch of the baseline is an error in the space file */
			*err = misfit;
			return misfit.status;
		} else {
			prechecks.outcome = AT_OUTCOME_LAUNCH_FAILED;
			prechecks.detail = misfit.text;
		}
	}
	self->request->listen(self->request->context, &prechecks);
	return AT_OK;
}

static enum at_status compiled(void *context, size_t index, const char *path,
	const struct at_compile_result *result, struct at_error *err)
{
	struct run *self = context;

	(void)path;
	return index < self->reference_count
		       ? reference_compiled(self, index, result, err)
		       : unit_compiled(self,
				 &self->units[index - self->reference_count], result,
				 err);
}

enum at_status at_precheck_space(struct at_compile_batch *batch,
	const struct at_precheck_request *request, struct at_error *err)
{
	struct run run = { .request = request };
	struct at_compile_work work = {
		.request = request_unit, .compiled = compiled, .context = &run
	};
	const char *toolchain;
	enum at_status status =
		at_plan_toolchain(request->spec, request->device, &toolchain, err);

	run.subjects = at_calloc(request->problem_count + 1, sizeof(*run.subjects));
	run.symbols_found = at_calloc(
		request->spec->argument_count + 1, sizeof(*run.symbols_found));

	if (!status)
		status =
			at_compile_batch_toolchain(batch, toolchain, &run.version, err);
	for (size_t i = 0; i < request->problem_count && !status; i++)
		status =
			open_subject(&run, &run.subjects[i], request->problems[i], err);
	if (!status)
		draw(&run);
	if (!status) {
		if (request->spec->reference.kind == AT_REFERENCE_KERNEL)
			run.reference_count = request->problem_count;
		work.count = run.reference_count + run.unit_count;
		work.version = run.version;
		status = at_compile_batch_run(batch, &work, err);
	}
	if (!status && run.has_compiled)
		status = at_plan_check_symbols(request->spec, run.symbols_found, err);
	release(&run);
	return status;
}
