/* Which board measures which trial, what follows from each result, and whether boards
   agree. */
#include "evaluator/workers/workers_parts.h"

#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* seconds for an evaluation where the space does not say */
#define DEADLINE_SECONDS 30.0
/* Once something was timed, what is raced and takes so many times as long is not waited
   for, which is what a kernel that hangs costs, and of a kernel that ends a few
   launches, each as long as hundreds of others. At least so many seconds are waited,
   after which it is known whether other programs had the processors; half of that once
   an evaluation has reached its deadline, since neighbours of a kernel that hangs hang
   too. */
#define LONGER 10.0
#define LEAST_SECONDS 3.0
/* The deadline of a verification is longer by as many launches at the incumbent's time,
   which includes runs of the reference, but by at most so many deadlines of an
   evaluation. */
#define VERIFICATION_LAUNCHES 200.0
#define VERIFICATION_DEADLINES 4.0
/* Boards of one model differ by about a per cent. If one were further off than this,
   and its interval did not meet the other's, the board would decide the search. */
#define BOARDS_AGREE 1.02
/* boards may drift, so they are compared again after this time */
#define AGREE_AGAIN_NS UINT64_C(30000000000)

/* The deadline of the setup of a default case, where a reference may never end: so many
   seconds, and so many times the longest setup so far. */
#define VARIED_SECONDS 5.0
#define VARIED_LONGER 4.0

double workers_most_seconds(const struct workers *self)
{
	double given = self->options.spec->search.deadline_seconds;

	return given > 0 ? given : DEADLINE_SECONDS;
}

/*
 * The deadline of a task, in seconds. That of an evaluation is less once it is known
 * how long those of this problem take. A verification is many launches and runs of the
 * reference, and of sizes that were not timed. Its deadline allows for launches that
 * take long. Otherwise it is hardly longer than the longest of an evaluation, since
 * what hangs is waited for until then.
 */
static double deadline_seconds(const struct workers *self, const struct task *task)
{
	const struct at_task_options *how = &task->base.how;
	const double most = workers_most_seconds(self);
	const double least = self->has_timed_out ? LEAST_SECONDS / 2 : LEAST_SECONDS;

	if (task->verified)
		return most + fmin(VERIFICATION_LAUNCHES * self->incumbent_ns * 1e-9,
				      VERIFICATION_DEADLINES * most);
	if (how->first || how->full || how->audit || self->longest_seconds <= 0)
		return most;
	return fmin(fmax(LONGER * self->longest_seconds, least), most);
}

size_t workers_slots_left(const struct workers *self)
{
	size_t count = 0;

	for (size_t i = 0; i < self->slot_count; i++)
		count += !self->slots[i].is_left_out;
	return count;
}

/* Finals and verifications are made on the lead board, and all evaluations until there
   is a calibration run. */
struct slot *workers_lead_slot(struct workers *self)
{
	for (size_t i = 0; i < self->slot_count; i++)
		if (!self->slots[i].is_left_out)
			return &self->slots[i];
	return &self->slots[0];
}

/* ---- equal images ---- */

/* What is known of the configurations that compile to one image and are launched in the
   same way on the same data. One of them is measured, the others get its result. */
struct image {
	bool is_claimed; /* a trial is about to be measured */
	const struct slot *slot; /* on which it was measured; NULL: it was not */
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
	/* an evaluation has none, and the list without elements is not shared */
	to->counters = NULL;
	to->counter_count = 0;
	to->samples_ns = at_malloc(bytes + 1);
	if (bytes)
		memcpy(to->samples_ns, from->samples_ns, bytes);
}

/* Another trial with the image was measured: this one needs no launch. */
static void decide_copy(
	struct workers *self, struct task *task, const struct image *image)
{
	copy_result(&task->base.result, &image->result);
	task->base.is_measured = task->base.is_copy = true;
	task->slot = (struct slot *)image->slot;
	workers_decide(self, task, image->result.outcome, image->result.detail);
}

