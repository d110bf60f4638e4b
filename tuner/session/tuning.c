/* The life of a tuning: start, units, setup, phases, end. */
#include "session/tuning_parts.h"
#include "base/clock.h"
#include "space/enumerate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEADLINE_SECONDS 30.0
/* verification and warm-up before the first sample of a setup that is large */
#define SETUP_SECONDS 300.0
#define SAMPLES_MIN 6
#define SAMPLES_MAX 60
#define SAMPLING_SECONDS 0.5
#define FILL_SEED 1

const uint16_t *tuning_row(const struct at_tuning *self, size_t index)
{
	return at_configurations_row(&self->configurations, index);
}

double tuning_deadline(const struct at_tuning *self)
{
	double given = self->options.spec->search.deadline_seconds;

	return given > 0 ? given : DEADLINE_SECONDS;
}

void tuning_set_sampling(
	const struct at_tuning *self, struct at_measure_request *request)
{
	const struct at_search_defaults *given = &self->options.spec->search;

	request->samples_min =
		given->samples_min > 0 ? (uint32_t)given->samples_min : SAMPLES_MIN;
	request->samples_max =
		given->samples_max > 0 ? (uint32_t)given->samples_max : SAMPLES_MAX;
	if (request->samples_max < request->samples_min)
		request->samples_max = request->samples_min;
	request->sampling_seconds = SAMPLING_SECONDS;
	if (self->podium_count)
		request->incumbent_ns = self->podium[0].evaluation.time_ns;
}

void tuning_emit(struct at_tuning *self, enum at_event_kind kind, const char *text,
	const uint16_t *configuration, const struct at_evaluation *evaluation,
	bool reused)
{
	const struct at_session_options *session = self->options.session;
	struct at_event event = {
		.kind = kind,
		.spec = self->options.spec,
		.problem = self->options.problem,
		.device = self->options.device,
		.progress = &self->progress,
		.objective = &at_objective_time,
		.text = text,
		.configuration = configuration,
		.evaluation = evaluation,
		.reused = reused,
		.ceilings = self->has_ceilings ? &self->ceilings.ceilings : NULL,
	};

	if (!session->listen)
		return;
	self->progress.elapsed_seconds =
		(double)(at_clock_now_ns() - self->start_ns) * 1e-9;
	self->progress.compiling =
		self->task_count - self->progress.waiting - (self->measuring != NULL);
	if (self->podium_count) {
		event.incumbent = &self->podium[0].evaluation;
		event.incumbent_configuration = tuning_row(self, self->podium[0].index);
	}
	if (self->baseline.evaluation.id)
		event.baseline = &self->baseline.evaluation;
	if (configuration)
		at_plan_metrics(&self->plan, configuration, &event.flops, &event.bytes);
	session->listen(session->context, &event);
}

static void call_done(void *context)
{
	struct at_tuning *self = context;

	self->options.done(
		self->options.context, self->error.status ? &self->error : NULL);
}

void tuning_end(struct at_tuning *self, const struct at_error *err)
{
	if (self->told)
		return;
	self->told = true;
	self->phase = PHASE_DONE;
	if (err)
		self->error = *err;
	tuning_drop_tasks(self);
	at_remote_cancel(self->options.remote);
	for (struct unit *unit = self->units; unit; unit = unit->next)
		at_compilers_forget(self->options.compilers, unit);
	if (self->holding)
		at_compilers_hold(self->options.compilers, false);
	self->holding = false;
	if (at_loop_later(self->options.loop, call_done, self, NULL))
		call_done(self);
}

static void unit_compiled(
	void *context, struct at_compile_result *result, const struct at_error *err)
{
	struct unit *unit = context;

	if (err) {
		tuning_end(unit->tuning, err);
		return;
	}
	unit->done = true;
	unit->result = *result;
	memset(result, 0, sizeof(*result));
	tuning_pump(unit->tuning);
}

struct unit *tuning_unit(struct at_tuning *self, struct at_compile_request *request)
{
	struct at_hash id = at_hash_compile_request(request);
	struct at_error err = { 0 };
	struct unit *unit;

	for (unit = self->units; unit; unit = unit->next)
		if (at_hash_equal(unit->id, id)) {
			at_compile_request_release(request);
			return unit;
		}
	unit = calloc(1, sizeof(*unit));
	if (!unit) {
		at_compile_request_release(request);
		at_fail_memory(&err);
		tuning_end(self, &err);
		return NULL;
	}
	unit->tuning = self;
	unit->id = id;
	unit->next = self->units;
	self->units = unit;
	if (at_compilers_submit(self->options.compilers, request, true, unit_compiled,
		    unit, &err)) {
		tuning_end(self, &err);
		return NULL;
	}
	return unit;
}

