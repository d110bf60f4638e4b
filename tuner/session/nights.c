/*
 * Judges a night against the nights before (nights.h). Nights differ by more than the
 * interval within one: by temperature, memory placement, other processes. So the
 * scatter of the nights says how much nights differ, and tonight is compared with
 * Student's prediction interval for one more night.
 */
#include "session/nights.h"

#include "measure/statistics.h"

#include <stdlib.h>
#include <string.h>

/* the newest nights that count: older ones say little about tonight */
#define WINDOW 60
/* Half the widest interval, in logarithms (a fifth), with which a night may be called
   the same. */
#define TOLD_MOST 0.182
/* blocks of a night that did not keep its number: as in the first look
   (session/standings.h) */
#define BLOCKS_USUAL 6
/* of the window, the newest nights whose median is the level; few, so that it follows
   drift */
#define LEVEL_NIGHTS 30

/* A prior for how much nights differ (deviation of the logarithm), worth as much as so
   many nights. Boards with fixed clocks have 0.1 to 0.3 %, others 1 %. */
#define PRIOR_DEVIATION 0.007
#define PRIOR_DEGREES 3
/* The least deviation: a few nights may be equal by chance, but clocks have steps. */
#define FLOOR_DEVIATION 0.001
/* residuals count at most so many deviations, so that outliers do not widen the
   scale */
#define OUTLIER 3.0

/*
 * A kernel that is 5 % slower must be found. Where noise is large, half of that is the
 * best border, since both kinds of mistake are then equally likely. Where noise is
 * small the border may be nearer, as long as almost no night crosses it by chance;
 * where noise is very large it must be farther.
 */
#define BORDER 0.025
#define CONFIDENCE_LEAST 0.99
#define CONFIDENCE_MOST 0.9998
/* a night inside this interval is like the others */
#define CONFIDENCE_TOLD 0.95

#define MARGIN 0.01
/* a greater number of blocks is not believed */
#define BLOCKS_MOST 1000
/* size of the cache of quantiles */
#define QUANTILES 64

/* Clocks (logarithms) that differ by less count as alike: sensors have steps and are
   read rarely. */
#define CLOCK_ALIKE 0.01
/* A board that was held back in more than this share of the nights always is, so that
   it says nothing about tonight. */
#define HELD_BACK_SHARE 0.25
/* finals whose interval is so many times wider than usual add to the variance */
#define WIDE_FINALS 3.0
/* of freedom, of a difference of two finals */
#define FINALS_DEGREES (2 * (BLOCKS_USUAL - 1))
/* so many nights at tonight's clock are a history of their own */
#define CLOCK_NIGHTS 5

/* ---- a history as numbers -------------------------------------------------- */

/* The measures by which nights are compared, as logarithms. RELATIVE: winner over
   baseline. */
enum measure { TIME, CYCLES, RELATIVE, CLOCK, MEASURE_COUNT };

/* A night as numbers. */
struct point {
	double values[MEASURE_COUNT]; /* NAN: not known */
	/* of each measure, within the finals; 0: not known */
	double deviations[MEASURE_COUNT];
	/* number of the segment: the nights between two shifts of the level */
	size_t segment;
	bool is_held_back;
};

static double log_of(double value)
{
	return value > 0 && isfinite(value) ? log(value) : (double)NAN;
}

/* Student's quantiles for some degrees of freedom. They take long to compute and are
   needed again and again. */
struct quantiles {
	/* of freedom */
	size_t degrees;
	double told;
	double least;
	double most;
};

static const struct quantiles *look_up(struct quantiles *cache, size_t degrees)
{
	struct quantiles *self = &cache[degrees % QUANTILES];

	if (self->degrees != degrees)
		*self = (struct quantiles){ degrees,
			at_statistics_student(degrees, CONFIDENCE_TOLD),
			at_statistics_student(degrees, CONFIDENCE_LEAST),
			at_statistics_student(degrees, CONFIDENCE_MOST) };
	return self;
}

/* The deviation of a median of blocks, from its interval and the number of blocks (0 or
   NAN: the usual number). */
static double deviation_of(
	struct at_score score, double block_count, struct quantiles *cache)
{
	double width = log_of(score.high) - log_of(score.low);
	double blocks = block_count >= 2 && block_count < BLOCKS_MOST ? block_count
								      : BLOCKS_USUAL;

