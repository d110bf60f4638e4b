/* Evaluations as CSV: RFC 4180, and safe to open in a spreadsheet (record/export.h). */
#include "record/export_csv.h"

#include "base/escape.h"
#include "base/json_reader.h"
#include "base/outcome.h"
#include "base/text.h"
#include "record/csv_names.h"
#include "record/sources.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An evaluation that is to be written; the rows are read one by one, in this order. */
struct found {
	int64_t created_seconds;
	int64_t id;
};

struct csv {
	struct at_store *store;
	const struct at_export_group *group;
	struct at_strbuf *out;
	struct found *found;
	size_t count;
	size_t capacity;
	int64_t device_id;
	struct at_sources sources;
	/* the parameters of the newest evaluation, and their cells in the current
	   row */
	char **names;
	struct at_strbuf *cells;
	size_t width;
	struct at_error *err;
};

bool at_csv_is_value(const char *text)
{
	static const char *const words[] = { "true", "false", "True", "False", "TRUE",
		"FALSE" };
	int64_t whole;
	double real;

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (!strcmp(words[i], text))
			return true;
	return at_text_integer(text, &whole) || at_text_real(text, &real);
}

/* ---- cells ------------------------------------------------------------------- */

/* must_not_be_empty: also mark an empty text, which a reader would take for no value */
static void add_text(struct at_strbuf *out, const char *text, bool must_not_be_empty)
{
	struct at_strbuf marked = { 0 };

	if (strchr("=+-@'\t\r\n", *text) ? *text || must_not_be_empty
					 : at_csv_is_value(text))
		at_strbuf_add_char(&marked, '\'');
	at_strbuf_add(&marked, text);
	if (marked.failed)
		out->failed = true;
	at_escape_csv(out, at_strbuf_text(&marked));
	at_strbuf_release(&marked);
}

static void add_real(struct at_strbuf *out, double value)
{
	char text[32];

	if (!isfinite(value))
		return;
	at_text_shortest_real(value, text, sizeof(text));
	at_strbuf_add(out, text);
}

static void add_known(struct at_strbuf *out, int64_t value)
{
	if (value >= 0)
		at_strbuf_addf(out, "%" PRId64, value);
}

static void add_time(struct at_strbuf *out, int64_t seconds)
{
	time_t when = (time_t)seconds;
	struct tm parts;
	char text[32];

	if (seconds <= 0 || !gmtime_r(&when, &parts))
		return;
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
	at_strbuf_add(out, text);
}

/* ---- parameters ---------------------------------------------------------------- */

static void add_scalar(struct at_strbuf *out, const struct at_json_scalar *scalar)
{
	switch (scalar->kind) {
	case AT_JSON_STRING:
		add_text(out, scalar->text, true);
		break;
	case AT_JSON_BOOLEAN:
		at_strbuf_add(out, scalar->whole ? "true" : "false");
		break;
	case AT_JSON_NUMBER:
		if (scalar->is_whole) {
			at_strbuf_addf(out, "%" PRId64, scalar->whole);
			break;
		}
		add_real(out, scalar->real);
		/* 2.0 in the record is a real, and 2 is read back as an integer */
		if (rint(scalar->real) == scalar->real && fabs(scalar->real) < 1e15)
			at_strbuf_add(out, ".0");
		break;
	case AT_JSON_NULL:
	case AT_JSON_END:
	case AT_JSON_OBJECT:
	case AT_JSON_ARRAY:
	case AT_JSON_ODD:
		break;
	}
}

static enum at_status add_name(struct csv *self, const char *name, struct at_error *err)
{
	char **names = realloc(self->names, (self->width + 1) * sizeof(*names));
	struct at_strbuf *cells;

	if (!names)
		return at_fail_memory(err);
	self->names = names;
	cells = realloc(self->cells, (self->width + 1) * sizeof(*cells));
	if (!cells)
		return at_fail_memory(err);
	self->cells = cells;
	cells[self->width] = (struct at_strbuf){ 0 };
	names[self->width] = at_strdup(name);
	if (!names[self->width])
		return at_fail_memory(err);
	self->width++;
	return AT_OK;
}

