/* The columns of exported CSV, for its writer (record/export_csv.c) and its reader
   (record/recording_csv.c). */
#ifndef AT_RECORD_EXPORT_CSV_H
#define AT_RECORD_EXPORT_CSV_H

#include "kernel/facts.h"
#include "record/export.h"

/* The columns besides the parameters, in their order: X(name). A parameter that has one
   of these names, or one that at_csv_needs_prefix() names, gets AT_CSV_PARAMETER in
   front of it. */
#define AT_CSV_PLACE(X) \
	X(space) \
	X(problem) \
	X(sizes) \
	X(device) \
	X(device_kind) \
	X(architecture)
/* ... parameters ... */
#define AT_CSV_RESULT(X) \
	X(outcome) \
	X(time_ns) \
	X(low_ns) \
	X(high_ns) \
	X(raced)
/* ... AT_FACTS ... */
#define AT_CSV_MORE(X) \
	X(flops) \
	X(bytes) \
	X(is_double) \
	X(max_relative_error) \
	X(measure_ns) \
	X(clock_hz) \
	X(throttled) \
	X(launches_per_sample) \
	X(board) \
	X(measured) \
	X(older_source) \
	X(samples_ns) \
	X(detail)
#define AT_CSV_PARAMETER "parameter."
/* Columns of other tools that the reader knows, besides those above. */
#define AT_CSV_FOREIGN(X) \
	X(time_us) \
	X(time_ms) \
	X(time_s) \
	X(valid) \
	X(is_valid) \
	X(correct) \
	X(is_correct)

/* Whether name is one of those columns (facts included). */
bool at_csv_is_column(const char *name);
/* Whether an unquoted cell reads as a number or a truth value. */
bool at_csv_is_value(const char *text);

/* Appends one group as CSV; at_export_write() calls it. AT_ENOENT: nothing is
   recorded. */
enum at_status at_export_csv(struct at_store *store,
	const struct at_export_group *group, struct at_strbuf *out,
	struct at_error *err);

#endif
