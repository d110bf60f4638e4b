/* The evaluator: tasks and outcomes, units of setups, the choice of a board, finals,
   the pump that keeps boards busy, the table of functions. */
#include "evaluator/workers/workers_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/owner.h"
#include "base/text.h"
#include "evaluator/cases.h"
#include "kernel/device_code.h"
#include "kernel/source.h"
#include "kernel/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Starts whatever can be started; called after every change. */
static void pump(struct workers *self);
/* Reports all answers that are due. */
static void tell_due(void *context);
static void answer(struct workers *self, struct task *task);
static enum at_status want_task(struct task *task, struct at_error *err);

/* defaults of the space; see struct at_measure_request */
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

/* Sets the task to measure before all others, or NULL. Meanwhile a compiler is kept for
   it, and on a device that shares cores other tasks are held back. */
static void set_first(struct workers *self, struct task *task)
{
	struct at_compilers *compilers =
		at_compile_queue_compilers(self->options.compile_queue);

	if (!self->first != !task)
		at_compilers_reserve(compilers, task ? 1 : -1);
	self->first = task;
}

/* Removes the task from the list of all tasks. */
static void unlink_task(struct workers *self, struct task *task)
{
	struct task **link = &self->tasks;

	while (*link && *link != task)
		link = &(*link)->next;
	if (!*link)
		return;
	*link = task->next;
	if (task == self->first)
		set_first(self, NULL);
}

/* Adds a task that is ready for a board; before: as the first. */
static void push_ready(struct workers *self, struct task *task, bool before)
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

/* Makes the loop report the answers that are due. */
static void tell_later(struct workers *self)
{
	if (self->is_telling_later)
		return;
	self->is_telling_later = true;
	at_loop_later(self->options.loop, tell_due, self);
}

/* Decides the outcome of a task; the loop reports the answer. */
static void decide(struct workers *self, struct task *task, enum at_outcome outcome,
	const char *detail)
{
	task->stage = STAGE_TOLD;
	task->base.outcome = outcome;
	/* a worker's text may be longer */
	snprintf(task->base.detail, sizeof(task->base.detail), "%.*s",
		(int)sizeof(task->base.detail) - 1, detail);
	tell_later(self);
}

