/* What the files of the results share; nobody else includes it. */
#ifndef AT_RECORD_RESULT_INTERNAL_H
#define AT_RECORD_RESULT_INTERNAL_H

#include "record/result.h"

#define AT_ISO_TIME_SIZE 32

/* 2025-11-21T09:05:00Z */
char *at_result_iso_time(int64_t seconds, char buffer[AT_ISO_TIME_SIZE]);

#endif
