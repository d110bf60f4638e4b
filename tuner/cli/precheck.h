/* The output of `check --compile`: resources of a space's kernels. Threads: safe. */
#ifndef AT_CLI_PRECHECK_H
#define AT_CLI_PRECHECK_H

#include "cli/page.h"
#include "session/precheck.h"
#include "space/spec.h"

/* A table; problem_columns is set by the caller. */
struct at_prechecks_table {
	/* Width of the longest problem's name; 0: omits the column. */
	size_t problem_columns;
	struct at_page_column columns[11];
};
/* Appends the table's heading. The page borrows table. */
void at_prechecks_add_head(struct at_page *page, struct at_prechecks_table *table);
/* Appends the row and, unless the outcome is OK, the reason below it. */
void at_prechecks_add_row(struct at_page *page, const struct at_spec *spec,
	const struct at_precheck_results *prechecks);

#endif
