/* Trials: a configuration's way to a board (compiled, checked against the device,
   ready) and its outcome. */
#include "evaluator/workers/workers_parts.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* where the space does not say; see struct at_measure_request */
#define SAMPLES_MIN 6
#define SAMPLES_MAX 60
#define SAMPLING_SECONDS 0.5

void workers_tell(struct workers *self, enum at_notice_kind kind, const char *text)
{
	if (self->base.tell)
		self->base.tell(self->base.tell_context, kind, text);
}

/* ---- trials ---- */

void workers_free_task(struct task *task)
{
	at_compiled_plan_free(task->compiled_plan);
	at_measure_result_release(&task->result);
	free(task->second_opinion);
	workers_free_shrinking(task->shrinking);
	workers_release_compiled(&task->compiled);
	free(task);
}

void workers_set_first(struct workers *self, struct task *task)
{
	struct at_compilers *compilers =
		at_compile_queue_compilers(self->options.compile_queue);

	if (!self->first != !task)
		at_compilers_reserve(compilers, task ? 1 : -1);
	self->first = task;
}

void workers_unlink_task(struct workers *self, struct task *task)
{
	struct task **link = &self->tasks;

	while (*link && *link != task)
		link = &(*link)->next;
	if (!*link)
		return;
	*link = task->next;
	if (task == self->first)
		workers_set_first(self, NULL);
}

struct task *workers_pop_ready(struct workers *self)
{
	struct task *task = self->ready_first;

	self->ready_first = task->next_ready;
	if (!self->ready_first)
		self->ready_last = &self->ready_first;
	return task;
}

/* Adds a trial that is ready for a board; before: ahead of all others. */
void workers_push_ready(struct workers *self, struct task *task, bool before)
{
	task->stage = STAGE_READY;
	task->next_ready = NULL;
	if (before) {
		task->next_ready = self->ready_first;
		self->ready_first = task;
		if (!task->next_ready)
			self->ready_last = &task->next_ready;
	} else {
		*self->ready_last = task;
		self->ready_last = &task->next_ready;
	}
}

/* ---- their outcomes ---- */

void workers_tell_later(struct workers *self)
{
	if (self->is_telling_later)
		return;
	self->is_telling_later = true;
	at_loop_later(self->options.loop, self->tell_due, self);
}

void workers_decide(struct workers *self, struct task *task, enum at_outcome outcome,
	const char *detail)
{
	task->stage = STAGE_TOLD;
	task->outcome = outcome;
	snprintf(task->detail, sizeof(task->detail), "%s", detail);
	workers_tell_later(self);
}

/* Nothing more can be done: one of those that wait for an answer gets it, once. */
void workers_fail(struct workers *self, const struct at_error *err)
{
	struct task *task = self->tasks;
	bool is_of_reference;

	if (self->failed)
		return;
	self->failed = true;
	/* without a waiting caller, the next one that asks is refused with it */
	self->error = *err;
	/* a worker that finds a request senseless, or that fails with the reference,
	   does not know the space file's name */
	is_of_reference =
		err->status != AT_ENOMEM && strstr(err->text, "the reference");
	if ((err->status == AT_EINVAL || is_of_reference) && !err->file[0]) {
		snprintf(self->error.file, sizeof(self->error.file), "%s",
			self->options.spec->path);
		self->error.line =
			is_of_reference ? self->options.spec->reference.line : 0;
	}
	err = &self->error;
	if (self->finals.answered)
		self->finals.answered(self->finals.context, NULL, 0, err);
	else if (task && task->verified)
		task->verified(task->context, NULL, err);
	else if (task)
		task->answered(task->context, NULL, err);
}

enum at_status workers_refuse(const struct workers *self, struct at_error *err)
{
	if (err && !err->status)
		*err = self->error;
	return self->error.status;
}

/* ---- their way to a board ---- */

/* The symbol of a kernel in the compiled unit; "" where the space has no such
   kernel. */
