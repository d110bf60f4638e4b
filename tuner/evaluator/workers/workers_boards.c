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
   after which it is known whether other programs had the processors. */
#define LONGER 10.0
#define LEAST_SECONDS 10.0
/* The deadline of a proof is longer by as many launches at the incumbent's time, which
   includes runs of the reference, but by at most so many deadlines of an evaluation. */
#define PROOF_LAUNCHES 200.0
#define PROOF_DEADLINES 4.0
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

/* The deadline of an evaluation, in seconds: less once it is known how long those of
   this problem take. */
static double deadline_seconds(const struct workers *self, const struct trial *trial)
{
	const struct at_trial_options *options = &trial->options;
	const bool is_raced = !options->first && !options->full && !options->audit;
	const double most = workers_most_seconds(self);

	return is_raced && self->longest_seconds > 0
		       ? fmin(fmax(LONGER * self->longest_seconds, LEAST_SECONDS), most)
		       : most;
}

/*
 * A proof is many launches and runs of the reference, and of sizes that were not timed.
 * Its deadline allows for launches that take long. Otherwise it is hardly longer than
 * the longest of an evaluation, since what hangs is waited for until then.
 */
static double proof_deadline_seconds(const struct workers *self)
{
	double one = workers_most_seconds(self);
	double more = PROOF_LAUNCHES * self->incumbent_ns * 1e-9;

	return one + fmin(more, PROOF_DEADLINES * one);
}

size_t workers_seats_left(const struct workers *self)
{
	size_t count = 0;

	for (size_t i = 0; i < self->seat_count; i++)
		count += !self->seats[i].is_left_out;
	return count;
}

/* Finals and proofs are made on the lead board, and all evaluations until there is a
   yardstick. */
struct seat *workers_lead_seat(struct workers *self)
{
	for (size_t i = 0; i < self->seat_count; i++)
		if (!self->seats[i].is_left_out)
			return &self->seats[i];
	return &self->seats[0];
}

/* ---- equal images ---- */

/* What is known of the configurations that compile to one image and are launched in the
   same way on the same data. One of them is measured, the others get its result. */
struct image {
	bool is_claimed; /* a trial is about to be measured */
	const struct seat *seat; /* on which it was measured; NULL: it was not */
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
	to->samples_ns = at_malloc(bytes + 1);
	if (bytes)
		memcpy(to->samples_ns, from->samples_ns, bytes);
}

/* Another trial with the image was measured: this one needs no launch. */
static void decide_copy(
	struct workers *self, struct trial *trial, const struct image *image)
{
	copy_result(&trial->result, &image->result);
	trial->is_measured = trial->is_copy = true;
	trial->seat = (struct seat *)image->seat;
	workers_decide(self, trial, image->result.outcome, image->result.detail);
}

/* The next trial that waits for the measurement of this image; NULL: none waits. */
static struct trial *next_waiting(const struct workers *self, struct at_hash image)
{
	for (struct trial *trial = self->trials; trial; trial = trial->next)
		if (trial->stage == STAGE_WAITING && at_hash_equal(trial->image, image))
			return trial;
	return NULL;
}

