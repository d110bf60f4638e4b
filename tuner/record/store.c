/* Invalid rows, and the smaller tables: devices, runs, ceilings, portfolios,
   counterexamples. */
#include "record/store.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "record/counterexample.h"
#include "record/evaluation_json.h"
#include "record/store_internal.h"
#include "space/device_key.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- invalid rows ---------------------------------------------------------- */

/* for the whole process, which opens stores in many places */
static void (*tell_left_out)(const struct at_error *reason);

void at_store_on_left_out(void (*tell)(const struct at_error *reason))
{
	tell_left_out = tell;
}

enum at_status at_store_leave_out(struct at_store *self, const char *table, int64_t id,
	enum at_status status, const struct at_error *reason, struct at_error *err)
{
	struct at_error line = { 0 };

	if (status != AT_EINVAL) {
		if (status && err && !err->status)
			*err = *reason;
		return status;
	}
	at_fail(&line, AT_EINVAL, at_sqlite_path(self->database), 0,
		"%s %lld: %s; rows that make no sense are left out", table,
		(long long)id, reason->text);
	if (!self->has_told && tell_left_out)
		tell_left_out(&line);
	self->has_told = true;
	return AT_OK;
}

enum at_status at_store_read_row(struct at_store *self, const struct at_table *table,
	const struct at_statement *statement, void *row, bool *found,
	struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status;

	memset(row, 0, table->size);
	status = at_columns_read(table, statement, 1, row, &reason);
	*found = !status;
	if (!status)
		return AT_OK;
	at_columns_release(table, row);
	return at_store_leave_out(self, table->name, at_statement_integer(statement, 0),
		status, &reason, err);
}

enum at_status at_store_read_first(struct at_store *self, const struct at_table *table,
	struct at_statement *statement, void *row, int64_t *id, bool *found,
	struct at_error *err)
{
	enum at_status status;

	memset(row, 0, table->size);
	status = at_statement_step(statement, found, err);
	if (!status && *found && id)
		*id = at_statement_integer(statement, 0);
	if (!status && *found)
		status = at_store_read_row(self, table, statement, row, found, err);
	at_statement_reset(statement);
	return status;
}

enum at_status at_store_insert(struct at_store *self, const struct at_table *table,
	const void *row, int64_t *id, struct at_error *err)
{
	struct at_statement *statement = NULL;
	struct at_strbuf sql = { 0 };
	enum at_status status;

	at_strbuf_addf(&sql, "INSERT INTO %s (", table->name);
	for (size_t i = 0; i < table->own; i++)
		at_strbuf_addf(&sql, "%s%s", i ? ", " : "", table->columns[i].name);
	at_strbuf_add(&sql, ") VALUES (");
	for (size_t i = 0; i < table->own; i++)
		at_strbuf_add(&sql, i ? ", ?" : "?");
	at_strbuf_add(&sql, ")");
	status = at_sqlite_prepare(self->database, sql.data, &statement, err);
	if (!status) {
		at_columns_bind(table, statement, 1, row);
		status = at_statement_run(statement, err);
	}
	if (!status && id)
		*id = at_sqlite_last_id(self->database);
	at_statement_free(statement);
	at_strbuf_release(&sql);
	return status;
}

/* ---- devices ------------------------------------------------------------ */

static const char put_device[] =
	"INSERT INTO devices (id" AT_DEVICE_COLUMNS(AT_COLUMN_NAME) ", properties) VALUES (NULL" AT_DEVICE_COLUMNS(
		AT_COLUMN_MARK) ", ?) ON CONFLICT (slug, kind) DO UPDATE SET model = excluded.model,"
				" architecture = excluded.architecture, driver = excluded.driver,"
				" uuid = excluded.uuid, properties = excluded.properties RETURNING id";

static const char rename_device[] =
	"UPDATE devices SET slug = ?1 WHERE id = ?2 AND slug <> ?1";

static const char get_device[] = "SELECT properties" AT_DEVICE_COLUMNS(
	AT_COLUMN_NAME) " FROM devices WHERE id = ?";

static const char find_device[] = "SELECT id FROM devices WHERE slug = ? AND kind = ?";

void at_record_device_release(struct at_record_device *self)
{
	if (!self)
		return;
	at_columns_release(&at_table_devices, self);
}

/* The row with this slug, if it is, or may be, this device; else *id is 0. *is_taken: a
   row has the slug. */