static char *symbol_of(const struct at_spec *spec, enum at_plan_role role,
	const struct at_compile_result *compiled)
{
	const struct at_kernel_facts *facts = at_plan_find_kernel(spec, role, compiled);

	return at_strdup(facts ? facts->symbol : "");
}

void workers_set_symbols(const struct workers *self,
	const struct at_compile_result *compiled, struct at_measure_request *request)
{
	const struct at_spec *spec = self->options.spec;

	request->kernel.symbol = symbol_of(spec, AT_PLAN_KERNEL, compiled);
	request->prepare.symbol = symbol_of(spec, AT_PLAN_PREPARE, compiled);
	request->finish.symbol = symbol_of(spec, AT_PLAN_FINISH, compiled);
}

bool workers_find_variables(struct workers *self,
	const struct at_compile_result *compiled, bool is_reference)
{
	const struct at_spec *spec = self->options.spec;
	struct at_error err = { 0 };

	self->saw_reference |= is_reference;
	self->saw_baseline |= !is_reference;
	at_plan_find_symbols(spec, compiled, self->symbols_found);
	if (!self->saw_baseline ||
		(spec->reference.kind == AT_REFERENCE_KERNEL && !self->saw_reference) ||
		!at_plan_check_symbols(spec, self->symbols_found, &err))
		return true;
	workers_fail(self, &err);
	return false;
}

void workers_set_sampling(
	const struct workers *self, struct at_measure_request *request)
{
	const struct at_search_defaults *given = &self->options.spec->search;

	request->samples_min =
		given->samples_min > 0 ? (uint32_t)given->samples_min : SAMPLES_MIN;
	request->samples_max =
		given->samples_max > 0 ? (uint32_t)given->samples_max : SAMPLES_MAX;
	if (request->samples_max < request->samples_min)
		request->samples_max = request->samples_min;
	request->sampling_seconds = SAMPLING_SECONDS;
}

void workers_release_compiled(struct compiled *self)
{
	free(self->request.kernel.symbol);
	free(self->request.prepare.symbol);
	free(self->request.finish.symbol);
	free(self->unit);
	free(self->log);
	*self = (struct compiled){ .facts = AT_FACTS_UNKNOWN };
}

void workers_take_compiled(const struct workers *self, const struct workload *workload,
	const struct at_compiled_plan *compiled_plan, const char *path,
	const struct at_compile_result *result, struct compiled *out)
{
	const struct at_geometry *geometry = &compiled_plan->request.kernel.geometry;
	const struct at_kernel_facts *kernel =
		result->kernel_count ? &result->kernels[0] : NULL;
	struct at_occupancy occupancy;
	bool has_occupancy = kernel && at_plan_occupancy(&workload->plan, kernel,
					       geometry, &occupancy);

	workers_release_compiled(out);
	out->unit = at_strdup(path);
	out->log = at_strdup(result->log ? result->log : "");
	at_facts_fill(&out->facts, kernel, geometry, has_occupancy ? &occupancy : NULL,
		(int64_t)result->compile_ns);
	out->request = compiled_plan->request;
	workers_set_symbols(self, result, &out->request);
	workers_set_sampling(self, &out->request);
}

/* The hash that trials share if they have the same image, launch and data; zero where
   it cannot be made. */
static struct at_hash identify_image(
	const struct task *task, const struct at_compile_result *compiled)
{
	const struct at_measure_setup *setup;
	struct at_hasher *hasher;
	struct at_hash identity;
	struct at_hash none = { 0 }, hash;

	if (at_plan_borrow_setup(&task->workload->plan, &setup, &identity, NULL))
		return none;
	hasher = at_hasher_new();
	at_hasher_add(hasher, &compiled->image_hash, sizeof(compiled->image_hash));
	at_hasher_add(hasher, &identity, sizeof(identity));
	at_fields_hash(&at_measure_request_fields, &task->compiled.request, hasher);
	/* hashes of one problem lie together in the record's index, as its keys do */
	hash = at_hash_grouped(identity, at_hasher_result(hasher));
	at_hasher_free(hasher);
	return hash;
}

