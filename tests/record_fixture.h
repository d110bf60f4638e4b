/* What the tests of the record share: questions to a database, and rows compared by the
   columns of their table. */
#ifndef AT_TESTS_RECORD_FIXTURE_H
#define AT_TESTS_RECORD_FIXTURE_H

#include "record/store.h"
#include "record/tables.h"

#include <math.h>
#include <string.h>

#include "suite.h"

static inline struct at_record_device record_device(const char *kind, const char *model,
	const char *slug, const char *architecture, const char *driver,
	const char *uuid)
{
	return (struct at_record_device){ .kind = (char *)kind,
		.model = (char *)model,
		.slug = (char *)slug,
		.architecture = (char *)architecture,
		.driver = (char *)driver,
		.uuid = (char *)uuid };
}

/* The first number that the query of a database gives. */
static inline int64_t record_ask(const char *path, const char *sql)
{
	struct at_sqlite *database;
	int64_t value;

	assert_ok(at_sqlite_open(path, &database, &failure));
	assert_ok(at_sqlite_integer(database, sql, &value, &failure));
	at_sqlite_close(database);
	return value;
}

static inline void record_tell(const char *path, const char *sql)
{
	struct at_sqlite *database;

	assert_ok(at_sqlite_open(path, &database, &failure));
	assert_ok(at_sqlite_execute(database, sql, &failure));
	at_sqlite_close(database);
}

static inline struct at_store *record_open(const char *folder)
{
	struct at_store *store;

	assert_ok(at_store_open(folder, &store, &failure));
	return store;
}

/* Whether two structs of a table agree in all its columns. */
static inline void assert_same_row(
	const struct at_table *table, const void *left, const void *right)
{
	for (size_t i = 0; i < table->own; i++) {
		const size_t offset = table->columns[i].offset;
		const void *a = (const char *)left + offset;
		const void *b = (const char *)right + offset;
		const char *first, *second;
		bool is_same = false;

		switch (at_cell_form(table->columns[i].kind)) {
		case AT_FORM_NONE:
			break;
		case AT_FORM_TEXT:
			first = *(char *const *)a;
			second = *(char *const *)b;
			is_same = !strcmp(first ? first : "", second ? second : "");
			break;
		case AT_FORM_LINE:
			is_same = !strcmp(a, b);
			break;
		case AT_FORM_INTEGER:
		case AT_FORM_KNOWN:
		case AT_FORM_LINK:
			is_same = *(const int64_t *)a == *(const int64_t *)b;
			break;
		case AT_FORM_REAL:
			is_same = *(const double *)a == *(const double *)b ||
				  (isnan(*(const double *)a) &&
					  isnan(*(const double *)b));
			break;
		case AT_FORM_FLAG:
			is_same = *(const bool *)a == *(const bool *)b;
			break;
		case AT_FORM_HASH:
		case AT_FORM_KNOWN_HASH:
			is_same = !memcmp(a, b, sizeof(struct at_hash));
			break;
		case AT_FORM_OUTCOME:
		case AT_FORM_VERDICT:
			is_same = *(const int *)a == *(const int *)b;
			break;
		case AT_FORM_OBJECTIVE:
			is_same = *(const void *const *)a == *(const void *const *)b;
			break;
		}
		if (!is_same)
			fail_msg("%s: %s", table->name, table->columns[i].name);
	}
}

#endif
