/* What the files that write and read results share; no other file includes it. */
#ifndef AT_RECORD_RESULT_INTERNAL_H
#define AT_RECORD_RESULT_INTERNAL_H

#include "record/result.h"

#define AT_ISO_TIME_SIZE 32

/* Writes seconds since 1970 UTC as 2025-11-21T09:05:00Z, or "unknown"; returns
   buffer. */
char *at_result_iso_time(int64_t seconds, char buffer[AT_ISO_TIME_SIZE]);

#endif
