/* Statements of SQLite: prepared, bound, stepped, read. */
#include "record/sqlite_parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define HASH_BYTES 16

struct at_statement {
	struct at_sqlite *database;
	const char *sql;
	sqlite3_stmt *handle;
	int bind_code; /* of the first bind that failed */
};

/* Takes a statement with this text out of those that were freed. NULL: there is none.
 */
static struct at_statement *take_spare(struct at_sqlite *self, const char *sql)
{
	for (size_t i = self->spare_count; i-- > 0;) {
		struct at_statement *spare = self->spare[i];

		if (spare->sql != sql || strcmp(sqlite3_sql(spare->handle), sql) != 0)
			continue;
		self->spare_count--;
		memmove(self->spare + i, self->spare + i + 1,
			(self->spare_count - i) * sizeof(*self->spare));
		return spare;
	}
	return NULL;
}

enum at_status at_sqlite_prepare(struct at_sqlite *self, const char *sql,
	struct at_statement **out, struct at_error *err)
{
	struct at_statement *statement = take_spare(self, sql);
	int code;

	if (statement) {
		*out = statement;
		return AT_OK;
	}
	statement = at_calloc(1, sizeof(*statement));
	statement->database = self;
	statement->sql = sql;
	sqlite_begin_call(self);
	do {
		code = sqlite3_prepare_v3(self->handle, sql, -1,
			SQLITE_PREPARE_PERSISTENT, &statement->handle, NULL);
	} while (sqlite_try_again(self, code));
	if (code != SQLITE_OK) {
		free(statement);
		return sqlite_fail(self, code, err);
	}
	*out = statement;
	return AT_OK;
}

void sqlite_end_statement(struct at_statement *self)
{
	sqlite3_finalize(self->handle);
	free(self);
}

void at_statement_free(struct at_statement *self)
{
	struct at_sqlite *database = self ? self->database : NULL;

	if (!self)
		return;
	/* a pragma may do its work when it is prepared, and would not do it again */
	if (!sqlite3_stmt_readonly(self->handle) ||
		strncmp(sqlite3_sql(self->handle), "SELECT", 6) != 0) {
		sqlite_end_statement(self);
		return;
	}
	at_statement_reset(self);
	/* the one that was freed the longest time ago makes room */
	if (database->spare_count == CACHE_SIZE) {
		sqlite_end_statement(database->spare[0]);
		memmove(database->spare, database->spare + 1,
			--database->spare_count * sizeof(*database->spare));
	}
	database->spare[database->spare_count++] = self;
}

struct at_statement *at_sqlite_cached(struct at_sqlite *self, const char *sql)
{
	struct at_statement *statement;

	for (size_t i = 0; i < self->cached_count; i++) {
		if (self->cached[i]->sql != sql)
			continue;
		at_statement_reset(self->cached[i]);
		return self->cached[i];
	}
	if (self->cached_count == CACHE_SIZE)
		sqlite_end_statement(self->cached[--self->cached_count]);
	at_error_clear(&self->failure);
	if (at_sqlite_prepare(self, sql, &statement, &self->failure)) {
		/* kept without an address, so that the next call tries again */
		statement = at_calloc(1, sizeof(*statement));
		statement->database = self;
	}
	self->cached[self->cached_count++] = statement;
	return statement;
}

struct at_statement *at_sqlite_bound(
	struct at_sqlite *self, const char *sql, const struct at_sql_value *values)
{
	struct at_statement *statement = at_sqlite_cached(self, sql);

	for (int i = 0; values[i].type; i++) {
		if (values[i].type == AT_SQLITE_INTEGER)
			at_statement_bind_integer(statement, i + 1, values[i].integer);
		else if (values[i].text)
			at_statement_bind_text(statement, i + 1, values[i].text);
		else
			at_statement_bind_null(statement, i + 1);
	}
	return statement;
}

static void note(struct at_statement *self, int code)
{
	if (self->bind_code == SQLITE_OK)
		self->bind_code = code;
}

void at_statement_bind_integer(struct at_statement *self, int place, int64_t value)
{
	note(self, sqlite3_bind_int64(self->handle, place, value));
}

void at_statement_bind_real(struct at_statement *self, int place, double value)
{
	note(self, sqlite3_bind_double(self->handle, place, value));
}

void at_statement_bind_text(struct at_statement *self, int place, const char *text)
{
	note(self, sqlite3_bind_text64(self->handle, place, text, strlen(text),
			   SQLITE_STATIC, SQLITE_UTF8));
}

void at_statement_bind_copy(struct at_statement *self, int place, const char *text)
{
	note(self, sqlite3_bind_text64(self->handle, place, text, strlen(text),
			   SQLITE_TRANSIENT, SQLITE_UTF8));
}

void at_statement_bind_bytes(
	struct at_statement *self, int place, const void *data, size_t size)
{
	note(self, sqlite3_bind_blob64(self->handle, place, data, size, SQLITE_STATIC));
}