/* The next trial that waits for the measurement of this image; NULL: none waits. */
static struct task *next_waiting(const struct workers *self, struct at_hash image)
{
	for (struct task *task = self->tasks; task; task = task->next)
		if (task->stage == STAGE_WAITING &&
			at_hash_equal(task->base.image, image))
			return task;
	return NULL;
}

/* Gives a trial's result to those that waited for it. */
static void tell_likes(struct workers *self, struct task *task)
{
	struct image *image = find_image(self, task->base.image);
	struct task *like;

	/* an image of zero is not known, and nothing waits for it */
	if (!image)
		return;
	copy_result(&image->result, &task->base.result);
	image->slot = task->slot;
	while ((like = next_waiting(self, task->base.image)) != NULL) {
		if (like->base.how.full && task->base.result.raced)
			workers_push_ready(self, like, false);
		else
			decide_copy(self, like, image);
	}
}

/*
 * Claims the image of a trial for which a board is free. It is not claimed earlier:
 * then a trial could wait for one that itself waits for a board. False: it waits for
 * another with the same image, or has got that one's result.
 */
bool workers_is_to_be_measured(struct workers *self, struct task *task)
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

/* The trial is not measured now: those that waited for its result are ready
   themselves. */
static void give_up_claim(struct workers *self, struct task *task)
{
	struct image *image = find_image(self, task->base.image);
	struct task *like;

	if (!image)
		return;
	image->is_claimed = false;
	while ((like = next_waiting(self, task->base.image)) != NULL)
		workers_push_ready(self, like, false);
}

void workers_forget_claims(struct workers *self)
{
	for (size_t i = 0; i < self->image_count; i++)
		self->images[i].is_claimed = false;
}

void workers_release_images(struct workers *self)
{
	for (size_t i = 0; i < self->image_count; i++)
		at_measure_result_release(&self->images[i].result);
	free(self->images);
	at_hash_index_release(&self->image_numbers);
}

/* ---- which board ---- */

/* Leaves out a board that does not work, or does not agree; its trials go to the other
   boards. */
void workers_leave_out(struct workers *self, struct slot *slot, const char *why)
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
		workers_push_ready(self, task, true);
	}
	if (self->finals.slot == slot)
		self->finals.slot = NULL;
	snprintf(text, sizeof(text), "%s is left out: %s", slot->info->id, why);
	workers_tell(self, AT_NOTICE_NOTE, text);
}

/* whether the error is about the board, and not about what was sent to it */
bool workers_is_boards_fault(const struct at_error *problem)
{
	return problem->status == AT_EDEVICE || problem->status == AT_EUNAVAILABLE;
}

static bool is_full_time(const struct task *task)
{
	return task->base.outcome == AT_OUTCOME_OK && task->base.is_measured &&
	       !task->base.result.raced;
}

/* Keeps the best trial that was measured in full as the calibration run that boards are
   compared by. */