/* Ends all work: one waiting caller gets the error, once. */
void workers_fail(struct workers *self, const struct at_error *err)
{
	struct task *task = self->tasks;
	bool is_of_reference;

	if (self->failed)
		return;
	self->failed = true;
	/* without a waiting caller, the next caller is refused with it */
	self->error = *err;
	/* a worker that refuses a request as invalid, or fails in the reference, does
	   not know the space file's name */
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

/* Fails with the error that was reported before, so that nothing new begins. */
static enum at_status refuse(const struct workers *self, struct at_error *err)
{
	if (err && !err->status)
		*err = self->error;
	return self->error.status;
}

/* ---- setups: the units that they need, and the message ---- */

/* Looks for the variables of the space's symbols in the unit of the reference or the
   baseline. False: no unit has them, and everything has failed. */
static bool find_variables(struct workers *self,
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

static void release_setup_unit(struct setup_unit *unit)
{
	if (unit->owner)
		at_compile_queue_forget(unit->owner->options.compile_queue, unit);
	free(unit->path);
	free(unit->symbol);
	*unit = (struct setup_unit){ 0 };
}

/* Takes a compiled unit. A double reference that does not compile is omitted. */
static void setup_unit_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	static const char *const names[] = {
		[SETUP_SUPPORT] = "the unit of the tuner's own kernels",
		[SETUP_REFERENCE] = "the reference (with the defaults)",
		[SETUP_WIDE] = "the reference in double",
	};
	struct setup_unit *unit = context;
	struct workers *self = unit->owner;
	const struct at_spec *spec = self->options.spec;
	struct at_error err = { 0 };
	char line[512];

	if (problem) {
		workers_fail(self, problem);
		return;
	}
	if (result->outcome != AT_OUTCOME_OK && unit->role == SETUP_WIDE) {
		unit->is_off = true;
		pump(self);
		return;
	}
	if (result->outcome != AT_OUTCOME_OK) {
		at_compile_first_error(result->log, line, sizeof(line));
		at_fail(&err, AT_EINVAL, spec->path,
			unit->role == SETUP_REFERENCE ? spec->reference.line : 0,
			"%s does not compile for %s: %s", names[unit->role],
			self->base.info.device.id, line);
		workers_fail(self, &err);
		return;
	}
	/* otherwise it would compute expected values from wrong arguments, which a
	   wrong kernel could match */
	if (unit->role == SETUP_REFERENCE &&
		at_plan_check_signatures(spec, AT_UNIT_REFERENCE, result, &err)) {
		workers_fail(self, &err);
		return;
	}
	if (unit->role == SETUP_REFERENCE && !find_variables(self, result, true))
		return;
	unit->path = at_strdup(path);
	unit->symbol = at_strdup(unit->role != SETUP_SUPPORT && result->kernel_count
					 ? result->kernels[0].symbol
					 : "");
	tell_later(self);
	pump(self);
}

static enum at_status want_setup_unit(struct workers *self, struct setup_unit *unit,
	enum setup_role role, struct at_compile_request *request, struct at_error *err)
{
	enum at_status status;

	unit->owner = self;
	unit->role = role;
	unit->is_wanted = true;
	unit->id = at_compile_identity(request, self->options.toolchain);
	status = at_compile_queue_want(self->options.compile_queue, request, unit->id,
		true, setup_unit_compiled, unit, err);
	at_compile_request_release(request);
	return status;
}

/* Requests all units that the workload's setup still needs, to compile in parallel. */
static enum at_status want_setup_units(
	struct workers *self, struct workload *workload, struct at_error *err)
{
	const struct at_spec *spec = self->options.spec;
	struct at_compile_request request;
	enum at_status status = AT_OK;

	workload->is_needed = true;
	if (!self->support.is_wanted) {
		at_plan_compile_support(&self->workloads[0].plan, &request);
		status = want_setup_unit(
			self, &self->support, SETUP_SUPPORT, &request, err);
	}
	if (!status && !workload->reference.is_wanted &&
		spec->reference.kind == AT_REFERENCE_KERNEL) {
		status = at_plan_compile(&workload->plan, spec->defaults,
			AT_UNIT_REFERENCE, &request, err);
		if (!status)
			status = want_setup_unit(self, &workload->reference,
				SETUP_REFERENCE, &request, err);
	}
	if (!status && !workload->wide.is_wanted && !workload->wide.is_off &&
		spec->reference.kind == AT_REFERENCE_KERNEL &&
		at_source_float64(spec)) {
		status = at_plan_compile(&workload->plan, spec->defaults,
			AT_UNIT_REFERENCE_FLOAT64, &request, err);
		if (!status)
			status = want_setup_unit(
				self, &workload->wide, SETUP_WIDE, &request, err);
	}
	return status;
}

/* Compiles again the setup's units that are gone from the cache, which other runs trim
   too. at_compile_queue_want() looks for the configuration's own unit. */
static enum at_status want_lost_setup_units(
	struct workers *self, struct workload *workload, struct at_error *err)
{
	struct setup_unit *const units[] = { &self->support, &workload->reference,
		&workload->wide };

	for (size_t i = 0; i < AT_COUNT_OF(units); i++) {
		struct at_compile_result found;

		if (!units[i]->path)
			continue;
		if (!at_unit_read(units[i]->path, &found, false, NULL)) {
			at_compile_result_release(&found);
			continue;
		}
		release_setup_unit(units[i]);
		/* The path may differ, so setups are sent anew. Pending requests
		   continue with the old setups, since a setup is identified by its
		   contents. */
		for (size_t j = 0; j < self->workload_count; j++)
			self->workloads[j].is_set_up = false;
	}
	return want_setup_units(self, workload, err);
}

enum at_status workers_put_setup(struct workers *self, struct workload *workload,
	bool watched, struct at_board_setup *out, struct at_error *err)
{
	bool has_reference = self->options.spec->reference.kind == AT_REFERENCE_KERNEL;
	/* only the winner's kernels are to be watched */
	bool has_float64 = !watched && workload->wide.path && !workload->wide.is_off;
	struct at_wire_writer body = { { 0 } };
	const struct at_measure_setup *setup;
	struct at_hasher *hasher;
	struct at_measure_setup with_symbol;
	struct at_hash identity;
	static char no_symbol[] = "";
	enum at_status status;

	status = at_plan_borrow_setup(&workload->plan, &setup, &identity, err);
	if (status)
		return status;
	hasher = at_hasher_new();
	at_hasher_add(hasher, &identity, sizeof(identity));
	at_hasher_add(hasher, &self->support.id, sizeof(self->support.id));
	at_hasher_add(hasher, &workload->reference.id, sizeof(workload->reference.id));
	/* counts even if omitted, so that pending requests find the new setup under the
	   same id */
	at_hasher_add(hasher, &workload->wide.id, sizeof(workload->wide.id));
	out->id = at_hasher_result(hasher);
	at_hasher_free(hasher);
	with_symbol = *setup;
	with_symbol.reference_call.symbol =
		has_reference ? workload->reference.symbol : no_symbol;
	with_symbol.float64_symbol = has_float64 ? workload->wide.symbol : no_symbol;
	with_symbol.watched = watched;
	at_wire_put_u64(&body, out->id.low);
	at_wire_put_u64(&body, out->id.high);
	at_wire_put_text(&body, self->support.path);
	at_wire_put_text(&body, has_reference ? workload->reference.path : "");
	at_wire_put_text(&body, has_float64 ? workload->wide.path : "");
	at_fields_put(&at_measure_setup_fields, &with_symbol, &body);
	at_strbuf_release(&out->body);
	out->body = body.bytes;
	return AT_OK;
}

/* Whether the units of the setup are compiled. If the reference does not compile, the
   user must see that error rather than outcomes of configurations. */
static bool parts_are_known(const struct workers *self, const struct workload *workload)
{
	return self->support.path &&
	       (workload->reference.path ||
		       self->options.spec->reference.kind != AT_REFERENCE_KERNEL);
}

/* Encodes the message from which a board makes the workload's buffers and expected
   outputs. */
static enum at_status set_up(
	struct workers *self, struct workload *workload, struct at_error *err)
{
	enum at_status status;

	if (workload->is_set_up || !parts_are_known(self, workload) ||
		(workload->wide.is_wanted && !workload->wide.is_off &&
			!workload->wide.path))
		return AT_OK;
	status = workers_put_setup(self, workload, false, &workload->setup, err);
	workload->is_set_up = !status;
	return status;
}

/* A board died while it made this setup. True: its optional parts can be omitted. */
static bool do_without(struct workload *workload)
{
	if (!workload->is_set_up || !workload->wide.path || workload->wide.is_off)
		return false;
	workload->wide.is_off = true;
	workload->is_set_up = false;
	return true;
}

/* an evaluation's deadline in seconds, if the space gives none */
#define DEADLINE_SECONDS 30.0
/*
 * Once an evaluation was timed, raced evaluations may take LONGER times the longest.
 * This bounds the cost of a hanging kernel, and of a slow kernel's few launches, each
 * as long as hundreds of others. The deadline is at least LEAST_SECONDS, after which
 * the load by other programs is known. It is half of that once an evaluation has
 * reached its deadline, since the neighbours of a hanging kernel hang too.
 */
#define LONGER 10.0
#define LEAST_SECONDS 3.0
/* A verification's deadline is longer by this many launches at the incumbent's time,
   which includes runs of the reference, but by at most VERIFICATION_DEADLINES deadlines
   of an evaluation. */
#define VERIFICATION_LAUNCHES 200.0
#define VERIFICATION_DEADLINES 4.0
/* Boards of one model differ by about a per cent. If a board were further off, with a
   disjoint interval, the board would decide the search. */
#define BOARDS_AGREE 1.02
/* boards may drift, so they are compared again after this time */
#define AGREE_AGAIN_NS UINT64_C(30000000000)

/* The setup deadline of a default case, whose reference may never end: VARIED_SECONDS
   and VARIED_LONGER times the longest setup so far. */
#define VARIED_SECONDS 5.0
#define VARIED_LONGER 4.0

/* The space's deadline, or the usual one, in seconds. */
static double most_seconds(const struct workers *self)
{
	double given = self->options.spec->search.deadline_seconds;

	return given > 0 ? given : DEADLINE_SECONDS;
}

/*
 * The deadline of a task, in seconds. An evaluation's deadline shrinks once the
 * durations of this problem are known. A verification consists of many launches and
 * runs of the reference, on sizes that were not timed. Its deadline allows for long
 * launches, but is otherwise hardly longer than an evaluation's, since a hanging kernel
 * uses all of it.
 */
static double deadline_seconds(const struct workers *self, const struct task *task)
{
	const struct at_task_options *how = &task->base.how;
	const double most = most_seconds(self);
	const double least = self->has_timed_out ? LEAST_SECONDS / 2 : LEAST_SECONDS;

	if (task->verified)
		return most + fmin(VERIFICATION_LAUNCHES * self->incumbent_ns * 1e-9,
				      VERIFICATION_DEADLINES * most);
	if (how->first || how->full || how->audit || self->longest_seconds <= 0)
		return most;
	return fmin(fmax(LONGER * self->longest_seconds, least), most);
}

/* The number of boards that are not left out. */
static size_t slots_left(const struct workers *self)
{
	size_t count = 0;

	for (size_t i = 0; i < self->slot_count; i++)
		count += !self->slots[i].is_left_out;
	return count;
}

/* The lead board runs finals and verifications, and all evaluations until there is a
   calibration run. */
struct slot *workers_lead_slot(struct workers *self)
{
	for (size_t i = 0; i < self->slot_count; i++)
		if (!self->slots[i].is_left_out)
			return &self->slots[i];
	return &self->slots[0];
}

/* ---- equal images ---- */

/* Configurations with the same image, launch and data. One of them is measured, the
   others get its result. */
struct image {
	bool is_claimed; /* a task is about to be measured */
	const struct slot *slot; /* the measuring board; NULL: not measured */
	struct at_measure_result result;
};

static struct image *find_image(const struct workers *self, struct at_hash hash)
{
	uint32_t number = at_hash_index_find(&self->image_numbers, hash);

	return number == UINT32_MAX ? NULL : &self->images[number];
}

static void copy_result(
	struct at_measure_result *to, const struct at_measure_result *from)
{
	const size_t bytes = from->sample_count * sizeof(*from->samples_ns);

	at_measure_result_release(to);
	*to = *from;
	/* an evaluation has no counters, and the empty list is not shared */
	to->counters = NULL;
	to->counter_count = 0;
	to->samples_ns = at_malloc(bytes + 1);
	if (bytes)
		memcpy(to->samples_ns, from->samples_ns, bytes);
}

/* Another task with the image was measured: this one needs no launch. */
static void decide_copy(
	struct workers *self, struct task *task, const struct image *image)
{
	copy_result(&task->base.result, &image->result);
	task->base.is_measured = task->base.is_copy = true;
	task->slot = (struct slot *)image->slot;
	decide(self, task, image->result.outcome, image->result.detail);
}

/* The next task that waits for the measurement of this image, or NULL. */
static struct task *next_waiting(const struct workers *self, struct at_hash image)
{
	for (struct task *task = self->tasks; task; task = task->next)
		if (task->stage == STAGE_WAITING &&
			at_hash_equal(task->base.image, image))
			return task;
	return NULL;
}

/* Gives a task's result to those that waited for it. */
static void tell_likes(struct workers *self, struct task *task)
{
	struct image *image = find_image(self, task->base.image);
	struct task *like;

	/* a zero image is unknown, and nothing waits for it */
	if (!image)
		return;
	copy_result(&image->result, &task->base.result);
	image->slot = task->slot;
	while ((like = next_waiting(self, task->base.image)) != NULL) {
		if (like->base.how.full && task->base.result.raced)
			push_ready(self, like, false);
		else
			decide_copy(self, like, image);
	}
}

/* Claims the image of a task for which a board is free. An earlier claim could make a
   task wait for one that itself waits for a board. False: the task waits for another
   with the same image, or has its result. */
static bool is_to_be_measured(struct workers *self, struct task *task)
{
	struct image *image;
	uint32_t number;

	if (task->verified || (!task->base.image.low && !task->base.image.high))
		return true;
	at_hash_index_put(&self->image_numbers, task->base.image,
		(uint32_t)self->image_count, &number);
	if (number == self->image_count) {
		AT_GROW(self->images, self->image_capacity, self->image_count + 1);
		self->images[self->image_count++] = (struct image){ 0 };
	}
	image = &self->images[number];
	if (image->slot && !(task->base.how.full && image->result.raced)) {
		decide_copy(self, task, image);
		return false;
	}
	if (!image->slot && image->is_claimed) {
		task->stage = STAGE_WAITING;
		return false;
	}
	image->is_claimed = true;
	return true;
}

/* The task is not measured now: those that waited for its result become ready. */
static void give_up_claim(struct workers *self, struct task *task)
{
	struct image *image = find_image(self, task->base.image);
	struct task *like;

	if (!image)
		return;
	image->is_claimed = false;
	while ((like = next_waiting(self, task->base.image)) != NULL)
		push_ready(self, like, false);
}

/* ---- the choice of a board ---- */

/* Leaves out a board that does not work, or disagrees; its tasks go to the other
   boards. */
static void leave_out(struct workers *self, struct slot *slot, const char *why)
{
	char text[1400];

	slot->is_left_out = true;
	slot->is_compared = false;
	at_board_retire(slot->board);
	for (struct task *task = self->tasks; task; task = task->next) {
		if (task->stage != STAGE_AT_BOARD || task->slot != slot)
			continue;
		task->slot = NULL;
		give_up_claim(self, task);
		push_ready(self, task, true);
	}
	if (self->finals.slot == slot)
		self->finals.slot = NULL;
	snprintf(text, sizeof(text), "%s is left out: %s", slot->info->id, why);
	workers_tell(self, AT_NOTICE_NOTE, text);
}

/* whether the error is about the board rather than its request */
static bool is_boards_fault(const struct at_error *problem)
{
	return problem->status == AT_EDEVICE || problem->status == AT_EUNAVAILABLE;
}

/* Keeps the best fully measured task as the calibration run for comparing boards. */
static void keep_calibration(struct workers *self, struct task *task)
{
	struct task *old = self->calibration;

	if (slots_left(self) < 2 || task->verified || task->base.is_copy ||
		task->base.outcome != AT_OUTCOME_OK || !task->base.is_measured ||
		task->base.result.raced ||
		(old && old->base.result.time_ns <= task->base.result.time_ns))
		return;
	at_task_keep(&task->base);
	self->calibration = task;
	self->calibration_slot = task->slot;
	if (old)
		at_task_free(&old->base);
	task->slot->agrees = true;
	task->slot->agreed_ns = at_clock_now_ns();
}

/* Whether an error is about the machine or the size of the data, not about the
   reference. */
static bool is_of_machine(enum at_status status)
{
	return status == AT_EMACHINE || status == AT_ENOMEM ||
	       status == AT_EUNAVAILABLE || status == AT_EOVERFLOW;
}

/* The reference fails on a case of the domain, or on a simplified case, which then
   shows nothing. */
static void fail_on_case(
	struct workers *self, struct task *task, const struct at_error *problem)
{
	struct at_error err = { 0 };

	if (task->shrinking && task->shrinking->smallest) {
		decide(self, task, AT_OUTCOME_NOT_APPLICABLE, problem->text);
		return;
	}
	at_fail(&err, problem->status, self->options.spec->path,
		self->options.spec->domain.line,
		"the reference fails on \"%s\", for which the domain promises that it is right: %.700s",
		task->workload->plan.problem->name, problem->text);
	workers_fail(self, &err);
}

static void task_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *problem)
{
	struct task *task = context;
	struct workers *self = task->owner;
	struct at_error err = { 0 };
	char text[1400];

	(void)count;
	/* after a reported error nothing is answered */
	if (self->failed)
		return;
	if (!problem) {
		self->has_timed_out |=
			!task->verified && results[0].outcome == AT_OUTCOME_TIMED_OUT;
		task->base.result = results[0];
		memset(&results[0], 0, sizeof(results[0]));
		task->base.is_measured = true;
		/* can be answered here, since this is called from the loop */
		task->stage = STAGE_TOLD;
		task->base.outcome = task->base.result.outcome;
		snprintf(task->base.detail, sizeof(task->base.detail), "%s",
			task->base.result.detail);
		if (!task->verified)
			tell_likes(self, task);
		if (task->base.result.judged[0])
			workers_tell(self, AT_NOTICE_JUDGED, task->base.result.judged);
		if (task->base.result.warnings[0])
			workers_tell(self, AT_NOTICE_NOTE, task->base.result.warnings);
		keep_calibration(self, task);
		answer(self, task);
	} else if (problem->status == AT_ENOENT && !task->was_compiled_again) {
		/* the unit was removed from the cache, or is damaged */
		task->was_compiled_again = true;
		task->slot = NULL;
		give_up_claim(self, task);
		if (want_lost_setup_units(self, task->workload, &err) ||
			want_task(task, &err))
			workers_fail(self, &err);
	} else if (is_boards_fault(problem) && do_without(task->workload)) {
		/* the reference in double may have broken the device: try once more
		   without it */
		task->slot = NULL;
		give_up_claim(self, task);
		push_ready(self, task, true);
	} else if (task->verified && workers_is_default(task->workload) &&
		   problem->status != AT_EMACHINE) {
		/* the reference does not work on these sizes; the process was
		   replaced */
		task->workload->is_unfit = true;
		task->workload->reference_fails = true;
		snprintf(text, sizeof(text),
			"the reference is not for this case of the default list: %.900s",
			problem->text);
		decide(self, task, AT_OUTCOME_NOT_APPLICABLE, text);
	} else if (task->verified && workers_is_of_domain(task->workload) &&
		   !is_of_machine(problem->status)) {
		fail_on_case(self, task, problem);
	} else if (is_boards_fault(problem) && slots_left(self) > 1) {
		/* a dead board costs the search only this board */
		leave_out(self, task->slot, problem->text);
	} else if (task->verified && task->workload > &self->workloads[1] &&
		   problem->status != AT_EMACHINE) {
		/* neither the tuned problem nor the same with other data: it is
		   omitted, and the verification says why */
		decide(self, task, AT_OUTCOME_NOT_APPLICABLE, problem->text);
	} else {
		workers_fail(self, problem);
	}
	pump(self);
}