/* Gives a trial's result to those that waited for it. */
static void tell_likes(struct workers *self, struct trial *trial)
{
	struct image *image = find_image(self, trial->image);
	struct trial *like;

	/* an image of zero is not known, and nothing waits for it */
	if (!image)
		return;
	copy_result(&image->result, &trial->result);
	image->seat = trial->seat;
	while ((like = next_waiting(self, trial->image)) != NULL) {
		if (like->options.full && trial->result.raced)
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
bool workers_is_to_be_measured(struct workers *self, struct trial *trial)
{
	struct image *image;
	uint32_t number;

	if (trial->proved || (!trial->image.low && !trial->image.high))
		return true;
	at_hash_index_put(&self->image_numbers, trial->image,
		(uint32_t)self->image_count, &number);
	if (number == self->image_count) {
		AT_GROW(self->images, self->image_capacity, self->image_count + 1);
		self->images[self->image_count++] = (struct image){ 0 };
	}
	image = &self->images[number];
	if (image->seat && !(trial->options.full && image->result.raced)) {
		decide_copy(self, trial, image);
		return false;
	}
	if (!image->seat && image->is_claimed) {
		trial->stage = STAGE_WAITING;
		return false;
	}
	image->is_claimed = true;
	return true;
}

/* The trial is not measured now: those that waited for its result are ready
   themselves. */
static void give_up_claim(struct workers *self, struct trial *trial)
{
	struct image *image = find_image(self, trial->image);
	struct trial *like;

	if (!image)
		return;
	image->is_claimed = false;
	while ((like = next_waiting(self, trial->image)) != NULL)
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
void workers_leave_out(struct workers *self, struct seat *seat, const char *why)
{
	char text[1400];

	seat->is_left_out = true;
	seat->is_compared = false;
	at_board_retire(seat->board);
	for (struct trial *trial = self->trials; trial; trial = trial->next) {
		if (trial->stage != STAGE_AT_BOARD || trial->seat != seat)
			continue;
		trial->seat = NULL;
		give_up_claim(self, trial);
		workers_push_ready(self, trial, true);
	}
	if (self->finals.seat == seat)
		self->finals.seat = NULL;
	snprintf(text, sizeof(text), "%s is left out: %s", seat->info->id, why);
	workers_tell(self, AT_NOTICE_NOTE, text);
}

/* whether the error is about the board, and not about what was sent to it */
bool workers_is_boards_fault(const struct at_error *problem)
{
	return problem->status == AT_EDEVICE || problem->status == AT_EUNAVAILABLE;
}

static bool is_full_time(const struct trial *trial)
{
	return trial->outcome == AT_OUTCOME_OK && trial->is_measured &&
	       !trial->result.raced;
}

/* Keeps the best trial that was measured in full as the yardstick that boards are
   compared by. */
static void keep_yardstick(struct workers *self, struct trial *trial)
{
	struct trial *old = self->yardstick;

	if (workers_seats_left(self) < 2 || trial->proved || trial->is_copy ||
		!is_full_time(trial) ||
		(old && old->result.time_ns <= trial->result.time_ns))
		return;
	self->yardstick = trial;
	self->yardstick_seat = trial->seat;
	if (old)
		workers_free_trial(old);
	trial->seat->agrees = true;
	trial->seat->agreed_ns = at_clock_now_ns();
}

/* Whether the proof can be done without: neither the tuned problem nor the same with
   other data. That it could not be made is told with the proof. */
static bool is_one_of_many(const struct trial *trial)
{
	return trial->workload > &trial->owner->workloads[1];
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
	struct workers *self, struct trial *trial, const struct at_error *problem)
{
	struct at_error err = { 0 };

	if (trial->shrinking && trial->shrinking->smallest) {
		workers_decide(self, trial, AT_OUTCOME_NOT_APPLICABLE, problem->text);
		return;
	}
	at_fail(&err, problem->status, self->options.spec->path,
		self->options.spec->domain.line,
		"the reference fails on \"%s\", for which the domain promises that it is right: %.700s",
		trial->workload->plan.problem->name, problem->text);
	workers_fail(self, &err);
}

static void trial_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *problem)
{
	struct trial *trial = context;
	struct workers *self = trial->owner;
	struct at_error err = { 0 };
	char text[1400];

	(void)count;
	/* an error was told, after which nothing is answered */
	if (self->failed)
		return;
	if (!problem) {
		if (!trial->proved && results[0].outcome == AT_OUTCOME_OK)
			self->longest_seconds = fmax(self->longest_seconds,
				at_board_work_seconds(trial->seat->board));
		trial->result = results[0];
		memset(&results[0], 0, sizeof(results[0]));
		trial->is_measured = true;
		/* can be answered here, since this is called from the loop */
		trial->stage = STAGE_TOLD;
		trial->outcome = trial->result.outcome;
		snprintf(trial->detail, sizeof(trial->detail), "%s",
			trial->result.detail);
		if (!trial->proved)
			tell_likes(self, trial);
		if (trial->result.judged[0])
			workers_tell(self, AT_NOTICE_JUDGED, trial->result.judged);
		if (trial->result.warnings[0])
			workers_tell(self, AT_NOTICE_NOTE, trial->result.warnings);
		keep_yardstick(self, trial);
		workers_answer(self, trial);
	} else if (problem->status == AT_ENOENT && !trial->was_compiled_again) {
		/* the unit has been removed from the cache, or is damaged */
		trial->was_compiled_again = true;
		trial->seat = NULL;
		give_up_claim(self, trial);
		if (workers_want_lost_setup_units(self, trial->workload, &err) ||
			workers_want_trial(trial, &err))
			workers_fail(self, &err);
	} else if (workers_is_boards_fault(problem) &&
		   workers_do_without(trial->workload)) {
		/* the workload's reference in double may have broken the device: try
		   once more without it */
		trial->seat = NULL;
		give_up_claim(self, trial);
		workers_push_ready(self, trial, true);
	} else if (trial->proved && workers_is_default(trial->workload) &&
		   problem->status != AT_EMACHINE) {
		/* the reference does not work on these sizes; the process was
		   replaced */
		trial->workload->is_unfit = true;
		trial->workload->reference_fails = true;
		snprintf(text, sizeof(text),
			"the reference is not for this case of the default list: %.900s",
			problem->text);
		workers_decide(self, trial, AT_OUTCOME_NOT_APPLICABLE, text);
	} else if (trial->proved && workers_is_of_domain(trial->workload) &&
		   !is_of_machine(problem->status)) {
		fail_on_case(self, trial, problem);
	} else if (workers_is_boards_fault(problem) && workers_seats_left(self) > 1) {
		/* a board that dies costs the search only this board */
		workers_leave_out(self, trial->seat, problem->text);
	} else if (trial->proved && is_one_of_many(trial) &&
		   problem->status != AT_EMACHINE) {
		workers_decide(self, trial, AT_OUTCOME_NOT_APPLICABLE, problem->text);
	} else {
		workers_fail(self, problem);
	}
	self->pump(self);
}

/*
 * Only the defaults of the file show how much rounding its author accepts. If --set has
 * changed them, the first configuration says nothing of that, even if its error is as
 * small as 1e-3.
 */
static bool is_files_baseline(const struct workers *self)
{
	const struct at_spec *spec = self->options.spec,
			     *whole = self->options.whole_spec;

	for (size_t i = 0; i < spec->parameter_count; i++)
		if (!at_value_equal(spec->parameters[i].values[spec->defaults[i]],
			    whole->parameters[i].values[whole->defaults[i]]))
			return false;
	return true;
}

void workers_send_trial(struct workers *self, struct seat *seat, struct trial *trial)
{
	struct at_measure_request *request = &trial->compiled.request;

	trial->stage = STAGE_AT_BOARD;
	trial->seat = seat;
	/* the explanation compares whole times, so a trial that is measured in full is
	   not raced */
	request->incumbent_ns = trial->options.full ? 0 : self->incumbent_ns;
	request->audit = trial->options.audit;
	request->baseline_error = self->baseline_error;
	request->is_baseline = trial->options.first && is_files_baseline(self);
	/* with arguments that no space gives, a reference may never end */
	if (workers_is_default(trial->workload))
		trial->workload->setup.deadline_seconds =
			VARIED_SECONDS +
			VARIED_LONGER * at_board_setup_seconds(seat->board);
	request->deadline_seconds = trial->proved ? proof_deadline_seconds(self)
						  : deadline_seconds(self, trial);
	at_board_evaluate(seat->board, &trial->workload->setup, trial->compiled.unit,
		request, request->deadline_seconds, trial_measured, trial);
}

/* ---- do the boards agree? ---- */

static void board_compared(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *problem)
{
	struct seat *seat = context;
	struct workers *self = seat->owner;
	struct at_error err = { 0 };
	char text[1400] = "";
	double ratio;

	(void)count;
	seat->is_compared = false;
	if (problem && problem->status == AT_ENOENT) {
		/*
		 * A unit of the yardstick, or of its setup, has gone from the cache.
		 * The next trial that is measured in full becomes the yardstick. Boards
		 * that have agreed go on.
		 */
		if (self->yardstick)
			workers_free_trial(self->yardstick);
		self->yardstick = NULL;
		if (workers_want_lost_setup_units(self, &self->workloads[0], &err))
			workers_fail(self, &err);
		self->pump(self);
		return;
	}
	seat->agrees = true;
	seat->agreed_ns = at_clock_now_ns();
	if (problem) {
		snprintf(text, sizeof(text), "%s", problem->text);
	} else if (results[0].outcome != AT_OUTCOME_OK) {
		snprintf(text, sizeof(text),
			"a configuration that is ok on %s is %s there: %s",
			seat->expected_on, at_outcome_name(results[0].outcome),
			results[0].detail);
	} else {
		ratio = results[0].time_ns / seat->expected_ns;
		if ((ratio > BOARDS_AGREE &&
			    results[0].low_ns > seat->expected_high_ns) ||
			(ratio < 1 / BOARDS_AGREE &&
				results[0].high_ns < seat->expected_low_ns))
			snprintf(text, sizeof(text),
				"the same configuration takes %.4g us there and %.4g us on %s",
				results[0].time_ns * 1e-3, seat->expected_ns * 1e-3,
				seat->expected_on);
	}
	/* the last board is never left out, so that the search goes on */
	if (text[0] && workers_seats_left(self) > 1)
		workers_leave_out(self, seat, text);
	self->pump(self);
}

/* True: the board may take work. False: it has to wait, or is being compared. */
bool workers_agrees(struct workers *self, struct seat *seat)
{
	struct at_measure_request request;
	uint64_t now_ns = at_clock_now_ns();

	if (workers_seats_left(self) < 2)
		return !seat->is_compared;
	if (!self->yardstick)
		/* until then only the lead board measures */
		return seat == workers_lead_seat(self) || seat->agrees;
	if (seat->agrees && (seat == self->yardstick_seat ||
				    now_ns - seat->agreed_ns < AGREE_AGAIN_NS))
		return true;
	/* the comparison is alone on the board, and nothing follows before its
	   answer */
	if (seat->is_compared || at_board_queued(seat->board))
		return false;
	request = self->yardstick->compiled.request;
	request.incumbent_ns = 0;
	request.baseline_error = self->baseline_error;
	seat->is_compared = true;
	seat->expected_ns = self->yardstick->result.time_ns;
	seat->expected_low_ns = self->yardstick->result.low_ns;
	seat->expected_high_ns = self->yardstick->result.high_ns;
	seat->expected_on = self->yardstick_seat->info->id;
	at_board_evaluate(seat->board, &self->yardstick->workload->setup,
		self->yardstick->compiled.unit, &request, workers_most_seconds(self),
		board_compared, seat);
	return false;
}
