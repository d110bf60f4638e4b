/* Vetting (vet.h): draws configurations, compiles them and the references, and tells
   the results in order. It stands on the compilers alone: no device, no cache of
   units. */
#include "session/vet.h"

#include "base/memory.h"
#include "base/quota.h"
#include "evaluator/plan.h"
#include "evaluator/workers/compilers.h"
#include "evaluator/workers/probe.h"
#include "search/strategy.h"
#include "session/counting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct at_vet {
	struct at_loop *loop;
	struct at_compilers *compilers;
	/* the toolchain that was asked for last, and its version; "": none yet */
	char toolchain[AT_TOOLCHAIN_NAME_SIZE];
	char version[256];
};

struct run;

/* One problem of the space, with what drawing its configurations needs. */
struct subject {
	struct run *run;
	const struct at_problem *problem;
	struct at_plan plan;
	struct at_search_space *space;
	struct at_strategy *strategy;
	struct at_hash reference_id;
	bool reference_pending;
	char *reference_error; /* why it does not compile; heap; NULL: it does */
};

/* One configuration on one problem. */
struct unit {
	struct subject *subject;
	uint16_t *configuration; /* heap */
	struct at_hash id; /* only of baselines: what it is compiled from */
	/* an earlier unit that is compiled the same way, whose result serves; NULL:
	   none */
	const struct unit *twin;
	bool is_baseline;
	bool pending; /* it is being compiled */
	bool done;
	enum at_outcome outcome;
	char *detail; /* the reason for the outcome; heap; NULL: none */
	struct at_kernel_facts facts; /* its pointers are NULL; valid where has_facts */
	bool has_facts; /* it compiled, and has a kernel */
	struct at_geometry geometry;
	uint64_t compile_ns;
};

struct run {
	struct at_vet *vet;
	const struct at_vet_request *request;
	const char *toolchain_version;
	struct subject *subjects; /* one for each problem */
	struct unit *units; /* in the order of telling */
	size_t unit_count;
	size_t unit_capacity;
	size_t begun; /* units begun so far */
	size_t told;
	size_t pending; /* units being compiled now */
	size_t references_pending;
	/* of each argument: a unit has the variable of its symbol */
	bool *symbols_found;
	bool has_compiled; /* a configuration has */
	bool over;
	struct at_error error;
};

/* ---- which configurations, on which problems ----------------------------------- */

static void add_unit(
	struct run *self, struct subject *subject, uint64_t index, bool is_baseline)
{
	AT_GROW(self->units, self->unit_capacity, self->unit_count + 1);
	uint16_t *configuration;

	configuration =
		at_calloc(self->request->spec->parameter_count, sizeof(*configuration));
	at_search_space_get(subject->space, index, configuration);
	self->units[self->unit_count++] = (struct unit){
		.subject = subject,
		.configuration = configuration,
		.is_baseline = is_baseline,
	};
}

/* Keeps all problems from drawing a configuration again. */
static void claim(struct run *self, const uint16_t *configuration)
{
	for (size_t i = 0; i < self->request->problem_count; i++) {
		struct subject *subject = &self->subjects[i];
		uint64_t index = at_search_space_find(subject->space, configuration);

		if (index != AT_NO_CONFIGURATION)
			subject->strategy->kind->exclude(subject->strategy, index);
	}
}

static void draw_baselines(struct run *self)
{
	const struct at_spec *spec = self->request->spec;

	if (!spec->has_defaults)
		return;
	for (size_t i = 0; i < self->request->problem_count; i++) {
		struct subject *subject = &self->subjects[i];
		uint64_t index = at_search_space_find(subject->space, spec->defaults);

		if (index != AT_NO_CONFIGURATION)
			add_unit(self, subject, index, true);
	}
	claim(self, spec->defaults);
}

static void draw(struct run *self)
{
	size_t subjects = self->request->problem_count, dry = 0;
	uint64_t left = self->request->random_count, index;

	draw_baselines(self);
	/* problems draw in turn; one whose space is used up passes its turn on */
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
	const struct at_vet_request *request = self->request;
	struct at_counting counting = { 0 };
	const struct at_strategy_kind *kind;
	const char *options;
	enum at_status status;

	subject->run = self;
	subject->problem = problem;
	status = at_plan_init(&subject->plan, request->spec, request->template, problem,
		NULL, request->device, self->toolchain_version, 0, err);
	if (status)
		return status;
	status = at_count_space(&counting, request->spec, problem,
		&request->device->properties, true, &subject->space, err);
	if (!status)
		status = at_strategy_find("random", &kind, &options, err);
	if (!status)
		status = kind->open(subject->space, options, request->seed,
			&subject->strategy, err);
	return status;
}

