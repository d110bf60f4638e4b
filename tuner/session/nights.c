/*
 * Judges a night against earlier nights (nights.h): the median of tonight's looks
 * against the median of the nights since the last shift. Nights differ by more than the
 * interval within a night, because of temperature, memory placement and other
 * processes. So a difference counts only if it exceeds both the spread of the nights
 * and the intervals of the finals.
 */
#include "session/nights.h"

#include "base/json.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the newest nights that count: older ones say little about tonight */
#define WINDOW 60
/* the newest nights whose median is the level: few, to follow drift */
#define LEVEL_NIGHTS 30

/* Prior of the deviation between nights (of the logarithm), weighted like PRIOR_NIGHTS
   nights. Boards with fixed clocks have 0.1 to 0.3 %, others 1 %. */
#define PRIOR_DEVIATION 0.007
#define PRIOR_NIGHTS 3
/* Least deviation: a few nights may be equal by chance, because clocks have steps. */
#define FLOOR_DEVIATION 0.001
/* outliers are clipped to this many deviations, so that they do not widen the spread */
#define OUTLIER 3.0

/*
 * Half-widths in deviations of one more night: the 95 % interval, and the least and the
 * most for a significant difference (99 % and 99.98 %). With few nights their spread is
 * uncertain: the first is wider by FEW_TOLD / nights, the others by FEW / nights, about
 * as Student's quantiles.
 */
#define TOLD 2.0
#define LEAST 2.6
#define MOST 3.8
#define FEW_TOLD 0.6
#define FEW 1.6
/*
 * A slowdown of 5 % must be found. With large noise, half of that is the best border,
 * since both kinds of error are then equally likely. With small noise the border may be
 * nearer, as long as almost no night crosses it by chance; with very large noise it
 * must be farther.
 */
#define BORDER 0.025
/* least border, in half-widths of the finals' 95 % interval: 99 % */
#define FINALS_LEAST 1.4
/* Largest half-width (a fifth, as a logarithm) with which a night may be "same". */
#define TOLD_MOST 0.182
#define MARGIN 0.01

/* Clocks (logarithms) that differ by less are equal: sensors have steps and are read
   rarely. */
#define CLOCK_ALIKE 0.01
/* this many nights at tonight's clock are a history of their own */
#define CLOCK_NIGHTS 5
/* A board that throttled in more than this share of the nights always does, so that
   throttling says nothing about tonight. */
#define HELD_BACK_SHARE 0.25

/* ---- nights as numbers ------------------------------------------------------ */

/* What nights are compared by, as logarithms. RELATIVE: winner over baseline. */
enum measure { TIME, CYCLES, RELATIVE, CLOCK, MEASURE_COUNT };

/* A night as numbers. */
struct point {
	double values[MEASURE_COUNT]; /* NAN: not known */
	/* half of each 95 % interval within the finals; 0: not known */
	double widths[MEASURE_COUNT];
	/* number of the segment; segments are the nights between two shifts of the
	   level */
	size_t segment;
	bool is_held_back;
};

static double log_of(double value)
{
	return value > 0 && isfinite(value) ? log(value) : (double)NAN;
}

static double width_of(struct at_score score)
{
	return fmax(0, (log_of(score.high) - log_of(score.low)) / 2);
}

static struct point point_of(const struct at_night *night)
{
	struct point point = { .is_held_back = night->is_held_back };

