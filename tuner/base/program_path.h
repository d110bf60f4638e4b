/*
 * Where a program is that another is to start. Folders of PATH that are empty, which
 * stand for whatever folder one happens to be in, are passed over.
 * Threads: safe, as long as nobody changes the environment.
 */
#ifndef AT_BASE_PROGRAM_PATH_H
#define AT_BASE_PROGRAM_PATH_H

#include "base/error.h"

#include <stdbool.h>

/* Where PATH is not set. */
#define AT_PROGRAM_FOLDERS "/usr/local/bin:/usr/bin:/bin"

/* Whether it is a file that may be executed. */
bool at_is_program(const char *path);
/*
 * *path: name itself where it has a slash, else what the first folder of PATH has by
 * that name (the usual folders where PATH is not set). Heap; NULL: there is none.
 */
enum at_status at_program_find(const char *name, char **path, struct at_error *err);

#endif
