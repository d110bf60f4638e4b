/* Which configurations are vetted, on which problems. */
#include "session/vet_parts.h"

#include <stdlib.h>
#include <string.h>

static enum at_status add_unit(struct run *self, struct subject *subject, size_t index,
	bool is_baseline, struct at_error *err)
{
	enum at_status status =
		AT_RESERVE(self->units, self->unit_capacity, self->unit_count + 1, err);

	if (status)
		return status;
	self->units[self->unit_count++] = (struct unit){
		.subject = subject,
		.configuration = at_configurations_row(&subject->configurations, index),
		.is_baseline = is_baseline,
	};
	return AT_OK;
}

/* no problem is to draw it any more */
static void claim(struct run *self, const uint16_t *configuration)
{
	for (size_t i = 0; i < self->request->problem_count; i++) {
		struct subject *subject = &self->subjects[i];
		size_t index =
			at_configurations_find(&subject->configurations, configuration);

		if (index != SIZE_MAX)
			subject->strategy->kind->exclude(subject->strategy, index);
	}
}

static enum at_status draw_baselines(struct run *self, struct at_error *err)
{
	const struct at_spec *spec = self->request->spec;
	enum at_status status = AT_OK;

	if (!spec->has_defaults)
		return AT_OK;
	for (size_t i = 0; i < self->request->problem_count && !status; i++) {
		struct subject *subject = &self->subjects[i];
		size_t index = at_configurations_find(
			&subject->configurations, spec->defaults);

		if (index != SIZE_MAX)
			status = add_unit(self, subject, index, true, err);
	}
	claim(self, spec->defaults);
	return status;
}

static enum at_status draw(struct run *self, struct at_error *err)
{
	size_t subjects = self->request->problem_count, dry = 0, index;
	uint64_t left = self->request->random_count;
	enum at_status status = draw_baselines(self, err);

	/* a problem whose space is used up passes its turn on */
	for (size_t i = 0; left && dry < subjects && !status; i = (i + 1) % subjects) {
		struct subject *subject = &self->subjects[i];

		if (subject->strategy->kind->ask(subject->strategy, &index) !=
			AT_ASK_CONFIGURATION) {
			dry++;
			continue;
		}
		dry = 0;
		left--;
		status = add_unit(self, subject, index, false, err);
		if (!status)
			claim(self, self->units[self->unit_count - 1].configuration);
	}
	return status;
}

static enum at_status open_subject(struct run *self, struct subject *subject,
	const struct at_problem *problem, struct at_error *err)
{
	const struct at_vet_request *request = self->request;
	const struct at_enumerate_options how = { 0 };
	struct at_enumeration statistics = { 0 };
	const struct at_strategy_kind *kind;
	const char *options;
	enum at_status status;

	subject->run = self;
	subject->problem = problem;
	status = at_plan_init(&subject->plan, request->spec, request->template, problem,
		NULL, request->device, self->toolchain_version, 0, err);
	if (status)
		return status;
	status = at_enumerate(request->spec, subject->plan.slots, &how,
		&subject->configurations, &statistics, err);
	if (!status && !subject->configurations.count)
		status = at_enumeration_explain_empty(
			request->spec, &statistics, subject->plan.slots, err);
	at_enumeration_release(&statistics);
	subject->space = (struct at_search_space){ &subject->configurations,
		self->value_counts };
	if (!status)
		status = at_strategy_find("random", 0, 0, &kind, &options, err);
	if (!status)
		status = kind->open(&subject->space, options, request->seed,
			&subject->strategy, err);
	return status;
}

enum at_status vet_draw(struct run *self, struct at_error *err)
{
	const struct at_spec *spec = self->request->spec;
	size_t count = self->request->problem_count;
	enum at_status status = AT_OK;

	self->value_counts =
		calloc(spec->parameter_count + 1, sizeof(*self->value_counts));
	self->subjects = calloc(count + 1, sizeof(*self->subjects));
	if (!self->value_counts || !self->subjects)
		return at_fail_memory(err);
	for (size_t i = 0; i < spec->parameter_count; i++)
		self->value_counts[i] = spec->parameters[i].value_count;
	for (size_t i = 0; i < count && !status; i++)
		status = open_subject(
			self, &self->subjects[i], self->request->problems[i], err);
	return status ? status : draw(self, err);
}

void vet_release(struct run *self)
{
	for (size_t i = 0; i < self->unit_count; i++) {
		if (self->units[i].pending)
			at_compilers_forget(self->vet->compilers, &self->units[i]);
		free(self->units[i].detail);
	}
	for (size_t i = 0; self->subjects && i < self->request->problem_count; i++) {
		struct subject *subject = &self->subjects[i];

		if (subject->reference_pending)
			at_compilers_forget(self->vet->compilers, subject);
		if (subject->strategy)
			subject->strategy->kind->close(subject->strategy);
		at_configurations_release(&subject->configurations);
		at_plan_release(&subject->plan);
		free(subject->reference_error);
	}
	free(self->units);
	free(self->subjects);
	free(self->value_counts);
}
