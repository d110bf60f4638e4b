/* The boards: who measures what, what came of it, and whether they agree. */
#include "evaluator/workers/workers_parts.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* where the space does not say */
#define DEADLINE_SECONDS 30.0
/* launches of a proof, and a few that references take; so many deadlines more at most
 */
#define PROOF_LAUNCHES 200.0
#define PROOF_DEADLINES 4.0
/*
 * Boards of one model differ by a per cent or so; who is further off than this, and
 * whose interval does not meet the other's, would decide searches by being measured on.
 */
#define BOARDS_AGREE 1.02
/* and they may drift: looked after so often */
#define AGREE_AGAIN_NS UINT64_C(30000000000)

/* to set up a problem of which values are varied: so long, and so many times as long as
   any problem has taken so far */
#define VARIED_SECONDS 5.0
#define VARIED_LONGER 4.0

double workers_deadline_seconds(const struct workers *self)
{
	double given = self->options.spec->search.deadline_seconds;

	return given > 0 ? given : DEADLINE_SECONDS;
}

/*
 * Of a proof, which is many launches and runs of the reference: with time for these
 * where one takes long, and hardly more than of an evaluation where it does not, since
 * what hangs has to be waited for.
 */
static double proof_deadline_seconds(const struct workers *self)
{
	double one = workers_deadline_seconds(self);
	double more = PROOF_LAUNCHES * self->incumbent_ns * 1e-9;

	return one + (more < PROOF_DEADLINES * one ? more : PROOF_DEADLINES * one);
}

size_t workers_seats_left(const struct workers *self)
{
	size_t count = 0;

	for (size_t i = 0; i < self->seat_count; i++)
		count += !self->seats[i].is_left_out;
	return count;
}

/* finals and proofs are its; and where no yardstick is found yet, all is */
struct seat *workers_lead_seat(struct workers *self)
{
	for (size_t i = 0; i < self->seat_count; i++)
		if (!self->seats[i].is_left_out)
			return &self->seats[i];
	return &self->seats[0];
}

/* Its like was measured: the same result, and no launch. */
static void copy_measured(struct workers *self, struct item *item,
	const struct at_measure_result *result, const struct seat *seat)
{
	item->result = *result;
	item->result.samples_ns = NULL;
	item->result.sample_count = 0;
	if (result->sample_count) {
		item->result.samples_ns =
			malloc(result->sample_count * sizeof(*result->samples_ns));
		if (item->result.samples_ns) {
			memcpy(item->result.samples_ns, result->samples_ns,
				result->sample_count * sizeof(*result->samples_ns));
			item->result.sample_count = result->sample_count;
		}
	}
	item->is_measured = item->is_copy = true;
	item->seat = (struct seat *)seat;
	workers_decide(self, item, result->outcome, result->detail);
}

/* Those that waited for an item with the same image: its result is theirs. */
static void tell_likes(struct workers *self, struct item *item)
{
	struct item *like;

	at_copies_measured(self->copies, item->image, &item->result, item->seat);
	while ((like = at_copies_next_waiting(self->copies, item->image)) != NULL) {
		if (like->options.full && item->result.raced)
			workers_push_ready(self, like, false);
		else
			copy_measured(self, like, &item->result, item->seat);
	}
}

/*
 * A claim is made when a board is free, and not before: whoever has it is at that
 * board, and nobody waits for one who waits himself. False: it waits for its like, or
 * has that one's result.
 */
bool workers_is_to_be_measured(struct workers *self, struct item *item)
{
	const struct at_measure_result *known;
	const void *seat;

	if (item->proved)
		return true;
	switch (at_copies_claim(
		self->copies, item->image, item->options.full, item, &known, &seat)) {
	case AT_COPIES_MEASURE:
		return true;
	case AT_COPIES_KNOWN:
		copy_measured(self, item, known, seat);
		return false;
	case AT_COPIES_WAIT:
		return false;
	}
	return true;
}

/* It will not be measured now: one of those that wait for it is instead. */
static void give_up_claim(struct workers *self, struct item *item)
{
	struct item *like;

	if (item->proved)
		return;
	at_copies_disclaim(self->copies, item->image);
	while ((like = at_copies_next_waiting(self->copies, item->image)) != NULL)
		workers_push_ready(self, like, false);
}