static enum at_status find_same(struct at_store *self, const char *slug,
	const struct at_record_device *device, int64_t *id, bool *is_taken,
	struct at_error *err)
{
	struct at_record_device recorded;
	enum at_status status = at_store_find_device(self, slug, device->kind, id, err);

	*is_taken = *id != 0;
	if (status || !*id)
		return status;
	status = at_store_get_device(self, *id, &recorded, err);
	if (status)
		return status;
	if (!at_device_is_same(device->kind, &device->properties, &recorded.properties))
		*id = 0;
	at_record_device_release(&recorded);
	return AT_OK;
}

/* Finds the device's place in the record. *slug: its slug, the caller's. *id: its row,
   perhaps with an older version's slug; 0: none. */
static enum at_status find_place(struct at_store *self,
	const struct at_record_device *device, char **slug, int64_t *id,
	struct at_error *err)
{
	const char *kind = device->kind, *model = device->model;
	bool is_taken = false, ignored;
	const struct at_properties *properties = &device->properties;
	char *plain, *apart, *before;
	enum at_status status;

	*id = 0;
	plain = at_device_slug(kind, model, properties);
	apart = at_device_slug_apart(kind, model, properties);
	/* a device that needed a special slug in another record may get the plain one
	   here */
	*slug = at_strdup(!strcmp(device->slug, apart) ? plain : device->slug);
	before = at_device_slug_before(kind, model, properties);
	status = find_same(self, *slug, device, id, &is_taken, err);
	/* without distinguishing facts both slugs are equal */
	if (!status && !*id && strcmp(apart, plain) != 0) {
		status = find_same(self, apart, device, id, &ignored, err);
		if (is_taken || *id) {
			free(*slug);
			*slug = apart;
			apart = NULL;
		}
	}
	if (!status && !*id && !is_taken && before[0])
		status = find_same(self, before, device, id, &ignored, err);
	free(before);
	free(apart);
	free(plain);
	return status;
}

enum at_status at_store_match_device(struct at_store *self,
	const struct at_record_device *device, int64_t *id, struct at_error *err)
{
	char *slug = NULL;
	enum at_status status = find_place(self, device, &slug, id, err);

	free(slug);
	return status;
}

/* In one transaction: of two devices of one model that are recorded at once, the later
   would take the earlier's row. */
enum at_status at_store_put_device(struct at_store *self,
	const struct at_record_device *device, int64_t *id, struct at_error *err)
{
	struct at_record_device placed = *device;
	struct at_json *object = at_json_object();
	struct at_strbuf properties = { 0 };
	struct at_statement *statement;
	bool begins;
	enum at_status status = at_sqlite_enter(self->database, true, &begins, err);

	*id = 0;
	placed.slug = NULL;
	for (int i = 0; i < AT_PROPERTY_COUNT; i++)
		if (device->properties.known[i])
			at_json_set(object, at_property_name((enum at_property)i),
				device->properties.value[i]);
	at_json_write(object, 0, &properties);
	if (!status)
		status = find_place(self, device, &placed.slug, id, err);
	/* a row with an older version's slug gets the new one */
	if (!status && *id)
		status = at_statement_run(
			at_sqlite_bound(self->database, rename_device,
				AT_VALUES(AT_STRING(placed.slug), AT_INTEGER(*id))),
			err);
	if (!status) {
		statement = at_sqlite_cached(self->database, put_device);
		at_statement_bind_text(statement,
			at_columns_bind(&at_table_devices, statement, 1, &placed),
			at_strbuf_text(&properties));
		while (at_statement_next(statement, &status, err))
			*id = at_statement_integer(statement, 0);
	}
	at_strbuf_release(&properties);
	at_json_free(object);
	free(placed.slug);
	return at_sqlite_leave(self->database, begins, status, err);
}

enum at_status at_store_find_device(struct at_store *self, const char *slug,
	const char *kind, int64_t *id, struct at_error *err)
{
	return at_statement_find(at_sqlite_bound(self->database, find_device,
					 AT_VALUES(AT_STRING(slug), AT_STRING(kind))),
		id, NULL, err);
}

enum at_status at_store_read_ids(struct at_statement *statement, int64_t **out,
	size_t *count, struct at_error *err)
{
	enum at_status status = AT_OK;
	size_t capacity = *count;

	while (at_statement_next(statement, &status, err)) {
		AT_GROW(*out, capacity, *count + 1);
		(*out)[(*count)++] = at_statement_integer(statement, 0);
	}
	return status;
}

