/* What the files of exporting share, and the reader of what they write. */
#ifndef AT_RECORD_EXPORT_CSV_H
#define AT_RECORD_EXPORT_CSV_H

#include "kernel/facts.h"
#include "record/export.h"

/*
 * The columns of a CSV file besides the parameters, in their order: X(name). A
 * parameter of one of these names has AT_CSV_PARAMETER in front.
 */
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

/* Whether it is the name of one of those columns. */
bool at_csv_is_column(const char *name);
/* Whether an unquoted cell reads as a number or a truth value. */
bool at_csv_is_value(const char *text);

enum at_status at_export_csv(struct at_store *store,
	const struct at_export_group *group, struct at_strbuf *out,
	struct at_error *err);

#endif