/* Sends a task to a board; the board answers from the loop. */
static void send_task(struct workers *self, struct slot *slot, struct task *task)
{
	struct at_measure_request *request = &task->base.plan.request;
	const char *unit = task->unit;

	task->stage = STAGE_AT_BOARD;
	task->slot = slot;
	/* the explanation compares whole times, so a task measured in full is not
	   raced */
	request->incumbent_ns = task->base.how.full ? 0 : self->incumbent_ns;
	request->audit = task->base.how.audit;
	request->is_baseline = task->base.how.first;
	/* with arguments outside the space, a reference may never end */
	if (workers_is_default(task->workload))
		task->workload->setup.deadline_seconds =
			VARIED_SECONDS +
			VARIED_LONGER * at_board_setup_seconds(slot->board);
	/* the data of the case are made first, in the same time */
	if (request->pattern_seconds > 0)
		request->pattern_seconds = fmax(AT_SECONDS_OVER,
			request->pattern_seconds - at_board_setup_seconds(slot->board));
	request->deadline_seconds = deadline_seconds(self, task);
	at_board_measure(slot->board, &task->workload->setup, NULL, &unit, request, 1,
		request->deadline_seconds, task_measured, task);
}

/* ---- comparing boards ---- */

static void board_compared(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *problem)
{
	struct slot *slot = context;
	struct workers *self = slot->owner;
	struct at_error err = { 0 };
	char text[1400] = "";
	double ratio;

	(void)count;
	slot->is_compared = false;
	if (problem && problem->status == AT_ENOENT) {
		/* A unit of the calibration run, or of its setup, is gone from the
		   cache. The next task that is measured in full becomes the calibration
		   run. Boards that have agreed continue. */
		if (self->calibration)
			at_task_free(&self->calibration->base);
		self->calibration = NULL;
		if (want_lost_setup_units(self, &self->workloads[0], &err))
			workers_fail(self, &err);
		pump(self);
		return;
	}
	slot->agrees = true;
	slot->agreed_ns = at_clock_now_ns();
	if (problem) {
		snprintf(text, sizeof(text), "%s", problem->text);
	} else if (results[0].outcome != AT_OUTCOME_OK) {
		snprintf(text, sizeof(text),
			"a configuration that is ok on %s is %s there: %s",
			slot->expected_on, at_outcome_name(results[0].outcome),
			results[0].detail);
	} else {
		ratio = results[0].time_ns / slot->expected_ns;
		if ((ratio > BOARDS_AGREE &&
			    results[0].low_ns > slot->expected_high_ns) ||
			(ratio < 1 / BOARDS_AGREE &&
				results[0].high_ns < slot->expected_low_ns))
			snprintf(text, sizeof(text),
				"the same configuration takes %.4g us there and %.4g us on %s",
				results[0].time_ns * 1e-3, slot->expected_ns * 1e-3,
				slot->expected_on);
	}
	/* the last board is never left out, so that the search continues */
	if (text[0] && slots_left(self) > 1)
		leave_out(self, slot, text);
	pump(self);
}