/*
 * Fills in subjects and units: first the baselines, then those drawn. The caller has
 * set vet, request and toolchain_version, and releases *self also after a failure.
 */
static enum at_status prepare(struct run *self, struct at_error *err)
{
	size_t count = self->request->problem_count;
	enum at_status status = AT_OK;

	self->subjects = at_calloc(count + 1, sizeof(*self->subjects));
	self->symbols_found = at_calloc(
		self->request->spec->argument_count + 1, sizeof(*self->symbols_found));
	for (size_t i = 0; i < count && !status; i++)
		status = open_subject(
			self, &self->subjects[i], self->request->problems[i], err);
	if (!status)
		draw(self);
	return status;
}

/* Frees a run; calls off what is still being compiled. */
static void release(struct run *self)
{
	for (size_t i = 0; i < self->unit_count; i++) {
		if (self->units[i].pending)
			at_compilers_forget(self->vet->compilers, &self->units[i]);
		free(self->units[i].configuration);
		free(self->units[i].detail);
	}
	for (size_t i = 0; self->subjects && i < self->request->problem_count; i++) {
		struct subject *subject = &self->subjects[i];

		if (subject->reference_pending)
			at_compilers_forget(self->vet->compilers, subject);
		if (subject->strategy)
			subject->strategy->kind->close(subject->strategy);
		at_search_space_free(subject->space);
		at_plan_release(&subject->plan);
		free(subject->reference_error);
	}
	free(self->units);
	free(self->subjects);
	free(self->symbols_found);
}

/* ---- ending --------------------------------------------------------------------- */

/* Ends the run; err NULL: everything has been told. */
static void end_run(struct run *self, const struct at_error *err)
{
	if (err && !self->error.status)
		self->error = *err;
	self->over = true;
	at_loop_stop(self->vet->loop);
}

static char *first_error(const struct at_compile_result *result)
{
	char line[512];

	at_compile_first_error(result->log ? result->log : "", line, sizeof(line));
	return at_strdup(line);
}

/* ---- telling ------------------------------------------------------------------ */

/* Whether a kernel that compiles can also be launched. */
static enum at_outcome judge(const struct unit *unit,
	const struct at_kernel_facts *kernel, const struct at_facts *facts,
	char *detail, size_t size)
{
	enum at_outcome outcome = at_plan_check_resources(
		&unit->subject->plan, kernel, &unit->geometry, detail, size);

	if (outcome != AT_OUTCOME_OK || facts->resident_blocks != 0)
		return outcome;
	/* It keeps each limit by itself, but not once its needs are rounded up to the
	   units in which a multiprocessor gives resources out. */
	snprintf(detail, size, "a multiprocessor cannot hold one block of it: %s",
		facts->limiting_factor);
	return AT_OUTCOME_TOO_MANY_RESOURCES;
}

/* Tells the listener a unit, by the result of its twin where it has one. */
static void tell(struct run *self, const struct unit *unit)
{
	const struct unit *compiled = unit->twin ? unit->twin : unit;
	const struct at_kernel_facts *kernel =
		compiled->has_facts ? &compiled->facts : NULL;
	bool applies = compiled->outcome != AT_OUTCOME_NOT_APPLICABLE;
	struct at_occupancy occupancy;
	bool known = kernel && at_plan_occupancy(&unit->subject->plan, kernel,
				       &unit->geometry, &occupancy);
	char detail[512] = "";
	struct at_vetting vetting = {
		.problem = unit->subject->problem,
		.configuration = unit->configuration,
		.is_baseline = unit->is_baseline,
		.outcome = compiled->outcome,
		.detail = compiled->detail ? compiled->detail : detail,
		.exact = known && occupancy.exact,
	};

	at_facts_fill(&vetting.facts, kernel, applies ? &unit->geometry : NULL,
		known ? &occupancy : NULL,
		applies ? (int64_t)compiled->compile_ns : -1);
	if (kernel && compiled->outcome == AT_OUTCOME_OK)
		vetting.outcome =
			judge(unit, kernel, &vetting.facts, detail, sizeof(detail));
	self->request->listen(self->request->context, &vetting);
}

/* Tells what is known, in order, once all references have compiled. */
static void tell_ready(struct run *self)
{
	struct at_error unheard = { 0 };

	while (!self->over && !self->references_pending && self->told < self->begun &&
		self->units[self->told].done)
		tell(self, &self->units[self->told++]);
	if (self->told != self->unit_count || self->references_pending)
		return;
	if (self->has_compiled)
		at_plan_check_symbols(
			self->request->spec, self->symbols_found, &unheard);
	end_run(self, unheard.status ? &unheard : NULL);
}

