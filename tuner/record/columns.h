/*
 * A table's columns as the members of a struct, so that one list writes the SQL,
 * binds a row and reads it back:
 *
 *   #define COLUMNS(X) X(struct point, x_bytes, COUNT) X(struct point, name, NAME)
 *   static const struct at_column columns[] = { COLUMNS(AT_COLUMN) };
 *   "INSERT INTO points (id" COLUMNS(AT_COLUMN_NAME) ") VALUES (NULL"
 *           COLUMNS(AT_COLUMN_MARK) ")"
 *
 * Threads: as the database.
 */
#ifndef AT_RECORD_COLUMNS_H
#define AT_RECORD_COLUMNS_H

#include "record/cell.h"

#include <stddef.h>

struct at_column {
	enum at_cell kind;
	size_t offset;
};

#define AT_COLUMN(type, name, kind) { AT_CELL_##kind, offsetof(type, name) },
#define AT_COLUMN_NAME(type, name, kind) ", " #name
#define AT_COLUMN_MARK(type, name, kind) ", ?"
/* for lists of the members of a struct within it: X(name, kind) */
#define AT_MEMBER_NAME(name, kind) ", " #name
#define AT_MEMBER_MARK(name, kind) ", ?"

/*
 * Binds row's members to places first, first + 1, ...; returns the next place. Words of
 * one line (AT_CELL_WORD) are written as at_escape_line() leaves them.
 */
int at_columns_bind(const struct at_column *columns, size_t count,
	struct at_statement *statement, int first, const void *row);

/*
 * Fills row from columns first, first + 1, ...; its texts are the caller's. AT_EINVAL:
 * a value is not of its kind, and err says which and why.
 */
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
