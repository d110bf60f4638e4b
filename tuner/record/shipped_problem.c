/* Reads one problem of a result file: the winner, its baseline, a portfolio's
   member. */
#include "record/shipped_problem.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* limits far above any real file, so that a hostile one cannot do harm by its size */
#define TEXT_MAX 4096
#define OPTIONS_MAX 1000
#define DEPTH_MAX 16

/* ---- parts of it ----------------------------------------------------------------- */

static void read_facts(struct at_reading *self, const struct at_json *object,
	const char *key, struct at_facts *out)
{
	static const struct at_facts unknown = AT_FACTS_UNKNOWN;
	const struct at_json *found =
		at_reading_kind(self, object, key, AT_JSON_OBJECT, false);
	const struct at_json *occupancy;
	char *factor;

	*out = unknown;
	if (!found)
		return;
#define READ_FACT(name, kind) \
	out->name = at_reading_count(self, found, #name, false, 0);
	AT_RESOURCE_FACTS(READ_FACT)
#undef READ_FACT
	occupancy = at_reading_kind(self, found, "occupancy", AT_JSON_OBJECT, false);
	if (!occupancy)
		return;
	out->resident_blocks =
		at_reading_count(self, occupancy, "resident_blocks", true, 1);
	out->occupancy = at_reading_positive(self, occupancy, "fraction", true);
	if (out->occupancy > 1)
		at_reading_fail(self, "fraction", "expected up to 1; found %.15g",
			out->occupancy);
	factor = at_reading_text(
		self, occupancy, "limiting_factor", 0, sizeof(out->limiting_factor));
	if (factor)
		strcpy(out->limiting_factor, factor);
	free(factor);
}

/* Checks [32, 2]: one to three sizes. */
static void check_dimensions(
	struct at_reading *self, const struct at_json *launch, const char *key)
{
	const struct at_json *found =
		at_reading_kind(self, launch, key, AT_JSON_ARRAY, true);
	size_t count = at_json_count(found);

	if (!self->status && (count < 1 || count > 3))
		at_reading_fail(self, key, "expected 1 to 3 sizes; found %zu", count);
	for (size_t i = 0; i < count && !self->status; i++) {
		const struct at_json *item = at_json_at(found, i);
		int64_t value = at_json_whole(item, -1);

		/* 0: from a recording, which launches nothing */
		if (value < 0 || value > UINT32_MAX)
			at_reading_fail_kind(self, key, "integers from 0", item);
	}
}

static char *read_launch(struct at_reading *self, const struct at_json *problem)
{
	const struct at_json *found =
		at_reading_kind(self, problem, "launch", AT_JSON_OBJECT, false);

	if (!found)
		return at_reading_keep(self, NULL);
	check_dimensions(self, found, "block");
	check_dimensions(self, found, "grid");
	if (at_reading_count(self, found, "shared_bytes", true, 0) > UINT32_MAX)
		at_reading_fail(self, "shared_bytes", "is more than any device has");
	return at_reading_keep(self, found);
}

static char *read_options(struct at_reading *self, const struct at_json *problem)
{
	const struct at_json *found =
		at_reading_kind(self, problem, "options", AT_JSON_ARRAY, false);
	size_t count = at_json_count(found);

	if (count > OPTIONS_MAX)
		at_reading_fail(
			self, "options", "has more than %d of them", OPTIONS_MAX);
	for (size_t i = 0; i < count && !self->status; i++) {
		const char *text = at_json_text(at_json_at(found, i));

		if (!text)
			at_reading_fail_kind(self, "options", "an array of strings",
				at_json_at(found, i));
		else if (strlen(text) > TEXT_MAX)
			at_reading_fail(self, "options", "one of them has %zu bytes",
				strlen(text));
	}
	return at_reading_keep(self, found);
}

static char *read_gains(struct at_reading *self, const struct at_json *problem,
	const struct at_objective *objective)
{
	const struct at_json *found =
		at_reading_kind(self, problem, "gains", AT_JSON_ARRAY, false);
	size_t count = at_json_count(found);
	char place[sizeof(self->place)];

	if (count > AT_READING_MEMBERS)
		at_reading_fail(
			self, "gains", "has more than %d of them", AT_READING_MEMBERS);
	memcpy(place, self->place, sizeof(place));
	for (size_t i = 0; i < count && !self->status; i++) {
		const struct at_json *gain = at_json_at(found, i);
		const struct at_json *share = at_json_get(gain, "share");

		snprintf(
			self->place, sizeof(self->place), "%.80sgains[%zu].", place, i);
		free(at_reading_values(self, gain, "to", true));
		free(at_reading_values(self, gain, "from", true));
		at_reading_positive(self, gain, objective->key, false);
		if (at_json_kind_of(share) != AT_JSON_NUMBER &&
			!at_reading_is_null(share))
			at_reading_fail_kind(self, "share", "a number", share);
	}
	if (!self->status)
		memcpy(self->place, place, sizeof(place));
	return at_reading_keep(self, found);
}

/* Reads the amounts; the rates in the file are computed from them. */
static char *read_metrics(struct at_reading *self, const struct at_json *problem,
	struct at_evaluation *winner)
{
	static const char *const names[] = { "flops", "bytes" };
	const struct at_json *found =
		at_reading_kind(self, problem, "metrics", AT_JSON_OBJECT, false);
	double *const amounts[] = { &winner->flops, &winner->bytes };
	struct at_json *given;
	char *text;

	given = at_json_object();
	for (size_t i = 0; i < AT_COUNT_OF(names) && !self->status; i++) {
		const struct at_json *value = at_json_get(found, names[i]);

		*amounts[i] = at_json_number(value, (double)NAN);
		if (!at_reading_is_null(value) && !(*amounts[i] >= 0))
			at_reading_fail_kind(self, names[i], "a number from 0", value);
		if (!at_reading_is_null(value))
			at_json_set(given, names[i], at_json_real(*amounts[i]));
	}
	text = at_reading_keep(self, given);
	at_json_free(given);
	return text;
}

static void check_depth(
	struct at_reading *self, const char *key, const struct at_json *node, int depth)
{
	const char *name;

	if (depth == DEPTH_MAX)
		at_reading_fail(self, key, "is nested more than %d deep", DEPTH_MAX);
	for (size_t i = 0; i < at_json_count(node) && !self->status; i++)
		check_depth(self, key, at_json_at(node, i), depth + 1);
	for (size_t i = 0; !self->status && (name = at_json_key_at(node, i)); i++) {
		if (i == AT_READING_MEMBERS)
			at_reading_fail(self, key, "has more than %d members",
				AT_READING_MEMBERS);
		check_depth(self, key, at_json_get(node, name), depth + 1);
	}
}

/* Keeps "measurement", "proof" and the like as they are: a later version may have other
   members, and they are checked where they are shown. */
static char *read_notes(
	struct at_reading *self, const struct at_json *object, const char *key)
{
	const struct at_json *found =
		at_reading_kind(self, object, key, AT_JSON_OBJECT, false);

	check_depth(self, key, found, 0);
	return at_reading_keep(self, found);
}

/* Days from 1970-01-01 to a date of the Gregorian calendar. */
static int64_t days_of(int year, int month, int day)
{
	/* counting years from March puts the leap day at the end of a year */
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t m = month <= 2 ? month + 9 : month - 3;

	return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 -
	       719468;
}

/* Reads "2025-11-21T09:05:00Z" as seconds since 1970. */
static int64_t read_moment(struct at_reading *self, const struct at_json *problem)
{
	char *text = at_reading_text(self, problem, "measured", 1, 40);
	int year, month, day, hour, minute, second, used = 0;
	int64_t seconds = 0;

	if (!text)
		return 0;
	if (strlen(text) == 20 && strspn(text, "0123456789-T:Z") == 20 &&
		sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month, &day, &hour,
			&minute, &second, &used) == 6 &&
		used == 20 && year >= 1970 && month >= 1 && month <= 12 && day >= 1 &&
		day <= 31 && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 &&
		second >= 0 && second <= 60)
		seconds = (days_of(year, month, day) * 24 + hour) * 3600 + minute * 60 +
			  second;
	else
		at_reading_fail(self, "measured",
			"expected a moment as 2025-11-21T09:05:00Z; found \"%s\"",
			text);
	free(text);
	return seconds;
}