/* True: the board may take work. False: it must wait, or is being compared. */
static bool agrees(struct workers *self, struct slot *slot)
{
	struct at_measure_request request;
	uint64_t now_ns = at_clock_now_ns();
	const char *unit;

	if (slots_left(self) < 2)
		return !slot->is_compared;
	if (!self->calibration)
		/* until then only the lead board measures */
		return slot == workers_lead_slot(self) || slot->agrees;
	if (slot->agrees && (slot == self->calibration_slot ||
				    now_ns - slot->agreed_ns < AGREE_AGAIN_NS))
		return true;
	/* the comparison is alone on the board, and nothing follows before its
	   answer */
	if (slot->is_compared || at_board_queued(slot->board))
		return false;
	request = self->calibration->base.plan.request;
	request.incumbent_ns = 0;
	slot->is_compared = true;
	slot->expected_ns = self->calibration->base.result.time_ns;
	slot->expected_low_ns = self->calibration->base.result.low_ns;
	slot->expected_high_ns = self->calibration->base.result.high_ns;
	slot->expected_on = self->calibration_slot->info->id;
	unit = self->calibration->unit;
	at_board_measure(slot->board, &self->calibration->workload->setup, NULL, &unit,
		&request, 1, most_seconds(self), board_compared, slot);
	return false;
}

/* ---- sending tasks ---- */

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

/* Replaces what the task has from its compiled unit: path, log, facts, and the missing
   parts of the request. */
static void take_compiled(
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

/* The hash of image, launch and data that equal tasks share; zero: it cannot be
   made. */
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
	/* equal images may have several kernels, and a configuration chooses one */
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
	/* hashes of one problem are adjacent in the record's index, as its keys are */
	hash = at_hash_grouped(identity, at_hasher_result(hasher));
	at_hasher_free(hasher);
	return hash;
}

/* Reports what a compilation omitted, if this differs from the last report. */
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

/* Sends a compiled task to a board, or decides it if it cannot be launched. */
static void task_compiled(void *context, const char *path,
	const struct at_compile_result *compiled, const struct at_error *problem)
{
	struct task *task = context;
	struct workers *self = task->owner;
	enum at_outcome outcome;
	char detail[512] = "";
	struct at_error misfit = { 0 };

	if (problem) {
		workers_fail(self, problem);
		return;
	}
	take_compiled(task, path, compiled);
	task->base.plan.request.seed = task->base.index;
	task->base.plan.request.verify_only = task->verified != NULL;
	outcome = compiled->outcome;
	if (outcome != AT_OUTCOME_OK) {
		at_compile_first_error(compiled->log, detail, sizeof(detail));
	} else if (at_plan_check_signatures(
			   self->options.spec, AT_UNIT_TUNED, compiled, &misfit)) {
		/* If the baseline's kernel takes other arguments, the space is wrong,
		   since everything is compared with the baseline. Other configurations
		   may differ, since a parameter can choose the kernel's types. */
		if (misfit.status != AT_EINVAL || task == self->first) {
			workers_fail(self, &misfit);
			return;
		}
		outcome = AT_OUTCOME_LAUNCH_FAILED;
		snprintf(detail, sizeof(detail), "%.500s", misfit.text);
	} else if (task == self->first && !find_variables(self, compiled, false)) {
		return;
	} else {
		tell_left_out(self, compiled->log);
		outcome = at_plan_check_resources(&task->workload->plan,
			&task->base.plan.request, compiled, detail, sizeof(detail));
	}
	if (outcome != AT_OUTCOME_OK) {
		decide(self, task, outcome, detail);
	} else {
		if (!task->verified)
			task->base.image = identify_image(task, compiled);
		push_ready(self, task, task == self->first);
	}
	pump(self);
}