enum at_status at_store_devices(
	struct at_store *self, int64_t **out, size_t *count, struct at_error *err)
{
	*out = NULL;
	*count = 0;
	return at_store_read_ids(
		at_sqlite_cached(self->database, "SELECT id FROM devices ORDER BY id"),
		out, count, err);
}

/* Ignores properties that this version does not know. */
static enum at_status read_device(const struct at_statement *statement,
	struct at_record_device *out, struct at_error *err)
{
	const char *wrong = at_cell_check(statement, 0, AT_CELL_VALUES);
	struct at_json *object;

	if (wrong)
		return at_fail(err, AT_EINVAL, NULL, 0, "\"properties\" %s", wrong);
	object = at_json_embedded(at_statement_text(statement, 0));
	for (int i = 0; i < AT_PROPERTY_COUNT; i++) {
		enum at_property property = (enum at_property)i;
		const struct at_json *value =
			at_json_get(object, at_property_name(property));

		if (value)
			at_properties_set(
				&out->properties, property, at_json_whole(value, 0));
	}
	at_json_free(object);
	return at_columns_read(&at_table_devices, statement, 1, out, err);
}

enum at_status at_store_check_devices(struct at_store *self, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	struct at_error reason = { 0 };
	int64_t *ids = NULL, id = 0;
	size_t count = 0;
	enum at_status status = at_store_devices(self, &ids, &count, &reason);
	struct at_statement *statement = at_sqlite_cached(self->database, get_device);

	for (size_t i = 0; i < count && !status; i++) {
		struct at_record_device device = { 0 };

		id = ids[i];
		at_statement_bind_integer(statement, 1, id);
		if (at_statement_next(statement, &status, &reason))
			status = read_device(statement, &device, &reason);
		at_record_device_release(&device);
		at_statement_reset(statement);
	}
	free(ids);
	if (status == AT_EINVAL)
		return at_fail(err, AT_EINVAL, path, 0, "devices %lld: %s; %s",
			(long long)id, reason.text,
			self->is_foreign
				? "nothing of it was taken"
				: "all else refers to devices, so that nothing of this record is used: move it away, or choose another place with --results DIR");
	if (status && err)
		*err = reason;
	return status;
}

enum at_status at_store_get_device(struct at_store *self, int64_t id,
	struct at_record_device *out, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	struct at_statement *statement =
		at_sqlite_bound(self->database, get_device, AT_VALUES(AT_INTEGER(id)));
	enum at_status status;
	bool row = false;

	memset(out, 0, sizeof(*out));
	status = at_statement_step(statement, &row, err);
	if (!status && !row)
		status = at_fail(
			err, AT_ENOENT, path, 0, "has no device %lld", (long long)id);
	if (!status)
		status = read_device(statement, out, err);
	at_statement_reset(statement);
	if (status)
		at_record_device_release(out);
	return status;
}

/* ---- runs, to which everything belongs that a session adds ----------------- */

static const char insert_run[] =
	"INSERT INTO runs (device_id, space, strategy, seed, version, started_seconds,"
	" ending, token) VALUES (?, ?, ?, ?, ?, ?, '', lower(hex(randomblob(16))))";

static const char end_run[] =
	"UPDATE runs SET ended_seconds = ?, ending = ? WHERE id = ?";

enum at_status at_store_begin_run(struct at_store *self, int64_t device_id,
	const char *space, const char *strategy, uint64_t seed, const char *version,
	int64_t *id, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(self->database, insert_run,
		AT_VALUES(AT_INTEGER(device_id), AT_STRING(space), AT_STRING(strategy),
			AT_INTEGER((int64_t)seed), AT_STRING(version),
			AT_INTEGER(at_clock_wall_seconds())));
	enum at_status status = at_statement_run(statement, err);

	if (status)
		return status;
	*id = at_sqlite_last_id(self->database);
	return AT_OK;
}

enum at_status at_store_begin_run_on(struct at_store *self,
	const struct at_record_device *device, const char *space, const char *strategy,
	uint64_t seed, const char *version, int64_t *device_id, int64_t *id,
	struct at_error *err)
{
	static const char highest[] = "SELECT ifnull(max(id), 0) FROM evaluations";
	enum at_status status = at_store_keep_rows(self, err);
	bool begins;

	if (status)
		return status;

