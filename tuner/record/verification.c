/* The verification of a winner as JSON and as a line for people: see
 * record/verification.h. */
#include "record/verification.h"

#include "record/evaluation_json.h"
#include "record/store.h"

#include "base/escape.h"
#include "base/json.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define AT_CHECK_TEXT(symbol, name) name,
	AT_CHECKS(AT_CHECK_TEXT)
#undef AT_CHECK_TEXT
};

const char *at_check_name(enum at_check check)
{
	return names[check];
}

bool at_check_watches_shared(enum at_check check)
{
	return check == AT_CHECK_RACECHECK || check == AT_CHECK_SYNCCHECK;
}

/* ---- as JSON ---------------------------------------------------------------- */

#define COUNTS(X) X(cases) X(data_sets) X(patterns) X(launches)
#define FLAGS(X) X(guarded) X(zones) X(crowded)

char *at_verification_to_json(const struct at_verification *self)
{
	struct at_json *object = at_json_object();
	struct at_json *passed = at_json_array();
	struct at_json *not_run = at_json_object();
	struct at_json *coverage = at_json_array();
	struct at_strbuf text = { 0 };

#define SET_COUNT(name) at_json_set(object, #name, self->name);
#define SET_FLAG(name) at_json_set(object, #name, self->name);
	COUNTS(SET_COUNT)
	FLAGS(SET_FLAG)
	if (self->left) {
		SET_COUNT(made)
		SET_COUNT(left)
		at_json_set(object, "left_for", self->left_for);
	}
	if (self->night)
		SET_COUNT(night)
	if (self->unfit) {
		SET_COUNT(unfit)
		at_json_set(object, "unfit_for", self->unfit_for);
		SET_FLAG(reference_fails)
	}
	if (self->vacuous) {
		SET_COUNT(vacuous)
		at_json_set(object, "vacuous_for", self->vacuous_for);
	}
	if (self->only_for[0])
		at_json_set(object, "only_for", self->only_for);
	for (size_t i = 0; i < AT_CHECK_COUNT; i++)
		switch (self->checks[i].state) {
		case AT_CHECK_UNASKED:
			break;
		case AT_CHECK_PASSED:
			at_json_append(passed, at_json_string(names[i]));
			break;
		case AT_CHECK_NOT_RUN:
			at_json_set(not_run, names[i], self->checks[i].why);
			break;
		}
	at_json_set(object, "passed", passed);
	at_json_set(object, "not_run", not_run);
	for (size_t i = 0; i < AT_COUNT_OF(self->coverage); i++)
		if (self->coverage[i][0])
			at_json_append(coverage, at_json_string(self->coverage[i]));
	at_json_set(object, "coverage", coverage);
	for (uint32_t i = 0; i < self->id_count; i++)
		at_strbuf_addf(&text, "%08" PRIx32, self->ids[i]);
	at_json_set(object, "case_ids", at_strbuf_text(&text));
	at_strbuf_release(&text);
	return at_json_finish(object);
}

bool at_verification_knows(const struct at_verification *self, uint32_t id)
{
	for (uint32_t i = 0; i < self->id_count; i++)
		if (self->ids[i] == id)
			return true;
	return false;
}

bool at_verification_add(struct at_verification *self, uint32_t id)
{
	if (at_verification_knows(self, id))
		return false;
	if (self->id_count == AT_VERIFICATION_IDS_MAX)
		memmove(self->ids, self->ids + 1,
			--self->id_count * sizeof(*self->ids));
	self->ids[self->id_count++] = id;
	return true;
}

char *at_verification_withdrawn(const char *why)
{
	struct at_json *object = at_json_object();

	at_json_set(object, "withdrawn", why);
	return at_json_finish(object);
}

/* a record from a stranger may have any number there */
static uint32_t count_of(const struct at_json *object, const char *name)
{
	int64_t count = at_json_whole(at_json_get(object, name), 0);

	return count > 0 && count <= UINT32_MAX ? (uint32_t)count : 0;
}

static void read_ids(struct at_verification *out, const char *text)
{
	const size_t length = text ? strlen(text) : 0;
	char digits[9] = "";

	for (size_t i = 0; i + 8 <= length && i < 8 * AT_VERIFICATION_IDS_MAX; i += 8) {
		char *end;
		unsigned long id;

		memcpy(digits, text + i, 8);
		id = strtoul(digits, &end, 16);
		if (*end)
			return;
		at_verification_add(out, (uint32_t)id);
	}
}

