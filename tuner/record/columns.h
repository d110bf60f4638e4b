/*
 * The columns of a table as the members of a struct, so that one list serves for
 * writing the SQL, for binding a row and for reading it back:
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

/* A column: its kind, and the offset of its member in the struct, in bytes. */
struct at_column {
	enum at_cell kind;
	size_t offset;
};

#define AT_COLUMN(type, name, kind) { AT_CELL_##kind, offsetof(type, name) },
#define AT_COLUMN_NAME(type, name, kind) ", " #name
#define AT_COLUMN_MARK(type, name, kind) ", ?"
/* For lists of the members of a nested struct: X(name, kind). */
#define AT_MEMBER_NAME(name, kind) ", " #name
#define AT_MEMBER_MARK(name, kind) ", ?"

/*
 * Binds the members of `row` (a struct that the columns describe) to places first,
 * first + 1, ...; returns the next free place. A text of one line (AT_CELL_WORD,
 * AT_CELL_LINE) that is too long or not printable is written as at_escape_line() makes
 * it.
 */
int at_columns_bind(const struct at_column *columns, size_t count,
	struct at_statement *statement, int first, const void *row);

/*
 * Fills `row` from columns first, first + 1, ... of the current row. Its texts are heap
 * copies: at_columns_release(). AT_EINVAL: a value is not of its kind; err names the
 * column and what is wrong.
 */
enum at_status at_columns_read(const struct at_column *columns, size_t count,
	const struct at_statement *statement, int first, void *row,
	struct at_error *err);

/* Replaces the texts of `row`, a struct that was copied by assignment, by copies of its
   own. */
void at_columns_copy_texts(const struct at_column *columns, size_t count, void *row);

/* Frees the texts of `row` and sets them to NULL. */
void at_columns_release(const struct at_column *columns, size_t count, void *row);

#endif
