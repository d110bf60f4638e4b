/* Checks each value of a record when it is read (record/cell.h). A check returns NULL
   or what is wrong, worded to follow the column's name. */
#include "record/cell.h"

#include "base/escape.h"
#include "base/json.h"
#include "base/objective.h"
#include "base/outcome.h"

#include <math.h>
#include <string.h>

/* file systems allow hardly longer names */
#define SLUG_BYTES_MAX 200
#define TEXT_BYTES_MAX (64 << 20)
/* known JSON has some KB at most */
#define JSON_BYTES_MAX (16 << 20)
#define OPTIONS_MAX 1000
#define OPTION_BYTES_MAX 4096
/* a sample is at least one launch: no evaluation lasts that long */
#define SAMPLES_MAX 1000000

/* ---- texts ---------------------------------------------------------------------- */

static const char *check_text(const struct at_statement *row, int column,
	size_t bytes_max, const char **text, size_t *size)
{
	if (at_statement_type(row, column) != AT_SQLITE_TEXT)
		return "is no text";
	*text = at_statement_text(row, column);
	at_statement_bytes(row, column, size);
	if (*size > bytes_max)
		return "is too long";
	return strlen(*text) == *size ? NULL : "has a NUL in it";
}

static const char *check_name(
	const struct at_statement *row, int column, bool may_be_empty)
{
	const char *text, *wrong;
	size_t size;

	wrong = check_text(row, column, AT_NAME_BYTES_MAX, &text, &size);
	if (wrong)
		return wrong;
	if (!at_text_is_shown(text, size))
		return "has a control character in it";
	return size || may_be_empty ? NULL : "is empty";
}

/* A folder of results, next to the tool's own folders. */
static const char *check_slug(const struct at_statement *row, int column)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-.";
	const char *text, *wrong;
	size_t size;

	wrong = check_text(row, column, SLUG_BYTES_MAX, &text, &size);
	if (wrong)
		return wrong;
	if (!size)
		return "is empty";
	if (strspn(text, letters) != size || *text == '.' || !strcmp(text, "nights") ||
		!strcmp(text, "shards"))
		return "is no name of a folder";
	return NULL;
}

/* ---- JSON ----------------------------------------------------------------------- */

/* More parameters, sizes or facts than any space has. */
#define MEMBERS_MAX 1000

static const char *check_members(const struct at_json *json)
{
	const struct at_json *value;
	const char *key;
	void *place = NULL;
	size_t count = 0;

	while ((value = at_json_next(json, &place, &key))) {
		enum at_json_kind kind = at_json_kind_of(value);

		if (count++ == MEMBERS_MAX)
			return "has more values in it than any space has";
		if (kind == AT_JSON_OBJECT || kind == AT_JSON_ARRAY)
			return "has something else than values in it";
		if (strlen(key) > AT_NAME_BYTES_MAX ||
			!at_text_is_shown(key, strlen(key)))
			return "has a name in it that is long or not shown";
		/* The text of another tool's recording may hold anything: every writer
		   escapes it. */
		if (kind == AT_JSON_STRING &&
			strlen(at_json_text(value)) > AT_NAME_BYTES_MAX)
			return "has a text in it that is too long";
	}
	return NULL;
}

/* One to three sizes, as in a launch; missing if the launch was unknown. */
static bool has_dimensions(const struct at_json *launch, const char *key)
{
	const struct at_json *sizes = at_json_get(launch, key);
	size_t count = at_json_count(sizes);

	for (size_t i = 0; i < count; i++) {
		int64_t value = at_json_whole(at_json_at(sizes, i), -1);

		/* 0: a recording, which launches nothing */
		if (value < 0 || value > UINT32_MAX)
			return false;
	}
	return !sizes || (count >= 1 && count <= 3);
}

static const char *check_launch(const struct at_json *json)
{
	int64_t bytes = at_json_whole(at_json_get(json, "shared_bytes"), 0);

	return has_dimensions(json, "block") && has_dimensions(json, "grid") &&
			       bytes >= 0 && bytes <= UINT32_MAX
		       ? NULL
		       : "is no launch";
}

static const char *check_options(const struct at_json *json)
{
	size_t count = at_json_count(json);

	if (at_json_kind_of(json) != AT_JSON_ARRAY || count > OPTIONS_MAX)
		return "is no array of options";
	for (size_t i = 0; i < count; i++) {
		const char *text = at_json_text(at_json_at(json, i));

		if (!text || strlen(text) > OPTION_BYTES_MAX ||
			!at_text_is_shown(text, strlen(text)))
			return "has an option in it that is no text, too long, or not shown";
	}
	return NULL;
}

const char *at_cell_check_json(const struct at_json *json, enum at_cell kind)
{
	enum at_json_kind found = at_json_kind_of(json);

	if (kind == AT_CELL_OPTIONS)
		return check_options(json);
	if (found != AT_JSON_OBJECT && (kind != AT_CELL_JSON || found != AT_JSON_ARRAY))
		return "is no JSON object";
	return kind == AT_CELL_VALUES   ? check_members(json)
	       : kind == AT_CELL_LAUNCH ? check_launch(json)
					: NULL;
}

static const char *check_json(
	const struct at_statement *row, int column, enum at_cell kind)
{
	const char *text, *wrong;
	struct at_json *json;
	size_t size;

	wrong = check_text(row, column, JSON_BYTES_MAX, &text, &size);
	if (wrong || (!size && kind != AT_CELL_VALUES))
		return wrong;
	if (at_json_parse(text, size, NULL, &json, NULL))
		return "is no JSON";
	wrong = at_cell_check_json(json, kind);
	at_json_free(json);
	return wrong;
}