/* Requests the task's unit from the compiler pool. */
static enum at_status want_task(struct task *task, struct at_error *err)
{
	task->stage = STAGE_COMPILING;
	return at_compile_queue_want(task->owner->options.compile_queue,
		&task->base.plan.compile, task->base.plan.unit,
		task == task->owner->first || task->verified, task_compiled, task, err);
}

/* Begins a task, and keeps a reference to it until its answer. */
static enum at_status add_task(
	struct workers *self, struct task *task, struct at_error *err)
{
	const struct at_compiled_plan *plan = &task->base.plan;
	enum at_status status = self->failed ? refuse(self, err) : AT_OK;

	at_task_keep(&task->base);
	task->next = self->tasks;
	self->tasks = task;
	if (task->base.how.first)
		set_first(self, task);
	if (!status && plan->outcome != AT_OUTCOME_OK) {
		decide(self, task, plan->outcome, plan->detail);
		return AT_OK;
	}
	/* if kernels run on the compilers' cores, it waits for all compilers */
	task->is_held_back = self->first && self->first != task && !task->verified &&
			     self->base.info.device.shares_cores;
	if (!status)
		status = want_setup_units(self, task->workload, err);
	if (!status && !task->is_held_back)
		status = want_task(task, err);
	if (status) {
		unlink_task(self, task);
		at_task_free(&task->base);
	}
	return status;
}

void workers_replace_task(struct workers *self, struct task *task, struct task *next)
{
	struct at_error err = { 0 };

	next->verified = task->verified;
	next->base.context = task->base.context;
	/* on failure the task stays, since its owner waits for an answer: the error */
	if (add_task(self, next, &err)) {
		workers_fail(self, &err);
	} else {
		unlink_task(self, task);
		at_task_free(&task->base);
	}
	at_task_free(&next->base);
}

static struct workers *of(struct at_evaluator *base)
{
	return (struct workers *)base;
}

static const struct workers *of_const(const struct at_evaluator *base)
{
	return (const struct workers *)base;
}

/* ---- finals: all on one board, the lead board of that moment ---- */

/*
 * Launches of each contestant in the shortest finals: three blocks, each with
 * verification, warm-up and two rounds, in which a launch that warms the cache may
 * precede each sample. Half as many again allow for rounds repeated after throttling.
 */
#define LEAST_LAUNCHES 27

/* Drops the finals: nothing compiles or measures for them any more. */
static void drop_finals(struct workers *self)
{
	for (size_t i = 0; i < self->finals.count; i++) {
		at_compile_queue_forget(
			self->options.compile_queue, self->finals.tasks[i]);
		at_task_free(&self->finals.tasks[i]->base);
	}
	memset(&self->finals, 0, sizeof(self->finals));
}

static void finalist_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	struct task *task = context;
	struct workers *self = task->owner;
	struct at_error err = { 0 };

	if (problem) {
		workers_fail(self, problem);
		return;
	}
	if (result->outcome != AT_OUTCOME_OK) {
		at_fail(&err, AT_EINVAL, self->options.spec->path, 0,
			"a configuration %s: %.200s",
			self->finals.how.counts
				? "does not compile"
				: "that compiled before does not compile now",
			result->log ? result->log : "");
		workers_fail(self, &err);
		return;
	}
	take_compiled(task, path, result);
	self->finals.compiled++;
	pump(self);
}

/* Requests the units of all finalists, which the cache usually has. */
static enum at_status want_finalists(struct workers *self, struct at_error *err)
{
	struct finals *finals = &self->finals;
	enum at_status status = AT_OK;

	finals->slot = NULL;
	finals->compiled = 0;
	for (size_t i = 0; i < finals->count && !status; i++) {
		struct task *task = finals->tasks[i];

		status = at_compile_queue_want(self->options.compile_queue,
			&task->base.plan.compile, task->base.plan.unit, true,
			finalist_compiled, task, err);
	}
	return status;
}

static void finals_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err)
{
	struct workers *self = context;
	at_finals_answered answered = self->finals.answered;
	void *answered_context = self->finals.context;
	struct slot *slot = self->finals.slot;
	struct at_error problem = { 0 };

	if (self->failed)
		return;
	if (err && is_boards_fault(err) && slots_left(self) > 1) {
		leave_out(self, slot, err->text);
		pump(self);
		return;
	}
	if (err && err->status == AT_ENOENT && !self->finals.was_compiled_again) {
		self->finals.was_compiled_again = true;
		if (want_lost_setup_units(self, &self->workloads[0], &problem) ||
			want_finalists(self, &problem))
			workers_fail(self, &problem);
		return;
	}
	if (err) {
		workers_fail(self, err);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		struct at_task *task = &self->finals.tasks[i]->base;

		at_measure_result_release(&task->result);
		task->result = results[i];
		memset(&results[i], 0, sizeof(results[i]));
	}
	drop_finals(self);
	answered(answered_context, NULL);
	pump(self);
}

/* Whether all are compiled, the setup is complete, and no evaluation is pending. */
static bool finals_are_due(const struct workers *self)
{
	const struct finals *finals = &self->finals;

	return finals->answered && !finals->slot && finals->compiled == finals->count &&
	       self->workloads[0].is_set_up && !self->tasks && !self->failed;
}

/* Whether measuring may begin. On a device that shares cores with the compilers, these
   must be held, and their last units must be finished. */
static bool has_cores(const struct workers *self)
{
	return !self->base.info.device.shares_cores ||
	       (self->holding && !at_compilers_running(at_compile_queue_compilers(
					 self->options.compile_queue)));
}

static void send_finals(struct workers *self)
{
	struct finals *finals = &self->finals;
	struct at_measure_request requests[AT_FINALISTS_MAX];
	const char *units[AT_FINALISTS_MAX];
	struct slot *slot = workers_lead_slot(self);

	if (!finals_are_due(self) || !has_cores(self) || at_board_queued(slot->board))
		return;
	finals->slot = slot;
	for (size_t i = 0; i < finals->count; i++) {
		requests[i] = finals->tasks[i]->base.plan.request;
		units[i] = finals->tasks[i]->unit;
	}
	/* `seconds` is for the rounds, if short. The deadlines are for loading and
	   verifying. */
	at_board_measure(slot->board, &self->workloads[0].setup, &finals->how, units,
		requests, finals->count,
		finals->how.seconds + 4 * most_seconds(self) +
			LEAST_LAUNCHES * finals->how.launch_seconds +
			at_measure_energy_seconds(&finals->how, finals->count),
		finals_measured, self);
}

/* ---- the pump ---- */

/* On a device that shares its cores with the compilers, the two alternate: a batch is
   compiled, then measured while no compiler runs. Compilers are held only once the
   setup's units are compiled and the first task is ready. */
