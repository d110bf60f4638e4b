/*
 * A table's columns as the members of a struct, so that one list writes the SQL,
 * binds a row and reads it back:
 *
 *   #define COLUMNS(X) X(struct point, x_bytes, INTEGER) X(struct point, name, TEXT)
 *   static const struct at_column columns[] = { COLUMNS(AT_COLUMN) };
 *   "INSERT INTO points (id" COLUMNS(AT_COLUMN_NAME) ") VALUES (NULL"
 *           COLUMNS(AT_COLUMN_MARK) ")"
 *
 * Threads: as the database.
 */
#ifndef AT_RECORD_COLUMNS_H
#define AT_RECORD_COLUMNS_H

#include "record/sqlite.h"

#include <stddef.h>

enum at_column_kind {
	AT_COLUMN_NONE = 0,
	AT_COLUMN_TEXT, /* char *; NULL is kept as "" */
	AT_COLUMN_INTEGER, /* int64_t */
	AT_COLUMN_KNOWN, /* int64_t of 0 and more; below (not known) is NULL */
	AT_COLUMN_LINK, /* int64_t, another table's id; 0 (none) is NULL */
	AT_COLUMN_REAL, /* double; NAN is NULL */
	AT_COLUMN_FLAG, /* bool */
	AT_COLUMN_LINE, /* char[AT_FACT_LINE_SIZE], longer text is cut */
	AT_COLUMN_HASH, /* struct at_hash, 16 bytes as at_hash_hex() orders them */
	AT_COLUMN_KNOWN_HASH, /* the same; all zero (not known) is NULL */
	AT_COLUMN_OUTCOME, /* enum at_outcome, by name */
	AT_COLUMN_VERDICT, /* enum at_verdict, by name */
	AT_COLUMN_OBJECTIVE, /* const struct at_objective *, by name */
};

struct at_column {
	enum at_column_kind kind;
	size_t offset;
};

#define AT_COLUMN(type, name, kind) { AT_COLUMN_##kind, offsetof(type, name) },
#define AT_COLUMN_NAME(type, name, kind) ", " #name
#define AT_COLUMN_MARK(type, name, kind) ", ?"
/* for lists of the members of a struct within it: X(name, kind) */
#define AT_MEMBER_NAME(name, kind) ", " #name
#define AT_MEMBER_MARK(name, kind) ", ?"

/* Binds row's members to places first, first + 1, ...; returns the next place. */
int at_columns_bind(const struct at_column *columns, size_t count,
	struct at_statement *statement, int first, const void *row);

/* Fills row from columns first, first + 1, ...; its texts are the caller's. */
enum at_status at_columns_read(const struct at_column *columns, size_t count,
	const struct at_statement *statement, int first, void *row,
	struct at_error *err);

/*
 * Gives `row`, a copy of another by assignment, texts of its own. After a failure
 * (memory ran out) it has none.
 */
enum at_status at_columns_copy_texts(
	const struct at_column *columns, size_t count, void *row, struct at_error *err);

/* Frees the texts and sets them to NULL. */
void at_columns_release(const struct at_column *columns, size_t count, void *row);

#endif
