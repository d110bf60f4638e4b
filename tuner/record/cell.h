/*
 * The kinds of values in the record's columns, and a function that checks a value
 * against its kind. A record may come from a stranger, so every value is checked when
 * it is read. That holds for the record in use (record/tables.h) and for records to be
 * merged (record/merge.c).
 *
 * Threads: as the database.
 */
#ifndef AT_RECORD_CELL_H
#define AT_RECORD_CELL_H

#include "record/sqlite.h"

/* 9999-12-31T23:59:59Z. Statements that take the latest of several times ignore later
   ones: such times are invalid, and no row may be compared with them. */
#define AT_SECONDS_MAX INT64_C(253402300799)
#define AT_SECONDS_MAX_TEXT "253402300799"

/* Most bytes of a NAME or WORD: it must fit into a line. */
#define AT_NAME_BYTES_MAX 1000

/* A value's form in memory. */
enum at_form {
	AT_FORM_NONE = 0, /* in no struct: only merged */
	AT_FORM_TEXT, /* char *, owned by the struct; NULL is written as "" */
	AT_FORM_LINE, /* char[AT_FACT_LINE_SIZE]; longer text is cut */
	AT_FORM_INTEGER, /* int64_t */
	AT_FORM_KNOWN, /* int64_t; NULL is -1 */
	AT_FORM_LINK, /* int64_t; NULL is 0 */
	AT_FORM_REAL, /* double; NULL is NAN */
	AT_FORM_FLAG, /* bool */
	AT_FORM_HASH, /* struct at_hash */
	AT_FORM_KNOWN_HASH, /* struct at_hash; NULL is all zero */
	AT_FORM_OUTCOME, /* enum at_outcome, recorded by name, like the next two */
	AT_FORM_VERDICT, /* enum at_verdict */
	AT_FORM_OBJECTIVE, /* const struct at_objective * */
};

/* The kinds: X(name, form, declaration of the column). A column that is never NULL has
   a default, so that it can be added to a table with rows. */
#define AT_CELLS(X) \
	/* ids of other rows, from 1 */ \
	X(DEVICE, INTEGER, "INTEGER NOT NULL REFERENCES devices") \
	X(RUN, LINK, "INTEGER REFERENCES runs") \
	X(EVALUATION, INTEGER, "INTEGER NOT NULL REFERENCES evaluations") \
	X(BASELINE, LINK, "INTEGER REFERENCES evaluations") \
	X(PORTFOLIO, LINK, "INTEGER REFERENCES portfolios") \
	/* as WORD: where a run was measured; "": here */ \
	X(ORIGIN, TEXT, AT_CELL_IS_TEXT) \
	X(NAME, TEXT, AT_CELL_IS_TEXT) /* short and printable (base/escape.h) */ \
	X(WORD, TEXT, AT_CELL_IS_TEXT) /* as NAME, or empty */ \
	X(SLUG, TEXT, AT_CELL_IS_TEXT) /* a folder's name, from at_text_slug() */ \
	X(LINE, LINE, AT_CELL_IS_TEXT) /* a WORD */ \
	X(TEXT, TEXT, AT_CELL_IS_TEXT) /* any text without a NUL */ \
	/* JSON object of numbers, booleans, null and short texts; its keys are \
	   printable */ \
	X(VALUES, TEXT, AT_CELL_IS_TEXT) \
	/* these JSON texts may be empty: not known */ \
	X(JSON, TEXT, AT_CELL_IS_TEXT) /* readers accept any contents */ \
	X(LAUNCH, TEXT, AT_CELL_IS_TEXT) /* {"block": [32, 2], "grid": [7]} */ \
	X(OPTIONS, TEXT, AT_CELL_IS_TEXT) /* array of printable texts */ \
	X(OUTCOME, OUTCOME, AT_CELL_IS_TEXT) \
	X(VERDICT, VERDICT, AT_CELL_IS_TEXT) \
	X(OBJECTIVE, OBJECTIVE, "TEXT NOT NULL DEFAULT 'time'") \
	X(SECONDS, INTEGER, AT_CELL_IS_INTEGER) /* since 1970, to AT_SECONDS_MAX */ \
	X(SECONDS_OR_NULL, NONE, "INTEGER") \
	X(COUNT, INTEGER, AT_CELL_IS_INTEGER) /* 0 to AT_CELL_COUNT_MAX */ \
	X(KNOWN, KNOWN, "INTEGER") /* as COUNT, or NULL */ \
	X(INTEGER, INTEGER, AT_CELL_IS_INTEGER) /* any */ \
	X(FLAG, FLAG, AT_CELL_IS_INTEGER) /* 0 or 1 */ \
	X(REAL, REAL, "REAL") /* finite and not negative, or NULL */ \
	X(SIGNED, REAL, "REAL") /* finite, or NULL */ \
	X(ERROR, REAL, "REAL") /* not negative, may be infinite, or NULL */ \
	X(FRACTION, REAL, "REAL") /* 0 to 1, or NULL */ \
	X(HASH, HASH, "BLOB NOT NULL") /* 16 bytes */ \
	X(HASH_OR_NULL, KNOWN_HASH, "BLOB") \
	X(SAMPLES, NONE, "BLOB") /* times in ns, little-endian doubles, or NULL */
#define AT_CELL_IS_TEXT "TEXT NOT NULL DEFAULT ''"
#define AT_CELL_IS_INTEGER "INTEGER NOT NULL DEFAULT 0"

enum at_cell {
	AT_CELL_NONE = 0,
#define AT_CELL_ENUM(name, form, declaration) AT_CELL_##name,
	AT_CELLS(AT_CELL_ENUM)
#undef AT_CELL_ENUM
};

enum at_form at_cell_form(enum at_cell kind);
/* The declaration in SQL: "INTEGER NOT NULL DEFAULT 0". */
const char *at_cell_declaration(enum at_cell kind);

/* The largest count: small enough that sums and products of a few cannot overflow. */
#define AT_CELL_COUNT_MAX (INT64_MAX / 1024)

/* Checks a column of the current row against a kind. Returns NULL if it fits, else what
   is wrong, worded to follow the column's name: "is no text". Static text. */
const char *at_cell_check(
	const struct at_statement *row, int column, enum at_cell kind);

/* The same for a tree of one of the JSON kinds. */
struct at_json;
const char *at_cell_check_json(const struct at_json *json, enum at_cell kind);

/* One of the SAMPLES, eight bytes. */
double at_cell_sample(const unsigned char *bytes);

#endif
