/* Writes evaluations as CSV, and says which cells its reader (record/recording_csv.c)
   takes for values. */
#ifndef AT_RECORD_EXPORT_CSV_H
#define AT_RECORD_EXPORT_CSV_H

#include "record/export.h"

/* Whether an unquoted cell reads as a number or a truth value. */
bool at_csv_is_value(const char *text);

/* Appends one group as CSV; at_export_write() calls it. AT_ENOENT: nothing is
   recorded. */
enum at_status at_export_csv(struct at_store *store,
	const struct at_export_group *group, struct at_strbuf *out,
	struct at_error *err);

#endif