static char *read_hash(struct at_reading *self, const struct at_json *problem)
{
	char *text = at_reading_text(self, problem, "source_hash", 0, 65);

	if (text && strspn(text, "0123456789abcdef") != strlen(text))
		at_reading_fail(self, "source_hash",
			"expected hexadecimal digits; found \"%s\"", text);
	return text;
}

/* ---- winner and baseline -------------------------------------------------------- */

static void begin_evaluation(struct at_reading *self, const struct at_crown *crown,
	const struct at_json *problem, struct at_evaluation *out)
{
	static const struct at_facts unknown = AT_FACTS_UNKNOWN;

	out->outcome = AT_OUTCOME_OK;
	out->facts = unknown;
	out->time_ns = out->low_ns = out->high_ns = (double)NAN;
	out->flops = out->bytes = out->max_relative_error = (double)NAN;
	out->launches_per_sample = out->measure_ns = out->clock_hz = -1;
	out->created_seconds = crown->created_seconds;
	out->problem_json = at_reading_values(self, problem, "sizes", false);
	if (self->status)
		return;
	out->space = at_strdup(crown->space);
	out->problem = at_strdup(crown->problem);
	out->detail = at_strdup("");
	out->board = at_strdup("");
}

/* Takes over the finals' score as the evaluation's time, where the objective is
   time. */