static void take_turns(struct workers *self)
{
	struct at_compilers *compilers =
		at_compile_queue_compilers(self->options.compile_queue);
	bool is_measuring = false, is_compiling = false, recovers = false, hold;

	for (size_t i = 0; i < self->slot_count; i++) {
		is_measuring |= at_board_queued(self->slots[i].board) > 0;
		recovers |= at_board_recovers(self->slots[i].board);
	}
	/* only this evaluator's tasks: other users of the compilers may never be
	   done */
	for (const struct task *task = self->tasks; task; task = task->next)
		is_compiling = is_compiling || task->stage == STAGE_COMPILING;
	hold = is_measuring || finals_are_due(self) ||
	       (self->ready_first && self->ready_first->workload->is_set_up &&
		       (!self->first || self->ready_first == self->first) &&
		       (self->holding || !is_compiling));
	/* a board that tries something again needs the machine for itself */
	if (!self->base.info.device.shares_cores)
		hold = recovers;
	if (hold != self->holding) {
		self->holding = hold;
		at_compilers_hold(compilers, hold);
	}
}

/* For at_board_be_alone(): holds the compilers, and returns whether all have
   stopped. */
static bool is_alone(void *context)
{
	struct workers *self = context;

	take_turns(self);
	return !at_compilers_running(
		at_compile_queue_compilers(self->options.compile_queue));
}

static bool may_send(const struct workers *self)
{
	const struct task *next = self->ready_first;

	if (!next || self->failed || !next->workload->is_set_up)
		return false;
	if (self->first && next != self->first)
		return false;
	return has_cores(self);
}

/* Takes the first ready task that must and may be measured on this board, or NULL. */
static struct task *next_for(struct workers *self, const struct slot *slot)
{
	while (may_send(self)) {
		struct task *task;

		/* verifications run on the lead board, which already has their
		   buffers */
		if (self->ready_first->verified && slot != workers_lead_slot(self))
			return NULL;
		task = self->ready_first;
		self->ready_first = task->next_ready;
		if (!self->ready_first)
			self->ready_last = &self->ready_first;
		if (is_to_be_measured(self, task))
			return task;
	}
	return NULL;
}

static void pump(struct workers *self)
{
	const char *note = at_compile_queue_note(self->options.compile_queue);
	struct at_error err = { 0 };
	char text[1200];

	if (note[0]) {
		snprintf(text, sizeof(text),
			"compiled kernels are not kept for the next run: %s", note);
		workers_tell(self, AT_NOTICE_NOTE, text);
	}
	for (size_t i = 0; i < self->slot_count; i++) {
		note = at_board_note(self->slots[i].board);
		if (note[0])
			workers_tell(self, AT_NOTICE_NOTE, note);
	}
	for (size_t i = 0; i < self->workload_count && !self->failed; i++)
		if (self->workloads[i].is_needed &&
			set_up(self, &self->workloads[i], &err))
			workers_fail(self, &err);
	/* requests the units of the tasks that waited until the first was measured */
	for (struct task *task = self->tasks; task && !self->first && !self->failed;
		task = task->next) {
		if (!task->is_held_back || task->stage != STAGE_NONE)
			continue;
		task->is_held_back = false;
		if (want_task(task, &err))
			workers_fail(self, &err);
	}
	take_turns(self);
	/* one task for each board in turn, to spread the last few over the boards */
	for (size_t depth = 0; depth < AT_BOARD_DEPTH; depth++)
		for (size_t i = 0; i < self->slot_count && may_send(self); i++) {
			struct slot *slot = &self->slots[i];
			struct task *task;

			if (slot->is_left_out || at_board_queued(slot->board) > depth ||
				!agrees(self, slot))
				continue;
			task = next_for(self, slot);
			if (task)
				send_task(self, slot, task);
		}
	if (!self->failed)
		send_finals(self);
	take_turns(self);
}

/* ---- answers that are due ---- */

/* Reports the outcome of a verification, and the case if it failed on one. */
static void tell_verification(const struct workers *self, struct task *task)
{
	const struct workload *workload = task->shrinking && task->shrinking->smallest
						  ? task->shrinking->smallest
						  : task->workload;
	const struct at_case_data data = { workload->plan.contents, workload->plan.seed,
		workload->plan.is_scaled };
	char *instance = NULL;
	struct at_verification_answer verification = {
		.outcome = task->base.outcome,
		.detail = task->base.detail,
		.error = task->base.result.max_relative_error,
		.verified = task->base.result.verified,
		.is_unfit = task->workload->is_unfit &&
			    task->base.outcome == AT_OUTCOME_NOT_APPLICABLE,
		.reference_fails = task->workload->reference_fails,
	};
	struct at_strbuf line = { 0 };

	if (task->base.outcome != AT_OUTCOME_OK &&
		task->base.outcome != AT_OUTCOME_NOT_APPLICABLE &&
		task->base.outcome != AT_OUTCOME_NONE && workload->from) {
		at_case_write(workload->plan.problem, &line);
		verification.line = line.data;
		verification.instance = instance = at_case_instance(self->options.spec,
			workload->plan.problem, self->options.problem, &data);
	}
	task->verified(task->base.context, &verification, NULL);
	free(instance);
	at_strbuf_release(&line);
}

/* Reports the task's answer and drops the task. */
static void answer(struct workers *self, struct task *task)
{
	if (task->verified && workers_goes_on(self, task))
		return;
	unlink_task(self, task);
	self->has_answered = true;
	if (task->slot)
		task->base.board = task->slot->info->uuid;
	if (task->verified)
		tell_verification(self, task);
	else
		task->base.answered(&task->base, NULL);
	at_task_free(&task->base);
}

static void tell_due(void *context)
{
	struct workers *self = context;
	struct task *task = self->tasks;

	self->is_telling_later = false;
	while (task && !self->failed) {
		if (task->stage != STAGE_TOLD) {
			task = task->next;
			continue;
		}
		/* an outcome without a measurement waits until the setup's units are
		   known to compile */
		if (task->base.outcome != AT_OUTCOME_NONE && !task->base.is_measured &&
			task->base.plan.outcome == AT_OUTCOME_OK &&
			!parts_are_known(self, task->workload)) {
			task = task->next;
			continue;
		}
		/* the callback may begin tasks, stop everything or end the search:
		   start again */
		answer(self, task);
		task = self->tasks;
	}
	pump(self);
}

/* ---- regular calls ---- */

/* Two runs on one board take turns by evaluation; a longer wait is reported. */
#define WAIT_SHOWN_NS UINT64_C(1000000000)
#define MINUTE_NS UINT64_C(60000000000)

/* The work before the first answer, which may take a minute: shown as progress. */
static const char *find_step(const struct workers *self)
{
	const struct setup_unit *reference = &self->workloads[0].reference;
	struct at_evaluator_load load;

	if (self->has_answered)
		return "";
	if (reference->is_wanted && !reference->path)
		return "compiling the reference";
	self->base.ops->load(&self->base, &load);
	if (load.measuring)
		return "running the reference and the first configuration";
	return load.compiling || load.waiting ? "compiling the first configurations"
					      : "starting";
}

/* Reports when the machine fails and when it recovers, on the display or in a log. */
static void tell_trouble(struct workers *self)
{
	char text[sizeof(self->trouble)];

	at_compilers_trouble(at_compile_queue_compilers(self->options.compile_queue),
		text, sizeof(text));
	for (size_t i = 0; i < self->slot_count && !text[0]; i++)
		at_board_trouble(self->slots[i].board, text, sizeof(text));
	if (!strcmp(text, self->trouble))
		return;
	snprintf(self->trouble, sizeof(self->trouble), "%s", text);
	workers_tell(self, AT_NOTICE_NOTE, text[0] ? text : "goes on");
}