/* ---- numbers --------------------------------------------------------------------- */

static const char *check_integer(
	const struct at_statement *row, int column, int64_t lowest, int64_t highest)
{
	int64_t value = at_statement_integer(row, column);

	if (at_statement_type(row, column) != AT_SQLITE_INTEGER)
		return "is no whole number";
	if (value < lowest)
		return lowest == 1 ? "is not above 0" : "is negative";
	return value > highest ? "is too large" : NULL;
}

static const char *check_real(
	const struct at_statement *row, int column, double highest, const char *wrong)
{
	double value = at_statement_real(row, column);

	if (at_statement_type(row, column) != AT_SQLITE_REAL)
		return "is no number";
	if (!(value >= 0))
		return "is negative";
	return value <= highest ? NULL : wrong;
}

double at_cell_sample(const unsigned char *bytes)
{
	uint64_t bits = 0;
	double value;

	for (int i = 0; i < 8; i++)
		bits |= (uint64_t)bytes[i] << (8 * i);
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static const char *check_samples(const struct at_statement *row, int column)
{
	const unsigned char *bytes;
	size_t size;

	if (at_statement_type(row, column) != AT_SQLITE_BYTES)
		return "are no bytes";
	bytes = at_statement_bytes(row, column, &size);
	if (size % 8 || size / 8 > SAMPLES_MAX)
		return "are no samples by their size";
	for (size_t i = 0; i < size; i += 8) {
		double value = at_cell_sample(bytes + i);

		if (!isfinite(value) || value < 0)
			return "have one that is no time";
	}
	return NULL;
}

/* ---- all kinds ------------------------------------------------------------------- */

static const struct {
	enum at_form form;
	const char *declaration;
} kinds[] = { [AT_CELL_NONE] = { AT_FORM_NONE, "" },
#define KIND(name, form, declaration) \
	[AT_CELL_##name] = { AT_FORM_##form, declaration },
	AT_CELLS(KIND) };

enum at_form at_cell_form(enum at_cell kind)
{
	return kinds[kind].form;
}

const char *at_cell_declaration(enum at_cell kind)
{
	return kinds[kind].declaration;
}

const char *at_cell_check(const struct at_statement *row, int column, enum at_cell kind)
{
	const char *text, *wrong;
	size_t size;

	if (at_statement_is_null(row, column) &&
		!strstr(kinds[kind].declaration, "NOT NULL"))
		return NULL;
	switch (kind) {
	case AT_CELL_NONE:
		break;
	case AT_CELL_DEVICE:
	case AT_CELL_RUN:
	case AT_CELL_EVALUATION:
	case AT_CELL_BASELINE:
	case AT_CELL_PORTFOLIO:
		return check_integer(row, column, 1, INT64_MAX);
	case AT_CELL_NAME:
		return check_name(row, column, false);
	case AT_CELL_WORD:
	case AT_CELL_ORIGIN:
	case AT_CELL_LINE:
	case AT_CELL_VERDICT: /* an unknown one, of a newer version, is read as none */
		return check_name(row, column, true);
	case AT_CELL_SLUG:
		return check_slug(row, column);
	case AT_CELL_TEXT:
		return check_text(row, column, TEXT_BYTES_MAX, &text, &size);
	case AT_CELL_VALUES:
	case AT_CELL_JSON:
	case AT_CELL_LAUNCH:
	case AT_CELL_OPTIONS:
		return check_json(row, column, kind);
	case AT_CELL_OUTCOME:
		wrong = check_name(row, column, false);
		if (!wrong && at_outcome_from_name(at_statement_text(row, column)) ==
				      AT_OUTCOME_NONE)
			wrong = "is an outcome that this version does not know";
		return wrong;
	case AT_CELL_OBJECTIVE:
		wrong = check_name(row, column, false);
		if (!wrong && !at_objective_find(at_statement_text(row, column)))
			wrong = "is an objective that this version does not know";
		return wrong;
	case AT_CELL_SECONDS_OR_NULL:
	case AT_CELL_SECONDS:
		return check_integer(row, column, 0, AT_SECONDS_MAX);
	case AT_CELL_KNOWN:
	case AT_CELL_COUNT:
		return check_integer(row, column, 0, AT_CELL_COUNT_MAX);
	case AT_CELL_INTEGER:
		return check_integer(row, column, INT64_MIN, INT64_MAX);
	case AT_CELL_FLAG:
		return check_integer(row, column, 0, 1);
	case AT_CELL_REAL:
		return check_real(row, column, 1.7e308, "is infinite");
	case AT_CELL_SIGNED:
		return at_statement_type(row, column) == AT_SQLITE_REAL &&
				       isfinite(at_statement_real(row, column))
			       ? NULL
			       : "is no number";
	case AT_CELL_ERROR:
		return check_real(row, column, INFINITY, NULL);
	case AT_CELL_FRACTION:
		return check_real(row, column, 1, "is above 1");
	case AT_CELL_HASH:
	case AT_CELL_HASH_OR_NULL:
		at_statement_bytes(row, column, &size);
		return at_statement_type(row, column) != AT_SQLITE_BYTES || size != 16
			       ? "is no hash of 16 bytes"
			       : NULL;
	case AT_CELL_SAMPLES:
		return check_samples(row, column);
	}
	return NULL;
}
