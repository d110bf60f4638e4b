/* The devices of a record, and the report of rows that make no sense. */
#include "record/store.h"

#include "base/json.h"
#include "base/memory.h"
#include "record/store_internal.h"
#include "space/device_key.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows that make no sense -------------------------------------------- */

/* one for the whole process, as stores are opened in many places */
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
	size_t size, const struct at_statement *statement, void *row, bool *found,
	struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status;

	memset(row, 0, size);
	status = at_columns_read(table, statement, 1, row, &reason);
	*found = !status;
	if (!status)
		return AT_OK;
	at_columns_release(table, row);
	memset(row, 0, size);
	return at_store_leave_out(self, table->name, at_statement_integer(statement, 0),
		status, &reason, err);
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
	memset(self, 0, sizeof(*self));
}

/* Reads the properties that this version knows; others are ignored. */
static enum at_status read_properties(const char *text, const char *path,
	struct at_record_device *out, struct at_error *err)
{
	struct at_json *object;
	enum at_status status = at_json_parse(text, strlen(text), path, &object, err);

	if (status)
		return status;
	for (int i = 0; i < AT_PROPERTY_COUNT; i++) {
		enum at_property property = (enum at_property)i;
		const struct at_json *value =
			at_json_get(object, at_property_name(property));

		if (value)
			at_properties_set(
				&out->properties, property, at_json_whole(value, 0));
	}
	at_json_free(object);
	return AT_OK;
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

/*
 * Where the device is, or is to be, recorded. *slug: the slug to record it by; the
 * caller's. *id: its row, which may still have an older version's slug; 0: it has none.
 */
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
	/* a device of another record that needed a slug of its own there may get the
	   plain one here */
	*slug = at_strdup(!strcmp(device->slug, apart) ? plain : device->slug);
	before = at_device_slug_before(kind, model, properties);
	status = find_same(self, *slug, device, id, &is_taken, err);
	/* if nothing is known that could tell two devices apart, both slugs are
	   equal */
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

static enum at_status give_slug(
	struct at_store *self, int64_t id, const char *slug, struct at_error *err)
{
	return at_statement_run(at_sqlite_bound(self->database, rename_device,
					AT_VALUES(AT_STRING(slug), AT_INTEGER(id))),
		err);
}

static void write_properties(
	const struct at_record_device *device, struct at_strbuf *out)
{
	struct at_json *object = at_json_object();

	for (int i = 0; i < AT_PROPERTY_COUNT; i++)
		if (device->properties.known[i])
			at_json_set(object, at_property_name((enum at_property)i),
				at_json_integer(device->properties.value[i]));
	at_json_write(object, 0, out);
	at_json_free(object);
}

static enum at_status put_device_row(struct at_store *self,
	const struct at_record_device *device, int64_t *id, struct at_error *err)
{
	struct at_record_device placed = *device;
	struct at_strbuf properties = { 0 };
	struct at_statement *statement;
	enum at_status status = AT_OK;
	bool row = false;
	int next;

	placed.slug = NULL;
	write_properties(device, &properties);
	status = find_place(self, device, &placed.slug, id, err);
	/* a row with an older version's slug gets the new one; others stay as they
	   are */
	if (!status && *id)
		status = give_slug(self, *id, placed.slug, err);
	if (status)
		goto release;
	statement = at_sqlite_cached(self->database, put_device);
	next = at_columns_bind(&at_table_devices, statement, 1, &placed);
	at_statement_bind_text(statement, next, at_strbuf_text(&properties));
	status = at_statement_step(statement, &row, err);
	if (!status)
		*id = at_statement_integer(statement, 0);
	/* only the step that finds no more rows commits */
	if (!status)
		status = at_statement_step(statement, &row, err);
	at_statement_reset(statement);
release:
	at_strbuf_release(&properties);
	free(placed.slug);
	return status;
}

/* In one transaction: of two devices of one model that are recorded at once, the later
   one would take the earlier one's row. */
enum at_status at_store_put_device(struct at_store *self,
	const struct at_record_device *device, int64_t *id, struct at_error *err)
{
	bool begins;
	enum at_status status = at_sqlite_enter(self->database, true, &begins, err);

	*id = 0;
	if (!status)
		status = put_device_row(self, device, id, err);
	return at_sqlite_leave(self->database, begins, status, err);
}

enum at_status at_store_find_device(struct at_store *self, const char *slug,
	const char *kind, int64_t *id, struct at_error *err)
{
	bool found;

	return at_statement_find(at_sqlite_bound(self->database, find_device,
					 AT_VALUES(AT_STRING(slug), AT_STRING(kind))),
		id, &found, err);
}

enum at_status at_store_read_ids(struct at_statement *statement, int64_t **out,
	size_t *count, struct at_error *err)
{
	enum at_status status = AT_OK;
	size_t capacity = *count;
	bool row = true;

	while (!(status = at_statement_step(statement, &row, err)) && row) {
		AT_GROW(*out, capacity, *count + 1);
		(*out)[(*count)++] = at_statement_integer(statement, 0);
	}
	at_statement_reset(statement);
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

static enum at_status read_device(const struct at_statement *statement,
	const char *path, struct at_record_device *out, struct at_error *err)
{
	const char *wrong = at_cell_check(statement, 0, AT_CELL_VALUES);
	enum at_status status;

	if (wrong)
		return at_fail(err, AT_EINVAL, NULL, 0, "\"properties\" %s", wrong);
	status = at_columns_read(&at_table_devices, statement, 1, out, err);
	return status ? status
		      : read_properties(
				at_statement_text(statement, 0), path, out, err);
}

enum at_status at_store_check_devices(struct at_store *self, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	struct at_error reason = { 0 };
	struct at_statement *statement;
	int64_t *ids = NULL, id = 0;
	enum at_status status;
	size_t count = 0;

	status = at_store_devices(self, &ids, &count, &reason);
	statement = at_sqlite_cached(self->database, get_device);
	for (size_t i = 0; i < count && !status; i++) {
		struct at_record_device device = { 0 };
		bool row = false;

		id = ids[i];
		at_statement_bind_integer(statement, 1, id);
		status = at_statement_step(statement, &row, &reason);
		if (!status && row)
			status = read_device(statement, path, &device, &reason);
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
		status = read_device(statement, path, out, err);
	at_statement_reset(statement);
	if (status)
		at_record_device_release(out);
	return status;
}