/* "waiting for another autotune on cuda:0, pid 1234 of alice, for 3 min" */
static void describe_waiting(const struct slot *slot, char *text, size_t size)
{
	uint64_t minutes = at_board_waiting_ns(slot->board) / MINUTE_NS;
	char owner[64], since[32] = "";

	at_process_describe(at_board_waits_for(slot->board), owner, sizeof(owner));
	if (minutes)
		snprintf(since, sizeof(since), ", for %" PRIu64 " min", minutes);
	snprintf(text, size, "waiting for another autotune on %s%s%s%s", slot->info->id,
		owner[0] ? ", " : "", owner, since);
}

/* The wait for another program has reached its limit: continue with the other boards,
   or fail. */
static void give_up_waiting(struct workers *self, struct slot *slot)
{
	struct at_error err = { 0 };
	char owner[64], limit[32];

	at_process_describe(at_board_waits_for(slot->board), owner, sizeof(owner));
	at_text_duration(self->options.wait_seconds * 1e9, limit, sizeof(limit));
	at_fail(&err, AT_EUNAVAILABLE, NULL, 0,
		"device %s: %s has had it for %s, longer than --wait: end that, or wait longer",
		slot->info->id, owner[0] ? owner : "another program", limit);
	if (slots_left(self) > 1)
		leave_out(self, slot, err.text);
	else
		workers_fail(self, &err);
}

/* Nothing is ready for a board any more, or about to be measured. */
static void forget_ready(struct workers *self)
{
	for (size_t i = 0; i < self->image_count; i++)
		self->images[i].is_claimed = false;
	self->ready_first = NULL;
	self->ready_last = &self->ready_first;
}

/* Ends tasks without an outcome; at_boards: also those at a board, such as a hanging
   kernel. */
static void call_off(struct workers *self, bool at_boards)
{
	for (struct task *task = self->tasks; task; task = task->next) {
		if (task->stage == STAGE_TOLD)
			continue;
		if (task->stage == STAGE_AT_BOARD) {
			/* once the case is set up the time is the kernel's own, which
			   has a deadline; before, it is the reference's */
			if (!at_boards || (task->verified && task->workload->is_set_up))
				continue;
			at_board_cancel(task->slot->board);
			task->slot->is_compared = false;
		} else if (task->stage == STAGE_COMPILING) {
			at_compile_queue_forget(self->options.compile_queue, task);
		}
		decide(self, task, AT_OUTCOME_NONE, "");
	}
	forget_ready(self);
}

static void tick(struct at_evaluator *base)
{
	struct workers *self = (struct workers *)base;
	double most = self->options.wait_seconds;
	char text[256] = "";
	const char *step;

	for (size_t i = 0; i < self->slot_count && !self->failed; i++) {
		struct slot *slot = &self->slots[i];
		uint64_t waiting_ns = at_board_waiting_ns(slot->board);

		if (!slot->is_left_out && most > 0 && (double)waiting_ns * 1e-9 >= most)
			give_up_waiting(self, slot);
		else if (waiting_ns >= WAIT_SHOWN_NS)
			describe_waiting(slot, text, sizeof(text));
	}
	if (strcmp(text, self->state) != 0) {
		snprintf(self->state, sizeof(self->state), "%s", text);
		workers_tell(self, AT_NOTICE_STATE, text);
	}
	step = find_step(self);
	if (!self->step || strcmp(step, self->step) != 0) {
		self->step = step;
		workers_tell(self, AT_NOTICE_STEP, step);
	}
	if (self->cut_ns && base->ops->now_ns(base) >= self->cut_ns) {
		self->cut_ns = 0;
		call_off(self, true);
	}
	tell_trouble(self);
	tell_due(self);
	workers_tick_checks(self);
	workers_tick_coverage(self);
}

/* ---- the table ---- */

static enum at_status workers_plan(struct at_evaluator *base,
	const uint16_t *configuration, struct at_task **out, struct at_error *err)
{
	struct workload *tuned = &of(base)->workloads[0];
	struct task *task;
	enum at_status status =
		workers_new_task(tuned, &tuned->plan, configuration, &task, err);

	if (!status)
		*out = &task->base;
	return status;
}

static enum at_status workers_begin(
	struct at_evaluator *base, struct at_task *task, struct at_error *err)
{
	of(base)->cut_ns = 0;
	return add_task(of(base), (struct task *)task, err);
}

static void workers_race(
	struct at_evaluator *base, double incumbent_ns, double longest_seconds)
{
	of(base)->incumbent_ns = incumbent_ns;
	of(base)->longest_seconds = longest_seconds;
}

/* Only for the tuned problem: setups for verifications keep their usual deadline. */
static void workers_hurry(struct at_evaluator *base, double seconds)
{
	of(base)->workloads[0].setup.budget_seconds = seconds;
}

static enum at_status workers_finals(struct at_evaluator *base,
	struct at_task *const *tasks, size_t count, const struct at_measure_finals *how,
	at_finals_answered answered, void *context, struct at_error *err)
{
	struct workers *self = of(base);
	struct finals *finals = &self->finals;
	enum at_status status;

	if (self->failed)
		return refuse(self, err);
	memset(finals, 0, sizeof(*finals));
	finals->how = *how;
	finals->count = count;
	finals->answered = answered;
	finals->context = context;
	for (size_t i = 0; i < count; i++) {
		at_task_keep(tasks[i]);
		finals->tasks[i] = (struct task *)tasks[i];
	}
	status = want_setup_units(self, &self->workloads[0], err);
	if (!status)
		status = want_finalists(self, err);
	if (status)
		drop_finals(self);
	return status;
}

static enum at_status workers_verify(struct at_evaluator *base,
	const uint16_t *configuration, size_t verification_case, double seconds,
	at_verified verified, void *context, struct at_error *err)
{
	struct workers *self = of(base);
	struct workload *workload = &self->workloads[verification_case + 1];
	const size_t parameters = self->options.spec->parameter_count;
	struct at_compiled_plan *plan;
	struct task *task;
	enum at_status status;

	self->cut_ns = 0;
	workers_tell_default(self);
	status = workers_new_task(workload, &workload->plan, configuration, &task, err);
	if (status)
		return status;
	task->verified = verified;
	task->base.context = context;
	plan = &task->base.plan;
	plan->request.pattern_seconds = seconds;
	if (workload->from)
		task->second_opinion = workers_new_second_opinion(self, configuration);
	if (workload->from && !workload->from->contents) {
		task->shrinking = at_calloc(1,
			sizeof(*task->shrinking) + parameters * sizeof(*configuration));
		memcpy(task->shrinking->configuration, configuration,
			parameters * sizeof(*configuration));
	}
	if (workload->is_unfit) {
		plan->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(plan->detail, sizeof(plan->detail),
			"nothing promises it, and the baseline is not right on it");
	} else if (!at_plan_admits(&workload->plan, configuration)) {
		plan->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(plan->detail, sizeof(plan->detail), "%s",
			workload->plan.is_scaled
				? "the constraints exclude the configuration there, or it does not divide these sizes as it does the tuned ones"
				: "the constraints exclude the configuration there");
	}
	status = add_task(self, task, err);
	at_task_free(&task->base);
	return status;
}

static const char *workers_case_name(
	const struct at_evaluator *base, size_t verification_case)
{
	return of_const(base)->workloads[verification_case + 1].plan.problem->name;
}

