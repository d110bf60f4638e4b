/* Names of columns in CSV, for its writer (record/export_csv.c) and its reader
   (record/recording_csv.c): our own, and those that other tools and people write. */
#ifndef AT_RECORD_CSV_NAMES_H
#define AT_RECORD_CSV_NAMES_H

#include "kernel/facts.h"

#include <stdbool.h>

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

/* "time_ms" for "time (ms)", "Time [ms]" and "Time_ms", and so for the other units that
   are known; the name itself for any other. */
const char *at_csv_plain_name(const char *name);
/* Whether a column of this name is not read as a parameter, so that a parameter of this
   name gets AT_CSV_PARAMETER in front of it: a column that is known, the number of a
   row, or a name that says what was measured or how it went, and is hardly ever a
   parameter's: "GFLOP/s", "std", "compile_time_ms", "status". Reader and writer both
   ask here, so that what is written reads back the same. */
bool at_csv_needs_prefix(const char *name);
/* Whether a column has the numbers of the rows: "", or the name that pandas gives it.
 */
bool at_csv_is_row_number(const char *name);
/* "time_ms" for "Execution Time (ms)" and "runtime_ms"; NULL: the name ends with no
   unit of time. */
const char *at_csv_time_unit(const char *name);
/* Whether a cell says true or false, in some tool's spelling; 0 and 1 do. */
bool at_csv_is_truth(const char *cell);
/* Whether such a cell says true. */
bool at_csv_is_true(const char *cell);

#endif