static void take_time(struct at_evaluation *out, const struct at_objective *objective,
	struct at_score score)
{
	if (objective != &at_objective_time)
		return;
	out->time_ns = score.value;
	out->low_ns = score.low;
	out->high_ns = score.high;
}

/*
 * Reads the baseline. In files with an interval of the speed-up, the baseline's time is
 * that of the finals, so that the speed-up times the winner's time must give it. In
 * older files it is the time of the baseline's own evaluation: its interval is not that
 * of the finals and is not taken over.
 */
static void read_baseline(struct at_reading *self, const struct at_json *problem,
	const char *const keys[3], struct at_result *out)
{
	const struct at_json *found =
		at_reading_kind(self, problem, "baseline", AT_JSON_OBJECT, false);
	struct at_evaluation *baseline = &out->baseline;
	struct at_crown *crown = &out->crown;
	struct at_score score;
	double expected;

	crown->baseline_low = crown->baseline_high = (double)NAN;
	if (!found)
		return;
	out->has_baseline = true;
	begin_evaluation(self, crown, problem, baseline);
	snprintf(self->place + strlen(self->place),
		sizeof(self->place) - strlen(self->place), "baseline.");
	baseline->configuration = at_reading_values(self, found, "configuration", true);
	score = at_reading_score(self, found, keys, false);
	read_facts(self, found, "resources", &baseline->facts);
	take_time(baseline, crown->objective, score);
	expected = at_objective_baseline(
		crown->objective, crown->speedup, crown->score.value);
	if (expected > AT_READING_POSITIVE_MAX)
		at_reading_fail(self, keys[0],
			"%.15g, the speed-up times the winner's time, is no time",
			expected);
	if (!at_json_get(problem, "speedup_low"))
		return;
	crown->baseline_low = score.low;
	crown->baseline_high = score.high;
	if (!self->status && isnan(score.value) != isnan(expected))
		at_reading_fail(self, keys[0],
			"is %sthere, and the speed-up is %sthere",
			isnan(score.value) ? "not " : "",
			isnan(expected) ? "not " : "");
	/* two factors of 15 digits are off by far less than this */
	else if (fabs(score.value - expected) > 1e-9 * expected)
		at_reading_fail(self, keys[0],
			"%.15g is not the speed-up times the winner's time, %.15g",
			score.value, expected);
}

