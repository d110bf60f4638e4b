#include "session/nights.h"

#include "measure/statistics.h"

#include <stdlib.h>
#include <string.h>

/*
 * Nights differ by more than the interval within one: another temperature, other
 * memory, other neighbours. So it is the nights that say how much nights differ, and a
 * night is held against Student's prediction interval of one night more.
 */

/* the newest nights that are looked at: what was a season ago says little of tonight */
#define WINDOW 60
/* of the logarithm, a fifth: beyond it nobody can be told to be the same */
#define TOLD_MOST 0.182
/* as the first look at finals has (session/standings.h) */
#define BLOCKS_USUAL 6
/* of these the newest that the level is of: it follows what drifts slowly */
#define LEVEL_NIGHTS 30

/* Before nights have shown it, how much they differ (of the logarithm), and as many
   nights as that is worth. Boards with fixed clocks have 0.1 to 0.3 %, others 1 %. */
#define PRIOR_DEVIATION 0.007
#define PRIOR_DEGREES 3
/* no board is quieter than its clock's steps, whatever a few nights look like */
#define FLOOR_DEVIATION 0.001
/* beyond so many deviations a night says nothing of how much nights differ */
#define OUTLIER 3.0

/*
 * What must be found is a kernel 5 % slower. Half of it is the best border where noise
 * is large, since both mistakes are then as likely; where noise is small the border may
 * lie nearer as long as almost nobody crosses it by chance, and where it is very large
 * it must lie farther.
 */
#define BORDER 0.025
#define CONFIDENCE_LEAST 0.99
#define CONFIDENCE_MOST 0.9998
/* what is inside of this is what nights are like */
#define CONFIDENCE_TOLD 0.95

#define MARGIN 0.01
/* more blocks than finals ever have */
#define BLOCKS_MOST 1000
/* of so many degrees at a time */
#define QUANTILES 64

/* clocks nearer than that are alike: sensors have steps, and are read now and then */
#define CLOCK_ALIKE 0.01
/* a board that is held back in more nights is always so: it says nothing of tonight */
#define HELD_BACK_SHARE 0.25
/* finals whose interval is so many times as wide as usual were not as usual */
#define WIDE_FINALS 3.0
/* so many nights at tonight's clock make a history of their own */
#define CLOCK_NIGHTS 5

/* ---- a history as numbers -------------------------------------------------- */

/* What a night is looked at by, in logarithms. */
enum measure { TIME, CYCLES, RELATIVE, CLOCK, MEASURE_COUNT };

struct point {
	double values[MEASURE_COUNT]; /* NAN: not known */
	double deviation; /* of the time, within its finals */
	size_t segment; /* nights between two shifts */
	bool is_held_back;
};

static double log_of(double value)
{
	return value > 0 && isfinite(value) ? log(value) : (double)NAN;
}

