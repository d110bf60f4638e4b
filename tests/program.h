/* Runs the executable with a list of arguments, and makes scratch folders, for tests of
   the whole program (executable.h takes one line instead). */
#ifndef AT_TESTS_PROGRAM_H
#define AT_TESTS_PROGRAM_H

#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct program_result {
	int exit_status; /* 128 + signal when it was killed */
	char *output; /* stdout, on the heap */
	char *errors; /* stderr, on the heap */
};

/* arguments: ended by NULL, without the program's own name. Release *result. */
void program_run(const char *const *arguments, struct program_result *result);
/* The same with one more variable of the environment, "NAME=value" (may be NULL). */
void program_run_with(const char *environment, const char *const *arguments,
	struct program_result *result);
void program_release(struct program_result *result);
/* Starts the program with its output in files in the folder; the caller waits for it.
 */
pid_t program_start(const char *folder, const char *const *arguments);

/* Makes a new folder below the working directory; returns its path, on the heap. */
char *scratch_folder(const char *name);
/* Removes a folder with everything in it; the second frees its path too. */
void scratch_remove(const char *folder);
void scratch_drop(char *folder);
static inline void owned_scratch_drop(char **folder)
{
	scratch_drop(*folder);
}
/* The path of a file in a folder, on the heap. */
char *scratch_path(const char *folder, const char *name);

/*
 * Copies a space that comes with the tool into a folder, with few samples and a warm
 * cache: to empty the cache of a large server takes longer than all else in a test.
 * Returns the copy's path, on the heap.
 */
char *program_quick_space(const char *space, const char *folder);

/* Whether a CUDA device can be opened here. */
bool program_has_cuda(void);

/* The lines of --json output with this event, as one array, which the caller releases.
 */
struct at_json *program_events(const char *output, const char *event);

#endif