/* a unit that must compile: support, reference */
static bool unit_is_good(
	struct at_tuning *self, const struct unit *unit, const char *what)
{
	struct at_error err = { 0 };
	char line[512];

	if (unit->result.outcome == AT_OUTCOME_OK)
		return true;
	at_compile_first_error(
		unit->result.log ? unit->result.log : "", line, sizeof(line));
	at_fail(&err, AT_EINVAL, self->options.spec->path, 0,
		"%s does not compile for %s: %s", what, self->options.device->id, line);
	tuning_end(self, &err);
	return false;
}

/* true: *unit is there (or NULL because none is needed) and good */
bool tuning_reference_unit(
	struct at_tuning *self, struct at_plan *plan, struct unit **unit)
{
	struct at_compile_request request;
	struct at_error err = { 0 };

	*unit = NULL;
	if (self->options.spec->reference.kind != AT_REFERENCE_KERNEL)
		return true;
	if (at_plan_compile(plan, self->options.spec->defaults, AT_UNIT_REFERENCE,
		    &request, &err)) {
		tuning_end(self, &err);
		return false;
	}
	*unit = tuning_unit(self, &request);
	return *unit && (*unit)->done &&
	       unit_is_good(self, *unit, "the reference (with the defaults)");
}

static bool support_unit(struct at_tuning *self)
{
	struct at_compile_request request;
	struct at_error err = { 0 };

	if (!self->support) {
		if (at_plan_compile_support(&self->plan, &request, &err)) {
			tuning_end(self, &err);
			return false;
		}
		self->support = tuning_unit(self, &request);
	}
	return self->support && self->support->done &&
	       unit_is_good(self, self->support, "the unit of the tuner's own kernels");
}

static bool copy_image(
	const struct at_compile_result *result, unsigned char **image, size_t *size)
{
	*image = malloc(result->image_bytes + 1);
	if (!*image)
		return false;
	memcpy(*image, result->image, result->image_bytes);
	*size = result->image_bytes;
	return true;
}

static char *copy_symbol(const struct at_compile_result *compiled, const char *name)
{
	for (size_t i = 0; name && i < compiled->kernel_count; i++)
		if (!strcmp(compiled->kernels[i].name, name))
			return at_strdup(compiled->kernels[i].symbol);
	return at_strdup("");
}

void tuning_send_setup(struct at_tuning *self, struct at_plan *plan,
	struct unit *reference, at_remote_ready ready)
{
	struct at_measure_setup setup;
	struct at_error err = { 0 };

	if (at_plan_setup(plan, &setup, &err)) {
		tuning_end(self, &err);
		return;
	}
	setup.reference_call.symbol =
		reference ? copy_symbol(&reference->result,
				    self->options.spec->reference.call.kernel)
			  : at_strdup("");
	if (!setup.reference_call.symbol ||
		!copy_image(&self->support->result, &setup.support_image,
			&setup.support_bytes) ||
		(reference && !copy_image(&reference->result, &setup.reference_image,
				      &setup.reference_bytes))) {
		at_fail_memory(&err);
		tuning_end(self, &err);
	} else {
		at_remote_setup(
			self->options.remote, &setup, SETUP_SECONDS, ready, self);
	}
	at_measure_setup_release(&setup);
}

const struct at_kernel_facts *tuning_set_image(const struct at_compile_result *compiled,
	const struct at_spec *spec, struct at_measure_request *request)
{
	if (!copy_image(compiled, &request->image, &request->image_bytes))
		return NULL;
	request->kernel.symbol = copy_symbol(compiled, spec->kernel);
	request->prepare.symbol = copy_symbol(compiled, spec->prepare.kernel);
	request->finish.symbol = copy_symbol(compiled, spec->finish.kernel);
	if (!request->kernel.symbol || !request->prepare.symbol ||
		!request->finish.symbol)
		return NULL;
	return compiled->kernel_count ? &compiled->kernels[0] : NULL;
}

static void setup_ready(void *context, const struct at_error *err)
{
	struct at_tuning *self = context;

	if (err) {
		tuning_end(self, err);
		return;
	}
	self->setup_state = SETUP_READY;
	tuning_pump(self);
}

