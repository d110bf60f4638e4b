/*
 * What a column of a record may hold: a list of kinds, and one function that says
 * whether a value is of its kind. A record may come from a stranger, so every value
 * that is read from one passes this check: those of the record in use
 * (record/columns.h) and those of a record that is merged into it
 * (record/merge_walk.c).
 *
 * Threads: as the database.
 */
#ifndef AT_RECORD_CELL_H
#define AT_RECORD_CELL_H

#include "record/sqlite.h"

/* 9999-12-31T23:59:59Z. Statements that take the greatest of several times leave out
   later ones: such a time makes no sense, and no row may be compared with it. */
#define AT_SECONDS_MAX INT64_C(253402300799)
#define AT_SECONDS_MAX_TEXT "253402300799"

/* The most bytes of a NAME or WORD: it is shown on one line, where nobody reads more.
 */
#define AT_NAME_BYTES_MAX 1000

/* The kinds. A comment above several says their type in memory. */
enum at_cell {
	AT_CELL_NONE = 0,
	/* int64_t: the ids of other rows, from 1 */
	AT_CELL_DEVICE,
	AT_CELL_RUN, /* may be NULL, which is 0 in memory */
	AT_CELL_EVALUATION,
	AT_CELL_BASELINE, /* an evaluation; NULL (0 in memory): none */
	AT_CELL_PORTFOLIO, /* may be NULL, which is 0 in memory */
	/* char *: texts, each the struct's own; NULL in memory is written as "" */
	AT_CELL_ORIGIN, /* as WORD: where a run was measured; "" is this record */
	AT_CELL_NAME, /* not empty, short, and printable (base/escape.h) */
	AT_CELL_WORD, /* as NAME, but may be empty */
	AT_CELL_SLUG, /* a name of a folder, as at_text_slug() makes them */
	/* a WORD in char[AT_FACT_LINE_SIZE]; longer text is cut when it is read */
	AT_CELL_LINE,
	AT_CELL_TEXT, /* any text without a NUL */
	/* JSON object of numbers, booleans, null and short texts; its keys are
	   printable */
	AT_CELL_VALUES,
	/* these JSON texts may be empty: not known */
	AT_CELL_JSON, /* an object or an array; its readers accept any contents */
	AT_CELL_LAUNCH, /* {"block": [32, 2], "grid": [7], "shared_bytes": 0} */
	AT_CELL_OPTIONS, /* array of printable texts */
	/* kept in the record by name */
	AT_CELL_OUTCOME, /* enum at_outcome */
	AT_CELL_VERDICT, /* enum at_verdict */
	AT_CELL_OBJECTIVE, /* const struct at_objective * */
	/* int64_t: whole numbers */
	AT_CELL_SECONDS, /* since 1970, up to AT_SECONDS_MAX */
	AT_CELL_SECONDS_OR_NULL,
	AT_CELL_COUNT, /* 0 to AT_CELL_COUNT_MAX */
	AT_CELL_KNOWN, /* as COUNT, or NULL, which is below 0 in memory */
	AT_CELL_INTEGER, /* any */
	AT_CELL_FLAG, /* bool; 0 or 1 */
	/* double: NULL is NAN in memory */
	AT_CELL_REAL, /* finite and not negative, or NULL */
	AT_CELL_SIGNED, /* finite, or NULL */
	AT_CELL_ERROR, /* not negative, may be infinite, or NULL */
	AT_CELL_FRACTION, /* 0 to 1, or NULL */
	/* bytes */
	AT_CELL_HASH, /* struct at_hash: 16 bytes */
	AT_CELL_HASH_OR_NULL, /* as HASH; all zero in memory (not known) is NULL */
	AT_CELL_SAMPLES, /* times in ns, as little-endian doubles; may be NULL */
};

/* The largest count: small enough that sums and products of a few cannot overflow. */
#define AT_CELL_COUNT_MAX (INT64_MAX / 1024)

/*
 * Checks one column of the current row against a kind. Returns NULL where it fits, else
 * what is wrong with it, worded to follow the column's name: "is no text". The text is
 * static.
 */
const char *at_cell_check(
	const struct at_statement *row, int column, enum at_cell kind);

/* The same for a tree of one of the JSON kinds. */
struct at_json;
const char *at_cell_check_json(const struct at_json *json, enum at_cell kind);

#endif
