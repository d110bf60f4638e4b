/* What the files of merging share. */
#ifndef AT_RECORD_MERGE_INTERNAL_H
#define AT_RECORD_MERGE_INTERNAL_H

#include "base/scratch.h"
#include "record/cell.h"
#include "record/merge.h"
#include "record/store_internal.h"

#include <sys/stat.h>

/* What a check remembers from row to row, since the same long JSON texts come again and
   again. */
struct at_merge_check {
	const char *path; /* of the other record, for errors */
	int64_t latest_seconds; /* a row with a later time is refused */
	/* Rows with a later time get another one (merge_walk.c) instead: the other
	   record's last run has none, so its clock was right again. */
	bool redates;
	/* by column: the JSON text of the row before, which was found to be right */
	struct at_strbuf last[48];
};
/* Frees the texts. */
void at_merge_check_release(struct at_merge_check *self);
/* Forgets the texts; to be called before each table. */
void at_merge_check_begin(struct at_merge_check *self);
/* AT_EINVAL, with the reason, where the current row (id, then the table's columns)
   makes no sense. */
enum at_status at_merge_check_row(struct at_merge_check *self,
	const struct at_table *table, const struct at_statement *row,
	struct at_error *err);

/* ---- the other record (record/merge_source.c) -------------------------------- */

/* The other record while it is read. */
struct at_merge_source {
	struct at_sqlite *database;
	char *path; /* as the caller gave it */
	/* holds the copy that is read; path "": the record is read where it lies */
	struct at_scratch folder;
	struct stat seen; /* the file when it was opened */
};

/* Opens the record as it is now (or a copy of it), and checks its version and tables.
   Refuses the file of `store` itself. Close it also after a failure. */
enum at_status at_merge_source_open(struct at_merge_source *self,
	const struct at_store *store, const char *path, struct at_error *err);
/* AT_EINVAL where the file was written to since it was opened, so that what was read
   may be of two states. */
enum at_status at_merge_source_check(
	const struct at_merge_source *self, struct at_error *err);
/* Closes the database, and removes the copy if there is one. */
void at_merge_source_close(struct at_merge_source *self);

/* ---- rows on their way (record/merge.c) --------------------------------------- */

/* The id of a row in the other record, and its id in this one. */
struct at_merge_link {
	int64_t from;
	int64_t to; /* 0: not known yet */
};

/* sorted by `from` */
struct at_merge_links {
	struct at_merge_link *items;
	size_t count;
	size_t capacity;
};

/* A merge: the store that takes the rows, and how ids translate. */
struct at_merger {
	struct at_store *store;
	struct at_sqlite *from; /* the other record */
	struct at_sqlite *to; /* the store's own database */
	const char *origin; /* as at_store_merge() has it */
	struct at_merge_check check;
	struct at_merge_links devices;
	struct at_merge_links runs;
	struct at_merge_links evaluations; /* only those that crowns refer to */
	struct at_merge_links portfolios;
	struct at_merged *merged; /* the counts, the caller's */
};

/* The id in this record; 0: not known. */
int64_t at_merge_link_find(const struct at_merge_links *self, int64_t from);
/* Appends a link; calls must come in ascending order of `from`. */
void at_merge_link_add(struct at_merge_links *self, int64_t from, int64_t to);

/* A walk through one table of the other record. Zeroed it is empty. */
struct at_merge_walk {
	const struct at_table *table;
	struct at_statement *select; /* rows of the other record */
	struct at_statement *same; /* finds the same row in this record */
	struct at_statement *insert; /* adds the row to this record */
	struct at_strbuf texts[3]; /* the SQL of the three */
};

/* Prepares the statements of a table; order: of the rows, SQL behind ORDER BY. End it
   also after a failure. */
enum at_status at_merge_walk_begin(struct at_merge_walk *self, struct at_merger *merger,
	const struct at_table *table, const char *order, struct at_error *err);
/* Frees the statements and zeroes it. */
void at_merge_walk_end(struct at_merge_walk *self);
/* Steps to the next row and checks it; *row false: there are no more. */
enum at_status at_merge_walk_next(struct at_merge_walk *self, struct at_merger *merger,
	bool *row, struct at_error *err);
/* Finds the row in this record or adds it, with its references translated; *id is its
   id here. */
enum at_status at_merge_walk_put(struct at_merge_walk *self, struct at_merger *merger,
	struct at_merge_count *count, int64_t *id, bool *is_new, struct at_error *err);

/* Merges crowns, and decides which of them stand (record/merge_crowns.c). */
enum at_status at_merge_put_crowns(struct at_merger *self, struct at_error *err);

#endif
