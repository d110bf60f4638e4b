/* Tasks: a configuration's way to a board (compiled, checked against the device,
   ready) and its outcome. */
#include "evaluator/workers/workers_parts.h"

#include "base/memory.h"
#include "kernel/device_code.h"

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

/* ---- tasks ---- */

static void release(struct at_task *base)
{
	struct task *task = (struct task *)base;

	free(task->second_opinion);
	free(task->shrinking);
	free(task->unit);
}

enum at_status workers_new_task(struct workload *workload, struct at_plan *plan,
	const uint16_t *configuration, struct task **out, struct at_error *err)
{
	struct task *task =
		at_task_new(sizeof(*task), configuration, plan->spec->parameter_count);
	enum at_status status =
		at_plan_configuration(plan, configuration, &task->base.plan, err);

	task->base.release = release;
	task->owner = workload->owner;
	task->workload = workload;
	if (status)
		at_task_free(&task->base);
	else
		*out = task;
	return status;
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

/* Adds a task that is ready for a board; before: ahead of all others. */
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
	task->base.outcome = outcome;
	snprintf(task->base.detail, sizeof(task->base.detail), "%s", detail);
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
		self->finals.answered(self->finals.context, err);
	else if (task && task->verified)
		task->verified(task->base.context, NULL, err);
	else if (task)
		task->base.answered(&task->base, err);
}

enum at_status workers_refuse(const struct workers *self, struct at_error *err)
{
	if (err && !err->status)
		*err = self->error;
	return self->error.status;
}

/* ---- their way to a board ---- */

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

void workers_take_compiled(
	struct task *task, const char *path, const struct at_compile_result *result)
{
	const struct at_spec *spec = task->owner->options.spec;
	struct at_measure_request *request = &task->base.plan.request;
	const struct at_geometry *geometry = &request->kernel.geometry;
	/* of a sequence, the first launch's */
	const struct at_kernel_facts *kernel =
		at_plan_find_kernel(spec, &spec->calls[request->kernel.call], result);
	struct at_occupancy occupancy;
	bool has_occupancy = kernel && at_plan_occupancy(&task->workload->plan, kernel,
					       geometry, &occupancy);

	free(task->unit);
	free(task->base.log);
	task->unit = at_strdup(path);
	task->base.log = at_strdup(result->log ? result->log : "");
	at_facts_fill(&task->base.facts, kernel, geometry,
		has_occupancy ? &occupancy : NULL, (int64_t)result->compile_ns);
	at_plan_set_symbols(spec, result, request);
	workers_set_sampling(task->owner, request);
}

/* The hash that tasks share if they have the same image, launch and data; zero where
   it cannot be made. */
static struct at_hash identify_image(
	const struct task *task, const struct at_compile_result *compiled)
{
	const struct at_measure_setup *setup;
	const struct at_measure_request *request = &task->base.plan.request;
	const struct at_spec *spec = task->workload->plan.spec;
	bool is_chosen = false;
	struct at_hasher *hasher;
	struct at_hash identity;
	struct at_hash none = { 0 }, hash;

	if (at_plan_borrow_setup(&task->workload->plan, &setup, &identity, NULL))
		return none;
	hasher = at_hasher_new();
	at_hasher_add(hasher, &compiled->image_hash, sizeof(compiled->image_hash));
	at_hasher_add(hasher, &identity, sizeof(identity));
	at_measure_request_hash(request, hasher);
	/* equal images may have several kernels, and a configuration chooses one
	 */
	for (size_t i = 0; i < spec->call_count; i++)
		is_chosen = is_chosen || strstr(spec->calls[i].kernel, "${");
	for (size_t i = 0; (is_chosen || at_measure_is_sequence(request)) &&
			   i <= request->more_count;
		i++)
		at_hasher_add_text(hasher, at_measure_launch(request, i)->symbol);
	if (is_chosen) {
		at_hasher_add_text(hasher, request->prepare.symbol);
		at_hasher_add_text(hasher, request->finish.symbol);
	}
	/* hashes of one problem lie together in the record's index, as its keys do */
	hash = at_hash_grouped(identity, at_hasher_result(hasher));
	at_hasher_free(hasher);
	return hash;
}

/* Tells what a compilation did without, where it is not what the last one did. */
static void tell_left_out(struct workers *self, const char *log)
{
	char text[512];
	struct at_hash left_out;

	if (!log || strncmp(log, AT_DEVICE_CODE_WORDS, strlen(AT_DEVICE_CODE_WORDS)))
		return;
	snprintf(text, sizeof(text), "%s: %.*s", self->options.spec->template_path,
		(int)strcspn(log, "\n"), log);
	left_out = at_hash_bytes(text, strlen(text));
	if (at_hash_equal(left_out, self->left_out))
		return;
	self->left_out = left_out;
	workers_tell(self, AT_NOTICE_NOTE, text);
}

/* Sends a compiled task to a board, or decides it if it cannot be launched. False:
   everything has failed. */
static bool route(struct workers *self, struct task *task,
	const struct at_compile_result *compiled)
{
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
		tell_left_out(self, compiled->log);
		outcome = at_plan_check_resources(&task->workload->plan,
			&task->base.plan.request, compiled, detail, sizeof(detail));
	}
	if (outcome != AT_OUTCOME_OK) {
		workers_decide(self, task, outcome, detail);
		return true;
	}
	if (!task->verified)
		task->base.image = identify_image(task, compiled);
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
	workers_take_compiled(task, path, result);
	task->base.plan.request.seed = task->base.index;
	task->base.plan.request.verify_only = task->verified != NULL;
	if (route(self, task, result))
		self->pump(self);
}

enum at_status workers_want_task(struct task *task, struct at_error *err)
{
	task->stage = STAGE_COMPILING;
	return at_compile_queue_want(task->owner->options.compile_queue,
		&task->base.plan.compile, task->base.plan.unit,
		task == task->owner->first || task->verified, task_compiled, task, err);
}

enum at_status workers_add_task(
	struct workers *self, struct task *task, struct at_error *err)
{
	const struct at_compiled_plan *plan = &task->base.plan;
	enum at_status status = self->failed ? workers_refuse(self, err) : AT_OK;

	at_task_keep(&task->base);
	task->next = self->tasks;
	self->tasks = task;
	if (task->base.how.first)
		workers_set_first(self, task);
	if (!status && plan->outcome != AT_OUTCOME_OK) {
		workers_decide(self, task, plan->outcome, plan->detail);
		return AT_OK;
	}
	/* where a kernel runs on the compilers' cores, it waits for all of them */
	task->is_held_back = self->first && self->first != task && !task->verified &&
			     self->base.info.device.shares_cores;
	if (!status)
		status = workers_want_setup_units(self, task->workload, err);
	if (!status && !task->is_held_back)
		status = workers_want_task(task, err);
	if (status) {
		workers_unlink_task(self, task);
		at_task_free(&task->base);
	}
	return status;
}

void workers_replace_task(struct workers *self, struct task *task, struct task *next)
{
	struct at_error err = { 0 };

	next->verified = task->verified;
	next->base.context = task->base.context;
	/* on failure the task stays, since its owner waits for an answer, which is the
	   error */
	if (workers_add_task(self, next, &err)) {
		workers_fail(self, &err);
	} else {
		workers_unlink_task(self, task);
		at_task_free(&task->base);
	}
	at_task_free(&next->base);
}
