/* Adds the rows of a recording to a store (import.h). */
#include "record/import.h"

#include "base/clock.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/text.h"
#include "record/cell.h"
#include "record/store_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PROBLEM "imported"
#define DEVICE "unknown device"

/* The import, and the common data of its evaluations. */
struct import {
	struct at_store *store;
	const struct at_recording *recording;
	const char *space;
	const char *problem;
	const char *origin;
	const char *version;
	struct at_record_device device;
	int64_t device_id;
	int64_t run_id; /* 0: no row was new so far, so there is no run */
	struct at_imported *out;
};

static const char *first_of(const char *given, const char *said, const char *fallback)
{
	if (given)
		return given;
	return *said ? said : fallback;
}

/* These names come from a stranger's file or its name. They are shown, and become names
   of folders and files. The record rejects bad names, too, but cannot name the file. */
static enum at_status check_name(const char *name, const char *what, const char *option,
	const char *path, struct at_error *err)
{
	if (!at_text_is_shown(name, strlen(name)))
		return at_fail(err, AT_EINVAL, path, 0,
			"the name of its %s has a control character in it, or one that is not UTF-8: give another one with %s",
			what, option);
	return strlen(name) <= AT_NAME_BYTES_MAX
		       ? AT_OK
		       : at_fail(err, AT_EINVAL, path, 0,
				 "the name of its %s is too long: give another one with %s",
				 what, option);
}

/* ---- one row --------------------------------------------------------------------- */

/* Two files may have the same measurement in nanoseconds and in milliseconds. */
static bool is_same_time(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fabs(a);
}

static bool is_same(const struct at_evaluation *a, const struct at_evaluation *b)
{
	if (a->outcome != b->outcome || a->sample_count != b->sample_count)
		return false;
	if (a->outcome == AT_OUTCOME_OK && !is_same_time(a->time_ns, b->time_ns))
		return false;
	for (size_t i = 0; i < a->sample_count; i++)
		if (!is_same_time(a->samples_ns[i], b->samples_ns[i]))
			return false;
	return true;
}

static int64_t whole_ns(double seconds)
{
	/* also false for NaN */
	return seconds >= 0 && seconds < 9e9 ? (int64_t)(seconds * 1e9) : -1;
}

static enum at_status add_row(struct import *self, size_t row, struct at_error *err)
{
	const struct at_recording *recording = self->recording;
	const struct at_recorded *result = &recording->results[row];
	struct at_strbuf configuration = { 0 };
	struct at_evaluation evaluation = { AT_EVALUATION_UNKNOWN,
		.device_id = self->device_id, .space = (char *)self->space,
		.problem = (char *)self->problem, .problem_json = (char *)"{}",
		.outcome = result->outcome, .detail = (char *)result->reason,
		.sample_count = result->sample_count, .raced = result->is_raced,
		.created_seconds = result->created_seconds };
	const uint16_t *indices = recording->rows + row * recording->parameter_count;
	struct at_json *object = at_json_object();
	struct at_evaluation recorded;
	bool found, known;
	enum at_status status;

	for (size_t i = 0; i < recording->parameter_count; i++)
		at_json_set(object, recording->parameters[i].name,
			at_value_to_json(recording->parameters[i].values[indices[i]]));
	at_json_write(object, 0, &configuration);
	at_json_free(object);
	evaluation.time_ns = result->time_ns;
	evaluation.measure_ns = whole_ns(result->measure_seconds);
	evaluation.facts = result->facts;
	if (evaluation.facts.compile_ns < 0)
		evaluation.facts.compile_ns = whole_ns(result->compile_seconds);
	if (result->sample_count)
		evaluation.samples_ns = recording->samples_ns + result->sample_begin;
	if (!evaluation.created_seconds)
		evaluation.created_seconds = at_clock_wall_seconds();
	evaluation.configuration = configuration.data;
	/* a key that no plan computes, so that it never replaces a measurement of this
	   tool */
	const char *const texts[] = { AT_IMPORTED_KIND, self->device.slug, self->space,
		self->problem, evaluation.configuration };
	struct at_hasher *hasher = at_hasher_new();

	for (size_t i = 0; i < AT_COUNT_OF(texts); i++)
		at_hasher_add_text(hasher, texts[i]);
	evaluation.key = at_hasher_result(hasher);
	at_hasher_free(hasher);
	status = at_store_find(
		self->store, evaluation.key, true, &recorded, &found, err);
	known = !status && found && is_same(&recorded, &evaluation);
	at_evaluation_release(&recorded);
	if (!status && !known && !self->run_id)
		status = at_store_begin_run(self->store, self->device_id, self->space,
			AT_IMPORTED_KIND, 0, self->version, &self->run_id, err);
	evaluation.run_id = self->run_id;
	if (!status && !known)
		status = at_store_add(self->store, &evaluation, err);
	if (known)
		self->out->known++;
	else
		self->out->added++;
	at_strbuf_release(&configuration);
	return status;
}

/* ---- all rows -------------------------------------------------------------- */

static const char end_run[] =
	"UPDATE runs SET origin = ?1, ended_seconds = started_seconds, ending = 'done'"
	" WHERE id = ?2";

static enum at_status add_all(
	struct import *self, const char *model, struct at_error *err)
{
	enum at_status status;
	struct at_strbuf slug = { 0 };
	char *own = at_text_slug(model);

	at_strbuf_addf(&slug, AT_IMPORTED_KIND "-%s", own);
	self->device.kind = at_strdup(AT_IMPORTED_KIND);
	self->device.model = at_strdup(model);
	self->device.slug = at_strbuf_detach(&slug);
	self->device.architecture = at_strdup("");
	self->device.driver = at_strdup("");
	self->device.uuid = at_strdup("");
	at_strbuf_release(&slug);
	free(own);
	status = at_store_put_device(self->store, &self->device, &self->device_id, err);
	for (size_t i = 0; i < self->recording->count && !status; i++)
		status = add_row(self, i, err);
	if (status || !self->run_id)
		return status;
	return at_statement_run(
		at_sqlite_bound(self->store->database, end_run,
			AT_VALUES(AT_STRING(self->origin), AT_INTEGER(self->run_id))),
		err);
}

enum at_status at_store_import(struct at_store *self,
	const struct at_recording *recording, const struct at_import_options *options,
	struct at_imported *out, struct at_error *err)
{
	struct import import = {
		.store = self,
		.recording = recording,
		.space = first_of(options->space, recording->kernel, NULL),
		.problem = first_of(options->problem, recording->problem, PROBLEM),
		.origin = options->origin,
		.version = options->version,
		.out = out,
	};
	const char *model = first_of(options->device, recording->device, DEVICE);
	enum at_status status;

	memset(out, 0, sizeof(*out));
	if (!import.space)
		return at_fail(err, AT_EINVAL, recording->path, 0,
			"does not name its space: name it with --space");
	status = check_name(import.space, "space", "--space", recording->path, err);
	if (!status)
		status = check_name(import.problem, "problem", "--as-problem",
			recording->path, err);
	if (!status)
		status = check_name(model, "device", "--model", recording->path, err);
	if (status)
		return status;
	status = at_sqlite_begin(self->database, err);
	if (!status)
		status = add_all(&import, model, err);
	status = at_sqlite_end(self->database, status, err);
	if (status) {
		out->added = out->known = 0;
	} else {
		out->slug = import.device.slug;
		import.device.slug = NULL;
	}
	at_record_device_release(&import.device);
	return status;
}