static void keep_calibration(struct workers *self, struct task *task)
{
	struct task *old = self->calibration;

	if (workers_slots_left(self) < 2 || task->verified || task->base.is_copy ||
		!is_full_time(task) ||
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

/* Whether an error says something of the machine, or of how much data there is, and
   nothing of the reference. */
static bool is_of_machine(enum at_status status)
{
	return status == AT_EMACHINE || status == AT_ENOMEM ||
	       status == AT_EUNAVAILABLE || status == AT_EOVERFLOW;
}

/* The reference fails on a case of the domain, or on a smaller one, which then shows
   nothing. */
static void fail_on_case(
	struct workers *self, struct task *task, const struct at_error *problem)
{
	struct at_error err = { 0 };

	if (task->shrinking && task->shrinking->smallest) {
		workers_decide(self, task, AT_OUTCOME_NOT_APPLICABLE, problem->text);
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
	/* an error was told, after which nothing is answered */
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
		workers_answer(self, task);
	} else if (problem->status == AT_ENOENT && !task->was_compiled_again) {
		/* the unit has been removed from the cache, or is damaged */
		task->was_compiled_again = true;
		task->slot = NULL;
		give_up_claim(self, task);
		if (workers_want_lost_setup_units(self, task->workload, &err) ||
			workers_want_task(task, &err))
			workers_fail(self, &err);
	} else if (workers_is_boards_fault(problem) &&
		   workers_do_without(task->workload)) {
		/* the workload's reference in double may have broken the device: try
		   once more without it */
		task->slot = NULL;
		give_up_claim(self, task);
		workers_push_ready(self, task, true);
	} else if (task->verified && workers_is_default(task->workload) &&
		   problem->status != AT_EMACHINE) {
		/* the reference does not work on these sizes; the process was
		   replaced */
		task->workload->is_unfit = true;
		task->workload->reference_fails = true;
		snprintf(text, sizeof(text),
			"the reference is not for this case of the default list: %.900s",
			problem->text);
		workers_decide(self, task, AT_OUTCOME_NOT_APPLICABLE, text);
	} else if (task->verified && workers_is_of_domain(task->workload) &&
		   !is_of_machine(problem->status)) {
		fail_on_case(self, task, problem);
	} else if (workers_is_boards_fault(problem) && workers_slots_left(self) > 1) {
		/* a board that dies costs the search only this board */
		workers_leave_out(self, task->slot, problem->text);
	} else if (task->verified && task->workload > &self->workloads[1] &&
		   problem->status != AT_EMACHINE) {
		/* neither the tuned problem nor the same with other data: it can be
		   done without, and the verification says why */
		workers_decide(self, task, AT_OUTCOME_NOT_APPLICABLE, problem->text);
	} else {
		workers_fail(self, problem);
	}
	self->pump(self);
}

void workers_send_task(struct workers *self, struct slot *slot, struct task *task)
{
	struct at_measure_request *request = &task->base.plan.request;
	const char *unit = task->unit;

	task->stage = STAGE_AT_BOARD;
	task->slot = slot;
	/* the explanation compares whole times, so a trial that is measured in full is
	   not raced */
	request->incumbent_ns = task->base.how.full ? 0 : self->incumbent_ns;
	request->audit = task->base.how.audit;
	request->is_baseline = task->base.how.first;
	/* with arguments that no space gives, a reference may never end */
	if (workers_is_default(task->workload))
		task->workload->setup.deadline_seconds =
			VARIED_SECONDS +
			VARIED_LONGER * at_board_setup_seconds(slot->board);
	request->deadline_seconds = deadline_seconds(self, task);
	at_board_measure(slot->board, &task->workload->setup, NULL, &unit, request, 1,
		request->deadline_seconds, task_measured, task);
}

/* ---- do the boards agree? ---- */

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
		/*
		 * A unit of the calibration run, or of its setup, has gone from the
		 * cache. The next trial that is measured in full becomes the
		 * calibration run. Boards that have agreed go on.
		 */
		if (self->calibration)
			at_task_free(&self->calibration->base);
		self->calibration = NULL;
		if (workers_want_lost_setup_units(self, &self->workloads[0], &err))
			workers_fail(self, &err);
		self->pump(self);
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
	/* the last board is never left out, so that the search goes on */
	if (text[0] && workers_slots_left(self) > 1)
		workers_leave_out(self, slot, text);
	self->pump(self);
}

/* True: the board may take work. False: it has to wait, or is being compared. */
bool workers_agrees(struct workers *self, struct slot *slot)
{
	struct at_measure_request request;
	uint64_t now_ns = at_clock_now_ns();
	const char *unit;

	if (workers_slots_left(self) < 2)
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
		&request, 1, workers_most_seconds(self), board_compared, slot);
	return false;
}