/* Fills the cells of the parameters from a configuration, which is changed. is_first:
   it names the parameters. *fits is false where its parameters are not these. */
static enum at_status read_configuration(
	struct csv *self, char *text, bool is_first, bool *fits, struct at_error *err)
{
	struct at_json_reader reader;
	size_t count = 0;
	enum at_status status;
	const char *name;

	*fits = true;
	at_json_reader_init(&reader, text, strlen(text), "configuration");
	status = at_json_reader_enter(&reader, AT_JSON_OBJECT, err);
	while (!status && at_json_reader_member(&reader, &name, err)) {
		struct at_json_scalar scalar;
		/* most have the parameters in one order */
		size_t i = count;

		if (i >= self->width || strcmp(self->names[i], name) != 0)
			i = 0;
		while (i < self->width && strcmp(self->names[i], name) != 0)
			i++;
		if (is_first && i == self->width)
			status = add_name(self, name, err);
		if (!status)
			status = at_json_reader_scalar(&reader, &scalar, err);
		if (status || i >= self->width) {
			*fits = false;
			continue;
		}
		at_strbuf_clear(&self->cells[i]);
		add_scalar(&self->cells[i], &scalar);
		count++;
	}
	*fits = *fits && count == self->width;
	return status ? status : err->status;
}

/* ---- rows ------------------------------------------------------------------------ */

static void add_header(struct csv *self)
{
	struct at_strbuf *out = self->out;

#define COMMA_NAME(name) at_strbuf_add(out, "," #name);
#define COMMA_FACT(name, kind) at_strbuf_add(out, "," #name);
	size_t begin = out->length;

	AT_CSV_PLACE(COMMA_NAME)
	/* removes the comma before the first name */
	if (!out->failed) {
		memmove(out->data + begin, out->data + begin + 1, out->length - begin);
		out->length--;
	}
	for (size_t i = 0; i < self->width; i++) {
		struct at_strbuf name = { 0 };

		if (at_csv_needs_prefix(self->names[i]))
			at_strbuf_add(&name, AT_CSV_PARAMETER);
		at_strbuf_add(&name, self->names[i]);
		at_strbuf_add_char(out, ',');
		add_text(out, at_strbuf_text(&name), true);
		out->failed = out->failed || name.failed;
		at_strbuf_release(&name);
	}
	AT_CSV_RESULT(COMMA_NAME)
	AT_FACTS(COMMA_FACT)
	AT_CSV_MORE(COMMA_NAME)
	at_strbuf_add(out, "\r\n");
}

#define ADD_KNOWN(value) add_known(out, value);
#define ADD_REAL(value) add_real(out, value);
#define ADD_LINE(value) add_text(out, value, false);
#define ADD_FACT(name, kind) \
	at_strbuf_add_char(out, ','); \
	ADD_##kind(facts->name)