/* One line of a record from a stranger. */
static void get_line(
	const struct at_json *line, const char *otherwise, char *out, size_t size)
{
	const char *text = at_json_text(line);

	snprintf(out, size, "%s", text && *text ? text : otherwise);
	at_text_flatten(out);
}

bool at_verification_from_json(const char *text, struct at_verification *out)
{
	const struct at_json *passed, *not_run;
	struct at_json *object = at_json_embedded(text);

	memset(out, 0, sizeof(*out));
	if (at_json_kind_of(object) == AT_JSON_NULL)
		return false;
#define GET_COUNT(name) out->name = count_of(object, #name);
#define GET_FLAG(name) out->name = at_json_is_true(at_json_get(object, #name));
	COUNTS(GET_COUNT)
	FLAGS(GET_FLAG)
	if (!out->cases)
		out->cases = count_of(object, "problems");

	read_ids(out, at_json_text(at_json_get(object, "case_ids")));
	GET_COUNT(made)
	GET_COUNT(left)
	GET_COUNT(night)
	GET_COUNT(unfit)
	GET_FLAG(reference_fails)
	GET_COUNT(vacuous)
#define GET_LINE(name, otherwise) \
	get_line(at_json_get(object, #name), otherwise, out->name, sizeof(out->name));
	GET_LINE(left_for, "")
	GET_LINE(unfit_for, "other sizes")
	GET_LINE(vacuous_for, "other sizes")
	GET_LINE(only_for, "")
	for (size_t i = 0; i < AT_COUNT_OF(out->coverage); i++)
		get_line(at_json_at(at_json_get(object, "coverage"), i), "",
			out->coverage[i], sizeof(out->coverage[i]));
	passed = at_json_get(object, "passed");
	not_run = at_json_get(object, "not_run");
	for (size_t i = 0; i < AT_CHECK_COUNT; i++) {
		struct at_check_result *check = &out->checks[i];
		const struct at_json *why = at_json_get(not_run, names[i]);

		for (size_t j = 0; j < at_json_count(passed); j++) {
			const char *name = at_json_text(at_json_at(passed, j));

			if (name && !strcmp(name, names[i]))
				check->state = AT_CHECK_PASSED;
		}
		if (check->state || !at_json_text(why))
			continue;
		check->state = AT_CHECK_NOT_RUN;
		get_line(why, "", check->why, sizeof(check->why));
	}
	at_json_free(object);
	return true;
}

/* ---- for people ------------------------------------------------------------- */

/* Separates an item from those before it in a list, which begins at `begin`. */
static struct at_strbuf *item(
	struct at_strbuf *out, size_t begin, const char *separator)
{
	if (out->length > begin)
		at_strbuf_add(out, separator);
	return out;
}

static void add_count(
	struct at_strbuf *out, size_t begin, uint32_t count, const char *what)
{
	if (count)
		at_strbuf_addf(item(out, begin, ", "), "%" PRIu32 " %s%s", count, what,
			count == 1 ? "" : "s");
}

/* Appends why the winner was withdrawn. False: it was not; out may be NULL. */
static bool write_withdrawn(const struct at_winner *best, struct at_strbuf *out)
{
	struct at_json *object =
		at_json_embedded(best->is_unverified ? best->verification : NULL);
	const char *why = at_json_text(at_json_get(object, "withdrawn"));

	if (why && out) {
		at_strbuf_add(out, "not any more: ");
		at_escape_line(out, why, strlen(why));
	}
	at_json_free(object);
	return why != NULL;
}

bool at_verification_is_withdrawn(const struct at_winner *best)
{
	return write_withdrawn(best, NULL);
}

void at_verification_write(const struct at_winner *best, struct at_strbuf *out)
{
	struct at_verification verification;
	size_t begin;

	if (best->is_unverified) {
		if (!write_withdrawn(best, out))
			at_strbuf_add(out,
				"no: its run ended before finals and verification");
		return;
	}
	if (!at_verification_from_json(best->verification, &verification)) {
		at_strbuf_add(out, "by an older version of autotune");
		return;
	}
	if (!verification.cases && verification.vacuous) {
		at_strbuf_add(out, "no: there was nothing to compare");
		return;
	}
	if (verification.only_for[0])
		at_strbuf_addf(
			out, "for these contents of %s only: ", verification.only_for);
	if (verification.left)
		at_strbuf_addf(out,
			"partly, %" PRIu32 " of %" PRIu32 " cases: ", verification.made,
			verification.made + verification.left);
	begin = out->length;
	add_count(out, begin, verification.data_sets, "data set");
	/* an older version counted problems, whatever they were */
	add_count(out, begin, verification.cases,
		verification.id_count ? "different case" : "problem");
	add_count(out, begin, verification.patterns, "pattern");
	if (verification.guarded)
		at_strbuf_add(item(out, begin, ", "), "guarded");
	if (verification.crowded)
		at_strbuf_add(item(out, begin, ", "), "crowded");
	for (size_t i = 0; i < AT_CHECK_COUNT; i++)
		if (verification.checks[i].state == AT_CHECK_PASSED)
			at_strbuf_add(item(out, begin, ", "), names[i]);
	if (verification.unfit)
		at_strbuf_addf(out, ", but not for %s", verification.unfit_for);
}

void at_verification_write_unfit(const struct at_winner *best, struct at_strbuf *out)
{
	struct at_verification verification;

	if (best->is_unverified ||
		!at_verification_from_json(best->verification, &verification) ||
		!verification.unfit)
		return;
	at_strbuf_addf(out,
		"%s: there %s, so the winner is not verified; a \"domain\" in the space says for which sizes and scalars the kernel is meant",
		verification.unfit_for,
		verification.reference_fails ? "the reference fails"
					     : "the baseline is not right");
}

/* Whether blocks of a launch must be resident at once: of a cooperative launch, or of
   clusters. A verification does not take multiprocessors away from these. */
static bool needs_room(const struct at_json *launch)
{
	const struct at_json *launches = at_json_get(launch, "launches");
	bool needs = at_json_is_true(at_json_get(launch, "cooperative"));

	for (size_t i = 0; i < 3; i++)
		needs |=
			at_json_whole(
				at_json_at(at_json_get(launch, "cluster"), i), 0) > 1 ||
			at_json_whole(
				at_json_at(at_json_get(launch, "preferred_cluster"), i),
				0) > 1;
	for (size_t i = 0; i < at_json_count(launches); i++)
		needs |= needs_room(at_json_at(launches, i));
	return needs;
}

static bool is_uncrowded(
	const struct at_winner *best, const struct at_verification *verification)
{
	struct at_json *launch = at_json_embedded(best->launch);
	bool needs = !verification->crowded && needs_room(launch);

	at_json_free(launch);
	return needs;
}

void at_verification_write_not_run(const struct at_winner *best, struct at_strbuf *out)
{
	const size_t begin = out->length;
	struct at_verification verification;
	bool done[AT_CHECK_COUNT] = { false };

	if (!at_verification_from_json(best->verification, &verification))
		return;
	if (verification.left)
		at_strbuf_addf(out,
			"%" PRIu32
			" cases%s%s%s: there was no time for them; the next run goes on with them, and --thorough makes all at once",
			verification.left, verification.left_for[0] ? " (" : "",
			verification.left_for, verification.left_for[0] ? ")" : "");
	if (verification.vacuous)
		at_strbuf_addf(item(out, begin, "; "),
			"%s: the expected outputs are one number, or what the buffers held before",
			verification.vacuous_for);
	if (verification.only_for[0])
		at_strbuf_addf(item(out, begin, "; "),
			"other contents of %s: \"data\" of verify, or a \"domain\", gives them",
			verification.only_for);
	if (is_uncrowded(best, &verification))
		at_strbuf_add(item(out, begin, "; "),
			"on fewer multiprocessors: all blocks of its launch, or of a cluster, must be resident at once");
	/* checks that could not be made for the same reason share one entry */
	for (size_t i = 0; i < AT_CHECK_COUNT; i++) {
		const struct at_check_result *check = &verification.checks[i];
		size_t first;

		if (check->state != AT_CHECK_NOT_RUN || done[i])
			continue;
		first = item(out, begin, "; ")->length;
		for (size_t j = i; j < AT_CHECK_COUNT; j++) {
			if (verification.checks[j].state != AT_CHECK_NOT_RUN ||
				strcmp(verification.checks[j].why, check->why) != 0)
				continue;
			done[j] = true;
			at_strbuf_add(item(out, first, ", "), names[j]);
		}
		at_strbuf_addf(out, ": %s", check->why);
	}
}

void at_verification_write_coverage(
	const struct at_winner *best, size_t index, struct at_strbuf *out)
{
	struct at_verification verification;

	if (!best->is_unverified &&
		at_verification_from_json(best->verification, &verification))
		at_strbuf_add(out, verification.coverage[index]);
}