/* Student's, which take long to find, for the same few degrees again and again. */
struct quantiles {
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

/* Of the interval that so many blocks have; of the usual number where nobody kept it.
 */
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
	struct point point = { .deviation = deviation_of(
				       night->cost, night->block_count, cache),
		.is_held_back = night->is_held_back };

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

/* NAN of none; in any order, which it changes */
static double median(double *values, size_t count)
{
	if (!count)
		return (double)NAN;
	qsort(values, count, sizeof(*values), compare);
	return count % 2 ? values[count / 2]
			 : (values[count / 2 - 1] + values[count / 2]) / 2;
}

struct past {
	size_t count;
	struct point points[WINDOW]; /* oldest first; the last `level_count` of them are
					the level */
	size_t level_count;
	struct point last; /* the newest night, where it waits for this one */
	bool has_last;
};

/*
 * The newest nights that were measured; a night that was told to be slower or faster is
 * the first of another level. One that was unclear is left aside for a night: if it was
 * the first of a shift, it says nothing of what was before.
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

/* Where enough nights were at tonight's clock, the others are dropped. */
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

/* What one night more is expected to be, by one measure. */
struct expected {
	size_t count; /* nights of the level; 0: nothing is expected */
	double level;
	double variance; /* of one night more about the level */
	size_t degrees;
};

/* The known values of points[begin..end), and how many. */
static size_t take(const struct past *self, enum measure which, size_t begin,
	size_t end, double values[WINDOW])
{
	size_t count = 0;

	for (size_t i = begin; i < end; i++)
		if (!isnan(self->points[i].values[which]))
			values[count++] = self->points[i].values[which];
	return count;
}

/* Deviations of nights from their own segment's median; *lost: segments. */
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
 * How much nights differ: the deviation of what is left of them with outliers drawn in
 * (Huber 1981, "Robust Statistics": winsorized), and together with what is believed
 * before any was seen.
 */
static void set_scale(const struct past *self, enum measure which, struct expected *out)
{
	double residuals[WINDOW], sorted[WINDOW], limit, squares = 0;
	size_t lost, count = take_residuals(self, which, residuals, &lost);
	double prior = PRIOR_DEGREES * PRIOR_DEVIATION * PRIOR_DEVIATION;

	memcpy(sorted, residuals, count * sizeof(*residuals));
	/* 1.4826 times the median is the deviation of a normal law */
	limit = OUTLIER * fmax(1.4826 * median(sorted, count), FLOOR_DEVIATION);
	for (size_t i = 0; i < count; i++)
		squares += fmin(residuals[i], limit) * fmin(residuals[i], limit);
	out->degrees = PRIOR_DEGREES + count - lost;
	out->variance = fmax((prior + squares) / (double)out->degrees,
		FLOOR_DEVIATION * FLOOR_DEVIATION);
}

/*
 * What the finals' own noise is tonight beyond what it ever is: the nights' scatter has
 * the rest. Intervals of a few blocks differ much by chance alone.
 */
static double added_variance(const struct past *self, double deviation)
{
	double usual[WINDOW], most;

	for (size_t i = 0; i < self->count; i++)
		usual[i] = self->points[i].deviation;
	most = WIDE_FINALS * median(usual, self->count);
	return fmax(0, deviation * deviation - most * most);
}

static struct expected expect(
	const struct past *self, enum measure which, double deviation)
{
	struct expected expected = { 0 };
	double values[WINDOW];

	expected.count =
		take(self, which, self->count - self->level_count, self->count, values);
	if (!expected.count)
		return expected;
	expected.level = median(values, expected.count);
	set_scale(self, which, &expected);
	/* a median of many has pi/2 the variance of a mean */
	expected.variance *=
		1 + (expected.count > 2 ? 1.571 : 1) / (double)expected.count;
	expected.variance += added_variance(self, deviation);
	return expected;
}

/* ---- tonight --------------------------------------------------------------- */

struct tonight {
	size_t count;
	struct point looks[AT_NIGHTS_LOOKS_MAX];
	double margin; /* of the logarithm */
	bool is_changed;
	bool is_disturbed;
	bool is_held_back;
};

/* One measure of tonight against the nights before. */
struct finding {
	bool is_known;
	struct expected expected;
	double shift; /* of all looks together; above 0: slower */
	double told; /* half of the interval of 95 % */
	double border; /* beyond it a night is another one */
	bool is_beyond; /* and two looks say so, where there are two */
	bool is_suspect; /* not as nights are */
};

static struct finding find(const struct past *past, enum measure which,
	const struct tonight *tonight, struct quantiles *cache)
{
	const struct quantiles *student;
	struct finding found = { 0 };
	double values[AT_NIGHTS_LOOKS_MAX], noise = 0, deviation;
	size_t agree = 0, count = tonight->count;

	for (size_t i = 0; i < count; i++) {
		values[i] = tonight->looks[i].values[which];
		noise += tonight->looks[i].deviation / (double)count;
		if (isnan(values[i]))
			return found;
	}
	found.expected = expect(past, which, noise / sqrt((double)count));
	if (!found.expected.count)
		return found;
	student = look_up(cache, found.expected.degrees);
	deviation = sqrt(found.expected.variance);
	found.is_known = true;
	found.told = student->told * deviation;
	found.border =
		fmax(tonight->margin, fmax(student->least * deviation,
					      fmin(BORDER, student->most * deviation)));
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

struct judging {
	const struct past *past;
	const struct tonight *tonight;
	struct finding time;
	struct finding cycles;
	struct finding relative;
	double clock; /* above 0: the board clocks higher than it did; NAN */
};

/*
 * Which way this kernel moved by itself, 0: not. Winner over baseline is the sharpest
 * look, since what both have in common goes out of it; but it does not say whose doing
 * it is: it is whose time moved farther.
 */
static double own_shift(const struct judging *self)
{
	const struct finding *time = &self->time, *relative = &self->relative;
	double baseline = time->shift - relative->shift;

	if (!relative->is_known)
		return 0;
	if (relative->is_beyond && fabs(time->shift) > fabs(baseline))
		return relative->shift;
	/* the baseline may be noisier than the winner is */
	if (time->is_beyond && fabs(baseline) < fabs(time->shift) / 2 &&
		fabs(relative->shift) > relative->told)
		return time->shift;
	return 0;
}

/* Whether the clock tonight is reason enough for such a time: what took longer took no
   more cycles. */
static bool is_of_clock(const struct judging *self, double shift)
{
	if (isnan(self->clock) || fabs(self->clock) <= CLOCK_ALIKE ||
		!self->cycles.is_known)
		return false;
	if (shift > 0)
		return self->clock < 0 && self->cycles.shift <= self->cycles.border;
	return self->clock > 0 && self->cycles.shift >= -self->cycles.border;
}

/* The night before was beyond the border the same way. */
static bool lasts(const struct judging *self)
{
	const struct finding *time = &self->time;
	double before;

	if (!self->past->has_last)
		return false;
	before = self->past->last.values[TIME] - time->expected.level;
	return fabs(before) > time->border && (before > 0) == (time->shift > 0);
}

/* The board was kept from its clocks tonight, and as a rule is not. */
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

		/* an interval that a fifth more would not stand out of says nothing */
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
		/* not alike for both: nobody knows whether that is the clock's doing */
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

	/* the newest, where there are more than are looked at */
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
	/* nobody is called slower, or faster, on one look */
	if (out->wants_look && tonight.count < 2)
		out->verdict = AT_VERDICT_UNCLEAR;
	else if (out->verdict != AT_VERDICT_UNCLEAR)
		out->wants_look = false;
	if (tonight.count == AT_NIGHTS_LOOKS_MAX)
		out->wants_look = false;
}
