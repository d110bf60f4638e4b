/*
 * The columns of a table as the members of a struct, so that one list (record/tables.h)
 * serves for writing the SQL, for binding a row and for reading it back:
 *
 *   "INSERT INTO crowns (id" AT_WINNER_COLUMNS(AT_COLUMN_NAME) ") VALUES (NULL"
 *           AT_WINNER_COLUMNS(AT_COLUMN_MARK) ")"
 *
 * Threads: as the database.
 */
#ifndef AT_RECORD_COLUMNS_H
#define AT_RECORD_COLUMNS_H

#include "record/cell.h"

#include <stddef.h>

struct at_table;

struct at_column {
	const char *name;
	enum at_cell kind;
	bool is_same; /* one of the columns by which two rows are the same */
	size_t offset; /* of its member in the struct, in bytes */
};

#define AT_COLUMN_NAME(name, member, kind, same) ", " #name
#define AT_COLUMN_MARK(name, member, kind, same) ", ?"

/*
 * Binds the members of `row` (the table's struct) to places first, first + 1, ...;
 * returns the next free place. A text of one line (AT_CELL_WORD, AT_CELL_LINE) that is
 * too long or not printable is written as at_escape_line() makes it.
 */
int at_columns_bind(const struct at_table *table, struct at_statement *statement,
	int first, const void *row);

/*
 * Fills `row` from columns first, first + 1, ... of the current row. Its texts are heap
 * copies: at_columns_release(). AT_EINVAL: a value is not of its kind; err names the
 * column and what is wrong.
 */
enum at_status at_columns_read(const struct at_table *table,
	const struct at_statement *statement, int first, void *row,
	struct at_error *err);

/* Replaces the texts of `row`, a struct that was copied by assignment, by copies of its
   own. */
void at_columns_copy_texts(const struct at_table *table, void *row);

/* Frees the texts of `row` and sets them to NULL. */
void at_columns_release(const struct at_table *table, void *row);

#endif