/* The board does not work, or not like the others: what it has goes to those. */
void workers_leave_out(struct workers *self, struct seat *seat, const char *text)
{
	seat->is_left_out = true;
	seat->is_compared = false;
	at_board_retire(seat->board);
	for (struct item *item = self->items; item; item = item->next) {
		if (item->stage != STAGE_AT_BOARD || item->seat != seat)
			continue;
		item->seat = NULL;
		give_up_claim(self, item);
		workers_push_ready(self, item, true);
	}
	if (self->finals.seat == seat)
		self->finals.seat = NULL;
	workers_tell(self, AT_TOLD_NOTE, text);
}

/* of a board, and not of what was sent to it */
bool workers_is_boards_fault(const struct at_error *problem)
{
	return problem->status == AT_EDEVICE || problem->status == AT_EUNAVAILABLE;
}

static bool is_full_time(const struct item *item)
{
	return item->outcome == AT_OUTCOME_OK && item->is_measured &&
	       !item->result.raced;
}

/* the best so far that was measured in full is what the boards are compared by */
static void keep_yardstick(struct workers *self, struct item *item)
{
	struct item *old = self->yardstick;

	if (workers_seats_left(self) < 2 || item->proved || item->is_copy ||
		!is_full_time(item) ||
		(old && old->result.time_ns <= item->result.time_ns))
		return;
	self->yardstick = item;
	self->yardstick_seat = item->seat;
	if (old)
		workers_free_item(old);
	item->seat->agrees = true;
	item->seat->agreed_ns = at_clock_now_ns();
}

/* A problem to be proved on that can be done without: neither the tuned one nor the
   same with other data. That it was is told with the proof. */
static bool is_one_of_many(const struct item *item)
{
	return item->scene > &item->owner->scenes[1];
}

static void item_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *problem)
{
	struct item *item = context;
	struct workers *self = item->owner;
	struct at_error err = { 0 };
	char text[1400];

	(void)count;
	/* the error was the last that anybody heard */
	if (self->failed)
		return;
	if (!problem) {
		item->result = results[0];
		memset(&results[0], 0, sizeof(results[0]));
		item->is_measured = true;
		/* answered from here: we are on the loop already */
		item->stage = STAGE_TOLD;
		item->outcome = item->result.outcome;
		snprintf(item->detail, sizeof(item->detail), "%s", item->result.detail);
		if (!item->proved)
			tell_likes(self, item);
		if (item->result.judged[0])
			workers_tell(self, AT_TOLD_JUDGED, item->result.judged);
		if (item->result.doubts[0])
			workers_tell(self, AT_TOLD_NOTE, item->result.doubts);
		keep_yardstick(self, item);
		workers_answer(self, item);
	} else if (problem->status == AT_ENOENT && !item->was_compiled_again) {
		/* the unit was thrown out of the cache, or is damaged */
		item->was_compiled_again = true;
		item->seat = NULL;
		give_up_claim(self, item);
		workers_release_symbols(&item->planned->request);
		if (workers_want_lost_parts(self, item->scene, &err) ||
			workers_want_item(item, &err))
			workers_fail(self, &err);
	} else if (workers_is_boards_fault(problem) &&
		   workers_do_without(item->scene)) {
		/* its reference in double may be what ended the device: once more */
		item->seat = NULL;
		give_up_claim(self, item);
		workers_push_ready(self, item, true);
	} else if (item->proved && item->scene->is_derived &&
		   problem->status != AT_EMACHINE) {
		/* the reference does not work there; the process was replaced */
		item->scene->nobody_fits = true;
		workers_decide(self, item, AT_OUTCOME_NOT_APPLICABLE, problem->text);
	} else if (workers_is_boards_fault(problem) && workers_seats_left(self) > 1) {
		/* a dying board costs itself, and not the search */
		snprintf(text, sizeof(text), "%s is left out: %s", item->seat->info->id,
			problem->text);
		workers_leave_out(self, item->seat, text);
	} else if (item->proved && is_one_of_many(item) &&
		   problem->status != AT_EMACHINE) {
		workers_decide(self, item, AT_OUTCOME_NOT_APPLICABLE, problem->text);
	} else {
		workers_fail(self, problem);
	}
	self->pump(self);
}

