/* What the files of merging share; nobody else includes it. */
#ifndef AT_RECORD_MERGE_INTERNAL_H
#define AT_RECORD_MERGE_INTERNAL_H

#include "base/scratch.h"
#include "record/cell.h"
#include "record/merge.h"
#include "record/store_internal.h"

#include <sys/stat.h>

/* ---- the tables, column by column (record/merge_columns.c) ------------------ */

struct at_merge_column {
	const char *name;
	enum at_cell kind;
	bool is_same; /* two rows that agree in these are one */
};

/* Besides its columns each has `id`. */
struct at_merge_table {
	const char *name;
	const struct at_merge_column *columns;
	size_t count;
};

extern const struct at_merge_table at_merge_devices;
extern const struct at_merge_table at_merge_runs;
extern const struct at_merge_table at_merge_evaluations;
extern const struct at_merge_table at_merge_crowns;
extern const struct at_merge_table at_merge_ceilings;
extern const struct at_merge_table at_merge_revisits;
extern const struct at_merge_table at_merge_portfolios;
extern const struct at_merge_table at_merge_sources;
/* All of them; NULL after the last. */
extern const struct at_merge_table *const at_merge_tables[];

/* The place of a column, from 0. It is there. */
size_t at_merge_column(const struct at_merge_table *table, const char *name);

/* What a check remembers from row to row: long texts come again and again. */
struct at_merge_check {
	const char *path;
	int64_t latest_seconds; /* later is in the future */
	struct at_strbuf last[48]; /* by column: what was JSON a row ago */
};
void at_merge_check_release(struct at_merge_check *self);
/* Forgets them, before another table. */
void at_merge_check_begin(struct at_merge_check *self);
/* Whether the row at hand (id, then the columns) makes sense. */
enum at_status at_merge_check_row(struct at_merge_check *self,
	const struct at_merge_table *table, const struct at_statement *row,
	struct at_error *err);

/* ---- the other record (record/merge_source.c) -------------------------------- */

struct at_merge_source {
	struct at_sqlite *database;
	char *path; /* as it was given */
	struct at_scratch folder; /* of the copy; empty: it is read where it lies */
	struct stat seen; /* when it was opened */
};

/*
 * Opens it, as it is now, and looks at its version and tables. Refuses the file
 * of `store` itself.
 */
enum at_status at_merge_source_open(struct at_merge_source *self,
	const struct at_store *store, const char *path, struct at_error *err);
/* AT_EINVAL where it was written to since it was opened. */
enum at_status at_merge_source_check(
	const struct at_merge_source *self, struct at_error *err);
void at_merge_source_close(struct at_merge_source *self);

/* ---- rows on their way (record/merge.c) --------------------------------------- */

/* What a row of the other record is here. */
struct at_merge_link {
	int64_t from;
	int64_t to; /* 0: not known yet */
};

/* in ascending order of `from` */
struct at_merge_links {
	struct at_merge_link *items;
	size_t count;
	size_t capacity;
};

struct at_merger {
	struct at_store *store;
	struct at_sqlite *from;
	struct at_sqlite *to;
	const char *origin;
	struct at_merge_check check;
	struct at_merge_links devices;
	struct at_merge_links runs;
	struct at_merge_links evaluations; /* those that crowns name */
	struct at_merge_links portfolios;
	struct at_merged *merged;
};

/* 0: it is not among them. */
int64_t at_merge_link_find(const struct at_merge_links *self, int64_t from);
/* In ascending order of `from`. */
enum at_status at_merge_link_add(
	struct at_merge_links *self, int64_t from, int64_t to, struct at_error *err);

/* A table that is being walked through. Zeroed it is empty. */
struct at_merge_walk {
	const struct at_merge_table *table;
	struct at_statement *select; /* of the other record, by id */
	struct at_statement *same; /* of this one */
	struct at_statement *insert;
	struct at_strbuf texts[3];
};

enum at_status at_merge_walk_begin(struct at_merge_walk *self, struct at_merger *merger,
	const struct at_merge_table *table, const char *order, struct at_error *err);
void at_merge_walk_end(struct at_merge_walk *self);
/* The next row, checked. */
enum at_status at_merge_walk_next(struct at_merge_walk *self, struct at_merger *merger,
	bool *row, struct at_error *err);
/* Finds the row at hand here, or adds it. */
enum at_status at_merge_walk_put(struct at_merge_walk *self, struct at_merger *merger,
	struct at_merge_count *count, int64_t *id, bool *is_new, struct at_error *err);

/* Crowns, and which of them stand (record/merge_crowns.c). */
enum at_status at_merge_put_crowns(struct at_merger *self, struct at_error *err);

#endif