/* Sends a compiled trial to a board, or decides it if it cannot be launched. False:
   everything has failed. */
static bool route(struct workers *self, struct task *task,
	const struct at_compile_result *compiled)
{
	const struct at_geometry *geometry =
		&task->compiled_plan->request.kernel.geometry;
	enum at_outcome outcome = compiled->outcome;
	char detail[512] = "";
	struct at_error misfit = { 0 };

	if (outcome != AT_OUTCOME_OK) {
		at_compile_first_error(
			compiled->log ? compiled->log : "", detail, sizeof(detail));
	} else if (at_plan_check_signatures(
			   self->options.spec, AT_UNIT_TUNED, compiled, &misfit)) {
		/*
		 * All others are compared with the baseline: if the baseline's kernel
		 * takes other arguments, the space is wrong. Other configurations may
		 * differ, since a parameter can choose the kernel's types.
		 */
		if (misfit.status != AT_EINVAL || task == self->first) {
			workers_fail(self, &misfit);
			return false;
		}
		outcome = AT_OUTCOME_LAUNCH_FAILED;
		snprintf(detail, sizeof(detail), "%.500s", misfit.text);
	} else if (task == self->first &&
		   !workers_find_variables(self, compiled, false)) {
		return false;
	} else {
		outcome = at_plan_check_resources(&task->workload->plan,
			&compiled->kernels[0], geometry, detail, sizeof(detail));
	}
	if (outcome != AT_OUTCOME_OK) {
		workers_decide(self, task, outcome, detail);
		return true;
	}
	if (!task->verified)
		task->image = identify_image(task, compiled);
	workers_push_ready(self, task, task == self->first);
	return true;
}

static void task_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	struct task *task = context;
	struct workers *self = task->owner;

	if (problem) {
		workers_fail(self, problem);
		return;
	}
	workers_take_compiled(self, task->workload, task->compiled_plan, path, result,
		&task->compiled);
	task->compiled.request.seed = task->options.seed;
	task->compiled.request.verify_only = task->verified != NULL;
	if (route(self, task, result))
		self->pump(self);
}

enum at_status workers_want_task(struct task *task, struct at_error *err)
{
	task->stage = STAGE_COMPILING;
	return at_compile_queue_want(task->owner->options.compile_queue,
		&task->compiled_plan->compile, task->compiled_plan->unit,
		task == task->owner->first || task->verified, task_compiled, task, err);
}

/* Takes planned and what facts point to over, also when it fails. */
enum at_status workers_add_task(struct workers *self, struct workload *workload,
	struct at_compiled_plan *compiled_plan, const struct task *facts,
	struct at_error *err)
{
	struct task *task = at_malloc(sizeof(*task));
	enum at_status status = AT_OK;

	*task = *facts;
	task->owner = self;
	task->workload = workload;
	task->compiled_plan = compiled_plan;
	task->compiled.facts = (struct at_facts)AT_FACTS_UNKNOWN;
	task->next = self->tasks;
	self->tasks = task;
	if (task->options.first)
		workers_set_first(self, task);
	if (self->failed) {
		status = workers_refuse(self, err);
		workers_unlink_task(self, task);
		workers_free_task(task);
		return status;
	}
	if (compiled_plan->outcome != AT_OUTCOME_OK) {
		workers_decide(
			self, task, compiled_plan->outcome, compiled_plan->detail);
		return AT_OK;
	}
	/* where a kernel runs on the compilers' cores, it waits for all of them */
	task->is_held_back = self->first && self->first != task && !task->verified &&
			     self->base.info.device.shares_cores;
	status = workers_want_setup_units(self, workload, err);
	if (!status && !task->is_held_back)
		status = workers_want_task(task, err);
	if (status) {
		workers_unlink_task(self, task);
		workers_free_task(task);
	}
	return status;
}