/* from the first moment on that something is to be measured */
static void advance_setup(struct at_tuning *self)
{
	/* both are asked for before either is waited for */
	bool support, reference;

	if (self->setup_state != SETUP_COMPILING)
		return;
	support = support_unit(self);
	reference = self->phase != PHASE_DONE &&
		    tuning_reference_unit(self, &self->plan, &self->reference);
	if (!support || !reference || self->phase == PHASE_DONE)
		return;
	self->setup_state = SETUP_SENT;
	tuning_send_setup(self, &self->plan, self->reference, setup_ready);
}

void tuning_pump(struct at_tuning *self)
{
	advance_setup(self);
	switch (self->phase) {
	case PHASE_SEARCH:
		tuning_search(self);
		break;
	case PHASE_FINALS:
		tuning_finals(self);
		break;
	case PHASE_VERIFY:
		tuning_verify(self);
		break;
	case PHASE_EXPLAIN:
		tuning_explain(self);
		break;
	case PHASE_DONE:
		break;
	}
}

void at_tuning_poke(struct at_tuning *self)
{
	tuning_pump(self);
}

static void begin(void *context)
{
	struct at_tuning *self = context;

	if (self->told)
		return; /* a signal was quicker */
	tuning_emit(self, AT_EVENT_BEGIN, NULL, NULL, NULL, false);
	tuning_pump(self);
}

/* the kernel's bare name must be somewhere in the template's text */
static enum at_status check_kernel_name(const struct at_tuning_options *options,
	const char *kernel, struct at_error *err)
{
	const char *start = kernel, *colon;
	const char *end = kernel + strcspn(kernel, "<"); /* of "space::name<8>" */
	char name[256];

	while ((colon = strstr(start, "::")) && colon < end)
		start = colon + 2;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(start, "< "), start);
	if (at_template_mentions(options->template, name))
		return AT_OK;
	return at_fail(err, AT_ENOENT, options->spec->path, options->spec->kernel_line,
		"kernel \"%s\" not found in %s", kernel, options->template->path);
}

static enum at_status check_names(
	const struct at_tuning_options *options, struct at_error *err)
{
	const struct at_spec *spec = options->spec;
	enum at_status status = check_kernel_name(options, spec->kernel, err);

	if (!status && spec->prepare.kernel)
		status = check_kernel_name(options, spec->prepare.kernel, err);
	if (!status && spec->finish.kernel)
		status = check_kernel_name(options, spec->finish.kernel, err);
	if (!status && spec->reference.kind == AT_REFERENCE_KERNEL)
		status = check_kernel_name(options, spec->reference.call.kernel, err);
	if (!status)
		status = at_template_check_symbols(options->template, spec, err);
	return status;
}

static enum at_status build_space(struct at_tuning *self, struct at_error *err)
{
	const struct at_spec *spec = self->options.spec;
	struct at_enumerate_options how = { 0 };
	struct at_enumeration statistics = { 0 };
	enum at_status status;

	status = at_enumerate(
		spec, self->plan.slots, &how, &self->configurations, &statistics, err);
	if (!status && self->configurations.count == 0)
		status = at_enumeration_explain_empty(
			spec, &statistics, self->plan.slots, err);
	at_enumeration_release(&statistics);
	if (status)
		return status;
	self->progress.valid_count = self->configurations.count;
	self->value_counts =
		calloc(spec->parameter_count + 1, sizeof(*self->value_counts));
	if (!self->value_counts)
		return at_fail_memory(err);
	for (size_t i = 0; i < spec->parameter_count; i++)
		self->value_counts[i] = spec->parameters[i].value_count;
	return AT_OK;
}

static enum at_status read_budget(struct at_tuning *self, struct at_error *err)
{
	const char *text = self->options.session->budget;
	const char *place = NULL;

	if (!text) {
		text = self->options.spec->search.budget;
		place = self->options.spec->path;
	}
	if (text && at_budget_parse(text, &self->target_evaluations,
			    &self->target_seconds, err)) {
		if (err && place)
			snprintf(err->file, sizeof(err->file), "%s", place);
		return AT_EINVAL;
	}
	if (!self->target_evaluations ||
		self->target_evaluations > self->configurations.count)
		self->progress.target_evaluations = self->configurations.count;
	else
		self->progress.target_evaluations = self->target_evaluations;
	self->progress.target_seconds = self->target_seconds;
	return AT_OK;
}