void at_statement_bind_hash(struct at_statement *self, int place, struct at_hash hash)
{
	unsigned char bytes[HASH_BYTES];

	for (int i = 0; i < 8; i++) {
		bytes[i] = (unsigned char)(hash.high >> (56 - 8 * i));
		bytes[8 + i] = (unsigned char)(hash.low >> (56 - 8 * i));
	}
	note(self, sqlite3_bind_blob64(self->handle, place, bytes, sizeof(bytes),
			   SQLITE_TRANSIENT));
}

void at_statement_bind_null(struct at_statement *self, int place)
{
	note(self, sqlite3_bind_null(self->handle, place));
}

void at_statement_bind_column(struct at_statement *self, int place,
	const struct at_statement *from, int column)
{
	note(self, sqlite3_bind_value(self->handle, place,
			   sqlite3_column_value(from->handle, column)));
}

enum at_status at_statement_step(
	struct at_statement *self, bool *row, struct at_error *err)
{
	int code = self->bind_code;

	*row = false;
	if (!self->handle) {
		if (err && !err->status)
			*err = self->database->failure;
		return self->database->failure.status;
	}
	if (code != SQLITE_OK)
		return sqlite_fail(self->database, code, err);
	sqlite_begin_call(self->database);
	code = sqlite3_step(self->handle);
	*row = code == SQLITE_ROW;
	if (code == SQLITE_ROW || code == SQLITE_DONE)
		return AT_OK;
	return sqlite_fail(self->database, code, err);
}

enum at_status at_statement_run(struct at_statement *self, struct at_error *err)
{
	enum at_status status;
	bool row;

	do
		status = at_statement_step(self, &row, err);
	while (!status && row);
	at_statement_reset(self);
	return status;
}

void at_statement_reset(struct at_statement *self)
{
	if (!self->handle)
		return;
	sqlite3_reset(self->handle);
	sqlite3_clear_bindings(self->handle);
	self->bind_code = SQLITE_OK;
	sqlite_copy_rows(self->database);
}

const char *at_statement_name(const struct at_statement *self, int column)
{
	const char *name = sqlite3_column_name(self->handle, column);

	return name ? name : "";
}

enum at_sqlite_type at_statement_type(const struct at_statement *self, int column)
{
	switch (sqlite3_column_type(self->handle, column)) {
	case SQLITE_INTEGER:
		return AT_SQLITE_INTEGER;
	case SQLITE_FLOAT:
		return AT_SQLITE_REAL;
	case SQLITE_TEXT:
		return AT_SQLITE_TEXT;
	case SQLITE_BLOB:
		return AT_SQLITE_BYTES;
	default:
		return AT_SQLITE_NONE;
	}
}

bool at_statement_is_null(const struct at_statement *self, int column)
{
	return sqlite3_column_type(self->handle, column) == SQLITE_NULL;
}

int64_t at_statement_integer(const struct at_statement *self, int column)
{
	return sqlite3_column_int64(self->handle, column);
}

double at_statement_real(const struct at_statement *self, int column)
{
	return sqlite3_column_double(self->handle, column);
}

/* SQLite returns nothing for want of memory as it does for NULL. The value must not be
   taken for a wrong one. */
static void check_memory(const struct at_statement *self)
{
	if (sqlite3_errcode(sqlite3_db_handle(self->handle)) == SQLITE_NOMEM)
		at_memory_out();
}

const char *at_statement_text(const struct at_statement *self, int column)
{
	const unsigned char *text = sqlite3_column_text(self->handle, column);

	if (!text)
		check_memory(self);
	return text ? (const char *)text : "";
}

const void *at_statement_bytes(
	const struct at_statement *self, int column, size_t *size)
{
	const void *data = sqlite3_column_blob(self->handle, column);

	*size = (size_t)sqlite3_column_bytes(self->handle, column);
	if (!data)
		check_memory(self);
	return data;
}

enum at_status at_statement_find(
	struct at_statement *self, int64_t *value, bool *found, struct at_error *err)
{
	enum at_status status = at_statement_step(self, found, err);

	*value = *found ? at_statement_integer(self, 0) : 0;
	at_statement_reset(self);
	return status;
}

enum at_status at_statement_raise(
	struct at_statement *self, int64_t *value, struct at_error *err)
{
	bool row = false;
	enum at_status status = at_statement_step(self, &row, err);

	if (!status && row && *value < at_statement_integer(self, 0))
		*value = at_statement_integer(self, 0);
	at_statement_reset(self);
	return status;
}

struct at_hash at_statement_hash(const struct at_statement *self, int column)
{
	struct at_hash hash = { 0 };
	size_t size;
	const unsigned char *bytes = at_statement_bytes(self, column, &size);

	if (!bytes || size != HASH_BYTES)
		return hash;
	for (int i = 0; i < 8; i++) {
		hash.high = hash.high << 8 | bytes[i];
		hash.low = hash.low << 8 | bytes[8 + i];
	}
	return hash;
}
