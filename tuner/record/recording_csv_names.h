/* Names of columns and words of cells in CSV that other tools and people write. */
#ifndef AT_RECORD_RECORDING_CSV_NAMES_H
#define AT_RECORD_RECORDING_CSV_NAMES_H

#include <stdbool.h>

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
