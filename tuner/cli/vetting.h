/* One vetted configuration as a row of a table, or as JSON. Threads: safe. */
#ifndef AT_CLI_VETTING_H
#define AT_CLI_VETTING_H

#include "base/json.h"
#include "cli/sources.h"
#include "session/vet.h"

bool at_vetting_spills(const struct at_vetting *self);

struct at_vetting_view {
	size_t problem_columns; /* the longest name of a problem; 0: no column for it */
	int columns; /* of the terminal; INT_MAX: no such limit */
	bool wide; /* all columns, and configurations with all their parameters */
};
void at_vetting_add_head(struct at_strbuf *out, const struct at_vetting_view *view);
/* The row, and under it why where the outcome is not OK. */
void at_vetting_add_row(struct at_strbuf *out, const struct at_spec *spec,
	const struct at_vetting *vetting, const struct at_vetting_view *view);

/* An object with "event": "vetting", the caller's; null for what is not known. */
struct at_json *at_vetting_to_json(const struct at_spec *spec,
	const struct at_property_source *source, const struct at_vetting *vetting);

#endif
