/* Shares time among searches (allot.h). The constants model the gain of further
   time. */
#include "session/allot.h"

#include "base/memory.h"
#include "record/sources.h"

#include <math.h>
#include <stdlib.h>

/* The gains of successive doublings of the evaluations fall about like a geometric
   series of ratio 1/2. Each of the last two doublings thus predicts the next gain; the
   estimate is the mean of both predictions. */
#define NEXT_OF_LAST 0.5
/* least expected gain: a search that stagnates may still improve */
#define GAIN_MIN 0.002
/* With fewer evaluations than this, the measured gains are noise; at least GAIN_FEW is
   assumed. */
#define EVALUATIONS_FEW 64
#define GAIN_FEW 0.1
/* gain of a search without a winner, which about halves the time of its first
   evaluations */
#define GAIN_NEW 0.7
/* least loss of a winner that became slower */
#define LOST_MIN 0.05
/* least evaluations of a doubling: a shorter search has hardly begun */
#define EVALUATIONS_MIN 32
/* seconds of an evaluation, if unknown */
#define SECONDS_EACH 0.1

/* The logarithm of a gain, at least 0. */
static double log_ratio(double before, double after)
{
	double gain = log(before / after);

	/* INFINITY before the first configuration passed: there is no gain to
	   measure */
	return isfinite(gain) && gain > 0 ? gain : 0;
}

void at_allot_observe(struct at_allot_item *self, const double *costs, size_t count)
{
	double best = INFINITY, at_quarter = INFINITY, at_half = INFINITY;

	for (size_t i = 0; i < count; i++) {
		if (costs[i] < best)
			best = costs[i];
		if (i + 1 <= count / 4)
			at_quarter = best;
		if (i + 1 <= count / 2)
			at_half = best;
	}
	self->evaluated = count;
	self->last_gain = log_ratio(at_half, best);
	self->earlier_gain = log_ratio(at_quarter, at_half);
}

/* The logarithm of the expected gain of doubling the evaluations. */
static double expected_gain(const struct at_allot_item *self)
{
	double gain = (self->last_gain * NEXT_OF_LAST +
			      self->earlier_gain * NEXT_OF_LAST * NEXT_OF_LAST) /
		      2;
	double left = 1;

	switch (self->need) {
	case AT_ALLOT_REFUSED:
	case AT_ALLOT_NEW:
		return GAIN_NEW;
	case AT_ALLOT_REGRESSED:
		gain += fmax(self->lost, LOST_MIN);
		break;
	case AT_ALLOT_PLAIN:
		break;
	}
	if (self->evaluated < EVALUATIONS_FEW)
		gain = fmax(gain, GAIN_FEW);
	gain = fmax(gain, GAIN_MIN);
	/* the more of the space is evaluated, the less is left to find */
	if (self->valid)
		left = self->evaluated < self->valid
			       ? 1 - (double)self->evaluated / (double)self->valid
			       : 0;
	return gain * left;
}

/* The seconds that another doubling takes. */
static double doubling_seconds(const struct at_allot_item *self)
{
	double each = self->seconds_each > 0 ? self->seconds_each : SECONDS_EACH;
	/* without a winner the search starts over: old evaluations do not count */
	bool is_old = self->need == AT_ALLOT_PLAIN || self->need == AT_ALLOT_REGRESSED;
	double evaluations = is_old ? (double)self->evaluated : 0;

	return fmax(evaluations, EVALUATIONS_MIN) * each;
}

/* Gain per second at the start of the share. */
static double rate_of(const struct at_allot_item *self)
{
	return expected_gain(self) / doubling_seconds(self);
}

/*
 * The share after which the gain per second has fallen to `rate`. In s seconds a search
 * gains about E log2(1 + s / d): E is the expected gain, d the seconds of a doubling.
 * Time is shared best if all searches end their shares at an equal rate. A search whose
 * rate is lower from the start has no share.
 */
static double share_of(const struct at_allot_item *self, double rate)
{
	double share = expected_gain(self) / rate - doubling_seconds(self);

	return share > 0 ? share : 0;
}

/* Whether a search competes for time: it is wanted, not done, and gains at least
   `least` a second. */
