/* Names of columns and words of cells in CSV that other tools and people write. */
#ifndef AT_RECORD_RECORDING_CSV_NAMES_H
#define AT_RECORD_RECORDING_CSV_NAMES_H

#include <stdbool.h>

/* "time_ms" for "time (ms)", "Time [ms]" and "Time_ms", and so for the other units that
   are known; the name itself for any other. */
const char *at_csv_plain_name(const char *name);
/* Whether a column of this name holds what was measured, or how it went, and is hardly
   ever a parameter: "GFLOP/s", "std", "compile_time_ms", "status". */
bool at_csv_is_measurement(const char *name);
/* Whether a cell says true or false, in some tool's spelling; 0 and 1 do. */
bool at_csv_is_truth(const char *cell);

#endif