/* ---- compiling ---------------------------------------------------------------- */

static void pump(struct run *self);

static void unit_compiled(
	void *context, struct at_compile_result *result, const struct at_error *err)
{
	struct unit *unit = context;
	struct run *self = unit->subject->run;
	struct at_error misfit = { 0 };

	unit->pending = false;
	self->pending--;
	if (err) {
		end_run(self, err);
		return;
	}
	unit->done = true;
	unit->outcome = result->outcome;
	unit->compile_ns = result->compile_ns;
	if (result->outcome == AT_OUTCOME_OK && result->kernel_count) {
		unit->facts = result->kernels[0];
		unit->facts.name = unit->facts.symbol = NULL;
		unit->facts.parameters = NULL;
		unit->facts.parameter_count = 0;
		unit->has_facts = true;
		self->has_compiled = true;
		at_plan_find_symbols(self->request->spec, result, self->symbols_found);
	} else if (result->outcome != AT_OUTCOME_OK) {
		unit->detail = first_error(result);
	}
	if (unit->has_facts && at_plan_check_signatures(self->request->spec,
				       AT_UNIT_TUNED, result, &misfit)) {
		/* what is wrong for the baseline is an error in the space file */
		if (unit->is_baseline || misfit.status != AT_EINVAL) {
			end_run(self, &misfit);
			return;
		}
		unit->outcome = AT_OUTCOME_LAUNCH_FAILED;
		unit->detail = at_strdup(misfit.text);
	}
	pump(self);
}

/* An earlier baseline that is compiled the same way, for another problem. Drawn
   configurations have no twins: none is drawn twice. */
static const struct unit *find_twin(const struct run *self, const struct unit *unit)
{
	for (const struct unit *other = self->units; other < unit && other->is_baseline;
		other++)
		if (!other->twin && other->outcome != AT_OUTCOME_NOT_APPLICABLE &&
			at_hash_equal(other->id, unit->id))
			return other;
	return NULL;
}

static void compile(struct run *self, struct unit *unit)
{
	struct at_compile_request request;
	struct at_error err = { 0 };

	if (at_plan_compile(&unit->subject->plan, unit->configuration, AT_UNIT_TUNED,
		    &request, &err)) {
		end_run(self, &err);
		return;
	}
	if (unit->is_baseline) {
		unit->id = at_compile_identity(&request, self->toolchain_version);
		unit->twin = find_twin(self, unit);
	}
	if (unit->twin) {
		unit->done = true;
		at_compile_request_release(&request);
		return;
	}
	unit->pending = true;
	self->pending++;
	if (at_compilers_submit(self->vet->compilers, &request, NULL, false,
		    unit_compiled, unit, &err))
		end_run(self, &err);
	at_compile_request_release(&request);
}

/* Begins a unit, unless its launch or its arguments make no sense. */
static void begin(struct run *self, struct unit *unit)
{
	struct at_measure_request request;
	struct at_error err = { 0 };
	enum at_status status = at_plan_request(
		&unit->subject->plan, unit->configuration, &request, &err);

	if (status == AT_EINVAL) {
		unit->done = true;
		unit->outcome = AT_OUTCOME_NOT_APPLICABLE;
		unit->detail = at_strdup(err.text);
		return;
	}
	if (status) {
		end_run(self, &err);
		return;
	}
	unit->geometry = request.kernel.geometry;
	at_measure_request_release(&request);
	compile(self, unit);
}

/* Keeps the workers busy, but renders no more sources ahead than that needs: they are
   large. */
static void pump(struct run *self)
{
	size_t depth = 2 * (size_t)at_compilers_jobs(self->vet->compilers) + 2;

	while (!self->over && self->begun < self->unit_count && self->pending < depth)
		begin(self, &self->units[self->begun++]);
	tell_ready(self);
}

/* ---- references ---------------------------------------------------------------- */