	return width > 0 ? width / 2 / look_up(cache, (size_t)blocks - 1)->told : 0;
}

static struct point point_of(const struct at_night *night, struct quantiles *cache)
{
	struct point point = { .is_held_back = night->is_held_back };

	point.deviations[TIME] = deviation_of(night->cost, night->block_count, cache);
	point.deviations[CYCLES] = point.deviations[TIME];
	/* where the time itself is hardly known, neither is which of the two moved */
	point.deviations[RELATIVE] = fmax(point.deviations[TIME],
		deviation_of(night->relative, night->block_count, cache));
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

/* The nights before tonight. */
struct past {
	size_t count;
	/* oldest first; the last `level_count` make the level */
	struct point points[WINDOW];
	size_t level_count;
	struct point last; /* the newest night, if it was unclear; see collect() */
	bool has_last;
};

/*
 * Collects the newest nights that were measured. A night whose verdict was slower or
 * faster begins a new segment. If the newest night was unclear it is kept apart, since
 * it may be the first of a shift and then says nothing about the level before.
 */
static void collect(struct past *self, const struct at_night *history, size_t count,
	struct quantiles *cache)
{
	size_t segment = 0, measured = 0;

	memset(self, 0, sizeof(*self));
	for (size_t i = 0; i < count; i++)
		measured += !isnan(log_of(history[i].cost.value));
	for (size_t i = 0; i < count; i++) {
		struct point point = point_of(&history[i], cache);

		segment += history[i].verdict == AT_VERDICT_SLOWER ||
			   history[i].verdict == AT_VERDICT_FASTER;
		if (isnan(point.values[TIME]) || measured-- > WINDOW)
			continue;
		point.segment = segment;
		if (measured == 0 && self->count &&
			history[i].verdict == AT_VERDICT_UNCLEAR) {
			self->has_last = true;
			self->last = point;
			continue;
		}
		self->points[self->count++] = point;
	}
}

static bool is_alike(const struct point *a, const struct point *b)
{
	return fabs(a->values[CLOCK] - b->values[CLOCK]) <= CLOCK_ALIKE;
}

/* Keeps only the nights at tonight's clock, if there are enough of them; then counts
   the nights of the level. */
static void keep_alike(struct past *self, const struct point *tonight)
{
	size_t newest = self->count ? self->points[self->count - 1].segment : 0;
	size_t alike = 0, kept = 0;

	for (size_t i = 0; i < self->count; i++)
		alike += self->points[i].segment == newest &&
			 is_alike(&self->points[i], tonight);
	for (size_t i = 0; i < self->count && alike >= CLOCK_NIGHTS; i++)
		if (is_alike(&self->points[i], tonight))
			self->points[kept++] = self->points[i];
	if (alike >= CLOCK_NIGHTS)
		self->count = kept;
	for (size_t i = self->count; i > 0; i--)
		self->level_count += self->level_count < LEVEL_NIGHTS &&
				     self->points[i - 1].segment == newest;
}

/* ---- level and scale ------------------------------------------------------- */

/* What one more night is expected to be, in one measure. */
struct expected {
	size_t count; /* nights of the level; 0: nothing is expected */
	double level;
	double variance; /* of one more night about the level */
	size_t degrees;
	/* of tonight and the level, by the intervals of their finals alone */
	double finals_variance;
};

/* Copies the known values of points[begin..end); returns how many. */
static size_t take(const struct past *self, enum measure which, size_t begin,
	size_t end, double values[WINDOW])
{
	size_t count = 0;

	for (size_t i = begin; i < end; i++)
		if (!isnan(self->points[i].values[which]))
			values[count++] = self->points[i].values[which];
	return count;
}

/* Absolute deviations of nights from the median of their segment; returns how many.
   Sets *lost to the number of segments: each median costs a degree of freedom. */
static size_t take_residuals(const struct past *self, enum measure which,
	double residuals[WINDOW], size_t *lost)
{
	size_t count = 0;

	*lost = 0;
	for (size_t begin = 0, end; begin < self->count; begin = end) {
		double values[WINDOW], sorted[WINDOW], middle;
		size_t known;

		for (end = begin; end < self->count; end++)
			if (self->points[end].segment != self->points[begin].segment)
				break;
		known = take(self, which, begin, end, values);
		memcpy(sorted, values, known * sizeof(*values));
		middle = median(sorted, known);
		*lost += known > 0;
		for (size_t i = 0; i < known; i++)
			residuals[count++] = fabs(values[i] - middle);
	}
	return count;
}

/*
 * Sets the scale, how much nights differ: the deviation of the residuals, with outliers
 * drawn in (winsorized; Huber 1981, "Robust Statistics"), combined with the prior.
 */
static void set_scale(const struct past *self, enum measure which, struct expected *out)
{
	double residuals[WINDOW], sorted[WINDOW], limit, squares = 0;
	size_t lost, count = take_residuals(self, which, residuals, &lost);
	double prior = PRIOR_DEGREES * PRIOR_DEVIATION * PRIOR_DEVIATION;

	memcpy(sorted, residuals, count * sizeof(*residuals));
	/* 1.4826 times the median is the deviation of a normal distribution */
	limit = OUTLIER * fmax(1.4826 * median(sorted, count), FLOOR_DEVIATION);
	for (size_t i = 0; i < count; i++)
		squares += fmin(residuals[i], limit) * fmin(residuals[i], limit);
	out->degrees = PRIOR_DEGREES + count - lost;
	out->variance = fmax((prior + squares) / (double)out->degrees,
		FLOOR_DEVIATION * FLOOR_DEVIATION);
}

/*
 * The variance that tonight's finals add by unusual noise. Their usual noise is in the
 * scatter of the nights already; intervals of a few blocks vary much by chance, hence
 * WIDE_FINALS.
 */
static double added_variance(double usual, double deviation)
{
	double most = WIDE_FINALS * usual;

	return fmax(0, deviation * deviation - most * most);
}

/* The usual deviation within finals: the median of the nights. */
static double usual_deviation(const struct past *self, enum measure which)
{
	double deviations[WINDOW];

	for (size_t i = 0; i < self->count; i++)
		deviations[i] = self->points[i].deviations[which];
	return median(deviations, self->count);
}

static struct expected expect(
	const struct past *self, enum measure which, double deviation)
{
	struct expected expected = { 0 };
	double values[WINDOW], usual, share;

	expected.count =
		take(self, which, self->count - self->level_count, self->count, values);
	if (!expected.count)
		return expected;
	expected.level = median(values, expected.count);
	set_scale(self, which, &expected);
	/* the level is uncertain too: a median of many has pi/2 the variance of a
	   mean */
	share = (expected.count > 2 ? 1.571 : 1) / (double)expected.count;
	usual = usual_deviation(self, which);
	expected.variance *= 1 + share;
	expected.variance += added_variance(usual, deviation);
	expected.finals_variance = deviation * deviation + usual * usual * share;
	return expected;
}

/* ---- tonight --------------------------------------------------------------- */

/* Tonight's looks as numbers. */
struct tonight {
	size_t count;
	struct point looks[AT_NIGHTS_LOOKS_MAX];
	double margin; /* of the logarithm */
	bool is_changed;
	bool is_disturbed;
	bool is_held_back;
};

/* Tonight against the nights before, in one measure. */
struct finding {
	bool is_known;
	struct expected expected;
	double shift; /* median of the looks less the level; above 0: slower */
	double told; /* half the width of the 95 % interval */
	double border; /* a night beyond this border is different */
	bool is_beyond; /* the shift is beyond it, and most looks agree */
	bool is_suspect; /* outside of the interval, and larger than the margin */
};

static struct finding find(const struct past *past, enum measure which,
	const struct tonight *tonight, struct quantiles *cache)
{
	const struct quantiles *student, *finals_student;
	struct finding found = { 0 };
	double values[AT_NIGHTS_LOOKS_MAX], noise = 0, deviation, finals_deviation;
	size_t agree = 0, count = tonight->count;

	for (size_t i = 0; i < count; i++) {
		values[i] = tonight->looks[i].values[which];
		noise += tonight->looks[i].deviations[which] / (double)count;
		if (isnan(values[i]))
			return found;
	}
	found.expected = expect(past, which, noise / sqrt((double)count));
	if (!found.expected.count)
		return found;
	student = look_up(cache, found.expected.degrees);
	finals_student = look_up(cache, FINALS_DEGREES);
	deviation = sqrt(found.expected.variance);
	/* Where nights are few, their scatter does not show yet what finals are not
	   sure of: nothing is told that the intervals do not tell apart. */
	finals_deviation = sqrt(found.expected.finals_variance);
	found.is_known = true;
	found.told = fmax(
		student->told * deviation, finals_student->told * finals_deviation);
	found.border =
		fmax(tonight->margin, fmax(student->least * deviation,
					      fmin(BORDER, student->most * deviation)));
	found.border = fmax(found.border, finals_student->least * finals_deviation);
	for (size_t i = 0; i < count; i++)
		values[i] -= found.expected.level;
	found.shift = median(values, count);
	for (size_t i = 0; i < count; i++)
		agree += fabs(values[i]) > found.border / 2 &&
			 (values[i] > 0) == (found.shift > 0);
	found.is_beyond =
		fabs(found.shift) > found.border && agree >= count - count / 3;
	found.is_suspect = fabs(found.shift) > fmax(found.told, tonight->margin);
	return found;
}

static struct at_score score_of(const struct finding *self)
{
	if (!self->is_known)
		return (struct at_score)AT_SCORE_UNKNOWN;
	return (struct at_score){ exp(self->shift), exp(self->shift - self->told),
		exp(self->shift + self->told) };
}

/* ---- the verdict ----------------------------------------------------------- */

/* What decide() goes by. */
struct judging {
	const struct past *past;
	const struct tonight *tonight;
	struct finding time;
	struct finding cycles;
	struct finding relative;
	/* above 0: the board's clock is higher than before; NAN: not known */
	double clock;
};

/*
 * By how much this kernel moved by itself; 0: it did not. Winner over baseline is the
 * most precise measure, since it cancels what both have in common, but it does not say
 * which of the two moved: that is the one whose time moved farther.
 */
static double own_shift(const struct judging *self)
{
	const struct finding *time = &self->time, *relative = &self->relative;
	double baseline = time->shift - relative->shift;

	if (!relative->is_known)
		return 0;
	if (relative->is_beyond && fabs(time->shift) > fabs(baseline))
		return relative->shift;
	/* where the baseline is noisy, the winner's time alone may show that it
	   moved */
	if (time->is_beyond && fabs(baseline) < fabs(time->shift) / 2 &&
		fabs(relative->shift) > relative->told)
		return time->shift;
	return 0;
}

/* Whether tonight's clock alone explains the change: the clock is lower and the cycles
   have not grown, or it is higher and they have not fallen. */
static bool is_of_clock(const struct judging *self, double shift)
{
	if (isnan(self->clock) || fabs(self->clock) <= CLOCK_ALIKE ||
		!self->cycles.is_known)
		return false;
	if (shift > 0)
		return self->clock < 0 && self->cycles.shift <= self->cycles.border;
	return self->clock > 0 && self->cycles.shift >= -self->cycles.border;
}

/* Whether the night before was beyond the border in the same direction. */
static bool lasts(const struct judging *self)
{
	const struct finding *time = &self->time;
	double before;

	if (!self->past->has_last)
		return false;
	before = self->past->last.values[TIME] - time->expected.level;
	return fabs(before) > time->border && (before > 0) == (time->shift > 0);
}

/* Whether the board was held back tonight and usually is not. */
static bool is_held_back(const struct judging *self)
{
	size_t count = 0;

	for (size_t i = 0; i < self->past->count; i++)
		count += self->past->points[i].is_held_back;
	return self->tonight->is_held_back &&
	       (double)count <= HELD_BACK_SHARE * (double)self->past->count;
}

static enum at_verdict verdict_of(double shift)
{
	return shift > 0 ? AT_VERDICT_SLOWER : AT_VERDICT_FASTER;
}

static void decide(const struct judging *self, struct at_judgement *out)
{
	double own = own_shift(self);
	double shift = own != 0 ? own : self->time.shift;

	if (own == 0 && !self->time.is_beyond) {
		bool is_suspect = self->time.is_suspect;

		/* so wide an interval could not show even a change of a fifth */
		bool is_blind = self->time.told > TOLD_MOST;

		out->verdict =
			is_suspect || is_blind ? AT_VERDICT_UNCLEAR : AT_VERDICT_SAME;
		out->wants_look = is_suspect;
		if (is_of_clock(self, shift) && is_suspect) {
			out->verdict = AT_VERDICT_SAME;
			out->reason = AT_NIGHTS_CLOCK;
			out->wants_look = false;
		}
		return;
	}
	out->wants_look = true;
	out->verdict = verdict_of(shift);
	if (is_of_clock(self, shift)) {
		/* The kernel moved by itself and takes fewer cycles: how much of that
		   is the clock's doing is not known. */
		bool is_own = own != 0 && self->cycles.shift < -self->cycles.told;

		out->reason = AT_NIGHTS_CLOCK;
		out->verdict = is_own ? AT_VERDICT_UNCLEAR : AT_VERDICT_SAME;
		out->wants_look = false;
	} else if (self->tonight->is_disturbed) {
		out->reason = AT_NIGHTS_DISTURBED;
		out->verdict = AT_VERDICT_UNCLEAR;
	} else if (shift > 0 && is_held_back(self)) {
		out->reason = AT_NIGHTS_HELD_BACK;
		out->verdict = AT_VERDICT_UNCLEAR;
	} else if (own == 0) {
		out->reason = AT_NIGHTS_COMMON;
		if (!self->tonight->is_changed && !lasts(self))
			out->verdict = AT_VERDICT_UNCLEAR;
	}
}

static struct tonight begin(const struct at_night *looks, size_t count,
	const struct at_nights_options *options, struct quantiles *cache)
{
	double margin = options && options->margin > 0 ? options->margin : MARGIN;
	struct tonight self = { .margin = log1p(margin) };

	/* only the newest looks count */
	if (count > AT_NIGHTS_LOOKS_MAX) {
		looks += count - AT_NIGHTS_LOOKS_MAX;
		count = AT_NIGHTS_LOOKS_MAX;
	}
	self.count = count;
	for (size_t i = 0; i < count; i++) {
		self.looks[i] = point_of(&looks[i], cache);
		self.is_changed = self.is_changed || looks[i].is_changed;
		self.is_disturbed = looks[i].is_disturbed;
		self.is_held_back = self.is_held_back || looks[i].is_held_back;
	}
	return self;
}

void at_nights_judge(const struct at_night *history, size_t count,
	const struct at_night *looks, size_t look_count,
	const struct at_nights_options *options, struct at_judgement *out)
{
	struct tonight tonight;
	struct judging self = { .tonight = &tonight, .clock = (double)NAN };
	struct quantiles cache[QUANTILES] = { 0 };
	struct finding clock;
	struct past past;

	memset(out, 0, sizeof(*out));
	tonight = begin(looks, look_count, options, cache);
	collect(&past, history, count, cache);
	keep_alike(&past, &tonight.looks[tonight.count - 1]);
	self.past = &past;
	self.time = find(&past, TIME, &tonight, cache);
	self.cycles = find(&past, CYCLES, &tonight, cache);
	self.relative = find(&past, RELATIVE, &tonight, cache);
	clock = find(&past, CLOCK, &tonight, cache);
	if (clock.is_known)
		self.clock = clock.shift;
	out->change = score_of(&self.time);
	out->cycles = score_of(&self.cycles);
	out->relative = score_of(&self.relative);
	out->clock = exp(self.clock);
	out->night_count = self.time.expected.count;
	if (!self.time.is_known) {
		out->verdict = AT_VERDICT_FIRST;
		return;
	}
	decide(&self, out);
	if (out->verdict == AT_VERDICT_UNCLEAR && out->reason == AT_NIGHTS_PLAIN)
		out->reason = AT_NIGHTS_NOISE;
	/* one look is not enough for slower or faster */
	if (out->wants_look && tonight.count < 2)
		out->verdict = AT_VERDICT_UNCLEAR;
	else if (out->verdict != AT_VERDICT_UNCLEAR)
		out->wants_look = false;
	if (tonight.count == AT_NIGHTS_LOOKS_MAX)
		out->wants_look = false;
}
