/*
 * Reads the environment and finds programs to start. Skips empty folders in PATH, which
 * stand for the current folder. Threads: safe unless a thread changes the environment.
 */
#ifndef AT_BASE_PROGRAM_PATH_H
#define AT_BASE_PROGRAM_PATH_H

#include "base/error.h"

#include <stdbool.h>

/* Used if PATH is not set. */
#define AT_PROGRAM_FOLDERS "/usr/local/bin:/usr/bin:/bin"

/* The value of an environment variable; NULL: it is not set, or empty. Borrowed. */
const char *at_environment(const char *name);
/* Whether path is an executable regular file. */
bool at_is_program(const char *path);
/* Sets *path to name itself if it has a slash, else to the program of this name in the
   first folder of PATH that has one. Heap; NULL: not found. */
void at_program_find(const char *name, char **path);

#endif
