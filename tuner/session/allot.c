#include "session/allot.h"

#include <math.h>

/*
 * Of a search the gains by the logarithm of its evaluations fall about like a geometric
 * series: what one doubling gained, the next one gains half of. Two doublings say what
 * the next will bring, and their mean is taken.
 */
#define NEXT_OF_LAST 0.5
/* a search without any gain lately may have one all the same */
#define GAIN_MIN 0.002
/* of a search that has not seen so many, both halves are chance */
#define EVALUATIONS_FEW 64
#define GAIN_FEW 0.1
/* a search without a winner about halves the time of what it begins with */
#define GAIN_NEW 0.7
/* of one that became slower, where nobody knows by how much */
#define LOST_MIN 0.05
/* a first doubling is of so many: below that all cost is beginning */
#define EVALUATIONS_MIN 32
#define SECONDS_EACH 0.1

static double log_ratio(double before, double after)
{
	double gain = log(before / after);

	/* where nothing had passed before the first success is no gain of a search */
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

/* The gain, as a logarithm, that as many evaluations again are expected to bring. */
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
	/* nothing is left to try: only what others may be now could be found */
	if (self->valid)
		left = self->evaluated < self->valid
			       ? 1 - (double)self->evaluated / (double)self->valid
			       : 0;
	return gain * left;
}

/* what another doubling costs */
static double doubling_seconds(const struct at_allot_item *self)
{
	double each = self->seconds_each > 0 ? self->seconds_each : SECONDS_EACH;
	/* without a winner what was evaluated before is no beginning */
	bool is_old = self->need == AT_ALLOT_PLAIN || self->need == AT_ALLOT_REGRESSED;
	double evaluations = is_old ? (double)self->evaluated : 0;

	return fmax(evaluations, EVALUATIONS_MIN) * each;
}

/* gain a second at its beginning */
static double rate_of(const struct at_allot_item *self)
{
	return expected_gain(self) / doubling_seconds(self);
}

/*
 * s seconds more of one gain about E log2(1 + s / d), d what a doubling takes: so all
 * that have a share gain the same by the next second, `rate`. Those that would gain
 * less than that at once have none.
 */
static double share_of(const struct at_allot_item *self, double rate)
{
	double share = expected_gain(self) / rate - doubling_seconds(self);

	return share > 0 ? share : 0;
}

static bool takes_part(const struct at_allot_item *self, double least)
{
	double rate = rate_of(self);

	return !self->is_done && rate > 0 && rate >= least;
}

/* The rate at which the shares of all at or above `least` are all the seconds. */
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
	/* until nobody's share is too small: who would gain least goes without */
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
		/* of equals any may go first: what is left is shared anew then */
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
