/*
 * Finds programs that are to be started. Empty folders in PATH, which stand for the
 * current folder, are skipped. Threads: safe as long as no thread changes the
 * environment.
 */
#ifndef AT_BASE_PROGRAM_PATH_H
#define AT_BASE_PROGRAM_PATH_H

#include "base/error.h"

#include <stdbool.h>

/* Used where PATH is not set. */
#define AT_PROGRAM_FOLDERS "/usr/local/bin:/usr/bin:/bin"

/* Whether path is a regular file that may be executed. */
bool at_is_program(const char *path);
/* Sets *path to name itself if it has a slash, else to the program of this name in the
   first folder of PATH that has one. Heap; NULL where nothing is found. */
void at_program_find(const char *name, char **path);

#endif
