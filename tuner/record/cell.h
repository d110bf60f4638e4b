/*
 * What a column of a record may hold: one list of kinds, and one function that says
 * whether a value is of its kind. A record may be anybody's: everything that is read of
 * it passes here, its own rows (record/columns.h) and those that are merged into it
 * (record/merge_columns.c).
 *
 * Threads: as the database.
 */
#ifndef AT_RECORD_CELL_H
#define AT_RECORD_CELL_H

#include "record/sqlite.h"

/* 9999-12-31T23:59:59Z. For statements that take the greatest of times, too: one that
   is beyond makes no sense, and no row may be held against it. */
#define AT_SECONDS_MAX INT64_C(253402300799)
#define AT_SECONDS_MAX_TEXT "253402300799"

enum at_cell {
	AT_CELL_NONE = 0,
	/* numbers of other rows, from 1: int64_t */
	AT_CELL_DEVICE,
	AT_CELL_RUN, /* or NULL, which is 0 here */
	AT_CELL_EVALUATION,
	AT_CELL_BASELINE, /* an evaluation, or NULL */
	AT_CELL_PORTFOLIO, /* or NULL */
	/* texts: char *, NULL is kept as "" */
	AT_CELL_ORIGIN, /* a WORD: where a run is from, which is another place here */
	AT_CELL_NAME, /* short, all of it shown (base/escape.h), not empty */
	AT_CELL_WORD, /* the same, or empty */
	AT_CELL_SLUG, /* a name that is one of a folder, as at_text_slug() makes them */
	AT_CELL_LINE, /* a WORD in char[AT_FACT_LINE_SIZE]; longer text is cut */
	AT_CELL_TEXT, /* any text without a NUL */
	AT_CELL_VALUES, /* JSON object of numbers, booleans, null and short texts; its
			   names are shown */
	/* the following may also be empty: not known */
	AT_CELL_JSON, /* an object or an array; who reads it expects anything in it */
	AT_CELL_LAUNCH, /* {"block": [32, 2], "grid": [7], "shared_bytes": 0} */
	AT_CELL_OPTIONS, /* array of texts, all of which are shown */
	/* words: by name in the record */
	AT_CELL_OUTCOME, /* enum at_outcome */
	AT_CELL_VERDICT, /* enum at_verdict */
	AT_CELL_OBJECTIVE, /* const struct at_objective * */
	/* whole numbers: int64_t */
	AT_CELL_SECONDS, /* since 1970, before the year 10,000 */
	AT_CELL_SECONDS_OR_NULL,
	AT_CELL_COUNT, /* 0 and more, AT_CELL_COUNT_MAX at most */
	AT_CELL_KNOWN, /* the same, or NULL: below 0 here */
	AT_CELL_INTEGER, /* any */
	AT_CELL_FLAG, /* bool; 0 or 1 */
	/* numbers: double; NULL is NAN here */
	AT_CELL_REAL, /* finite and not negative, or NULL */
	AT_CELL_SIGNED, /* finite, or NULL */
	AT_CELL_ERROR, /* not negative, may be infinite, or NULL */
	AT_CELL_FRACTION, /* 0 to 1, or NULL */
	/* bytes */
	AT_CELL_HASH, /* struct at_hash: 16 bytes */
	AT_CELL_HASH_OR_NULL, /* the same; all zero (not known) is NULL */
	AT_CELL_SAMPLES, /* doubles, each a time; or NULL */
};

/* sums and products of some of them are numbers too */
#define AT_CELL_COUNT_MAX (INT64_MAX / 1024)

/*
 * NULL: the column of the row at hand is of its kind; else what is wrong with it, to
 * follow its name: "is no text". Static storage.
 */
const char *at_cell_check(
	const struct at_statement *row, int column, enum at_cell kind);

#endif