	/* before the run's row, which others might take for that of a killed run */
	at_store_begin_claims(self);
	status = at_sqlite_enter(self->database, true, &begins, err);
	if (!status)
		status = at_store_put_device(self, device, device_id, err);
	if (!status)
		status = at_store_begin_run(
			self, *device_id, space, strategy, seed, version, id, err);
	if (!status)
		status =
			at_sqlite_integer(self->database, highest, &self->highest, err);
	return at_sqlite_leave(self->database, begins, status, err);
}

enum at_status at_store_end_run(
	struct at_store *self, int64_t id, const char *ending, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status = at_store_check_rows(self, err);

	if (status)
		return status;
	statement = at_sqlite_bound(self->database, end_run,
		AT_VALUES(AT_INTEGER(at_clock_wall_seconds()), AT_STRING(ending),
			AT_INTEGER(id)));
	status = at_statement_run(statement, err);
	/* a kill loses nothing anyway; from here on, nor does a power cut */
	if (!status)
		status = at_sqlite_checkpoint(self->database, err);
	return status;
}

/* ---- ceilings ---- */

/* The newest by time, not by id: imported rows are added later, but may be older. A row
   with an invalid time would hide all others. */
static const char select_ceilings[] = "SELECT id" AT_CEILING_COLUMNS(
	AT_COLUMN_NAME) " FROM ceilings WHERE device_id = ?"
			" AND created_seconds <= " AT_SECONDS_MAX_TEXT
			" ORDER BY created_seconds DESC, id DESC LIMIT 1";

void at_record_ceilings_release(struct at_record_ceilings *self)
{
	if (!self)
		return;
	at_columns_release(&at_table_ceilings, self);
}

enum at_status at_store_put_ceilings(struct at_store *self, int64_t device_id,
	const struct at_record_ceilings *ceilings, struct at_error *err)
{
	struct at_record_ceilings row = *ceilings;
	struct at_record_ceilings before;
	enum at_status status;
	bool found;

	row.device_id = device_id;
	/* a new row is the newest even if a clock was set back */
	status = at_store_get_ceilings(self, device_id, &before, &found, err);
	if (!status && found && before.created_seconds > row.created_seconds)
		row.created_seconds = before.created_seconds;
	at_record_ceilings_release(&before);
	return status ? status
		      : at_store_insert(self, &at_table_ceilings, &row, NULL, err);
}

enum at_status at_store_put_ceilings_on(struct at_store *self,
	const struct at_record_device *device,
	const struct at_record_ceilings *ceilings, struct at_error *err)
{
	int64_t id;
	bool begins;
	enum at_status status = at_sqlite_enter(self->database, true, &begins, err);

	if (!status)
		status = at_store_put_device(self, device, &id, err);
	if (!status)
		status = at_store_put_ceilings(self, id, ceilings, err);
	return at_sqlite_leave(self->database, begins, status, err);
}

enum at_status at_store_get_ceilings(struct at_store *self, int64_t device_id,
	struct at_record_ceilings *out, bool *found, struct at_error *err)
{
	return at_store_read_first(self, &at_table_ceilings,
		at_sqlite_bound(self->database, select_ceilings,
			AT_VALUES(AT_INTEGER(device_id))),
		out, NULL, found, err);
}

/* ---- portfolios ---- */

static const char select_portfolio[] = "SELECT id" AT_PORTFOLIO_COLUMNS(
	AT_COLUMN_NAME) " FROM portfolios WHERE device_id = ? AND space = ?"
			" AND created_seconds <= " AT_SECONDS_MAX_TEXT
			" ORDER BY created_seconds DESC, id DESC LIMIT 1";

void at_portfolio_release(struct at_portfolio *self)
{
	if (!self)
		return;
	at_store_free_winners(self->members, self->count);
	at_columns_release(&at_table_portfolios, self);
}

size_t at_portfolio_size(const struct at_portfolio *self)
{
	size_t size = 0;

	for (size_t i = 0; i < self->count; i++) {
		bool is_new = true;

		for (size_t j = 0; j < i; j++)
			is_new = is_new &&
				 self->members[i].member != self->members[j].member;
		size += is_new;
	}
	return size;
}

double at_portfolio_worst(const struct at_portfolio *self)
{
	double worst = 0;

	for (size_t i = 0; i < self->count; i++) {
		if (isnan(self->members[i].loss))
			return NAN;
		worst = fmax(worst, self->members[i].loss);
	}
	return worst;
}

