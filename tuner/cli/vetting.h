/* One configuration of `check --compile` as a row of a table, or as JSON. Threads:
   safe. */
#ifndef AT_CLI_VETTING_H
#define AT_CLI_VETTING_H

#include "base/json.h"
#include "cli/page.h"
#include "cli/sources.h"
#include "session/vet.h"

/* Whether the kernel spills registers to local memory. */
bool at_vetting_spills(const struct at_vetting *self);

/* A table; problem_columns is set by the caller. */
struct at_vetting_table {
	/* Width of the longest problem's name; 0: no column for it. */
	size_t problem_columns;
	struct at_column columns[11];
};
/* Appends the table's heading. table is borrowed by the page. */
void at_vetting_add_head(struct at_page *page, struct at_vetting_table *table);
/* Appends the row and, where the outcome is not OK, the reason below it. */
void at_vetting_add_row(struct at_page *page, const struct at_spec *spec,
	const struct at_vetting *vetting);

/* An object with "event": "vetting", the caller's; null for what is not known. */
struct at_json *at_vetting_to_json(const struct at_spec *spec,
	const struct at_property_source *source, const struct at_vetting *vetting);

#endif