static void add_row(struct csv *self, const struct at_evaluation *evaluation)
{
	const struct at_export_group *group = self->group;
	const struct at_facts *facts = &evaluation->facts;
	const char *const places[] = { group->space, group->problem,
		evaluation->problem_json, group->device.model, group->device.kind,
		group->device.architecture };
	bool is_ok = evaluation->outcome == AT_OUTCOME_OK;
	struct at_strbuf *out = self->out;

	for (size_t i = 0; i < AT_COUNT_OF(places); i++) {
		at_strbuf_add(out, i ? "," : "");
		add_text(out, places[i], false);
	}
	for (size_t i = 0; i < self->width; i++) {
		at_strbuf_add_char(out, ',');
		at_strbuf_add(out, at_strbuf_text(&self->cells[i]));
		out->failed |= self->cells[i].failed;
	}
	at_strbuf_addf(out, ",%s,", at_outcome_name(evaluation->outcome));
	add_real(out, is_ok ? evaluation->time_ns : (double)NAN);
	at_strbuf_add_char(out, ',');
	add_real(out, is_ok ? evaluation->low_ns : (double)NAN);
	at_strbuf_add_char(out, ',');
	add_real(out, is_ok ? evaluation->high_ns : (double)NAN);
	at_strbuf_add(out, evaluation->raced ? ",true" : ",false");
	AT_FACTS(ADD_FACT)
	at_strbuf_add_char(out, ',');
	add_real(out, evaluation->flops);
	at_strbuf_add_char(out, ',');
	add_real(out, evaluation->bytes);
	at_strbuf_add(out, evaluation->is_double ? ",true," : ",false,");
	add_real(out, evaluation->max_relative_error);
	at_strbuf_add_char(out, ',');
	add_known(out, evaluation->measure_ns);
	at_strbuf_add_char(out, ',');
	add_known(out, evaluation->clock_hz);
	at_strbuf_add(out, evaluation->throttled ? ",true," : ",false,");
	add_known(out, evaluation->launches_per_sample);
	at_strbuf_add_char(out, ',');
	add_text(out, evaluation->board, false);
	at_strbuf_add_char(out, ',');
	add_time(out, evaluation->created_seconds);
	at_strbuf_add(out,
		at_sources_is_older(&self->sources, evaluation) ? ",true," : ",false,");
	for (size_t i = 0; i < evaluation->sample_count && is_ok; i++) {
		at_strbuf_add(out, i ? " " : "");
		add_real(out, evaluation->samples_ns[i]);
	}
	at_strbuf_add_char(out, ',');
	add_text(out, evaluation->detail, false);
	at_strbuf_add(out, "\r\n");
}

static enum at_status write_one(
	struct csv *self, int64_t id, bool is_first, struct at_error *err)
{
	struct at_evaluation evaluation = { 0 };
	enum at_status status = at_store_get(self->store, id, true, &evaluation, err);
	bool fits = false;

	if (!status)
		status = read_configuration(
			self, evaluation.configuration, is_first, &fits, err);
	if (!status && fits && !is_first)
		add_row(self, &evaluation);
	at_evaluation_release(&evaluation);
	return status;
}

/* ---- the whole ---------------------------------------------------------------------
 */

static enum at_status visit(void *context, const struct at_evaluation *evaluation)
{
	struct csv *self = context;
	enum at_status status =
		AT_RESERVE(self->found, self->capacity, self->count + 1, self->err);

	self->device_id = evaluation->device_id;
	if (!status)
		self->found[self->count++] =
			(struct found){ evaluation->created_seconds, evaluation->id };
	return status;
}

static int compare_found(const void *a, const void *b)
{
	const struct found *left = a, *right = b;

	if (left->created_seconds != right->created_seconds)
		return left->created_seconds < right->created_seconds ? -1 : 1;
	return (left->id > right->id) - (left->id < right->id);
}

enum at_status at_export_csv(struct at_store *store,
	const struct at_export_group *group, struct at_strbuf *out,
	struct at_error *err)
{
	/* own: the code below needs the status even where err is NULL */
	struct at_error own = { 0 };
	struct csv self = { .store = store, .group = group, .out = out, .err = &own };
	enum at_status status = at_store_list(store, group->space, group->device.slug,
		group->problem, 0, visit, &self, &own);

	if (!status && !self.count)
		status = at_fail(&own, AT_ENOENT, NULL, 0,
			"nothing is recorded of %s, %s on %s", group->space,
			group->problem, group->device.model);
	if (!status)
		qsort(self.found, self.count, sizeof(*self.found), compare_found);
	if (!status)
		status = at_store_sources(store, self.device_id, group->space,
			group->problem, &self.sources, &own);
	/* the newest evaluation determines which parameters there are */
	if (!status)
		status = write_one(&self, self.found[self.count - 1].id, true, &own);
	if (!status)
		add_header(&self);
	for (size_t i = 0; i < self.count && !status; i++)
		status = write_one(&self, self.found[i].id, false, &own);
	if (!status && out->failed)
		status = at_fail_memory(&own);
	for (size_t i = 0; i < self.width; i++) {
		free(self.names[i]);
		at_strbuf_release(&self.cells[i]);
	}
	free(self.names);
	free(self.cells);
	free(self.found);
	at_sources_release(&self.sources);
	if (status && err && !err->status)
		*err = own;
	return status;
}