	point.widths[TIME] = point.widths[CYCLES] = width_of(night->cost);
	/* if the time is uncertain, it is also uncertain which of the two moved */
	point.widths[RELATIVE] = fmax(point.widths[TIME], width_of(night->relative));
	point.values[TIME] = log_of(night->cost.value);
	point.values[CLOCK] = log_of(night->clock_hz);
	point.values[CYCLES] = point.values[TIME] + point.values[CLOCK];
	point.values[RELATIVE] = log_of(night->relative.value);
	return point;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts the values and returns their median; NAN: there are none. */
static double median(double *values, size_t count)
{
	if (!count)
		return (double)NAN;
	qsort(values, count, sizeof(*values), compare);
	return count % 2 ? values[count / 2]
			 : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Earlier nights and tonight. */
struct nights {
	size_t count;
	struct point points[WINDOW]; /* oldest first */
	/* The newest night, if it was unclear. It is not among the points: it may be
	   the first after a shift, and then says nothing about the level before. */
	struct point last;
	bool has_last;
	size_t look_count;
	struct point looks[AT_NIGHTS_LOOKS_MAX];
	double margin; /* of the logarithm */
	bool is_changed;
	bool is_disturbed;
	bool is_held_back;
};

/* Whether a night was measured at tonight's clock. */
static bool is_alike(const struct nights *self, const struct point *night)
{
	const struct point *tonight = &self->looks[self->look_count - 1];

	return fabs(night->values[CLOCK] - tonight->values[CLOCK]) <= CLOCK_ALIKE;
}

/* Collects the newest measured nights. A night that was slower or faster begins a new
   segment. Nights at other clocks than tonight's are dropped if the newest segment has
   enough without them. */
static void collect(struct nights *self, const struct at_night *history, size_t count)
{
	size_t segment = 0, alike = 0, kept = 0;

	while (count && isnan(log_of(history[count - 1].cost.value)))
		count--;
	if (count > 1 && history[count - 1].verdict == AT_VERDICT_UNCLEAR) {
		self->has_last = true;
		self->last = point_of(&history[--count]);
	}
	for (size_t i = count > WINDOW ? count - WINDOW : 0; i < count; i++) {
		struct point point = point_of(&history[i]);

		if (history[i].verdict == AT_VERDICT_SLOWER ||
			history[i].verdict == AT_VERDICT_FASTER) {
			segment++;
			alike = 0;
		}
		point.segment = segment;
		if (isnan(point.values[TIME]))
			continue;
		alike += is_alike(self, &point);
		self->points[self->count++] = point;
	}
	for (size_t i = 0; i < self->count && alike >= CLOCK_NIGHTS; i++)
		if (is_alike(self, &self->points[i]))
			self->points[kept++] = self->points[i];
	if (alike >= CLOCK_NIGHTS)
		self->count = kept;
}

/* Copies the known values of the newest `most` nights of a segment; returns their
   number. */
static size_t take(const struct nights *self, enum measure which, size_t segment,
	size_t most, double values[WINDOW])
{
	size_t count = 0;

	for (size_t i = self->count; i > 0 && most > 0; i--) {
		const struct point *point = &self->points[i - 1];

		if (point->segment != segment)
			continue;
		most--;
		if (!isnan(point->values[which]))
			values[count++] = point->values[which];
	}
	return count;
}

/* The deviation of nights from the median of their segment, shrunk towards the prior.
 *few: 1 over the number of nights. Outliers are clipped to OUTLIER deviations. */
static double spread_of(const struct nights *self, enum measure which, double *few)
{
	double residuals[WINDOW], sorted[WINDOW], limit,
		nights = PRIOR_NIGHTS,
		squares = PRIOR_NIGHTS * PRIOR_DEVIATION * PRIOR_DEVIATION;
	size_t count = 0, newest = self->points[self->count - 1].segment, segments = 0;

	for (size_t segment = 0; segment <= newest; segment++) {
		double *values = &residuals[count], middle;
		size_t known = take(self, which, segment, WINDOW, values);

		middle = median(values, known);
		segments += known > 0;
		for (size_t i = 0; i < known; i++)
			values[i] = fabs(values[i] - middle);
		count += known;
	}
	memcpy(sorted, residuals, count * sizeof(*residuals));
	/* 1.4826 times the median absolute deviation estimates a normal deviation */
	limit = OUTLIER * fmax(1.4826 * median(sorted, count), FLOOR_DEVIATION);
	for (size_t i = 0; i < count; i++)
		squares += fmin(residuals[i], limit) * fmin(residuals[i], limit);
	/* each median costs one degree of freedom */
	nights += (double)(count - segments);
	*few = 1 / (nights + 1 - PRIOR_NIGHTS);
	return fmax(sqrt(squares / nights), FLOOR_DEVIATION);
}

/* Tonight against earlier nights, by one measure. */
struct finding {
	size_t night_count; /* nights of the level; 0: no comparison is possible */
	double level;
	double shift; /* median of the looks less the level; above 0: slower */
	double told; /* half-width of the 95 % interval */
	double border; /* a shift beyond it is a difference */
	bool is_beyond; /* the shift is beyond the border, and most looks agree */
	bool is_suspect; /* the shift exceeds both the interval and the margin */
};

static struct finding find(const struct nights *self, enum measure which)
{
	struct finding found = { 0 };
	double values[WINDOW], widths[WINDOW], width = 0, spread, few, finals, share;
	size_t agree = 0, looks = self->look_count;

	if (!self->count)
		return found;
	found.night_count = take(self, which, self->points[self->count - 1].segment,
		LEVEL_NIGHTS, values);
	found.level = median(values, found.night_count);
	for (size_t i = 0; i < looks; i++) {
		values[i] = self->looks[i].values[which] - found.level;
		width += self->looks[i].widths[which] / (double)looks;
		if (isnan(values[i]))
			found.night_count = 0;
	}
	if (!found.night_count)
		return found;
	/* the level is uncertain, too: a median of many has pi/2 the variance of a
	   mean */
	share = (found.night_count > 2 ? 1.571 : 1) / (double)found.night_count;
	spread = spread_of(self, which, &few) * sqrt(1 + share);
	for (size_t i = 0; i < self->count; i++)
		widths[i] = self->points[i].widths[which];
	/* With few nights, their spread underestimates the error of the finals. */
	finals = hypot(
		width / sqrt((double)looks), median(widths, self->count) * sqrt(share));
	found.told = fmax(TOLD * (1 + FEW_TOLD * few) * spread, finals);
	spread *= 1 + FEW * few;
	found.border = fmax(fmax(self->margin, FINALS_LEAST * finals),
		fmax(LEAST * spread, fmin(BORDER, MOST * spread)));
	found.shift = median(values, looks);
	for (size_t i = 0; i < looks; i++)
		agree += fabs(values[i]) > found.border / 2 &&
			 (values[i] > 0) == (found.shift > 0);
	found.is_beyond =
		fabs(found.shift) > found.border && agree >= looks - looks / 3;
	found.is_suspect = fabs(found.shift) > fmax(found.told, self->margin);
	return found;
}

static struct at_score score_of(const struct finding *self)
{
	if (!self->night_count)
		return (struct at_score)AT_SCORE_UNKNOWN;
	return (struct at_score){ exp(self->shift), exp(self->shift - self->told),
		exp(self->shift + self->told) };
}

/* ---- the verdict ----------------------------------------------------------- */

/* Input of decide(). */
struct judging {
	struct nights nights;
	struct finding time;
	struct finding cycles;
	struct finding relative;
	/* above 0: the board's clock is higher than before; NAN: not known */
	double clock;
};

/* The kernel's own shift; 0: none. Winner over baseline is the most precise measure,
   since common causes cancel, but it does not show which of the two moved: that is the
   one whose time moved farther. */
static double own_shift(const struct judging *self)
{
	const struct finding *time = &self->time, *relative = &self->relative;
	double baseline = time->shift - relative->shift;

	if (!relative->night_count)
		return 0;
	if (relative->is_beyond && fabs(time->shift) > fabs(baseline))
		return relative->shift;
	/* with a noisy baseline, the winner's time alone may show a shift */
	if (time->is_beyond && fabs(baseline) < fabs(time->shift) / 2 &&
		fabs(relative->shift) > relative->told)
		return time->shift;
	return 0;
}

/* Whether the clock alone explains the change: the clock is lower and the cycles did
   not grow, or it is higher and they did not fall. */
static bool is_of_clock(const struct judging *self, double shift)
{
	if (isnan(self->clock) || fabs(self->clock) <= CLOCK_ALIKE ||
		!self->cycles.night_count)
		return false;
	if (shift > 0)
		return self->clock < 0 && self->cycles.shift <= self->cycles.border;
	return self->clock > 0 && self->cycles.shift >= -self->cycles.border;
}

/* Whether the board throttled tonight and usually does not. */
static bool is_held_back(const struct judging *self)
{
	size_t count = 0;

	for (size_t i = 0; i < self->nights.count; i++)
		count += self->nights.points[i].is_held_back;
	return self->nights.is_held_back &&
	       (double)count <= HELD_BACK_SHARE * (double)self->nights.count;
}

static void decide(const struct judging *self, struct at_judgement *out)
{
	double own = own_shift(self);
	double shift = own != 0 ? own : self->time.shift;

	if (own == 0 && !self->time.is_beyond) {
		bool is_suspect = self->time.is_suspect;

		/* so wide an interval could hide a change of a fifth */
		bool is_blind = self->time.told > TOLD_MOST;

		out->verdict = AT_VERDICT_SAME;
		if (is_suspect || is_blind) {
			out->verdict = AT_VERDICT_UNCLEAR;
			out->reason = AT_NIGHTS_NOISE;
		}
		out->wants_look = is_suspect;
		if (is_of_clock(self, shift) && is_suspect) {
			out->verdict = AT_VERDICT_SAME;
			out->reason = AT_NIGHTS_CLOCK;
			out->wants_look = false;
		}
		return;
	}
	out->wants_look = true;
	out->verdict = shift > 0 ? AT_VERDICT_SLOWER : AT_VERDICT_FASTER;
	if (is_of_clock(self, shift)) {
		/* The kernel moved by itself and takes fewer cycles: the clock's part
		   is not known. */
		bool is_own = own != 0 && self->cycles.shift < -self->cycles.told;

		out->reason = AT_NIGHTS_CLOCK;
		out->verdict = is_own ? AT_VERDICT_UNCLEAR : AT_VERDICT_SAME;
		out->wants_look = false;
	} else if (self->nights.is_disturbed) {
		out->reason = AT_NIGHTS_DISTURBED;
		out->verdict = AT_VERDICT_UNCLEAR;
	} else if (shift > 0 && is_held_back(self)) {
		out->reason = AT_NIGHTS_HELD_BACK;
		out->verdict = AT_VERDICT_UNCLEAR;
	} else if (own == 0) {
		double before = self->nights.last.values[TIME] - self->time.level;

		out->reason = AT_NIGHTS_COMMON;
		/* unless last night was beyond the border in the same direction */
		if (!self->nights.is_changed &&
			!(self->nights.has_last && fabs(before) > self->time.border &&
				(before > 0) == (self->time.shift > 0)))
			out->verdict = AT_VERDICT_UNCLEAR;
	}
}

void at_nights_judge(const struct at_night *history, size_t count,
	const struct at_night *looks, size_t look_count, double margin,
	struct at_judgement *out)
{
	struct judging self = {
		.nights.margin = log1p(margin > 0 ? margin : MARGIN),
		.clock = (double)NAN,
	};
	struct nights *nights = &self.nights;
	struct finding clock;

	memset(out, 0, sizeof(*out));
	/* only the newest looks count */
	for (size_t i = look_count > AT_NIGHTS_LOOKS_MAX
				? look_count - AT_NIGHTS_LOOKS_MAX
				: 0;
		i < look_count; i++) {
		nights->looks[nights->look_count++] = point_of(&looks[i]);
		nights->is_changed |= looks[i].is_changed;
		nights->is_disturbed = looks[i].is_disturbed;
		nights->is_held_back |= looks[i].is_held_back;
	}
	collect(nights, history, count);
	self.time = find(nights, TIME);
	self.cycles = find(nights, CYCLES);
	self.relative = find(nights, RELATIVE);
	clock = find(nights, CLOCK);
	if (clock.night_count)
		self.clock = clock.shift;
	out->change = score_of(&self.time);
	out->cycles = score_of(&self.cycles);
	out->relative = score_of(&self.relative);
	out->clock = exp(self.clock);
	out->night_count = self.time.night_count;
	out->before = exp(self.time.level);
	out->tonight = out->before * out->change.value;
	if (!self.time.night_count) {
		out->verdict = AT_VERDICT_FIRST;
		return;
	}
	decide(&self, out);
	/* one look is not enough for slower or faster */
	if (out->wants_look && nights->look_count < 2)
		out->verdict = AT_VERDICT_UNCLEAR;
	else if (out->verdict != AT_VERDICT_UNCLEAR)
		out->wants_look = false;
	if (out->verdict == AT_VERDICT_UNCLEAR && out->reason == AT_NIGHTS_PLAIN)
		out->reason = AT_NIGHTS_NOISE;
	if (nights->look_count == AT_NIGHTS_LOOKS_MAX)
		out->wants_look = false;
}

/* ---- nights from the record ------------------------------------------------ */

static struct at_score cost_of(
	const struct at_objective *objective, struct at_score score)
{
	struct at_score cost = {
		at_objective_cost(objective, score.value),
		at_objective_cost(objective, score.low),
		at_objective_cost(objective, score.high),
	};

	if (!isfinite(cost.value))
		return (struct at_score)AT_SCORE_UNKNOWN;
	/* if more is better, the lower end has the higher cost */
	if (cost.low > cost.high)
		return (struct at_score){ cost.value, cost.high, cost.low };
	return cost;
}

/* The winner's cost over the baseline's: the inverse of the gain. Unknown if the winner
   is the baseline, since the ratio is then always 1. */
static struct at_score relative_of(struct at_score speedup)
{
	if (!(speedup.value > 0) || !isfinite(speedup.value) ||
		(speedup.value == 1 && !(speedup.low < speedup.high)))
		return (struct at_score)AT_SCORE_UNKNOWN;
	return (struct at_score){ 1 / speedup.value, 1 / speedup.high,
		1 / speedup.low };
}

/* Cycles are time times clock, so only for the objective time. */
static bool counts_cycles(const struct at_objective *objective)
{
	return objective == &at_objective_time;
}

/* A number in at_winner_measurement()'s JSON; NAN: not known. */
static double measured(const char *measurement, const char *key)
{
	struct at_json *object = NULL;
	double value;

	if (!measurement || !*measurement ||
		at_json_parse(
			measurement, strlen(measurement), "measurement", &object, NULL))
		return (double)NAN;
	value = at_json_number(at_json_get(object, key), (double)NAN);
	at_json_free(object);
	return value;
}

struct at_night at_night_of_revisit(
	const struct at_revisit *revisit, const struct at_revisit *before)
{
	struct at_night night = {
		.cost = AT_SCORE_UNKNOWN,
		.baseline = AT_SCORE_UNKNOWN,
		.relative = AT_SCORE_UNKNOWN,
		.clock_hz = (double)NAN,
		.is_changed = before && at_conditions_compare(before->conditions,
						revisit->conditions, NULL) > 0,
		.is_disturbed = at_conditions_whole(revisit->conditions,
					AT_CONDITION_PROCESSES, 0) > 0,
		.is_held_back = measured(revisit->measurement, "throttled_rounds") > 0,
		.verdict = revisit->verdict,
	};

	if (revisit->outcome != AT_OUTCOME_OK)
		return night;
	night.cost = cost_of(revisit->objective, revisit->score);
	night.baseline = cost_of(revisit->objective, revisit->baseline);
	night.relative = relative_of(revisit->speedup);
	if (revisit->clock_hz > 0 && counts_cycles(revisit->objective))
		night.clock_hz = (double)revisit->clock_hz;
	return night;
}

struct at_night at_night_of_winner(const struct at_winner *best)
{
	const char *how = best->measurement;
	struct at_night night = {
		.cost = cost_of(best->objective, best->score),
		.baseline = cost_of(best->objective, at_winner_baseline(best)),
		.relative = relative_of(at_winner_speedup(best)),
		.clock_hz = (double)NAN,
		.is_held_back = measured(how, "throttled_rounds") > 0,
		.verdict = AT_VERDICT_FIRST,
	};

	if (counts_cycles(best->objective))
		night.clock_hz = (measured(how, "first_clock_hz") +
					 measured(how, "last_clock_hz")) /
				 2;
	return night;
}

/* ---- in words -------------------------------------------------------------- */

static void add_change(
	struct at_strbuf *out, double ratio, const char *more, const char *less)
{
	at_strbuf_addf(
		out, "%.1f %% %s", fabs(ratio - 1) * 100, ratio > 1 ? more : less);
}

void at_judgement_explain(const struct at_judgement *self,
	const struct at_objective *objective, struct at_strbuf *out)
{
	char tonight[64], before[64];

	if (self->verdict == AT_VERDICT_UNCLEAR) {
		objective->format(at_objective_cost(objective, self->tonight), tonight,
			sizeof(tonight));
		objective->format(at_objective_cost(objective, self->before), before,
			sizeof(before));
		at_strbuf_addf(out, "%s tonight, %s before; ", tonight, before);
	}
	switch (self->reason) {
	case AT_NIGHTS_PLAIN:
		break;
	case AT_NIGHTS_CLOCK:
		at_strbuf_add(out, "the board clocks ");
		add_change(out, self->clock, "higher", "lower");
		at_strbuf_add(out, ": in cycles it is ");
		add_change(out, self->cycles.value, "slower", "faster");
		break;
	case AT_NIGHTS_COMMON:
		if (isnan(self->relative.value))
			at_strbuf_add(out,
				"no baseline, so a change of the board cannot be told from one of the kernel");
		else
			at_strbuf_add(out,
				"its baseline moved alike: the board or the driver, not this kernel");
		if (self->verdict == AT_VERDICT_UNCLEAR)
			at_strbuf_add(out, "; another night will tell");
		break;
	case AT_NIGHTS_DISTURBED:
		at_strbuf_add(out, "other processes were at work on the board");
		break;
	case AT_NIGHTS_HELD_BACK:
		at_strbuf_add(out, "the board was held back while it was measured");
		break;
	case AT_NIGHTS_NOISE:
		if (self->change.low <= 1 && self->change.high >= 1)
			at_strbuf_add(out,
				"the difference is within the noise of this machine");
		else
			at_strbuf_addf(out,
				"the difference is not certain yet after %zu night%s",
				self->night_count, self->night_count == 1 ? "" : "s");
		break;
	}
}