static enum at_status open_strategy(struct at_tuning *self, struct at_error *err)
{
	const char *text = self->options.session->strategy;
	struct at_search_space space = { &self->configurations, self->value_counts };
	const struct at_strategy_kind *kind = NULL;
	const char *options = NULL;
	/* without any budget everything will be tried; with a time alone, who knows */
	uint64_t covered = self->target_seconds > 0 && !self->target_evaluations
				   ? 0
				   : self->progress.target_evaluations;

	if (!text)
		text = self->options.spec->search.strategy;
	if (at_strategy_find(text ? text : "auto", self->configurations.count, covered,
		    &kind, &options, err))
		return AT_ENOENT;
	return kind->open(
		&space, options, self->options.session->seed, &self->strategy, err);
}

/* what the winner of this problem is tuned from, whatever the configuration or --set */
static enum at_status hash_source(struct at_tuning *self, struct at_error *err)
{
	const struct at_tuning_options *options = &self->options;
	struct at_plan plan;
	enum at_status status;

	status = at_plan_init(&plan, options->whole_spec, options->template,
		options->problem, NULL, options->device, options->toolchain_version,
		FILL_SEED, err);
	if (!status)
		status = at_plan_key(
			&plan, options->whole_spec->defaults, &self->source_hash, err);
	at_plan_release(&plan);
	return status;
}

static enum at_status find_recorded(struct at_tuning *self, struct at_error *err)
{
	struct at_crown *crowns;
	size_t count;
	enum at_status status;

	status = at_store_crowns(self->options.store, self->options.spec->name,
		self->options.device_id, &crowns, &count, err);
	if (status)
		return status;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(crowns[i].problem, self->options.problem->name) != 0)
			continue;
		self->recorded = crowns[i];
		memset(&crowns[i], 0, sizeof(crowns[i]));
		break;
	}
	at_store_free_crowns(crowns, count);
	return AT_OK;
}

enum at_status at_tuning_start(const struct at_tuning_options *options,
	struct at_tuning **out, struct at_error *err)
{
	struct at_tuning *self = calloc(1, sizeof(*self));
	enum at_status status;

	if (!self)
		return at_fail_memory(err);
	self->options = *options;
	self->start_ns = at_clock_now_ns();
	self->ready_last = &self->ready_first;
	status = check_names(options, err);
	if (!status)
		status = at_plan_init(&self->plan, options->spec, options->template,
			options->problem, NULL, options->device,
			options->toolchain_version, FILL_SEED, err);
	if (!status)
		status = build_space(self, err);
	if (!status)
		status = read_budget(self, err);
	if (!status)
		status = open_strategy(self, err);
	if (!status)
		status = hash_source(self, err);
	if (!status)
		status = find_recorded(self, err);
	if (!status)
		status = at_store_get_ceilings(options->store, options->device_id,
			&self->ceilings, &self->has_ceilings, err);
	if (!status)
		status = at_loop_later(options->loop, begin, self, err);
	if (status) {
		at_tuning_free(self);
		return status;
	}
	*out = self;
	return AT_OK;
}

void at_tuning_interrupt(struct at_tuning *self)
{
	if (self->phase == PHASE_DONE || self->interrupted)
		return;
	self->interrupted = true;
	/* who is crowned stays so; what explains it is for the next run */
	if (self->phase == PHASE_EXPLAIN)
		tuning_finish(self);
	else
		tuning_crown_best(self);
}

void at_tuning_summarize(const struct at_tuning *self, struct at_tuning_summary *out)
{
	out->evaluated = self->progress.evaluated;
	out->reused = self->progress.reused;
	out->crowned = self->podium_count > 0;
}

void at_tuning_free(struct at_tuning *self)
{
	if (!self)
		return;
	tuning_drop_tasks(self);
	tuning_release_finals(self);
	while (self->units) {
		struct unit *next = self->units->next;

		at_compilers_forget(self->options.compilers, self->units);
		at_compile_result_release(&self->units->result);
		free(self->units);
		self->units = next;
	}
	for (size_t i = 0; i < self->podium_count; i++)
		at_evaluation_release(&self->podium[i].evaluation);
	free(self->passed);
	at_evaluation_release(&self->baseline.evaluation);
	at_evaluation_release(&self->crowned.evaluation);
	at_crown_release(&self->crown);
	at_crown_release(&self->recorded);
	at_record_ceilings_release(&self->ceilings);
	at_ablation_free(self->ablation);
	if (self->strategy)
		self->strategy->kind->close(self->strategy);
	at_configurations_release(&self->configurations);
	free(self->value_counts);
	at_plan_release(&self->plan);
	free(self);
}