static void reference_compiled(
	void *context, struct at_compile_result *result, const struct at_error *err)
{
	struct subject *subject = context;
	struct run *self = subject->run;
	const struct at_vet_request *request = self->request;
	struct at_error failure = { 0 };

	subject->reference_pending = false;
	self->references_pending--;
	if (err) {
		end_run(self, err);
		return;
	}
	if (result->outcome != AT_OUTCOME_OK) {
		subject->reference_error = first_error(result);
	} else if (at_plan_check_signatures(
			   request->spec, AT_UNIT_REFERENCE, result, &failure)) {
		end_run(self, &failure);
		return;
	} else {
		at_plan_find_symbols(request->spec, result, self->symbols_found);
	}
	/* of several failures that of the first problem is told, whichever compiled
	   first */
	for (size_t i = 0; i < request->problem_count; i++)
		if (!self->references_pending && self->subjects[i].reference_error)
			at_fail(&failure, AT_EINVAL, request->spec->path,
				request->spec->reference.line,
				"the reference (with the defaults, problem %s) does not compile for %s: %s",
				request->problems[i]->name, request->device->id,
				self->subjects[i].reference_error);
	if (failure.status)
		end_run(self, &failure);
	else
		tell_ready(self);
}

static void begin_reference(struct run *self, struct subject *subject)
{
	struct at_compile_request request;
	struct at_error err = { 0 };

	if (at_plan_compile(&subject->plan, self->request->spec->defaults,
		    AT_UNIT_REFERENCE, &request, &err)) {
		end_run(self, &err);
		return;
	}
	subject->reference_id = at_compile_identity(&request, self->toolchain_version);
	for (const struct subject *other = self->subjects; other < subject; other++)
		if (at_hash_equal(other->reference_id, subject->reference_id)) {
			at_compile_request_release(&request);
			return;
		}
	subject->reference_pending = true;
	self->references_pending++;
	if (at_compilers_submit(self->vet->compilers, &request, NULL, false,
		    reference_compiled, subject, &err))
		end_run(self, &err);
	at_compile_request_release(&request);
}

/* ---- a run ---------------------------------------------------------------------- */

static enum at_status await(struct run *self, struct at_error *err)
{
	struct at_loop *loop = self->vet->loop;

	if (self->request->spec->reference.kind == AT_REFERENCE_KERNEL)
		for (size_t i = 0; i < self->request->problem_count && !self->over; i++)
			begin_reference(self, &self->subjects[i]);
	pump(self);
	while (!self->over && !at_loop_interrupted(loop))
		at_loop_run(loop);
	if (!self->over)
		return at_fail(err, AT_EINTERRUPTED, NULL, 0, "interrupted");
	if (self->error.status && err && !err->status)
		*err = self->error;
	return self->error.status;
}

enum at_status at_vet_space(
	struct at_vet *self, const struct at_vet_request *request, struct at_error *err)
{
	struct run run = { .vet = self, .request = request };
	const char *toolchain;
	enum at_status status =
		at_plan_toolchain(request->spec, request->device, &toolchain, err);

	if (!status)
		status = at_vet_toolchain(self, toolchain, &run.toolchain_version, err);
	if (!status)
		status = prepare(&run, err);
	if (!status)
		status = await(&run, err);
	release(&run);
	return status;
}

/* ---- the workers ----------------------------------------------------------------- */

static void interrupted(void *context)
{
	struct at_vet *self = context;

	at_loop_stop(self->loop);
}

enum at_status at_vet_open(
	const struct at_vet_options *options, struct at_vet **out, struct at_error *err)
{
	struct at_vet *self = at_calloc(1, sizeof(*self));
	unsigned jobs = options->jobs ? options->jobs : at_quota_usable_cores();
	enum at_status status = AT_OK;

	status = at_loop_new(options->executable, &self->loop, err);
	if (!status)
		status = at_loop_watch_signals(self->loop, interrupted, self, err);
	if (!status)
		at_compilers_new(self->loop, jobs, &self->compilers);
	if (status) {
		at_vet_close(self);
		return status;
	}
	*out = self;
	return AT_OK;
}

void at_vet_close(struct at_vet *self)
{
	if (!self)
		return;
	at_compilers_free(self->compilers);
	at_loop_free(self->loop);
	free(self);
}

enum at_status at_vet_toolchain(struct at_vet *self, const char *toolchain,
	const char **version, struct at_error *err)
{
	*version = self->version;
	if (self->toolchain[0] && !strcmp(self->toolchain, toolchain))
		return AT_OK;
	/* only a version is kept: a missing toolchain is asked for again */
	self->toolchain[0] = '\0';
	enum at_status status = at_probe_toolchain(self->loop, self->compilers,
		toolchain, self->version, sizeof(self->version), err);
	if (!status)
		snprintf(self->toolchain, sizeof(self->toolchain), "%s", toolchain);
	return status;
}

enum at_status at_vet_newest_architecture(
	struct at_vet *self, char *name, size_t size, struct at_error *err)
{
	return at_probe_newest_architecture(
		self->loop, self->compilers, name, size, err);
}