static void read_crown(struct at_reading *self, const struct at_json *problem,
	const char *const keys[3], struct at_crown *out)
{
	static const char *const speedup_keys[] = { "speedup", "speedup_low",
		"speedup_high" };
	struct at_score speedup;

	out->score = at_reading_score(self, problem, keys, true);
	speedup = at_reading_score(self, problem, speedup_keys, false);
	out->speedup = speedup.value;
	out->speedup_low = speedup.low;
	out->speedup_high = speedup.high;
	out->evaluation_count =
		at_reading_count(self, problem, "evaluation_count", true, 0);
	out->ok_count = at_reading_count(self, problem, "ok_count", true, 0);
	if (out->ok_count > out->evaluation_count)
		at_reading_fail(self, "ok_count",
			"%" PRId64 " of %" PRId64 " evaluations", out->ok_count,
			out->evaluation_count);
	out->launch = read_launch(self, problem);
	out->options = read_options(self, problem);
	out->measurement = read_notes(self, problem, "measurement");
	out->gains = read_gains(self, problem, out->objective);
	/* files of older versions lack the key, and their winners were proved as it was
	   done then */
	out->is_unproved = !at_reading_flag(self, problem, "proved", true);
	out->proof = read_notes(self, problem, "proof");
	out->toolchain = at_reading_text(self, problem, "toolchain", 0, TEXT_MAX);
	out->driver = at_reading_text(self, problem, "driver", 0, TEXT_MAX);
	out->source_hash = read_hash(self, problem);
	out->created_seconds = read_moment(self, problem);
}

static double read_number(
	struct at_reading *self, const struct at_json *object, const char *key)
{
	const struct at_json *found = at_json_get(object, key);

	if (at_reading_is_null(found))
		return NAN;
	if (at_json_kind_of(found) != AT_JSON_NUMBER)
		at_reading_fail_kind(self, key, "a number", found);
	return at_json_number(found, (double)NAN);
}

void at_shipped_problem(struct at_reading *self, const struct at_json *problem,
	const char *space, struct at_result *out)
{
	const struct at_objective *objective = &at_objective_time;
	const char *const keys[] = { objective->key, objective->low_key,
		objective->high_key };
	struct at_crown *crown = &out->crown;
	struct at_evaluation *winner = &out->winner;

	out->is_shipped = true;
	crown->objective = objective;
	crown->space = at_strdup(space);
	crown->part = at_strdup("");
	crown->problem =
		at_reading_text(self, problem, "problem", 1, AT_READING_NAME_BYTES);
	read_crown(self, problem, keys, crown);
	if (self->status)
		return;
	begin_evaluation(self, crown, problem, winner);
	winner->configuration = at_reading_values(self, problem, "configuration", true);
	read_facts(self, problem, "resources", &winner->facts);
	crown->metrics = read_metrics(self, problem, winner);
	take_time(winner, objective, crown->score);
	read_baseline(self, problem, keys, out);
}

void at_shipped_member(struct at_reading *self, const struct at_json *problem,
	const char *space, struct at_result *out)
{
	const struct at_json *found =
		at_reading_kind(self, problem, "member", AT_JSON_OBJECT, false);
	struct at_crown *crown;

	if (!found || self->status)
		return;
	out->member = at_calloc(1, sizeof(*out->member));
	/* replaces "baseline." in the place, which is read by now */
	snprintf(strstr(self->place, "]."),
		sizeof(self->place) - strcspn(self->place, "]"), "].member.");
	at_shipped_problem(self, found, space, out->member);
	crown = &out->member->crown;
	crown->loss = read_number(self, found, "loss");
	crown->loss_low = read_number(self, found, "loss_low");
	crown->loss_high = read_number(self, found, "loss_high");
	if (!self->status && strcmp(crown->problem, out->crown.problem) != 0)
		at_reading_fail(self, "problem",
			"\"%.100s\" is another problem's member", crown->problem);
	if (!self->status && crown->is_unproved)
		at_reading_fail(self, "proved",
			"a winner that is not verified serves no problem");
}

void at_shipped_counterexample(struct at_reading *self, const struct at_json *object,
	const char *space, const struct at_record_device *device,
	struct at_counterexample *out)
{
	out->instance = read_notes(self, object, "instance");
	out->failure = read_notes(self, object, "failure");
	out->space = at_strdup(space);
	out->slug = at_strdup(device->slug);
	out->kind = at_strdup(device->kind);
}
