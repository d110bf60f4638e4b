/* One configuration of `check --compile` as a row of a table, or as JSON. Threads:
   safe. */
#ifndef AT_CLI_PRECHECKS_H
#define AT_CLI_PRECHECKS_H

#include "base/json.h"
#include "cli/page.h"
#include "cli/sources.h"
#include "session/precheck.h"

/* Whether the kernel spills registers to local memory. */
bool at_prechecks_spills(const struct at_prechecks *self);

/* A table; problem_columns is set by the caller. */
struct at_prechecks_table {
	/* Width of the longest problem's name; 0: no column for it. */
	size_t problem_columns;
	struct at_column columns[11];
};
/* Appends the table's heading. table is borrowed by the page. */
void at_prechecks_add_head(struct at_page *page, struct at_prechecks_table *table);
/* Appends the row and, where the outcome is not OK, the reason below it. */
void at_prechecks_add_row(struct at_page *page, const struct at_spec *spec,
	const struct at_prechecks *prechecks);

/* An object with "event": "precheck", the caller's; null for what is not known. */
struct at_json *at_prechecks_to_json(const struct at_spec *spec,
	const struct at_property_source *source, const struct at_prechecks *prechecks);

#endif