/*
 * Whoever wrote the file says what rounding is by its defaults: the first of what --set
 * has left says nothing, were it off by a thousandth.
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

void workers_send_item(struct workers *self, struct seat *seat, struct item *item)
{
	struct at_measure_request *request = &item->planned->request;
	struct at_error err = { 0 };

	item->stage = STAGE_AT_BOARD;
	item->seat = seat;
	/* the way to the winner is told by times, not by who lost early */
	request->incumbent_ns = item->options.full ? 0 : self->incumbent_ns;
	request->audit = item->options.audit;
	request->baseline_error = self->baseline_error;
	request->is_baseline = item->options.first && is_files_baseline(self);
	/* with values that nobody wrote a reference may go on for ever */
	if (item->scene->plan.variation)
		item->scene->setup.deadline_seconds =
			VARIED_SECONDS +
			VARIED_LONGER * at_board_setup_seconds(seat->board);
	if (at_board_evaluate(seat->board, &item->scene->setup, item->unit, request,
		    item->proved ? proof_deadline_seconds(self)
				 : workers_deadline_seconds(self),
		    item_measured, item, &err))
		workers_fail(self, &err);
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
		/* its unit, or one of the setup, is out of the cache: the next one that
		   is measured in full is what boards are compared by. Who agreed before
		   goes on. */
		if (self->yardstick)
			workers_free_item(self->yardstick);
		self->yardstick = NULL;
		if (workers_want_lost_parts(self, &self->scenes[0], &err))
			workers_fail(self, &err);
		self->pump(self);
		return;
	}
	seat->agrees = true;
	seat->agreed_ns = at_clock_now_ns();
	if (problem) {
		snprintf(text, sizeof(text), "%s is left out: %s", seat->info->id,
			problem->text);
	} else if (results[0].outcome != AT_OUTCOME_OK) {
		snprintf(text, sizeof(text),
			"%s is left out: what is ok on %s is %s there: %s",
			seat->info->id, seat->expected_on,
			at_outcome_name(results[0].outcome), results[0].detail);
	} else {
		ratio = results[0].time_ns / seat->expected_ns;
		if ((ratio > BOARDS_AGREE &&
			    results[0].low_ns > seat->expected_high_ns) ||
			(ratio < 1 / BOARDS_AGREE &&
				results[0].high_ns < seat->expected_low_ns))
			snprintf(text, sizeof(text),
				"%s is left out: the same configuration takes %.4g us there and %.4g us on %s",
				seat->info->id, results[0].time_ns * 1e-3,
				seat->expected_ns * 1e-3, seat->expected_on);
	}
	/* the search goes on as long as there is a board */
	if (text[0] && workers_seats_left(self) > 1)
		workers_leave_out(self, seat, text);
	self->pump(self);
}

/* true: the seat may take work; false: it has to wait, or is being compared */
bool workers_agrees(struct workers *self, struct seat *seat)
{
	struct at_measure_request request;
	struct at_error err = { 0 };
	uint64_t now_ns = at_clock_now_ns();

	if (workers_seats_left(self) < 2)
		return !seat->is_compared;
	if (!self->yardstick)
		/* the first board finds one */
		return seat == workers_lead_seat(self) || seat->agrees;
	if (seat->agrees && (seat == self->yardstick_seat ||
				    now_ns - seat->agreed_ns < AGREE_AGAIN_NS))
		return true;
	/* alone, and nothing behind it before its answer is known */
	if (seat->is_compared || at_board_queued(seat->board))
		return false;
	request = self->yardstick->planned->request;
	request.incumbent_ns = 0;
	request.baseline_error = self->baseline_error;
	seat->is_compared = true;
	seat->expected_ns = self->yardstick->result.time_ns;
	seat->expected_low_ns = self->yardstick->result.low_ns;
	seat->expected_high_ns = self->yardstick->result.high_ns;
	seat->expected_on = self->yardstick_seat->info->id;
	if (at_board_evaluate(seat->board, &self->yardstick->scene->setup,
		    self->yardstick->unit, &request, workers_deadline_seconds(self),
		    board_compared, seat, &err))
		workers_fail(self, &err);
	return false;
}
