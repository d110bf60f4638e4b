/* Runs the real executable in a scratch folder of its own. */
#ifndef AT_TESTS_PROGRAM_H
#define AT_TESTS_PROGRAM_H

#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct program_result {
	int exit_status; /* 128 + signal when it was killed */
	char *output;
	char *errors;
};

/* arguments end with NULL; the program's own name is put in front. */
void program_run(const char *const *arguments, struct program_result *result);
/* The same in a folder, with an environment "NAME=value" (may be NULL). */
void program_run_with(const char *environment, const char *const *arguments,
	struct program_result *result);
void program_release(struct program_result *result);
/* Starts it with its output in files under folder; the caller waits. */
pid_t program_start(const char *folder, const char *const *arguments);

/* A fresh folder below the working directory; heap. */
char *scratch_folder(const char *name);
/* Removes it and what is in it. */
void scratch_remove(const char *folder);
/* Heap. */
char *scratch_path(const char *folder, const char *name);

/*
 * A copy, in that folder, of a space that comes with the tool, which asks for few
 * samples and a warm cache: to empty the cache of a large server takes longer than all
 * that a test wants to see. Its path; heap.
 */
char *program_quick_space(const char *space, const char *folder);

/* Whether a CUDA device can be opened here. */
bool program_has_cuda(void);

/* Lines of --json with this event, as one array. */
struct at_json *program_events(const char *output, const char *event);

#endif
