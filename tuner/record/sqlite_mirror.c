/*
 * Copies each row that a connection commits into a second database: see
 * at_sqlite_mirror(). SQLite's update hook says which row a statement changes, but must
 * run no statement itself. So the hook notes the row, and the row is copied, as it is
 * then, after the statement has ended.
 */
#include "record/sqlite_parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_NAME_MAX 32
/* Rows that one transaction copies: to begin and end one costs as much as two rows. */
#define ROWS_PER_COMMIT 256

struct row {
	char table[TABLE_NAME_MAX];
	int64_t id;
};

struct sqlite_mirror {
	sqlite3 *to;
	size_t count, capacity;
	struct row *rows; /* changed since the last commit of the copy; */
	size_t copied; /* so many of them are copied */
	/* Statements for one table: most rows are evaluations. */
	char table[TABLE_NAME_MAX];
	sqlite3_stmt *select, *insert, *erase;
};

static void note_row(struct sqlite_mirror *self, const char *table, int64_t id)
{
	struct row *row;

	/* without memory the row is missing in the copy alone */
	if (strlen(table) >= TABLE_NAME_MAX ||
		AT_RESERVE(self->rows, self->capacity, self->count + 1, NULL))
		return;
	row = &self->rows[self->count++];
	strcpy(row->table, table);
	row->id = id;
}

static void changed(void *context, int what, const char *database, const char *table,
	sqlite3_int64 id)
{
	(void)what;
	if (!strcmp(database, "main"))
		note_row(context, table, id);
}

static void finalize(struct sqlite_mirror *self)
{
	sqlite3_finalize(self->select);
	sqlite3_finalize(self->insert);
	sqlite3_finalize(self->erase);
	self->select = self->insert = self->erase = NULL;
	self->table[0] = '\0';
}

static sqlite3_stmt *prepare(sqlite3 *handle, struct at_strbuf *sql)
{
	sqlite3_stmt *statement = NULL;

	sqlite3_prepare_v2(handle, sql->data, -1, &statement, NULL);
	at_strbuf_release(sql);
	return statement;
}

static bool prepare_for(struct at_sqlite *from, const char *table)
{
	struct sqlite_mirror *self = from->mirror;
	struct at_strbuf sql = { 0 };
	int count;

	finalize(self);
	at_strbuf_addf(&sql, "SELECT * FROM main.%s WHERE rowid = ?1", table);
	self->select = prepare(from->handle, &sql);
	count = sqlite3_column_count(self->select);
	at_strbuf_addf(&sql, "DELETE FROM %s WHERE rowid = ?1", table);
	self->erase = prepare(self->to, &sql);
	at_strbuf_addf(&sql, "INSERT OR REPLACE INTO %s (", table);
	for (int i = 0; i < count; i++)
		at_strbuf_addf(&sql, "%s%s", i ? ", " : "",
			sqlite3_column_name(self->select, i));
	for (int i = 0; i < count; i++)
		at_strbuf_add(&sql, i ? ", ?" : ") VALUES (?");
	at_strbuf_add(&sql, ")");
	self->insert = prepare(self->to, &sql);
	if (!self->select || !self->insert || !self->erase)
		return false;
	strcpy(self->table, table);
	return true;
}

static void commit(struct sqlite_mirror *self)
{
	if (sqlite3_exec(self->to, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
		return;
	self->count -= self->copied;
	memmove(self->rows, self->rows + self->copied,
		self->count * sizeof(struct row));
	self->copied = 0;
}

/* Gives the copy the row as it is now; a row that is gone goes there, too. */
static bool copy_row(struct at_sqlite *from, const struct row *row)
{
	struct sqlite_mirror *self = from->mirror;
	int code;

	if (strcmp(self->table, row->table) != 0 && !prepare_for(from, row->table))
		return false;
	sqlite3_bind_int64(self->select, 1, row->id);
	sqlite_begin_call(from);
	code = sqlite3_step(self->select);
	if (code == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(self->select); i++)
			sqlite3_bind_value(self->insert, i + 1,
				sqlite3_column_value(self->select, i));
		code = sqlite3_step(self->insert);
		sqlite3_reset(self->insert);
		sqlite3_clear_bindings(self->insert);
	} else if (code == SQLITE_DONE) {
		sqlite3_bind_int64(self->erase, 1, row->id);
		code = sqlite3_step(self->erase);
		sqlite3_reset(self->erase);
	}
	sqlite3_reset(self->select);
	return code == SQLITE_DONE;
}

void sqlite_copy_rows(struct at_sqlite *self)
{
	struct sqlite_mirror *mirror = self->mirror;

	if (!mirror || mirror->copied == mirror->count ||
		!sqlite3_get_autocommit(self->handle))
		return;
	/* also where SQLite rolled back for want of room or of memory */
	if (sqlite3_get_autocommit(mirror->to)) {
		mirror->copied = 0;
		sqlite3_exec(mirror->to, "BEGIN", NULL, NULL, NULL);
	}
	/* what fails is tried again after the next statement */
	while (mirror->copied < mirror->count &&
		copy_row(self, &mirror->rows[mirror->copied]))
		mirror->copied++;
	if (mirror->copied >= ROWS_PER_COMMIT)
		commit(mirror);
}

void at_sqlite_mirror(struct at_sqlite *self, struct at_sqlite *to)
{
	self->mirror = at_calloc(1, sizeof(*self->mirror));
	self->mirror->to = to->handle;
	sqlite3_update_hook(self->handle, changed, self->mirror);
}

void at_sqlite_mirror_row(struct at_sqlite *self, const char *table, int64_t id)
{
	if (self->mirror)
		note_row(self->mirror, table, id);
}

void at_sqlite_end_mirror(struct at_sqlite *self)
{
	if (!self->mirror)
		return;
	commit(self->mirror);
	sqlite3_update_hook(self->handle, NULL, NULL);
	finalize(self->mirror);
	free(self->mirror->rows);
	free(self->mirror);
	self->mirror = NULL;
}