enum at_status at_store_put_portfolio(
	struct at_store *self, struct at_portfolio *portfolio, struct at_error *err)
{
	struct at_portfolio row = *portfolio;
	enum at_status status = at_sqlite_begin(self->database, err);

	if (!isfinite(row.loss_limit))
		row.loss_limit = NAN;
	if (!status)
		status = at_store_insert(
			self, &at_table_portfolios, &row, &portfolio->id, err);
	for (size_t i = 0; i < portfolio->count && !status; i++) {
		portfolio->members[i].portfolio_id = portfolio->id;
		status = at_store_put_winner(self, &portfolio->members[i], err);
	}
	return at_sqlite_end(self->database, status, err);
}

enum at_status at_store_get_portfolio(struct at_store *self, int64_t device_id,
	const char *space, struct at_portfolio *out, bool *found, struct at_error *err)
{
	bool begins;
	int64_t id = 0;
	enum at_status status = at_store_enter(self, &begins, err);

	*found = false;
	memset(out, 0, sizeof(*out));
	if (!status)
		status = at_store_read_first(self, &at_table_portfolios,
			at_sqlite_bound(self->database, select_portfolio,
				AT_VALUES(AT_INTEGER(device_id), AT_STRING(space))),
			out, &id, found, err);
	if (!status && *found) {
		out->id = id;
		if (isnan(out->loss_limit))
			out->loss_limit = INFINITY;
		status = at_store_members(self, id, &out->members, &out->count, err);
	}
	status = at_sqlite_leave(self->database, begins, status, err);
	if (status)
		at_portfolio_release(out);
	*found = *found && !status;
	return status;
}

/* ---- counterexamples ---- */

static const char insert_counterexample[] =
	"INSERT INTO counterexamples (id" AT_COUNTEREXAMPLE_COLUMNS(AT_COLUMN_NAME) ") SELECT NULL" AT_COUNTEREXAMPLE_COLUMNS(
		AT_COLUMN_MARK) " WHERE NOT EXISTS (SELECT 1 FROM counterexamples"
				" WHERE device_id = ?1 AND space = ?2 AND instance = ?3)";

static const char select_counterexamples[] = "SELECT c.id" AT_COUNTEREXAMPLE_COLUMNS(
	AT_COLUMN_NAME) ", slug, kind FROM counterexamples AS c JOIN devices AS d"
			" ON d.id = device_id WHERE ?1 IS NULL OR space = ?1"
			" ORDER BY c.id";

void at_counterexample_release(struct at_counterexample *self)
{
	free(self->slug);
	free(self->kind);
	at_columns_release(&at_table_counterexamples, self);
}

void at_counterexamples_release(struct at_counterexamples *self)
{
	for (size_t i = 0; i < self->count; i++)
		at_counterexample_release(&self->items[i]);
	free(self->items);
	memset(self, 0, sizeof(*self));
}

bool at_counterexample_is_same(
	const struct at_counterexample *a, const struct at_counterexample *b)
{
	return !strcmp(a->space, b->space) && !strcmp(a->instance, b->instance) &&
	       !strcmp(a->slug, b->slug) && !strcmp(a->kind, b->kind);
}

enum at_status at_store_put_counterexample(struct at_store *self,
	const struct at_counterexample *counterexample, struct at_error *err)
{
	struct at_statement *statement =
		at_sqlite_cached(self->database, insert_counterexample);

	at_columns_bind(&at_table_counterexamples, statement, 1, counterexample);
	return at_statement_run(statement, err);
}

enum at_status at_store_counterexamples(struct at_store *self, const char *space,
	struct at_counterexamples *out, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(
		self->database, select_counterexamples, AT_VALUES(AT_STRING(space)));
	enum at_status status = AT_OK;

	while (at_statement_next(statement, &status, err)) {
		struct at_counterexample one;
		bool found;

		status = at_store_read_row(
			self, &at_table_counterexamples, statement, &one, &found, err);
		if (!found)
			continue;
		one.id = at_statement_integer(statement, 0);
		/* opening a record has checked its devices */
		one.slug = at_strdup(at_statement_text(statement, 5));
		one.kind = at_strdup(at_statement_text(statement, 6));
		AT_GROW(out->items, out->capacity, out->count + 1);
		out->items[out->count++] = one;
	}
	return status;
}