static bool takes_part(const struct at_allot_item *self, double least)
{
	double rate = rate_of(self);

	return !self->is_done && !self->is_left_out && rate > 0 && rate >= least;
}

/* Finds the final rate at which the shares add up to `seconds`. Searches below the rate
   `least` have no share, nor have those that the final rate exceeds from the start:
   without them it rises, until all that are left have a share. */
static double find_rate(
	const struct at_allot_item *items, size_t count, double seconds, double least)
{
	double rate = 0;

	for (double last = -1; rate > last;) {
		double gains = 0, sum = seconds;

		last = rate;
		for (size_t i = 0; i < count; i++)
			if (takes_part(&items[i], fmax(least, rate))) {
				gains += expected_gain(&items[i]);
				sum += doubling_seconds(&items[i]);
			}
		rate = fmax(rate, gains / sum);
	}
	return rate;
}

size_t at_allot_next(
	const struct at_allot_item *items, size_t count, double seconds, double *share)
{
	double least = 0, rate;
	size_t next = AT_ALLOT_NONE;

	*share = 0;
	if (!(seconds >= AT_ALLOT_SECONDS_MIN))
		return AT_ALLOT_NONE;
	/* Drops the search with the lowest rate until every share is long enough. */
	for (bool again = true; again;) {
		double lowest = INFINITY, second = INFINITY;

		again = false;
		rate = find_rate(items, count, seconds, least);
		for (size_t i = 0; i < count; i++) {
			double own;

			if (!takes_part(&items[i], least))
				continue;
			own = rate_of(&items[i]);
			if (own < lowest) {
				second = lowest;
				lowest = own;
			} else if (own > lowest && own < second) {
				second = own;
			}
			again = again ||
				share_of(&items[i], rate) < AT_ALLOT_SECONDS_MIN;
		}
		/* Searches with equal rates are kept: the shares of the later ones are
		   computed anew after the first. */
		again = again && isfinite(second);
		if (again)
			least = second;
	}
	for (size_t i = 0; i < count; i++) {
		if (!takes_part(&items[i], least))
			continue;
		if (next == AT_ALLOT_NONE || items[i].need > items[next].need ||
			(items[i].need == items[next].need &&
				rate_of(&items[i]) > rate_of(&items[next])))
			next = i;
	}
	if (next == AT_ALLOT_NONE)
		return next;
	*share = fmax(share_of(&items[next], rate), AT_ALLOT_SECONDS_MIN);
	*share = fmin(*share, seconds);
	return next;
}

/* ---- turns ----------------------------------------------------------------- */

/* Least time for a second turn: finals and verification would use up a shorter one. */
#define SECOND_SECONDS (AT_TURN_FIRST_SECONDS / 2)

void at_turns_init(struct at_turns *self, size_t count, double seconds)
{
	*self = (struct at_turns){ at_calloc(count + 1, sizeof(*self->items)), count,
		seconds, seconds };
}

void at_turns_release(struct at_turns *self)
{
	free(self->items);
	*self = (struct at_turns){ 0 };
}

/* Seconds of a first turn. wanted: problems to tune in all; waiting: those without a
   first turn so far. */
static double first_share(const struct at_turns *self, size_t wanted, size_t waiting)
{
	double equal = self->seconds / (double)wanted;
	/* at least a second, since 0 means no limit */
	double rest = fmax(self->left / (double)waiting, 1);

	if (self->seconds == 0)
		return 0;
	/* a single problem gets all the time */
	if (wanted == 1 || equal <= AT_TURN_FIRST_SECONDS)
		return rest;
	/* earlier problems may have used more than their share */
	return fmin(fmax(equal / 2, AT_TURN_FIRST_SECONDS), rest);
}