static uint32_t workers_case_id(
	const struct at_evaluator *base, size_t verification_case)
{
	return of_const(base)->workloads[verification_case + 1].id;
}

static uint64_t workers_case_bytes(struct at_evaluator *base, size_t verification_case)
{
	return workers_bytes_of(&of(base)->workloads[verification_case + 1]);
}

static void workers_cancel(struct at_evaluator *base, double seconds)
{
	struct workers *self = of(base);

	self->cut_ns = base->ops->now_ns(base) + (uint64_t)(seconds * 1e9);
	call_off(self, false);
}

static void workers_drop_dear(struct at_evaluator *base, double deadline)
{
	struct workers *self = of(base);
	struct at_compile_queue *queue = self->options.compile_queue;
	double slow = at_compilers_slow_seconds(at_compile_queue_compilers(queue));
	double seconds = fmax(slow, deadline);
	char text[240], least[32];

	for (struct task *task = self->tasks; task && slow > 0; task = task->next) {
		if (task->stage != STAGE_COMPILING || task == self->first ||
			at_compile_queue_seconds(queue, task) < seconds)
			continue;
		at_compile_queue_forget(queue, task);
		decide(self, task, AT_OUTCOME_NONE, "");
		if (self->has_dropped_dear)
			continue;
		self->has_dropped_dear = true;
		at_text_duration(seconds * 1e9, least, sizeof(least));
		snprintf(text, sizeof(text),
			"configurations that take longer than %s to compile, and ten times the median, are left out; a longer %s waits for them",
			least, deadline > 0 ? "\"deadline\" in the space" : "--budget");
		workers_tell(self, AT_NOTICE_NOTE, text);
	}
	pump(self);
}

static void workers_stop(struct at_evaluator *base)
{
	struct workers *self = of(base);

	for (size_t i = 0; i < self->slot_count; i++) {
		at_board_cancel(self->slots[i].board);
		self->slots[i].is_compared = false;
	}
	while (self->tasks) {
		struct task *task = self->tasks;

		at_compile_queue_forget(self->options.compile_queue, task);
		unlink_task(self, task);
		at_task_free(&task->base);
	}
	drop_finals(self);
	workers_drop_checks(&self->base);
	forget_ready(self);
	if (self->holding)
		at_compilers_hold(
			at_compile_queue_compilers(self->options.compile_queue), false);
	self->holding = false;
}

static size_t workers_capacity(const struct at_evaluator *base)
{
	const struct workers *self = of_const(base);
	size_t jobs = at_compilers_jobs(
		at_compile_queue_compilers(self->options.compile_queue));

	/* one in work and one to follow, for each compiler and for each board */
	return 2 * jobs + AT_BOARD_DEPTH * slots_left(self);
}

static void workers_load(const struct at_evaluator *base, struct at_evaluator_load *out)
{
	const struct workers *self = of_const(base);

	*out = (struct at_evaluator_load){ 0 };
	for (const struct task *task = self->tasks; task; task = task->next) {
		out->compiling += task->stage == STAGE_COMPILING;
		out->waiting +=
			task->stage == STAGE_READY || task->stage == STAGE_WAITING;
		out->measuring += task->stage == STAGE_AT_BOARD;
	}
}

/* The clock, less the time in which other programs had all boards. */
static uint64_t workers_now_ns(const struct at_evaluator *base)
{
	const struct workers *self = of_const(base);
	uint64_t least_ns = UINT64_MAX;

	for (size_t i = 0; i < self->slot_count; i++) {
		const struct slot *slot = &self->slots[i];
		uint64_t waited_ns =
			at_board_waited_ns(slot->board) - slot->waited_before_ns;

		if (!slot->is_left_out && waited_ns < least_ns)
			least_ns = waited_ns;
	}
	return at_clock_now_ns() - (least_ns == UINT64_MAX ? 0 : least_ns);
}

static void workers_later(
	struct at_evaluator *base, void (*call)(void *), void *context)
{
	at_loop_later(of(base)->options.loop, call, context);
}

static void workers_close(struct at_evaluator *base)
{
	struct workers *self = of(base);

	workers_stop(base);
	for (size_t i = 0; i < self->slot_count; i++)
		at_board_be_alone(self->slots[i].board, NULL, NULL);
	workers_close_checks(self);
	at_loop_forget(self->options.loop, self);
	for (size_t i = 0; i < self->workload_count; i++) {
		struct workload *workload = &self->workloads[i];

		release_setup_unit(&workload->reference);
		release_setup_unit(&workload->wide);
		at_strbuf_release(&workload->setup.body);
		at_plan_release(&workload->plan);
	}
	at_cases_free(self->cases, self->case_count);
	free(self->coverage);
	for (size_t i = 0; i < self->added_count; i++)
		at_case_release(&self->added[i]);
	release_setup_unit(&self->support);
	if (self->calibration)
		at_task_free(&self->calibration->base);
	for (size_t i = 0; i < self->image_count; i++)
		at_measure_result_release(&self->images[i].result);
	free(self->images);
	at_hash_index_release(&self->image_numbers);
	free(self->workloads);
	free(self->symbols_found);
	free(self);
}

static const struct at_evaluator_ops workers_ops = {
	.close = workers_close,
	.plan = workers_plan,
	.begin = workers_begin,
	.race = workers_race,
	.hurry = workers_hurry,
	.finals = workers_finals,
	.verify = workers_verify,
	.check = workers_check,
	.drop_checks = workers_drop_checks,
	.cover = workers_cover,
	.case_name = workers_case_name,
	.case_id = workers_case_id,
	.case_bytes = workers_case_bytes,
	.cancel = workers_cancel,
	.drop_slow_compiles = workers_drop_dear,
	.stop = workers_stop,
	.capacity = workers_capacity,
	.load = workers_load,
	.now_ns = workers_now_ns,
	.later = workers_later,
	.tick = tick,
};

/* ---- opening ---- */

enum at_status at_workers_open(const struct at_workers_options *options,
	struct at_evaluator **out, struct at_error *err)
{
	struct workers *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->base.ops = &workers_ops;
	self->open = at_workers_open;
	self->options = *options;
	self->ready_last = &self->ready_first;
	self->base.info.device = options->infos[0];
	snprintf(self->base.info.toolchain, sizeof(self->base.info.toolchain), "%s",
		options->toolchain);
	self->slot_count = options->board_count < AT_BOARDS_MAX ? options->board_count
								: AT_BOARDS_MAX;
	for (size_t i = 0; i < self->slot_count; i++)
		self->slots[i] = (struct slot){
			.owner = self,
			.board = options->boards[i],
			.info = &options->infos[i],
			.waited_before_ns = at_board_waited_ns(options->boards[i]),
		};
	for (size_t i = 0; i < self->slot_count; i++)
		at_board_be_alone(self->slots[i].board, is_alone, self);
	at_compilers_be_patient(at_compile_queue_compilers(options->compile_queue));
	self->symbols_found = at_calloc(
		options->spec->argument_count + 1, sizeof(*self->symbols_found));
	status = workers_add_workloads(self, err);
	if (!status)
		status = workers_identify_source(self, err);
	if (status) {
		workers_close(&self->base);
		return status;
	}
	self->options.counterexamples = NULL;
	*out = &self->base;
	return AT_OK;
}
