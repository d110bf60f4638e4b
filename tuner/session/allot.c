/* Shares the rest of a night among searches (allot.h). The constants are the model of
   what more time gains. */
#include "session/allot.h"

#include <math.h>

/*
 * The gains of a search from one doubling of its evaluations to the next fall about
 * like a geometric series: each doubling gains half of what the last one did. Each of
 * the last two doublings thus predicts the next, and the mean of the two predictions is
 * used.
 */
#define NEXT_OF_LAST 0.5
/* least expected gain: a search that gained nothing lately may still gain */
#define GAIN_MIN 0.002
/* with fewer evaluations than this the two gains are chance, so GAIN_FEW is assumed at
   least */
#define EVALUATIONS_FEW 64
#define GAIN_FEW 0.1
/* gain of a search without a winner: it about halves the time of its first
   evaluations */
#define GAIN_NEW 0.7
/* least loss of a winner that became slower, where the loss is not known */
#define LOST_MIN 0.05
/* a doubling counts at least so many evaluations: below that a search only begins */
#define EVALUATIONS_MIN 32
/* seconds of an evaluation, where it is not known */
#define SECONDS_EACH 0.1

/* The logarithm of a gain, at least 0. */
static double log_ratio(double before, double after)
{
	double gain = log(before / after);

	/* before the first configuration passed there was no time to compare with */
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

/* The logarithm of the gain that a doubling of the evaluations is expected to bring. */
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
	/* the more of the space is tried, the less is left to find */
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
	/* without a winner the search begins anew: earlier evaluations do not count */
	bool is_old = self->need == AT_ALLOT_PLAIN || self->need == AT_ALLOT_REGRESSED;
	double evaluations = is_old ? (double)self->evaluated : 0;

	return fmax(evaluations, EVALUATIONS_MIN) * each;
}

/* The gain in the first second. */
static double rate_of(const struct at_allot_item *self)
{
	return expected_gain(self) / doubling_seconds(self);
}

/*
 * The share at which the next second would gain `rate`. s seconds gain about E log2(1 +
 * s / d), with E the expected gain and d the seconds of a doubling; the time is used
 * best where all searches have the same rate at the end of their share. A search whose
 * first second gains less than that has no share.
 */
static double share_of(const struct at_allot_item *self, double rate)
{
	double share = expected_gain(self) / rate - doubling_seconds(self);

	return share > 0 ? share : 0;
}

/* Whether a search competes for time: it is not done, and its rate is at least
   `least`. */
static bool takes_part(const struct at_allot_item *self, double least)
{
	double rate = rate_of(self);

	return !self->is_done && rate > 0 && rate >= least;
}

/* The rate at which the shares of all searches with at least the rate `least` add up to
   all the seconds, by bisection. */
static double find_rate(
	const struct at_allot_item *items, size_t count, double seconds, double least)
{
	double low = 0, high = 0;

	for (size_t i = 0; i < count; i++)
		if (takes_part(&items[i], least))
			high = fmax(high, rate_of(&items[i]));
	for (int i = 0; i < 200 && high > 0; i++) {
		double middle = (low + high) / 2, sum = 0;

		if (!(middle > low && middle < high))
			break;
		for (size_t j = 0; j < count; j++)
			if (takes_part(&items[j], least))
				sum += share_of(&items[j], middle);
		if (sum > seconds)
			low = middle;
		else
			high = middle;
	}
	return high;
}

size_t at_allot_next(
	const struct at_allot_item *items, size_t count, double seconds, double *share)
{
	double least = 0, rate;
	size_t next = AT_ALLOT_NONE;

	*share = 0;
	if (!(seconds >= AT_ALLOT_SECONDS_MIN))
		return AT_ALLOT_NONE;
	/* Leaves out the search that would gain least until no share is too small. */
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
		/* searches with equal rates are not left out: the shares of the later
		   ones are worked out again when the first is done */
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