size_t at_turns_next(const struct at_turns *self, double *share)
{
	size_t wanted = 0, waiting = 0, next = AT_ALLOT_NONE;

	for (size_t i = 0; i < self->count; i++) {
		const struct at_allot_item *turn = &self->items[i];

		wanted += !turn->is_left_out;
		if (turn->is_left_out || turn->had_first)
			continue;
		if (!waiting++)
			next = i;
	}
	if (waiting) {
		*share = first_share(self, wanted, waiting);
		return next;
	}
	*share = 0;
	/* a single problem has had all the time */
	if (self->seconds == 0 || wanted == 1 || self->left < SECOND_SECONDS)
		return AT_ALLOT_NONE;
	/* every problem has had its first turn */
	return at_allot_next(self->items, self->count, self->left, share);
}

void at_turns_took(struct at_turns *self, size_t index, double seconds, bool was_cut)
{
	struct at_allot_item *turn = &self->items[index];

	turn->is_done = turn->had_first || !was_cut;
	turn->had_first = true;
	self->left -= seconds;
}

/* ---- the record ------------------------------------------------------------ */

/* What counts of an evaluation. Ids are in the order of recording. */
struct seen {
	struct at_evaluation from; /* only id, device, run and time */
	double cost; /* INFINITY: failed */
	double seconds; /* for compiling and measuring */
	bool is_checked; /* by mark_older() */
	bool is_older;
};

struct seen_list {
	struct seen *items;
	size_t count;
	size_t capacity;
};

static enum at_status see(void *context, const struct at_evaluation *evaluation)
{
	struct seen_list *self = context;
	struct seen *one;
	double nanoseconds = 0;

	AT_GROW(self->items, self->capacity, self->count + 1);
	one = &self->items[self->count++];
	if (evaluation->measure_ns > 0)
		nanoseconds += (double)evaluation->measure_ns;
	if (evaluation->facts.compile_ns > 0)
		nanoseconds += (double)evaluation->facts.compile_ns;
	*one = (struct seen){
		.from = { .id = evaluation->id,
			.device_id = evaluation->device_id,
			.run_id = evaluation->run_id,
			.created_seconds = evaluation->created_seconds },
		/* INFINITY if the configuration failed */
		.cost = at_objective_cost(&at_objective_time,
			at_evaluation_score(evaluation, &at_objective_time).value),
		.seconds = nanoseconds * 1e-9,
	};
	return AT_OK;
}

static int compare_seen(const void *a, const void *b)
{
	const struct at_evaluation *left = &((const struct seen *)a)->from;
	const struct at_evaluation *right = &((const struct seen *)b)->from;

	return left->id < right->id ? -1 : left->id > right->id;
}

/* Marks evaluations of an older source, compiler or driver, which no search would
   reuse. After a driver update, for example, a space that was searched whole is all
   left to search. */
static enum at_status mark_older(struct seen_list *self, struct at_store *store,
	const char *space, const char *problem, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < self->count && !status; i++) {
		const int64_t device_id = self->items[i].from.device_id;
		struct at_sources sources = { 0 };

		if (self->items[i].is_checked)
			continue;
		status = at_store_sources(
			store, device_id, space, problem, &sources, err);
		for (size_t k = i; k < self->count && !status; k++) {
			struct seen *one = &self->items[k];

			if (one->from.device_id != device_id)
				continue;
			one->is_checked = true;
			one->is_older = at_sources_is_older(&sources, &one->from);
		}
		at_sources_release(&sources);
	}
	return status;
}

enum at_status at_allot_read(struct at_store *store, const char *space,
	const char *device_slug, const char *problem, struct at_allot_item *item,
	struct at_error *err)
{
	struct seen_list seen = { 0 };
	double *costs, seconds = 0;
	size_t count = 0;
	enum at_status status =
		at_store_list(store, space, device_slug, problem, 0, see, &seen, err);

	if (!status)
		status = mark_older(&seen, store, space, problem, err);
	if (seen.count)
		qsort(seen.items, seen.count, sizeof(*seen.items), compare_seen);
	costs = at_calloc(seen.count + 1, sizeof(*costs));
	for (size_t i = 0; i < seen.count; i++)
		if (!seen.items[i].is_older) {
			costs[count++] = seen.items[i].cost;
			seconds += seen.items[i].seconds;
		}
	if (!status && count)
		item->seconds_each = seconds / (double)count;
	if (!status)
		at_allot_observe(item, costs, count);
	free(costs);
	free(seen.items);
	return status;
}
